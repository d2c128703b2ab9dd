"""The checks of the exercises: every outcome, every planted mistake, nothing given away."""

import importlib
import json
import re
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chapter_lib import check
from chapter_lib.check import record, run
from chapter_lib.check.judge import judge, score
from chapter_lib.check.task import Mistake, Quantity, Task
from chapter_lib.explore.live import NOT_YET, plain_picture

from . import solved

TASKS = {name: task for name, (_, task) in check.tasks().items()}
PLANTED = [
    (task.name, mistake.name)
    for exercise in check.exercises()
    for task in exercise.tasks
    for mistake in task.mistakes
]


def planted(task):
    exercise, _ = check.tasks()[task]
    return importlib.import_module(f".planted.{exercise.slug[:4]}", __package__).WRONG[task]


# every exercise


@pytest.mark.parametrize("path", solved.SOLUTIONS, ids=lambda p: p.stem)
def test_solutions_are_right_and_their_checks_complete(path):
    (exercise,) = [e for e in check.exercises() if e.slug == path.stem]
    written = solved.functions(path)
    for task in exercise.tasks:
        verdict = judge(task, written[task.name], seed=5)
        assert verdict.kind == "right", str(verdict)
        assert not verdict.changed
    visible = [c.source for c in solved.code(path)]
    for task in exercise.tasks:
        assert visible.count(f"check.{task.name}({task.name})") == 1
        (graded,) = [s for s in visible if f'check.points("{task.name}", {task.name}, ' in s]
        assert "### BEGIN HIDDEN TESTS" in graded


@pytest.mark.parametrize(("task", "mistake"), PLANTED)
def test_a_planted_mistake_gets_its_own_sentence_and_no_other(task, mistake):
    for seed in (1, 2):
        verdict = judge(TASKS[task], planted(task)[mistake], seed)
        assert [m.name for m in verdict.mistakes] == [mistake], str(verdict)
        said = str(verdict)
        assert verdict.mistakes[0].says in said
        others = [m for m in TASKS[task].mistakes if m.name != mistake]
        assert not [m for m in others if m.says in said]


def test_every_mistake_is_planted():
    for task in TASKS.values():
        assert set(planted(task.name) if task.mistakes else ()) == {m.name for m in task.mistakes}
        assert len({m.says for m in task.mistakes}) == len(task.mistakes)


@pytest.mark.parametrize("name", TASKS)
def test_an_unfilled_function_is_not_attempted_and_earns_nothing(name):
    def stub(*args):
        raise NotImplementedError

    assert getattr(check, name)(stub).kind == "not attempted"
    assert check.points(name, stub, 3) == 0.0


@pytest.mark.parametrize("path", solved.SOLUTIONS, ids=lambda p: p.stem)
def test_live_pictures_follow_their_sliders(path):
    for compute, sliders in solved.live_plots(path):
        start = {name: spec[2] for name, spec in sliders.items()}
        first = plain_picture(compute(**start))
        assert first["say"] and re.search(r"\d", first["say"])
        assert first["say"] != NOT_YET
        for name, (low, high, *_) in sliders.items():
            for end in (low, high):
                picture = plain_picture(compute(**start | {name: end}))
                assert json.dumps(picture, allow_nan=False)
                if end != start[name]:
                    assert picture != first


# outcomes, on a small task of its own


def double(x, y):
    return 2 * x * y


TOY = Task(
    "toy",
    Quantity("z", "rad/s", ("first", "second")),
    stated=lambda: dict(x=np.array([1.25, -2.5]), y=1.0),
    fresh=lambda rng: dict(x=rng.uniform(1, 2, 2), y=rng.uniform(2, 3)),
    reference=lambda x, y: x * y + y * x,
    mistakes=(
        Mistake("y left out", lambda x, y: 2 * x, "You left out y.", "page 1"),
        Mistake("inverted", lambda x, y: np.linalg.inv(np.zeros((2, 2))), "No inverse.", "page 2"),
    ),
    seconds=0.4,
)


def endless(x, y):
    while True:
        print("still here")


def stubborn(x, y):
    until = time.time() + 4
    while time.time() < until:
        try:  # noqa: SIM105
            sum(range(50))
        except:  # noqa: E722
            pass


def greedy(x, y):
    x *= 2
    return x * y


def caller(x, y):
    return unfilled(x) + y


def unfilled(x):
    raise NotImplementedError


def fails(x, y):
    z = x + y
    return z / 0 if np.linalg.norm(z) < 0 else z[7]


