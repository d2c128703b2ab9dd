"""Spatial vectors and inertias as flat tuples, for compiled loops.

The counterpart of `spatial.py`: the same operators with the zeros and the symmetry of their 6×6
matrices used up.  A motion or force is six numbers, a transform `X` is the rotation `E` (nine, by
rows) and the origin `r` (three), a symmetric inertia `[[A, B], [Bᵀ, D]]` is A's upper triangle
(six), B by rows (nine) and D's upper triangle (six).  Numba keeps such tuples in registers.
"""

import numba
import numpy as np

jit = numba.njit(forceinline=True, error_model="numpy", fastmath={"contract"})

_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
_PACKED = (
    [(i, j) for i, j in _UPPER]
    + [(i, 3 + j) for i in range(3) for j in range(3)]
    + [(3 + i, 3 + j) for i, j in _UPPER]
)
ROWS, COLUMNS = (np.array(index) for index in zip(*_PACKED, strict=True))


def pack(inertia):
    """Symmetric matrices (..., 6, 6) as (..., 21)."""
    return inertia[..., ROWS, COLUMNS]


def unpack(packed):
    """(..., 21) as symmetric matrices (..., 6, 6)."""
    inertia = np.empty((*packed.shape[:-1], 6, 6))
    inertia[..., ROWS, COLUMNS] = inertia[..., COLUMNS, ROWS] = packed
    return inertia


@jit
def three(table, i, k):
    """Three numbers from row i, column k on."""
    return table[i, k], table[i, k + 1], table[i, k + 2]


@jit
def six(table, i, k):
    """Six numbers from row i, column k on."""
    return three(table, i, k) + three(table, i, k + 3)


@jit
def nine(table, i, k):
    """Nine numbers from row i, column k on."""
    return six(table, i, k) + three(table, i, k + 6)


@jit
def packed(table, i, k):
    """An inertia from row i, column k on."""
    return nine(table, i, k) + six(table, i, k + 9) + six(table, i, k + 15)


@jit
def vector(x):
    """The six numbers of an array (6,)."""
    return x[0], x[1], x[2], x[3], x[4], x[5]


@jit
def put(table, i, k, x):
    """Write six numbers into row i from column k on."""
    table[i, k], table[i, k + 1], table[i, k + 2] = x[0], x[1], x[2]
    table[i, k + 3], table[i, k + 4], table[i, k + 5] = x[3], x[4], x[5]


@jit
def gather(table, i, k, x):
    """Add six numbers to row i from column k on."""
    put(table, i, k, plus(six(table, i, k), x))


@jit
def put_packed(table, i, k, I):
    """Write an inertia into row i from column k on."""
    put(table, i, k, I[:6])
    put(table, i, k + 6, I[6:12])
    put(table, i, k + 12, I[12:18])
    table[i, k + 18], table[i, k + 19], table[i, k + 20] = I[18], I[19], I[20]


@jit
def gather_packed(table, i, k, I):
    """Add an inertia to row i from column k on."""
    gather(table, i, k, I[:6])
    gather(table, i, k + 6, I[6:12])
    gather(table, i, k + 12, I[12:18])
    table[i, k + 18] += I[18]
    table[i, k + 19] += I[19]
    table[i, k + 20] += I[20]


@jit
def dot(x, y):
    """`xᵀ y` of two six-vectors: power, effort or a pivot.

    Two short sums side by side, here and in `times`: a long one waits for every addition.
    """
    return (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + (x[3] * y[3] + x[4] * y[4] + x[5] * y[5])


@jit
def scaled(s, x):
    """`s x`"""
    return s * x[0], s * x[1], s * x[2], s * x[3], s * x[4], s * x[5]


@jit
def plus(x, y):
    """`x + y`"""
    return x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3], x[4] + y[4], x[5] + y[5]


@jit
def minus(x, y):
    """`x − y`"""
    return x[0] - y[0], x[1] - y[1], x[2] - y[2], x[3] - y[3], x[4] - y[4], x[5] - y[5]


