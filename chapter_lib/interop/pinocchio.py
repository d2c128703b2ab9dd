"""The tree as a Pinocchio model, and Pinocchio's answers in the conventions of this library."""

import numpy as np

from ..integrate import quaternion_of
from ..loads import STANDARD_GRAVITY
from ..projection import generalized_velocity
from ..spatial import rigid_parameters
from ..tree import Helical, Prismatic
from .conventions import (
    BASE,
    PeerDynamics,
    body_name,
    check_floats,
    drag,
    linear_first,
    peer,
    quaternion_wxyz,
    quaternion_xyzw,
)


def to_pinocchio(tree, gravity=STANDARD_GRAVITY):
    """The tree as a `pinocchio.Model`, joints added depth first: fixed or floating, with armature.

    gravity: (3,) world axes, m/s².  Joints are called `"0 link 1"` (index and name) and `"base"`.
    Damping is stored in `model.damping`, which Pinocchio's algorithms do not read: the functions
    here take `b q̇` from the torque.  Raises TypeError for symbols or complex numbers.
    """
    pin = peer("pinocchio")
    check_floats(tree)
    model = pin.Model()
    model.gravity = pin.Motion(np.array(gravity, dtype=float), np.zeros(3))
    ids = {-1: 0}
    if tree.floating:
        ids[-1] = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), BASE)
        model.appendBodyToJoint(ids[-1], _pin_inertia(tree.base.inertia), pin.SE3.Identity())
    for i in depth_first(tree):
        joint, axis = tree.joints[i], np.array(tree.joints[i].axis)
        if isinstance(joint, Helical):
            kind = pin.JointModelHelicalUnaligned(axis, float(joint.pitch))
        elif isinstance(joint, Prismatic):
            kind = pin.JointModelPrismaticUnaligned(axis)
        else:
            kind = pin.JointModelRevoluteUnaligned(axis)
        place = pin.SE3(np.array(tree.rotation0[i]), np.array(tree.offset[i]))
        ids[i] = model.addJoint(ids[tree.parent[i]], kind, place, body_name(tree, i))
        model.appendBodyToJoint(ids[i], _pin_inertia(tree.inertia[i]), pin.SE3.Identity())
    columns = [model.joints[ids[i]].idx_v for i in range(tree.n)]
    model.armature[columns], model.damping[columns] = tree.armature, tree.damping
    return model


def pinocchio_velocity_map(tree, model):
    """`A`, a permutation with Pinocchio's `v = A ν`: depth-first joints, linear-first base."""
    root = 6 if tree.floating else 0
    A = np.zeros((model.nv, root + tree.n))
    if tree.floating:
        A[:6, :6] = linear_first(np.eye(6))
    for i in range(tree.n):
        A[_pin_joint(tree, i, model).idx_v, root + i] = 1
    return A


def pinocchio_state(tree, loads, model):
    """Pinocchio's `q` (nq,) and `v` (nv,) of a tree and its velocities."""
    q = np.zeros(model.nq)
    if tree.floating:
        q[:7] = *tree.base.position, *quaternion_xyzw(quaternion_of(tree.base.rotation))
    for i in range(tree.n):
        q[_pin_joint(tree, i, model).idx_q] = tree.angles[i]
    return q, pinocchio_velocity_map(tree, model) @ generalized_velocity(tree, loads)


def state_from_pinocchio(tree, model, q, v):
    """The tree at Pinocchio's `q`, and ν (n,) or (6 + n,) from its `v`."""
    pose = dict(position=q[:3], rotation=quaternion_wxyz(q[3:7])) if tree.floating else {}
    moved = tree.at(np.array([q[_pin_joint(tree, i, model).idx_q] for i in range(tree.n)]), **pose)
    return moved, pinocchio_velocity_map(moved, model).T @ v