OUTCOMES = [
    (double, "right", "2 random"),
    (lambda x, y: list(2 * x * y), "right", ""),
    (lambda x, y: print("noise" * 10**5) or 2 * x * y, "right", ""),
    (greedy, "right", "changes its argument x"),
    (unfilled, "raised", "TypeError"),
    (caller, "not attempted", "needs unfilled"),
    (fails, "raised", "line 3 of fails"),
    (lambda x, y: exit(3), "raised", "SystemExit"),
    (lambda x: x, "raised", "TypeError"),
    (lambda x, y: np.linalg.inv(np.zeros((2, 2))), "mistake", "No inverse"),
    (lambda x, y: 2 * x, "mistake", "page 1"),
    (endless, "too slow", "never ends"),
    (stubborn, "too slow", "0.4 s"),
    (None, "not a function", "NoneType"),
    (3.0, "not a function", "float"),
    (lambda x, y: None, "nothing", "return statement"),
    (lambda x, y: "seven", "type", "numbers are wanted, a str"),
    (lambda x, y: {1: 2}, "type", "a dict came back"),
    (lambda x, y: 2j * x * y, "type", "complex"),
    (lambda x, y: [[1, 2], [3]], "type", "list"),
    (lambda x, y: np.array([np.nan, 1]), "not finite", "NaN"),
    (lambda x, y: (2 * x * y)[:, None], "shape", "(2,) is wanted, (2, 1)"),
    (lambda x, y: 7.0, "shape", "(2,)"),
    (lambda x, y: np.degrees(2 * x * y), "units", "degrees"),
    (lambda x, y: 2000 * x * y, "units", "1000 times too large"),
    (lambda x, y: -2 * x * y, "units", "opposite sign"),
    (lambda x, y: 2 * x * y + np.array([0.0, 0.3]), "wrong", "z[1] (second)"),
    (lambda x, y: 2 * x * y * y, "wrong", "look for what is zero or special"),
]


@pytest.mark.parametrize(("function", "kind", "words"), OUTCOMES)
def test_outcomes(function, kind, words):
    verdict = judge(replace(TOY, draws=2), function, seed=0)
    assert verdict.kind == kind, str(verdict)
    assert words in str(verdict)
    assert "still here" not in str(verdict)
    card = verdict._repr_html_()
    assert check.LOOKS[kind][1] in card and 'role="status"' in card


def test_a_value_that_agrees_on_the_stated_input_only_is_caught_and_earns_half():
    def partly(x, y):
        return 2 * x * y * y

    assert score(TOY, double) == 1 and score(TOY, partly) == 0.5 and score(TOY, fails) == 0
    assert score(TOY, lambda x, y: 2 * x) == 0.5
    assert score(TOY, lambda x, y: 2 * x * y + 1) == 0


def test_the_furthest_input_can_be_looked_at():
    verdict = judge(TOY, lambda x, y: 2 * x * y + 0.1 * y, seed=0)
    assert verdict.kind == "wrong" and set(verdict.inputs) == {"x", "y"}
    assert re.search(r"random input \d \(x = \(", str(verdict))


def test_nothing_gives_the_right_answer_away():
    """Wrong answers of many kinds, and the digits of the right ones nowhere in the reply."""
    rng = np.random.default_rng(3)
    for name, task in TASKS.items():
        task = replace(task, draws=1)
        stated = task.stated()
        stated = stated if isinstance(stated, dict) else stated[0]
        want = run.call(task.reference, stated, 60, task.outputs).parts
        digits = {
            text
            for part in want
            if isinstance(part, np.ndarray)
            for x in np.ravel(part)
            for text in (f"{abs(x):.3g}", f"{abs(x):.4g}", f"{abs(x):.6f}")
            if len(text.replace(".", "").strip("0")) >= 3  # a gap, of one digit, tells no "600"
        }
        for k in range(3):
            answer = tuple(
                (0 * p, p * rng.uniform(0.5, 1.4), p * 0 + 1)[k] if hasattr(p, "shape") else p
                for p in want
            )
            verdict = judge(task, lambda *a, v=answer: v if len(v) > 1 else v[0], seed=k)
            assert verdict.kind != "right"
            said = re.sub(r"\(\w+ = .*\)", "", str(verdict))  # the inputs are no secret
            said += "" if not verdict.mistakes else " "
            leaked = [d for d in digits if re.search(rf"(?<![\d.]){re.escape(d)}(?![\d])", said)]
            assert not leaked, (name, leaked, said)


def test_text_of_a_student_is_escaped():
    def evil(x, y):
        raise ValueError("<script>alert(1)</script>")

    assert "<script>" not in judge(TOY, evil)._repr_html_()


