"""Compiled code against the readable passes, trajectories against an independent route."""

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from chapter_lib import (
    Body,
    DynamicsLoads,
    Prismatic,
    Revolute,
    Tree,
    compiled,
    floating_thirty,
    forward_dynamics,
    gravity_force,
    kinetic_mass_matrix,
    rigid_inertia,
    three_link_arm,
    total_energy,
    uniform_chain,
    velocity_force,
)
from chapter_lib.spatial import skew

from .mechanisms import random_loads, random_rotation, random_tree, relative_error

CLOSE = 1e-12


def known(loads, floating):
    kwargs = dict(external=loads.external, gravity=loads.gravity)
    if floating:
        kwargs |= dict(base_velocity=loads.base_velocity, base_external=loads.base_external)
    return kwargs


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("floating", [False, True])
def test_equals_the_readable_passes(seed, floating):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, int(rng.integers(0 if floating else 1, 13)), floating)
    loads = random_loads(rng, tree, external=seed % 3 > 0)
    expected = forward_dynamics(tree, loads)
    got = compiled.accelerations(
        tree, tree.angles, loads.velocity, loads.torque, **known(loads, floating)
    )
    inertias = compiled.articulated_inertias(tree, tree.angles)
    if floating:
        both = np.concatenate([expected.base_acceleration, expected.joint_acceleration])
        assert relative_error(np.concatenate(got), both) < CLOSE
        assert relative_error(inertias[0], expected.base_articulated_inertia) < CLOSE
        inertias = inertias[1:]
    else:
        assert relative_error(got, expected.joint_acceleration) < CLOSE
    assert relative_error(inertias[0], expected.articulated_inertia) < CLOSE
    assert relative_error(inertias[1], expected.pivot) < CLOSE


@pytest.mark.parametrize("floating", [False, True])
def test_batches_broadcast(floating):
    rng = np.random.default_rng(5)
    tree = random_tree(rng, 5, floating)
    q, qd = rng.normal(size=(4, 1, 5)), rng.normal(size=(3, 5))
    loads = [random_loads(rng, tree) for _ in range(3)]
    rows = {what: np.array([getattr(L, what) for L in loads]) for what in known(loads[0], floating)}
    if floating:
        rows["rotation"] = np.array([random_rotation(rng) for _ in range(3)])
    tau = loads[0].torque
    got = compiled.accelerations(tree, q, qd, tau, **rows)
    joints = got[1] if floating else got
    assert joints.shape == (4, 3, 5)
    for i, k in np.ndindex(4, 3):
        at = tree.at(q[i, 0], rows["rotation"][k] if floating else None)
        one = {what: rows[what][k] for what in known(loads[0], floating)}
        expected = forward_dynamics(at, DynamicsLoads(qd[k], tau, **one))
        assert relative_error(joints[i, k], expected.joint_acceleration) < CLOSE
        if floating:
            assert relative_error(got[0][i, k], expected.base_acceleration) < CLOSE


def test_large_batches_in_threads_equal_small_ones():
    tree, rng = three_link_arm(), np.random.default_rng(1)
    q, qd, tau = rng.normal(size=(3, 5000, 3))
    together = compiled.accelerations(tree, q, qd, tau)
    apart = np.array([compiled.accelerations(tree, *row) for row in zip(q, qd, tau, strict=True)])
    assert relative_error(together, apart) < CLOSE
    IA, d = compiled.articulated_inertias(tree, q)
    assert IA.shape == (5000, 3, 6, 6) and d.shape == (5000, 3)
    for k in (0, 2499, 2500, 4999):
        expected = forward_dynamics(tree.at(q[k]), DynamicsLoads(np.zeros(3)))
        assert relative_error(IA[k], expected.articulated_inertia) < CLOSE
        assert relative_error(d[k], expected.pivot) < CLOSE


def test_empty_batches():
    tree = three_link_arm()
    nothing = np.zeros((0, 3))
    assert compiled.accelerations(tree, nothing, nothing, nothing).shape == (0, 3)
    IA, d = compiled.articulated_inertias(tree, nothing)
    assert IA.shape == (0, 3, 6, 6) and d.shape == (0, 3)
    assert compiled.simulate(tree, nothing, nothing, 0.01, 4).angles.shape == (0, 5, 3)


