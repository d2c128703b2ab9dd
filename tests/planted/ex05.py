import numpy as np
from scipy.linalg import cho_solve

from chapter_lib import DynamicsLoads, articulate, bias_force, mass_matrix


def h(arm, velocity):
    return bias_force(arm, DynamicsLoads(velocity))


def refactored(arm, velocity, torques, factor):
    out = []
    for tau in torques:
        out.append(cho_solve(factor(mass_matrix(arm)), tau - h(arm, velocity)))
    return out


def no_bias(arm, velocity, torques, factor):
    done = factor(mass_matrix(arm))
    return [cho_solve(done, tau) for tau in torques]


def rearticulated(arm, velocity, torques, factor):
    return [factor(arm).solve(tau - h(arm, velocity)) for tau in torques]


def along(arm, states, torques, factor_of, bias_of):
    out = []
    for k, _ in enumerate(states):
        q, _ = states[factor_of(k)]
        p, qd = states[bias_of(k)]
        out.append(articulate(arm.at(q)).solve(torques - h(arm.at(p), qd)))
    return np.array(out)


def first(k):
    return 0


def own(k):
    return k


def dense(n):
    return n * (n + 1) * (n + 2) // 6, n * (n + 1), n * (n + 1) // 2


WRONG = {
    "accelerations_by_cholesky": {
        "factored every time": refactored,
        "bias left out": no_bias,
    },
    "accelerations_by_articulation": {
        "factored every time": rearticulated,
        "bias left out": lambda arm, velocity, torques, factor: factor(arm).solve(torques),
    },
    "accelerations_along": {
        "old factor": lambda *args: along(*args, first, own),
        "old bias": lambda *args: along(*args, own, first),
        "nothing refreshed": lambda *args: along(*args, first, first),
    },
    "dense_counts": {
        "one triangle": lambda n: (dense(n)[0], sum(range(n + 1)), dense(n)[2]),
        "both halves stored": lambda n: (*dense(n)[:2], n**2),
        "an inverse": lambda n: (n * n * n, n**2, n**2),
    },
    "articulated_counts": {
        "one way only": lambda n: (49 * n, 49 * n),
        "every pair": lambda n: (98 * n**2, 49 * n),
    },
}