def test_several_outputs_words_and_counts():
    task = replace(
        TOY,
        returns=(Quantity("product", "N m"), Quantity("kind")),
        reference=lambda x, y: (2 * x * y, "large" if y > 0 else "small"),
        mistakes=(Mistake("small", lambda x, y: (2 * x * y, "small"), "It is not small.", "p"),),
    )
    assert judge(task, lambda x, y: (2 * x * y, "large")).kind == "right"
    assert judge(task, lambda x, y: (0 * x, "small")).mistakes[0].name == "small"
    assert judge(task, lambda x, y: (2 * x * y, 7)).kind == "type"
    assert judge(task, lambda x, y: (1, 2, 3)).kind == "shape"
    counted = replace(TOY, observe=lambda arguments: 1 + (arguments["y"] > 5), mistakes=())
    assert judge(counted, double).kind == "right"


def test_without_alarms_or_off_the_main_thread_the_limit_holds(monkeypatch):
    kinds = []

    def work():
        kinds.extend(judge(TOY, f, seed=0).kind for f in (endless, greedy, fails, stubborn))

    before = threading.active_count()
    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    monkeypatch.delattr(run.signal, "setitimer", raising=False)  # as on Windows
    work()
    assert kinds == ["too slow", "right", "raised", "too slow"] * 2
    assert threading.active_count() <= before + 2, "an endless function was not stopped"


def test_an_alarm_that_was_set_before_still_rings():
    signal = pytest.importorskip("signal")
    if not hasattr(signal, "setitimer"):
        pytest.skip("no alarms here")
    rung = []
    old = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        assert judge(replace(TOY, seconds=0.1), endless).kind == "too slow"
        until = time.time() + 3
        while not rung and time.time() < until:
            time.sleep(0.02)
        assert rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_when_ready():
    assert check.when_ready(lambda: 7) == 7
    waiting = check.when_ready(lambda: unfilled(1))
    assert "comes alive" in repr(waiting) and "comes alive" in waiting._repr_html_()
    assert "IndexError" in repr(check.when_ready(lambda: [][0]))


def test_unknown_checks_are_told():
    with pytest.raises(AttributeError, match="no check called 'no_such_function'"):
        _ = check.no_such_function
    with pytest.raises(ValueError, match="no check called 'nothing'"):
        check.points("nothing", double)
    assert set(TASKS) <= set(dir(check))


# progress


@pytest.fixture
def progress_file(monkeypatch, tmp_path):
    place = tmp_path / "progress.json"
    monkeypatch.setenv("ABA_PROGRESS", str(place))
    return place


def test_progress_counts_attempts_and_keeps_what_was_passed(progress_file, monkeypatch, capsys):
    name, task = next(iter(TASKS.items()))
    check_it = getattr(check, name)
    assert not record.read()
    check_it(lambda *a: (_ for _ in ()).throw(NotImplementedError))
    assert not record.read(), "an unfilled function is no attempt"
    check_it(lambda *a: 0)
    assert "1 tried" in str(check.progress())
    check_it(task.reference)
    check_it(lambda *a: 0)
    entry = record.read()[name]
    assert entry["attempts"] == 3 and entry["passed"] and entry["last"] != "right"
    assert "1 of" in str(check.progress()) and "<table>" in check.progress()._repr_html_()
    monkeypatch.chdir(progress_file.parent)
    assert record.main() == 0 and "1 of" in capsys.readouterr().out
    progress_file.unlink()
    assert "1 of" not in str(check.progress())


def test_grading_is_no_progress(progress_file):
    name, task = next(iter(TASKS.items()))
    assert check.points(name, task.reference, 4) == 4.0
    assert not progress_file.exists()


@pytest.mark.parametrize("content", ["", "[]", '{"tasks": 3}', '{"tasks": {"a": 1}}', "\x00"])
def test_a_spoilt_progress_file_is_started_again(progress_file, content):
    progress_file.write_text(content)
    name, task = next(iter(TASKS.items()))
    getattr(check, name)(task.reference)
    assert record.read()[name]["passed"]


def test_nowhere_to_write_is_no_error(monkeypatch, tmp_path):
    monkeypatch.setenv("ABA_PROGRESS", str(tmp_path / "missing" / "progress.json"))
    name, task = next(iter(TASKS.items()))
    assert getattr(check, name)(task.reference).kind == "right"
    assert not record.read()


def test_progress_is_kept_beside_the_book_or_at_home(monkeypatch, tmp_path):
    monkeypatch.delenv("ABA_PROGRESS")
    assert record.places() == [solved.ROOT / record.NAME, Path.home() / record.NAME]
    monkeypatch.setattr(record, "ROOT", tmp_path)
    assert record.places() == [Path.home() / record.NAME]
    assert record.NAME in (solved.ROOT / ".gitignore").read_text()