def test_lists_integers_strides_and_frozen_arrays_give_the_same():
    tree = three_link_arm((1, 2, 0))
    expected = compiled.accelerations(tree, np.array([1.0, 2.0, 0.0]), np.ones(3), np.zeros(3))
    strided = np.ones((3, 2))[:, 0]
    for q in ([1, 2, 0], (1.0, 2.0, 0.0), np.array([1, 2, 0]), tree.angles):
        for qd in (np.ones(3), [1, 1, 1], strided):
            got = compiled.accelerations(tree, q, qd, [0, 0, 0], gravity=[0, -9.81, 0])
            np.testing.assert_array_equal(got, expected)


def test_no_memory_is_shared():
    tree = three_link_arm()
    x1, x2 = ([0.4, -0.7, 0.2], [1.0, 0, 2], [4, -1, 0.3]), ([1.0, 2, 3], [0, 1, 0.5], [0, 0, 0])
    x1, x2 = ([np.array(v, dtype=float) for v in x] for x in (x1, x2))
    first = compiled.accelerations(tree, *x1)
    kept = first.copy()
    compiled.accelerations(tree, *x2)
    third = compiled.accelerations(tree, *x1)
    assert not np.shares_memory(first, third)
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(first, third)
    start = x1[0].copy()
    path = compiled.simulate(tree, x1[0], x1[1], 1e-3, 5)
    np.testing.assert_array_equal(x1[0], start)
    path.angles[0] = 7.0
    assert compiled.simulate(tree, x1[0], x1[1], 1e-3, 5).angles[0, 0] == 0.4


def test_two_thousand_links():
    n, rng = 2000, np.random.default_rng(0)
    tree = uniform_chain(n, length=0.01, mass=0.01, radius=0.002)
    q, qd, tau = 1e-3 * rng.normal(size=(3, n))
    expected = forward_dynamics(tree.at(q), DynamicsLoads(qd, tau)).joint_acceleration
    assert relative_error(compiled.accelerations(tree, q, qd, tau), expected) < 1e-9


@pytest.mark.parametrize(
    "change, error, message",
    [
        (dict(torque=[np.nan, 0, 0]), ValueError, "argument torque: must be finite"),
        (dict(q=[0, np.inf, 0]), ValueError, "argument q: must be finite, got inf at index 1"),
        (dict(velocity=[0, 0]), ValueError, r"argument velocity: expected shape \(..., 3\)"),
        (dict(velocity=1.0), ValueError, "argument velocity: expected shape"),
        (dict(q=np.zeros((4, 3)), torque=np.zeros((2, 3))), ValueError, "do not broadcast"),
        (dict(gravity=(0, -9.81)), ValueError, r"argument gravity: expected shape \(..., 3\)"),
        (dict(external=np.zeros((2, 6))), ValueError, "argument external"),
        (dict(base_velocity=np.zeros(6)), ValueError, "base_velocity: the base of this tree is"),
        (dict(rotation=np.eye(3)), ValueError, "rotation: the base of this tree is fixed"),
        (dict(q=np.zeros(3) + 1j), TypeError, "argument q: compiled code runs on floats"),
        (dict(q="abc"), TypeError, "argument q: expected numbers"),
        (dict(q=[1e200, 1e200, 0], velocity=[1e200, 0, 0]), FloatingPointError, "too large"),
    ],
)
def test_refusals_name_the_argument(change, error, message):
    arguments = dict(q=np.zeros(3), velocity=np.zeros(3), torque=np.zeros(3)) | change
    with pytest.raises(error, match=message):
        compiled.accelerations(three_link_arm(), **arguments)


def massless_tip():
    point = rigid_inertia(1.0, np.zeros(3), np.zeros((3, 3)))
    bodies = [
        Body(-1, Prismatic((1, 0, 0)), rigid_inertia(1.0, np.zeros(3), np.eye(3))),
        Body(0, Revolute(), point, name="tip", allow_degenerate=True),
    ]
    return Tree.build(bodies)


