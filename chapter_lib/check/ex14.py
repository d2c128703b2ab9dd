"""Exercise 14, redundancy: a torque that the fingertip does not notice, at first.

References: rows by the complex step, M from kinetic energy, the unseen torque as M times a motion
that leaves the tip where it is, and the motion from the planar closed forms in SciPy's integrator.
"""

import numpy as np
from scipy.linalg import null_space

from ..kinematics import world_poses
from ..lagrange import kinetic_mass_matrix
from ..planar import absolute_angle_map
from .held import point_rows
from .paths import moved_on, straight_on, tips, velocity_first
from .routes import JOINTS, random_state, worked
from .task import Exercise, Mistake, Quantity, Task

TIP = (0.25, 0.0, 0.0)
DURATION = 0.2
SHORT = 0.1  # of random arms, some of which whip about: rk4 in 40 steps is good to 1e-6
ROWS = ("x", "y")
TASK = "exercise 14 of the chapter: a task Jacobian J for the worked model"
THROUGH = "exercise 14 of the chapter: the map J M⁻¹ δτ"
LATER = 'exercise 14 of the chapter, and "When the Applied Loads Are Specified"'


def _place(inputs):
    return dict(arm=inputs["arm"], point=inputs["point"])


def _stated():
    return dict(**worked(), point=np.array(TIP))


def _fresh(rng):
    point = np.array([rng.uniform(0.1, 0.4), rng.uniform(0.02, 0.08), 0.0])
    return dict(**random_state(rng), point=point)


def _held(inputs, duration):
    return dict(**inputs, duration=duration, steps=40)


def _pushed(inputs, duration, size):
    state = {name: inputs[name] for name in ("arm", "velocity", "torque")}
    extra = size * _unseen(inputs["arm"], inputs["point"])
    return dict(**state, extra=extra, point=inputs["point"], duration=duration)


def _rows(arm, point):
    return point_rows(arm, arm.n - 1, point, np.eye(3)[:2])


def _response(arm, point):
    return np.linalg.solve(kinetic_mass_matrix(arm), _rows(arm, point).T).T


def _still(arm, point):
    """The unit motion of the joints that leaves the tip where it is, its first entry positive."""
    v = null_space(_rows(arm, point))[:, 0]
    return v * np.sign(v[0])


def _unit_torque(arm, tau):
    """The direction of τ with size 1, and so that it accelerates the first joint forward."""
    forward = np.sign(np.linalg.solve(kinetic_mass_matrix(arm), tau)[0])
    return forward * tau / np.linalg.norm(tau)


def _unseen(arm, point):
    return _unit_torque(arm, kinetic_mass_matrix(arm) @ _still(arm, point))


def _path(arm, velocity, torque, point, duration, steps, motion=moved_on):
    times = np.linspace(0, duration, steps + 1)
    return tips(arm, motion(arm, velocity, torque, times), point)


def _ends(arm, velocity, torques, duration):
    """q at the end under each of the torques."""
    times = np.array([0, duration])
    return np.array([moved_on(arm, velocity, tau, times)[-1] for tau in torques])


def _shift(arm, velocity, torque, extra, point, duration):
    without, pushed = tips(arm, _ends(arm, velocity, (torque, torque + extra), duration), point)
    return pushed - without


def _by_the_first_rows(arm, velocity, torque, extra, point, duration):
    without, pushed = _ends(arm, velocity, (torque, torque + extra), duration)
    return _rows(arm, point) @ (pushed - without)


