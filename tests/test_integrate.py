"""Integrators: against closed forms, SciPy on the Lagrange route, and conservation laws."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from chapter_lib import (
    Body,
    FloatingBase,
    PlanarArm,
    Prismatic,
    Revolute,
    Tree,
    centroidal_momentum,
    configuration_map,
    cylinder_chain,
    gravity_force,
    kinetic_energy,
    kinetic_mass_matrix,
    midpoint,
    observed_orders,
    planar_forward_dynamics,
    quaternion_of,
    quaternion_rate,
    rigid_inertia,
    rk4,
    rotation_about,
    simulate,
    three_link_arm,
    total_energy,
    uniform_chain,
    velocity_first,
    velocity_force,
    verlet,
)

from . import mechanisms

ORDERS = dict(velocity_first=1, midpoint=2, verlet=2, rk4=4)


def pendulum(t, q, v):
    return -9.81 * np.sin(q)


def pendulum_at(t, start):
    """θ and θ' of `θ'' = −9.81 sin θ` released from rest at `start`, by elliptic functions."""
    w, k = np.sqrt(9.81), np.sin(start / 2)
    sn, cn, dn, _ = ellipj(ellipk(k**2) - w * t, k**2)
    return 2 * np.arcsin(k * sn), -2 * k * w * cn


def last(step, acceleration, q, v, T, n):
    for k in range(n):
        q, v = step(q, v, T / n, acceleration, k * T / n)
    return np.append(q, v)


@pytest.mark.parametrize("method", ORDERS)
def test_orders_on_the_pendulum(method):
    step = dict(velocity_first=velocity_first, midpoint=midpoint, verlet=verlet, rk4=rk4)[method]
    exact = np.array(pendulum_at(1.0, 1.0))
    errors = [
        np.linalg.norm(last(step, pendulum, np.array([1.0]), np.array([0.0]), 1.0, 2**k) - exact)
        for k in range(4, 9)
    ]
    np.testing.assert_allclose(observed_orders(errors)[1:], ORDERS[method], atol=0.15)


@pytest.mark.parametrize("method", ORDERS)
def test_orders_where_forces_depend_on_time_and_velocity(method):
    """`q̈ = −q − q̇/2 + 2 cos 3t`: its solution from a matrix exponential by SciPy's integrator."""
    step = dict(velocity_first=velocity_first, midpoint=midpoint, verlet=verlet, rk4=rk4)[method]

    def acceleration(t, q, v):
        return -q - v / 2 + 2 * np.cos(3 * t)

    exact = solve_ivp(
        lambda t, x: [x[1], acceleration(t, *x)], (0, 1), [0.3, -0.4], rtol=1e-12, atol=1e-13
    ).y[:, -1]
    errors = [
        np.linalg.norm(last(step, acceleration, np.array([0.3]), np.array([-0.4]), 1, 2**k) - exact)
        for k in range(4, 8)
    ]
    np.testing.assert_allclose(observed_orders(errors)[1:], ORDERS[method], atol=0.15)


def lagrange_solution(tree, velocity, torque, T):
    """The state at T by SciPy's integrator on kinetic energy and Christoffel terms."""

    def rate(t, x):
        moved, v = tree.at(x[: tree.n]), x[tree.n :]
        h = velocity_force(moved, v) + gravity_force(moved)
        return np.append(v, np.linalg.solve(kinetic_mass_matrix(moved), torque(t, x[:3], v) - h))

    start = np.append(tree.angles, velocity)
    return solve_ivp(rate, (0, T), start, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]


def test_a_driven_arm_against_the_lagrange_route():
    arm, velocity = three_link_arm(), [0.8, -0.5, 1.1]

    def torque(t, q, qd):
        return np.array([4 * np.cos(3 * t), -q[1], 0.3 - 0.05 * qd[2]])

    exact = lagrange_solution(arm, velocity, torque, 0.1)
    moved = simulate(arm, velocity, 0.1 / 64, 64, torque=torque)
    reached = np.append(moved.angles[-1], moved.velocities[-1])
    np.testing.assert_allclose(reached, exact, rtol=1e-6, atol=1e-6)


def plain_verlet(*args):
    return verlet(*args, predictor=False)


@pytest.fixture(scope="module")
def end_of_the_worked_arm():
    """By SciPy's integrator on the closed forms of the planar arm."""
    lengths, masses = np.array([0.4, 0.3, 0.25]), np.array([2.0, 1.2, 0.6])
    arm = PlanarArm(lengths, masses, masses * (lengths**2 + 3 * 0.025**2) / 12)

    def rate(t, x):
        return np.append(
            x[3:], planar_forward_dynamics(arm, x[:3], x[3:], np.zeros(3), gravity=(0, -9.81))
        )

    start = [0.4, -0.7, 0.2, 0.8, -0.5, 1.1]
    return solve_ivp(rate, (0, 0.2), start, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]


