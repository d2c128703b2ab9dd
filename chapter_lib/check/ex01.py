"""Exercise 1, complexity: operations of the passes and of the dense route, and what is neither."""

from functools import cache
from math import comb

import numpy as np

from ..models import uniform_chain
from .task import Exercise, Mistake, Quantity, Task

SECONDS = 60.0  # symbols are slow, and a busy machine slower
LINEAR = '"Why the Tree Calculation Is Linear-Time"'
COMPARED = '"What the Complexity Comparison Means"'
PASSES = ("pass 1", "pass 2", "pass 3")
SHORT = 3  # from this length on the counts follow polynomials


def _counting():
    """The counting module: it needs SymPy, which no other exercise should wait for."""
    from . import tally

    return tally


def _by_pass(n):
    return np.array(_counting().done_by_passes(n))


def _middle(n):
    """What one more body costs: the difference of two chains."""
    return _counting().done_by_passes(n) - _counting().done_by_passes(n - 1)


def _totals(n):
    """The chain of n, followed from short ones by Newton's forward differences."""
    passes = _followed(lambda k: _counting().done_by_passes(k).sum(), 1, n)
    return passes, _followed(lambda k: _counting().done_by_cholesky(k).sum(), 3, n)


def _forming(n):
    """What h and M cost on the dense route."""
    return _followed(lambda k: _counting().done_by_cholesky(k)[0], 2, n)


def _followed(done, degree, n):
    if n < SHORT:
        return int(done(n))
    rows = [int(done(k)) for k in range(SHORT, SHORT + degree + 1)]
    return sum(comb(n - SHORT, k) * int(np.diff(rows, k)[0]) for k in range(degree + 1))


def _added(n, contacts):
    """Counted by doing: a run a column, a run a row, and a move for each body in the list."""
    run, _ = _totals(n)
    columns = sum(run + n + n for _ in range(2 * n))
    rows = sum(run for _ in range(contacts))
    entries = sum(n + (n - 1) for i in range(contacts) for _ in range(i, contacts))
    shifted = sum(len(range(body)) for body in range(n))  # all that stand there already
    return columns, rows + entries, shifted


def _costs(largest=60):
    return np.array([_totals(n) for n in range(1, largest + 1)], dtype=float).T


def _stated_costs():
    passes, dense = _costs()
    return dict(first=passes, second=dense)


def _fresh_costs(rng):
    """The first is cheaper at the start, then dearer, then cheaper for good."""
    size, start = int(rng.integers(14, 30)), int(rng.integers(1, 4))
    cross = int(rng.integers(start + 3, size - 3))
    n = np.arange(1, size + 1)
    second = np.sort(rng.uniform(10, 500, size))
    dearer = (n > start) & (n < cross)
    return dict(first=second + np.where(dearer, 1, -1) * rng.uniform(0.5, 5, size), second=second)


def _cheaper_from(first, second):
    n = len(first)
    while n > 0 and first[n - 1] < second[n - 1]:
        n -= 1
    return n + 1


@cache
def _bodies(n):
    """{pass: [Operations of every body]} of the three passes, the two parts of the second joined"""
    stages = _counting().aba_operations(uniform_chain(n))
    factors, elimination = stages["articulate"], stages["inward_elimination"]
    inward = [a + b for a, b in zip(factors, elimination, strict=True)]
    return [stages["outward_motion"], inward, stages["outward_recovery"]]


def _summed(count):
    return lambda n: np.array([sum(map(count, row)) for row in _bodies(n)])


def _without_factors(n):
    rows = (
        _bodies(n)[0],
        _counting().aba_operations(uniform_chain(n))["inward_elimination"],
        _bodies(n)[2],
    )
    return np.array([sum(each.total for each in row) for row in rows])


def _one_body(place):
    return lambda n: np.array([row[place].total for row in _bodies(n)])


def _with(k, contacts=1):
    """The passes with one kind of further work counted into them."""

    def wrong(n):
        run, dense = _totals(n)
        return run + _added(n, contacts)[k], dense

    return wrong


def _added_with(columns=None, shifted=None):
    """`_added` with one entry replaced."""

    def wrong(n, contacts):
        right = _added(n, contacts)
        return (
            columns(n) if columns else right[0],
            right[1],
            shifted(n) if shifted else right[2],
        )

    return wrong


OPERATIONS = "operations"

