"""Bad input: an error that names the argument, the body and the rule, with the numbers."""

import re

import numpy as np
import pytest

from chapter_lib import (
    Body,
    DynamicsLoads,
    FloatingBase,
    Helical,
    PlanarArm,
    Prismatic,
    Revolute,
    Tree,
    articulate,
    base_reaction,
    cylinder_chain,
    cylinder_inertia,
    floating_thirty,
    forward_dynamics,
    inverse_dynamics,
    planar_forward_dynamics,
    rigid_inertia,
    three_link_arm,
)

GOOD = cylinder_inertia(0.3, 1.0, 0.02)


def says(*parts, error=ValueError):
    """Expect an error whose message holds all the parts, in order."""
    return pytest.raises(error, match="(?s)" + ".*".join(re.escape(part) for part in parts))


def spoiled(index, value):
    I = GOOD.copy()
    I[index] = value
    return I


@pytest.mark.parametrize("joint", [Revolute, Prismatic, lambda axis: Helical(axis, 0.1)])
def test_axes(joint):
    with says("argument axis", "length 1", "[0.0, 0.0, 2.0]", "length 2"):
        joint((0, 0, 2))
    with says("argument axis", "length 0"):
        joint((0, 0, 0))
    with says("argument axis", "finite", "nan"):
        joint((0, np.nan, 1))
    with says("argument axis", "shape (3,)", "(2,)"):
        joint((0, 1))


def test_pitch():
    with says("pitch", "finite"):
        Helical((0, 0, 1), np.inf)


@pytest.mark.parametrize(
    ("inertia", "parts"),
    [
        (spoiled((0, 1), 1.0), ["body 'hand'", "inertia must be symmetric", "[0, 1]"]),
        (spoiled((2, 2), np.nan), ["body 'hand'", "argument inertia", "finite", "nan", "(2, 2)"]),
        (np.eye(5), ["body 'hand'", "argument inertia", "(6, 6)", "(5, 5)"]),
        (spoiled((4, 4), 1.5), ["body 'hand'", "mass times the identity"]),
        (np.zeros((6, 6)), ["body 'hand'", "mass must be positive", "0 kg"]),
        (rigid_inertia(-1.0, np.zeros(3), np.eye(3)), ["body 'hand'", "mass must be positive"]),
        (cylinder_inertia(0.3, 1.0, 0.0), ["body 'hand'", "positive definite", "principal"]),
        (rigid_inertia(1.0, np.ones(3), np.zeros((3, 3))), ["body 'hand'", "positive definite"]),
        (rigid_inertia(1.0, np.zeros(3), np.diag([1, 1, 3.0])), ["triangle", "1, 1, 3 kg m²"]),
        (rigid_inertia(1.0, np.zeros(3), np.diag([1, -1, 1.0])), ["positive definite"]),
    ],
)
def test_inertias(inertia, parts):
    with says(*parts):
        Body(-1, Revolute(), inertia, name="hand")


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 1e3, 1e6])
def test_a_gram_and_a_tonne_pass(scale):
    Body(-1, Revolute(), cylinder_inertia(0.3, scale, 0.02))
    Body(-1, Revolute(), cylinder_inertia(scale, 1.0, scale / 100))
    with says("triangle"):
        Body(-1, Revolute(), rigid_inertia(scale, np.zeros(3), scale * np.diag([1, 1, 3.0])))


def test_degenerate_bodies_can_be_meant():
    rod = cylinder_inertia(0.25, 0.6, 0.0)
    with says("say allow_degenerate=True if you mean it"):
        Body(-1, Revolute(), rod)
    tree = Tree.build([Body(-1, Revolute((1, 0, 0)), rod, name="rod", allow_degenerate=True)])
    with says("body 0 ('rod')", "pivot d = 0", "not positive", error=np.linalg.LinAlgError):
        articulate(tree)
    with says("lengths", "link 1", "positive", "-0.3"):
        cylinder_chain([0.4, -0.3], [1, 1], [0, 0], 0.02)
    with says("radius", "link 0", "positive", "0.0"):
        cylinder_chain([0.4, 0.3], [1, 1], [0, 0], 0.0)
    with says("masses", "link 0", "positive"):
        cylinder_chain([0.4, 0.3], [0, 1], [0, 0], 0.02)
    cylinder_chain([0.4, 0.3], [1, 0], [0, 0], 0.02, allow_degenerate=True)


def test_a_massless_link_that_cancels_is_caught():
    """A massless link whose hinge coincides with the next: d is rounding, not exactly zero."""
    arm = [
        Body(-1, Revolute(), cylinder_inertia(0.4, 2.0, 0.025), name="upper"),
        Body(
            0, Revolute(), np.zeros((6, 6)), (np.eye(3), (0.4, 0, 0)), "ghost",
            allow_degenerate=True,
        ),
        Body(1, Revolute(), cylinder_inertia(0.3, 1.2, 0.025), name="fore"),
    ]  # fmt: skip
    for angles in np.random.default_rng(0).uniform(-2, 2, (20, 3)):
        with says("body 1 ('ghost')", "not positive", error=np.linalg.LinAlgError):
            articulate(Tree.build(arm, angles))


def test_placements():
    with says("placement", "rotation", "RᵀR"):
        Body(-1, Revolute(), GOOD, (2 * np.eye(3), np.zeros(3)))
    with says("placement", "determinant", "-1"):
        Body(-1, Revolute(), GOOD, (np.diag([1, 1, -1.0]), np.zeros(3)))
    with says("placement", "pair"):
        Body(-1, Revolute(), GOOD, 3)
    with says("placement", "shape (3,)"):
        Body(-1, Revolute(), GOOD, (np.eye(3), np.zeros(2)))


