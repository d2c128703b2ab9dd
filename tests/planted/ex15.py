import numpy as np

from chapter_lib import DynamicsLoads, point_jacobian, point_rate


def tip(arm, velocity, point):
    J = point_jacobian(arm, arm.n - 1, point)[1][:2]
    return J, point_rate(arm, DynamicsLoads(velocity=velocity), arm.n - 1, point)[:2]


def negative(arm, velocity, point):
    J, b_c = tip(arm, velocity, point)
    return J, -b_c


def moving(arm, velocity, point):
    J, _ = tip(arm, velocity, point)
    return J, J @ velocity


def without_rate(arm, velocity, point):
    return tip(arm, velocity, point)[0], [0.0, 0.0]


def euclid(M, a_free, J, b_c):
    multiplier = -np.linalg.inv(J @ J.T) @ (J @ a_free + b_c)
    return a_free + J.T @ multiplier, multiplier


def right(M, a_free, J, b_c):
    multiplier = -np.linalg.inv(J @ np.linalg.inv(M) @ J.T) @ (J @ a_free + b_c)
    return a_free + np.linalg.inv(M) @ J.T @ multiplier, multiplier


def against(M, a_free, J, b_c):
    a, multiplier = right(M, a_free, J, b_c)
    return a, -multiplier


def further(M, a_free, J, b_c):
    multiplier = np.linalg.inv(J @ np.linalg.inv(M) @ J.T) @ (J @ a_free + b_c)
    return a_free + np.linalg.inv(M) @ J.T @ multiplier, multiplier


def of_accelerations(M, J):
    back = np.linalg.inv(M) @ J.T
    return np.eye(len(M)) - back @ np.linalg.inv(J @ back) @ J


def transposed(M, a, J):
    L = np.linalg.cholesky(M)
    return L @ a, J @ np.linalg.inv(L)


def multiplied(M, a, J):
    L = np.linalg.cholesky(M)
    return L.T @ a, J @ L


def symmetric(M, a, J):
    values, vectors = np.linalg.eigh(M)
    root = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    return root @ a, J @ np.linalg.inv(root)


def shortest(M, a_free, J, b_c):
    W = J @ np.linalg.inv(M) @ J.T
    multiplier = -np.linalg.pinv(W, rcond=1e-9) @ (J @ a_free + b_c)
    return a_free + np.linalg.inv(M) @ J.T @ multiplier, multiplier


def rank(J):
    return np.linalg.matrix_rank(J, tol=1e-9)


def never_none(M, a_free, J, b_c):
    return *shortest(M, a_free, J, b_c), "one" if rank(J) == len(J) else "many"


def strict(M, a_free, J, b_c):
    if rank(J) < len(J):
        return np.nan * a_free, np.nan * b_c, "none"
    return *shortest(M, a_free, J, b_c), "one"


def without_the_last(M, a_free, J, b_c):
    if rank(J) == len(J):
        return *shortest(M, a_free, J, b_c), "one"
    a, multiplier = right(M, a_free, J[:2], b_c[:2])
    if abs(J @ a + b_c).max() > 1e-6:
        return np.nan * a_free, np.nan * b_c, "none"
    return a, [*multiplier, 0.0], "many"


WRONG = {
    "held_tip": {
        "sign of b_c": negative,
        "a velocity": moving,
        "no J̇ q̇": without_rate,
        "the body's origin": lambda arm, velocity, point: tip(arm, velocity, (0, 0, 0)),
    },
    "nearest_acceleration": {
        "Euclidean projection": euclid,
        "sign of b_c": lambda M, a_free, J, b_c: right(M, a_free, J, -b_c),
        "Euclidean minimum norm": lambda M, a_free, J, b_c: (
            -np.linalg.pinv(J) @ b_c,
            -np.linalg.inv(J @ J.T) @ b_c,
        ),
        "multiplier's sign": against,
        "correction's sign": further,
    },
    "constrained_response": {
        "reaction held fixed": lambda M, J: np.linalg.inv(M),
        "Euclidean projector": lambda M, J: np.eye(len(M)) - J.T @ np.linalg.inv(J @ J.T) @ J,
        "projector of accelerations": of_accelerations,
    },
    "mass_weighted": {
        "L for Lᵀ": transposed,
        "rows weighted like accelerations": multiplied,
        "symmetric root": symmetric,
    },
    "any_rows": {
        "inverse of a singular matrix": lambda *problem: (*right(*problem), "one"),
        "contradiction not noticed": never_none,
        "redundant refused": strict,
        "a row dropped": without_the_last,
    },
}
