"""The same random trees here, in MuJoCo and in Pinocchio: accelerations, M, bias, trajectories."""

import sys
from functools import cache

import numpy as np
import pytest

from chapter_lib import (
    DynamicsLoads,
    Helical,
    Prismatic,
    Revolute,
    bias_force,
    compiled,
    cylinder_chain,
    floating_thirty,
    forward_dynamics,
    generalized_velocity,
    interop,
    inverse_dynamics,
    mass_matrix,
    simulate,
    skew,
    three_link_arm,
)

from .mechanisms import random_loads, random_tree, relative_error
from .peers import require

SEEDS = range(240)
AGREE = 1e-9  # relative to the largest entry
PEERS = {"mujoco": interop.mujoco_dynamics, "pinocchio": interop.pinocchio_dynamics}


@cache
def case(seed):
    """A tree and loads: fixed or floating, any order, chain or breadth first, 1 to 14 joints."""
    rng = np.random.default_rng(seed)
    order = ("any", "breadth", "chain")[seed % 3]
    tree = random_tree(rng, int(rng.integers(1, 15)), floating=seed // 3 % 2 == 1, order=order)
    return tree, random_loads(rng, tree)


@cache
def answer(peer, seed):
    require(peer)
    return PEERS[peer](*case(seed))


def readable(tree, loads):
    result = forward_dynamics(tree, loads)
    return np.concatenate(
        [result.base_acceleration[: 6 * tree.floating], result.joint_acceleration]
    )


def in_numba(tree, loads):
    known = dict(external=loads.external, gravity=loads.gravity)
    if tree.floating:
        known.update(base_velocity=loads.base_velocity, base_external=loads.base_external)
    found = compiled.accelerations(tree, tree.angles, loads.velocity, loads.torque, **known)
    return np.concatenate(found) if tree.floating else found


IMPLEMENTATIONS = {"readable": readable, "compiled": in_numba}


def report(capsys, what, errors):
    worst = max(errors, key=errors.get)
    tree, _ = case(worst)
    with capsys.disabled():
        print(f"\n{what}: worst of {len(errors)} is {errors[worst]:.1e}, seed {worst}, {tree}")
    assert errors[worst] < AGREE


def test_the_random_trees_have_everything_in_them():
    trees = [case(seed)[0] for seed in SEEDS]
    kinds = {type(joint) for tree in trees for joint in tree.joints}
    assert kinds == {Revolute, Prismatic, Helical}
    assert {tree.floating for tree in trees} == {True, False}
    not_depth_first = sum(
        interop.pinocchio.depth_first(tree) != list(range(tree.n)) for tree in trees
    )
    assert not_depth_first > 100
    assert all(tree.damping.all() and tree.armature.all() for tree in trees)
    assert all(case(seed)[1].external.all() for seed in SEEDS)


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_accelerations_agree(implementation, peer, capsys):
    solve = IMPLEMENTATIONS[implementation]
    errors = {s: relative_error(solve(*case(s)), answer(peer, s).acceleration) for s in SEEDS}
    report(capsys, f"accelerations, {implementation} against {peer}", errors)


@pytest.mark.parametrize("peer", PEERS)
def test_mass_matrices_agree(peer, capsys):
    errors = {
        s: relative_error(mass_matrix(case(s)[0]), answer(peer, s).mass_matrix) for s in SEEDS
    }
    report(capsys, f"mass matrices against {peer}", errors)


@pytest.mark.parametrize("peer", PEERS)
def test_biases_agree(peer, capsys):
    errors = {s: relative_error(bias_force(*case(s)), answer(peer, s).bias) for s in SEEDS}
    report(capsys, f"biases against {peer}", errors)


@pytest.mark.parametrize("peer", PEERS)
def test_the_chapters_mechanisms_agree(peer):
    require(peer)
    arm_loads = DynamicsLoads(velocity=[0.8, -0.5, 1.1], torque=[4, -1, 0.3])
    thirty = floating_thirty()
    for tree, loads in [
        (three_link_arm(), arm_loads),
        (thirty, random_loads(np.random.default_rng(0), thirty)),
    ]:
        theirs = PEERS[peer](tree, loads)
        assert relative_error(readable(tree, loads), theirs.acceleration) < AGREE
        assert relative_error(mass_matrix(tree), theirs.mass_matrix) < AGREE
        assert relative_error(bias_force(tree, loads), theirs.bias) < AGREE


@pytest.mark.parametrize("peer", PEERS)
def test_inverse_dynamics_takes_the_peers_acceleration_back_to_the_torque(peer):
    for seed in range(0, 240, 12):
        tree, loads = case(seed)
        nu_dot = answer(peer, seed).acceleration
        root = 6 * tree.floating
        tau = inverse_dynamics(tree, loads, nu_dot[root:], nu_dot[:root] if root else None)
        if root:
            scale = np.abs(answer(peer, seed).bias).max()
            assert np.abs(tau[0]).max() < AGREE * scale  # nothing holds a free base
            tau = tau[1]
        assert np.abs(tau - loads.torque).max() < AGREE * np.abs(answer(peer, seed).bias).max()


@pytest.mark.parametrize("peer", PEERS)
def test_states_go_there_and_back(peer):
    require(peer)
    to_model = dict(mujoco=lambda t: interop.to_mujoco(t)[1], pinocchio=interop.to_pinocchio)[peer]
    state, back = (getattr(interop, name) for name in (f"{peer}_state", f"state_from_{peer}"))
    for seed in range(12):
        tree, loads = case(seed)
        model = to_model(tree)
        elsewhere = tree.at(
            0 * tree.angles, **(dict(position=np.zeros(3)) if tree.floating else {})
        )
        moved, nu = back(elsewhere, model, *state(tree, loads, model))
        assert np.allclose(moved.angles, tree.angles, rtol=0, atol=1e-14)
        assert np.allclose(moved.X, tree.X, rtol=0, atol=1e-14)
        if tree.floating:
            assert np.allclose(moved.base.rotation, tree.base.rotation, rtol=0, atol=1e-14)
            assert np.array_equal(moved.base.position, tree.base.position)
            assert np.allclose(nu[:6], loads.base_velocity, rtol=0, atol=1e-14)
        assert np.allclose(nu[6 * tree.floating :], loads.velocity, rtol=0, atol=1e-14)


def last_of_readable(tree, loads, h, steps):
    """The tree and ν after `steps` steps of Runge–Kutta by `simulate`."""
    moved = simulate(
        tree, loads.velocity, h, steps, "rk4", loads.torque, loads.base_velocity, loads.gravity
    )
    there, going = moved.state(-1)
    return there, generalized_velocity(there, going)


def last_of_compiled(tree, loads, h, steps):
    start = dict(base_velocity=loads.base_velocity) if tree.floating else {}
    moved = compiled.simulate(
        tree,
        tree.angles,
        loads.velocity,
        h,
        steps,
        "rk4",
        loads.torque,
        None,
        loads.gravity,
        **start,
    )
    pose, nu = {}, moved.velocities[-1]
    if tree.floating:
        pose = dict(rotation=moved.quaternions[-1], position=moved.positions[-1])
        nu = np.concatenate([moved.base_velocities[-1], nu])
    return tree.at(moved.angles[-1], **pose), nu


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("simulated", [last_of_readable, last_of_compiled])
def test_a_second_of_runge_kutta_agrees_with_mujoco(simulated, floating):
    mujoco = require("mujoco")
    rng = np.random.default_rng(5)
    tree = random_tree(rng, 3, floating, kinds=("revolute", "prismatic"))
    loads = random_loads(rng, tree, external=False)
    h, steps = (1e-3, 1000) if floating else (2e-3, 500)
    _, model = interop.to_mujoco(tree, loads.gravity, h)
    data = interop.mujoco_data(tree, loads, model)
    for _ in range(steps):
        mujoco.mj_step(model, data)
    theirs, nu_theirs = interop.state_from_mujoco(tree, model, data.qpos, data.qvel)
    ours, nu = simulated(tree, loads, h, steps)
    assert data.time == pytest.approx(1)
    assert np.abs(ours.angles - tree.angles).max() > 0.1
    assert np.abs(nu - nu_theirs).max() < 1e-8
    assert np.abs(ours.angles - theirs.angles).max() < 1e-8
    if floating:
        assert np.abs(ours.base.rotation - theirs.base.rotation).max() < 1e-8
        assert np.abs(ours.base.position - theirs.base.position).max() < 1e-8


def test_analytical_derivatives_agree_with_the_complex_step():
    require("pinocchio")
    h = 1e-30
    for seed in range(0, 48):
        tree, loads = case(seed)
        root = 6 * tree.floating
        units = 1j * h * np.eye(root + tree.n)

        def at(step, tree=tree, root=root):
            pose = {}
            if root:
                R, p = tree.base.rotation, tree.base.position
                pose = dict(rotation=R @ (np.eye(3) + skew(step[:3])), position=p + R @ step[3:6])
            return tree.at(tree.angles + step[root:], **pose)

        def going(step, loads=loads, root=root):
            base = loads.base_velocity + step[:6] if root else None
            return DynamicsLoads(
                loads.velocity + step[root:],
                loads.torque,
                loads.external,
                loads.gravity,
                base,
                loads.base_external,
            )

        by_position = np.array([readable(at(unit), loads).imag / h for unit in units]).T
        by_velocity = np.array([readable(tree, going(unit)).imag / h for unit in units]).T
        theirs = interop.pinocchio_derivatives(tree, loads)
        assert relative_error(by_position, theirs[0]) < AGREE
        assert relative_error(by_velocity, theirs[1]) < AGREE
        assert relative_error(np.linalg.inv(mass_matrix(tree)), theirs[2]) < AGREE


def test_a_model_with_another_gravity_is_refused():
    tree = three_link_arm()
    loads = DynamicsLoads(velocity=np.zeros(3), gravity=(0, 0, -9.81))
    for peer, model in [
        ("mujoco", lambda: interop.to_mujoco(tree)[1]),
        ("pinocchio", lambda: interop.to_pinocchio(tree)),
    ]:
        require(peer)
        with pytest.raises(ValueError, match=r"gravity is \[0.0, -9.81, 0.0\]"):
            PEERS[peer](tree, loads, model())


def test_symbols_and_complex_numbers_are_refused():
    tree = three_link_arm().at([0.1j, 0, 0])
    for make in (interop.to_mujoco, interop.to_pinocchio):
        with pytest.raises(TypeError, match="real numbers"):
            make(tree)


def test_what_mujoco_refuses_is_said_with_the_body_named():
    require("mujoco")
    tree = cylinder_chain([1, 1], [1, 0], [0, 0], 0.05, allow_degenerate=True)
    with pytest.raises(ValueError, match="(?s)MuJoCo refuses.*1 link 2"):
        interop.to_mujoco(tree)


def test_a_model_text_without_mujoco(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    text, model = interop.to_mujoco(three_link_arm())
    assert model is None
    assert text.count("<inertial") == 3


@pytest.mark.parametrize("peer, package", [("mujoco", "mujoco"), ("pinocchio", "pin")])
def test_a_missing_peer_says_how_to_get_it(monkeypatch, peer, package):
    monkeypatch.setitem(sys.modules, peer, None)
    assert interop.peer_versions()[peer] is None
    with pytest.raises(ImportError, match=rf"{peer} is not installed.*pip install {package}\b"):
        PEERS[peer](three_link_arm(), DynamicsLoads(velocity=np.zeros(3)))
