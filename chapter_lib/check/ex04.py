"""Exercise 4, floating base: what is extra at the root, and which acceleration is which.

References come from the dense equations M ν̇ + h = (w₀, τ), assembled from composite bodies and
inverse dynamics: no joint is eliminated on the way.
"""

from dataclasses import replace

import numpy as np

from ..crba import mass_matrix
from ..loads import DynamicsLoads
from ..models import cylinder_inertia, floating_thirty, rotation_about
from ..rnea import bias_force
from ..tree import Body, FloatingBase, Revolute, Tree
from .routes import random_vector
from .task import Exercise, Mistake, Quantity, Task

BASE_VELOCITY = (0.2, -0.1, 0.3, 0.5, -0.4, 0.1)
BASE_WRENCH = (0.5, -0.3, 0.8, 4.0, -6.0, 2.0)
PARTS = ("ω̇ x", "ω̇ y", "ω̇ z", "a x", "a y", "a z")
UNIT = "rad/s² and m/s²"
ROOT = '"The Root Articulated Solve"'
GRAVITY = '"Fixed-Base Acceleration and Gravity"'


def _stated():
    j = np.arange(1, 31)
    loads = DynamicsLoads(
        velocity=0.5 * np.cos(j), torque=0.2 * np.sin(2 * j), base_velocity=BASE_VELOCITY
    )
    tree = floating_thirty()
    pushed = replace(loads, base_external=np.array(BASE_WRENCH))
    return [dict(tree=tree, loads=loads), dict(tree=tree, loads=pushed)]