@jit
def cross(a, b):
    """`a × b` of two three-vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@jit
def cross_motion(v, m):
    """`v × m = (ω × m_ω, v_O × m_ω + ω × m_O)`"""
    w, o = v[:3], v[3:]
    x, y = cross(o, m[:3]), cross(w, m[3:])
    return cross(w, m[:3]) + (x[0] + y[0], x[1] + y[1], x[2] + y[2])


@jit
def cross_force(v, f):
    """`v ×* f = (ω × n + v_O × F, ω × F)`"""
    w, o = v[:3], v[3:]
    x, y = cross(w, f[:3]), cross(o, f[3:])
    return (x[0] + y[0], x[1] + y[1], x[2] + y[2]) + cross(w, f[3:])


@jit
def turned(E, x):
    """`E x`: parent components into child components."""
    return (
        E[0] * x[0] + E[1] * x[1] + E[2] * x[2],
        E[3] * x[0] + E[4] * x[1] + E[5] * x[2],
        E[6] * x[0] + E[7] * x[1] + E[8] * x[2],
    )


@jit
def turned_back(E, x):
    """`Eᵀ x`: child components into parent components."""
    return (
        E[0] * x[0] + E[3] * x[1] + E[6] * x[2],
        E[1] * x[0] + E[4] * x[1] + E[7] * x[2],
        E[2] * x[0] + E[5] * x[1] + E[8] * x[2],
    )


@jit
def to_child(E, r, m):
    """`X m = (E m_ω, E (m_O − r × m_ω))`, motion from the parent's frame into the child's."""
    x = cross(r, m[:3])
    return turned(E, m[:3]) + turned(E, (m[3] - x[0], m[4] - x[1], m[5] - x[2]))


@jit
def to_parent(E, r, f):
    """`Xᵀ f = (Eᵀ n + r × Eᵀ F, Eᵀ F)`, a wrench from the child's frame into the parent's."""
    n, F = turned_back(E, f[:3]), turned_back(E, f[3:])
    x = cross(r, F)
    return (n[0] + x[0], n[1] + x[1], n[2] + x[2]) + F


@jit
def rigid_times(I, m):
    """`I m` of a rigid body, `(Ī m_ω + m c × m_O, m m_O − m c × m_ω)`: B is `[m c]×`, D is m 1."""
    mass, moment = I[15], (I[13], I[8], I[9])
    x, y = m[:3], m[3:]
    a, b = cross(moment, y), cross(moment, x)
    return (
        I[0] * x[0] + I[1] * x[1] + I[2] * x[2] + a[0],
        I[1] * x[0] + I[3] * x[1] + I[4] * x[2] + a[1],
        I[2] * x[0] + I[4] * x[1] + I[5] * x[2] + a[2],
        mass * y[0] - b[0],
        mass * y[1] - b[1],
        mass * y[2] - b[2],
    )


@jit
def times(I, m):
    """`I m = (A m_ω + B m_O, Bᵀ m_ω + D m_O)`"""
    A, B, D = I[:6], I[6:15], I[15:]
    x, y = m[:3], m[3:]
    return (
        (A[0] * x[0] + A[1] * x[1] + A[2] * x[2]) + (B[0] * y[0] + B[1] * y[1] + B[2] * y[2]),
        (A[1] * x[0] + A[3] * x[1] + A[4] * x[2]) + (B[3] * y[0] + B[4] * y[1] + B[5] * y[2]),
        (A[2] * x[0] + A[4] * x[1] + A[5] * x[2]) + (B[6] * y[0] + B[7] * y[1] + B[8] * y[2]),
        (B[0] * x[0] + B[3] * x[1] + B[6] * x[2]) + (D[0] * y[0] + D[1] * y[1] + D[2] * y[2]),
        (B[1] * x[0] + B[4] * x[1] + B[7] * x[2]) + (D[1] * y[0] + D[3] * y[1] + D[4] * y[2]),
        (B[2] * x[0] + B[5] * x[1] + B[8] * x[2]) + (D[2] * y[0] + D[4] * y[1] + D[5] * y[2]),
    )


@jit
def less_outer(I, U, d):
    """`I − U Uᵀ / d`"""
    a, b, c, x, y, z = U
    e, f, g, p, q, r = scaled(1 / d, U)
    A = I[0] - a * e, I[1] - a * f, I[2] - a * g, I[3] - b * f, I[4] - b * g, I[5] - c * g
    B0 = I[6] - a * p, I[7] - a * q, I[8] - a * r
    B1 = I[9] - b * p, I[10] - b * q, I[11] - b * r
    B2 = I[12] - c * p, I[13] - c * q, I[14] - c * r
    D = I[15] - x * p, I[16] - x * q, I[17] - x * r, I[18] - y * q, I[19] - y * r, I[20] - z * r
    return A + B0 + B1 + B2 + D


@jit
def inertia_to_parent(E, r, I):
    """`Xᵀ I X`: turn the three blocks, then move the reference point by r."""
    A, B, D = symmetric_back(E, I[:6]), square_back(E, I[6:15]), symmetric_back(E, I[15:])
    # with T = [[1, 0], [−r×, 1]]:  B ← B + r× D,  A ← A − B r× + r× Bᵀ with the new Bᵀ on the right
    x, y, z = r
    N = (
        B[0] - z * D[1] + y * D[2],
        B[1] - z * D[3] + y * D[4],
        B[2] - z * D[4] + y * D[5],
        B[3] + z * D[0] - x * D[2],
        B[4] + z * D[1] - x * D[4],
        B[5] + z * D[2] - x * D[5],
        B[6] - y * D[0] + x * D[1],
        B[7] - y * D[1] + x * D[3],
        B[8] - y * D[2] + x * D[4],
    )
    # −B r× has rows r × (row of B); r× Nᵀ has columns r × (row of N)
    b0, b1, b2 = cross(r, B[:3]), cross(r, B[3:6]), cross(r, B[6:])
    n0, n1, n2 = cross(r, N[:3]), cross(r, N[3:6]), cross(r, N[6:])
    A = (
        A[0] + b0[0] + n0[0],
        A[1] + b0[1] + n1[0],
        A[2] + b0[2] + n2[0],
        A[3] + b1[1] + n1[1],
        A[4] + b1[2] + n2[1],
        A[5] + b2[2] + n2[2],
    )
    return A + N + D


@jit
def square_back(E, M):
    """`Eᵀ M E` of a 3×3 by rows."""
    a = turned_back(E, (M[0], M[3], M[6]))
    b = turned_back(E, (M[1], M[4], M[7]))
    c = turned_back(E, (M[2], M[5], M[8]))
    rows = turned_back(E, (a[0], b[0], c[0])), turned_back(E, (a[1], b[1], c[1]))
    return rows[0] + rows[1] + turned_back(E, (a[2], b[2], c[2]))


@jit
def symmetric_back(E, M):
    """`Eᵀ M E` of a symmetric 3×3 by its upper triangle."""
    a = turned_back(E, (M[0], M[1], M[2]))
    b = turned_back(E, (M[1], M[3], M[4]))
    c = turned_back(E, (M[2], M[4], M[5]))
    first, second = turned_back(E, (a[0], b[0], c[0])), turned_back(E, (a[1], b[1], c[1]))
    last = E[2] * a[2] + E[5] * b[2] + E[8] * c[2]
    return first + (second[1], second[2], last)
