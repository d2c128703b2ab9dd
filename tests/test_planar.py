"""The second page's planar arm against the spatial library and against SymPy."""

import numpy as np
import pytest
import sympy as sp

from chapter_lib import (
    Body,
    DynamicsLoads,
    PlanarArm,
    Revolute,
    Tree,
    absolute_angle_map,
    bias_force,
    forward_dynamics,
    kinetic_mass_matrix,
    planar_bias,
    planar_bias_absolute,
    planar_endpoint_jacobian,
    planar_forward_dynamics,
    planar_mass_matrix,
    planar_mass_matrix_absolute,
    planar_points,
    point_jacobian,
    rigid_inertia,
    velocity_force,
    world_wrench,
)


def random_arm(seed, n=4):
    """A planar arm with centres of mass off its links' lines, and the same as a tree."""
    rng = np.random.default_rng(seed)
    L, m, I = rng.uniform(0.2, 0.5, n), rng.uniform(0.5, 2, n), rng.uniform(0.01, 0.05, n)
    com = rng.uniform(-0.2, 0.3, (n, 2))
    q, qd, tau = rng.uniform(-2, 2, (3, n))
    bodies = []
    for i in range(n):
        spatial = rigid_inertia(m[i], np.array([*com[i], 0]), np.diag([0.6, 0.6, 1.0]) * I[i])
        start = (L[i - 1], 0, 0) if i else (0, 0, 0)
        bodies.append(Body(i - 1, Revolute(), spatial, (np.eye(3), start)))
    return PlanarArm(L, m, I, com), Tree.build(bodies, q), q, qd, tau


@pytest.mark.parametrize("seed", range(6))
def test_against_the_tree(seed):
    arm, tree, q, qd, tau = random_arm(seed)
    np.testing.assert_allclose(planar_mass_matrix(arm, q), kinetic_mass_matrix(tree), rtol=1e-11)
    np.testing.assert_allclose(planar_bias(arm, q, qd), velocity_force(tree, qd), atol=1e-11)
    free = DynamicsLoads(qd, gravity=(0.3, -9.81, 0))
    h = planar_bias(arm, q, qd, gravity=(0.3, -9.81))
    np.testing.assert_allclose(h, bias_force(tree, free), atol=1e-11)
    force, tip = np.array([3.0, -2.0]), (arm.lengths[-1], 0, 0)
    np.testing.assert_allclose(
        planar_endpoint_jacobian(arm, q), point_jacobian(tree, 3, tip)[1][:2], atol=1e-12
    )
    external = np.zeros((4, 6))
    external[3] = world_wrench(tree, 3, (*force, 0), tip)
    expected = forward_dynamics(tree, DynamicsLoads(qd, tau, external, gravity=(0, -9.81, 0)))
    got = planar_forward_dynamics(arm, q, qd, tau, force, gravity=(0, -9.81))
    np.testing.assert_allclose(got, expected.joint_acceleration, rtol=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_absolute_angles(seed):
    arm, _, q, qd, _ = random_arm(seed)
    T = absolute_angle_map(4)
    H = T.T @ planar_mass_matrix_absolute(arm, q) @ T
    np.testing.assert_allclose(H, planar_mass_matrix(arm, q), rtol=1e-12)
    b = T.T @ planar_bias_absolute(arm, q, qd)
    np.testing.assert_allclose(b, planar_bias(arm, q, qd), atol=1e-12)


def test_closed_forms_from_the_lagrangian():
    """SymPy's own Lagrange equations, from positions alone."""
    t = sp.Symbol("t")
    theta = [sp.Function(f"theta{i}")(t) for i in range(2)]
    arm = PlanarArm([0.4, 0.3], [2.0, 1.2], [0.03, 0.02], [[0.1, 0.05], [0.2, -0.04]])
    place, K = sp.Matrix([0, 0]), 0
    for i, angle in enumerate(theta):
        x, y = sp.Matrix([sp.cos(angle), sp.sin(angle)]), sp.Matrix([-sp.sin(angle), sp.cos(angle)])
        speed = (place + arm.com[i, 0] * x + arm.com[i, 1] * y).diff(t)
        K += (arm.masses[i] * speed.dot(speed) + arm.inertias[i] * angle.diff(t) ** 2) / 2
        place = place + arm.lengths[i] * x
    equations = [K.diff(a.diff(t)).diff(t) - K.diff(a) for a in theta]
    q, qd = np.array([0.4, -0.7]), np.array([0.8, -0.5])
    values = {}
    for angle, value, rate in zip(theta, np.cumsum(q), np.cumsum(qd), strict=True):
        values |= {angle.diff(t): rate, angle: value}
    for row, equation in enumerate(equations):
        at = [{a.diff(t, 2): float(k == j) for k, a in enumerate(theta)} for j in (-1, 0, 1)]
        bias, *columns = (float(equation.subs(case).subs(values)) for case in at)
        assert bias == pytest.approx(planar_bias_absolute(arm, q, qd)[row], abs=1e-12)
        H = planar_mass_matrix_absolute(arm, q)
        np.testing.assert_allclose(np.array(columns) - bias, H[row], atol=1e-12)


def test_first_two_worked_links():
    m, L, r = np.array([2.0, 1.2]), np.array([0.4, 0.3]), 0.025
    arm = PlanarArm(L, m, m * (L**2 + 3 * r**2) / 12)
    expected = [[0.445303942, 0.091256137], [0.091256137, 0.0361875]]
    np.testing.assert_allclose(planar_mass_matrix(arm, [0.4, -0.7]), expected, atol=5e-10)
    joints, coms = planar_points(arm, [0.4, -0.7])
    np.testing.assert_allclose(joints[1], 0.4 * np.array([np.cos(0.4), np.sin(0.4)]))
    np.testing.assert_allclose(2 * coms[0], joints[1])


def test_energy_is_conserved_without_torque():
    """dK/dt = q̇ᵀτ: with the complex step through H."""
    arm, _, q, qd, tau = random_arm(1)
    qdd = planar_forward_dynamics(arm, q, qd, tau)
    step = 1e-30
    rates = qd + 1j * step * qdd
    K = rates @ planar_mass_matrix(arm, q + 1j * step * qd) @ rates / 2
    assert K.imag / step == pytest.approx(qd @ tau, rel=1e-10)
