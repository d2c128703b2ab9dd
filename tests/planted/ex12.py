import numpy as np
from scipy.linalg import cho_factor, cho_solve

from chapter_lib import (
    DynamicsLoads,
    bias_force,
    forward_dynamics,
    gravity_force,
    inverse_dynamics,
    mass_matrix,
    velocity_force,
)


def h(arm, velocity):
    return bias_force(arm, DynamicsLoads(velocity))


def judged(x, M, b):
    bound = 1e-15 * np.linalg.norm(M, 2) * np.linalg.norm(x)
    return x, np.linalg.norm(M @ x - b) < bound


def inverted(M, b):
    return judged(np.linalg.inv(M) @ b, M, b)


def half(M, b):
    return judged(np.linalg.inv(np.linalg.cholesky(M)) @ b, M, b)


def swapped(M, b):
    L = np.linalg.cholesky(M)
    return judged(np.linalg.solve(L, np.linalg.solve(L.T, b)), M, b)


def both(arm, velocity, torque, M, b):
    loads = DynamicsLoads(velocity, torque)
    return loads, cho_solve(cho_factor(M), b), forward_dynamics(arm, loads).joint_acceleration


def selves(arm, velocity, torque, M, b):
    loads, dense, recursive = both(arm, velocity, torque, M, b)
    return b - M @ dense, torque - inverse_dynamics(arm, loads, recursive)


def apart(*system):
    _, dense, recursive = both(*system)
    return dense - recursive, recursive - dense


def rows_only(M):
    return np.diag(1 / np.diag(M)) @ M


def no_root(M):
    return rows_only(M) @ np.diag(1 / np.diag(M))


WRONG = {
    "assemble": {
        "no velocity terms": lambda arm, velocity, torque: (
            mass_matrix(arm),
            torque - gravity_force(arm),
        ),
        "no gravity": lambda arm, velocity, torque: (
            mass_matrix(arm),
            torque - velocity_force(arm, velocity),
        ),
        "sign of h": lambda arm, velocity, torque: (mass_matrix(arm), torque + h(arm, velocity)),
    },
    "checked_solution": {
        "inverse formed": inverted,
        "one substitution": half,
        "substitutions swapped": swapped,
    },
    "crossed_residuals": {
        "each with itself": selves,
        "accelerations apart": apart,
    },
    "condition_number": {
        "the diagonal": lambda M: max(np.diag(M)) / min(np.diag(M)),
        "another norm": lambda M: np.linalg.norm(M, 1) * np.linalg.norm(np.linalg.inv(M), 1),
        "of the factor": lambda M: np.sqrt(np.linalg.cond(M)),
    },
    "unit_diagonal": {
        "rows only": rows_only,
        "no root": no_root,
        "one number for all": lambda M: M / max(np.diag(M)),
    },
}
