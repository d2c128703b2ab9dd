import numpy as np

from chapter_lib import (
    DynamicsLoads,
    forward_dynamics,
    mass_matrix,
    normal_jacobian,
    point_jacobian,
    point_rate,
    world_poses,
)


def row(arm, point, normal):
    return normal_jacobian(arm, arm.n - 1, point, normal)


def inverse_mass(arm, J):
    return J @ np.linalg.inv(mass_matrix(arm)) @ J


def body_axes(arm, point, normal):
    return row(arm, point, world_poses(arm)[0][-1] @ normal)


def along(arm, point, normal):
    return np.cross(normal, [0, 0, 1]) @ point_jacobian(arm, arm.n - 1, point)[1]


def impulse(arm, velocity, point, normal, e, factor):
    J = row(arm, point, normal)
    return factor(e) * max(0.0, -J @ velocity) / inverse_mass(arm, J)


def unguarded(arm, velocity, point, normal, e):
    J = row(arm, point, normal)
    return -(1 + e) * J @ velocity / inverse_mass(arm, J)


def whole_mass(arm, velocity, point, normal, e):
    return -(1 + e) * min(0, row(arm, point, normal) @ velocity) * arm.inertia[:, 3, 3].sum()


def force(arm, velocity, point, normal, e):
    return reaction(arm, velocity, 0 * velocity, point, normal)[0]


def factored(factor):
    return lambda *meeting: impulse(*meeting, factor)


def right_impulse(*meeting):
    return impulse(*meeting, lambda e: 1 + e)


def jump(arm, velocity, point, normal, e, strength=right_impulse):
    push = row(arm, point, normal) * strength(arm, velocity, point, normal, e)
    return np.linalg.inv(mass_matrix(arm)) @ push


def q_too(arm, velocity, *meeting):
    change = jump(arm, velocity, *meeting)
    return arm.angles + change, velocity + change


def no_inertia(arm, velocity, point, normal, e):
    strength = right_impulse(arm, velocity, point, normal, e)
    return arm.angles, velocity + row(arm, point, normal) * strength


def reversed_rates(arm, velocity, point, normal, e):
    return arm.angles, -e * velocity if row(arm, point, normal) @ velocity < 0 else velocity


def unguarded_rates(arm, velocity, *meeting):
    return arm.angles, velocity + jump(arm, velocity, *meeting, strength=unguarded)


def before_only(arm, velocity, point, normal, e):
    strength = right_impulse(arm, velocity, point, normal, e)
    return -strength * row(arm, point, normal) @ velocity


def squared(arm, velocity, point, normal, e):
    J = row(arm, point, normal)
    stopped = max(0, -J @ velocity) - e * max(0, -J @ velocity)
    return stopped**2 / inverse_mass(arm, J) / 2


def point_energy(arm, velocity, point, normal, e):
    v = min(0, row(arm, point, normal) @ velocity)
    return arm.inertia[:, 3, 3].sum() * (v**2 - (e * v) ** 2) / 2


def reaction(arm, velocity, torque, point, normal, rate=1, pull=False, gravity=9.81):
    loads = DynamicsLoads(velocity, torque, gravity=(0, -gravity, 0))
    J, free = row(arm, point, normal), forward_dynamics(arm, loads).joint_acceleration
    b = rate * normal @ point_rate(arm, loads, arm.n - 1, point)
    pressing = -(J @ free + b) / inverse_mass(arm, J)
    pressing = pressing if pull else max(0, pressing)
    return pressing, free + np.linalg.inv(mass_matrix(arm)) @ J * pressing


WRONG = {
    "normal_row": {
        "the body's origin": lambda arm, point, normal: row(arm, (0, 0, 0), normal),
        "normal in body axes": body_axes,
        "angular rows": lambda arm, point, normal: [1.0] * arm.n,
        "along the surface": along,
    },
    "impact_impulse": {
        "where it separates": unguarded,
        "e on one term": factored(lambda e: e),
        "no rebound": factored(lambda e: 1),
        "restitution's sign": factored(lambda e: 1 - e),
        "total mass": whole_mass,
        "a force": force,
    },
    "after_impact": {
        "q jumps too": q_too,
        "no inertia": no_inertia,
        "all rates reversed": reversed_rates,
        "where it separates": unguarded_rates,
    },
    "impact_loss": {
        "velocity before": before_only,
        "(1 − e) squared": squared,
        "total mass": point_energy,
    },
    "lasting_contact": {
        "it pulls": lambda *lasting: reaction(*lasting, pull=True),
        "no J̇ q̇": lambda *lasting: reaction(*lasting, rate=0),
        "no gravity": lambda *lasting: reaction(*lasting, gravity=0),
    },
}
