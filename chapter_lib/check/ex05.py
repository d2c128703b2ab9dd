"""Exercise 5, many right-hand sides: what is prepared once, what each solve costs, what ages.

The student's solvers are handed the function that factors; it counts how often it is called.
"""

import numpy as np
from scipy.linalg import cho_factor

from ..aba import articulate
from ..models import ten_link_chain, three_link_arm
from .routes import (
    WORKED_VELOCITY,
    cartesian_acceleration,
    random_arm,
    random_vector,
)
from .task import Exercise, Mistake, Quantity, Task

REUSE = '"ABA and Composite Rigid-Body Methods", and exercise 5 of the chapter'
ROOT = '"The Root Articulated Solve": a factorization holds while what it depends on stays'
COMPLEXITY = '"What the Complexity Comparison Means"'
CALLS = Quantity("how often the factoring function is called")


class Counted:
    """A function that counts its calls."""

    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, *args, **options):
        self.calls += 1
        return self.function(*args, **options)


def worked_torques():
    """The hundred torques of the worked arm, (100, 3), N m."""
    return np.random.default_rng(20240501).uniform(-5, 5, (100, 3)).round(6)


def chain_torques():
    """The hundred torques of the ten-link chain, `sin(k i)`, (100, 10), N m."""
    return np.sin(np.outer(np.arange(1, 101), np.arange(1, 11)))


def _solver_inputs(factor):
    def stated():
        chain_velocity = 0.5 * np.cos(np.arange(1, 11))
        cases = [
            (three_link_arm(), np.array(WORKED_VELOCITY), worked_torques()),
            (ten_link_chain(), chain_velocity, chain_torques()),
        ]
        return [_named(*case, Counted(factor)) for case in cases]

    def fresh(rng):
        n = int(rng.integers(3, 6))
        torques = rng.uniform(-5, 5, (int(rng.integers(4, 9)), n))
        return _named(random_arm(rng, n), random_vector(rng, n, 0.3, 1.5), torques, Counted(factor))

    return dict(stated=stated, fresh=fresh)


def _named(arm, velocity, torques, factor):
    return dict(arm=arm, velocity=velocity, torques=torques, factor=factor)


def _all(arm, velocity, torques):
    """q̈ for every torque, a dense Cartesian solve with all of them at once."""
    return cartesian_acceleration(arm, velocity, torques.T, columns=True).T


def _once(arm, velocity, torques, factor):
    factor.calls = 1
    return _all(arm, velocity, torques)


def _each_time(arm, velocity, torques, factor):
    factor.calls = len(torques)
    return _all(arm, velocity, torques)


def _without_bias(arm, velocity, torques, factor):
    factor.calls = 1
    nothing = cartesian_acceleration(arm, velocity, 0 * torques.T, columns=True).T
    return _all(arm, velocity, torques) - nothing


def _states(rng, arm):
    """Three states: one, the same posture at other rates, another posture at the first rates."""
    n = arm.n
    q, qd = arm.angles, random_vector(rng, n, 0.3, 1.5)
    other_q = q + random_vector(rng, n, 0.2, 0.8)
    return [(q, qd), (q, random_vector(rng, n, 0.3, 1.5)), (other_q, qd)]


def _along_stated():
    q, qd = np.array([0.4, -0.7, 0.2]), np.array(WORKED_VELOCITY)
    states = [(q, qd), (q, -2 * qd), (q + 0.3, qd)]
    return dict(arm=three_link_arm(), states=states, torques=worked_torques())


def _along_fresh(rng):
    arm = random_arm(rng)
    return dict(arm=arm, states=_states(rng, arm), torques=rng.uniform(-5, 5, (5, 3)))


def _along(arm, states, torques):
    return np.array([_all(arm.at(q), qd, torques) for q, qd in states])


def _mixed(arm, states, torques, old_factor=False, old_bias=False):
    """Solves in which the factor, or the bias, is that of the first state."""
    (q0, qd0), out = states[0], []
    for q, qd in states:
        at_bias = (arm.at(q0), qd0) if old_bias else (arm.at(q), qd)
        at_factor = arm.at(q0) if old_factor else arm.at(q)
        out.append(
            cartesian_acceleration(*at_bias, torques.T, columns=True, inertia_of=at_factor).T
        )
    return np.array(out)


def _count_dense(n):
    """Multiplications, divisions and roots of a plain Cholesky and two substitutions, by doing."""
    prepare = solve = 0
    for j in range(n):
        for _row in range(j, n):
            prepare += j + 1  # j products, then one root or one division
    for row in range(n):
        solve += (row + 1) + (n - row)  # products and one division, forward and then back
    return prepare, solve, sum(row + 1 for row in range(n))