def test_a_singular_pivot_names_state_and_body():
    tree, zero = massless_tip(), np.zeros((5, 2))
    for call in (
        lambda: compiled.accelerations(tree, zero, zero, zero),
        lambda: compiled.articulated_inertias(tree, zero),
    ):
        with pytest.raises(np.linalg.LinAlgError, match=r"state 0: body 1 \('tip'\): pivot d = 0"):
            call()
    with pytest.raises(np.linalg.LinAlgError, match=r"^body 1 \('tip'\)"):
        compiled.accelerations(tree, zero[0], zero[0], zero[0])
    with pytest.raises(np.linalg.LinAlgError, match=r"step 0 .*body 1 \('tip'\)"):
        compiled.simulate(tree, zero[0], zero[0], 0.01, 3)


def test_a_bad_rotation_and_symbols_are_refused():
    tree = floating_thirty()
    zero = np.zeros(30)
    with pytest.raises(ValueError, match="must be a rotation"):
        compiled.accelerations(tree, zero, zero, zero, rotation=2 * np.eye(3))
    with pytest.raises(TypeError, match="compiled code runs on floats"):
        compiled.accelerations(three_link_arm(sympy.symbols("q1:4")), *np.zeros((3, 3)))


def lagrange_motion(tree, q, qd, torque, times, gravity):
    """The motion by Lagrange's equations and an eighth-order method: shares nothing with ABA."""

    def rate(t, x):
        now, v = tree.at(x[: tree.n]), x[tree.n :]
        h = velocity_force(now, v) + gravity_force(now, gravity) + tree.damping * v
        return np.concatenate([v, np.linalg.solve(kinetic_mass_matrix(now), torque - h)])

    options = dict(method="DOP853", rtol=1e-11, atol=1e-12, t_eval=times)
    return solve_ivp(rate, (0, times[-1]), np.concatenate([q, qd]), **options).y.T


def test_trajectories_against_an_independent_integration():
    rng = np.random.default_rng(3)
    tree = random_tree(rng, 3, kinds=("revolute", "prismatic", "helical"))
    q, qd, tau = rng.normal(size=(3, 3)) / 2
    g = np.array([1.0, -2.0, 3.0])
    path = compiled.simulate(tree, q, qd, 2.5e-3, 80, torque=tau, gravity=g, every=40)
    expected = lagrange_motion(tree, q, qd, tau, path.time, g)
    got = np.hstack([path.angles, path.velocities])
    np.testing.assert_allclose(path.time, [0, 0.1, 0.2])
    assert relative_error(got, expected) < 1e-7
    for k in range(3):
        loads = DynamicsLoads(path.velocities[k], gravity=g)
        energy = total_energy(tree.at(path.angles[k]), loads)
        assert path.energy[k] == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize("method, order", [("rk4", 4), ("midpoint", 2), ("velocity_first", 1)])
@pytest.mark.parametrize("floating", [False, True])
def test_orders(method, order, floating):
    rng = np.random.default_rng(7)
    tree = random_tree(rng, 3, floating, kinds=("revolute",), damping=False)
    start = dict(q=rng.normal(size=3), velocity=rng.normal(size=3))
    if floating:
        start["base_velocity"] = rng.normal(size=6)

    def end(steps, method):
        path = compiled.simulate(tree, dt=0.4 / steps, steps=steps, method=method, **start)
        more = [path.quaternions, path.positions, path.base_velocities] if floating else []
        return np.concatenate([x[-1] for x in [path.angles, path.velocities, *more]])

    exact = end(6400, "rk4")
    errors = [np.abs(end(steps, method) - exact).max() for steps in (100, 200, 400)]
    observed = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(observed, order, atol=0.25)


