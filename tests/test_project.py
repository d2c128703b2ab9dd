"""The repository itself: what a fresh clone relies on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import chapter_lib
from chapter_lib import launch

ROOT = Path(__file__).resolve().parent.parent
ORDER = (
    *("scalars", "spatial", "validate", "tree", "models", "loads", "pivots", "aba", "rnea"),
    *(
        "crba",
        "locking",
        "kinematics",
        "lagrange",
        "planar",
        "momentum",
        "complementarity",
        "projection",
    ),
    *(
        "contact",
        "friction",
        "integrate",
        "stepping",
        "sensitivity",
        "compact",
        "kernels",
        "march",
        "batches",
    ),
    *("compiled", "sweep", "naming", "codegen", "operations", "interop", "draw", "film", "explore"),
    *("check", "guide", "notebooks", "classroom", "launch"),
)
HEAVY = ("numba", "sympy", "matplotlib", "ipywidgets", "scipy", "IPython", "mujoco", "pinocchio")


def python(code, folder=ROOT):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True
    )
    return done.stdout


def test_import_is_light():
    """Nothing heavy is loaded by `import chapter_lib`, nor by the readable passes."""
    code = (
        "import sys, chapter_lib; chapter_lib.forward_dynamics; "
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    assert python(code).strip() == "[]"


def test_every_public_name_exists_and_is_documented():
    for name in chapter_lib.__all__:
        value = getattr(chapter_lib, name)
        assert value.__doc__ and len(value.__doc__) > 20, name
    assert set(chapter_lib.__all__) <= set(dir(chapter_lib))
    with pytest.raises(AttributeError, match="no attribute 'backward_dynamics'"):
        _ = chapter_lib.backward_dynamics


def test_modules_import_downwards_only():
    """A module imports only from those above it in ORDER, and every module stands there."""
    places = {name: place for place, name in enumerate(ORDER)}
    for path in (ROOT / "chapter_lib").rglob("*.py"):
        inside = path.relative_to(ROOT / "chapter_lib").parts
        name = inside[0].removesuffix(".py")
        if name == "__init__":
            continue
        dots = r"\." * len(inside)
        text = path.read_text("utf-8")
        used = re.findall(rf"(?m)^\s*from {dots}(\w+) import", text)
        used += re.findall(rf"(?m)^\s*from {dots} import (\w+)", text)
        for other in used:
            if len(inside) == 1 or other in places:
                assert places[other] < places[name], f"{path.name} imports {other} from below"


def test_modules_are_short():
    for path in (ROOT / "chapter_lib").rglob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 360, path.name


def test_no_registry_host_and_no_lock_file():
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split("\0")
    assert "uv.lock" not in tracked
    hosts = re.compile("py" + r"pi\.org|python" + r"hosted\.org|registry\." + "npmjs")
    for name in filter(None, tracked):
        path = ROOT / name
        if path.suffix in (".py", ".toml", ".md", ".ipynb", ".js", ".cfg", ".txt", ""):
            assert not hosts.search(path.read_text("utf-8")), name


def test_launcher_builds_the_command_from_any_folder(monkeypatch):
    command = launch.lab_command(
        ["--port", "9999", "--no-browser", "--ServerApp.quit_button=False"]
    )
    assert command[1:3] == ["-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={ROOT}" in command
    assert command[-4:] == ["--port", "9999", "--no-browser", "--ServerApp.quit_button=False"]
    monkeypatch.setattr(launch.os, "geteuid", lambda: 0, raising=False)
    assert "--allow-root" in launch.lab_command([])
    monkeypatch.setattr(launch.os, "geteuid", lambda: 1000, raising=False)
    assert "--allow-root" not in launch.lab_command([])


def test_launcher_says_when_there_is_no_book(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(launch, "BOOK", tmp_path)
    assert launch.main([]) == 1
    assert "no book" in capsys.readouterr().err


def test_help(capsys):
    assert launch.main(["--help"]) == 0
    assert "aba-book" in capsys.readouterr().out
