"""Places, Jacobians, wrenches, and what an accelerometer reads."""

import numpy as np
import pytest

from chapter_lib import (
    DynamicsLoads,
    accelerometer_reading,
    base_reaction,
    center_of_mass,
    centroidal_momentum,
    centroidal_momentum_matrix,
    centroidal_momentum_rate,
    forward_dynamics,
    kinetic_energy,
    kinetic_mass_matrix,
    motion_transform,
    ordinary_acceleration,
    outward_motion,
    point_jacobian,
    point_wrench,
    rigid_inertia,
    rigid_parameters,
    skew,
    three_link_arm,
    world_point,
    world_poses,
    world_wrench,
)
from tests.mechanisms import random_inertia, random_loads, random_rotation, random_tree

STEP = 1e-30


@pytest.fixture(params=[0, 1, 2, 3])
def state(request):
    rng = np.random.default_rng(request.param)
    tree = random_tree(rng, 5, floating=bool(request.param % 2))
    return rng, tree, random_loads(rng, tree)


def moved(tree, loads, step):
    """The tree a little further along its motion; `step` may be imaginary."""
    pose = {}
    if tree.floating:
        R, p, v = tree.base.rotation, tree.base.position, loads.base_velocity
        pose = dict(rotation=R @ (np.eye(3) + step * skew(v[:3])), position=p + step * (R @ v[3:]))
    return tree.at(tree.angles + step * loads.velocity, **pose)


def test_transforms_agree_with_places(state):
    """X from the joint transform against rotations and places in the world."""
    _, tree, _ = state
    R, p = world_poses(tree)
    for i, parent in enumerate(tree.parent):
        R_p, p_p = (R[parent], p[parent]) if parent >= 0 else _base(tree)
        X = motion_transform(R[i].T @ R_p, R_p.T @ (p[i] - p_p))
        np.testing.assert_allclose(tree.X[i], X, atol=1e-13)


def _base(tree):
    return (tree.base.rotation, tree.base.position) if tree.floating else (np.eye(3), np.zeros(3))


def test_jacobians_are_velocities(state):
    rng, tree, loads = state
    nu = loads.velocity
    if tree.floating:
        nu = np.concatenate([loads.base_velocity, nu])
    point = rng.normal(size=3)
    for body in range(-1 if tree.floating else 0, tree.n):
        J_w, J = point_jacobian(tree, body, point)
        rate = world_point(moved(tree, loads, 1j * STEP), body, point).imag / STEP
        np.testing.assert_allclose(J @ nu, rate, atol=1e-12)
        if body >= 0:
            v = outward_motion(tree, loads).v[body]
            R, _ = world_poses(tree)
            np.testing.assert_allclose(R[body].T @ (J_w @ nu), v[:3], atol=1e-12)


def test_ordinary_acceleration_is_the_second_derivative(state):
    """The velocity of the point a little later, less now: by the complex step."""
    rng, tree, loads = state
    result = forward_dynamics(tree, loads)
    point = rng.normal(size=3)
    later = moved(tree, loads, 1j * STEP)
    rates = loads.velocity + 1j * STEP * result.joint_acceleration
    nu = rates
    if tree.floating:
        nu = np.concatenate([loads.base_velocity + 1j * STEP * result.base_acceleration, rates])
    R, _ = world_poses(tree)
    for body in range(tree.n):
        _, J = point_jacobian(later, body, point)
        expected = R[body].T @ ((J @ nu).imag / STEP)
        got = ordinary_acceleration(result, body, point)
        np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-9)
        reading = accelerometer_reading(result, body, point)
        np.testing.assert_allclose(reading, expected - R[body].T @ loads.gravity, atol=1e-9)


def test_spatial_is_not_ordinary():
    """The worked arm's third body, physical: values from an independent library."""
    loads = DynamicsLoads(velocity=[0.8, -0.5, 1.1], torque=[4.0, -1.0, 0.3])
    result = forward_dynamics(three_link_arm(), loads)
    expected = [-4.738068, -21.987099, 0]
    np.testing.assert_allclose(result.body_acceleration[2, 3:], expected, atol=5e-7)
    ordinary = ordinary_acceleration(result, 2)
    np.testing.assert_allclose(ordinary, [-5.254714, -22.176849, 0], atol=5e-7)
    difference = ordinary - result.body_acceleration[2, 3:]
    v = result.velocity[2]
    np.testing.assert_allclose(difference, np.cross(v[:3], v[3:]), atol=1e-12)


