"""Operations counted by doing them: the straight-line code is run on numbers that keep a tally.

Another route than `operations`, which reads the printed code and books it body by body.
"""

from functools import cache

import numpy as np

from ..aba import articulate, inward_elimination, outward_motion, outward_recovery
from ..codegen import python_text, straight_line
from ..crba import mass_matrix
from ..models import uniform_chain
from ..naming import Names, on_symbols
from ..operations import aba_operations, cholesky_solve, symbolic_cholesky
from ..rnea import bias_force

__all__ = ["aba_operations", "done_by_cholesky", "done_by_passes"]


class Counting:
    """Stands for any number; every operation on it is noted in the list `tally`."""

    def __init__(self, tally):
        self.tally = tally

    def _noted(self, _other):
        self.tally.append(1)
        return self

    def _free(self, *_):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _noted
    __truediv__ = __rtruediv__ = _noted
    __neg__ = __pos__ = _free


@cache
def done_by_passes(n):
    """Additions, multiplications and divisions of the three passes on a chain of n cylinders."""
    tree, loads, inputs = on_symbols(uniform_chain(n))
    keep, ends = Names(), []
    motion = outward_motion(tree, loads, keep)
    ends.append(len(keep.steps))
    factors = articulate(tree, keep)
    elimination = inward_elimination(tree, loads, motion, factors, keep)
    ends.append(len(keep.steps))
    recovery = outward_recovery(tree, loads, motion, elimination, keep)
    return _done(straight_line(inputs, {"qdd": recovery.qdd}, keep), keep, ends)


@cache
def done_by_cholesky(n):
    """The same of h, M, its Cholesky factor and two substitutions: (h, M and the rest)."""
    tree, loads, inputs = on_symbols(uniform_chain(n))
    keep, ends = Names(), []
    h, M = bias_force(tree, loads, keep), mass_matrix(tree, keep)
    ends.append(len(keep.steps))
    qdd = cholesky_solve(symbolic_cholesky(M, keep), loads.torque - h, keep)
    return _done(straight_line(inputs, {"qdd": qdd}, keep), keep, ends)


def _done(code, keep, ends):
    """Operations of the code, those before each of the `ends` (places in `keep.steps`) apart."""
    place = {name: k for k, name in enumerate(keep.steps)}
    tally = []
    number = Counting(tally)
    scope = {str(x): number for symbols in code.inputs.values() for x in np.ravel(symbols)}
    scope |= dict.fromkeys(("sin", "cos", "sqrt"), number._free)
    done = np.zeros(len(ends) + 1, dtype=int)
    for (name, expression), owner in zip(code.lines, code.owners, strict=True):
        tally.clear()
        scope[str(name)] = eval(python_text(expression), scope)
        done[np.searchsorted(ends, place[owner], side="right")] += len(tally)
    for results in code.outputs.values():
        for expression in np.ravel(results):
            tally.clear()
            eval(python_text(expression), scope)
            done[-1] += len(tally)
    return done
