"""Where a comparison with MuJoCo or Pinocchio goes wrong, one trap a test."""

import numpy as np
import pytest

from chapter_lib import (
    DynamicsLoads,
    FloatingBase,
    Helical,
    Tree,
    base_pose,
    cylinder_inertia,
    forward_dynamics,
    interop,
    mass_matrix,
    ordinary_acceleration,
    rigid_inertia,
    rigid_parameters,
    rotation_about,
    three_link_arm,
    world_poses,
    world_wrench,
)

from .mechanisms import random_loads, random_rotation, random_tree, relative_error
from .peers import require

ARM_LOADS = DynamicsLoads(velocity=[0.8, -0.5, 1.1], torque=[4.0, -1.0, 0.3])


@pytest.fixture
def mujoco():
    return require("mujoco")


@pytest.fixture
def pin():
    return require("pinocchio")


def spinning_body(**pose):
    base = FloatingBase(rigid_inertia(2.0, np.array([0.1, -0.2, 0.3]), np.diag([0.2, 0.3, 0.4])))
    tree = Tree.build([], [], base).at(**pose)
    return tree, DynamicsLoads(velocity=[], base_velocity=[0.4, -0.7, 2.0, 1.0, 0.5, -0.2])


# --- conversions by themselves -------------------------------------------------------------------


def test_every_conversion_has_its_inverse():
    rng = np.random.default_rng(0)
    x, v, R, com = rng.normal(size=6), rng.normal(size=6), random_rotation(rng), rng.normal(size=3)
    assert np.array_equal(interop.angular_first(interop.linear_first(x)), x)
    assert np.array_equal(interop.quaternion_wxyz(interop.quaternion_xyzw(x[:4])), x[:4])
    for there, back, args in [
        (interop.world_axes, interop.body_axes, (R,)),
        (interop.ordinary_from_spatial, interop.spatial_from_ordinary, (v,)),
        (interop.mujoco_wrench, interop.wrench_from_mujoco, (R, com)),
    ]:
        assert np.allclose(back(there(x, *args), *args), x, rtol=0, atol=1e-14)
        assert not np.allclose(there(x, *args), x)


def test_halves_and_quaternions_go_where_their_names_say():
    assert interop.linear_first([1, 2, 3, 4, 5, 6]).tolist() == [4, 5, 6, 1, 2, 3]
    assert interop.angular_first([1, 2, 3, 4, 5, 6]).tolist() == [4, 5, 6, 1, 2, 3]
    assert interop.quaternion_xyzw([1, 2, 3, 4]).tolist() == [2, 3, 4, 1]
    assert interop.quaternion_wxyz([1, 2, 3, 4]).tolist() == [4, 1, 2, 3]


# --- MuJoCo --------------------------------------------------------------------------------------


def test_mujoco_free_joint_has_world_linear_and_body_angular_velocity(mujoco):
    tree, loads = spinning_body(rotation=rotation_about("z", np.pi / 2))
    _, model = interop.to_mujoco(tree)
    data = interop.mujoco_data(tree, loads, model)
    assert np.allclose(data.qvel[:3], [-0.5, 1.0, -0.2])  # world axes: R v
    assert np.allclose(data.qvel[3:], [0.4, -0.7, 2.0])  # body axes: ω
    h = 1e-6
    before = data.qpos.copy()
    mujoco.mj_integratePos(model, data.qpos, data.qvel, h)
    R, p = base_pose(interop.state_from_mujoco(tree, model, data.qpos, data.qvel)[0])
    R0, _ = base_pose(tree)
    v = loads.base_velocity
    assert np.allclose((p - before[:3]) / h, R0 @ v[3:], atol=1e-8)
    spin = R0.T @ (R - R0) / h
    assert np.allclose([spin[2, 1], spin[0, 2], spin[1, 0]], v[:3], atol=1e-5)


