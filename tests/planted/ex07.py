import numpy as np

from chapter_lib.spatial import rigid_parameters


def nudged(size):
    def solutions(d, r):
        return "one", r / (d + size)

    return solutions


def one_word(word):
    def solutions(d, r):
        if d == 0:
            return word, np.nan
        return "one", r / d

    return solutions


def zero(d, r):
    return "one", r / d if d > 0 else 0.0


def of_a_point(inertia, S):
    mass, com, _ = rigid_parameters(inertia)
    return mass * np.linalg.norm(S[3:] + np.cross(S[:3], com)) ** 2


def own(arm):
    for i in range(arm.n - 1, -1, -1):
        if arm.S[i] @ arm.inertia[i] @ arm.S[i] < 1e-12:
            return i
    return -1


WRONG = {
    "single_pivot": {
        "about the centre of mass": lambda inertia, S: S[:3] @ rigid_parameters(inertia)[2] @ S[:3],
        "point mass": of_a_point,
        "rotation only": lambda inertia, S: S[:3] @ (inertia @ np.append(S[:3], [0, 0, 0]))[:3],
    },
    "first_singular_body": {
        "own inertia": own,
        "always found": lambda arm: len(arm.parent) - 1,
        "never found": lambda arm: -1,
    },
    "joint_solutions": {
        "zero for zero": zero,
        "a small number added": nudged(1e-9),
        "never any": one_word("none"),
        "always any": one_word("any"),
    },
}