@pytest.mark.parametrize(("method", "order"), [*ORDERS.items(), (plain_verlet, 1)])
def test_orders_on_the_worked_arm(end_of_the_worked_arm, method, order):
    """Where forces depend on velocity, Verlet owes its second order to the predictor."""
    errors = []
    for k in (6, 7):
        moved = simulate(three_link_arm(), [0.8, -0.5, 1.1], 0.2 / 2**k, 2**k, method)
        reached = np.append(moved.angles[-1], moved.velocities[-1])
        errors.append(np.linalg.norm(reached - end_of_the_worked_arm))
    assert observed_orders(errors)[0] == pytest.approx(order, abs=0.25)


def test_energy_drift_of_the_four_cylinder_chain():
    """Exercise 9's chain: sixteen and two a halving, where the errors are known."""
    chain = uniform_chain(4, angles=[0.4, -0.2, 0.3, -0.1])
    known = dict(rk4=(2.12e-6, 16), velocity_first=(0.732, 2))
    for method, (size, ratio) in known.items():
        errors = []
        for h in (4e-3, 2e-3):
            moved = simulate(chain, np.zeros(4), h, round(0.5 / h), method)
            energy = moved.along(total_energy)
            errors.append(np.abs(energy - energy[0]).max())
        assert errors[1] == pytest.approx(size, rel=0.01)
        assert errors[0] / errors[1] == pytest.approx(ratio, rel=0.1)


def test_the_rate_of_a_quaternion():
    half = np.sqrt(0.5)
    rate = quaternion_rate((half, 0, 0, half), (0, 0, 2))
    np.testing.assert_allclose(rate, (-half, 0, 0, half))
    rng = np.random.default_rng(4)
    for _ in range(10):
        R, nu, h = mechanisms.random_rotation(rng), rng.normal(size=6), 1e-6
        quaternion = quaternion_of(R)
        N = configuration_map(quaternion)
        np.testing.assert_allclose((N @ nu)[:4], quaternion_rate(quaternion, nu[:3]))
        np.testing.assert_allclose((N @ nu)[4:], R @ nu[3:])
        base = FloatingBase(np.eye(6), quaternion + h * (N @ nu)[:4], allow_degenerate=True)
        w = nu[:3]
        turned = R @ np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        np.testing.assert_allclose((base.rotation - R) / h, turned, atol=1e-4)
        np.testing.assert_allclose(FloatingBase(np.eye(6), quaternion).rotation, R, atol=1e-14)


@pytest.fixture
def thrown():
    """A free body of unequal moments, thrown and tumbling."""
    inertia = rigid_inertia(2.0, (0.1, -0.05, 0.2), np.diag([0.05, 0.09, 0.12]))
    base = FloatingBase(inertia, rotation_about("x", 0.4), (0.1, 1.0, -0.3))
    return Tree.build([], base=base), np.array([3.0, 0.2, -1.0, 0.5, 2.0, -0.4])


@pytest.mark.parametrize(("method", "order"), ORDERS.items())
def test_a_tumbling_body_keeps_its_angular_momentum(thrown, method, order):
    body, v0 = thrown
    errors = []
    for k in (5, 6, 7):
        moved = simulate(body, [], 0.5 / 2**k, 2**k, method, base_velocity=v0)
        h = moved.along(centroidal_momentum)
        fall = 2.0 * np.outer(moved.time, (0, -9.81, 0))
        errors.append(np.linalg.norm(h[-1] - h[0] - np.append(np.zeros(3), fall[-1])))
        lengths = np.linalg.norm(moved.quaternions, axis=1)
        np.testing.assert_allclose(lengths, 1, rtol=1e-14)
    assert observed_orders(errors)[-1] == pytest.approx(order, abs=0.4)
    if method == "rk4":
        energy = moved.along(total_energy)
        np.testing.assert_allclose(energy, energy[0], rtol=1e-7)


