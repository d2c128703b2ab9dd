"""A real browser for tests: Chromium through Playwright, a JupyterLab that the test starts."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium():
    """The browser's path; without one the test is skipped, and fails when `CI` is set."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None:
        missing("no chromium on this machine (Debian: apt-get install chromium)")
    return found


def missing(what):
    """Skip with a message, or fail where everything should be there."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@contextlib.contextmanager
def browser():
    """A running Chromium."""
    path = chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield running
        finally:
            running.close()


def quiet_page(running, errors, **options):
    """A new page whose console errors and exceptions are appended to `errors`."""
    page = running.new_page(**options)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    return page


@contextlib.contextmanager
def jupyterlab(folder):
    """JupyterLab on a free port in `folder`; yields (address, token)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_hex(16)
    home = folder / "home"
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}"]
    command += ["--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    address = f"http://127.0.0.1:{port}"
    with open(folder / "lab.log", "w", encoding="utf-8") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=environment)
        try:
            _wait_for(f"{address}/api?token={token}", server, folder / "lab.log")
            yield address, token
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait_for(url, server, log):
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(0.3)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')[-3000:]}")


def notebook(path, *cells):
    """Write a notebook of code cells."""
    path.write_text(
        json.dumps(
            {
                "nbformat": 4,
                "nbformat_minor": 5,
                "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
                "cells": [
                    {
                        "cell_type": "code",
                        "id": f"cell-{k}",
                        "metadata": {},
                        "source": source,
                        "outputs": [],
                        "execution_count": None,
                    }
                    for k, source in enumerate(cells)
                ],
            }
        ),
        encoding="utf-8",
    )


# waits in JupyterLab for the notebook's kernel
READY = """
async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}
"""


def open_notebook(page, address, token, name):
    """Open a notebook in JupyterLab's single-document mode and wait for its kernel."""
    page.goto(f"{address}/lab/tree/{name}?token={token}&reset", timeout=120_000)
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)
    page.evaluate(READY)


def command(page, name):
    """Start one of JupyterLab's own commands, such as notebook:run-all-cells."""
    page.evaluate("(name) => { window.jupyterapp.commands.execute(name); }", name)


def readings(page):
    """The numbers on the page, in full: name → value."""
    return page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-reading]')]"
        ".map((node) => [node.dataset.reading, Number(node.dataset.value)]))"
    )