def _fresh(rng):
    """A small tree: a base with two chains of two links each, pushed and turning."""
    turn = [rotation_about(axis, rng.uniform(0.4, 1.2)) for axis in "xyz"]
    base = FloatingBase(cylinder_inertia(0.5, rng.uniform(2, 5), 0.1), turn[0] @ turn[1])
    bodies = []
    for k in range(4):
        root = k % 2 == 0
        place = (turn[k // 2 + 1], rng.uniform(0.1, 0.4, 3)) if root else (np.eye(3), (0.3, 0, 0))
        link = cylinder_inertia(0.3, rng.uniform(0.4, 1.2), 0.03)
        bodies.append(Body(-1 if root else k - 1, Revolute((0, root, not root)), link, place))
    tree = Tree.build(bodies, random_vector(rng, 4, 0.3, 1.2), base)
    loads = DynamicsLoads(
        velocity=random_vector(rng, 4, 0.3, 1.0),
        torque=random_vector(rng, 4, 0.1, 1.0),
        base_velocity=random_vector(rng, 6, 0.3, 1.0),
        base_external=random_vector(rng, 6, 0.5, 3.0),
    )
    return dict(tree=tree, loads=loads)


def _physical(tree, loads):
    """(base acceleration, q̈) from M ν̇ + h = (w₀, τ); the known wrench stands in the bias."""
    effort = np.append(np.zeros(6), loads.torque)
    nu_dot = np.linalg.solve(mass_matrix(tree), effort - bias_force(tree, loads))
    return nu_dot[:6], nu_dot[6:]


def _field(tree, loads):
    """Gravity as a spatial acceleration in base axes."""
    return np.concatenate([np.zeros(3), tree.base.rotation.T @ loads.gravity])


def _algorithmic(tree, loads):
    return _physical(tree, loads)[0] - _field(tree, loads)


def _ordinary(tree, loads, spatial=None):
    a = _physical(tree, loads)[0] if spatial is None else spatial
    v = loads.base_velocity
    return a[3:] + np.cross(v[:3], v[3:])


def _joints(tree, loads):
    return _physical(tree, loads)[1]


def _own_inertia_only(tree, loads):
    """−I₀⁻¹ p₀^A; with algorithmic a₀ = −(I₀^A)⁻¹ p₀^A known, p₀^A follows from I₀^A."""
    H = mass_matrix(tree)
    IA0 = H[:6, :6] - H[:6, 6:] @ np.linalg.solve(H[6:, 6:], H[6:, :6])
    return np.linalg.solve(tree.base.inertia, IA0 @ _algorithmic(tree, loads))


def _locked_joints(tree, loads):
    """The locked subtree's inertia at the root instead of the articulated one."""
    H = mass_matrix(tree)
    IA0 = H[:6, :6] - H[:6, 6:] @ np.linalg.solve(H[6:, 6:], H[6:, :6])
    return np.linalg.solve(H[:6, :6], IA0 @ _algorithmic(tree, loads))


def _held(tree, loads):
    """q̈ when the base keeps its velocity: no acceleration at the root."""
    h = bias_force(tree, loads)[6:]
    return np.linalg.solve(mass_matrix(tree)[6:, 6:], loads.torque - h)


def _no_weight(tree, loads):
    """q̈ when pass 3 starts from a zero root acceleration: the base held, and no gravity."""
    return _held(tree, replace(loads, gravity=np.zeros(3)))


EXERCISE = Exercise(
    "ex04_floating_base",
    "Floating base",
    "solve for a free root, and tell its three accelerations apart",
    minutes=50,
    tasks=(
        Task(
            "root_acceleration",
            Quantity("a₀", UNIT, PARTS),
            _stated,
            _fresh,
            _algorithmic,
            mistakes=(
                Mistake(
                    "the base's own inertia",
                    _own_inertia_only,
                    "The root was solved with the base's own rigid inertia. It carries the whole "
                    "tree: what belongs there is I₀^A, to which every child has contributed.",
                    ROOT,
                ),
                Mistake(
                    "composite inertia",
                    _locked_joints,
                    "The root was solved with the inertia of the tree with all joints locked. "
                    "They are free: use the articulated inertia I₀^A.",
                    ROOT,
                ),
                Mistake(
                    "sign of the bias",
                    lambda tree, loads: -_algorithmic(tree, loads),
                    "The sign is turned round: I₀^A a₀ + p₀^A = 0, so the bias goes to the other "
                    "side.",
                    ROOT,
                ),
                Mistake(
                    "physical",
                    lambda tree, loads: _physical(tree, loads)[0],
                    "This is the physical acceleration. Asked for is the algorithmic a₀, in "
                    "which gravity stands as −g and which the root solve gives as it is.",
                    GRAVITY,
                ),
            ),
        ),
        Task(
            "physical_root_acceleration",
            Quantity("a_base", UNIT, PARTS),
            _stated,
            _fresh,
            lambda tree, loads: _physical(tree, loads)[0],
            mistakes=(
                Mistake(
                    "algorithmic",
                    _algorithmic,
                    "This is the algorithmic a₀, which holds −g. A free base that nothing "
                    "pushes would seem to stand still in it: add gravity in base axes.",
                    GRAVITY,
                ),
                Mistake(
                    "gravity twice",
                    lambda tree, loads: _physical(tree, loads)[0] + _field(tree, loads),
                    "Gravity is counted twice: once as a load (or already added), and once more "
                    "when −g is taken out.",
                    GRAVITY,
                ),
                Mistake(
                    "gravity in world axes",
                    lambda tree, loads: (
                        _algorithmic(tree, loads) + np.append(np.zeros(3), loads.gravity)
                    ),
                    "Gravity was added in world axes to a vector in base axes. Turn it first: "
                    "R₀ᵀ g.",
                    GRAVITY,
                ),
            ),
        ),
        Task(
            "origin_acceleration",
            Quantity("p̈", "m/s²", ("x", "y", "z")),
            _stated,
            _fresh,
            _ordinary,
            mistakes=(
                Mistake(
                    "spatial",
                    lambda tree, loads: _physical(tree, loads)[0][3:],
                    "This is the linear part of the spatial acceleration. It lacks ω × v: the "
                    "base axes turn while the origin moves.",
                    GRAVITY,
                ),
                Mistake(
                    "order of the product",
                    lambda tree, loads: 2 * _physical(tree, loads)[0][3:] - _ordinary(tree, loads),
                    "The product of ω and v has the wrong sign: v × ω where ω × v belongs.",
                    GRAVITY,
                ),
                Mistake(
                    "algorithmic",
                    lambda tree, loads: _ordinary(tree, loads, _algorithmic(tree, loads)),
                    "Gravity's −g is still in this acceleration: start from the physical one.",
                    GRAVITY,
                ),
            ),
        ),
        Task(
            "floating_accelerations",
            Quantity("q̈", "rad/s²"),
            _stated,
            _fresh,
            _joints,
            mistakes=(
                Mistake(
                    "base held",
                    _held,
                    "These are the accelerations with the base held at its velocity: pass 3 "
                    "started from −g, as for a fixed base. Start it from a₀.",
                    ROOT,
                ),
                Mistake(
                    "base held, no weight",
                    _no_weight,
                    "These are the accelerations when pass 3 starts from zero. Start it from the "
                    "a₀ of the root solve.",
                    ROOT,
                ),
            ),
        ),
    ),
)