def test_damping_armature_and_joint():
    with says("body 'hand'", "damping", "negative", "-1"):
        Body(-1, Revolute(), GOOD, name="hand", damping=-1)
    with says("unnamed body (parent 4)", "armature", "negative", "-0.5"):
        Body(4, Revolute(), GOOD, armature=-0.5)
    with says("joint", error=TypeError):
        Body(-1, "hinge", GOOD)
    with says("parent", "integer", error=TypeError):
        Body(0.0, Revolute(), GOOD)


def test_order_of_bodies():
    with says("body 0 ('hand')", "parent", "before its children", "got 1"):
        Tree.build([Body(1, Revolute(), GOOD, name="hand"), Body(-1, Revolute(), GOOD)])
    with says("body 1", "parent", "got 1"):
        Tree.build([Body(-1, Revolute(), GOOD), Body(1, Revolute(), GOOD)])
    with says("body 0", "parent", "got -2"):
        Tree.build([Body(-2, Revolute(), GOOD)])
    with says("at least one body"):
        Tree.build([])
    with says("item 0 must be a Body", error=TypeError):
        Tree.build([GOOD])
    assert Tree.build([], base=FloatingBase(GOOD)).n == 0


def test_base():
    with says("base", "quaternion", "length 0"):
        FloatingBase(GOOD, (0, 0, 0, 0))
    with says("base", "quaternion", "length 2"):
        FloatingBase(GOOD, (2, 0, 0, 0))
    with says("base: mass must be positive"):
        FloatingBase(np.zeros((6, 6)))
    with says("base", "position", "finite"):
        FloatingBase(GOOD, position=(0, np.inf, 0))
    with says("rotation, position", "fixed"):
        three_link_arm().at(position=(0, 0, 1))
    for what in ("base_velocity", "base_external"):
        with says(what, "fixed", "leave it out"):
            forward_dynamics(three_link_arm(), DynamicsLoads(np.zeros(3), **{what: np.zeros(6)}))
    with says("base_acceleration", "fixed"):
        inverse_dynamics(three_link_arm(), DynamicsLoads(np.zeros(3)), np.zeros(3), np.zeros(6))
    with says("base_acceleration", "floating"):
        inverse_dynamics(floating_thirty(), DynamicsLoads(np.zeros(30)), np.zeros(30))
    with says("floating base is held by nothing"):
        base_reaction(floating_thirty(), DynamicsLoads(np.zeros(30)), np.zeros(30))


@pytest.mark.parametrize("what", ["velocity", "torque", "external", "gravity"])
def test_loads(what):
    shapes = dict(velocity=3, torque=3, external=(3, 6), gravity=3)
    good = {key: np.zeros(shape) for key, shape in shapes.items()}
    bad = good[what].copy()
    bad.flat[0] = np.nan
    with says(f"argument {what}", "finite", "nan"):
        DynamicsLoads(**(good | {what: bad}))
    with says(f"argument {what}", "shape"):
        forward_dynamics(three_link_arm(), DynamicsLoads(**(good | {what: np.zeros(7)})))
    with says(f"argument {what}", "numbers", error=TypeError):
        DynamicsLoads(**(good | {what: "fast"}))


def test_angles():
    tree = three_link_arm()
    with says("angles", "(3,)", "(2,)"):
        tree.at([0, 1])
    with says("angles", "finite", "inf", "index 1"):
        tree.at([0, np.inf, 0])
    with says("unequal length"):
        cylinder_chain([[1], [1, 2]], [1, 1], [0, 0], 0.1)
    with says("torque", "(..., 3)", "(2,)"):
        articulate(tree).solve(np.zeros(2))
    with says("body", "−1 to 2", "got 3"):
        from chapter_lib import point_jacobian

        point_jacobian(tree, 3)


def test_singular_planar_arm():
    arm = PlanarArm([0.3, 0.3], [1.0, 0.0], [0.01, 0.0])
    with says("H is singular", "masses", error=np.linalg.LinAlgError):
        planar_forward_dynamics(arm, [0.1, 0.2], [0, 0], [1, 1])
    with says("masses", "(2,)"):
        PlanarArm([0.3, 0.3], [1.0], [0.01, 0.01])


def test_inputs_stay_and_results_are_fresh():
    q, qd, tau = np.array([0.4, -0.7, 0.2]), np.array([0.8, -0.5, 1.1]), np.array([4, -1, 0.3])
    copies = [x.copy() for x in (q, qd, tau)]
    tree, loads = three_link_arm(q), DynamicsLoads(qd, tau)
    first = forward_dynamics(tree, loads)
    kept = first.joint_acceleration.copy()
    again = DynamicsLoads(-qd, 2 * tau)
    forward_dynamics(tree.at(q + 1), again)
    third = forward_dynamics(tree, loads)
    np.testing.assert_array_equal(first.joint_acceleration, kept)
    np.testing.assert_array_equal(third.joint_acceleration, kept)
    for x, copy in zip((q, qd, tau), copies, strict=True):
        np.testing.assert_array_equal(x, copy)
    for name, value in vars(third).items():
        if isinstance(value, np.ndarray):
            for mine in (tree.inertia, tree.S, tree.X, loads.velocity, loads.torque):
                assert not np.shares_memory(value, mine), name
            assert not np.shares_memory(value, getattr(first, name)), name
    q[0] = 99.0
    assert tree.angles[0] == 0.4
    with pytest.raises(ValueError, match="read-only"):
        tree.angles[0] = 1.0
