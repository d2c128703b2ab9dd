"""The command `aba-book`: opens the book, and keeps its notebooks in order.

aba-book [--port N] [--no-browser] [anything JupyterLab takes]
    open book/index.ipynb in JupyterLab
aba-book progress
    which exercises have been attempted and passed
aba-book run [PATH ...]
    execute notebooks (by default the book) from a fresh kernel and store them
aba-book exercises [--to FOLDER] [NAME ...]
    make exercises/ from solutions/ (needs nbgrader)
aba-book course FOLDER
    make an nbgrader course from solutions/ (needs nbgrader)
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"


def main(arguments=None):
    """Run `aba-book` with a list of arguments (by default the command line's)."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    command, *rest = arguments or [""]
    if command in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    if command == "run":
        from .notebooks import run_all

        return run_all([Path(path) for path in rest] or sorted(BOOK.glob("*.ipynb")))
    if command == "progress":
        from .check import record

        return record.main()
    if command in ("exercises", "course"):
        from . import classroom

        return classroom.main(command, rest)
    return open_lab(arguments)


def open_lab(arguments):
    """Become JupyterLab on the front door; on Windows, run it and return its exit code."""
    if not (BOOK / "index.ipynb").exists():
        print(
            f"aba-book: no book at {BOOK}. The notebooks come with the repository: run this "
            "command from a clone, with `uv run aba-book` or an editable install.",
            file=sys.stderr,
        )
        return 1
    warm_up()
    command, environment = lab_command(arguments), lab_environment()
    if os.name == "posix":  # one process: whatever stops the command stops the book
        sys.stdout.flush()
        os.execve(command[0], command, environment)
    return subprocess.call(command, env=environment)


def lab_environment():
    """This environment, with JupyterLab's question about news left out: the book comes first."""
    paths = [str(Path(__file__).parent / "lab"), os.environ.get("JUPYTER_CONFIG_PATH")]
    return {**os.environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, paths))}


def warm_up():
    """Fill the cache of compiled routines in the background, so that no reader waits for it."""
    code = "from chapter_lib import compiled; compiled.warm()"
    quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return subprocess.Popen([sys.executable, "-c", code], **quiet)


def lab_command(arguments):
    """The command line that starts JupyterLab for these arguments."""
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={ROOT}",
        "--LabApp.default_url=/lab/tree/book/index.ipynb",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # JupyterLab refuses root otherwise; containers run as root
    return command + list(arguments)


if __name__ == "__main__":
    sys.exit(main())
