"""What must hold for any mechanism, over random trees: invariants instead of snapshots."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chapter_lib import (
    Body,
    DynamicsLoads,
    FloatingBase,
    Tree,
    articulate,
    at_rest,
    bias_force,
    composite_inertias,
    coriolis_matrix,
    effective_inertia,
    forward_dynamics,
    gravity_force,
    inverse_dynamics,
    inward_elimination,
    kinetic_energy,
    kinetic_mass_matrix,
    mass_matrix,
    mass_matrix_by_columns,
    mass_matrix_derivatives,
    motion_transform,
    outward_motion,
    outward_recovery,
    point_jacobian,
    potential_energy,
    projected_bias,
    total_energy,
    velocity_force,
    world_wrench,
)
from tests.mechanisms import random_loads, random_rotation, random_tree, relative_error

TIGHT = 1e-9
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 7)
several = settings(max_examples=25, deadline=None)


def mechanism(seed, n, floating=False, **options):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n, floating, **options)
    return rng, tree, random_loads(rng, tree)


def generalized(result):
    """ν̇ as one vector."""
    if result.tree.floating:
        return np.concatenate([result.base_acceleration, result.joint_acceleration])
    return result.joint_acceleration


@several
@given(seeds, sizes, st.booleans())
def test_forward_and_inverse_are_inverses(seed, n, floating):
    _, tree, loads = mechanism(seed, n, floating)
    result = forward_dynamics(tree, loads)
    if floating:
        root, tau = inverse_dynamics(
            tree, loads, result.joint_acceleration, result.base_acceleration
        )
        assert np.abs(root).max() < TIGHT * (1 + np.abs(loads.base_external).max())
    else:
        tau = inverse_dynamics(tree, loads, result.joint_acceleration)
    assert relative_error(tau, loads.torque) < TIGHT


@several
@given(seeds, sizes, st.booleans())
def test_three_routes_to_the_mass_matrix(seed, n, floating):
    _, tree, _ = mechanism(seed, n, floating)
    M = mass_matrix(tree)
    assert relative_error(M, kinetic_mass_matrix(tree)) < TIGHT
    assert relative_error(M, mass_matrix_by_columns(tree)) < TIGHT
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0


@several
@given(seeds, sizes, st.booleans())
def test_accelerations_equal_the_solve_with_energy_and_projected_newton_euler(seed, n, floating):
    """Shares no code with the recursions: M from kinetic energy, h from projected laws, Jᵀf."""
    _, tree, loads = mechanism(seed, n, floating)
    result = forward_dynamics(tree, loads)
    h = projected_bias(tree, loads.velocity, loads.gravity, loads.base_velocity)
    tau = loads.torque - tree.damping * loads.velocity
    load = np.concatenate([np.zeros(6), tau]) if floating else tau.copy()
    wrenches = [(i, loads.external[i]) for i in range(n)]
    if floating:
        wrenches.append((-1, loads.base_external))
    from chapter_lib import base_pose, world_poses

    R, _ = world_poses(tree)
    for i, f in wrenches:
        R_i = R[i] if i >= 0 else base_pose(tree)[0]
        J_w, J = point_jacobian(tree, i)
        load += J_w.T @ (R_i @ f[:3]) + J.T @ (R_i @ f[3:])
    expected = np.linalg.solve(kinetic_mass_matrix(tree), load - h)
    assert relative_error(generalized(result), expected) < 1e-8


@several
@given(seeds, sizes)
def test_bias_is_christoffel_plus_potential(seed, n):
    _, tree, loads = mechanism(seed, n)
    free = DynamicsLoads(velocity=loads.velocity, gravity=loads.gravity)
    h = velocity_force(tree, loads.velocity) + gravity_force(tree, loads.gravity)
    assert relative_error(bias_force(tree, free) - tree.damping * loads.velocity, h) < TIGHT
    rest = at_rest(free)
    assert relative_error(bias_force(tree, rest), gravity_force(tree, loads.gravity)) < TIGHT


@several
@given(seeds, sizes)
def test_rate_of_the_mass_matrix(seed, n):
    """`Ṁ = C + Cᵀ`, so that `Ṁ − 2C` is skew."""
    _, tree, loads = mechanism(seed, n)
    C = coriolis_matrix(tree, loads.velocity)
    M_rate = np.einsum("kij,k->ij", mass_matrix_derivatives(tree), loads.velocity)
    scale = np.abs(C).max() + np.abs(M_rate).max() + 1e-30
    assert np.abs(M_rate - C - C.T).max() < 1e-12 * scale
    skew = M_rate - 2 * C
    assert np.abs(skew + skew.T).max() < 1e-12 * scale


@several
@given(seeds, sizes)
def test_mass_matrix_is_the_derivative_of_torque(seed, n):
    """M = ∂τ/∂q̈, by the complex step through the recursion."""
    _, tree, loads = mechanism(seed, n)
    columns = [inverse_dynamics(tree, loads, 1j * 1e-30 * unit).imag / 1e-30 for unit in np.eye(n)]
    assert relative_error(np.array(columns).T, mass_matrix(tree)) < 1e-12


@several
@given(seeds, sizes)
def test_power_is_the_rate_of_energy(seed, n):
    """Energy along the motion by the complex step, power from torques, damping and wrenches."""
    _, tree, loads = mechanism(seed, n)
    qdd = forward_dynamics(tree, loads).joint_acceleration
    step = 1e-30
    q, qd = tree.angles + 1j * step * loads.velocity, loads.velocity + 1j * step * qdd
    moved = tree.at(q)
    M = kinetic_mass_matrix(moved)  # kinetic energy without the recursion
    energy = qd @ M @ qd / 2 + potential_energy(moved, loads.gravity)
    motion = outward_motion(tree, loads)
    power = (loads.torque - tree.damping * loads.velocity) @ loads.velocity
    power += np.sum(loads.external * motion.v)
    assert abs(energy.imag / step - power) < 1e-8 * (1 + abs(power))


@several
@given(seeds, sizes)
def test_kinetic_energy_by_two_routes(seed, n):
    _, tree, loads = mechanism(seed, n)
    M = kinetic_mass_matrix(tree)
    expected = loads.velocity @ M @ loads.velocity / 2
    assert kinetic_energy(tree, loads) == pytest.approx(expected, rel=1e-11)
    total = total_energy(tree, loads)
    assert total == pytest.approx(expected + potential_energy(tree, loads.gravity), rel=1e-9)


@several
@given(seeds, sizes)
def test_remainder_annihilates_the_joint_without_armature(seed, n):
    _, tree, loads = mechanism(seed, n, armature=False)
    result = forward_dynamics(tree, loads)
    for Ia, S in zip(result.remainder_inertia, tree.S, strict=True):
        assert np.abs(Ia @ S).max() < 1e-11 * np.abs(Ia).max()
        assert np.linalg.eigvalsh(Ia)[0] > -1e-11 * np.abs(Ia).max()


@several
@given(seeds, sizes)
def test_composite_less_articulated_is_semidefinite(seed, n):
    _, tree, _ = mechanism(seed, n, armature=False)
    for I_C, IA in zip(composite_inertias(tree), articulate(tree).IA, strict=True):
        assert np.linalg.eigvalsh(I_C - IA)[0] > -1e-11 * np.abs(I_C).max()


@several
@given(seeds, sizes)
def test_the_first_pivot_is_the_effective_inertia(seed, n):
    """On a chain, `d_1` is the Schur complement of M with all distal joints free."""
    _, tree, _ = mechanism(seed, n, order="chain")
    M = kinetic_mass_matrix(tree)
    felt = effective_inertia(M, 0, range(1, n))
    assert felt == pytest.approx(articulate(tree).d[0], rel=1e-9)
    assert felt == pytest.approx(1 / np.linalg.inv(M)[0, 0], rel=1e-9)
    assert effective_inertia(M, 0, []) == M[0, 0]


@several
@given(seeds, sizes, st.booleans())
def test_stopping_between_the_passes_changes_nothing(seed, n, floating):
    _, tree, loads = mechanism(seed, n, floating)
    whole = forward_dynamics(tree, loads)
    motion = outward_motion(tree, loads)
    elimination = inward_elimination(tree, loads, motion)
    recovery = outward_recovery(tree, loads, motion, elimination)
    np.testing.assert_array_equal(recovery.qdd, whole.joint_acceleration)
    np.testing.assert_array_equal(motion.c, whole.bias_acceleration)
    np.testing.assert_array_equal(elimination.u, whole.residual_effort)
    np.testing.assert_array_equal(elimination.articulation.d, whole.pivot)


@several
@given(seeds, sizes, st.booleans())
def test_factorization_applies_the_inverse(seed, n, floating):
    rng, tree, _ = mechanism(seed, n, floating)
    rhs = rng.normal(size=(3, 2, n + 6 * floating))
    expected = np.linalg.solve(kinetic_mass_matrix(tree), rhs[..., None])[..., 0]
    factor = articulate(tree)
    assert relative_error(factor.solve(rhs), expected) < 1e-8
    assert relative_error(factor.solve(rhs[1, 1]), expected[1, 1]) < 1e-8


@several
@given(seeds, sizes, st.booleans())
def test_numbering_does_not_matter(seed, n, floating):
    rng, tree, loads = mechanism(seed, n, floating)
    order = random_order(rng, tree.parent)
    place = {old: new for new, old in enumerate(order)}
    bodies = [
        Body(
            place.get(tree.parent[i], -1),
            tree.joints[i],
            tree.inertia[i],
            (tree.rotation0[i], tree.offset[i]),
            tree.names[i],
            tree.damping[i],
            tree.armature[i],
        )
        for i in order
    ]
    other = Tree.build(bodies, tree.angles[order], tree.base)
    renumbered = DynamicsLoads(
        loads.velocity[order],
        loads.torque[order],
        loads.external[order],
        loads.gravity,
        loads.base_velocity,
        loads.base_external,
    )
    expected = forward_dynamics(tree, loads)
    got = forward_dynamics(other, renumbered)
    assert relative_error(got.joint_acceleration, expected.joint_acceleration[order]) < TIGHT
    assert relative_error(got.body_acceleration, expected.body_acceleration[order]) < TIGHT


def random_order(rng, parent):
    """A random parents-first order of the same tree."""
    order, left = [], set(range(len(parent)))
    while left:
        ready = [i for i in sorted(left) if parent[i] not in left]
        order.append(int(rng.choice(ready)))
        left.remove(order[-1])
    return order


@several
@given(seeds, st.integers(1, 5))
def test_body_frames_do_not_matter(seed, n):
    """Every body described in another frame of its own: the same joint accelerations."""
    rng, tree, loads = mechanism(seed, n)
    E = [random_rotation(rng) for _ in range(n)]  # new axes, seen from the old ones
    bodies, external = [], []
    for i, joint in enumerate(tree.joints):
        # only the axes turn: a hinge's axis must keep going through the origin
        X = motion_transform(E[i].T, np.zeros(3))
        back = np.linalg.inv(X)
        inertia = back.T @ tree.inertia[i] @ back
        turned = type(joint)(
            E[i].T @ joint.axis, *([joint.pitch] if hasattr(joint, "pitch") else [])
        )
        parent = tree.parent[i]
        E_parent = E[parent] if parent >= 0 else np.eye(3)
        placement = (E_parent.T @ tree.rotation0[i] @ E[i], E_parent.T @ tree.offset[i])
        options = dict(damping=tree.damping[i], armature=tree.armature[i])
        bodies.append(Body(parent, turned, (inertia + inertia.T) / 2, placement, **options))
        external.append(back.T @ loads.external[i])
    other = Tree.build(bodies, tree.angles)
    moved = DynamicsLoads(loads.velocity, loads.torque, external, loads.gravity)
    expected = forward_dynamics(tree, loads).joint_acceleration
    assert relative_error(forward_dynamics(other, moved).joint_acceleration, expected) < TIGHT


@several
@given(seeds, st.integers(0, 5))
def test_a_rotated_world_changes_nothing_for_a_floating_base(seed, n):
    rng, tree, loads = mechanism(seed, n, floating=True)
    Q, shift = random_rotation(rng), rng.normal(size=3)
    other = tree.at(rotation=Q @ tree.base.rotation, position=shift)
    turned = DynamicsLoads(
        loads.velocity, loads.torque, loads.external, Q @ loads.gravity,
        loads.base_velocity, loads.base_external,
    )  # fmt: skip
    expected, got = forward_dynamics(tree, loads), forward_dynamics(other, turned)
    assert relative_error(generalized(got), generalized(expected)) < TIGHT


@several
@given(seeds, sizes)
def test_a_world_force_equals_its_projection(seed, n):
    """An external wrench from `world_wrench` does what `Jᵀ F` added to the torques does."""
    rng, tree, loads = mechanism(seed, n)
    body, point, F = int(rng.integers(n)), rng.normal(size=3), rng.normal(size=3)
    external = np.zeros((n, 6))
    external[body] = world_wrench(tree, body, F, point)
    _, J = point_jacobian(tree, body, point)
    pushed = DynamicsLoads(loads.velocity, loads.torque, external)
    projected = DynamicsLoads(loads.velocity, loads.torque + J.T @ F)
    expected = forward_dynamics(tree, projected).joint_acceleration
    assert relative_error(forward_dynamics(tree, pushed).joint_acceleration, expected) < TIGHT


@several
@given(seeds, st.integers(1, 4))
def test_complex_step_against_differences(seed, n):
    _, tree, loads = mechanism(seed, n)

    def accelerations(q):
        return forward_dynamics(tree.at(q), loads).joint_acceleration

    for k in range(n):
        unit = np.eye(n)[k]
        exact = accelerations(tree.angles + 1j * 1e-30 * unit).imag / 1e-30
        h = 1e-5
        up, down = accelerations(tree.angles + h * unit), accelerations(tree.angles - h * unit)
        up2 = accelerations(tree.angles + 2 * h * unit)
        down2 = accelerations(tree.angles - 2 * h * unit)
        difference = (8 * (up - down) - (up2 - down2)) / (12 * h)
        scale = np.abs(exact).max() + np.abs(up).max()
        assert np.abs(exact - difference).max() < 1e-6 * scale


def test_floating_base_equals_a_chain_of_six_joints():
    """A free base as three slides and three hinges with massless bodies between: another route."""
    from chapter_lib import Prismatic, Revolute, world_poses

    rng = np.random.default_rng(3)
    tree = random_tree(rng, 5, floating=True)
    loads = random_loads(rng, tree)
    axes = [Prismatic(a) for a in np.eye(3)] + [Revolute(a) for a in np.eye(3)[[2, 1, 0]]]
    nothing = np.zeros((6, 6))
    bodies = [Body(k - 1, axes[k], nothing, allow_degenerate=True) for k in range(5)]
    bodies.append(Body(4, axes[5], tree.base.inertia))
    for i in range(tree.n):
        placement = (tree.rotation0[i], tree.offset[i])
        options = dict(damping=tree.damping[i], armature=tree.armature[i])
        bodies.append(
            Body(tree.parent[i] + 6, tree.joints[i], tree.inertia[i], placement, **options)
        )
    free = Tree.build(bodies)
    # angles and rates of the six joints that give the same pose and base velocity
    from scipy.spatial.transform import Rotation

    euler = Rotation.from_matrix(tree.base.rotation).as_euler("ZYX")
    q = np.concatenate([tree.base.position, euler, tree.angles])
    free = free.at(q)
    R, p = world_poses(free)
    np.testing.assert_allclose(R[5], tree.base.rotation, atol=1e-12)
    J_w, J = point_jacobian(free, 5)
    J_base = np.concatenate([R[5].T @ J_w, R[5].T @ J])[:, :6]
    rates = np.concatenate([np.linalg.solve(J_base, loads.base_velocity), loads.velocity])
    external = np.concatenate([np.zeros((5, 6)), [loads.base_external], loads.external])
    torque = np.concatenate([np.zeros(6), loads.torque])
    result = forward_dynamics(free, DynamicsLoads(rates, torque, external, loads.gravity))
    expected = forward_dynamics(tree, loads)
    assert relative_error(result.joint_acceleration[6:], expected.joint_acceleration) < 1e-9
    assert relative_error(result.body_acceleration[5], expected.base_acceleration) < 1e-9


@pytest.mark.parametrize("order", ["chain", "breadth"])
def test_two_thousand_bodies(order):
    rng = np.random.default_rng(5)
    tree = random_tree(rng, 2000, kinds=("revolute",), order=order)
    loads = random_loads(rng, tree, external=False)
    result = forward_dynamics(tree, loads)
    back = inverse_dynamics(tree, loads, result.joint_acceleration)
    assert np.isfinite(result.joint_acceleration).all()
    scale = np.abs(bias_force(tree, loads)).max()
    assert np.abs(back - loads.torque).max() < 1e-7 * scale


def test_a_free_body_alone():
    """A floating base without joints: Euler's equation and the fall."""
    rng = np.random.default_rng(6)
    tree = random_tree(rng, 0, floating=True)
    loads = random_loads(rng, tree, external=False)
    result = forward_dynamics(tree, loads)
    expected = np.linalg.solve(
        kinetic_mass_matrix(tree),
        -projected_bias(tree, [], loads.gravity, loads.base_velocity),
    )
    np.testing.assert_allclose(result.base_acceleration, expected, rtol=1e-11)
    assert isinstance(tree.base, FloatingBase)
