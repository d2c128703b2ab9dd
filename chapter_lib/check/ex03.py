"""Exercise 3, armature: one number on a pivot, felt by every joint."""

from dataclasses import replace

import numpy as np

from ..lagrange import kinetic_mass_matrix
from .routes import JOINTS, cartesian_acceleration, random_state, worked
from .task import Exercise, Mistake, Quantity, Task

PIVOT = '"Eliminating One Joint Acceleration", where d_i is formed, and exercise 3 of the chapter'
RANK_ONE = "exercise 3 of the chapter: M + a e eᵀ and its inverse"


def _stated():
    return dict(**worked(), joint=0, armature=0.04)


def _fresh(rng):
    # an inner joint: at the first one, on a fixed base, armature cannot be told from inertia of
    # the body, and at the last one a body's inertia cannot be told from a number on all of M
    joint, armature = int(rng.integers(1, 3)), float(rng.uniform(0.01, 0.1))
    return dict(**random_state(rng, 4), joint=joint, armature=armature)


def _without_armature(inputs):
    return {name: value for name, value in inputs.items() if name != "armature"}


def _on(arm, joint, armature):
    """The n×n matrix that an armature adds."""
    e = np.eye(arm.n)[joint]
    return armature * np.outer(e, e)


def _right(arm, velocity, torque, joint, armature):
    return cartesian_acceleration(arm, velocity, torque, _on(arm, joint, armature))


def _in_the_corner(arm, velocity, torque, joint, armature):
    inertia = np.array(arm.inertia)
    inertia[joint, 2, 2] += armature
    return cartesian_acceleration(replace(arm, inertia=inertia), velocity, torque)


def _everywhere(arm, velocity, torque, joint, armature):
    return cartesian_acceleration(arm, velocity, torque, armature * np.eye(arm.n))


def _whole_matrix(arm, velocity, torque, joint, armature):
    return cartesian_acceleration(arm, velocity, torque, armature)


def _remainder_without(arm, velocity, torque, joint, armature):
    """The passes with armature in the quotients of u and q̈, but not in I^a = I^A − U Uᵀ/d.

    From the plain arm's own factors: only the pivot that divides u is changed.
    """
    from ..aba import articulate, outward_motion
    from ..loads import DynamicsLoads

    loads = DynamicsLoads(velocity=velocity, torque=torque)
    motion, factors = outward_motion(arm, loads), articulate(arm)
    d = factors.d + armature * np.eye(arm.n)[joint]
    p, u, a = list(motion.p), [0] * arm.n, np.append(np.zeros(3), -loads.gravity)
    for i in reversed(range(arm.n)):
        u[i] = torque[i] - arm.S[i] @ p[i]
        if i:
            pa = p[i] + factors.Ia[i] @ motion.c[i] + factors.U[i] * u[i] / d[i]
            p[i - 1] = p[i - 1] + arm.X[i].T @ pa
    qdd = np.zeros(arm.n)
    for i in range(arm.n):
        a = arm.X[i] @ a + motion.c[i]
        qdd[i] = (u[i] - factors.U[i] @ a) / d[i]
        a = a + arm.S[i] * qdd[i]
    return qdd


def _complex_step(arm, velocity, torque, joint):
    return _right(arm, velocity, torque, joint, 1e-30j).imag / 1e-30


def _response(arm, joint):
    """M⁻¹ e: the accelerations per unit torque at one joint."""
    return np.linalg.solve(kinetic_mass_matrix(arm), np.eye(arm.n)[joint])


def _own_joint_only(arm, velocity, torque, joint):
    qdd = cartesian_acceleration(arm, velocity, torque)
    return -np.eye(arm.n)[joint] * qdd / kinetic_mass_matrix(arm)[joint, joint]


def _change(arm, velocity, torque, joint, armature):
    without = cartesian_acceleration(arm, velocity, torque)
    return _right(arm, velocity, torque, joint, armature) - without


def _first_order(arm, velocity, torque, joint, armature):
    return armature * _complex_step(arm, velocity, torque, joint)


def _locked_denominator(arm, velocity, torque, joint, armature):
    locked = kinetic_mass_matrix(arm)[joint, joint]
    return _first_order(arm, velocity, torque, joint, armature) / (1 + armature / locked)


EXERCISE = Exercise(
    "ex03_armature",
    "Motor inertia",
    "add a motor's inertia to a pivot, and say exactly what it changes at every joint",
    minutes=45,
    tasks=(
        Task(
            "armature_acceleration",
            Quantity("q̈", "rad/s²", JOINTS),
            _stated,
            _fresh,
            _right,
            mistakes=(
                Mistake(
                    "in the body's corner",
                    _in_the_corner,
                    "The armature went into the inertia of the body. A rotor turns with its own "
                    "joint's rate q̇_i, the body with the sum of all rates below it: the two agree "
                    "at the first joint of a fixed base and nowhere else. It belongs on the pivot.",
                    PIVOT,
                ),
                Mistake(
                    "at every joint",
                    _everywhere,
                    "Every joint got a motor. Only the diagonal entry of the named joint grows.",
                    PIVOT,
                ),
                Mistake(
                    "on the whole matrix",
                    _whole_matrix,
                    "A number added to a matrix is added to all its entries. Only one entry, on "
                    "the diagonal, grows.",
                    PIVOT,
                ),
                Mistake(
                    "remainder without it",
                    _remainder_without,
                    "The armature is in the pivot that divides u, but not in the one in "
                    "I^a = I^A − U Uᵀ/d, so the parent is handed a remainder that belongs to "
                    "another mechanism. One pivot, used everywhere.",
                    PIVOT,
                ),
            ),
        ),
        Task(
            "armature_sensitivity",
            Quantity("∂q̈/∂a", "rad/s² per kg m²", JOINTS),
            lambda: _without_armature(_stated()),
            lambda rng: _without_armature(_fresh(rng)),
            _complex_step,
            mistakes=(
                Mistake(
                    "sign",
                    lambda *args: -_complex_step(*args),
                    "The sign is turned round. Differentiate M q̈ = τ − h: the change of M times "
                    "q̈ goes to the other side.",
                    RANK_ONE,
                ),
                Mistake(
                    "per unit torque",
                    lambda arm, velocity, torque, joint: -_response(arm, joint),
                    "This is −M⁻¹ e, the answer to a unit torque. The torque that armature adds "
                    "is a q̈_i, in proportion to the joint's own acceleration.",
                    RANK_ONE,
                ),
                Mistake(
                    "own joint only",
                    _own_joint_only,
                    "Only the joint with the motor changes here, as if M were diagonal. M⁻¹ e "
                    "has entries at every joint.",
                    RANK_ONE,
                ),
            ),
        ),
        Task(
            "armature_change",
            Quantity("Δq̈", "rad/s²", JOINTS),
            _stated,
            _fresh,
            _change,
            mistakes=(
                Mistake(
                    "first order",
                    _first_order,
                    "This is the first-order change, the slope at a = 0 times a. The exact change "
                    "is smaller: the rank-one formula has a denominator.",
                    RANK_ONE,
                ),
                Mistake(
                    "locked denominator",
                    _locked_denominator,
                    "The denominator uses 1/M_ii, the joint with all others locked. They are "
                    "free: it takes the diagonal entry of the inverse, (M⁻¹)_ii.",
                    RANK_ONE,
                ),
                Mistake(
                    "accelerations",
                    _right,
                    "These are the new accelerations. The change is asked for.",
                    RANK_ONE,
                ),
            ),
        ),
    ),
)
