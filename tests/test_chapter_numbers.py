"""Every number that the chapter prints in its worked example, to its printed digits."""

import numpy as np
import pytest

from chapter_lib import (
    DynamicsLoads,
    bias_force,
    cylinder_chain,
    forward_dynamics,
    gravity_force,
    kinetic_mass_matrix,
    mass_matrix,
    mass_matrix_by_columns,
    three_link_arm,
    velocity_force,
    world_poses,
)

ZXY = np.ix_([2, 3, 4], [2, 3, 4])
LISTING = """
import numpy as np
from chapter_lib import cylinder_chain, DynamicsLoads, forward_dynamics, inverse_dynamics

tree = cylinder_chain(
    np.array([0.4, 0.3, 0.25]),
    np.array([2.0, 1.2, 0.6]),
    np.array([0.4, -0.7, 0.2]),
    0.025,
)
loads = DynamicsLoads(
    velocity=np.array([0.8, -0.5, 1.1]),
    torque=np.array([4.0, -1.0, 0.3]),
)
result = forward_dynamics(tree, loads)
print(result.joint_acceleration)
print(result.pivot)
recovered = inverse_dynamics(
    tree, loads, result.joint_acceleration
)
np.testing.assert_allclose(recovered, loads.torque)
"""


@pytest.fixture(scope="module")
def tree():
    return three_link_arm()


@pytest.fixture(scope="module")
def loads():
    return DynamicsLoads(velocity=[0.8, -0.5, 1.1], torque=[4.0, -1.0, 0.3])


@pytest.fixture(scope="module")
def result(tree, loads):
    return forward_dynamics(tree, loads)


def printed(values, expected):
    """Equal to nine decimals, as printed."""
    np.testing.assert_allclose(values, expected, rtol=0, atol=5.1e-10)


def test_listing_runs_with_only_its_import_line_changed(capsys):
    exec(LISTING, {})
    assert "2.02303508" in capsys.readouterr().out


def test_worked_arm_is_the_chain_of_the_text(tree):
    by_hand = cylinder_chain([0.4, 0.3, 0.25], [2.0, 1.2, 0.6], [0.4, -0.7, 0.2], 0.025)
    np.testing.assert_array_equal(tree.inertia, by_hand.inertia)
    np.testing.assert_array_equal(tree.X, by_hand.X)


def test_absolute_orientations(tree):
    R, _ = world_poses(tree)
    printed(np.arctan2(R[:, 1, 0], R[:, 0, 0]), [0.4, -0.3, -0.1])


def test_velocities(result):
    expected = [[0.8, 0, 0], [0.3, -0.206149660, 0.244749500], [1.4, -0.135535933, 0.369032412]]
    printed(result.velocity[:, [2, 3, 4]], expected)
    assert not result.velocity[:, [0, 1, 5]].any()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (2, [[0.012593750, 0, 0.075], [0, 0.6, 0], [0.075, 0, 0.6]]),
        (
            1,
            [
                [0.051575604, 0.026090063, 0.231293680],
                [0.026090063, 1.782370942, 0.086966875],
                [0.231293680, 0.086966875, 1.370978934],
            ],
        ),
        (
            0,
            [
                [0.260428859, -0.284953502, 0.783624232],
                [-0.284953502, 3.143841922, -0.712383755],
                [0.783624232, -0.712383755, 2.959060579],
            ],
        ),
    ],
)
def test_articulated_inertias(result, body, expected):
    printed(result.articulated_inertia[body][ZXY], expected)


def test_pivots_and_residual_efforts(result):
    printed(result.pivot, [0.260428859, 0.051575604, 0.012593750])
    printed(result.residual_effort, [6.518800728, -1.799610488, 0.314231273])


def test_accelerations(result):
    printed(result.joint_acceleration, [2.023035078, -79.465503634, 175.204404572])


@pytest.mark.parametrize("route", [mass_matrix, kinetic_mass_matrix, mass_matrix_by_columns])
def test_mass_matrix_by_three_routes(tree, route):
    expected = [
        [0.814792916, 0.283348998, 0.060972725],
        [0.283348998, 0.146884246, 0.034645248],
        [0.060972725, 0.034645248, 0.012593750],
    ]
    printed(route(tree), expected)


def test_bias_by_two_routes(tree, loads):
    expected = [14.185426211, 4.029005575, 0.723271650]
    printed(bias_force(tree, loads), expected)
    printed(velocity_force(tree, loads.velocity) + gravity_force(tree), expected)
