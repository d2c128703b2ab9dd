"""The command `aba-book`: opens the book, and keeps its notebooks in order.

`aba-book [--port N] [--no-browser] [anything JupyterLab takes]` opens `book/index.ipynb`.
`aba-book run [PATH…]` executes notebooks from a fresh kernel and stores them.
`aba-book progress` shows which exercises are done.
`aba-book exercises [NAME…]` makes `exercises/` from `solutions/`; `aba-book course FOLDER` makes an
nbgrader course from them.
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
    if command in ("exercises", "course"):
        from . import classroom

        return classroom.main(command, rest)
    if command == "progress":
        from .check import record

        return record.main()
    return open_lab(arguments)


def open_lab(arguments):
    """Start JupyterLab on the front door; returns its exit code."""
    if not (BOOK / "index.ipynb").exists():
        print(
            f"aba-book: no book at {BOOK}. The notebooks come with the repository: run this "
            "command from a clone, with `uv run aba-book` or an editable install.",
            file=sys.stderr,
        )
        return 1
    return subprocess.call(lab_command(arguments))


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