def test_a_floating_motion_keeps_its_energy_and_follows_its_acceleration():
    rng = np.random.default_rng(11)
    tree = random_tree(rng, 4, floating=True, damping=False)
    v0, qd = rng.normal(size=6), rng.normal(size=4)
    path = compiled.simulate(tree, tree.angles, qd, 5e-4, 400, every=100, base_velocity=v0)
    assert np.abs(path.energy - path.energy[0]).max() < 1e-8 * np.abs(path.energy).max()
    for k in range(len(path.time)):
        now = tree.at(path.angles[k], path.quaternions[k], path.positions[k])
        loads = DynamicsLoads(path.velocities[k], base_velocity=path.base_velocities[k])
        assert path.energy[k] == pytest.approx(total_energy(now, loads), rel=1e-11)
    # the rates of the stored pose, against differences of the records
    fine = compiled.simulate(tree, tree.angles, qd, 1e-5, 2, base_velocity=v0)
    R, R_next = (tree.at(None, fine.quaternions[k]).base.rotation for k in (0, 2))
    spin = (R.T @ R_next - R_next.T @ R) / 2 / fine.time[2]
    np.testing.assert_allclose(spin, skew(v0[:3]), atol=1e-3)
    drift = (fine.positions[2] - fine.positions[0]) / fine.time[2]
    np.testing.assert_allclose(drift, R @ v0[3:], atol=1e-3)


def test_drift_of_the_four_cylinder_chain():
    tree = uniform_chain(4, angles=(0.4, -0.2, 0.3, -0.1))
    for method, coarse, ratio in (("rk4", 2.12e-6, 16), ("velocity_first", 0.732, 2)):
        drift = []
        for dt in (2e-3, 1e-3, 5e-4, 2.5e-4):
            steps = round(0.5 / dt)
            path = compiled.simulate(tree, tree.angles, np.zeros(4), dt, steps, method)
            drift.append(np.abs(path.energy - path.energy[0]).max())
        assert drift[0] == pytest.approx(coarse, rel=5e-3)
        assert drift[0] / drift[-1] == pytest.approx(ratio**3, rel=0.2 if ratio == 2 else 0.1)


def test_batches_of_starts_and_torques_by_the_step():
    tree, rng = three_link_arm(), np.random.default_rng(2)
    q, qd = rng.normal(size=(2, 4, 3))
    tau = rng.normal(size=(6, 3))
    path = compiled.simulate(tree, q, qd, 0.01, 6, torque=tau, every=2)
    assert path.angles.shape == (4, 4, 3) and path.energy.shape == (4, 4)
    own = rng.normal(size=(4, 6, 3))
    paths = compiled.simulate(tree, q, qd, 0.01, 6, torque=own)
    for k in range(4):
        x = dict(q=q[k], velocity=qd[k])
        for row in tau:  # one call a step: the row is held over it
            step = compiled.simulate(tree, dt=0.01, steps=1, torque=row, **x)
            x = dict(q=step.angles[-1], velocity=step.velocities[-1])
        np.testing.assert_allclose(path.angles[k, -1], x["q"], rtol=1e-13)
        alone = compiled.simulate(tree, q[k], qd[k], 0.01, 6, torque=own[k])
        np.testing.assert_array_equal(paths.velocities[k], alone.velocities)


@pytest.mark.parametrize(
    "change, error, message",
    [
        (dict(steps=7, every=2), ValueError, "argument every: must divide steps"),
        (dict(steps=-1), ValueError, "argument steps: expected a whole number"),
        (dict(steps=2.5), ValueError, "argument steps: expected a whole number"),
        (dict(method="euler"), ValueError, "argument method: expected one of rk4, midpoint"),
        (dict(dt=np.nan), ValueError, "argument dt: must be finite"),
        (dict(torque=np.zeros((3, 3))), ValueError, "one for each of 10 steps"),
        (dict(position=np.zeros(3)), ValueError, "argument position: the base of this tree"),
        (dict(dt=50.0, velocity=[9, 9, 9]), FloatingPointError, "^step 1 .*smaller dt"),
    ],
)
def test_simulate_refuses(change, error, message):
    arguments = dict(q=np.zeros(3), velocity=np.zeros(3), dt=0.01, steps=10) | change
    with pytest.raises(error, match=message):
        compiled.simulate(three_link_arm(), **arguments)
