"""What an exercise module declares: tasks, their inputs, their references, their known mistakes.

A module `ex05.py` beside this one holds one `EXERCISE`; it is found by its name.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Quantity:
    """One thing a function returns: its name, its unit, and names for its entries.

    entries: what index i along the first axis is called, such as ("joint 1", …); left out, the
    index itself is given, as in `q̈[2]`.
    """

    name: str
    unit: str = ""
    entries: tuple = ()


@dataclass(frozen=True)
class Mistake:
    """A known way to go wrong: the function that goes that way, and what to say about it.

    wrong: takes what the student's function takes and returns what a student with this
    misunderstanding would; says: one or two sentences, no numbers of the answer; read: where.
    A mistake that ends in an exception is one whose `wrong` raises that exception.
    """

    name: str
    wrong: Callable
    says: str
    read: str


@dataclass(frozen=True)
class Task:
    """One function for the student to write; the check has the same name.

    returns: a `Quantity`, or a tuple of them when the function returns a tuple.
    stated: `stated()` gives the exercise's own arguments, a dictionary in the order of the
        parameters, or a list of such dictionaries.
    fresh: `fresh(rng)` gives a random dictionary of arguments, nothing in it zero or symmetric.
    reference: the right function, by another route than the one being taught.
    mistakes: in the order in which they are tried.
    rtol: agreement wanted, beside the largest entry; seconds: time for one call; draws: how many
    fresh inputs; observe: see `run.call`, its `Quantity` is `observed`.
    """

    name: str
    returns: Quantity | tuple
    stated: Callable
    fresh: Callable
    reference: Callable
    mistakes: tuple = ()
    rtol: float = 1e-6
    seconds: float = 10.0
    draws: int = 3
    observe: Callable | None = None
    observed: Quantity = Quantity("count")

    @property
    def quantities(self):
        """Every quantity that is compared, as a tuple, the observed one last."""
        returned = self.returns if isinstance(self.returns, tuple) else (self.returns,)
        return (*returned, self.observed) if self.observe else returned

    @property
    def outputs(self):
        """How many values the function returns."""
        return len(self.returns) if isinstance(self.returns, tuple) else 1

    def inputs(self, rng):
        """Every input that is tried: pairs (what to call it, dictionary of arguments)."""
        stated = self.stated()
        if isinstance(stated, dict):
            given = [("the stated input", stated)]
        else:
            given = [(f"stated input {k}", arguments) for k, arguments in enumerate(stated, 1)]
        drawn = [(f"random input {k}", self.fresh(rng)) for k in range(1, self.draws + 1)]
        return given + drawn

    @property
    def stated_count(self):
        """How many of the inputs are stated ones."""
        stated = self.stated()
        return 1 if isinstance(stated, dict) else len(stated)


@dataclass(frozen=True)
class Exercise:
    """One of the fifteen: its file is `exercises/{slug}.ipynb`.

    skill: what the reader can do afterwards, one line; minutes: an honest time.
    """

    slug: str
    title: str
    skill: str
    minutes: int
    tasks: tuple

    @property
    def number(self):
        """1 … 15, from the slug."""
        return int(self.slug[2:4])


@cache
def exercises():
    """All exercises that have checks, in order."""
    home = importlib.import_module(__package__)
    names = sorted(m.name for m in pkgutil.iter_modules(home.__path__) if m.name[:2] == "ex")
    return tuple(importlib.import_module(f".{n}", __package__).EXERCISE for n in names)


@cache
def tasks():
    """{name: (exercise, task)} of every function that can be checked.

    Raises ValueError when two tasks share a name, or one is called like a module of this package.
    """
    home = importlib.import_module(__package__)
    taken = {m.name for m in pkgutil.iter_modules(home.__path__)} | set(home.__all__)
    found = {}
    for exercise in exercises():
        for task in exercise.tasks:
            if task.name in found or task.name in taken:
                raise ValueError(f"{exercise.slug}: the name {task.name!r} is already taken")
            found[task.name] = exercise, task
    return found
