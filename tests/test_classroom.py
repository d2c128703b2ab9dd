"""Exercises follow from their solutions and give nothing away."""

import json
import re

import nbformat
import pytest

from . import solved

classroom = pytest.importorskip("chapter_lib.classroom")
pytest.importorskip("nbgrader")

NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?:e[+-]?\d+)?")


def test_every_solution_has_its_exercise_and_the_reverse():
    names = {path.name for path in classroom.EXERCISES.glob("*.ipynb")}
    assert names == {path.name for path in solved.SOLUTIONS}


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exercises")
    classroom.make_exercises(folder)
    return folder


@pytest.mark.parametrize("path", solved.SOLUTIONS, ids=lambda p: p.stem)
def test_stored_exercises_are_what_the_solutions_generate(path, generated):
    """Cells, metadata and outputs; pictures are compared as being there."""
    fresh, stored = comparable(generated / path.name), comparable(classroom.EXERCISES / path.name)
    assert fresh["metadata"] == stored["metadata"]
    for new, old in zip(fresh["cells"], stored["cells"], strict=True):
        assert new == old, "run `aba-book exercises` and store the result"


def comparable(path):
    return json.loads(re.sub(r"base64,[A-Za-z0-9+/=]+", "base64", path.read_text("utf-8")))


# nothing given away


def secrets(path):
    """What only the solution may hold: lines of code, model answers, hidden tests, numbers."""
    notebook = nbformat.read(path, as_version=4)
    shown, hidden, numbers = [], [], set()
    for cell in notebook.cells:
        grading = solved.grading(cell)
        if cell.cell_type == "markdown" and grading.get("solution"):
            hidden += re.split(r"(?<=[.;:?])\s", cell.source)
            continue
        inside = False
        for line in cell.source.splitlines():
            if re.search(r"### BEGIN (SOLUTION|HIDDEN)", line):
                inside = True
            (hidden if inside else shown).append(line.strip())
            if re.search(r"### END (SOLUTION|HIDDEN)", line):
                inside = False
        for output in cell.get("outputs", []):
            for text in output.get("data", {}).values():
                plain = re.sub(r'base64,[A-Za-z0-9+/=]+|style="[^"]*"', "", str(text))
                numbers |= {n for n in NUMBER.findall(plain) if len(n.strip("0.")) >= 5}
    texts = {line for line in hidden if len(line) >= 12 and line not in shown}
    return texts, numbers


def everything(notebook):
    """All text of a notebook: sources, outputs, metadata, pictures left out."""
    parts = [json.dumps(notebook.metadata)]
    for cell in notebook.cells:
        parts += [cell.source, json.dumps(cell.metadata, ensure_ascii=False)]
        for output in cell.get("outputs", []):
            parts += [str(text) for text in output.get("data", {}).values()]
            parts.append(output.get("text", ""))
    return re.sub(r"base64,[A-Za-z0-9+/=]+", "", "\n".join(parts))


def leaks(path, exercise):
    """Secrets of the solution at `path` that stand anywhere in the notebook at `exercise`."""
    text = everything(nbformat.read(exercise, as_version=4))
    texts, numbers = secrets(path)
    return sorted(t for t in texts if t in text) + sorted(numbers & set(NUMBER.findall(text)))


@pytest.mark.parametrize("path", solved.SOLUTIONS, ids=lambda p: p.stem)
def test_exercises_give_nothing_away(path):
    texts, numbers = secrets(path)
    assert len(texts) > 8, "the test must have something to look for"
    assert leaks(path, classroom.EXERCISES / path.name) == []
    assert len(leaks(path, path)) == len(texts) + len(numbers), "secrets it would not notice"


def test_some_numbers_are_looked_for():
    assert sum(len(secrets(path)[1]) for path in solved.SOLUTIONS) > 50


@pytest.mark.parametrize("path", solved.SOLUTIONS, ids=lambda p: p.stem)
def test_unfilled_exercises_say_so_and_nothing_else(path):
    cells = nbformat.read(classroom.EXERCISES / path.name, as_version=4).cells
    code = [c for c in cells if c.cell_type == "code"]
    assert not [o for c in code for o in c.outputs if o.output_type == "error"]
    said = {c.source: str(c.outputs) for c in code if c.source.startswith("check.")}
    visible = [s for s in said if re.fullmatch(r"check\.(\w+)\(\1\)", s)]
    assert visible and all("Not attempted yet" in said[s] for s in visible)
    for cell in code:
        if "live_plot(" in cell.source.splitlines()[-1]:
            assert "comes alive once" in str(cell.outputs)
    answers = [c for c in cells if c.cell_type == "markdown" and solved.grading(c).get("solution")]
    assert answers and all(c.source == classroom.TEXT_STUB for c in answers)


@pytest.mark.parametrize("path", solved.SOLUTIONS, ids=lambda p: p.stem)
def test_solutions_are_complete(path):
    cells = nbformat.read(path, as_version=4).cells
    for cell in cells:
        if cell.cell_type == "markdown" and solved.grading(cell).get("solution"):
            assert "Model answer" in cell.source and "Rubric (" in cell.source
            assert f"Rubric ({solved.grading(cell)['points']} point" in cell.source
        for output in cell.get("outputs", []):
            if cell.source.startswith(("check.", "live_plot")):
                assert not re.search("Not attempted|comes alive|Error", str(output))
    total = sum(solved.grading(c).get("points", 0) for c in cells)
    minutes = [e.minutes for e in classroom_exercises() if e.slug == path.stem]
    assert f"**Time** {minutes[0]} minutes. **Points** {total}." in cells[0].source
    teachers = (solved.ROOT / "solutions" / "README.md").read_text("utf-8")
    assert re.search(rf"\| {minutes[0]} \| {total} \|.*`{path.stem}`", teachers)


def classroom_exercises():
    from chapter_lib import check

    return check.exercises()
