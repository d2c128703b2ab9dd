"""The solution notebooks as Python: their functions, and the pictures that they drive."""

from functools import cache
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = sorted((ROOT / "solutions").glob("ex*.ipynb"))


def grading(cell):
    return cell.metadata.get("nbgrader", {})


@cache
def notebook(path):
    return nbformat.read(path, as_version=4)


def code(path):
    return [cell for cell in notebook(path).cells if cell.cell_type == "code"]


def functions(path):
    """{task: function} as written in the solution, from its imports and its function cells."""
    space = {}
    for cell in code(path):
        if grading(cell).get("solution") or cell.source.startswith(("import", "from")):
            exec(compile(cell.source, path.stem, "exec"), space)
    return space


def live_plots(path):
    """[(compute, sliders)] of every `live_plot` in a solution, checks left out."""
    found, space = [], {}
    for cell in code(path):
        if not {"grade", "locked"} & {key for key, value in grading(cell).items() if value is True}:
            exec(compile(cell.source, path.stem, "exec"), space)
        if "live_plot" in space:
            space["live_plot"] = lambda compute, **sliders: found.append((compute, sliders))
    return found
