"""Other libraries as referees: `require("mujoco")` hands one over, or says how to get it."""

import os

import pytest

from chapter_lib.interop.conventions import peer


def require(name):
    """The module `name`.  Where it is missing the test skips, and fails when CI is set."""
    try:
        return peer(name)
    except ImportError as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing), pytrace=False)
        pytest.skip(str(missing), allow_module_level=True)