EXERCISE = Exercise(
    "ex14_redundancy",
    "Redundancy",
    "construct a torque that the fingertip does not notice at first, and say what it does later",
    minutes=50,
    tasks=(
        Task(
            "task_jacobian",
            Quantity("J", "m", ROWS),
            lambda: _place(_stated()),
            lambda rng: _place(_fresh(rng)),
            _rows,
            mistakes=(
                Mistake(
                    "the body's origin",
                    lambda arm, point: _rows(arm, 0 * point),
                    "These are the rows of the last body's origin. The task is a point of that "
                    "body, some way out.",
                    TASK,
                ),
                Mistake(
                    "body axes",
                    lambda arm, point: (world_poses(arm)[0][-1].T)[:2, :2] @ _rows(arm, point),
                    "These rows are in the last body's axes, which turn with it. The task is "
                    "(x, y) in the world.",
                    TASK,
                ),
                Mistake(
                    "all three rows",
                    lambda arm, point: point_rows(arm, arm.n - 1, point, np.eye(3)),
                    "The row of z is there as well. It is zero in the plane and no part of the "
                    "task; keep the first two.",
                    TASK,
                ),
                Mistake(
                    "absolute angles",
                    lambda arm, point: _rows(arm, point) @ np.linalg.inv(absolute_angle_map(arm.n)),
                    "Each column moves one link alone and keeps the direction of the others. A "
                    "joint carries everything beyond it along.",
                    TASK,
                ),
            ),
        ),
        Task(
            "task_response",
            Quantity("J M⁻¹", "(m/s²)/(N m)", ROWS),
            lambda: _place(_stated()),
            lambda rng: _place(_fresh(rng)),
            _response,
            mistakes=(
                Mistake(
                    "J alone",
                    _rows,
                    "This is J. It takes joint accelerations to the tip; torques first have to "
                    "become accelerations.",
                    THROUGH,
                ),
                Mistake(
                    "M for its inverse",
                    lambda arm, point: _rows(arm, point) @ kinetic_mass_matrix(arm),
                    "J was multiplied by M where M⁻¹ belongs: a heavier arm would move more.",
                    THROUGH,
                ),
                Mistake(
                    "each joint alone",
                    lambda arm, point: _rows(arm, point) / np.diag(kinetic_mass_matrix(arm)),
                    "Every torque was divided by its own diagonal entry of M, as if the other "
                    "joints were locked. They are free: M⁻¹ is a full matrix.",
                    THROUGH,
                ),
                Mistake(
                    "forces at the tip",
                    lambda arm, point: _response(arm, point) @ _rows(arm, point).T,
                    "J M⁻¹ Jᵀ answers a force at the tip. Asked for is the answer to torques at "
                    "the joints, one column a joint.",
                    THROUGH,
                ),
            ),
        ),
        Task(
            "unseen_torque",
            Quantity("δτ", "N m", JOINTS),
            lambda: _place(_stated()),
            lambda rng: _place(_fresh(rng)),
            _unseen,
            mistakes=(
                Mistake(
                    "null space of J",
                    lambda arm, point: _unit_torque(arm, _still(arm, point)),
                    "This torque is taken from the null space of J, where joint motions live that "
                    "leave the tip where it is. Torques reach the tip through M⁻¹: the null space "
                    "of J M⁻¹ is wanted.",
                    THROUGH,
                ),
                Mistake(
                    "a motion",
                    _still,
                    "This is a direction of joint motion that the tip does not feel, with its "
                    "first entry positive. It is not the torque that makes the joints move so.",
                    THROUGH,
                ),
                Mistake(
                    "its acceleration",
                    lambda arm, point: np.linalg.solve(
                        kinetic_mass_matrix(arm), _unseen(arm, point)
                    ),
                    "This is δq̈, in rad/s²: the acceleration that the right torque causes. Asked "
                    "for is the torque, in N m.",
                    THROUGH,
                ),
                Mistake(
                    "unit acceleration",
                    lambda arm, point: kinetic_mass_matrix(arm) @ _still(arm, point),
                    "The direction is right, the size is not: here δq̈ has size 1. It is δτ that "
                    "is to have it, 1 N m.",
                    THROUGH,
                ),
            ),
        ),
        Task(
            "tip_path",
            Quantity("place of the tip", "m"),
            lambda: _held(_stated(), DURATION),
            lambda rng: _held(_fresh(rng), SHORT),
            _path,
            rtol=1e-4,
            draws=2,
            mistakes=(
                Mistake(
                    "no torque",
                    lambda arm, velocity, torque, *rest: _path(arm, velocity, 0 * torque, *rest),
                    "The arm moved without its torques. They are held for the whole time.",
                    LATER,
                ),
                Mistake(
                    "the body's origin",
                    lambda arm, velocity, torque, point, *rest: _path(
                        arm, velocity, torque, 0 * point, *rest
                    ),
                    "This is the path of the last joint. The tip is a point beyond it.",
                    TASK,
                ),
                Mistake(
                    "first order",
                    lambda *state: _path(*state, motion=velocity_first),
                    "These are velocity-first steps, whose error is larger than the effect that "
                    "is looked for. Take a method of higher order.",
                    '"Time-Stepping and Numerical Order"',
                ),
                Mistake(
                    "straight on",
                    lambda *state: _path(*state, motion=straight_on),
                    "The first acceleration was kept for the whole time. It changes with posture "
                    "and rates; the motion has to be integrated.",
                    LATER,
                ),
            ),
        ),
        Task(
            "tip_shift",
            Quantity("shift of the tip", "m", ROWS),
            lambda: _pushed(_stated(), DURATION, 1.0),
            lambda rng: _pushed(_fresh(rng), SHORT, 2.0),
            _shift,
            rtol=1e-3,
            draws=2,
            mistakes=(
                Mistake(
                    "no effect later",
                    lambda arm, *rest: np.zeros(2),
                    "No effect at all? The tip's acceleration is unchanged at the first instant "
                    "only. The joints do accelerate, and the arm comes to other postures and "
                    "rates, in which the same torque is felt.",
                    LATER,
                ),
                Mistake(
                    "J of the start",
                    _by_the_first_rows,
                    "The joints' shift was taken to the tip by the J of the start. By then the "
                    "arm has turned: compare the places themselves.",
                    LATER,
                ),
                Mistake(
                    "the extra torque alone",
                    lambda arm, velocity, torque, *rest: _shift(arm, velocity, 0 * torque, *rest),
                    "Two arms were compared, neither with its own torque. δτ is added to the τ "
                    "that is there.",
                    LATER,
                ),
            ),
        ),
    ),
)
