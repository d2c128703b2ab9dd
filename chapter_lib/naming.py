"""The passes on symbols: what stands for the numbers, and the hook that names intermediates.

Substituting everything into everything would swell threefold a link.  With `Names` as the passes'
`keep`, every intermediate gets a name as they go, and expressions stay short on any chain.
"""

import math
import random

import numpy as np
import sympy

from .loads import STANDARD_GRAVITY, DynamicsLoads

_UNITS = {sympy.Float(1.0): sympy.Integer(1), sympy.Float(-1.0): sympy.Integer(-1)}


class Names:
    """The hook `keep` for symbols: names each new expression and hands the name on.

    Takes one expression or an array.  Expressions met before keep their first name; numbers,
    symbols and multiples of a symbol need none.  In a square array an entry that equals its mirror
    image gets one name for both.  `steps` maps names to expressions, in the order of the passes;
    `calls` has, for every call, how many there were before.
    """

    def __init__(self):
        self.steps, self.calls = {}, []
        self._name_of = {}
        self._values = {}
        self._random = random.Random(1983)

    def __call__(self, x):
        self.calls.append(len(self.steps))
        if not isinstance(x, np.ndarray):
            return self._named(sympy.sympify(x))
        out = np.empty(x.shape, dtype=object)
        square = x.ndim == 2 and x.shape[0] == x.shape[1]
        for place in np.ndindex(x.shape):
            entry = sympy.sympify(x[place])
            mirrored = square and place[0] > place[1] and self._same(entry, x[place[::-1]])
            out[place] = out[place[::-1]] if mirrored else self._named(entry)
        return out

    def _named(self, e):
        e = e.xreplace(_UNITS)
        multiple = e.is_Mul and len(e.args) == 2 and e.args[0].is_Number and e.args[1].is_Symbol
        if e.is_Atom or multiple:
            return e
        if e not in self._name_of:
            self._name_of[e] = name = sympy.Symbol(f"keep_{len(self.steps):06d}", real=True)
            self.steps[name] = e
        return self._name_of[e]

    def _same(self, e, other):
        """Whether two expressions agree, judged at a random point (their forms may differ)."""
        if e == other:
            return True
        a, b = self._value(e), self._value(sympy.sympify(other))
        return abs(a - b) <= 1e-9 * (abs(a) + abs(b))

    def _value(self, e):
        if e.is_Number:
            return float(e)
        if e not in self._values:
            if e.is_Symbol and e not in self.steps:
                value = self._random.uniform(0.5, 2)
            elif e.is_Symbol:
                value = self._value(self.steps[e])
            else:
                args = [self._value(a) for a in e.args]
                if e.is_Add:
                    value = math.fsum(args)
                elif e.is_Mul:
                    value = math.prod(args)
                else:
                    value = float(e.func(*args))
            self._values[e] = value
        return self._values[e]


def on_symbols(tree, gravity=STANDARD_GRAVITY):
    """The tree at symbolic angles, loads of symbolic rates and efforts, and all these symbols.

    Returns (tree, loads, inputs); inputs maps q, velocity and torque to (n,) symbols.
    """
    if tree.floating:
        raise ValueError("argument tree: expected a fixed base")
    letters = dict(q="q", velocity="w", torque="tau")
    inputs = {
        what: np.array(
            [sympy.Symbol(f"{x}{i + 1}", real=True) for i in range(tree.n)], dtype=object
        )
        for what, x in letters.items()
    }
    loads = DynamicsLoads(inputs["velocity"], inputs["torque"], gravity=gravity)
    return tree.at(inputs["q"]), loads, inputs
