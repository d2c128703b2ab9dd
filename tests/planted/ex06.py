import numpy as np

from chapter_lib import (
    DynamicsLoads,
    bias_force,
    coriolis_matrix,
    cross_force,
    cross_motion,
    gravity_force,
    mass_matrix_derivatives,
)


def sweep(arm, velocity, with_c=True, product=cross_force):
    v, a, forces = np.zeros(6), np.zeros(6), []
    for i in range(arm.n):
        vJ = arm.S[i] * velocity[i]
        v = arm.X[i] @ v + vJ
        a = arm.X[i] @ a
        if with_c:
            a = a + cross_motion(v) @ vJ
        f = arm.inertia[i] @ a
        if product is not None:
            f = f + product(v) @ arm.inertia[i] @ v
        forces.append(f)
    out = []
    carried = np.zeros(6)
    for i in range(arm.n - 1, -1, -1):
        carried = carried + forces[i]
        out.insert(0, arm.S[i] @ carried)
        carried = arm.X[i].T @ carried
    return out


def mass_rate(arm, velocity):
    return sum(w * dM for w, dM in zip(velocity, mass_matrix_derivatives(arm), strict=True))


def another(arm, velocity):
    dM = mass_matrix_derivatives(arm)
    C = np.zeros((arm.n, arm.n))
    for i in range(arm.n):
        for j in range(arm.n):
            C[i, j] = sum((dM[k][i, j] - dM[i][j, k] / 2) * velocity[k] for k in range(arm.n))
    return mass_rate(arm, velocity) - 2 * C


def swapped(arm, velocity):
    dM, n = mass_matrix_derivatives(arm), arm.n
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                C[i, j] += (dM[k][i, j] + dM[i][j, k] - dM[j][i, k]) * velocity[k] / 2
    return C


WRONG = {
    "velocity_forces": {
        "gravity left in": lambda arm, velocity: bias_force(arm, DynamicsLoads(velocity)),
        "c dropped": lambda arm, velocity: sweep(arm, velocity, with_c=False),
        "motion product on a momentum": lambda arm, velocity: sweep(
            arm, velocity, product=cross_motion
        ),
        "no momentum term": lambda arm, velocity: sweep(arm, velocity, product=None),
    },
    "coriolis": {
        "half of the sum": lambda arm, velocity: 0.5 * coriolis_matrix(arm, velocity),
        "no half": lambda arm, velocity: 2 * coriolis_matrix(arm, velocity),
        "first term only": lambda arm, velocity: mass_rate(arm, velocity) / 2,
        "signs": swapped,
    },
    "gravity_effort": {"sign": lambda arm: -gravity_force(arm)},
    "skew_part": {
        "one C": lambda arm, velocity: mass_rate(arm, velocity) - coriolis_matrix(arm, velocity),
        "another C": another,
    },
}
