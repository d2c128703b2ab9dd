import numpy as np

from chapter_lib import (
    DynamicsLoads,
    bias_force,
    cross_force,
    cross_motion,
    mass_matrix,
)


def bias(arm, velocity):
    return bias_force(arm, DynamicsLoads(velocity))


def every_joint(arm, velocity, torque, joint, armature):
    M = mass_matrix(arm) + armature * np.eye(arm.n)
    return np.linalg.solve(M, torque - bias(arm, velocity))


def whole_matrix(arm, velocity, torque, joint, armature):
    return np.linalg.solve(mass_matrix(arm) + armature, torque - bias(arm, velocity))


def corner(arm, velocity, torque, joint, armature):
    return passes(arm, velocity, torque, body=(joint, armature))


def no_remainder(arm, velocity, torque, joint, armature):
    return passes(arm, velocity, torque, quotient=(joint, armature))


def passes(arm, velocity, torque, body=(0, 0.0), quotient=(0, 0.0)):
    """The three passes by hand: armature on a body's I_zz, or on the pivot of u alone."""
    X, S, n = arm.X, arm.S, arm.n
    IA = [np.array(I) for I in arm.inertia]
    IA[body[0]][2, 2] += body[1]
    v, c, p, vp = [], [], [], np.zeros(6)
    for i in range(n):
        vp = X[i] @ vp + S[i] * velocity[i]
        v.append(vp)
        c.append(cross_motion(vp) @ (S[i] * velocity[i]))
        p.append(cross_force(vp) @ (IA[i] @ vp))
    U, d, u = [None] * n, [None] * n, [None] * n
    for i in reversed(range(n)):
        U[i] = IA[i] @ S[i]
        d[i] = S[i] @ U[i] + (quotient[1] if i == quotient[0] else 0)
        u[i] = torque[i] - S[i] @ p[i]
        if i > 0:
            Ia = IA[i] - np.outer(U[i], U[i]) / (S[i] @ U[i])
            IA[i - 1] += X[i].T @ Ia @ X[i]
            p[i - 1] = p[i - 1] + X[i].T @ (p[i] + Ia @ c[i] + U[i] * u[i] / d[i])
    a, qdd = np.array([0, 0, 0, 0, 9.81, 0]), np.zeros(n)
    for i in range(n):
        a = X[i] @ a + c[i]
        qdd[i] = (u[i] - U[i] @ a) / d[i]
        a = a + S[i] * qdd[i]
    return qdd


def plain(arm, velocity, torque):
    return np.linalg.solve(mass_matrix(arm), torque - bias(arm, velocity))


def slope(arm, velocity, torque, joint):
    return -np.linalg.inv(mass_matrix(arm))[:, joint] * plain(arm, velocity, torque)[joint]


def own_joint(arm, velocity, torque, joint):
    out = np.zeros(arm.n)
    out[joint] = -plain(arm, velocity, torque)[joint] / mass_matrix(arm)[joint, joint]
    return out


def locked(arm, velocity, torque, joint, armature):
    M_ii = mass_matrix(arm)[joint, joint]
    return slope(arm, velocity, torque, joint) * armature * M_ii / (M_ii + armature)


def accelerations(arm, velocity, torque, joint, armature):
    M = mass_matrix(arm).copy()
    M[joint, joint] += armature
    return np.linalg.solve(M, torque - bias(arm, velocity))


WRONG = {
    "armature_acceleration": {
        "in the body's corner": corner,
        "at every joint": every_joint,
        "on the whole matrix": whole_matrix,
        "remainder without it": no_remainder,
    },
    "armature_sensitivity": {
        "sign": lambda *args: -slope(*args),
        "per unit torque": lambda arm, velocity, torque, joint: (
            -np.linalg.inv(mass_matrix(arm))[:, joint]
        ),
        "own joint only": own_joint,
    },
    "armature_change": {
        "first order": lambda *args: slope(*args[:4]) * args[4],
        "locked denominator": locked,
        "accelerations": accelerations,
    },
}
