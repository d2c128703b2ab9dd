import numpy as np

from chapter_lib import (
    DynamicsLoads,
    base_pose,
    bias_force,
    free_acceleration,
    mass_matrix,
    point_jacobian,
    point_rate,
    world_poses,
)


def rows(tree, point):
    return point_jacobian(tree, 1, point)[1][:2]


def base(tree, rates, spin, point, seen=1, axes=True):
    velocity = np.concatenate([[0, 0, seen * spin, 0, 0, 0], rates])
    slip = point_jacobian(tree, 1, point)[1] @ velocity
    return [0, 0, spin, *-(base_pose(tree)[0].T @ slip if axes else slip)]


def solve(M, force, J, b):
    k = len(J)
    KKT = np.block([[M, -J.T], [J, np.zeros((k, k))]])
    x = np.linalg.solve(KKT, np.concatenate([force, -b]))
    return x[:-k], x[-k:]


def parts(tree, base_velocity, rates, torque, point, gravity=9.81, root=False):
    loads = DynamicsLoads(rates, gravity=(0, -gravity, 0), base_velocity=base_velocity)
    effort = np.append(torque, np.zeros(6)) if root else np.append(np.zeros(6), torque)
    force = effort - bias_force(tree, loads)
    return mass_matrix(tree), force, rows(tree, point), point_rate(tree, loads, 1, point)[:2]


def fixed(*case):
    M, force, J, b = parts(*case)
    # the standing leg's two joints follow from its foot, the other leg's from its own rows
    qdd = np.zeros(4)
    qdd[:2] = np.linalg.solve(J[:, 6:8], -b)
    qdd[2:] = np.linalg.solve(M[8:, 8:], force[8:])
    reaction = np.linalg.solve(J[:, 6:8].T, M[6:8, 6:8] @ qdd[:2] - force[6:8])
    return np.append(np.zeros(6), qdd), reaction


def air(tree, base_velocity, rates, torque, point):
    loads = DynamicsLoads(rates, torque, base_velocity=base_velocity)
    return free_acceleration(tree, loads), [0.0, 0.0]


def no_rate(*case):
    M, force, J, b = parts(*case)
    return solve(M, force, J, 0 * b)


def compare(left, right):
    def verdict(force, friction):
        if force[1] < 0:
            return "pulls"
        return "admissible" if left(force) <= friction * right(force) else "outside"

    return verdict


def pulls(force, friction):
    return "admissible" if abs(force[0]) <= friction * abs(force[1]) else "outside"


def measured(tree, base_velocity, rates, torque, point, force, where=None):
    M, free, J, _ = parts(tree, base_velocity, rates, torque, point if where is None else where)
    return np.linalg.inv(M) @ (free + J.T @ force)


def foot_axes(tree, base_velocity, rates, torque, point, force):
    turned = world_poses(tree)[0][1][:2, :2] @ force
    return measured(tree, base_velocity, rates, torque, point, turned)


def sliding(*case, slope):
    M, force, J, b = parts(*case)
    free, response = np.linalg.solve(M, np.stack([force, np.array([slope, 1.0]) @ J]).T).T
    pressing = -(J[1] @ free + b[1]) / (J[1] @ response)
    return free + pressing * response, [slope * pressing, pressing]


def friction_law(factor):
    return lambda *case, slope: sliding(*case, slope=factor * slope)


def cut(*case, slope):
    pressing = solve(*parts(*case))[1][1]
    force = np.array([slope * pressing, pressing])
    return measured(*case, force), force


def happens(slide, by_force=False):
    def motion(*given):
        *case, friction = given
        nu_dot, force = solve(*parts(*case))
        if abs(force[0]) <= friction * force[1]:
            return "sticks", nu_dot, force
        free, none = air(*case)
        _, _, J, b = parts(*case)
        if force[1] < 0 if by_force else J[1] @ free + b[1] > 0:
            return "lifts", free, none
        return "slides", *slide(*case, slope=friction * np.sign(force[0]))

    return motion


def normal(force):
    return force[1]


WRONG = {
    "resting_base": {
        "world axes": lambda *stance: base(*stance, axes=False),
        "base at rest": lambda tree, rates, spin, point: [0, 0, spin, 0, 0, 0],
        "spin left out": lambda *stance: base(*stance, seen=0),
    },
    "held_foot": {
        "base held fixed": fixed,
        "in the air": air,
        "no J̇ ν": no_rate,
        "no gravity": lambda *case: solve(*parts(*case, gravity=0.0)),
        "torques on the root": lambda *case: solve(*parts(*case, root=True)),
    },
    "foot_verdict": {
        "a pull accepted": pulls,
        "total force": compare(np.linalg.norm, normal),
        "beside the total": compare(lambda f: abs(f[0]), np.linalg.norm),
        "one side": compare(lambda f: f[0], normal),
    },
    "foot_motion": {
        "rejected force kept": lambda *given: ("sticks", *solve(*parts(*given[:-1]))),
        "named by the rejected force": happens(sliding, by_force=True),
        "cut down to the cone": happens(cut),
        "friction along the slip": happens(friction_law(-1)),
        "no friction": happens(friction_law(0)),
    },
    "contact_rank": {"number of rows": lambda tree, contacts: sum(2 for _ in contacts)},
    "measured_foot": {
        "foot axes": foot_axes,
        "at the knee": lambda *case: measured(*case, where=(0, 0, 0)),
        "held as well": lambda *case: solve(*parts(*case[:-1]))[0],
        "sign": lambda *case: measured(*case[:-1], -case[-1]),
    },
}
