"""Random mechanisms for tests: any tree, any joint, any axis, any placement."""

import numpy as np
from scipy.spatial.transform import Rotation

from chapter_lib import (
    Body,
    DynamicsLoads,
    FloatingBase,
    Helical,
    Prismatic,
    Revolute,
    Tree,
    rigid_inertia,
)

KINDS = ("revolute", "prismatic", "helical")


def random_rotation(rng):
    return Rotation.random(random_state=rng).as_matrix()


def random_inertia(rng):
    """A sound rigid body: principal moments from three extents, so that the triangle holds."""
    mass = rng.uniform(0.3, 3.0)
    a, b, c = rng.uniform(0.05, 0.3, 3) ** 2
    R = random_rotation(rng)
    moments = mass * np.array([b + c, a + c, a + b])
    return rigid_inertia(mass, rng.uniform(-0.3, 0.3, 3), R @ np.diag(moments) @ R.T)


def random_joint(rng, kinds=KINDS):
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    kind = rng.choice(kinds)
    if kind == "revolute":
        return Revolute(axis)
    return Prismatic(axis) if kind == "prismatic" else Helical(axis, rng.uniform(-0.2, 0.2))


def random_parents(rng, n, order="any"):
    """Parents first: "any" random tree, "chain", or "breadth" (two children, level by level)."""
    if order == "chain":
        return list(range(-1, n - 1))
    if order == "breadth":
        return [(i - 1) // 2 for i in range(n)]
    return [int(rng.integers(-1, i)) for i in range(n)]


def random_tree(rng, n, floating=False, kinds=KINDS, order="any", damping=True, armature=True):
    bodies = [
        Body(
            parent=parent,
            joint=random_joint(rng, kinds),
            inertia=random_inertia(rng),
            placement=(random_rotation(rng), rng.uniform(-0.4, 0.4, 3)),
            name=f"b{i}",
            damping=rng.uniform(0, 0.5) if damping else 0.0,
            armature=rng.uniform(0, 0.2) if armature else 0.0,
        )
        for i, parent in enumerate(random_parents(rng, n, order))
    ]
    base = None
    if floating:
        base = FloatingBase(random_inertia(rng), random_rotation(rng), rng.uniform(-1, 1, 3))
    return Tree.build(bodies, rng.uniform(-1.5, 1.5, n), base)


def random_loads(rng, tree, external=True):
    floating = tree.floating
    return DynamicsLoads(
        velocity=rng.uniform(-1.5, 1.5, tree.n),
        torque=rng.uniform(-3, 3, tree.n),
        external=rng.uniform(-4, 4, (tree.n, 6)) if external else None,
        gravity=rng.uniform(-9, 9, 3),
        base_velocity=rng.uniform(-1, 1, 6) if floating else None,
        base_external=rng.uniform(-4, 4, 6) if floating and external else None,
    )


def relative_error(got, expected):
    """Largest difference beside the largest entry."""
    got, expected = np.asarray(got), np.asarray(expected)
    return np.abs(got - expected).max(initial=0) / max(np.abs(expected).max(initial=0), 1e-300)
