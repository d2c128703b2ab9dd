"""Slopes of dynamics, of trajectories and of events, each against running again."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from chapter_lib import (
    DynamicsLoads,
    at_event,
    forward_dynamics,
    jacobian,
    kinetic_mass_matrix,
    point_jacobian,
    policy_field,
    slope,
    swing_to,
    three_link_arm,
    two_armed_linkage,
    world_point,
)
from chapter_lib.lagrange import gravity_force, velocity_force

ARM, TIP = three_link_arm(), (0.25, 0, 0)
START = np.array([-2.6, 0.2, -0.3, 0.5, 0.0, -0.4])
PUSH = np.array([1.0, 0, 0])


def policy(t, q, qd):
    return np.array([2.0, -3 * (q[1] - 0.1) - 0.3 * qd[1], -2 * (q[2] + 0.3) - 0.1 * qd[2]])


def gap(x):
    return 0.05 - world_point(ARM.at(x[:3]), 2, TIP)[0]


FIELD = policy_field(ARM, policy)


@pytest.fixture(scope="module")
def swing():
    return swing_to(FIELD, START, gap, 4e-3, 2.0, np.zeros(3), PUSH)


def rerun(small):
    return swing_to(FIELD, START, gap, 4e-3, 2.0, small * PUSH, PUSH)


def test_slopes_of_a_known_function():
    def function(x):
        return np.array([x[0] ** 2 * x[1], np.sin(x[1])])

    J = jacobian(function, np.array([2.0, 0.5]))
    np.testing.assert_allclose(J, [[2.0, 4.0], [0.0, np.cos(0.5)]], rtol=1e-15)
    direction = slope(function, np.array([2.0, 0.5]), [1.0, -1.0])
    np.testing.assert_allclose(direction, J @ [1.0, -1.0], rtol=1e-15)


def test_motion_against_an_independent_integration(swing):
    """SciPy's DOP853 on accelerations from kinetic energy, Christoffel terms and the potential."""

    def independent(t, x):
        tree = ARM.at(x[:3])
        h = velocity_force(tree, x[3:]) + gravity_force(tree)
        M = kinetic_mass_matrix(tree)
        return np.concatenate([x[3:], np.linalg.solve(M, policy(t, x[:3], x[3:]) - h)])

    def closed(t, x):
        return gap(x)

    closed.terminal, closed.direction = True, -1
    run = solve_ivp(independent, (0, 2), START, "DOP853", events=closed, rtol=1e-11, atol=1e-11)
    assert swing.time[-1] == pytest.approx(run.t_events[0][0], abs=1e-6)
    np.testing.assert_allclose(swing.state[-1], run.y_events[0][0], atol=1e-4)
    assert abs(gap(swing.state[-1])) < 1e-12


def test_variation_is_what_running_again_shows(swing):
    """Second order in the perturbation: a hundredth of it leaves a hundredth of the mismatch."""
    k = len(swing.time) - 6
    misses = []
    for small in (1e-1, 1e-3):
        measured = (rerun(small).state[k] - swing.state[k]) / small
        misses.append(np.abs(measured - swing.change[k]).max())
    assert misses[0] < 0.1 * np.abs(swing.change[k]).max() + 0.05
    assert misses[1] < 0.03 * misses[0]


def test_event_time_and_state(swing):
    end = swing.state[-1]
    rate = FIELD(swing.time[-1], end, np.zeros(3))
    dt, change = at_event(gap, end, rate, swing.change[-1])
    up, down = rerun(1e-4), rerun(-1e-4)
    assert dt == pytest.approx((up.time[-1] - down.time[-1]) / 2e-4, rel=1e-5)
    np.testing.assert_allclose(change, (up.state[-1] - down.state[-1]) / 2e-4, rtol=1e-4, atol=1e-5)
    assert abs(slope(gap, end, change)) < 1e-12  # the gap stays closed to first order


def test_a_line_that_is_never_reached():
    with pytest.raises(ValueError, match="argument gap: still open"):
        swing_to(FIELD, START, lambda x: gap(x) + 5, 1e-2, 0.05, np.zeros(3), PUSH)


def test_field_is_forward_dynamics():
    x = np.array([0.4, -0.7, 0.2, 0.8, -0.5, 1.1])
    loads = DynamicsLoads(x[3:], policy(0, x[:3], x[3:]) + PUSH)
    expected = forward_dynamics(ARM.at(x[:3]), loads).joint_acceleration
    np.testing.assert_array_equal(FIELD(0.0, x, PUSH), [*x[3:], *expected])


def test_both_hands_meet_on_the_club():
    golfer = two_armed_linkage()
    hand = world_point(golfer, 4, (0.28, 0, 0))
    np.testing.assert_allclose(hand, world_point(golfer, 2, (0.1, 0, 0)), atol=1e-12)
    J = point_jacobian(golfer, 4, (0.28, 0, 0))[1] - point_jacobian(golfer, 2, (0.1, 0, 0))[1]
    assert np.linalg.matrix_rank(J[:2]) == 2
