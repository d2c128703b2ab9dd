"""Other libraries as referees: `require("mujoco")` hands one over, or says how to get it."""

import os
from importlib import import_module

import pytest

PACKAGE = {"pinocchio": "pin", "mujoco": "mujoco"}


def require(name):
    """The module `name`.  Where it is missing the test skips, and fails when CI is set."""
    try:
        return import_module(name)
    except ImportError:
        message = (
            f"{name} is not installed; get both referees with `uv sync --group peers`, or this one "
            f"with `pip install {PACKAGE[name]}`"
        )
        if os.environ.get("CI"):
            pytest.fail(message, pytrace=False)
        pytest.skip(message, allow_module_level=True)