def pinocchio_arguments(tree, loads, model):
    """`(q, v, τ, f_ext)` for `pin.aba` and its derivatives; damping is already in τ.

    `f_ext` is a `StdVec_Force`, one for each joint, in joint axes about the joint's origin.
    """
    pin = peer("pinocchio")
    loads = loads.on(tree)
    if not np.array_equal(model.gravity.linear, loads.gravity):
        raise ValueError(
            f"argument model: its gravity is {model.gravity.linear.tolist()}, that of the loads "
            f"{loads.gravity.tolist()}; build it with to_pinocchio(tree, loads.gravity)"
        )
    effort = np.concatenate([np.zeros(model.nv - tree.n), loads.torque - drag(tree, loads)])
    external = [pin.Force(np.zeros(3), np.zeros(3)) for _ in range(model.njoints)]
    wrenches = [(body_name(tree, i), loads.external[i]) for i in range(tree.n)]
    if tree.floating:
        wrenches.append((BASE, loads.base_external))
    for name, f in wrenches:
        external[model.getJointId(name)] = pin.Force(f[3:].copy(), f[:3].copy())
    q, v = pinocchio_state(tree, loads, model)
    tau = pinocchio_velocity_map(tree, model) @ effort
    return q, v, tau, pin.StdVec_Force(external)


def pinocchio_dynamics(tree, loads, model=None):
    """Pinocchio's `aba`, `crba` and `rnea` (bias) of a tree under `DynamicsLoads`: `PeerDynamics`.

    Only the upper triangle of `crba` is read: older versions fill no more.
    """
    pin = peer("pinocchio")
    loads = loads.on(tree)
    model = to_pinocchio(tree, loads.gravity) if model is None else model
    data, A = model.createData(), pinocchio_velocity_map(tree, model)
    q, v, tau, external = pinocchio_arguments(tree, loads, model)
    upper = np.triu(pin.crba(model, data, q))
    M = upper + np.triu(upper, 1).T
    bias = A.T @ pin.rnea(model, data, q, v, np.zeros(model.nv), external)
    bias[len(bias) - tree.n :] += drag(tree, loads)
    return PeerDynamics(A.T @ pin.aba(model, data, q, v, tau, external), A.T @ M @ A, bias)


def pinocchio_derivatives(tree, loads, model=None):
    """Pinocchio's analytical derivatives of ν̇: by position, by velocity and by effort.

    Each (n, n), or (6 + n, 6 + n) with the base first: its position moves along its own axes,
    `(δφ, δr)` as its velocity does.  Damping is in the derivative by velocity; wrenches are held
    fixed in body axes.
    """
    pin = peer("pinocchio")
    loads = loads.on(tree)
    model = to_pinocchio(tree, loads.gravity) if model is None else model
    data, A = model.createData(), pinocchio_velocity_map(tree, model)
    slopes = pin.computeABADerivatives(model, data, *pinocchio_arguments(tree, loads, model))
    upper = np.triu(slopes[2])  # of M⁻¹ only the upper triangle is promised
    by_position, by_velocity, by_effort = (
        A.T @ D @ A for D in (*slopes[:2], upper + np.triu(upper, 1).T)
    )
    damping = np.concatenate([np.zeros(model.nv - tree.n), tree.damping])
    return by_position, by_velocity - by_effort * damping, by_effort


def depth_first(tree):
    """The bodies in the order of a walk down each branch to its end (n,), children by index."""
    children = {i: [] for i in range(-1, tree.n)}
    for i, parent in enumerate(tree.parent):
        children[parent].append(i)
    order, stack = [], [-1]
    while stack:
        order.append(stack.pop())
        stack += reversed(children[order[-1]])
    return order[1:]


def _pin_inertia(inertia):
    pin = peer("pinocchio")
    mass, com, I_C = rigid_parameters(inertia)
    return pin.Inertia(float(mass), np.array(com), np.array(I_C))


def _pin_joint(tree, i, model):
    return model.joints[model.getJointId(body_name(tree, i))]
