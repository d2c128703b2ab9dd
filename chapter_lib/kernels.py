"""The three passes, compiled: the same lines as in `aba.py`, over flat tables.

A mechanism is a table with one row a body and the base as the last row; what the passes leave lies
in a second table laid out alike.  A parent of −1 is therefore the last row, and the base needs no
branch of its own in the recursions.  Nothing is shared between calls: every call has its own work
table, and the interpreter's lock is released while it runs.

Numba notices a change of this file but not of `compact.py`: after editing that one, delete
`chapter_lib/__pycache__`.
"""

from functools import cache

import numba
import numpy as np

from .compact import (
    COLUMNS,
    ROWS,
    cross_force,
    cross_motion,
    dot,
    gather,
    gather_packed,
    inertia_to_parent,
    less_outer,
    minus,
    nine,
    packed,
    plus,
    put,
    put_packed,
    rigid_times,
    scaled,
    six,
    three,
    times,
    to_child,
    to_parent,
    vector,
)
from .pivots import SINGULAR

DIAGONAL = np.flatnonzero(ROWS == COLUMNS)

jit = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


def _columns(*widths):
    return (int(k) for k in np.cumsum([0, *widths]))


# The mechanism's columns.  At displacement q a joint has E = K + cos q · P + sin q · Q (Rodrigues'
# formula, collected) and r = OFFSET + q · SLIDE.  In the base's row PARENT says whether it floats.
S, K, P, Q, OFFSET, SLIDE, INERTIA, DAMPING, ARMATURE, PARENT, MECHANISM = _columns(
    6, 9, 9, 9, 3, 3, 21, 1, 1, 1
)
# The work table's columns: q, q̇, τ and the known wrench, then what aba.py calls X = (E, r), v, c,
# p^A, I^A, U, d, u, q̈, a; SCALE is what locked children would add to a pivot.
ANGLE, RATE, TORQUE, WRENCH, *_PLACES = _columns(1, 1, 1, 6, 9, 3, 6, 6, 6, 21, 6, 1, 1, 1, 6, 1)
E, R, V, C, BIAS, ARTICULATED, U, PIVOT, RESIDUAL, QDD, A, SCALE, WORK = _PLACES


@jit
def row_of(k, rows):
    """Where state k stands in a batch: in row k, or in the only one."""
    return k if len(rows) > 1 else 0


@jit
def load(work, k, q, qd, tau, external, gravity, v0, f0):
    """Write down what is known of state k before pass 1: its rates, efforts, wrenches, gravity.

    Every array has a row a state, or one for all: q, qd, tau (n), gravity (3) in base axes, v0 and
    f0 (6); external (6) has n rows for a state, or none at all.
    """
    n = len(work) - 1
    a, b, c, f = row_of(k, q), row_of(k, qd), row_of(k, tau), k * n if len(external) > n else 0
    for i in range(n):
        work[i, ANGLE], work[i, RATE], work[i, TORQUE] = q[a, i], qd[b, i], tau[c, i]
        if len(external):
            put(work, i, WRENCH, six(external, f + i, 0))
    g = three(gravity, row_of(k, gravity), 0)
    put(work, n, A, (0.0, 0.0, 0.0, -g[0], -g[1], -g[2]))
    put(work, n, V, six(v0, row_of(k, v0), 0))
    put(work, n, WRENCH, six(f0, row_of(k, f0), 0))


@jit
def place(tree, work, i):
    """X of joint i at q_i."""
    q = work[i, ANGLE]
    cos, sin = np.cos(q), np.sin(q)
    for k in range(9):
        work[i, E + k] = tree[i, K + k] + cos * tree[i, P + k] + sin * tree[i, Q + k]
    for k in range(3):
        work[i, R + k] = tree[i, OFFSET + k] + q * tree[i, SLIDE + k]