def test_mujoco_free_joint_acceleration_is_ordinary(mujoco):
    tree, loads = spinning_body(rotation=rotation_about("x", 0.7))
    _, model = interop.to_mujoco(tree)
    data = interop.mujoco_data(tree, loads, model)
    result = forward_dynamics(tree, loads)
    spatial = result.base_acceleration
    ordinary = interop.ordinary_from_spatial(spatial, loads.base_velocity)
    R = tree.base.rotation
    assert np.allclose(data.qacc[:3], R @ ordinary[3:], rtol=0, atol=1e-12)
    assert np.allclose(data.qacc[:3], R @ ordinary_acceleration(result, -1), rtol=0, atol=1e-12)
    assert np.abs(data.qacc[:3] - R @ spatial[3:]).max() > 0.5
    assert np.allclose(data.qacc[3:], spatial[:3], rtol=0, atol=1e-12)


def test_mujoco_wrench_acts_at_the_center_of_mass_in_world_axes(mujoco):
    tree = three_link_arm()
    pushed = world_wrench(tree, 2, (0, 10, 0))  # at the body's origin
    external = np.array([np.zeros(6), np.zeros(6), pushed])
    loads = DynamicsLoads(ARM_LOADS.velocity, ARM_LOADS.torque, external)
    expected = (2.505699, -24.978370, 22.974163)
    assert np.allclose(forward_dynamics(tree, loads).joint_acceleration, expected, atol=5e-7)
    _, model = interop.to_mujoco(tree)
    data = interop.mujoco_data(tree, ARM_LOADS, model)

    def acceleration(row):
        data.xfrc_applied[-1] = row
        mujoco.mj_forward(model, data)
        return data.qacc.copy()

    R, com = world_poses(tree)[0][2], rigid_parameters(tree.inertia[2])[1]
    assert np.allclose(acceleration(interop.mujoco_wrench(pushed, R, com)), expected, atol=5e-7)
    naive = acceleration([0, 10, 0, 0, 0, 0])  # the same force, at the centre of mass
    assert np.abs(naive - expected).max() > 10
    at_center = world_wrench(tree, 2, (0, 10, 0), com)
    external = np.array([np.zeros(6), np.zeros(6), at_center])
    loads = DynamicsLoads(ARM_LOADS.velocity, ARM_LOADS.torque, external)
    assert np.allclose(naive, forward_dynamics(tree, loads).joint_acceleration, rtol=1e-12)


@pytest.mark.parametrize("integrator", ["EULER", "IMPLICITFAST"])
def test_mujoco_steps_treat_damping_implicitly(mujoco, integrator):
    h = 0.02
    rng = np.random.default_rng(4)
    tree = random_tree(rng, 3, kinds=("revolute",), armature=False)
    loads = random_loads(rng, tree, external=False)
    _, model = interop.to_mujoco(tree, loads.gravity, h)
    model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
    data = interop.mujoco_data(tree, loads, model)
    qdd = forward_dynamics(tree, loads).joint_acceleration
    assert np.allclose(data.qacc, qdd, rtol=1e-10)  # the instant agrees
    mujoco.mj_step(model, data)
    A = interop.mujoco_velocity_map(tree, model)
    step = (A.T @ data.qvel - loads.velocity) / h  # the step does not
    M = mass_matrix(tree)
    implicit = np.linalg.solve(M + h * np.diag(tree.damping), M @ qdd)
    assert relative_error(step, implicit) < 1e-10
    assert relative_error(step, qdd) > 1e-2


def test_mujoco_euler_is_explicit_once_told_so(mujoco):
    h = 0.02
    tree = random_tree(np.random.default_rng(4), 3, kinds=("revolute",))
    loads = random_loads(np.random.default_rng(5), tree, external=False)
    _, model = interop.to_mujoco(tree, loads.gravity, h)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_EULERDAMP
    data = interop.mujoco_data(tree, loads, model)
    mujoco.mj_step(model, data)
    A = interop.mujoco_velocity_map(tree, model)
    expected = loads.velocity + h * forward_dynamics(tree, loads).joint_acceleration
    assert np.allclose(A.T @ data.qvel, expected, rtol=1e-10)


