"""One source, three kinds of number: float64, complex128 and SymPy expressions.

The passes are written once and run on floats (the answer), on complex numbers (derivatives by the
complex step) and on symbols (the derivation).  Everything that has to know which kind it is
handling stands here, so that the passes need not.
"""

from fractions import Fraction

import numpy as np

LARGEST_EXACT_DENOMINATOR = 10**6


def is_symbolic(*arrays):
    """True when any of the arrays holds objects (SymPy expressions) instead of machine numbers."""
    return any(a.dtype.kind == "O" for a in arrays)


def is_float(*arrays):
    """True when all arrays are real machine numbers: only these can be compared and checked."""
    return all(a.dtype.kind == "f" for a in arrays)


def numbers(values, what, shape=None):
    """`values` as a new read-only array of float64, complex128 or SymPy expressions.

    Raises TypeError for what is not a number, and ValueError for a wrong shape, a NaN or an
    infinity; the message starts with `what`.
    """
    try:
        array = np.array(values)
    except ValueError as error:
        raise ValueError(f"{what}: rows of unequal length cannot make an array") from error
    if array.dtype == object:
        strange = [x for x in array.flat if isinstance(x, str) or not hasattr(x, "__mul__")]
        if strange:
            raise TypeError(f"{what}: expected numbers, got {strange[0]!r}")
    elif array.dtype.kind in "iufb":
        array = array.astype(np.float64)
    elif array.dtype.kind == "c":
        array = array.astype(np.complex128)
    else:
        raise TypeError(f"{what}: expected numbers, got {values!r}")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{what}: expected shape {shape}, got {array.shape}")
    if array.dtype != object and not np.isfinite(array).all():
        place = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        where = f" at index {place if len(place) > 1 else place[0]}" if place else ""
        raise ValueError(f"{what}: must be finite, got {array[place]}{where}")
    return frozen(array)


def frozen(array):
    """The same array, marked read-only."""
    array.flags.writeable = False
    return array


def as_array(rows, *shape):
    """A list of numbers or arrays of `shape` as one new array, (0, *shape) when it is empty."""
    return np.array(rows) if len(rows) else np.zeros((0, *shape))


def exact(array):
    """Floats as SymPy numbers: the decimal that was typed as a fraction, long ones as they are."""
    import sympy

    def one(x):
        if not isinstance(x, (int, float, np.number)):
            return x
        fraction = Fraction(repr(float(x)))
        short = fraction.denominator <= LARGEST_EXACT_DENOMINATOR
        return sympy.Rational(fraction) if short else sympy.Float(float(x))

    flat = [one(x) for x in array.flat]
    out = np.empty(len(flat), dtype=object)
    out[:] = flat
    return frozen(out.reshape(array.shape))


def sine(x):
    """Elementwise sine of floats, complex numbers or symbols."""
    return np.sin(x) if x.dtype != object else _symbolic("sin", x)


def cosine(x):
    """Elementwise cosine of floats, complex numbers or symbols."""
    return np.cos(x) if x.dtype != object else _symbolic("cos", x)


def _symbolic(name, x):
    import sympy

    out = np.empty(x.size, dtype=object)
    out[:] = [getattr(sympy, name)(value) for value in x.flat]
    return out.reshape(x.shape)
