"""Exercise 12, matrix form: a dense solve beside the passes, and what its residual is worth.

References: M and h by the Cartesian route, dense systems by elimination or by eigenvalues.
"""

import numpy as np
from scipy.linalg import eigh, svdvals

from ..lagrange import kinetic_mass_matrix, projected_bias
from ..models import ten_link_chain
from .routes import cartesian_acceleration, random_state, random_vector
from .task import Exercise, Mistake, Quantity, Task

FORM = '"Problem Formulation": M q̈ + h = τ'
SOLVE = '"What the Complexity Comparison Means": no method needs an inverse'
RESIDUAL = '"Pass 3 and an Independent Check", and exercise 12 of the chapter'
CONDITION = '"Connection to Gaussian Elimination": scaling and conditioning'
ROUNDING = 1e-15  # of ‖M‖ ‖x‖: what a residual may be by rounding


def _stated():
    i = np.arange(1, 11)
    return dict(arm=ten_link_chain(), velocity=0.5 * np.cos(i), torque=0.1 * (11 - i))


def _fresh(rng):
    return random_state(rng, int(rng.integers(3, 6)))


def _assembled(arm, velocity, torque):
    return kinetic_mass_matrix(arm), torque - projected_bias(arm, velocity)


def _with_bias(h):
    """The mistake that has `h(arm, velocity)` for the bias."""
    return lambda arm, velocity, torque: (kinetic_mass_matrix(arm), torque - h(arm, velocity))


def _stated_system():
    M, right_side = _assembled(**_stated())
    return dict(M=M, right_side=right_side)


def _fresh_system(rng):
    """Symmetric, positive definite, with a condition number of 1e8, and x of common size."""
    Q = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    M = Q * np.logspace(0, -8, 8) @ Q.T * rng.uniform(5, 50)
    M = (M + M.T) / 2
    return dict(M=M, right_side=M @ random_vector(rng, 8, 0.5, 2.0))


def _sound(M, right_side, x):
    return np.linalg.norm(right_side - M @ x) <= ROUNDING * svdvals(M)[0] * np.linalg.norm(x)


def _judged(solve):
    """`solve(M, right_side)` together with whether its residual is at the level of rounding."""

    def solution(M, right_side):
        x = solve(M, right_side)
        return x, bool(_sound(M, right_side, x))

    return solution


def _by_eigenvalues(M, right_side):
    values, V = eigh(M)
    return V @ ((V.T @ right_side) / values)


def _forward_only(M, right_side):
    return np.linalg.solve(np.linalg.cholesky(M), right_side)


def _swapped(M, right_side):
    L = np.linalg.cholesky(M)
    return np.linalg.solve(L, np.linalg.solve(L.T, right_side))


def _stated_check():
    """The chain's system with a fault: an armature that is not there, no velocity terms."""
    state, (M, right_side) = _stated(), _assembled(**_stated())
    fourth = np.eye(10)[3]
    still = state["torque"] - projected_bias(state["arm"], 0 * state["velocity"])
    return [
        dict(**state, M=M + 0.02 * np.outer(fourth, fourth), right_side=right_side),
        dict(**state, M=M, right_side=still),
    ]


def _fresh_check(rng):
    state = _fresh(rng)
    M, right_side = _assembled(**state)
    fault = rng.uniform(0.05, 0.2, M.shape) * np.sqrt(np.outer(np.diag(M), np.diag(M)))
    return dict(
        **state,
        M=M + fault @ fault.T / np.linalg.norm(fault),
        right_side=right_side + random_vector(rng, len(M), 0.1, 0.5),
    )


def _missing(arm, velocity, torque, acceleration):
    """What the equations of motion miss at this acceleration, by the Cartesian route, N m."""
    M, right_side = _assembled(arm, velocity, torque)
    return right_side - M @ acceleration


def _crossed(arm, velocity, torque, M, right_side):
    dense = _by_eigenvalues(M, right_side)
    recursive = cartesian_acceleration(arm, velocity, torque)
    return _missing(arm, velocity, torque, dense), right_side - M @ recursive


def _with_itself(arm, velocity, torque, M, right_side):
    dense = _by_eigenvalues(M, right_side)
    recursive = cartesian_acceleration(arm, velocity, torque)
    return right_side - M @ dense, _missing(arm, velocity, torque, recursive)


def _accelerations_apart(arm, velocity, torque, M, right_side):
    apart = _by_eigenvalues(M, right_side) - cartesian_acceleration(arm, velocity, torque)
    return apart, -apart


def _matrix(system):
    return dict(M=system["M"])


def _unit_diagonal(M):
    D = np.diag(np.diag(M) ** -0.5)
    return D @ M @ D


def _by_singular_values(M):
    values = svdvals(M)
    return float(values[0] / values[-1])


def _fresh_matrix(rng):
    return dict(M=_assembled(**_fresh(rng))[0])


