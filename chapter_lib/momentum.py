"""Energy, centre of mass and centroidal momentum of a whole mechanism.

Stands beside "Centroidal Momentum and Whole-Body Dynamics".
"""

import numpy as np

from .aba import outward_motion
from .kinematics import base_pose, mass_points, world_point, world_poses
from .lagrange import com_jacobians, potential_energy
from .spatial import rigid_parameters, skew


def kinetic_energy(tree, loads):
    """`½ Σ v_iᵀ I_i v_i + ½ Σ a_i q̇_i²`, J, at the velocities in `loads`; armature included."""
    loads = loads.on(tree)
    motion = outward_motion(tree, loads)
    twice = tree.armature @ loads.velocity**2
    if tree.floating:
        twice = twice + motion.v0 @ tree.base.inertia @ motion.v0
    for v, I in zip(motion.v, tree.inertia, strict=True):
        twice = twice + v @ I @ v
    return twice / 2


def total_energy(tree, loads):
    """Kinetic and potential energy, J, in the gravity of `loads`, zero at the world's origin."""
    return kinetic_energy(tree, loads) + potential_energy(tree, loads.gravity)


def center_of_mass(tree):
    """Total mass (kg) and centre of mass (3,) in the world, m."""
    masses, places = mass_points(tree)
    return masses.sum(), masses @ places / masses.sum()


def centroidal_momentum_matrix(tree):
    """`A_G` (6, n) or (6, 6 + n): `h_G = (k_c, p) = A_G ν`, about the total centre of mass.

    World axes, moment-first; kg m² and kg m above, kg below.
    """
    _, center = center_of_mass(tree)
    R, _ = world_poses(tree)
    bodies = ([-1] if tree.floating else []) + list(range(tree.n))
    total = 0
    for i, J_w, J_C in zip(bodies, *com_jacobians(tree), strict=True):
        mass, com, I_C = rigid_parameters(tree.inertia[i] if i >= 0 else tree.base.inertia)
        R_i = R[i] if i >= 0 else base_pose(tree)[0]
        spin = R_i @ I_C @ R_i.T @ J_w + mass * skew(world_point(tree, i, com) - center) @ J_C
        total = total + np.concatenate([spin, mass * J_C])
    return total


def centroidal_momentum(tree, loads):
    """`h_G` (6,): angular momentum about the centre of mass and linear momentum, world axes."""
    loads = loads.on(tree)
    nu = loads.velocity
    if tree.floating:
        nu = np.concatenate([loads.base_velocity, nu])
    return centroidal_momentum_matrix(tree) @ nu


def centroidal_momentum_rate(tree, loads):
    """`ḣ_G` (6,) from the external loads alone: known wrenches and gravity, world axes.

    Joint torques do not appear.  For a floating base; a fixed base has its reaction beside.
    """
    loads = loads.on(tree)
    mass, center = center_of_mass(tree)
    rate = np.concatenate([0 * loads.gravity, mass * loads.gravity])
    R, p = world_poses(tree)
    wrenches = [(R[i], p[i], loads.external[i]) for i in range(tree.n)]
    if tree.floating:
        wrenches.append((*base_pose(tree), loads.base_external))
    for R_i, p_i, f in wrenches:
        couple, force = R_i @ f[:3], R_i @ f[3:]
        rate = rate + np.concatenate([skew(p_i - center) @ force + couple, force])
    return rate
