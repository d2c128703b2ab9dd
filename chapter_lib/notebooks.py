"""Running notebooks from a fresh kernel and storing what does not change from run to run."""

import contextlib
import sys
from pathlib import Path

WIDGET = "application/vnd.jupyter.widget-view+json"
SECONDS_A_CELL = 120


def run_all(paths):
    """Execute and store every notebook of `paths`; returns 0, or 1 after printing what failed."""
    failed = 0
    for path in paths:
        try:
            run(path)
            print(f"ran {path}")
        except Exception as error:  # the kernel's own message is the one worth showing
            print(f"failed {path}: {error}", file=sys.stderr)
            failed = 1
    return failed


def run(path, target=None):
    """Execute the notebook at `path` in its own folder and write it to `target` (default: back).

    A cell that raises stops the run and nothing is written.
    """
    import nbformat

    path = Path(path)
    notebook = nbformat.read(path, as_version=4)
    execute(notebook, path.resolve().parent)
    nbformat.write(notebook, target or path)


def execute(notebook, folder, kernel=None):
    """Execute a notebook in memory, in order, from a fresh kernel, and tidy its outputs.

    kernel: a running kernel's manager, from `one_kernel`, used in place of a new one.
    """
    from nbclient import NotebookClient

    NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        km=kernel,
    ).execute()
    tidy(notebook)


@contextlib.contextmanager
def one_kernel(folder):
    """A kernel for many small notebooks: `with one_kernel(folder) as renew:`.

    Each `renew()` empties it, its count of cells too, and gives its manager.  What a notebook
    imported stays imported, and that is what saves the time.
    """
    from jupyter_client.manager import start_new_async_kernel
    from jupyter_core.utils import run_sync
    from nbformat.v4 import new_code_cell, new_notebook

    manager, client = run_sync(start_new_async_kernel)(
        kernel_name="python3", cwd=str(folder), extra_arguments=["--log-level=ERROR"]
    )
    client.stop_channels()

    def renew():
        code = "get_ipython().reset(new_session=True)"
        execute(new_notebook(cells=[new_code_cell(code)]), folder, manager)
        return manager

    try:
        yield renew
    finally:
        run_sync(manager.shutdown_kernel)(now=True)


def tidy(notebook):
    """Drop what differs from run to run or from machine to machine, in place.

    A stored widget has no kernel behind it, so its picture and words stay and its handle goes.
    """
    notebook.metadata = type(notebook.metadata)(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
        **{
            key: value
            for key, value in notebook.metadata.items()
            if key in ("title", "celltoolbar")
        },
    )
    for cell in notebook.cells:
        for noise in ("execution", "ExecuteTime", "collapsed"):
            cell.metadata.pop(noise, None)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if len(data) > 1:
                data.pop(WIDGET, None)
