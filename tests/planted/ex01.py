from functools import cache

import numpy as np

from chapter_lib import uniform_chain
from chapter_lib.operations import aba_operations

PASSES = ("outward_motion", "articulate", "inward_elimination", "outward_recovery")


@cache
def counted(n):
    return aba_operations(uniform_chain(n))


def passes(n):
    return {1: 4, 2: 56}.get(n, 118 * n - 194)


def dense(n):
    return {1: 7, 2: 58}.get(n, (2 * n**3 + 45 * n**2 + 355 * n - 588) // 6)


def by_pass(n, cost, parts=(("articulate", "inward_elimination"),)):
    stages = [("outward_motion",), *parts, ("outward_recovery",)]
    return [sum(cost(each) for name in names for each in counted(n)[name]) for names in stages]


def at(n, place):
    a, b, c, d = (counted(n)[name][place].total for name in PASSES)
    return a, b + c, d


def mean(n):
    return np.array(by_pass(n, lambda each: each.total)) / n


def derivatives(n):
    return 2 * n * (passes(n) + 2 * n)


def contact_rows(n, k):
    return k * passes(n) + k * (k + 1) // 2 * (2 * n - 1)


def totals(n, extra=0):
    return passes(n) + extra, dense(n)


def factor_and_solve(n):
    last = n * (n + 1) * (2 * n + 1) // 6 + 2 * n**2 + n
    return totals(n)[0], 6 if n == 1 else last


def with_functions(n):
    one = n == 1
    return passes(n) + 2 * n - one, dense(n) + 3 * n - one


def moves(n):
    return sum(range(n))


def every_entry(n, k):
    return derivatives(n), k * passes(n) + k * k * (2 * n - 1), moves(n)


def crossing(first, second):
    return int(np.flatnonzero(~(first < second))[-1]) + 2


WRONG = {
    "work_by_pass": {
        "inertias left out": lambda n: by_pass(
            n, lambda each: each.total, [("inward_elimination",)]
        ),
        "sines and cosines counted": lambda n: by_pass(n, lambda each: each.total + each.functions),
        "changes of sign counted": lambda n: by_pass(n, lambda each: each.total + each.negations),
        "multiplications only": lambda n: by_pass(n, lambda each: each.multiplications),
    },
    "middle_body": {
        "the first body": lambda n: at(n, 0),
        "the last body": lambda n: at(n, n - 1),
        "the mean": mean,
    },
    "total_work": {
        "derivatives counted in": lambda n: totals(n, derivatives(n)),
        "contact counted in": lambda n: totals(n, contact_rows(n, 1)),
        "the list counted in": lambda n: totals(n, n * (n - 1) // 2),
        "factor and solve only": factor_and_solve,
        "as if all bodies were in the middle": lambda n: (sum(at(6, 3)) * n, dense(n)),
        "sines and cosines counted": with_functions,
    },
    "cheaper_from": {
        "the first time": lambda first, second: int(np.argmax(first < second)) + 1,
        "one too few": lambda first, second: crossing(first, second) - 1,
    },
    "added_work": {
        "angles only": lambda n, k: (derivatives(n) // 2, contact_rows(n, k), moves(n)),
        "one run": lambda n, k: (passes(n) + 4 * n * n, contact_rows(n, k), moves(n)),
        "one move each": lambda n, k: (derivatives(n), contact_rows(n, k), n),
        "the new one too": lambda n, k: (derivatives(n), contact_rows(n, k), moves(n) + n),
        "every entry": every_entry,
    },
}