@jit
def outward_motion(tree, work):
    """Pass 1: `v_i = X_i v_p + S_i q̇_i`, `c_i = v_i × S_i q̇_i`, `p_i = v_i ×* (I_i v_i) − f_i`.

    Pass 2 will add to every `I_i` and `p_i` what its children hand on.
    """
    base = len(tree) - 1
    for i in range(base):
        parent = int(tree[i, PARENT])
        place(tree, work, i)
        E_i, r_i = nine(work, i, E), three(work, i, R)
        I_i, vJ = packed(tree, i, INERTIA), scaled(work[i, RATE], six(tree, i, S))
        v = plus(to_child(E_i, r_i, six(work, parent, V)), vJ)
        put(work, i, V, v)
        put(work, i, C, cross_motion(v, vJ))
        put(work, i, BIAS, minus(cross_force(v, rigid_times(I_i, v)), six(work, i, WRENCH)))
        put_packed(work, i, ARTICULATED, I_i)
        work[i, SCALE] = 0.0
    if tree[base, PARENT] != 0:
        I_0, v0 = packed(tree, base, INERTIA), six(work, base, V)
        put(work, base, BIAS, minus(cross_force(v0, rigid_times(I_0, v0)), six(work, base, WRENCH)))
        put_packed(work, base, ARTICULATED, I_0)


@jit
def held(tree, parent):
    """True when the parent is a base that the world holds: what reaches it moves nothing."""
    return parent == len(tree) - 1 and tree[parent, PARENT] == 0


@jit
def inward_elimination(tree, work):
    """Pass 2: `U_i = I_i^A S_i`, `d_i = S_iᵀ U_i`, `u_i = τ_i − b_i q̇_i − S_iᵀ p_i^A`, handing on

    `I_i^a = I_i^A − U_i U_iᵀ / d_i` and `p_i^a = p_i^A + I_i^a c_i + U_i u_i / d_i`.
    False when a pivot is not positive beside what it was made from, as in `check_pivots`.
    """
    sound = True
    for i in range(len(tree) - 2, -1, -1):
        parent = int(tree[i, PARENT])
        IA, pA, S_i = packed(work, i, ARTICULATED), six(work, i, BIAS), six(tree, i, S)
        U_i = times(IA, S_i)
        d = dot(S_i, U_i) + tree[i, ARMATURE]
        u = work[i, TORQUE] - tree[i, DAMPING] * work[i, RATE] - dot(S_i, pA)
        put(work, i, U, U_i)
        work[i, PIVOT], work[i, RESIDUAL] = d, u
        sound &= d > SINGULAR * (d + work[i, SCALE])
        if held(tree, parent):
            continue
        E_i, r_i = nine(work, i, E), three(work, i, R)
        Ia = less_outer(IA, U_i, d)
        pa = plus(plus(pA, times(Ia, six(work, i, C))), scaled(u / d, U_i))
        gather_packed(work, parent, ARTICULATED, inertia_to_parent(E_i, r_i, Ia))
        gather(work, parent, BIAS, to_parent(E_i, r_i, pa))
        # with this joint locked its parent's joint would feel more, by (S_pᵀ X_iᵀ U_i)² / d_i
        felt = dot(six(tree, parent, S), to_parent(E_i, r_i, U_i))
        work[parent, SCALE] += felt * felt / d
    return sound


@jit
def outward_recovery(tree, work):
    """Pass 3: `ā_i = X_i a_p + c_i`, `q̈_i = (u_i − U_iᵀ ā_i) / d_i`, `a_i = ā_i + S_i q̈_i`."""
    for i in range(len(tree) - 1):
        parent = int(tree[i, PARENT])
        a = to_child(nine(work, i, E), three(work, i, R), six(work, parent, A))
        a = plus(a, six(work, i, C))
        qdd = (work[i, RESIDUAL] - dot(six(work, i, U), a)) / work[i, PIVOT]
        work[i, QDD] = qdd
        put(work, i, A, plus(a, scaled(qdd, six(tree, i, S))))


