"""Inverse dynamics: the efforts that a prescribed acceleration needs (recursive Newton–Euler).

Stands beside "Choosing Forward or Inverse Dynamics", and beside the route of the second page:
the mass matrix one column at a time.
"""

from dataclasses import replace

import numpy as np

from .loads import DynamicsLoads
from .pivots import as_is
from .scalars import as_array, exact, is_symbolic, numbers
from .spatial import cross_force, cross_motion


def inverse_dynamics(tree, loads, joint_acceleration, base_acceleration=None, keep=as_is):
    """The actuator efforts τ (n,) that produce q̈ at this state, under the other known loads.

    joint_acceleration: (n,) q̈; base_acceleration: (6,), physical and spatial, in base axes, for a
    floating base only, where the answer is the pair (root wrench (6,), τ): the wrench that the
    base needs beside `loads.base_external`, zero for a free motion.  `loads.torque` plays no part.
    Damping and armature are included: `τ_i = S_iᵀ f_i + a_i q̈_i + b_i q̇_i`.
    """
    f0, tau = _newton_euler(tree, loads, joint_acceleration, base_acceleration, keep)
    return (f0, tau) if tree.floating else tau


def base_reaction(tree, loads, joint_acceleration):
    """The wrench (6,) with which the world holds a fixed base, about its origin, in its axes."""
    if tree.floating:
        raise ValueError("argument tree: a floating base is held by nothing; its reaction is zero")
    return _newton_euler(tree, loads, joint_acceleration, None)[0]


def bias_force(tree, loads, keep=as_is):
    """What is left of the equations of motion at zero acceleration, `h − Q_ext` (with `B q̇`).

    (n,), or (6 + n,) with the root wrench first: `M ν̇ + bias = τ`.  It holds the velocity terms,
    gravity, damping and the external wrenches, these with a minus sign.
    """
    nothing = np.zeros(6) if tree.floating else None
    f0, tau = _newton_euler(tree, loads, np.zeros(tree.n), nothing, keep)
    return np.concatenate([f0, tau]) if tree.floating else tau


def mass_matrix_by_columns(tree):
    """The mass matrix, one unit acceleration at a time, at rest and without loads.

    (n, n), or (6 + n, 6 + n) for a floating base.  The second page's route.
    """
    at_rest = DynamicsLoads(velocity=np.zeros(tree.n), gravity=np.zeros(3)).on(tree)
    root = 6 if tree.floating else 0
    columns = []
    for unit in np.eye(root + tree.n):
        f0, tau = _newton_euler(tree, at_rest, unit[root:], unit[:root] if root else None)
        columns.append(np.concatenate([f0[:root], tau]))
    return np.array(columns).T


def _newton_euler(tree, loads, joint_acceleration, base_acceleration, keep=as_is):
    """The root wrench (6,) and the joint efforts (n,)."""
    loads = loads.on(tree)
    X, S, I = tree.X, tree.S, tree.inertia
    qd, qdd = loads.velocity, numbers(joint_acceleration, "argument joint_acceleration", (tree.n,))
    v0, g = loads.base_velocity, loads.gravity
    a0, f0 = np.concatenate([0 * g, -g]), -loads.base_external
    if tree.floating:
        if base_acceleration is None:
            raise ValueError("argument base_acceleration: a floating base needs one, (6,)")
        a0 = np.concatenate([0 * g, -(tree.base.rotation.T @ g)])
        a0 = a0 + numbers(base_acceleration, "argument base_acceleration", (6,))
        I0 = tree.base.inertia
        f0 = I0 @ a0 + cross_force(v0) @ (I0 @ v0) + f0
    elif base_acceleration is not None:
        raise ValueError("argument base_acceleration: the base of this tree is fixed, leave it out")
    if is_symbolic(tree.X, qd, qdd):
        qdd = exact(qdd)
    v, a, f, tau = ([None] * tree.n for _ in range(4))
    for i, parent in enumerate(tree.parent):
        vJ = S[i] * qd[i]
        v[i] = keep(X[i] @ (v[parent] if parent >= 0 else v0) + vJ)
        v_cross = cross_motion(v[i])
        a[i] = keep(X[i] @ (a[parent] if parent >= 0 else a0) + v_cross @ vJ + S[i] * qdd[i])
        f[i] = keep(I[i] @ a[i] - v_cross.T @ (I[i] @ v[i]) - loads.external[i])
    for i in reversed(range(tree.n)):
        parent = tree.parent[i]
        tau[i] = keep(S[i] @ f[i] + tree.armature[i] * qdd[i] + tree.damping[i] * qd[i])
        if parent >= 0:
            f[parent] = keep(f[parent] + X[i].T @ f[i])
        else:
            f0 = keep(f0 + X[i].T @ f[i])
    return f0, as_array(tau)


def at_rest(loads):
    """The same loads with every velocity zero: what gravity and external wrenches do alone."""
    base = None if loads.base_velocity is None else 0 * loads.base_velocity
    return replace(loads, velocity=0 * loads.velocity, base_velocity=base)
