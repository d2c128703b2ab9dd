"""From SymPy expressions to one straight-line function, for NumPy, `math` or JavaScript.

The passes of `aba.py` run on symbols; what comes out is printed as a list of assignments without
a loop or a branch.  Substituting everything into everything would swell threefold a link, so the
hook `Names` (the `keep` of the passes) names every intermediate as they go; what two lines share
is computed once, and what no output needs is left out.

Stands beside "Connection to Gaussian Elimination": the same elimination, written out.
"""

import math
from dataclasses import dataclass, replace
from functools import cache
from itertools import count

import numpy as np
import sympy
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.numpy import NumPyPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from .aba import forward_dynamics
from .loads import STANDARD_GRAVITY, DynamicsLoads
from .models import cylinder_chain
from .naming import Names, on_symbols

QUANTITIES = ("joint_acceleration", "pivot", "articulated_inertia")


@dataclass(frozen=True, eq=False)
class StraightLine:
    """A function as a list of assignments: no loop, no branch, nothing computed twice.

    inputs: argument name → symbol, or array of symbols; outputs: result name → expression, or
    array of them; lines: pairs (name, expression), in order; owners: for every line the name from
    `Names` for which it was computed, None where it serves an output alone.
    """

    inputs: dict
    outputs: dict
    lines: tuple
    owners: tuple

    def source(self, target="math", name="straight_line"):
        """The text of the function, for "math", "numpy" or "javascript".

        Arguments are the inputs in their order, vectors as sequences (arrays `(…, n)` for
        "numpy").  One output is returned as it is, several as a tuple (an object in JavaScript).
        """
        if target not in _DIALECTS:
            raise ValueError(f"argument target: expected one of {[*_DIALECTS]}, got {target!r}")
        dialect = _DIALECTS[target]
        write, script = dialect.printer().doprint, target == "javascript"
        body = []
        for argument, symbols in self.inputs.items():
            if np.ndim(symbols):
                left = dialect.names.format(", ".join(map(str, symbols)))
                body.append((left, dialect.unpack.format(argument)))
            elif str(symbols) != argument:
                body.append((symbols, argument))
        body += [(x, _bare(write(e))) for x, e in self.lines]
        results = {key: _nested(value, write, target) for key, value in self.outputs.items()}
        returned = ", ".join(results.values())
        if script and len(results) > 1:
            returned = "{ " + ", ".join(f"{k}: {v}" for k, v in results.items()) + " }"
        text = [dialect.head.format(name, ", ".join(self.inputs))]
        text += [dialect.assign.format(*pair) for pair in body]
        return "\n".join([*text, dialect.end.format(returned), ""])

    def make(self, target="math", name="straight_line"):
        """The function itself; for "javascript" its text, since Python cannot run it.

        "numba" compiles the "math" function; its first call takes a few seconds.
        """
        if target == "numba":
            from numba import njit

            return njit(self.make("math", name))
        text = self.source(target, name)
        if target == "javascript":
            return text
        scope = dict(vars(math if target == "math" else np), _stacked=_stacked)
        exec(compile(text, f"<{name} for {target}>", "exec"), scope)
        return scope[name]


def straight_line(inputs, outputs, names=None):
    """`StraightLine` code that computes `outputs` from `inputs`.

    inputs: argument name → symbol or (n,) symbols; outputs: result name → expression or array of
    any shape; names: the `Names` that was the passes' `keep`.  Common subexpressions are computed
    once and what no output needs is dropped.
    Raises ValueError, naming the symbol, for one that is neither an input nor kept.
    """
    steps = names.steps if names is not None else {}
    flat = [sympy.sympify(e) for value in outputs.values() for e in np.ravel(value)]
    needed = set().union(*(e.free_symbols for e in flat))
    live = []
    for name, e in reversed(steps.items()):
        if name in needed:
            live.append(name)
            needed |= e.free_symbols
    live.reverse()
    given = {x for value in inputs.values() for x in np.ravel(value)}
    unknown = sorted(map(str, needed - given - set(live)))
    if unknown:
        raise ValueError(
            f"argument inputs: {unknown[0]} is used by the outputs but is neither an input nor kept"
        )
    shared, reduced = sympy.cse(
        [steps[name] for name in live] + flat,
        symbols=(sympy.Symbol(f"shared_{k:06d}") for k in count()),
        order="none",
    )
    order = _scheduled(dict(shared), dict(zip(live, reduced, strict=False)), reduced[len(live) :])
    # short names in the order of the lines; a name for a name is none
    taken, new, lines, owners = {str(x) for x in given}, {}, [], []
    for x, e, owner in order:
        e = e.xreplace(new)
        if e.is_Atom:
            new[x] = e
            continue
        number = len(lines) + 1
        while f"t{number}" in taken:
            number += 1
        taken.add(f"t{number}")
        new[x] = sympy.Symbol(f"t{number}")
        lines.append((new[x], e))
        owners.append(owner)
    results = iter(e.xreplace(new) for e in reduced[len(live) :])
    shaped = {}
    for key, value in outputs.items():
        entries = np.empty(np.shape(value), dtype=object)
        for place in np.ndindex(entries.shape):
            entries[place] = next(results)
        shaped[key] = entries if entries.ndim else entries[()]
    return StraightLine(dict(inputs), shaped, tuple(lines), tuple(owners))