@jit
def solve_root(work):
    """`I_0^A a_0 = −p_0^A` by symmetric elimination; False when it is not positive definite."""
    base, sound = len(work) - 1, True
    M, a = np.empty((6, 6)), np.empty(6)
    for k in range(21):
        M[ROWS[k], COLUMNS[k]] = M[COLUMNS[k], ROWS[k]] = work[base, ARTICULATED + k]
    for i in range(6):
        a[i] = -work[base, BIAS + i]
    for k in range(6):
        sound &= M[k, k] > SINGULAR * work[base, ARTICULATED + DIAGONAL[k]]
        for i in range(k + 1, 6):
            factor = M[i, k] / M[k, k]
            for j in range(k, 6):
                M[i, j] -= factor * M[k, j]
            a[i] -= factor * a[k]
    for k in range(5, -1, -1):
        for j in range(k + 1, 6):
            a[k] -= M[k, j] * a[j]
        a[k] /= M[k, k]
    put(work, base, A, vector(a))
    return sound


@jit
def forward_dynamics(tree, work):
    """The three passes on a loaded work table.

    False when a pivot is not positive or an acceleration is not finite.
    """
    base = len(tree) - 1
    outward_motion(tree, work)
    sound = inward_elimination(tree, work)
    if tree[base, PARENT] != 0:
        sound &= solve_root(work)
    outward_recovery(tree, work)
    for i in range(base):
        sound &= np.isfinite(work[i, QDD])
    return sound & np.isfinite(work[base, A])


@jit
def one(tree, q, qd, tau, gx, gy, gz, qdd):
    """One state of a fixed base without external wrenches; False when something does not fit."""
    n = len(tree) - 1
    if not (len(q) == n and len(qd) == n and len(tau) == n and tree[n, PARENT] == 0):
        return False
    work = np.zeros((n + 1, WORK))
    for i in range(n):
        work[i, ANGLE], work[i, RATE], work[i, TORQUE] = q[i], qd[i], tau[i]
    put(work, n, A, (0.0, 0.0, 0.0, -gx, -gy, -gz))
    sound = forward_dynamics(tree, work)
    for i in range(n):
        qdd[i] = work[i, QDD]
    return sound


@jit
def many(tree, q, qd, tau, external, gravity, v0, f0, first, last, qdd, a0):
    """States `first` to `last` of a batch, laid out as `load` wants them.

    qdd (k, n) and a0 (k, 6) are filled in, a0 algorithmic.  Returns the first state that is not
    sound, or −1.
    """
    n = len(tree) - 1
    work = np.zeros((n + 1, WORK))
    for k in range(first, last):
        load(work, k, q, qd, tau, external, gravity, v0, f0)
        sound = forward_dynamics(tree, work)
        for i in range(n):
            qdd[k, i] = work[i, QDD]
        put(a0, k, 0, six(work, n, A))
        if not sound:
            return k
    return -1


@jit
def many_articulated(tree, q, first, last, IA, d):
    """I^A (k (n + 1), 21), the base's last, and pivots (k, n) of postures `first` to `last`.

    Returns the first posture that is not sound, or −1.
    """
    n = len(tree) - 1
    work = np.zeros((n + 1, WORK))
    for k in range(first, last):
        for i in range(n):
            work[i, ANGLE] = q[row_of(k, q), i]
        outward_motion(tree, work)
        sound = inward_elimination(tree, work)
        for i in range(n + 1):
            put_packed(IA, k * (n + 1) + i, 0, packed(work, i, ARTICULATED))
        for i in range(n):
            d[k, i] = work[i, PIVOT]
        if not sound:
            return k
    return -1


def arrays(dimensions, **readonly):
    """The type of C-ordered float64 arrays, as signatures state it."""
    return numba.types.Array(numba.float64, dimensions, "C", **readonly)


_IN1, _IN2 = (arrays(k, readonly=True) for k in (1, 2))
_RANGE = numba.int64, numba.int64
# One signature each, so that no call compiles by surprise; inputs may be read-only.
SIGNATURES = {
    one: (arrays(2), *3 * (_IN1,), *3 * (numba.float64,), arrays(1)),
    many: (arrays(2), *7 * (_IN2,), *_RANGE, arrays(2), arrays(2)),
    many_articulated: (arrays(2), _IN2, *_RANGE, arrays(2), arrays(2)),
}


@cache
def ready(kernel):
    """The kernel, compiled or loaded from disk; other types than its own are a TypeError to it."""
    kernel.compile(SIGNATURES[kernel])
    kernel.disable_compile()
    return kernel