@pytest.mark.parametrize(("method", "order"), ORDERS.items())
def test_the_pose_of_a_tumbling_body_has_the_order_of_the_method(thrown, method, order):
    body, v0 = thrown

    def rate(t, x):  # Euler's equations about the centre of mass, rotation matrix and all
        R, w = x[:9].reshape(3, 3), x[9:]
        I = np.diag([0.05, 0.09, 0.12])
        turning = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.append((R @ turning).ravel(), np.linalg.solve(I, -np.cross(w, I @ w)))

    start = np.append(body.base.rotation.ravel(), v0[:3])
    end = solve_ivp(rate, (0, 0.5), start, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    com = np.array([0.1, -0.05, 0.2])
    R0, R = body.base.rotation, end[:9].reshape(3, 3)
    throw = R0 @ (v0[3:] + np.cross(v0[:3], com))
    at = body.base.position + R0 @ com + 0.5 * throw + 0.5**3 * np.array([0, -9.81, 0]) - R @ com
    errors = []
    for k in (5, 6, 7):
        tree, _ = simulate(body, [], 0.5 / 2**k, 2**k, method, base_velocity=v0).state(-1)
        errors.append(np.abs(tree.base.rotation - R).max() + np.abs(tree.base.position - at).max())
    assert observed_orders(errors)[-1] == pytest.approx(order, abs=0.4)


def test_a_floating_mechanism_keeps_momentum_whatever_its_joints_do():
    rng = np.random.default_rng(11)
    tree = mechanisms.random_tree(rng, 4, True, damping=False, armature=False)
    torque = rng.uniform(-2, 2, 4)
    moved = simulate(
        tree,
        rng.uniform(-1, 1, 4),
        0.002,
        100,
        torque=torque,
        base_velocity=rng.uniform(-1, 1, 6),
        gravity=(0, 0, 0),
    )
    h = moved.along(centroidal_momentum)
    np.testing.assert_allclose(h, np.broadcast_to(h[0], h.shape), rtol=1e-7, atol=1e-7)
    gained = moved.along(kinetic_energy) - kinetic_energy(*moved.state(0))
    work = torque @ (moved.angles[-1] - moved.angles[0])
    assert gained[-1] == pytest.approx(work, rel=1e-7)


def test_a_bounce_at_the_end_of_a_step_ruins_the_order():
    mass = rigid_inertia(1.0, np.zeros(3), 0.01 * np.eye(3))
    ball = Tree.build([Body(-1, Prismatic((0, 1, 0)), mass)], [1.0])

    def bounce(t, q, v):
        return q, np.where((q < 0) & (v < 0), -0.8 * v, v)

    strike = np.sqrt(2 / 9.81)
    up, rest = 0.8 * 9.81 * strike, 1.0 - strike
    exact = np.array([up * rest - 9.81 / 2 * rest**2, up - 9.81 * rest])
    errors = []
    for k in range(4, 9):
        moved = simulate(ball, [0.0], 2.0**-k, 2**k, after=bounce)
        reached = np.append(moved.angles[-1], moved.velocities[-1])
        errors.append(np.linalg.norm(reached - exact))
    assert abs(np.mean(observed_orders(errors)) - 1) < 0.6
    smooth = simulate(ball, [0.0], 2.0**-6, 28, "rk4")  # before the impact it is exact
    assert smooth.angles[-1, 0] == pytest.approx(1 - 9.81 / 2 * (28 / 64) ** 2, abs=1e-13)


def test_a_simulation_is_the_repeated_step_and_leaves_its_inputs():
    tree = cylinder_chain([0.4], [2.0], [0.3], 0.025)
    moved = simulate(tree, [0.5], 0.01, 7, "midpoint", torque=[0.2])

    def acceleration(t, q, v):
        I = tree.inertia[0][2, 2]
        return (0.2 - 2.0 * 9.81 * 0.2 * np.cos(q)) / I

    q, v = np.array([0.3]), np.array([0.5])
    for _ in range(7):
        q, v = midpoint(q, v, 0.01, acceleration)
    np.testing.assert_allclose([moved.angles[-1], moved.velocities[-1]], [q, v], rtol=1e-12)
    assert moved.time[-1] == pytest.approx(0.07) and moved.angles.shape == (8, 1)
    assert tree.angles[0] == 0.3
    with pytest.raises(ValueError):
        moved.angles[0] = 1.0
    again, loads = moved.state(3)
    np.testing.assert_array_equal(again.angles, moved.angles[3])
    np.testing.assert_array_equal(loads.velocity, moved.velocities[3])
    back = simulate(moved.state(-1)[0], moved.velocities[-1], -0.01, 7, "rk4", torque=[0.2])
    assert back.angles[-1, 0] == pytest.approx(0.3, abs=1e-4)


def test_the_state_after_a_motion_can_be_differentiated_by_the_complex_step():
    arm, velocity = three_link_arm(), np.array([0.8, -0.5, 1.1])

    def end(change):
        return simulate(arm, velocity + change, 0.01, 5).angles[-1]

    slope = end(np.array([1e-30j, 0, 0])).imag / 1e-30
    difference = (end(np.array([1e-5, 0, 0])) - end(np.array([-1e-5, 0, 0]))) / 2e-5
    np.testing.assert_allclose(slope, difference, rtol=1e-6)


def test_what_is_refused():
    tree = Tree.build([Body(-1, Revolute(), rigid_inertia(1.0, (0.1, 0, 0), np.eye(3) * 0.01))])
    with pytest.raises(ValueError, match="velocity_first"):
        simulate(tree, [0.0], 0.1, 1, "euler")
    with pytest.raises(ValueError, match="dt"):
        simulate(tree, [0.0], 0.0, 1)
    with pytest.raises(ValueError, match="steps"):
        simulate(tree, [0.0], 0.1, 1.5)
    with pytest.raises(FloatingPointError, match="shorter steps"):
        simulate(tree, [0.0], 0.1, 400, torque=lambda t, q, v: 1e4 * v + 1)
    with pytest.raises(ValueError, match="positive"):
        observed_orders([1.0, 0.0])
