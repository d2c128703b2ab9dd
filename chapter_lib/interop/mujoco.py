"""The tree as a MuJoCo model, and MuJoCo's answers in the conventions of this library."""

from xml.etree import ElementTree

import numpy as np

from ..integrate import quaternion_of
from ..kinematics import base_pose, world_poses
from ..loads import STANDARD_GRAVITY
from ..projection import generalized_velocity
from ..spatial import rigid_parameters
from ..tree import Helical, Prismatic
from .conventions import (
    BASE,
    PeerDynamics,
    body_name,
    check_floats,
    mujoco_wrench,
    ordinary_from_spatial,
    peer,
)


def to_mujoco(tree, gravity=STANDARD_GRAVITY, timestep=1e-3):
    """The tree for MuJoCo: an MJCF string, and the compiled `MjModel`, None without `mujoco`.

    gravity: (3,) world axes, m/s²; timestep: s, for MuJoCo's classical Runge–Kutta integrator.
    Bodies are called `"0 link 1"` (index and name), joints and the free joint `"base"` likewise.
    MuJoCo has no helical joint and its equality constraints are soft, so that a screw becomes a
    hinge and a slide on one axis, free of each other: `mujoco_velocity_map` holds the constant
    matrix `G` that ties them, and only the projected `GᵀMG` is the tree's.  A step of MuJoCo on
    such a model is therefore not the tree's motion.
    Raises TypeError for a tree of symbols or complex numbers, ValueError for what MuJoCo refuses,
    such as a massless body.
    """
    check_floats(tree)
    root = ElementTree.Element("mujoco", model="tree")
    ElementTree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    ElementTree.SubElement(
        root, "option", gravity=_text(gravity), timestep=_text(timestep), integrator="RK4"
    )
    elements = {-1: ElementTree.SubElement(root, "worldbody")}
    if tree.floating:
        R, p = base_pose(tree)
        base = _mjcf_body(elements[-1], BASE, R, p, tree.base.inertia)
        ElementTree.SubElement(base, "joint", name=BASE, type="free")
        elements[-1] = base
    for i, joint in enumerate(tree.joints):
        name = body_name(tree, i)
        parent, R, p = elements[tree.parent[i]], tree.rotation0[i], tree.offset[i]
        body = elements[i] = _mjcf_body(parent, name, R, p, tree.inertia[i])
        kind = "slide" if isinstance(joint, Prismatic) else "hinge"
        own = dict(damping=_text(tree.damping[i]), armature=_text(tree.armature[i]))
        axis = _text(joint.axis)
        ElementTree.SubElement(body, "joint", name=name, type=kind, axis=axis, **own)
        if isinstance(joint, Helical):
            ElementTree.SubElement(body, "joint", name=f"{name} slide", type="slide", axis=axis)
    ElementTree.indent(root)
    mjcf = ElementTree.tostring(root, encoding="unicode")
    try:
        import mujoco
    except ImportError:
        return mjcf, None
    try:
        return mjcf, mujoco.MjModel.from_xml_string(mjcf)
    except ValueError as error:
        raise ValueError(f"argument tree: MuJoCo refuses it: {error}") from error


def mujoco_velocity_map(tree, model):
    """`A` (nv, n) or (nv, 6 + n) with MuJoCo's `qvel = A ν`, at the tree's posture.

    A screw's column is (1, pitch) on its hinge and slide; a floating base's block turns its linear
    velocity into world axes and puts it first.
    """
    root = 6 if tree.floating else 0
    A = np.zeros((model.nv, root + tree.n))
    if tree.floating:
        free = model.joint(BASE).dofadr[0]
        A[free : free + 3, 3:6] = tree.base.rotation
        A[free + 3 : free + 6, :3] = np.eye(3)
    for i, joint in enumerate(tree.joints):
        name = body_name(tree, i)
        A[model.joint(name).dofadr[0], root + i] = 1
        if isinstance(joint, Helical):
            A[model.joint(f"{name} slide").dofadr[0], root + i] = joint.pitch
    return A


def mujoco_state(tree, loads, model):
    """MuJoCo's `qpos` (nq,) and `qvel` (nv,) of a tree and its velocities."""
    qpos = np.zeros(model.nq)
    if tree.floating:
        free = model.joint(BASE).qposadr[0]
        qpos[free : free + 7] = *tree.base.position, *quaternion_of(tree.base.rotation)
    for i, joint in enumerate(tree.joints):
        name = body_name(tree, i)
        qpos[model.joint(name).qposadr[0]] = tree.angles[i]
        if isinstance(joint, Helical):
            qpos[model.joint(f"{name} slide").qposadr[0]] = joint.pitch * tree.angles[i]
    return qpos, mujoco_velocity_map(tree, model) @ generalized_velocity(tree, loads)