def _scheduled(shared, kept, results):
    """(name, expression, owner) in an order in which nothing is used before it is computed."""
    order, done = [], set()

    def emit(e, owner):
        for x in sorted(e.free_symbols & shared.keys() - done, key=str):
            if x not in done:
                emit(shared[x], owner)
                done.add(x)
                order.append((x, shared[x], owner))

    for name, e in kept.items():
        emit(e, name)
        order.append((name, e, name))
    for e in results:
        emit(e, None)
    return order


def forward_code(tree, wanted=("joint_acceleration",), gravity=STANDARD_GRAVITY):
    """`forward_dynamics` of this tree as `StraightLine` code in `(q, velocity, torque)`.

    wanted: fields of `ForwardDynamics`.
    """
    symbolic, loads, inputs = on_symbols(tree, gravity)
    names = Names()
    result = forward_dynamics(symbolic, loads, names)
    return straight_line(inputs, {what: getattr(result, what) for what in wanted}, names)


@cache
def planar_arm_code(wanted=QUANTITIES, n=3):
    """The planar arm of n cylinders, `aba.py` run on symbols, as `StraightLine` code.

    Inputs: lengths, masses (n,), radius, q, velocity, torque (n,), gravity (3,), armature (n,).
    """

    def vector(letter):
        return np.array(sympy.symbols(f"{letter}1:{n + 1}", real=True), dtype=object)

    inputs = dict(lengths=vector("L"), masses=vector("m"), radius=sympy.Symbol("r", real=True))
    inputs |= dict(q=vector("q"), velocity=vector("w"), torque=vector("tau"))
    inputs |= dict(gravity=np.array(sympy.symbols("gx gy gz", real=True)), armature=vector("arm"))
    tree = cylinder_chain(inputs["lengths"], inputs["masses"], inputs["q"], inputs["radius"])
    tree = replace(tree, armature=inputs["armature"])
    loads = DynamicsLoads(inputs["velocity"], inputs["torque"], gravity=inputs["gravity"])
    names = Names()
    result = forward_dynamics(tree, loads, names)
    return straight_line(inputs, {what: getattr(result, what) for what in wanted}, names)


def planar_arm(target="math", wanted=QUANTITIES):
    """The planar three-link arm's dynamics as one function, or as JavaScript text.

    target: "math" (numbers in, nested tuples out), "numba" (the same, compiled), "numpy" (arrays
    with any leading batch shape) or "javascript".  Call it with (lengths, masses, radius, q,
    velocity, torque, gravity, armature); it returns q̈ (3,), the pivots (3,) and the articulated
    inertias (3, 6, 6), in this order, or only what is wanted.
    """
    return planar_arm_code(tuple(wanted)).make(target, "planar_arm")


class _Plain:
    """What all printers do alike: short powers as products, floats to their last digit."""

    def _print_Pow(self, e, **options):
        n = e.exp
        if n.is_Integer and n < 0:
            return "1/" + self.parenthesize(e.base**-n, PRECEDENCE["Pow"])
        if e.base.is_Atom and n.is_Integer and n <= 4:
            return "(" + "*".join([self._print(e.base)] * int(n)) + ")"
        return super()._print_Pow(e, **options)

    def _print_Float(self, e):
        return repr(float(e))

    def _as_ordered_terms(self, e, order=None):
        terms = super()._as_ordered_terms(e, order)
        return sorted(terms, key=lambda term: term.could_extract_minus_sign())  # c - a*b


class _Math(_Plain, PythonCodePrinter):
    def __init__(self):
        super().__init__({"fully_qualified_modules": False})


class _NumPy(_Plain, NumPyPrinter):
    def __init__(self):
        super().__init__({"fully_qualified_modules": False})


class _JavaScript(_Plain, JavascriptCodePrinter):
    pass


@dataclass(frozen=True)
class _Dialect:
    """How a function is written in one language."""

    printer: type
    names: str = "({},)"
    unpack: str = "{}"
    head: str = "def {}({}):"
    assign: str = "    {} = {}"
    end: str = "    return {}"


_DIALECTS = {
    "math": _Dialect(_Math),
    "numpy": _Dialect(_NumPy, unpack="moveaxis(asarray({}), -1, 0)"),
    "javascript": _Dialect(
        _JavaScript,
        "[{}]",
        "{}",
        "export function {}({}) {{",
        "  const {} = {};",
        "  return {};\n}}",
    ),
}


def python_text(e):
    """An expression as the "math" functions have it."""
    return _Math().doprint(e)


def _bare(text):
    """Without the parentheses of a power that stands alone."""
    alone = text.startswith("(") and text.find(")") == len(text) - 1
    return text[1:-1] if alone else text


def _nested(value, write, target):
    """The text of an output: a number, or an array's entries nested or stacked."""
    if not np.ndim(value):
        return write(value)
    if target == "numpy":
        return f"_stacked({value.shape}, {', '.join(write(e) for e in value.flat)})"
    rows = [_nested(row, write, target) for row in value]
    if target == "javascript":
        return "[" + ", ".join(rows) + "]"
    return "(" + ", ".join(rows) + ("," if len(rows) == 1 else "") + ")"


def _stacked(shape, *entries):
    """Batches of entries as one array (…, *shape)."""
    stacked = np.stack(np.broadcast_arrays(*entries), axis=-1)
    return stacked.reshape(*stacked.shape[:-1], *shape)
