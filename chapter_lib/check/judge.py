"""Compares what a student's function returned with the reference and with the known mistakes."""

from functools import cache, partial

import numpy as np

from .run import call
from .task import Quantity
from .verdict import Verdict

# what a value is multiplied by when it comes in another unit, and where that makes sense
SLIPS = (
    (180 / np.pi, "rad", "it looks like degrees; everything here is in radians"),
    (np.pi / 180, "rad", "it was converted from degrees although it already was in radians"),
    (1000.0, "", "it is 1000 times too large: milli-units where SI units are wanted"),
    (0.001, "", "it is 1000 times too small: kilo-units where SI units are wanted"),
)


def judge(task, function, seed=None):
    """Try `function` on the stated and on fresh inputs of `task`; returns a `Verdict`.

    seed: of the fresh inputs; left out, they differ from run to run.  Never raises for what the
    function does.
    """
    if not callable(function):
        return Verdict(task, "not a function", detail=type(function).__name__)
    inputs = task.inputs(np.random.default_rng(seed))
    got = []
    for _, arguments in inputs:
        got.append(_run(task, function, arguments))
        if got[-1].parts is None:
            break  # what it does to the other inputs would say no more
    tried = inputs[: len(got)]
    last = got[-1]
    if isinstance(last.error, NotImplementedError):
        waits = last.where[0] if last.where and last.where[0] != _name(function) else None
        return Verdict(task, "not attempted", detail=waits)
    wanted = [_run(task, task.reference, arguments) for _, arguments in tried]
    for want in wanted:
        if want.error is not None:
            raise want.error  # a fault of the check itself, not of the student
    right = [_agree(task, g, w) for g, w in zip(got, wanted, strict=True)]
    common = dict(right=tuple(right), tried=tuple(tried), changed=last.changed)
    if all(right) and len(right) == len(inputs):
        return Verdict(task, "right", **common)
    matching = _matching(task, tried, got, wanted)
    if matching:
        return Verdict(task, "mistake", mistakes=tuple(matching), **common)
    k = right.index(False)
    if last.parts is None:
        k = len(got) - 1
        kind = "too slow" if last.slow else "raised"
        return Verdict(task, kind, case=k, detail=last, **common)
    for k, (g, w) in enumerate(zip(got, wanted, strict=True)):
        fault = _form(task, g.parts, w.parts)
        if fault:
            return Verdict(task, fault[0], case=k, detail=fault[1], quantity=fault[2], **common)
    slip = _slip(task, got, wanted)
    if slip:
        return Verdict(task, "units", detail=slip[0], quantity=slip[1], **common)
    return Verdict(task, "wrong", **_largest(task, got, wanted), **common)


def score(task, function, seed=None):
    """What a function has earned, from 0 to 1.

    1: right on every input.  ½: right on the stated inputs only.  0: anything else, an unfilled
    function included.
    """
    verdict = judge(task, function, seed)
    if verdict.kind == "right":
        return 1.0
    stated = verdict.right[: task.stated_count]
    return 0.5 if len(stated) == task.stated_count and all(stated) else 0.0


def _run(task, function, arguments):
    return call(function, arguments, task.seconds, task.outputs, task.observe)


def _agree(task, got, want):
    if got.parts is None or len(got.parts) != len(want.parts):
        return False
    return all(close(g, w, task.rtol) for g, w in zip(got.parts, want.parts, strict=True))


def close(got, want, rtol):
    """Do two values agree, to `rtol` of the largest entry; words and truth values exactly?"""
    if not isinstance(want, np.ndarray) or not isinstance(got, np.ndarray):
        same_kind = isinstance(got, np.ndarray) == isinstance(want, np.ndarray)
        return bool(same_kind and got == want)
    if got.shape != want.shape or not np.isfinite(got).all():
        return bool(got.shape == want.shape and np.array_equal(got, want, equal_nan=True))
    scale = np.abs(want).max(initial=0)
    return bool(np.abs(got - want).max(initial=0) <= rtol * max(scale, 1e-6))


def _matching(task, tried, got, wanted):
    """The mistakes that give what the student got, on every input.

    First those that give all of it; if there are none and the function has several outputs, those
    that give every output which they get wrong.
    """

    @cache  # a mistake is run on an input only when the inputs before it agree
    def made(mistake, k):
        return _run(task, mistake.wrong, tried[k][1])

    for whole in (True, False):
        found = [m for m in task.mistakes if _is(task, partial(made, m), got, wanted, whole)]
        if found:
            return found
    return []


