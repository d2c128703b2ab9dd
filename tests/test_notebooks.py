"""The form of the notebooks: what a reader relies on and nbval does not look at."""

import ast
import json
import re
from pathlib import Path

import nbformat
import pytest

from chapter_lib import notebooks

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(
    p for d in ("book", "solutions", "exercises") for p in (ROOT / d).glob("*.ipynb")
)
LONGEST_CELL = 15


def cells(path, kind="code"):
    return [c for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == kind]


def source(cell):
    return "".join(cell["source"])


@pytest.fixture(params=NOTEBOOKS, ids=lambda p: p.stem)
def notebook(request):
    return request.param


def test_there_are_notebooks():
    assert (ROOT / "book" / "index.ipynb") in NOTEBOOKS


def test_stored_as_run_in_order_from_a_fresh_kernel(notebook):
    counts = [c["execution_count"] for c in cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    outputs = [o for c in cells(notebook) for o in c["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error"]
    assert not [o for o in outputs if o.get("name") == "stderr"]


def test_kernel_exists_everywhere(notebook):
    metadata = json.loads(notebook.read_text("utf-8"))["metadata"]
    assert metadata["kernelspec"]["name"] == "python3"


def test_only_teaching_code(notebook):
    for cell in cells(notebook):
        assert "sys.path" not in source(cell)
        code = re.sub(r"(?m)^\s*%.*$", "", source(cell))
        assert not [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.ClassDef)]


def test_pictures_have_alternative_text(notebook):
    for cell in cells(notebook):
        for output in cell["outputs"]:
            data = output.get("data", {})
            assert "image/png" not in data, "show figures with draw.show, which adds words"
            for tag in re.findall(r"<img [^>]*>", "".join(data.get("text/html", ""))):
                alt = re.search(r'alt="([^"]*)"', tag)
                assert alt and len(alt[1]) > 20, tag[:200]


def test_no_traces_of_one_machine(notebook):
    text = re.sub(r"base64,[A-Za-z0-9+/=]+", "", notebook.read_text("utf-8"))
    assert not re.search(r"/(work|tmp|home|root)/|site-packages", text)


@pytest.mark.parametrize(
    "path", [p for p in NOTEBOOKS if p.parent.name == "book"], ids=lambda p: p.stem
)
def test_cells_of_the_book_are_small(path):
    lengths = [len(source(c).strip().splitlines()) for c in cells(path)]
    assert max(lengths) <= LONGEST_CELL
    assert sorted(lengths)[(len(lengths) - 1) // 2] <= 2, f"half of {lengths} above two lines"


def test_no_notebook_depends_on_where_it_is_started(notebook):
    """Nothing is read from or written to a place relative to the working folder."""
    for cell in cells(notebook):
        code = re.sub(r"(?m)^\s*%.*$", "", source(cell))
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                assert name not in ("open", "Path", "chdir", "savefig", "loadtxt", "savetxt")


def test_the_front_door_runs_from_anywhere(tmp_path):
    book = nbformat.read(ROOT / "book" / "index.ipynb", as_version=4)
    stored = [c.outputs for c in book.cells if c.cell_type == "code"]
    notebooks.execute(book, tmp_path)
    again = [c.outputs for c in book.cells if c.cell_type == "code"]
    assert [text(o) for o in again] == [text(o) for o in stored]


def text(outputs):
    """Outputs without their pictures."""
    return re.sub(r"base64,[A-Za-z0-9+/=]+", "", json.dumps(outputs, sort_keys=True))
