"""A course for teachers: one exercise through nbgrader, from generation to feedback."""

from functools import cache
from pathlib import Path

import nbformat
import pytest

from . import solved

classroom = pytest.importorskip("chapter_lib.classroom")
pytest.importorskip("nbgrader")

WRONG = {
    "write-damped-acceleration": """
def damped_acceleration(arm, velocity, torque, damping):
    loads = DynamicsLoads(velocity=velocity, torque=torque)
    return forward_dynamics(arm, loads).joint_acceleration - damping * velocity
""",
    "write-damping-power": """
def damping_power(velocity, damping):
    return damping * velocity**2
""",
}


def hand_in(folder, student, name, fill):
    """A submission: the released notebook with the cells of `fill` replaced."""
    notebook = nbformat.read(folder / "release" / name / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        grade_id = solved.grading(cell).get("grade_id")
        if grade_id in fill:
            cell.source = fill[grade_id]
    place = folder / "submitted" / student / name
    place.mkdir(parents=True)
    nbformat.write(notebook, place / f"{name}.ipynb")


@pytest.mark.filterwarnings("ignore:Object of type")  # nbgrader's own database sessions
def test_a_course_grades_right_wrong_and_empty(tmp_path, monkeypatch):
    # nbgrader asks another program for its version each time it opens the database
    from nbgrader import api as nbgrader_api

    monkeypatch.setattr(
        nbgrader_api, "get_alembic_version", cache(nbgrader_api.get_alembic_version)
    )
    name, folder = "ex08_damping", tmp_path / "course"
    api = classroom.make_course(folder, [name])
    release = nbformat.read(folder / "release" / name / f"{name}.ipynb", as_version=4)
    stored = nbformat.read(classroom.EXERCISES / f"{name}.ipynb", as_version=4)
    assert [c.source for c in release.cells] == [c.source for c in stored.cells]

    (path,) = [p for p in solved.SOLUTIONS if p.stem == name]
    cells = solved.notebook(path).cells
    filled = {
        solved.grading(c)["grade_id"]: c.source for c in cells if solved.grading(c).get("solution")
    }
    hand_in(folder, "right", name, filled)
    hand_in(folder, "wrong", name, {k: v for k, v in filled.items() if "write" in k} | WRONG)
    hand_in(folder, "empty", name, {})
    points = {
        solved.grading(c)["grade_id"]: solved.grading(c)["points"]
        for c in cells
        if solved.grading(c).get("grade")
    }
    by_hand = {k: v for k, v in points.items() if k.startswith("answer-")}
    scores = {}
    for student in ("right", "wrong", "empty"):
        classroom.done(api.autograde(name, student))
        with api.gradebook as gradebook:
            submission = gradebook.find_submission(name, student)
            grades = {g.name: g for n in submission.notebooks for g in n.grades}
            assert set(grades) == set(points)
            for cell, most in by_hand.items():
                assert grades[cell].needs_manual_grade == (student == "right")
                if student == "right":
                    grades[cell].manual_score = most
            gradebook.db.commit()
            scores[student] = gradebook.find_submission(name, student).score
    lost = points["points-damped-acceleration"] + points["points-damping-power"]
    auto = sum(points.values()) - sum(by_hand.values())
    assert scores == dict(right=sum(points.values()), wrong=auto - lost, empty=0)
    classroom.done(api.generate_feedback(name, "wrong"))
    page = (folder / "feedback" / "wrong" / name / f"{name}.html").read_text("utf-8")
    assert "subtracted after the solve" in page and "Comments" in page


def test_a_course_wants_an_empty_folder(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="not empty"):
        classroom.make_course(tmp_path)
    with pytest.raises(FileNotFoundError, match="ex99"):
        classroom.sources(["ex99"])
    assert sorted(p.name for p in Path(tmp_path).iterdir()) == ["notes.txt"]
