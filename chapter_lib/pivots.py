"""Pivots: the one number, or the 6×6 of a floating root, by which elimination divides.

Stands beside "The Root Articulated Solve" and exercise 7.  The tests on pivots stand here, outside
the recursion, and look at floats only.
"""

import numpy as np

from .scalars import as_array, is_float

SINGULAR = 1e-13  # a pivot this small beside what was subtracted to get it is rounding


def as_is(x):
    """The hook `keep` for numbers: hands its argument back."""
    return x


def check_pivots(tree, U, d):
    """Raise LinAlgError, naming the body, for a pivot that is not positive (floats only).

    U: (n, 6); d: (n,) pivots.  "Positive" is meant beside what the joint would feel if its
    children's joints were locked: `d` is that number less `(S_pᵀ X_iᵀ U_i)² / d_i` of every child.
    """
    if not is_float(d, tree.X):
        return
    parent = np.array(tree.parent, dtype=int)
    felt = np.vecdot(np.matvec(tree.X, tree.S[parent]), U)  # at −1 any number: it is cut off below
    scale = d + np.bincount(parent + 1, felt**2 / d, tree.n + 1)[1:]
    sound = d > SINGULAR * scale
    if not sound.all():
        i = np.flatnonzero(~sound)[-1]  # the first that the inward pass met
        raise np.linalg.LinAlgError(
            f"body {i} ({tree.names[i]!r}): pivot d = {d[i]:.6g} is not positive beside the "
            f"{scale[i]:.6g} it was made from. A massless or pointlike body leaves nothing for its "
            "joint to accelerate: 0·q̈ = u − Uᵀā has no solution, or any"
        )


def ldl(A, keep=as_is):
    """`A = L D Lᵀ` of a symmetric matrix: returns L (unit lower triangular) and the diagonal D.

    Written out because the libraries' factorizations refuse symbols and, conjugating, are wrong on
    complex symmetric matrices.
    """
    n = len(A)
    L, D, rest = np.eye(n, dtype=int).astype(A.dtype), [None] * n, A
    for k in range(n):
        D[k] = rest[k, k]
        L[k + 1 :, k] = keep(rest[k + 1 :, k] / D[k])
        rest = keep(rest - np.outer(L[:, k] * D[k], L[:, k]))
    return L, as_array(D)


def solve_root(IA0, w, keep=as_is):
    """Solve `I_0^A a_0 = w` for the base's acceleration.

    IA0: (6, 6); w: (..., 6) wrenches; returns (..., 6).

    Raises LinAlgError when the matrix is not positive definite (floats only).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        L, D = ldl(IA0, keep)
    if is_float(D):
        for k in range(6):
            if not D[k] > SINGULAR * IA0[k, k]:
                raise np.linalg.LinAlgError(
                    f"base: articulated inertia is singular: pivot {k} of its 6×6 is {D[k]:.3g} "
                    f"beside a diagonal entry of {IA0[k, k]:.3g}"
                )
    y = [w[..., k] for k in range(6)]
    for k in range(6):
        for j in range(k):
            y[k] = y[k] - L[k, j] * y[j]
    a0 = [y[k] / D[k] for k in range(6)]
    for k in reversed(range(6)):
        for j in range(k + 1, 6):
            a0[k] = a0[k] - L[j, k] * a0[j]
    return np.stack(a0, axis=-1)
