import numpy as np

from chapter_lib import mass_matrix, point_jacobian, simulate, world_point, world_poses


def jacobian(arm, point):
    return point_jacobian(arm, arm.n - 1, point)[1][:2]


def in_body_axes(arm, point):
    return (world_poses(arm)[0][-1].T @ point_jacobian(arm, arm.n - 1, point)[1])[:2]


def link_by_link(arm, point):
    """Column j less column j + 1: what turning link j alone does."""
    J = jacobian(arm, point)
    return J - np.column_stack([J[:, 1:], np.zeros(2)])


def inverse(arm):
    return np.linalg.inv(mass_matrix(arm))


def null(A):
    return np.linalg.svd(A)[2][-1]


def forward(arm, tau):
    return tau * np.sign(inverse(arm)[0] @ tau)


def right(arm, point):
    return forward(arm, null(jacobian(arm, point) @ inverse(arm)))


def kept_still(arm, point):
    motion = null(jacobian(arm, point))
    return -motion if motion[0] < 0 else motion


def unit_acceleration(arm, point):
    tau = right(arm, point)
    return tau / np.linalg.norm(inverse(arm) @ tau)


def run(arm, velocity, torque, duration, steps, method="rk4"):
    return simulate(arm, velocity, duration / steps, steps, method, torque)


def places(arm, angles, point):
    return [world_point(arm.at(q), arm.n - 1, point)[:2] for q in angles]


def path(arm, velocity, torque, point, duration, steps, **options):
    return places(arm, run(arm, velocity, torque, duration, steps, **options).angles, point)


def untorqued(arm, velocity, torque, *rest):
    return path(arm, velocity, None, *rest)


def last_joint(arm, velocity, torque, point, *rest):
    return path(arm, velocity, torque, (0, 0, 0), *rest)


def straight(arm, velocity, torque, point, duration, steps):
    first = run(arm, velocity, torque, 1e-9, 1).velocities
    a, t = (first[1] - first[0]) / 1e-9, np.linspace(0, duration, steps + 1)[:, None]
    return places(arm, arm.angles + t * velocity + t**2 / 2 * a, point)


def first_rows(arm, velocity, torque, extra, point, duration):
    pushed, plain = (run(arm, velocity, tau, duration, 60) for tau in (torque + extra, torque))
    return jacobian(arm, point) @ (pushed.angles[-1] - plain.angles[-1])


def extra_alone(arm, velocity, torque, extra, point, duration):
    pushed, plain = (path(arm, velocity, tau, point, duration, 60)[-1] for tau in (extra, None))
    return pushed - plain


WRONG = {
    "task_jacobian": {
        "the body's origin": lambda arm, point: jacobian(arm, (0, 0, 0)),
        "body axes": in_body_axes,
        "all three rows": lambda arm, point: point_jacobian(arm, arm.n - 1, point)[1],
        "absolute angles": link_by_link,
    },
    "task_response": {
        "J alone": jacobian,
        "M for its inverse": lambda arm, point: jacobian(arm, point) @ mass_matrix(arm),
        "each joint alone": lambda arm, point: (
            jacobian(arm, point) @ np.diag(1 / np.diag(mass_matrix(arm)))
        ),
        "forces at the tip": lambda arm, point: (
            jacobian(arm, point) @ inverse(arm) @ jacobian(arm, point).T
        ),
    },
    "unseen_torque": {
        "null space of J": lambda arm, point: forward(arm, null(jacobian(arm, point))),
        "a motion": kept_still,
        "its acceleration": lambda arm, point: inverse(arm) @ right(arm, point),
        "unit acceleration": unit_acceleration,
    },
    "tip_path": {
        "no torque": untorqued,
        "the body's origin": last_joint,
        "first order": lambda *state: path(*state, method="velocity_first"),
        "straight on": straight,
    },
    "tip_shift": {
        "no effect later": lambda *state: np.zeros(2),
        "J of the start": first_rows,
        "the extra torque alone": extra_alone,
    },
}
