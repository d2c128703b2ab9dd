"""Motions of a planar chain over given times, for references and for mistakes to recognise."""

import numpy as np

from .swing import Swing


def moved_on(arm, velocity, torque, times):
    """q (times, n) under a torque that is held, to about nine digits."""
    from scipy.integrate import solve_ivp  # slow to load, and few checks need it

    chain, n = Swing(arm), arm.n

    def rate(t, x):
        return np.append(x[n:], chain.acceleration(x[:n], x[n:], torque))

    start = np.append(arm.angles, velocity)
    run = solve_ivp(rate, (0, times[-1]), start, "DOP853", times, rtol=1e-9, atol=1e-11)
    return run.y[:n].T


def velocity_first(arm, velocity, torque, times):
    """The same by velocity-first steps from each time to the next."""
    chain, q, v, path = Swing(arm), arm.angles, velocity, [arm.angles]
    for h in np.diff(times):
        v = v + h * chain.acceleration(q, v, torque)
        q = q + h * v
        path.append(q)
    return np.array(path)


def straight_on(arm, velocity, torque, times):
    """The same with the first acceleration for the whole time."""
    a = Swing(arm).acceleration(arm.angles, velocity, torque)
    return arm.angles + np.outer(times, velocity) + np.outer(times**2, a) / 2


def tips(arm, angles, point):
    """Places (times, 2) of a point of the last body: links as complex numbers."""
    links = np.append(arm.offset[1:, 0], complex(*point[:2]))
    z = np.exp(1j * np.cumsum(angles, axis=1)) @ links
    return np.stack([z.real, z.imag], axis=1)
