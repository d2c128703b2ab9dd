"""What the student is told: one or two sentences, as text and as a small coloured card.

The right answer is never among them.
"""

import html
from dataclasses import dataclass
from types import NoneType

import numpy as np

from .run import Call
from .task import Quantity, Task

# (symbol, heading, colour): a symbol and words stand beside every colour
LOOKS = {
    "right": ("✓", "Right", "#009E73"),
    "not attempted": ("○", "Not attempted yet", "#8A8F98"),
    "raised": ("!", "It raised an error", "#E69F00"),
    "too slow": ("!", "It took too long", "#E69F00"),
    "not a function": ("!", "Not a function", "#E69F00"),
    "nothing": ("!", "It returned nothing", "#E69F00"),
    "type": ("!", "Not the kind of value that is wanted", "#E69F00"),
    "not finite": ("!", "Not finite", "#E69F00"),
    "shape": ("!", "Wrong shape", "#E69F00"),
    "units": ("✗", "Wrong unit or sign", "#D55E00"),
    "mistake": ("✗", "Not yet: a known mistake", "#D55E00"),
    "wrong": ("✗", "Not yet right", "#D55E00"),
    "waits": ("○", "Comes alive later", "#8A8F98"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """The outcome of one check.

    kind: a key of `LOOKS`; right: for every tried input, whether it was right; tried: the inputs;
    mistakes: those that give what the student got; case: place of the input it is about.
    """

    task: Task
    kind: str
    right: tuple = ()
    tried: tuple = ()
    mistakes: tuple = ()
    changed: tuple = ()
    case: int | None = None
    quantity: Quantity | None = None
    place: tuple = ()
    gap: float | str | None = None
    detail: str | Call | NoneType = None

    @property
    def inputs(self):
        """The arguments (dictionary) of the input that the verdict is about, or None."""
        return None if self.case is None else self.tried[self.case][1]

    @property
    def sentences(self):
        """What is said, as a list of sentences."""
        say = _SAY.get(self.kind, _form)
        return [*say(self), *_note(self)]

    def __str__(self):
        symbol, heading, _ = LOOKS[self.kind]
        return f"{symbol} {self.task.name}: {heading}. " + " ".join(self.sentences)

    __repr__ = __str__

    def _repr_html_(self):
        symbol, heading, color = LOOKS[self.kind]
        return card(symbol, f"{heading}: {self.task.name}", self.sentences, color)


def card(symbol, heading, sentences, color):
    """A card that reads well on light and on dark pages: it keeps the page's text colour."""
    body = "".join(f"<div>{html.escape(s)}</div>" for s in sentences)
    return (
        f'<div role="status" style="border-left:5px solid {color};background:{color}22;'
        "color:inherit;border-radius:4px;padding:8px 14px;margin:4px 0;max-width:54em;"
        f'line-height:1.5"><div><span aria-hidden="true" style="display:inline-block;'
        f'width:1.4em;font-weight:bold">{symbol}</span><strong>{html.escape(heading)}</strong>'
        f'</div><div style="padding-left:1.4em">{body}</div></div>'
    )


def _right(v):
    fresh = v.task.draws
    given = v.task.stated_count
    stated = "the stated input" if given == 1 else f"the {given} stated inputs"
    return [f"It agrees with an independent computation on {stated} and on {fresh} random ones."]


def _not_attempted(v):
    if v.detail:
        return [f"It needs {v.detail}, which is not filled in yet."]
    return ["Fill the function in and run its cell, then run this one again."]


def _not_a_function(v):
    return [f"The check wants the function itself, without parentheses; it got a {v.detail}."]


def _raised(v):
    error, where = v.detail.error, v.detail.where
    words = f"{type(error).__name__}: {error}".rstrip(": ")
    said = [f"On {_input(v)} it stopped with {words}."]
    if where:
        name, line, text = where
        said.append(f"That was line {line} of {name}" + (f": {text}" if text else "") + ".")
    return said


def _too_slow(v):
    limit = f"{v.task.seconds:g} s"
    return [f"On {_input(v)} it was stopped after {limit}. Is there a loop that never ends?"]


def _mistake(v):
    return [v.mistakes[0].says, f"To read: {v.mistakes[0].read}."]


def _units(v):
    return [f"{v.quantity.name} ({v.quantity.unit or 'no unit'}): {v.detail}."]


def _form(v):
    said = [f"On {_input(v)}, {v.quantity.name}{_unit(v)}: "]
    if v.kind == "nothing":
        said[0] += "None came back. Is a return statement missing?"
    elif v.kind == "not finite":
        said[0] += "a NaN or an infinity came back. Is something divided by zero?"
    else:
        said[0] += f"{v.detail}."
    return said


def _wrong(v):
    entry = _entry(v.quantity, v.place)
    said = [f"On {_input(v)}, {entry} is furthest off: " + _gap(v) + "."]
    stated = v.right[: v.task.stated_count]
    if all(stated):
        said.append("The stated input comes out right, so look for what is zero or special there.")
    return said


def _gap(v):
    if v.gap is None:
        return "it is not that"
    if isinstance(v.gap, str):
        return v.gap
    return f"by about {v.gap:g} {v.quantity.unit}".rstrip()


def _entry(quantity, place):
    if not place:
        return quantity.name
    index = ", ".join(str(int(k)) for k in place)
    first = int(place[0])
    names = quantity.entries
    name = f" ({names[first]})" if first < len(names) else ""
    return f"{quantity.name}[{index}]{name}"


def _unit(v):
    return f" in {v.quantity.unit}" if v.quantity.unit else ""


def _input(v):
    name, arguments = v.tried[v.case]
    if v.case < v.task.stated_count:
        return name
    shown = [f"{k} = {text}" for k, a in arguments.items() if (text := _short(a))]
    return f"{name} ({', '.join(shown)})" if shown else name


def _short(value):
    """A small array, a number or the posture of a tree in a few characters, or nothing."""
    if hasattr(value, "angles"):
        value = value.angles
        small = value.size <= 4
        return f"a mechanism at q = {_short(value)}" if small else ""
    if isinstance(value, (float, int)):
        return f"{value:.3g}"
    if isinstance(value, np.ndarray) and value.ndim == 1 and 0 < value.size <= 4:
        return "(" + ", ".join(f"{x:.3g}" for x in value) + ")"
    return ""


def _note(v):
    if not v.changed:
        return []
    names = [list(v.tried[0][1])[i] for i in v.changed]
    return [f"It changes its argument {', '.join(names)}: work on a copy (np.array(x)) instead."]


_SAY = {
    "right": _right,
    "not attempted": _not_attempted,
    "not a function": _not_a_function,
    "raised": _raised,
    "too slow": _too_slow,
    "mistake": _mistake,
    "units": _units,
    "wrong": _wrong,
}