def state_from_mujoco(tree, model, qpos, qvel):
    """The tree at MuJoCo's `qpos`, and ν (n,) or (6 + n,) from its `qvel`."""
    q = np.array([qpos[model.joint(body_name(tree, i)).qposadr[0]] for i in range(tree.n)])
    pose = {}
    if tree.floating:
        free = model.joint(BASE).qposadr[0]
        pose = dict(position=qpos[free : free + 3], rotation=qpos[free + 3 : free + 7])
    moved = tree.at(q, **pose)
    return moved, np.linalg.pinv(mujoco_velocity_map(moved, model)) @ qvel


def mujoco_data(tree, loads, model):
    """An `MjData` with the tree's state, torques and wrenches in it, after `mj_forward`.

    `loads.gravity` must be the model's: a model is not changed behind its owner's back.
    """
    mujoco = peer("mujoco")
    loads = loads.on(tree)
    if not np.array_equal(model.opt.gravity, loads.gravity):
        raise ValueError(
            f"argument model: its gravity is {model.opt.gravity.tolist()}, that of the loads "
            f"{loads.gravity.tolist()}; build it with to_mujoco(tree, loads.gravity)"
        )
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = mujoco_state(tree, loads, model)
    R, _ = world_poses(tree)
    for i in range(tree.n):
        name, com = body_name(tree, i), rigid_parameters(tree.inertia[i])[1]
        data.qfrc_applied[model.joint(name).dofadr[0]] = loads.torque[i]
        data.xfrc_applied[model.body(name).id] = mujoco_wrench(loads.external[i], R[i], com)
    if tree.floating:
        com = rigid_parameters(tree.base.inertia)[1]
        wrench = mujoco_wrench(loads.base_external, tree.base.rotation, com)
        data.xfrc_applied[model.body(BASE).id] = wrench
    mujoco.mj_forward(model, data)
    return data


def mujoco_dynamics(tree, loads, model=None):
    """MuJoCo's accelerations, mass matrix and bias of a tree under `DynamicsLoads`: `PeerDynamics`.

    MuJoCo forms M by composite bodies and factors it, sparse, as `LᵀDL`; it has no ABA.  With
    screws in the tree its forces and M are projected with `G` and the small system is solved here.
    """
    mujoco = peer("mujoco")
    loads = loads.on(tree)
    model = to_mujoco(tree, loads.gravity)[1] if model is None else model
    data = mujoco_data(tree, loads, model)
    A = mujoco_velocity_map(tree, model)
    M_A = np.zeros((A.shape[1], model.nv))
    for column, row in zip(A.T, M_A, strict=True):
        mujoco.mj_mulM(model, data, row, column)
    M = A.T @ M_A.T
    moving = np.zeros(A.shape[1])  # Ȧ ν, as if it were an acceleration of ours
    if tree.floating:
        moving[:6] = ordinary_from_spatial(moving[:6], loads.base_velocity)
    bias = A.T @ (data.qfrc_applied - data.qfrc_smooth) + M @ moving
    if A.shape[0] == A.shape[1]:
        acceleration = np.linalg.solve(A, data.qacc) - moving
    else:
        acceleration = np.linalg.solve(M, A.T @ data.qfrc_applied - bias)
    return PeerDynamics(acceleration, M, bias)


def _mjcf_body(parent, name, R, p, inertia):
    """A `<body>` with its inertia about principal axes: what MuJoCo would compute from the full
    matrix, but to the last digit."""
    mass, com, I_C = rigid_parameters(inertia)
    moments, axes = np.linalg.eigh(I_C)
    axes[:, 0] *= np.sign(np.linalg.det(axes))  # a rotation, no mirror image
    pose = dict(pos=_text(p), quat=_text(quaternion_of(R)))
    body = ElementTree.SubElement(parent, "body", name=name, **pose)
    ElementTree.SubElement(
        body,
        "inertial",
        mass=_text(mass),
        pos=_text(com),
        quat=_text(quaternion_of(axes)),
        diaginertia=_text(moments),
    )
    return body


def _text(numbers):
    return " ".join(repr(float(x)) for x in np.atleast_1d(numbers))
