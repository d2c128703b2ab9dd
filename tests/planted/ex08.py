from chapter_lib import DynamicsLoads, forward_dynamics


def solve(arm, velocity, torque):
    return forward_dynamics(arm, DynamicsLoads(velocity, torque)).joint_acceleration


def after(arm, velocity, torque, damping):
    return solve(arm, velocity, torque) - damping * velocity


def pushing(arm, velocity, torque, damping):
    return solve(arm, velocity, torque + damping * velocity)


def on_a_copy(arm, velocity, torque, damping):
    effort = torque.copy()
    effort -= damping * velocity
    return solve(arm, velocity, torque)


def the_right_one(arm, velocity, torque, damping):
    return solve(arm, velocity, torque - damping * velocity)


WRONG = {
    "effective_torque": {
        "sign of b": lambda velocity, torque, damping: torque + damping * velocity,
        "one number for all joints": lambda velocity, torque, damping: (
            torque - sum(b * w for b, w in zip(damping, velocity, strict=True))
        ),
        "damping alone": lambda velocity, torque, damping: [
            -b * w for b, w in zip(damping, velocity, strict=True)
        ],
    },
    "damped_acceleration": {
        "subtracted after the solve": after,
        "sign of b": pushing,
        "damping on a copy": on_a_copy,
    },
    "subtracted_afterwards": {"the right one": the_right_one},
    "damping_power": {
        "sign": lambda velocity, damping: velocity * damping * velocity,
        "a torque": lambda velocity, damping: -(damping * velocity),
        "the sum": lambda velocity, damping: -sum(damping * velocity**2),
    },
}