EXERCISE = Exercise(
    "ex12_matrix_form",
    "Matrix form",
    "solve M q̈ = τ − h without an inverse, and judge a solution by residuals and conditioning",
    minutes=55,
    tasks=(
        Task(
            "assemble",
            (Quantity("M", "kg m²"), Quantity("τ − h", "N m")),
            _stated,
            _fresh,
            _assembled,
            mistakes=(
                Mistake(
                    "no velocity terms",
                    _with_bias(lambda arm, velocity: projected_bias(arm, 0 * velocity)),
                    "This h is gravity alone. The rates are not zero: velocity terms belong in h.",
                    FORM,
                ),
                Mistake(
                    "no gravity",
                    _with_bias(lambda arm, velocity: projected_bias(arm, velocity, (0, 0, 0))),
                    "This h holds the velocity terms alone; gravity is missing.",
                    FORM,
                ),
                Mistake(
                    "sign of h",
                    _with_bias(lambda arm, velocity: -projected_bias(arm, velocity)),
                    "h was added to τ. It stands on the left, beside M q̈, and changes its sign on "
                    "the way to the right.",
                    FORM,
                ),
            ),
        ),
        Task(
            "checked_solution",
            (Quantity("x"), Quantity("whether the residual is at the level of rounding")),
            _stated_system,
            _fresh_system,
            _judged(np.linalg.solve),
            rtol=1e-5,
            mistakes=(
                Mistake(
                    "inverse formed",
                    _judged(lambda M, right_side: np.linalg.inv(M) @ right_side),
                    "x is right to many digits, but its residual is far above rounding: that is "
                    "how it looks when M⁻¹ is formed and multiplied. Factor M and substitute.",
                    SOLVE,
                ),
                Mistake(
                    "one substitution",
                    _judged(_forward_only),
                    "Only L y = b was solved. M = L Lᵀ: from y goes a second substitution, with "
                    "Lᵀ, to x.",
                    SOLVE,
                ),
                Mistake(
                    "substitutions swapped",
                    _judged(_swapped),
                    "The two substitutions were done in the wrong order: M = L Lᵀ, so L comes "
                    "first and Lᵀ after it.",
                    SOLVE,
                ),
            ),
        ),
        Task(
            "crossed_residuals",
            (
                Quantity("dense solution in the recursion", "N m"),
                Quantity("recursive solution in the dense equations", "N m"),
            ),
            _stated_check,
            _fresh_check,
            _crossed,
            rtol=1e-4,  # so that rounding, some 1e-12 N m, counts as zero
            mistakes=(
                Mistake(
                    "each with itself",
                    _with_itself,
                    "Each solution was put into the equations that it came from. That measures "
                    "rounding only: a wrong M, solved well, leaves no residual in itself.",
                    RESIDUAL,
                ),
                Mistake(
                    "accelerations apart",
                    _accelerations_apart,
                    "This is the difference of the two accelerations, in rad/s². A residual is "
                    "what is missing in the equations, in N m.",
                    RESIDUAL,
                ),
            ),
        ),
        Task(
            "condition_number",
            Quantity("κ₂"),
            lambda: _matrix(_stated_system()),
            _fresh_matrix,
            _by_singular_values,
            mistakes=(
                Mistake(
                    "the diagonal",
                    lambda M: float(np.diag(M).max() / np.diag(M).min()),
                    "This compares diagonal entries. κ₂ compares the largest and the smallest "
                    "eigenvalue.",
                    CONDITION,
                ),
                Mistake(
                    "another norm",
                    lambda M: float(np.linalg.cond(M, 1)),
                    "This is the condition number in the 1-norm; asked for is the one in the "
                    "2-norm.",
                    CONDITION,
                ),
                Mistake(
                    "of the factor",
                    lambda M: float(np.linalg.cond(np.linalg.cholesky(M))),
                    "This is the condition number of the Cholesky factor, the root of M's.",
                    CONDITION,
                ),
            ),
        ),
        Task(
            "unit_diagonal",
            Quantity("D M D"),
            lambda: _matrix(_stated_system()),
            _fresh_matrix,
            _unit_diagonal,
            mistakes=(
                Mistake(
                    "rows only",
                    lambda M: M / np.diag(M)[:, None],
                    "Rows were divided and columns were not: the diagonal is one, but symmetry "
                    "is lost. D stands on both sides.",
                    CONDITION,
                ),
                Mistake(
                    "no root",
                    lambda M: M / np.outer(np.diag(M), np.diag(M)),
                    "Both sides were divided by the diagonal entries themselves. D holds one over "
                    "their roots.",
                    CONDITION,
                ),
                Mistake(
                    "one number for all",
                    lambda M: M / np.diag(M).max(),
                    "Everything was divided by the same number. That leaves the condition number "
                    "as it was.",
                    CONDITION,
                ),
            ),
        ),
    ),
)
