import numpy as np

from chapter_lib import articulate, composite_inertias, rigid_inertia
from chapter_lib.spatial import rigid_parameters


def sweep(arm, bring, free, inertia=None):
    I = [np.array(one) for one in (arm.inertia if inertia is None else inertia)]
    for i in range(arm.n - 1, 0, -1):
        handed = I[i]
        if free:
            U = I[i] @ arm.S[i]
            handed = I[i] - np.outer(U, U) / (arm.S[i] @ U)
        I[i - 1] += bring(arm.X[i], handed)
    return I


def backward(X, I):
    return X @ I @ X.T


def untouched(X, I):
    return I


def forward(X, I):
    return X.T @ I @ X


def points(arm):
    parts = [rigid_parameters(I) for I in arm.inertia]
    return [rigid_inertia(m, c, np.zeros((3, 3))) for m, c, _ in parts]


def of_one(arm):
    return [np.linalg.matrix_rank(I) for I in composite_inertias(arm)]


WRONG = {
    "articulated_inertias": {
        "remainders": lambda arm: articulate(arm).Ia,
        "composite": composite_inertias,
        "transform the wrong way round": lambda arm: sweep(arm, backward, True),
        "untransformed": lambda arm: sweep(arm, untouched, True),
        "point masses": lambda arm: sweep(arm, forward, True, points(arm)),
    },
    "composite_inertias": {
        "articulated": lambda arm: articulate(arm).IA,
        "transform the wrong way round": lambda arm: sweep(arm, backward, False),
        "untransformed": lambda arm: sweep(arm, untouched, False),
        "point masses": lambda arm: sweep(arm, forward, False, points(arm)),
    },
    "difference_ranks": {
        "of one of the two": of_one,
        "joints beyond": lambda arm: [arm.n - 1 - i for i in range(arm.n)],
    },
}
