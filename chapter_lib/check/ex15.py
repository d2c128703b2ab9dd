"""Exercise 15, constrained projection: the closest acceleration, where masses say what is close."""

import numpy as np

from .nearest import (
    any_rows,
    compromise,
    dropped,
    euclid,
    fresh,
    fresh_rows,
    fresh_tip,
    held_tip,
    inverted,
    nearest,
    only,
    opposite,
    refused,
    response,
    rooted,
    stated,
    stated_rows,
    tip,
    weighted,
)
from .routes import JOINTS
from .task import Exercise, Mistake, Quantity, Task

ROWS = '"The Frictionless Acceleration LCP", where J̇ ν stands beside J a_free'
SWING = '"From Coupled Dynamics to a Golf-Swing Argument", where P_M stands'
PROJECT = "exercise 15 of the chapter"
WEIGHTED = '"Eliminating One Joint Acceleration", where inertia-weighted coordinates are used'


def _mistakes(read, *listed):
    return tuple(Mistake(name, wrong, says, read) for name, wrong, says in listed)


A, LAMBDA = Quantity("a", "rad/s²", JOINTS), Quantity("λ", "N")

EXERCISE = Exercise(
    "ex15_projection",
    "Constrained projection",
    "find the acceleration that constraints leave, as the closest one in the mass metric",
    minutes=60,
    tasks=(
        Task(
            "held_tip",
            (Quantity("J", "m", ("x", "y")), Quantity("b_c", "m/s²", ("x", "y"))),
            tip,
            fresh_tip,
            held_tip,
            mistakes=_mistakes(
                ROWS,
                (
                    "sign of b_c",
                    lambda *given: (held_tip(*given)[0], -held_tip(*given)[1]),
                    "b_c has the wrong sign. The point's acceleration is J q̈ + J̇ q̇, and b_c is "
                    "its second term as it stands, on the same side as J q̈.",
                ),
                (
                    "a velocity",
                    lambda arm, velocity, point: (
                        held_tip(arm, velocity, point)[0],
                        held_tip(arm, velocity, point)[0] @ velocity,
                    ),
                    "b_c is the point's velocity J q̇ here. It should be an acceleration: what "
                    "the point does when every q̈ is zero.",
                ),
                (
                    "no J̇ q̇",
                    lambda *given: (held_tip(*given)[0], np.zeros(2)),
                    "b_c is zero here. A point of a turning arm accelerates even where every q̈ "
                    "is zero: that part is J̇ q̇.",
                ),
                (
                    "the body's origin",
                    lambda arm, velocity, point: held_tip(arm, velocity, 0 * point),
                    "These are the rows of the last body's origin, which is its joint. The given "
                    "point of that body is held.",
                ),
            ),
        ),
        Task(
            "nearest_acceleration",
            (A, LAMBDA),
            stated,
            fresh,
            nearest,
            mistakes=_mistakes(
                PROJECT,
                (
                    "Euclidean projection",
                    euclid,
                    "This is the closest acceleration when every q̈ counts alike, Jᵀ(J Jᵀ)⁻¹ at "
                    "work. It meets the constraint, but no force along Jᵀ leads there: distances "
                    "are measured with M.",
                ),
                (
                    "sign of b_c",
                    lambda M, a_free, J, b_c: nearest(M, a_free, J, -b_c),
                    "b_c was subtracted: this solves J a = b_c. Asked for is J a + b_c = 0.",
                ),
                (
                    "Euclidean minimum norm",
                    lambda M, a_free, J, b_c: euclid(M, 0 * a_free, J, b_c),
                    "This is the shortest list of numbers with J a = −b_c. Neither the masses "
                    "nor the loads have a say in it.",
                ),
                (
                    "multiplier's sign",
                    lambda *problem: (nearest(*problem)[0], -nearest(*problem)[1]),
                    "The acceleration is right; the multiplier is the force that the arm exerts. "
                    "With M a + h = τ + Jᵀ λ it is the force on the arm.",
                ),
                (
                    "correction's sign",
                    opposite,
                    "The correction has the wrong sign: J a + b_c has doubled where it should "
                    "have vanished.",
                ),
            ),
        ),
        Task(
            "constrained_response",
            Quantity("P_M", "1/(kg m²)", JOINTS),
            **only(M="M", J="J"),
            reference=response,
            mistakes=_mistakes(
                SWING,
                (
                    "reaction held fixed",
                    lambda M, J: np.linalg.inv(M),
                    "This is M⁻¹: the response while the reaction stays what it was. Then J δq̈ "
                    "is not zero; the reaction has to follow.",
                ),
                (
                    "Euclidean projector",
                    lambda M, J: np.eye(len(M)) - np.linalg.pinv(J) @ J,
                    "This is 1 − J⁺J. It does remove what violates the constraint, but it knows "
                    "no masses, and it has no units where 1/(kg m²) is wanted.",
                ),
                (
                    "projector of accelerations",
                    lambda M, J: response(M, J) @ M,
                    "This is P_M M, which takes a free acceleration to a constrained one. P_M "
                    "takes a torque: one M⁻¹ more at the end.",
                ),
            ),
        ),
        Task(
            "mass_weighted",
            (Quantity("z", "√kg m/s²"), Quantity("A", "1/√kg", ("x", "y"))),
            **only(M="M", a="a_free", J="J"),
            reference=weighted,
            mistakes=_mistakes(
                WEIGHTED,
                (
                    "L for Lᵀ",
                    lambda M, a, J: (
                        np.linalg.cholesky(M) @ a,
                        J @ np.linalg.inv(np.linalg.cholesky(M)),
                    ),
                    "L stands where Lᵀ belongs: aᵀ M a = aᵀ L Lᵀ a is the square of Lᵀ a.",
                ),
                (
                    "rows weighted like accelerations",
                    lambda M, a, J: (weighted(M, a, J)[0], J @ np.linalg.cholesky(M)),
                    "The rows were multiplied by L. For A z to be J a whatever a is, they have to "
                    "be divided by what a was multiplied by: A = J L⁻ᵀ.",
                ),
                (
                    "symmetric root",
                    rooted,
                    "This uses the symmetric root of M, and lengths come out just as well. Here "
                    "the lower triangular L of M = L Lᵀ is asked for, which is cheaper.",
                ),
            ),
        ),
        Task(
            "any_rows",
            (A, LAMBDA, Quantity("how many multipliers")),
            stated_rows,
            fresh_rows,
            any_rows,
            draws=4,
            mistakes=_mistakes(
                PROJECT + ": redundant constraints",
                (
                    "inverse of a singular matrix",
                    inverted,
                    "J M⁻¹ Jᵀ was inverted or solved with although its rows depend on one "
                    "another. It is singular: this raises an error, or gives noise where "
                    "rounding hides the zero.",
                ),
                (
                    "contradiction not noticed",
                    compromise,
                    "Rows that contradict one another got a compromise that meets none of them. "
                    "Look whether J a + b_c is zero before you hand a out.",
                ),
                (
                    "redundant refused",
                    refused,
                    "Redundant rows that agree were refused. The acceleration is as unique as "
                    "before; only the multipliers are not.",
                ),
                (
                    "a row dropped",
                    dropped,
                    "The acceleration is right, and these multipliers are among the possible "
                    "ones: a row was dropped. The shortest of all are asked for.",
                ),
            ),
        ),
    ),
)