EXERCISE = Exercise(
    "ex01_complexity",
    "Complexity",
    "count what the passes cost, exactly, and keep other work out of that count",
    minutes=60,
    tasks=(
        Task(
            "work_by_pass",
            Quantity("work", OPERATIONS, PASSES),
            lambda: dict(n=6),
            lambda rng: dict(n=int(rng.integers(2, 6))),
            _by_pass,
            seconds=SECONDS,
            mistakes=(
                Mistake(
                    "inertias left out",
                    _without_factors,
                    "Pass 2 has two parts in the table, articulate (inertias) and "
                    "inward_elimination (biases). Only the second was counted.",
                    '"Recursive Inertia Update" and "Required Bias Propagation"',
                ),
                Mistake(
                    "sines and cosines counted",
                    _summed(lambda each: each.total + each.functions),
                    "Sines and cosines were counted as operations. They are kept apart here: "
                    "each costs many times a product.",
                    LINEAR,
                ),
                Mistake(
                    "changes of sign counted",
                    _summed(lambda each: each.total + each.negations),
                    "Changes of sign were counted. The total leaves them out: a sign is taken "
                    "along by the addition that follows.",
                    LINEAR,
                ),
                Mistake(
                    "multiplications only",
                    _summed(lambda each: each.multiplications),
                    "Only multiplications were counted. Additions and divisions belong to the "
                    "total as well.",
                    LINEAR,
                ),
            ),
        ),
        Task(
            "middle_body",
            Quantity("work", OPERATIONS, PASSES),
            lambda: dict(n=6),
            lambda rng: dict(n=int(rng.integers(5, 7))),
            _middle,
            seconds=SECONDS,
            mistakes=(
                Mistake(
                    "the first body",
                    _one_body(0),
                    "That is the first body. Its parent rests, so it is cheaper than those in the "
                    "middle.",
                    LINEAR,
                ),
                Mistake(
                    "the last body",
                    _one_body(-1),
                    "That is the last body. Nothing hangs on it, so it is cheaper than those in "
                    "the middle.",
                    '"Leaf Boundary Condition"',
                ),
                Mistake(
                    "the mean",
                    lambda n: _counting().done_by_passes(n) / n,
                    "That is the mean over all bodies. It changes with n because the ends are "
                    "cheaper; a body in the middle does not.",
                    LINEAR,
                ),
            ),
        ),
        Task(
            "total_work",
            (Quantity("the passes", OPERATIONS), Quantity("the dense route", OPERATIONS)),
            lambda: [dict(n=n) for n in (1, 4, 30, 2000)],
            lambda rng: dict(n=int(rng.integers(7, 2000))),
            _totals,
            seconds=SECONDS,
            mistakes=(
                Mistake(
                    "derivatives counted in",
                    _with(0),
                    "A dense matrix of derivatives is counted into the passes. It is another "
                    "task: one acceleration needs no derivative.",
                    LINEAR,
                ),
                Mistake(
                    "contact counted in",
                    _with(1),
                    "A contact is counted into the passes. They solve the unconstrained tree; "
                    "J M⁻¹ Jᵀ and its solution come on top.",
                    LINEAR,
                ),
                Mistake(
                    "the list counted in",
                    _with(2),
                    "This grows with the square of n: insertions at the front of a list are "
                    "counted in. They are no arithmetic, and the passes do not need them: "
                    "append, and traverse in reverse.",
                    LINEAR,
                ),
                Mistake(
                    "factor and solve only",
                    lambda n: (_totals(n)[0], _totals(n)[1] - _forming(n)),
                    "The dense route starts with h and M here. Forming them was left out.",
                    COMPARED,
                ),
                Mistake(
                    "as if all bodies were in the middle",
                    lambda n: (int(_middle(6).sum()) * n, _totals(n)[1]),
                    "Every body was given the cost of one in the middle. The ends are cheaper: a "
                    "constant is missing.",
                    LINEAR,
                ),
                Mistake(
                    "sines and cosines counted",
                    lambda n: (_totals(n)[0] + 2 * n - (n == 1), _totals(n)[1] + 3 * n - (n == 1)),
                    "Functions (sines, cosines, square roots) were counted as operations. They "
                    "are kept apart here.",
                    LINEAR,
                ),
            ),
        ),
        Task(
            "cheaper_from",
            Quantity("n", "links"),
            _stated_costs,
            _fresh_costs,
            _cheaper_from,
            mistakes=(
                Mistake(
                    "the first time",
                    lambda first, second: int(np.flatnonzero(first < second)[0]) + 1,
                    "That is where the first is cheaper for the first time. Asked for is the "
                    "length from which on it stays so; the very short chains do not decide.",
                    COMPARED,
                ),
                Mistake(
                    "one too few",
                    lambda first, second: _cheaper_from(first, second) - 1,
                    "One link too few: an index from 0 was returned, or the last length at which "
                    "the first method is not cheaper.",
                    COMPARED,
                ),
            ),
        ),
        Task(
            "added_work",
            (
                Quantity("derivatives", OPERATIONS),
                Quantity("contacts", OPERATIONS),
                Quantity("moves", "moves"),
            ),
            lambda: [dict(n=6, contacts=4), dict(n=30, contacts=8)],
            lambda rng: dict(n=int(rng.integers(7, 200)), contacts=int(rng.integers(2, 20))),
            _added,
            mistakes=(
                Mistake(
                    "angles only",
                    _added_with(columns=lambda n: n * (_totals(n)[0] + 2 * n)),
                    "These are the columns for the angles. The rates have as many.",
                    LINEAR,
                ),
                Mistake(
                    "one run",
                    _added_with(columns=lambda n: _totals(n)[0] + 4 * n * n),
                    "One run was counted. A difference needs a run for every column.",
                    LINEAR,
                ),
                Mistake(
                    "one move each",
                    _added_with(shifted=lambda n: n),
                    "One move for each insertion. At the front, everything that is already in the "
                    "list moves.",
                    LINEAR,
                ),
                Mistake(
                    "the new one too",
                    _added_with(shifted=lambda n: n * (n + 1) // 2),
                    "The new body was counted as well. Only those that are already in the list "
                    "have to move.",
                    LINEAR,
                ),
                Mistake(
                    "every entry",
                    lambda n, contacts: (
                        _added(n, contacts)[0],
                        contacts * _totals(n)[0] + contacts**2 * (2 * n - 1),
                        _added(n, contacts)[2],
                    ),
                    "All entries of J M⁻¹ Jᵀ were counted. It is symmetric: one triangle and the "
                    "diagonal are enough.",
                    LINEAR,
                ),
            ),
        ),
    ),
)
