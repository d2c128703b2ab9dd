"""The independent route: kinetic energy, Christoffel terms and the potential, without recursion.

Stands beside "Pass 3 and an Independent Check".  Nothing here is shared with the spatial
recursions: positions and Jacobians are Cartesian, derivatives are taken by the complex step, or by
SymPy when the tree's angles are symbols.
"""

import numpy as np

from .kinematics import base_pose, jacobian_at, mass_points, world_poses
from .loads import STANDARD_GRAVITY
from .scalars import is_symbolic, numbers
from .spatial import rigid_parameters, skew

STEP = 1e-30  # of the complex step: no difference is taken, so it may be as small as one likes


def com_jacobians(tree):
    """Jacobians of every centre of mass: angular and linear, each (n, 3, n), in world axes.

    A floating base counts as the first body and has six coordinates: (1 + n, 3, 6 + n).
    """
    bodies, poses = ([-1] if tree.floating else []) + list(range(tree.n)), world_poses(tree)
    coms = [rigid_parameters(_inertia_of(tree, i))[1] for i in bodies]
    pairs = [jacobian_at(tree, poses, i, com) for i, com in zip(bodies, coms, strict=True)]
    J_w, J_C = zip(*pairs, strict=True)
    return np.array(J_w), np.array(J_C)


def kinetic_mass_matrix(tree):
    """The mass matrix from kinetic energy: `Σ m J_Cᵀ J_C + J_ωᵀ I_C^world J_ω`, and the armature.

    (n, n), or (6 + n, 6 + n) with the floating base's velocity in base axes first.
    """
    root = 6 if tree.floating else 0
    M = np.diag(np.concatenate([np.zeros(root, dtype=int), tree.armature]))
    for mass, I_world, J_w, J_C in _energetic(tree):
        M = M + mass * (J_C.T @ J_C) + J_w.T @ I_world @ J_w
    return M


def mass_matrix_derivatives(tree):
    """∂M/∂q_k as (n, n, n), k first, from `kinetic_mass_matrix` of a fixed-base tree."""
    _fixed(tree)
    return _derivatives(tree, kinetic_mass_matrix)


def coriolis_matrix(tree, velocity):
    """The Christoffel form of the velocity terms, (n, n): `h_velocity = C q̇`, `Ṁ = C + Cᵀ`.

    `C_ij = ½ Σ_k (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) q̇_k`; velocity: (n,) q̇.
    """
    dM = mass_matrix_derivatives(tree)
    qd = numbers(velocity, "argument velocity", (tree.n,))
    along = np.einsum("kij,k->ij", dM, qd)
    return (along + np.einsum("jik,k->ij", dM, qd) - np.einsum("ijk,k->ij", dM, qd)) / 2


def velocity_force(tree, velocity):
    """The velocity terms (n,) of h: `C q̇`, without gravity, N m."""
    return coriolis_matrix(tree, velocity) @ numbers(velocity, "argument velocity", (tree.n,))


def potential_energy(tree, gravity=STANDARD_GRAVITY):
    """`−Σ m g · c`, J, zero at the height of the world's origin; gravity: (3,) in world axes."""
    masses, places = mass_points(tree)
    return -(masses @ (places @ np.asarray(gravity)))


def gravity_force(tree, gravity=STANDARD_GRAVITY):
    """The gravity terms (n,) of h: `∂V/∂q` of `potential_energy`, N m, for a fixed base."""
    _fixed(tree)
    return _derivatives(tree, lambda moved: potential_energy(moved, gravity))


def projected_bias(tree, velocity, gravity=STANDARD_GRAVITY, base_velocity=None):
    """h from Newton's and Euler's laws projected on the Jacobians; also for a floating base.

    `Σ J_Cᵀ m (J̇_C ν − g) + J_ωᵀ (I_C J̇_ω ν + ω × I_C ω)`, (n,) or (6 + n,) with the root first.
    velocity: (n,) q̇; base_velocity: (6,) in base axes.  Floats only: J̇ν is a complex step along
    the motion.
    """
    qd = numbers(velocity, "argument velocity", (tree.n,))
    pose, nu = {}, qd
    if tree.floating:
        v0 = numbers(base_velocity, "argument base_velocity", (6,))
        R0, p0 = base_pose(tree)
        turn = np.eye(3) + 1j * STEP * skew(v0[:3])
        pose = dict(rotation=R0 @ turn, position=p0 + 1j * STEP * (R0 @ v0[3:]))
        nu = np.concatenate([v0, qd])
    moved = tree.at(tree.angles + 1j * STEP * qd, **pose)
    Jd_w, Jd_C = (J.imag / STEP for J in com_jacobians(moved))
    h = np.zeros(nu.size)
    parts = zip(_energetic(tree), Jd_w, Jd_C, strict=True)
    for (mass, I_world, J_w, J_C), Jd_w_i, Jd_C_i in parts:
        w = J_w @ nu
        h += mass * J_C.T @ (Jd_C_i @ nu - np.asarray(gravity))
        h += J_w.T @ (I_world @ (Jd_w_i @ nu) + skew(w) @ (I_world @ w))
    return h


def _energetic(tree):
    """For every body: mass, inertia about the centre of mass in world axes, J_ω, J_C."""
    bodies = ([-1] if tree.floating else []) + list(range(tree.n))
    R, _ = world_poses(tree)
    for i, J_w, J_C in zip(bodies, *com_jacobians(tree), strict=True):
        mass, _, I_C = rigid_parameters(_inertia_of(tree, i))
        R_i = R[i] if i >= 0 else base_pose(tree)[0]
        yield mass, R_i @ I_C @ R_i.T, J_w, J_C


def _inertia_of(tree, i):
    return tree.inertia[i] if i >= 0 else tree.base.inertia


def _derivatives(tree, function):
    """∂function(tree)/∂q_k, k first."""
    if is_symbolic(tree.angles):
        import sympy

        value = np.asarray(function(tree))
        slopes = [[sympy.diff(entry, q) for entry in value.flat] for q in tree.angles]
        return np.array(slopes, dtype=object).reshape(tree.n, *value.shape)
    steps = 1j * STEP * np.eye(tree.n)
    return np.array([np.imag(function(tree.at(tree.angles + step))) / STEP for step in steps])


def _fixed(tree):
    if tree.floating:
        raise ValueError(
            "argument tree: needs a fixed base; see `projected_bias` for floating ones"
        )
