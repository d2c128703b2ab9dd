"""What tells a student whether an answer is right, and if not, why.

After each function of an exercise stands one line with the same name:
`check.damped_acceleration(damped_acceleration)`.  The function is run on the stated inputs and on
fresh random ones, beside a reference that is computed at that moment by another route.
`check.progress()` shows what has been done so far.
"""

from .judge import judge, score
from .record import Progress, note
from .task import exercises, tasks
from .verdict import LOOKS, card

__all__ = ["exercises", "points", "progress", "tasks", "when_ready"]


def points(name, function, maximum=1):
    """What `function` has earned of `maximum` points in the task `name`, for graders.

    Full when it is right everywhere, half when it is right on the stated inputs only, otherwise
    nothing.  An unfilled function earns 0.0.  Progress is not touched.
    """
    if name not in tasks():
        raise ValueError(f"argument name: there is no check called {name!r}")
    return float(maximum * score(tasks()[name][1], function))


def progress():
    """A table of what has been attempted and passed."""
    return Progress()


def when_ready(picture):
    """`picture()`, or a sentence where it would be until the functions it needs are right.

    picture: a function without arguments that returns what the cell shows.
    """
    try:
        return picture()
    except NotImplementedError:
        return _Later("This comes alive once the functions above are filled in.")
    except Exception as error:
        words = f"{type(error).__name__}: {error}".rstrip(": ")
        return _Later(f"The functions above do not give what is needed here yet ({words}).")


class _Later:
    def __init__(self, sentence):
        self.sentence = sentence

    def __repr__(self):
        return self.sentence

    def _repr_html_(self):
        symbol, heading, color = LOOKS["waits"]
        return card(symbol, heading, [self.sentence], color)


def __getattr__(name):
    if name.startswith("_") or name not in tasks():
        raise AttributeError(f"module {__name__!r} has no check called {name!r}")
    exercise, task = tasks()[name]

    def check(function):
        verdict = judge(task, function)
        note(task.name, verdict.kind)
        return verdict

    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"Check `{name}` of exercise {exercise.number}, {exercise.title}: a `Verdict`."
    globals()[name] = check
    return check


def __dir__():
    return sorted([*globals(), *tasks()])