def _count_articulated(n):
    """The same for one articulated solve, with dense 6×6 arithmetic, joint by joint."""
    inward = 6 + 1 + 6 + 36  # Sᵀp, u/d, U(u/d), Xᵀ(…)
    outward = 36 + 6 + 1 + 6  # X a, Uᵀā, the quotient, S q̈
    stored = 36 + 6 + 6 + 1  # X, S, U, d
    return sum(inward + outward for _ in range(n)), sum(stored for _ in range(n))


def _sizes(rng):
    return dict(n=int(rng.integers(4, 60)))


DENSE = (Quantity("preparation"), Quantity("one solve"), Quantity("numbers stored"))

EXERCISE = Exercise(
    "ex05_many_right_hand_sides",
    "Repeated right-hand sides",
    "reuse a factorization for many torques, and refresh exactly what has aged",
    minutes=55,
    tasks=tuple(
        Task(
            name,
            Quantity("q̈", "rad/s²"),
            **_solver_inputs(factor),
            reference=_once,
            observe=lambda arguments: arguments["factor"].calls,
            observed=CALLS,
            mistakes=(
                Mistake(
                    "factored every time",
                    _each_time,
                    "The accelerations are right, but the factorization was made again for every "
                    "torque. It depends on the posture only: factor once, before the loop.",
                    REUSE,
                ),
                Mistake(
                    "bias left out",
                    _without_bias,
                    "These are M⁻¹τ. The equations ask for M⁻¹(τ − h): subtract the bias, which "
                    "is one vector for all torques, first.",
                    '"Problem Formulation"',
                ),
            ),
        )
        for name, factor in (
            ("accelerations_by_cholesky", cho_factor),
            ("accelerations_by_articulation", articulate),
        )
    )
    + (
        Task(
            "accelerations_along",
            Quantity("q̈", "rad/s²", ("state 1", "state 2", "state 3")),
            _along_stated,
            _along_fresh,
            _along,
            mistakes=(
                Mistake(
                    "old factor",
                    lambda arm, states, torques: _mixed(arm, states, torques, old_factor=True),
                    "The factor is still that of the first posture. M, and with it every "
                    "factorization, changes with q.",
                    ROOT,
                ),
                Mistake(
                    "old bias",
                    lambda arm, states, torques: _mixed(arm, states, torques, old_bias=True),
                    "The bias is still that of the first state. h changes with q̇, and with q.",
                    ROOT,
                ),
                Mistake(
                    "nothing refreshed",
                    lambda arm, states, torques: _mixed(arm, states, torques, True, True),
                    "Every state gets the accelerations of the first one: neither factor nor "
                    "bias was refreshed.",
                    ROOT,
                ),
            ),
        ),
        Task(
            "dense_counts",
            DENSE,
            lambda: [dict(n=3), dict(n=10)],
            _sizes,
            _count_dense,
            mistakes=(
                Mistake(
                    "one triangle",
                    lambda n: (_count_dense(n)[0], n * (n + 1) // 2, _count_dense(n)[2]),
                    "Only one substitution was counted. L Lᵀ x = b takes two: forward, then back.",
                    COMPLEXITY,
                ),
                Mistake(
                    "both halves stored",
                    lambda n: (*_count_dense(n)[:2], n * n),
                    "The whole square is stored here. A triangle holds all that the solves need.",
                    COMPLEXITY,
                ),
                Mistake(
                    "an inverse",
                    lambda n: (n**3, n * n, n * n),
                    "These are the costs of making and applying an inverse. A factor is cheaper "
                    "to make, and no inverse is needed.",
                    COMPLEXITY,
                ),
            ),
        ),
        Task(
            "articulated_counts",
            (Quantity("one solve"), Quantity("numbers stored")),
            lambda: [dict(n=3), dict(n=10)],
            _sizes,
            _count_articulated,
            mistakes=(
                Mistake(
                    "one way only",
                    lambda n: (49 * n, _count_articulated(n)[1]),
                    "Only one of the two sweeps was counted: efforts go inward, accelerations "
                    "outward.",
                    COMPLEXITY,
                ),
                Mistake(
                    "every pair",
                    lambda n: (98 * n * n, _count_articulated(n)[1]),
                    "This grows with the square of n. Each joint is visited once inward and once "
                    "outward, whatever else there is.",
                    COMPLEXITY,
                ),
            ),
        ),
    ),
)
