"""Exact operation counts: the passes run on symbols, and what they wrote down is counted.

Stands beside "Why the Tree Calculation Is Linear-Time" and exercise 1.  Counted is what a compiler
that sees the whole mechanism would have left to do: products with known zeros are gone, and what
occurs twice is computed once.
"""

import ast
from dataclasses import astuple, dataclass
from functools import cache
from math import comb

import numpy as np
import sympy

from .aba import articulate, inward_elimination, outward_motion, outward_recovery
from .codegen import python_text, straight_line
from .crba import mass_matrix
from .models import uniform_chain
from .naming import Names, on_symbols
from .rnea import bias_force


@dataclass(frozen=True)
class Operations:
    """An exact count of scalar operations.

    A subtraction is an addition.  `total` leaves out the changes of sign that stand alone
    (`-a*b` has one, `c - a*b` none) and the functions, which here are sines and cosines.
    """

    additions: int = 0
    multiplications: int = 0
    divisions: int = 0
    negations: int = 0
    functions: int = 0

    @property
    def total(self):
        """Additions, multiplications and divisions together."""
        return self.additions + self.multiplications + self.divisions

    def __add__(self, other):
        return Operations(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def operations(code):
    """`Operations` of a `StraightLine` function."""
    written = [e for _, e in code.lines]
    written += [e for value in code.outputs.values() for e in np.ravel(value)]
    return sum((_counted(python_text(e)) for e in written), Operations())


def aba_operations(tree):
    """`Operations` of `forward_dynamics` on this tree, for the joint accelerations.

    tree: on a fixed base; angles, rates and efforts are symbols, the rest its numbers.  Returns
    pass → n counts, one a body: outward_motion, articulate, inward_elimination, outward_recovery.
    What a body hands inward is counted where it is added, with its parent.
    """
    tree, loads, inputs = on_symbols(tree)
    ledger = _Ledger(tree.n)
    keep = ledger.names
    motion = ledger.enter("outward_motion", outward_motion(tree, loads, keep))
    factors = ledger.enter("articulate", articulate(tree, keep))
    elimination = inward_elimination(tree, loads, motion, factors, keep)
    ledger.enter("inward_elimination", elimination)
    recovery = outward_recovery(tree, loads, motion, elimination, keep)
    ledger.enter("outward_recovery", recovery)
    return ledger.counts(straight_line(inputs, {"qdd": recovery.qdd}, keep))


def crba_operations(tree):
    """`Operations` of the other route: h, M by composite bodies, Cholesky, two triangular solves.

    Like `aba_operations`; the stages are bias_force, mass_matrix, cholesky and solve, and a body's
    count is that of its row of the matrix.
    """
    ledger, code = _by_cholesky(tree)
    return ledger.counts(code)


def _by_cholesky(tree):
    tree, loads, inputs = on_symbols(tree)
    bodies = list(range(tree.n))
    ledger = _Ledger(tree.n)
    keep = ledger.names
    inward = [i for i in reversed(bodies) for _ in range(2)]
    h = bias_force(tree, loads, keep)
    ledger.enter("bias_force", h, bodies_of_calls=[i for i in bodies for _ in range(3)] + inward)
    M = ledger.enter("mass_matrix", mass_matrix(tree, keep))
    L = ledger.enter("cholesky", symbolic_cholesky(M, keep))
    qdd = ledger.enter("solve", cholesky_solve(L, loads.torque - h, keep))
    return ledger, straight_line(inputs, {"qdd": qdd}, keep)


def symbolic_cholesky(M, keep):
    """L, lower triangular, with `M = L Lᵀ`, of symbols: entries that are zero stay zero."""
    n = len(M)
    L = np.zeros((n, n), dtype=object)
    for i in range(n):
        for j in range(i):
            L[i, j] = keep((M[i, j] - L[i, :j] @ L[j, :j]) / L[j, j])
        L[i, i] = keep(sympy.sqrt(M[i, i] - L[i, :i] @ L[i, :i]))
    return L


def cholesky_solve(L, b, keep):
    """x with `L Lᵀ x = b`: a forward and a backward substitution."""
    n = len(b)
    y, x = np.zeros(n, dtype=object), np.zeros(n, dtype=object)
    for i in range(n):
        y[i] = keep((b[i] - L[i, :i] @ y[:i]) / L[i, i])
    for i in reversed(range(n)):
        x[i] = keep((y[i] - L[i + 1 :, i] @ x[i + 1 :]) / L[i, i])
    return x


def chain_operations(n, method=aba_operations, chain=uniform_chain):
    """Total `Operations` of one method on the chain of n equal cylinders, exact for any n.

    method: `aba_operations` or `crba_operations`.  Beyond a few links the counts are polynomials
    in n, of degree one and three; they are fixed by counting short chains, checked on one more,
    and followed from there.
    """
    first, degree = 4, {aba_operations: 1, crba_operations: 3}[method]
    if n < first:
        return _total(method(chain(n)))
    rows = [_short_chain(k, method, chain) for k in range(first, first + degree + 2)]
    differences = [np.diff(rows, k, axis=0)[0] for k in range(degree + 2)]
    if np.any(differences[-1]):
        raise ArithmeticError(
            f"counts along the chain are no polynomial of degree {degree}: {rows}"
        )
    return Operations(
        *(
            int(sum(comb(n - first, k) * int(d[c]) for k, d in enumerate(differences[:-1])))
            for c in range(len(rows[0]))
        )
    )


@cache
def _short_chain(n, method, chain):
    return astuple(_total(method(chain(n))))


def _total(stages):
    return sum((count for counts in stages.values() for count in counts), Operations())


class _Ledger:
    """Which pass and which body each named intermediate belongs to."""

    def __init__(self, n):
        self.n, self.names, self.stages, self.account = n, Names(), {}, {}
        self._calls = 0

    def enter(self, stage, result, bodies_of_calls=()):
        """Book what was named since the last entry; returns the result.

        Names in row i of the result's arrays belong to body i; bodies_of_calls tells it for every
        call of the hook where the result does not show it.
        """
        steps, calls = list(self.names.steps), [*self.names.calls, len(self.names.steps)]
        fresh = dict.fromkeys(steps[calls[self._calls] :])
        for k, body in enumerate(bodies_of_calls, self._calls):
            fresh |= dict.fromkeys(steps[calls[k] : calls[k + 1]], body)
        arrays = [result] if isinstance(result, np.ndarray) else vars(result).values()
        for array in arrays:
            if isinstance(array, np.ndarray) and len(array) == self.n:
                for i, row in reversed([*enumerate(array)]):  # a matrix: its lower triangle
                    for x in np.ravel(row):
                        if x in fresh and fresh[x] is None:
                            fresh[x] = i
        for x in reversed(fresh):  # partial sums go with the sum
            for y in self.names.steps[x].free_symbols & fresh.keys():
                if fresh[y] is None:
                    fresh[y] = fresh[x]
        self.account |= {x: (stage, body) for x, body in fresh.items()}
        self.stages[stage] = None
        self._calls = len(calls) - 1
        return result

    def counts(self, code):
        """stage → n `Operations`, of the lines of `code`."""
        table = {stage: [Operations()] * self.n for stage in self.stages}
        for line, owner in zip(code.lines, code.owners, strict=True):
            stage, body = self.account[owner]
            table[stage][body] = table[stage][body] + _counted(python_text(line[1]))
        return table


def _counted(text):
    """`Operations` in a printed expression; arithmetic among constants is done beforehand."""
    tally = dict.fromkeys(Operations.__dataclass_fields__, 0)
    kinds = {ast.Add: "additions", ast.Sub: "additions", ast.Mult: "multiplications"}
    kinds[ast.Div] = "divisions"

    def visit(node):
        """Counts below a node; returns whether it is a constant."""
        if isinstance(node, ast.BinOp):
            constant = visit(node.left) & visit(node.right)
            if not constant and isinstance(node.op, ast.Pow):
                tally["multiplications"] += int(ast.literal_eval(node.right)) - 1
            elif not constant:
                tally[kinds[type(node.op)]] += 1
            return constant
        if isinstance(node, ast.UnaryOp):
            constant = visit(node.operand)
            tally["negations"] += not constant
            return constant
        if isinstance(node, ast.Call):
            for argument in node.args:
                visit(argument)
            tally["functions"] += 1
            return False
        return isinstance(node, ast.Constant)

    visit(ast.parse(text, mode="eval").body)
    return Operations(**tally)
