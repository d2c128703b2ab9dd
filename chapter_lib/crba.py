"""Composite rigid bodies: the mass matrix from locked subtrees.

Stands beside "ABA and Composite Rigid-Body Methods".
"""

import numpy as np

from .pivots import as_is


def composite_inertias(tree, keep=as_is):
    """Composite inertias (n, 6, 6): every body with all joints beyond it locked, in body axes."""
    return np.array(_composite(tree, keep)[0]).reshape(tree.n, 6, 6)


def mass_matrix(tree, keep=as_is):
    """The mass matrix M of `M q̈ + h = τ + Q_ext`, from composite inertias.

    (n, n) in kg m² (kg for slides), or (6 + n, 6 + n) with the floating base first.  Armature is
    on the diagonal.  `M_ij = S_iᵀ I_i^C S_i` on the diagonal; for an ancestor j of i, the force
    `I_i^C S_i` carried inward to j and projected on `S_j`; zero between branches.
    """
    X, S, n = tree.X, tree.S, tree.n
    I_C, root_inertia = _composite(tree, keep)
    root = 6 if tree.floating else 0
    M = np.zeros((root + n, root + n), dtype=np.result_type(X, tree.inertia, S))
    if tree.floating:
        M[:6, :6] = (root_inertia + root_inertia.T) / 2  # symmetric to the last bit
    for i in range(n):
        F, j = keep(I_C[i] @ S[i]), i
        M[root + i, root + i] = keep(S[i] @ F + tree.armature[i])
        while True:
            F, j = keep(X[j].T @ F), tree.parent[j]
            if j < 0:
                break
            M[root + i, root + j] = M[root + j, root + i] = keep(S[j] @ F)
        if tree.floating:
            M[:6, root + i] = M[root + i, :6] = F
    return M


def effective_inertia(M, joint, free):
    """What one joint feels of the others: `M_eff = M_11 − M_1d M_dd⁻¹ M_d1`, kg m².

    M: (n, n) mass matrix; joint: index of the joint that is pushed; free: indices of the joints
    that may answer, without torque; the rest are locked.  With every joint beyond a first joint
    free it is that joint's pivot d, with none free the diagonal entry of M.
    """
    free = [j for j in free if j != joint]
    across = M[joint, free]
    return M[joint, joint] - across @ np.linalg.solve(M[np.ix_(free, free)], across)


def _composite(tree, keep):
    X, I_C = tree.X, list(tree.inertia)
    base = np.array(tree.base.inertia) if tree.floating else None
    for i in reversed(range(tree.n)):
        parent = tree.parent[i]
        if parent >= 0:
            I_C[parent] = keep(I_C[parent] + X[i].T @ I_C[i] @ X[i])
        elif tree.floating:
            base = keep(base + X[i].T @ I_C[i] @ X[i])
    return I_C, base
