import numpy as np

from chapter_lib import (
    articulate,
    forward_dynamics,
    inward_elimination,
    mass_matrix,
    outward_motion,
)


def bias(tree, loads):
    return inward_elimination(tree, loads, outward_motion(tree, loads)).pA0


def root(tree, loads):
    return forward_dynamics(tree, loads).algorithmic_base_acceleration


def physical(tree, loads):
    return forward_dynamics(tree, loads).base_acceleration


def g(tree, loads):
    return np.append(np.zeros(3), tree.base.rotation.T @ loads.gravity)


def recover(tree, loads, a0):
    motion, factors = outward_motion(tree, loads), articulate(tree)
    inward = inward_elimination(tree, loads, motion, factors)
    a, qdd = {-1: a0}, np.zeros(tree.n)
    for i, parent in enumerate(tree.parent):
        a_bar = tree.X[i] @ a[parent] + motion.c[i]
        qdd[i] = (inward.u[i] - factors.U[i] @ a_bar) / factors.d[i]
        a[i] = a_bar + tree.S[i] * qdd[i]
    return qdd


def spun(tree, loads, sign=1, start=physical):
    v = loads.base_velocity
    return start(tree, loads)[3:] + sign * np.cross(v[:3], v[3:])


WRONG = {
    "root_acceleration": {
        "the base's own inertia": lambda t, loads: np.linalg.solve(t.base.inertia, -bias(t, loads)),
        "composite inertia": lambda t, loads: np.linalg.solve(
            mass_matrix(t)[:6, :6], -bias(t, loads)
        ),
        "sign of the bias": lambda t, loads: np.linalg.solve(articulate(t).IA0, bias(t, loads)),
        "physical": physical,
    },
    "physical_root_acceleration": {
        "algorithmic": root,
        "gravity twice": lambda t, loads: physical(t, loads) + g(t, loads),
        "gravity in world axes": lambda t, loads: root(t, loads) + [0, 0, 0, 0, -9.81, 0],
    },
    "origin_acceleration": {
        "spatial": lambda t, loads: physical(t, loads)[3:],
        "order of the product": lambda t, loads: spun(t, loads, sign=-1),
        "algorithmic": lambda t, loads: spun(t, loads, start=root),
    },
    "floating_accelerations": {
        "base held": lambda t, loads: recover(t, loads, -g(t, loads)),
        "base held, no weight": lambda t, loads: recover(t, loads, np.zeros(6)),
    },
}