def _is(task, made, got, wanted, whole):
    """Do a mistake's calls agree with the student's, and is it told from the right answer?"""
    told = False
    for k, (g, w) in enumerate(zip(got, wanted, strict=True)):
        m = made(k)
        if m.parts is None or g.parts is None:
            if m.error is None or type(m.error) is not type(g.error):
                return False
            told = True
        elif whole or not len(m.parts) == len(g.parts) == len(w.parts):
            if not _agree(task, g, m):
                return False
            told = told or not _agree(task, m, w)
        else:
            for part, right, student in zip(m.parts, w.parts, g.parts, strict=True):
                if close(part, right, task.rtol):
                    continue
                if not close(student, part, task.rtol):
                    return False
                told = True
    return told


def _form(task, got, want):
    """What is wrong with the form of an answer: (kind, words, quantity), or None."""
    quantities = task.quantities
    if len(got) != len(want):
        returned = len(got) - bool(task.observe)
        return "shape", f"{task.outputs} values are wanted, {returned} came back", quantities[0]
    for g, w, quantity in zip(got, want, quantities, strict=True):
        if close(g, w, task.rtol):
            continue
        if g is None:
            return "nothing", "", quantity
        if not isinstance(w, np.ndarray):
            if type(g) is not type(w):
                kind = "True or False" if isinstance(w, bool) else "a word"
                return "type", f"{kind} is wanted", quantity
            continue
        if not isinstance(g, np.ndarray):
            return "type", f"numbers are wanted, a {type(g).__name__} came back", quantity
        if g.shape != w.shape:
            words = f"shape {w.shape or 'of a single number'} is wanted, {g.shape} came back"
            return "shape", words, quantity
        if not np.isfinite(g).all():
            return "not finite", "", quantity
        if np.iscomplexobj(g) and not np.iscomplexobj(w) and np.abs(g.imag).max(initial=0) > 0:
            return "type", "real numbers are wanted, complex ones came back", quantity
    return None


def _slip(task, got, wanted):
    """A wrong unit, sign or orientation common to all inputs: (words, quantity), or None."""
    for p, quantity in enumerate(task.quantities):
        pairs = [(g.parts[p], w.parts[p]) for g, w in zip(got, wanted, strict=True)]
        if not all(isinstance(w, np.ndarray) for _, w in pairs):
            continue
        if all(close(g, w, task.rtol) for g, w in pairs):
            continue
        for factor, unit, words in SLIPS:
            if unit in quantity.unit and all(close(g, factor * w, task.rtol) for g, w in pairs):
                return words, quantity
        if all(close(g, -w, task.rtol) for g, w in pairs):
            return "every entry has the opposite sign", quantity
        if all(w.ndim == 2 and close(g, w.T, task.rtol) for g, w in pairs):
            return "it is the transpose of what is wanted", quantity
        return None
    return None


def _largest(task, got, wanted):
    """Where the answer is furthest off, beside the size of the right one."""
    worst = dict(excess=-1.0)
    for k, (g, w) in enumerate(zip(got, wanted, strict=True)):
        for student, right, quantity in zip(g.parts, w.parts, task.quantities, strict=True):
            if close(student, right, task.rtol):
                continue
            if not isinstance(right, np.ndarray):
                excess, place, gap = 1.0, (), None
            else:
                off = np.abs(student - right)
                place = np.unravel_index(off.argmax(), off.shape)
                excess = float(off[place] / max(np.abs(right).max(), 1e-6))
                gap = _gap(student[place], right[place])
            if excess > worst["excess"]:
                worst = dict(excess=excess, case=k, quantity=quantity, place=place, gap=gap)
    del worst["excess"]
    return worst


def _gap(student, right):
    """The difference in words that do not give the answer away."""
    off = abs(student - right)
    if float(right).is_integer() and float(student).is_integer():
        return "too large" if student > right else "too small"
    if off > 0.5 * abs(right) and abs(student) < 0.5 * abs(right):
        return "far too small in size"  # beside so small a value the difference is the answer
    return float(f"{off:.1g}")


def _name(function):
    return getattr(function, "__name__", type(function).__name__)


__all__ = ["Quantity", "close", "judge", "score"]
