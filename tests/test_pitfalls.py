"""Faults that dynamics libraries have shipped, with right values from an independent library."""

import numpy as np
import pytest

from chapter_lib import (
    Body,
    DynamicsLoads,
    Prismatic,
    Revolute,
    Tree,
    bias_force,
    cylinder_chain,
    cylinder_inertia,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
    three_link_arm,
)
from tests.mechanisms import random_loads, random_tree, relative_error

LOADS = DynamicsLoads(velocity=[0.8, -0.5, 1.1], torque=[4.0, -1.0, 0.3])


def arm_with(**changes):
    """The worked arm with other damping or armature on its joints."""
    tree = three_link_arm()
    bodies = []
    for i in range(3):
        options = {what: values[i] for what, values in changes.items()}
        placement = (tree.rotation0[i], tree.offset[i])
        bodies.append(Body(i - 1, tree.joints[i], tree.inertia[i], placement, **options))
    return Tree.build(bodies, tree.angles)


def test_gravity_sign_and_gravity_twice():
    rod = cylinder_chain([1.0], [1.0], [0.0], 0.05)
    rest = DynamicsLoads(velocity=[0.0])
    assert forward_dynamics(rod, rest).joint_acceleration[0] == pytest.approx(-14.687461, abs=5e-7)
    assert inverse_dynamics(rod, rest, [0.0])[0] == pytest.approx(4.905)


def test_armature_in_both_routes():
    tree = arm_with(armature=(0.04, 0, 0))
    qdd = forward_dynamics(tree, LOADS).joint_acceleration
    np.testing.assert_allclose(qdd, [1.753682, -78.861712, 174.847456], atol=5e-7)
    M = mass_matrix(tree)
    assert M[0, 0] == pytest.approx(0.854793, abs=5e-7)
    np.testing.assert_allclose(np.linalg.solve(M, LOADS.torque - bias_force(tree, LOADS)), qdd)


def test_damping_in_both_routes():
    tree = arm_with(damping=(0.2, 0.1, 0.03))
    qdd = forward_dynamics(tree, LOADS).joint_acceleration
    np.testing.assert_allclose(qdd, [0.810367, -74.017506, 163.467826], atol=5e-7)
    np.testing.assert_allclose(inverse_dynamics(tree, LOADS, qdd), [4, -1, 0.3], atol=1e-12)
    power = -tree.damping @ LOADS.velocity**2
    assert power == pytest.approx(-0.1893)


def test_prismatic_is_not_an_angle():
    """A cart of 1 kg with a hanging rod, pushed with 3 N from rest."""
    cart = np.eye(6) * 0.01
    cart[3:, 3:] = np.eye(3)
    down = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.0]])
    bodies = [
        Body(-1, Prismatic((1, 0, 0)), cart, name="cart"),
        Body(0, Revolute(), cylinder_inertia(1.0, 1.0, 0.05), (down, (0, 0, 0)), "rod"),
    ]
    result = forward_dynamics(Tree.build(bodies), DynamicsLoads([0, 0], [3.0, 0]))
    np.testing.assert_allclose(result.joint_acceleration, [2.397308, -3.589232], atol=5e-7)


def test_symmetry_catches_what_a_round_trip_cannot():
    two = cylinder_chain([0.4, 0.3], [2.0, 1.2], [0.4, -0.7], 0.025)
    M = mass_matrix(two)
    expected = [[0.445303942, 0.091256137], [0.091256137, 0.0361875]]
    np.testing.assert_allclose(M, expected, atol=5e-10)
    np.testing.assert_array_equal(M, M.T)


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_mass_times_acceleration_and_bias_is_inverse_dynamics(seed, floating):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, 6, floating)
    loads = random_loads(rng, tree)
    nu_dot = rng.normal(size=6 + 6 * floating)
    total = mass_matrix(tree) @ nu_dot + bias_force(tree, loads)
    if floating:
        got = np.concatenate(inverse_dynamics(tree, loads, nu_dot[6:], nu_dot[:6]))
    else:
        got = inverse_dynamics(tree, loads, nu_dot)
    assert relative_error(got, total) < 1e-11


def test_gravity_term_does_not_know_the_velocity():
    rng = np.random.default_rng(2)
    tree = random_tree(rng, 6, damping=False)
    g = rng.normal(size=3)
    terms = []
    for _ in range(2):
        qd = rng.normal(size=6)
        with_g = bias_force(tree, DynamicsLoads(qd, gravity=g))
        terms.append(with_g - bias_force(tree, DynamicsLoads(qd, gravity=np.zeros(3))))
    np.testing.assert_allclose(*terms, atol=1e-11)


def test_nan_is_an_error_that_names_the_torque():
    with pytest.raises(ValueError, match="argument torque.*nan"):
        DynamicsLoads(velocity=np.zeros(3), torque=[np.nan, 0, 0])


def test_depth_first_and_breadth_first():
    """A torso with two arms of two links, numbered both ways."""
    link = cylinder_inertia(0.3, 1.0, 0.02)
    hinge, end = Revolute(), (np.eye(3), (0.3, 0, 0))
    depth = Tree.build(
        [Body(-1, hinge, link), Body(0, hinge, link, end), Body(1, hinge, link, end),
         Body(0, hinge, link, end), Body(3, hinge, link, end)],
        [0.1, 0.2, 0.3, -0.4, -0.5],
    )  # fmt: skip
    order = [0, 1, 3, 2, 4]  # breadth first: torso, both upper, both lower
    breadth = Tree.build(
        [Body(-1, hinge, link), Body(0, hinge, link, end), Body(0, hinge, link, end),
         Body(1, hinge, link, end), Body(2, hinge, link, end)],
        depth.angles[order],
    )  # fmt: skip
    tau, qd = np.array([1.0, -2, 3, -4, 5]), np.array([0.5, 0.4, -0.3, 0.2, 0.1])
    a = forward_dynamics(depth, DynamicsLoads(qd, tau)).joint_acceleration
    b = forward_dynamics(breadth, DynamicsLoads(qd[order], tau[order])).joint_acceleration
    np.testing.assert_allclose(b, a[order], rtol=1e-11)
