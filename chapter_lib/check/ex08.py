"""Exercise 8, damping: an effort before the solve, never an acceleration after it."""

import numpy as np

from .routes import JOINTS, cartesian_acceleration, random_state, worked
from .task import Exercise, Mistake, Quantity, Task

DAMPING = (0.2, 0.1, 0.03)
BEFORE = 'exercise 8 of the chapter, and "Pass 2: Inward Subtree Elimination", where u_i is formed'
POWER = '"Mathematical Definition and Frames": effort times rate is power'


def _stated():
    return dict(**worked(), damping=np.array(DAMPING))


def _fresh(rng):
    return dict(**random_state(rng), damping=rng.uniform(0.05, 0.5, 3))


def _only(*names):
    """The same inputs, with fewer arguments."""
    return dict(
        stated=lambda: {name: _stated()[name] for name in names},
        fresh=lambda rng: {name: value for name, value in _fresh(rng).items() if name in names},
    )


def _by_dissipation(torque, velocity, damping):
    """τ − ∂R/∂q̇ of the dissipation function R = ½ Σ b q̇², by the complex step."""
    step = 1e-30
    rates = velocity + 1j * step * np.eye(len(velocity))
    return torque - (rates**2 @ damping / 2).imag / step


def _damped(arm, velocity, torque, damping):
    return cartesian_acceleration(arm, velocity, _by_dissipation(torque, velocity, damping))


def _subtracted_after(arm, velocity, torque, damping):
    return cartesian_acceleration(arm, velocity, torque) - damping * velocity


def _undamped(arm, velocity, torque, damping):
    return cartesian_acceleration(arm, velocity, torque)


def _pushed(arm, velocity, torque, damping):
    return cartesian_acceleration(arm, velocity, torque + damping * velocity)


AFTER = Mistake(
    "subtracted after the solve",
    _subtracted_after,
    "This is what comes out when B q̇ is subtracted after the solve: N m s/rad times rad/s is a "
    "torque, and a torque is not an acceleration. It belongs among the efforts, before M⁻¹ acts.",
    BEFORE,
)

EXERCISE = Exercise(
    "ex08_damping",
    "Joint damping",
    "put a joint's damping where it belongs, and show that it only takes energy out",
    minutes=35,
    tasks=(
        Task(
            "effective_torque",
            Quantity("τ_eff", "N m", JOINTS),
            **_only("velocity", "torque", "damping"),
            reference=lambda velocity, torque, damping: _by_dissipation(torque, velocity, damping),
            mistakes=(
                Mistake(
                    "sign of b",
                    lambda velocity, torque, damping: torque + damping * velocity,
                    "This damping pushes in the direction of motion: it has the wrong sign. A "
                    "damper's effort opposes its own joint's rate.",
                    BEFORE,
                ),
                Mistake(
                    "one number for all joints",
                    lambda velocity, torque, damping: torque - damping @ velocity,
                    "One and the same number was subtracted at every joint: damping @ velocity "
                    "sums over the joints, but every damper feels its own joint only.",
                    BEFORE,
                ),
                Mistake(
                    "damping alone",
                    lambda velocity, torque, damping: -damping * velocity,
                    "This is the damper's own effort. What the solve wants is the total: the "
                    "actuator's torque and the damper's effort together.",
                    BEFORE,
                ),
            ),
        ),
        Task(
            "damped_acceleration",
            Quantity("q̈", "rad/s²", JOINTS),
            _stated,
            _fresh,
            _damped,
            mistakes=(
                AFTER,
                Mistake(
                    "sign of b",
                    _pushed,
                    "These are the accelerations of an arm whose dampers push: the damping has "
                    "the wrong sign, so it feeds energy in.",
                    BEFORE,
                ),
                Mistake(
                    "damping on a copy",
                    _undamped,
                    "These are the accelerations without damping. A tree and its loads are "
                    "frozen: what you changed was a copy that the residual efforts u never saw. "
                    "Hand the effective torque, or the new tree, to forward_dynamics.",
                    BEFORE,
                ),
            ),
        ),
        Task(
            "subtracted_afterwards",
            Quantity("q̈ − B q̇", "mixed", JOINTS),
            _stated,
            _fresh,
            _subtracted_after,
            mistakes=(
                Mistake(
                    "the right one",
                    _damped,
                    "This is the right acceleration, but here the wrong one is asked for, to be "
                    "compared with it: solve without damping, then subtract B q̇.",
                    BEFORE,
                ),
            ),
        ),
        Task(
            "damping_power",
            Quantity("power", "W", JOINTS),
            **_only("velocity", "damping"),
            reference=lambda velocity, damping: (
                velocity * _by_dissipation(0 * velocity, velocity, damping)
            ),
            mistakes=(
                Mistake(
                    "sign",
                    lambda velocity, damping: damping * velocity**2,
                    "This is the heat that the dampers give off. The power of the damping effort "
                    "on the arm is its negative: effort times rate, and the two point apart.",
                    POWER,
                ),
                Mistake(
                    "a torque",
                    lambda velocity, damping: -damping * velocity,
                    "This is the damping effort, in N m. Power is effort times rate.",
                    POWER,
                ),
                Mistake(
                    "the sum",
                    lambda velocity, damping: -damping @ velocity**2,
                    "This is the power of all dampers together. It is asked for joint by joint.",
                    POWER,
                ),
            ),
        ),
    ),
)