def test_mujoco_has_no_screw_and_a_projection_makes_one(mujoco):
    rng = np.random.default_rng(6)
    tree = random_tree(rng, 4, kinds=("helical",))
    loads = random_loads(rng, tree)
    _, model = interop.to_mujoco(tree, loads.gravity)
    assert model.nv == 8
    G = interop.mujoco_velocity_map(tree, model)
    assert sorted(np.count_nonzero(G, axis=0)) == [2, 2, 2, 2]
    pitches = [joint.pitch for joint in tree.joints]
    assert np.allclose(G.sum(axis=0), 1 + np.array(pitches))
    assert all(isinstance(joint, Helical) for joint in tree.joints)
    free = interop.mujoco_data(tree, loads, model).qacc  # hinge and slide, not tied
    tied = interop.mujoco_dynamics(tree, loads, model).acceleration
    assert relative_error(tied, forward_dynamics(tree, loads).joint_acceleration) < 1e-12
    assert relative_error(np.linalg.pinv(G) @ free, tied) > 0.1


def test_mujoco_body_accelerations_are_ordinary_and_hold_gravity(mujoco):
    tree, loads = three_link_arm(), ARM_LOADS
    _, model = interop.to_mujoco(tree)
    data = interop.mujoco_data(tree, loads, model)
    mujoco.mj_rnePostConstraint(model, data)
    result, R = forward_dynamics(tree, loads), world_poses(tree)[0][2]
    a, v = np.zeros(6), np.zeros(6)
    body = model.body("2 link 3").id
    mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, a, 1)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, v, 1)
    assert np.allclose(v, result.velocity[2], rtol=0, atol=1e-13)
    a[3:] += R.T @ loads.gravity  # MuJoCo's is what an accelerometer reads
    assert np.allclose(a[3:], (-5.254714, -22.176849, 0), atol=5e-7)
    spatial = interop.spatial_from_ordinary(a, v)
    assert np.allclose(spatial, result.body_acceleration[2], rtol=0, atol=1e-11)
    assert np.allclose(spatial[3:], (-4.738068, -21.987099, 0), atol=5e-7)


# --- Pinocchio -----------------------------------------------------------------------------------


def test_pinocchio_aba_leaves_gravity_in_its_accelerations(pin):
    rng = np.random.default_rng(7)
    tree = random_tree(rng, 5)
    loads = random_loads(rng, tree)
    result = forward_dynamics(tree, loads)
    model = interop.to_pinocchio(tree, loads.gravity)
    arguments = interop.pinocchio_arguments(tree, loads, model)
    ids = [model.getJointId(f"{i} {name}") for i, name in enumerate(tree.names)]

    def rows(motions):
        return np.array([interop.angular_first(motions[j].vector) for j in ids])

    data = model.createData()
    pin.aba(model, data, *arguments)
    assert relative_error(rows(data.a_gf), result.algorithmic_acceleration) < 1e-12
    assert relative_error(rows(data.a_gf), result.body_acceleration) > 0.1
    # data.a is meant to be free of gravity, but aba turns g by poses that it does not compute
    assert relative_error(rows(data.a), result.body_acceleration) > 0.1
    pin.forwardKinematics(model, data, arguments[0])
    pin.aba(model, data, *arguments)
    assert relative_error(rows(data.a), result.body_acceleration) < 1e-12


def test_pinocchio_mass_matrix_is_wrong_when_joints_are_not_added_depth_first(pin):
    rng = np.random.default_rng(8)
    tree = random_tree(rng, 7, kinds=("revolute",), order="breadth", armature=False)
    raw, ids = pin.Model(), {-1: 0}
    for i in range(tree.n):  # as they are numbered: breadth first
        place = pin.SE3(np.array(tree.rotation0[i]), np.array(tree.offset[i]))
        joint = pin.JointModelRevoluteUnaligned(np.array(tree.joints[i].axis))
        ids[i] = raw.addJoint(ids[tree.parent[i]], joint, place, str(i))
        mass, com, I_C = rigid_parameters(tree.inertia[i])
        raw.appendBodyToJoint(ids[i], pin.Inertia(float(mass), com, I_C), pin.SE3.Identity())
    M = mass_matrix(tree)
    half = np.triu(pin.crba(raw, raw.createData(), np.array(tree.angles)))
    assert relative_error(half, np.triu(M)) > 0.01
    loads = random_loads(rng, tree)
    assert relative_error(interop.pinocchio_dynamics(tree, loads).mass_matrix, M) < 1e-12


