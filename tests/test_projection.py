"""The constrained acceleration: nearest in the mass metric, against the bordered equations."""

import numpy as np
import pytest
from scipy.optimize import minimize

from chapter_lib import (
    DynamicsLoads,
    closest_acceleration,
    constrained_acceleration,
    constraint_projector,
    forward_dynamics,
    free_acceleration,
    jacobian_rate,
    kinetic_mass_matrix,
    point_jacobian,
    projected_bias,
    three_link_arm,
)

from . import mechanisms

TIP = (0.25, 0, 0)


@pytest.fixture
def held():
    """The worked arm and its fingertip's rows (x, y) with their J̇ q̇."""
    arm = three_link_arm()
    loads = DynamicsLoads([0.8, -0.5, 1.1], torque=[4.0, -1.0, 0.3])
    J = point_jacobian(arm, 2, TIP)[1][:2]
    return arm, loads, J, jacobian_rate(arm, loads, 2, TIP, np.eye(3)[:2])


def test_against_the_bordered_equations(held):
    arm, loads, J, b_c = held
    found = constrained_acceleration(arm, loads, J, b_c)
    M, h = kinetic_mass_matrix(arm), projected_bias(arm, loads.velocity)
    bordered = np.block([[M, -J.T], [J, np.zeros((2, 2))]])
    answer = np.linalg.solve(bordered, np.concatenate([loads.torque - h, -b_c]))
    np.testing.assert_allclose(found.acceleration, answer[:3], rtol=1e-10)
    np.testing.assert_allclose(found.multiplier, answer[3:], rtol=1e-10)
    assert found.rank == 2 and found.unique
    assert np.abs(J @ found.acceleration + b_c).max() < 1e-10


def test_it_is_the_closest_in_the_mass_metric_and_not_in_euclids(held):
    arm, loads, J, b_c = held
    M, free = kinetic_mass_matrix(arm), free_acceleration(arm, loads)
    found = constrained_acceleration(arm, loads, J, b_c).acceleration
    rule = dict(type="eq", fun=lambda a: J @ a + b_c)

    def distance(a):
        return (a - free) @ M @ (a - free) / 2

    searched = minimize(distance, free, constraints=rule, tol=1e-14)
    np.testing.assert_allclose(found, searched.x, rtol=1e-5)
    euclid = free - np.linalg.pinv(J) @ (J @ free + b_c)
    assert distance(euclid) > 1.5 * distance(found)


def test_a_redundant_row_leaves_the_acceleration_and_not_the_multipliers(held):
    arm, loads, J, b_c = held
    more, b_more = np.vstack([J, J.sum(0)]), np.append(b_c, b_c.sum())
    with pytest.raises(np.linalg.LinAlgError, match="rank 2"):
        constrained_acceleration(arm, loads, more, b_more)
    one = constrained_acceleration(arm, loads, J, b_c)
    two = constrained_acceleration(arm, loads, more, b_more, redundant=True)
    np.testing.assert_allclose(two.acceleration, one.acceleration, rtol=1e-10)
    np.testing.assert_allclose(more.T @ two.multiplier, J.T @ one.multiplier, rtol=1e-10)
    assert two.rank == 2 and not two.unique
    assert two.multiplier @ [1, 1, -1] == pytest.approx(0, abs=1e-9)  # the shortest of them
    with pytest.raises(np.linalg.LinAlgError, match="contradict"):
        constrained_acceleration(arm, loads, more, b_more + [0, 0, 1], redundant=True)


@pytest.mark.parametrize("floating", [False, True])
def test_the_projector_is_the_response_of_the_held_mechanism(floating):
    rng = np.random.default_rng(8)
    tree = mechanisms.random_tree(rng, 5, floating)
    M = kinetic_mass_matrix(tree)
    J = rng.normal(size=(3, len(M)))
    P = constraint_projector(M, J)
    W = J @ np.linalg.solve(M, J.T)
    inverse = np.linalg.inv(M)
    expected = inverse - inverse @ J.T @ np.linalg.solve(W, J @ inverse)
    np.testing.assert_allclose(P, expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(J @ P, 0, atol=1e-9)
    np.testing.assert_allclose(P @ M @ P, P, rtol=1e-8, atol=1e-9)
    doubled = constraint_projector(M, np.vstack([J, 2 * J[:1]]), redundant=True)
    np.testing.assert_allclose(doubled, P, rtol=1e-8, atol=1e-9)
    with pytest.raises(np.linalg.LinAlgError, match="rank 3"):
        constraint_projector(M, np.vstack([J, 2 * J[:1]]))


def test_units_of_the_rows_do_not_matter(held):
    arm, loads, J, b_c = held
    one = constrained_acceleration(arm, loads, J, b_c)
    size = np.array([1e-5, 1e5])
    other = constrained_acceleration(arm, loads, size[:, None] * J, size * b_c)
    np.testing.assert_allclose(other.acceleration, one.acceleration, rtol=1e-9)
    np.testing.assert_allclose(size * other.multiplier, one.multiplier, rtol=1e-9)


def test_a_single_row_and_wrong_shapes(held):
    arm, loads, J, b_c = held
    one = constrained_acceleration(arm, loads, J[1], b_c[1])
    assert J[1] @ one.acceleration + b_c[1] == pytest.approx(0, abs=1e-11)
    with pytest.raises(ValueError, match="expected"):
        closest_acceleration(np.eye(3), np.zeros(3), J[:, :2], b_c)


def test_the_free_acceleration_of_a_floating_mechanism_is_physical():
    rng = np.random.default_rng(1)
    tree = mechanisms.random_tree(rng, 3, True)
    loads = mechanisms.random_loads(rng, tree)
    result = forward_dynamics(tree, loads)
    nu_dot = free_acceleration(tree, loads)
    np.testing.assert_array_equal(nu_dot[:6], result.base_acceleration)
    np.testing.assert_array_equal(nu_dot[6:], result.joint_acceleration)
