"""What acts on a mechanism at one instant: rates, efforts, known wrenches, gravity.

Stands beside "The Forward Dynamics Problem" of the chapter.
"""

from dataclasses import dataclass

import numpy as np

from .scalars import exact, frozen, is_symbolic, numbers

STANDARD_GRAVITY = (0.0, -9.81, 0.0)


@dataclass(frozen=True, eq=False)
class DynamicsLoads:
    """The velocity of a mechanism and the known loads on it.

    velocity: (n,) joint rates q̇, rad/s (m/s for slides);
    torque: (n,) joint efforts τ, N m (N for slides), zero when left out;
    external: (n, 6) known wrenches on the bodies, moment-first, in body axes about the body's
        origin (`point_wrench`, `world_wrench` bring a force there); zero when left out;
    gravity: (3,) in world axes, m/s²;
    base_velocity: (6,) of a floating base, in its own axes; base_external: (6,) known wrench on
        it, likewise.  On a fixed base both must be left out.

    Raises ValueError for NaN and infinity; shapes are compared with the tree when it is used.
    """

    velocity: np.ndarray
    torque: np.ndarray | None = None
    external: np.ndarray | None = None
    gravity: np.ndarray = STANDARD_GRAVITY
    base_velocity: np.ndarray | None = None
    base_external: np.ndarray | None = None

    def __post_init__(self):
        for what in ("velocity", "torque", "external", "base_velocity", "base_external"):
            value = getattr(self, what)
            if value is not None:
                object.__setattr__(self, what, numbers(value, f"argument {what}"))
        object.__setattr__(self, "gravity", numbers(self.gravity, "argument gravity", (3,)))

    def on(self, tree):
        """These loads with every shape checked against `tree` and what was left out as zeros."""
        if self.__dict__.get("_tree") is tree:
            return self
        n, floating = tree.n, tree.floating
        joints, root = dict(velocity=(n,), torque=(n,), external=(n, 6)), (6,)
        arrays = {"gravity": self.gravity}
        for what, shape in dict(joints, base_velocity=root, base_external=root).items():
            value = getattr(self, what)
            if value is None:
                value = frozen(np.zeros(shape))
            elif what.startswith("base_") and not floating:
                raise ValueError(f"argument {what}: the base of this tree is fixed, leave it out")
            elif value.shape != shape:
                raise ValueError(
                    f"argument {what}: expected shape {shape} for {n} bodies, got {value.shape}"
                )
            arrays[what] = value
        if is_symbolic(tree.X, *arrays.values()):
            arrays = {what: exact(value) for what, value in arrays.items()}
        checked = object.__new__(DynamicsLoads)
        checked.__dict__.update(arrays, _tree=tree)
        return checked
