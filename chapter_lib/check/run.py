"""Runs a student's function where it can do no harm.

It gets copies of its arguments, may print as it likes, may loop for ever, may raise anything: what
comes back is a `Call` that says what happened.
"""

import contextlib
import copy
import ctypes
import signal
import sys
import threading
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

AGAIN = 0.05  # s between two attempts to stop a function that swallows the first
GENTLE = 3  # attempts before it is stopped at every line


class TooSlow(BaseException):
    """Raised inside a function whose time is up; no `except Exception` catches it."""


@dataclass(frozen=True, eq=False)
class Call:
    """What one call did.

    parts: tuple of what was returned, as arrays where that is possible, or None; error: the
    exception, or None; slow: True when the time ran out; changed: places (from 0) of arguments
    that the function changed; where: function name, line in it and text of the line that raised.
    """

    parts: tuple | None = None
    error: BaseException | None = None
    slow: bool = False
    changed: tuple = ()
    where: tuple | None = None


def call(function, arguments, seconds, outputs=1, observe=None):
    """Call `function(*arguments)` on deep copies, within `seconds`; returns a `Call`.

    outputs: how many values it should return; observe: reads one more value off the arguments
    (a dictionary of the copies) after the call, such as how often something was called.
    """
    copies = copy.deepcopy(arguments)

    def work():
        returned = function(*copies.values())
        parts = tuple(returned) if outputs > 1 and _sequence(returned) else (returned,)
        return tuple(plain(part) for part in parts)

    try:
        with _quiet():
            done, parts = within(seconds, work)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's function may raise anything, SystemExit too
        return Call(error=error, where=_where(error))
    if not done:
        return Call(slow=True)
    if observe is not None:
        parts = (*parts, plain(observe(copies)))
    pairs = zip(arguments.values(), copies.values(), strict=True)
    changed = tuple(i for i, (before, after) in enumerate(pairs) if not _same(before, after))
    return Call(parts=parts, changed=changed)


def plain(value):
    """Numbers, lists and arrays as a new array; words, truth values and anything else as is."""
    if value is None or isinstance(value, (str, bool, np.bool_)):
        return bool(value) if isinstance(value, np.bool_) else value
    try:
        array = np.array(value)
        if array.dtype == object:
            array = array.astype(float)
    except Exception:
        return value
    return array if array.dtype.kind in "biufc" else value


def within(seconds, work):
    """Run `work()` for at most `seconds`: (True, its value), or (False, None) when time is up.

    On the main thread of a system with alarms the work is interrupted.  Elsewhere (Windows, other
    threads) it runs in a thread of its own, is asked to stop, and is left behind if it does not.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "setitimer"):
        return _with_alarm(seconds, work)
    return _with_thread(seconds, work)


def _with_alarm(seconds, work):
    rings, tracing = [], sys.gettrace()

    def stop(_, frame):
        rings.append(frame)
        if len(rings) > GENTLE:  # something swallows the exception: raise at every line from now on
            sys.settrace(refuse)
            while frame and frame.f_code is not _with_alarm.__code__:
                frame.f_trace = refuse
                frame = frame.f_back
        raise TooSlow

    def refuse(*_):
        raise TooSlow

    handler = signal.signal(signal.SIGALRM, stop)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        try:
            return True, work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.settrace(tracing)
    except TooSlow:
        return False, None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.settrace(tracing)
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, left)


def _with_thread(seconds, work):
    box = {}

    def target():
        try:
            box["value"] = work()
        except BaseException as error:
            box["error"] = error

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    thread.join(seconds)
    for _ in range(GENTLE):
        if not thread.is_alive():
            break
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(TooSlow)
        )
        thread.join(AGAIN)
    if thread.is_alive() or isinstance(box.get("error"), TooSlow):
        return False, None
    if "error" in box:
        raise box["error"]
    return True, box["value"]


class _Nowhere:
    """A stream that forgets what it is told, however much that is."""

    encoding = "utf-8"

    def write(self, text):
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


@contextlib.contextmanager
def _quiet():
    with (
        contextlib.redirect_stdout(_Nowhere()),
        contextlib.redirect_stderr(_Nowhere()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


def _where(error):
    frames = [f for f in traceback.walk_tb(error.__traceback__) if _students(f[0].f_code)]
    if not frames:
        return None
    frame, line = frames[-1]
    code = frame.f_code
    summary = traceback.FrameSummary(code.co_filename, line, code.co_name)
    return code.co_name, line - code.co_firstlineno + 1, summary.line or ""


def _students(code):
    """Is this code in a notebook or a script, not in a library?"""
    folders = Path(code.co_filename).parts
    return not {"site-packages", "chapter_lib"} & set(folders) and "<frozen" not in folders[0]


def _sequence(value):
    return isinstance(value, (tuple, list)) or isinstance(value, np.ndarray) and value.ndim > 0


def _same(before, after):
    if isinstance(before, np.ndarray):
        return before.shape == np.shape(after) and bool(np.array_equal(before, after))
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, (int, float, complex, str)):
        return before == after
    fields = getattr(before, "__dataclass_fields__", ())
    return all(_same(getattr(before, name), getattr(after, name)) for name in fields)