def test_a_held_arm_reads_gravity_upward():
    tree = three_link_arm()
    from chapter_lib import bias_force

    rest = DynamicsLoads(velocity=np.zeros(3))
    held = DynamicsLoads(velocity=np.zeros(3), torque=bias_force(tree, rest))
    result = forward_dynamics(tree, held)
    R, _ = world_poses(tree)
    for body in range(3):
        reading = R[body] @ accelerometer_reading(result, body, (0.1, 0, 0))
        np.testing.assert_allclose(reading, [0, 9.81, 0], atol=1e-10)
    weight = 9.81 * (2.0 + 1.2 + 0.6)
    reaction = base_reaction(tree, held, result.joint_acceleration)
    np.testing.assert_allclose(reaction[3:], [0, weight, 0], atol=1e-10)
    mass, com = center_of_mass(tree)
    assert reaction[2] == pytest.approx(weight * com[0])
    assert mass == pytest.approx(3.8)


def test_reaction_is_the_rate_of_momentum():
    """F = d(m ċ)/dt − m g, with the acceleration of the centre of mass by the complex step."""
    rng = np.random.default_rng(9)
    tree = random_tree(rng, 5, armature=False)
    loads = random_loads(rng, tree, external=False)
    qdd = forward_dynamics(tree, loads).joint_acceleration
    later = moved(tree, loads, 1j * STEP)
    A = centroidal_momentum_matrix(later)
    rate = (A @ (loads.velocity + 1j * STEP * qdd)).imag / STEP
    mass, _ = center_of_mass(tree)
    reaction = base_reaction(tree, loads, qdd)
    np.testing.assert_allclose(reaction[3:], rate[3:] - mass * loads.gravity, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_centroidal_momentum_and_its_rate(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, 5, floating=True)
    loads = random_loads(rng, tree)
    result = forward_dynamics(tree, loads)
    nu_dot = np.concatenate([result.base_acceleration, result.joint_acceleration])
    nu = np.concatenate([loads.base_velocity, loads.velocity])
    later = moved(tree, loads, 1j * STEP)
    rate = (centroidal_momentum_matrix(later) @ (nu + 1j * STEP * nu_dot)).imag / STEP
    # armature turns relative to the bodies: an ideal rotor has no momentum of its own here
    np.testing.assert_allclose(rate, centroidal_momentum_rate(tree, loads), atol=1e-8)
    mass, _ = center_of_mass(tree)
    p = centroidal_momentum(tree, loads)[3:]
    com_rate = center_of_mass(later)[1].imag / STEP
    np.testing.assert_allclose(p, mass * com_rate, atol=1e-10)


def test_kinetic_energy_with_a_floating_base():
    rng = np.random.default_rng(4)
    tree = random_tree(rng, 4, floating=True)
    loads = random_loads(rng, tree)
    nu = np.concatenate([loads.base_velocity, loads.velocity])
    expected = nu @ kinetic_mass_matrix(tree) @ nu / 2
    assert kinetic_energy(tree, loads) == pytest.approx(expected, rel=1e-12)


def test_wrench_of_a_world_force():
    """10 N along world y at body 3's origin: turned into body axes, and not."""
    tree = three_link_arm()
    loads = dict(velocity=[0.8, -0.5, 1.1], torque=[4.0, -1.0, 0.3])

    def accelerations(wrench):
        external = np.zeros((3, 6))
        external[2] = wrench
        return forward_dynamics(tree, DynamicsLoads(**loads, external=external)).joint_acceleration

    right = accelerations(world_wrench(tree, 2, (0, 10, 0)))
    np.testing.assert_allclose(right, [2.505699, -24.978370, 22.974163], atol=5e-7)
    unturned = accelerations([0, 0, 0, 0, 10, 0])
    np.testing.assert_allclose(unturned, [1.484, -21.250, 17.663], atol=5e-4)
    across = accelerations(world_wrench(tree, 2, (0, 0, 10)))
    np.testing.assert_allclose(across, accelerations(np.zeros(6)), atol=1e-10)


def test_spatial_pieces():
    rng = np.random.default_rng(0)
    E, r, v, f = random_rotation(rng), rng.normal(size=3), rng.normal(size=6), rng.normal(size=6)
    X = motion_transform(E, r)
    assert f @ (X @ v) == pytest.approx((X.T @ f) @ v)
    X = motion_transform(np.eye(3), np.array([1.0, 0, 0]))
    np.testing.assert_array_equal(X.T @ np.array([0, 0, 0, 0, 1.0, 0]), [0, 0, 1, 0, 1, 0])
    I = sum(rigid_inertia(1.0, np.array([s, s, 0.0]), np.zeros((3, 3))) for s in (1, -1))
    np.testing.assert_array_equal(np.diag(I)[:3], [2, 2, 4])
    assert I[0, 1] == -2
    mass, com, I_C = rigid_parameters(I0 := random_inertia(rng))
    np.testing.assert_allclose(rigid_inertia(mass, com, I_C), I0, atol=1e-14)
    wrench = point_wrench((0, 0, 2.0), (1.0, 0, 0), couple=(0, 0, 3.0))
    np.testing.assert_array_equal(wrench, [0, -2, 3, 0, 0, 2])
