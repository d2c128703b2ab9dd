"""Motions of a chain in the plane, for references: absolute angles and SciPy's integrator.

Nothing here is shared with the passes or with the integrators of the library.  With every centre
of mass on its link's axis, kinetic energy is `½ Σ A_ij cos(θ_i − θ_j) θ̇_i θ̇_j`, A constant.
"""

import numpy as np
from scipy.integrate import solve_ivp

from ..loads import STANDARD_GRAVITY
from ..planar import PlanarArm, absolute_angle_map, planar_bias, planar_mass_matrix_absolute
from ..spatial import rigid_parameters


def absolute_dynamics(arm):
    """`acceleration(q, v, torque)`, each (n,), of a chain of links along x, under gravity."""
    masses, coms, inertias = zip(*map(rigid_parameters, arm.inertia), strict=True)
    lengths = np.append(arm.offset[1:, 0], 2 * coms[-1][0])
    planar = PlanarArm(lengths, masses, [I[2, 2] for I in inertias], np.array(coms)[:, :2])
    T, straight = absolute_angle_map(arm.n), np.zeros(arm.n)
    back = np.linalg.inv(T)
    A = planar_mass_matrix_absolute(planar, straight)
    weight = back.T @ planar_bias(planar, straight, straight, STANDARD_GRAVITY[:2])

    def acceleration(q, v, torque):
        theta, omega = T @ q, T @ v
        between = theta[:, None] - theta
        b = (A * np.sin(between)) @ omega**2 + weight * np.cos(theta)
        return back @ np.linalg.solve(A * np.cos(between), back.T @ torque - b)

    return acceleration


def moved_on(arm, velocity, torque, times):
    """q (times, n) under a torque that is held, to about nine digits."""
    acceleration, n = absolute_dynamics(arm), arm.n

    def rate(t, x):
        return np.append(x[n:], acceleration(x[:n], x[n:], torque))

    start = np.append(arm.angles, velocity)
    run = solve_ivp(rate, (0, times[-1]), start, "DOP853", times, rtol=1e-9, atol=1e-11)
    return run.y[:n].T


def velocity_first(arm, velocity, torque, times):
    """The same by velocity-first steps from each time to the next."""
    acceleration, q, v, path = absolute_dynamics(arm), arm.angles, velocity, [arm.angles]
    for h in np.diff(times):
        v = v + h * acceleration(q, v, torque)
        q = q + h * v
        path.append(q)
    return np.array(path)


def straight_on(arm, velocity, torque, times):
    """The same with the first acceleration for the whole time."""
    a = absolute_dynamics(arm)(arm.angles, velocity, torque)
    return arm.angles + np.outer(times, velocity) + np.outer(times**2, a) / 2


def tips(arm, angles, point):
    """Places (times, 2) of a point of the last body: links as complex numbers."""
    links = np.append(arm.offset[1:, 0], complex(*point[:2]))
    z = np.exp(1j * np.cumsum(angles, axis=1)) @ links
    return np.stack([z.real, z.imag], axis=1)
