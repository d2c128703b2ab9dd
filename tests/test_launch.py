"""The command `aba-book` for real: a server that answers, and notebooks run and stored."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import nbformat
import pytest

from chapter_lib import notebooks


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def test_aba_book_serves_the_front_door_from_another_folder(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "chapter_lib.launch", "--port", str(port), "--no-browser"]
    command.append("--IdentityProvider.token=chapter")
    environment = os.environ | {"JUPYTER_CONFIG_DIR": str(tmp_path), "HOME": str(tmp_path)}
    log = open(tmp_path / "log", "w")  # noqa: SIM115
    server = subprocess.Popen(command, cwd=tmp_path, stderr=log, stdout=log, env=environment)
    try:
        answer = wait_for(f"http://127.0.0.1:{port}/api/contents/book?token=chapter", server)
        names = [entry["name"] for entry in answer["content"]]
        assert "index.ipynb" in names
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/lab?token=chapter") as page:
            settings = page.read().decode()
        assert "apputils-extension:announcements" in settings.split('"disabledExtensions"')[1][:300]
    finally:
        server.terminate()
        server.wait(20)
        log.close()
    with socket.socket() as probe:  # nothing is left behind
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def wait_for(url, server):
    deadline = time.monotonic() + 180  # a cold start on a busy machine
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"the server stopped with code {server.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                return json.load(reply)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.25)
    pytest.fail("the server did not answer")


def make(path, *sources):
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(notebook, path)


def test_running_stores_outputs_in_order(tmp_path):
    path = tmp_path / "a.ipynb"
    make(path, "import os; here = os.getcwd()", "print(os.path.basename(here) != '')")
    assert notebooks.run_all([path]) == 0
    stored = nbformat.read(path, as_version=4)
    assert [c.execution_count for c in stored.cells] == [1, 2]
    assert stored.cells[1].outputs[0]["text"] == "True\n"
    assert "execution" not in stored.cells[0].metadata
    assert stored.metadata.kernelspec.name == "python3"
    before = path.read_bytes()
    notebooks.run(path)
    assert path.read_bytes() == before


def test_a_failing_notebook_is_reported_and_left_alone(tmp_path, capsys):
    path = tmp_path / "b.ipynb"
    make(path, "1 / 0")
    before = path.read_bytes()
    assert notebooks.run_all([path]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_stored_widget_keeps_its_picture_and_loses_its_handle():
    data = {notebooks.WIDGET: {"model_id": "1"}, "text/html": "<img>", "text/plain": "x"}
    output = nbformat.v4.new_output("display_data", data)
    cell = nbformat.v4.new_code_cell("w", outputs=[output])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebooks.tidy(notebook)
    assert set(notebook.cells[0].outputs[0]["data"]) == {"text/html", "text/plain"}
