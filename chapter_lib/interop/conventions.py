"""Conversions between conventions, each a named function, and what both bridges share."""

from dataclasses import dataclass
from importlib import import_module

import numpy as np

from ..kinematics import base_pose
from ..scalars import is_float
from ..spatial import point_wrench, skew

BASE = "base"
PACKAGE = {"mujoco": "mujoco", "pinocchio": "pin"}


@dataclass(frozen=True, eq=False)
class PeerDynamics:
    """What another library answers, in the conventions of this one.

    acceleration: (n,) q̈, or (6 + n,) with the base's physical spatial acceleration first, in base
    axes; mass_matrix: as `mass_matrix`; bias: as `bias_force`, with damping and wrenches.
    """

    acceleration: np.ndarray
    mass_matrix: np.ndarray
    bias: np.ndarray


def linear_first(x):
    """Angular-first six-vectors (..., 6), moment-first wrenches too, with their halves swapped."""
    return np.roll(np.asarray(x), 3, axis=-1)


def angular_first(x):
    """Linear-first six-vectors (..., 6), force-first wrenches too, with their halves swapped."""
    return np.roll(np.asarray(x), -3, axis=-1)


def quaternion_xyzw(quaternion):
    """(w, x, y, z) as (x, y, z, w): what Pinocchio, SciPy and ROS store."""
    return np.roll(np.asarray(quaternion), -1, axis=-1)


def quaternion_wxyz(quaternion):
    """(x, y, z, w) as (w, x, y, z): what this library and MuJoCo store."""
    return np.roll(np.asarray(quaternion), 1, axis=-1)


def world_axes(x, R):
    """A six-vector (6,) in body axes, as components in world axes; its origin stays the body's.

    R: (3, 3), columns the body's axes in the world.
    """
    return np.concatenate([R @ x[:3], R @ x[3:]])


def body_axes(x, R):
    """A six-vector (6,) in world axes, as components in body axes; its origin stays the same."""
    return world_axes(x, R.T)


def ordinary_from_spatial(a, v):
    """Spatial acceleration (6,) to (ω̇, ordinary acceleration of the origin): adds `ω × v_O`."""
    return np.concatenate([a[:3], a[3:] + skew(v[:3]) @ v[3:]])


def spatial_from_ordinary(a, v):
    """(ω̇, ordinary acceleration of the origin) to spatial acceleration (6,): takes `ω × v_O`."""
    return np.concatenate([a[:3], a[3:] - skew(v[:3]) @ v[3:]])


def mujoco_wrench(f, R, com):
    """A wrench (6,) about a body's origin in its axes, as a row of MuJoCo's `xfrc_applied`.

    That is (F, n) at the centre of mass in world axes.  R: (3, 3) the body's axes in the world;
    com: (3,) centre of mass in the body's frame, m.
    """
    return linear_first(world_axes(point_wrench(f[3:], -np.asarray(com), f[:3]), R))


def wrench_from_mujoco(xfrc, R, com):
    """A row (F, n) of `xfrc_applied` as a wrench (6,) about the body's origin in body axes."""
    f = body_axes(angular_first(xfrc), R)
    return point_wrench(f[3:], com, f[:3])


def peer(name):
    """The module `mujoco` or `pinocchio`; ImportError says how to get it when it is missing."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(
            f"{name} is not installed; get it with `pip install {PACKAGE[name]}`, or both peers "
            "with `uv sync --group peers`. Nothing else here needs them"
        ) from error


def peer_versions():
    """The versions installed, `{"mujoco": "…", "pinocchio": "…"}`; None for a missing one."""
    found = {}
    for name in PACKAGE:
        try:
            found[name] = peer(name).__version__
        except ImportError:
            found[name] = None
    return found


def check_floats(tree):
    """Raise TypeError for a tree of symbols or complex numbers, which no other library takes."""
    base = () if tree.base is None else base_pose(tree)
    if not is_float(tree.X, tree.inertia, *base):
        raise TypeError("argument tree: other libraries take real numbers, not symbols or complex")


def body_name(tree, i):
    """What body i and its joint are called in the peers; the index makes it unique."""
    return f"{i} {tree.names[i]}"


def drag(tree, loads):
    """`b q̇` (n,): what damping takes from the joint efforts."""
    return tree.damping * loads.velocity
