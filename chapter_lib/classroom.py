"""Exercises for readers and courses for teachers, made from `solutions/`, the one source.

`aba-book exercises [--to FOLDER] [NAME…]` writes `exercises/*.ipynb`: nbgrader's own steps take out
solutions, hidden tests and outputs, then every notebook is run and stored.
`aba-book course FOLDER` makes an nbgrader course with one assignment for each exercise.
Both need nbgrader (`uv sync --group classroom`).
"""

import argparse
import contextlib
import io
import logging
import os
import shutil
import sys
from pathlib import Path

from .notebooks import execute, one_kernel

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS, EXERCISES = ROOT / "solutions", ROOT / "exercises"

CODE_STUB = "# Your code here.\nraise NotImplementedError"
TEXT_STUB = "*Write your answer here.*"
CONFIG = f"""\
# Configuration of nbgrader for the exercises on the articulated body algorithm.
c = get_config()
c.CourseDirectory.course_id = "articulated-body"
c.ClearSolutions.code_stub = {{"python": {CODE_STUB!r}}}
c.ClearSolutions.text_stub = {TEXT_STUB!r}
c.Execute.timeout = 300
"""


def sources(names=()):
    """The solved notebooks in `solutions/`: all, or those whose file name starts with a name."""
    found = sorted(SOLUTIONS.glob("ex*.ipynb"))
    chosen = [p for p in found if not names or p.name.startswith(tuple(names))]
    if not chosen:
        raise FileNotFoundError(f"no notebook of {SOLUTIONS} starts with {', '.join(names)}")
    return chosen


def exercise(path):
    """What a student gets of the solved notebook at `path`, in memory and not yet run."""
    import nbformat
    from nbgrader import preprocessors as steps
    from traitlets.config import Config

    config = Config()
    config.ClearSolutions.code_stub = dict(python=CODE_STUB)
    config.ClearSolutions.text_stub = TEXT_STUB
    notebook, resources = nbformat.read(path, as_version=4), {}
    for step in (
        steps.LockCells,
        steps.ClearSolutions,
        steps.ClearOutput,
        steps.CheckCellMetadata,
        steps.ClearHiddenTests,
        steps.ClearMarkScheme,
        steps.ComputeChecksums,
        steps.CheckCellMetadata,
    ):
        notebook, resources = step(config=config).preprocess(notebook, resources)
    return notebook


def make_exercises(target=EXERCISES, names=()):
    """Generate, run and store exercises in the folder `target`; returns their paths."""
    import nbformat

    target = Path(target)
    target.mkdir(parents=True, exist_ok=True)

    made = []
    with one_kernel(target) as renew:
        for path in sources(names):
            notebook = exercise(path)
            execute(notebook, target, renew())
            nbformat.write(notebook, target / path.name)
            made.append(target / path.name)
    return made


def make_course(folder, names=()):
    """Make an nbgrader course in `folder`, new or empty; returns nbgrader's interface to it.

    `source/` holds the solved notebooks, `release/` what nbgrader generated from them.
    Raises FileExistsError for a folder with something in it, RuntimeError when nbgrader fails.
    """
    folder = Path(folder).resolve()
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; a course wants a folder of its own")
    for path in sources(names):
        place = folder / "source" / path.stem
        place.mkdir(parents=True)
        shutil.copy(path, place)
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    api = course(folder)
    for path in sources(names):
        done(api.generate_assignment(path.stem))
    return api


def course(folder):
    """nbgrader's Python interface to the course in `folder`."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    if shutil.which("alembic") is None:  # nbgrader calls it by name, also outside a shell's venv
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    folder = Path(folder).resolve()
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.CourseDirectory.root = str(folder)
    return NbGraderAPI(config=config)


def done(result):
    """Raise RuntimeError with nbgrader's own words when one of its steps failed."""
    if not result["success"]:
        raise RuntimeError(result.get("error") or result.get("log") or "nbgrader failed")


def main(command, arguments):
    """`aba-book exercises …` and `aba-book course …`; returns the exit code."""
    parser = argparse.ArgumentParser(prog=f"aba-book {command}")
    if command == "exercises":
        parser.add_argument("--to", type=Path, default=EXERCISES, help="folder to write to")
    else:
        parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument("names", nargs="*", help="how file names start, such as ex08; default all")
    options = parser.parse_args(arguments)
    try:
        import nbgrader  # noqa: F401
    except ImportError:
        print("nbgrader is missing: run `uv sync --group classroom`")
        return 1
    if command == "exercises":
        for path in make_exercises(options.to, options.names):
            print(f"wrote {path}")
        return 0
    logging.disable(logging.WARNING)
    with contextlib.redirect_stderr(io.StringIO()):
        make_course(options.folder, options.names)
    print(f"made a course in {options.folder}; next: cd there and run `nbgrader --help`")
    return 0
