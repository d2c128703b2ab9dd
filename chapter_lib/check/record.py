"""Progress: what has been attempted and passed, from a small local file that may be deleted.

The file is `.aba-progress.json` beside the book, or in the home directory when there is no book
or it cannot be written; the environment variable ABA_PROGRESS names another place.
"""

import html
import json
import os
from datetime import datetime
from pathlib import Path

from .task import exercises

NAME = ".aba-progress.json"
ROOT = Path(__file__).resolve().parents[2]


def places():
    """Where the file may be, best first."""
    if named := os.environ.get("ABA_PROGRESS"):
        return [Path(named)]
    book = [ROOT / NAME] if (ROOT / "pyproject.toml").exists() else []
    return [*book, Path.home() / NAME]


def read():
    """{task: {"attempts", "passed", "last", "when"}}; empty when there is no file, or a bad one."""
    for place in places():
        try:
            found = json.loads(place.read_text(encoding="utf-8"))["tasks"]
            return {name: dict(entry) for name, entry in found.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return {}


def note(name, kind):
    """Remember the outcome of one check.  Nothing happens where nothing can be written."""
    if kind == "not attempted":
        return
    tasks = read()
    entry = tasks.get(name, {})
    tasks[name] = dict(
        attempts=entry.get("attempts", 0) + 1,
        passed=bool(entry.get("passed")) or kind == "right",
        last=kind,
        when=datetime.now().isoformat(timespec="seconds"),
    )
    text = json.dumps(dict(version=1, tasks=tasks), indent=1)
    for place in places():
        try:
            draft = place.with_name(f"{place.name}.{os.getpid()}")
            draft.write_text(text, encoding="utf-8")
            os.replace(draft, place)
            return
        except OSError:
            continue


class Progress:
    """A table of all exercises, as text and as HTML."""

    def __init__(self):
        done = read()
        self.rows = []
        for exercise in exercises():
            entries = [done.get(task.name) for task in exercise.tasks]
            passed = sum(bool(e and e.get("passed")) for e in entries)
            tried = sum(e is not None for e in entries)
            self.rows.append((exercise, passed, tried, len(entries)))

    @property
    def lines(self):
        """(number, title, bar, words) of every exercise."""
        for exercise, passed, tried, total in self.rows:
            bar = "■" * passed + "◧" * (tried - passed) + "□" * (total - tried)
            words = f"{passed} of {total} right"
            if tried > passed:
                words += f", {tried - passed} tried"
            yield exercise.number, exercise.title, bar, words

    def __str__(self):
        rows = list(self.lines)
        if not rows:
            return "There are no exercises."
        wide = max(len(title) for _, title, _, _ in rows)
        bars = max(len(bar) for _, _, bar, _ in rows)
        return "\n".join(f"{n:2d}  {t:{wide}s}  {b:{bars}s}  {w}" for n, t, b, w in rows)

    __repr__ = __str__

    def _repr_html_(self):
        head = "".join(f'<th scope="col">{name}</th>' for name in ("", "Exercise", "", "Checks"))
        body = "".join(
            f'<tr><td>{n}</td><td style="text-align:left">{html.escape(t)}</td>'
            f'<td style="text-align:left" aria-hidden="true">{b}</td>'
            f'<td style="text-align:left">{w}</td></tr>'
            for n, t, b, w in self.lines
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def main():
    """`aba-book progress`: print the table; returns 0."""
    print(Progress())
    return 0