def test_pinocchio_keeps_damping_and_does_not_use_it(pin):
    rng = np.random.default_rng(9)
    tree = random_tree(rng, 4)
    loads = random_loads(rng, tree, external=False)
    model = interop.to_pinocchio(tree, loads.gravity)
    A = interop.pinocchio_velocity_map(tree, model)
    assert np.allclose(A.T @ model.damping, tree.damping)
    q, v, _, _ = interop.pinocchio_arguments(tree, loads, model)
    raw = A.T @ pin.aba(model, model.createData(), q, v, A @ loads.torque)
    expected = forward_dynamics(tree, loads).joint_acceleration
    assert relative_error(raw, expected) > 0.01
    assert relative_error(interop.pinocchio_dynamics(tree, loads, model).acceleration, expected) < (
        1e-12
    )


def test_pinocchio_is_linear_first_and_keeps_w_last(pin):
    tree, loads = spinning_body(rotation=rotation_about("z", np.pi / 2), position=(1, 2, 3))
    model = interop.to_pinocchio(tree)
    q, v, _, external = interop.pinocchio_arguments(
        tree,
        DynamicsLoads([], base_velocity=loads.base_velocity, base_external=np.arange(6)),
        model,
    )
    half = np.sqrt(0.5)
    assert np.allclose(q, [1, 2, 3, 0, 0, half, half])
    assert np.allclose(v, [1.0, 0.5, -0.2, 0.4, -0.7, 2.0])
    assert external[1].linear.tolist() == [3, 4, 5]
    assert external[1].angular.tolist() == [0, 1, 2]
    moved = pin.integrate(model, q, 1e-6 * v)
    assert np.allclose((moved[:3] - q[:3]) / 1e-6, base_pose(tree)[0] @ v[:3], atol=1e-5)


def test_armature_is_in_both_peers_mass_matrices():
    from dataclasses import replace

    tree = replace(three_link_arm(), armature=np.array([0.04, 0, 0]))
    for peer, dynamics in [
        ("mujoco", interop.mujoco_dynamics),
        ("pinocchio", interop.pinocchio_dynamics),
    ]:
        require(peer)
        theirs = dynamics(tree, ARM_LOADS)
        assert theirs.mass_matrix[0, 0] == pytest.approx(0.854793, abs=5e-7)
        expected = (1.753682, -78.861712, 174.847456)
        assert np.allclose(theirs.acceleration, expected, atol=5e-7)


def test_products_of_inertia_keep_their_sign():
    """A body with all three products of inertia, on a slanted axis, read back from both models."""
    inertia = cylinder_inertia(0.7, 2.0, 0.1)
    R = rotation_about("z", 0.5) @ rotation_about("y", -0.9)
    mass, com, I_C = rigid_parameters(inertia)
    turned = rigid_inertia(mass, R @ com, R @ I_C @ R.T)
    tree = Tree.build([], [], FloatingBase(turned))
    if require("mujoco"):
        _, model = interop.to_mujoco(tree)
        W = np.zeros(9)
        require("mujoco").mju_quat2Mat(W, model.body_iquat[1])
        W = W.reshape(3, 3)
        assert np.allclose(W @ np.diag(model.body_inertia[1]) @ W.T, R @ I_C @ R.T, atol=1e-15)
        assert np.allclose(model.body_ipos[1], R @ com)
    if require("pinocchio"):
        theirs = interop.to_pinocchio(tree).inertias[1]
        assert np.allclose(theirs.inertia, R @ I_C @ R.T, atol=1e-15)
