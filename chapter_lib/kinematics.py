"""Where bodies are and how their points move, in plain Cartesian vectors.

Independent of the spatial recursions: rotations and positions come from axes and placements, and
Jacobians from cross products in the world.  Stands beside "Pass 3 and an Independent Check" and
"Fixed-Base Acceleration and Gravity".
"""

import numpy as np

from .scalars import as_array, cosine, numbers, sine
from .spatial import point_wrench, rigid_parameters, skew


def world_poses(tree):
    """Rotations (n, 3, 3), columns the bodies' axes in the world, and origins (n, 3), m."""
    R0, p0 = base_pose(tree)
    s, c = sine(tree.angles), cosine(tree.angles)
    R, p = [None] * tree.n, [None] * tree.n
    for i, parent in enumerate(tree.parent):
        R_parent, p_parent = (R[parent], p[parent]) if parent >= 0 else (R0, p0)
        turn, slide = tree.S[i, :3], tree.S[i, 3:]
        K = skew(turn)
        joint = np.eye(3, dtype=int) + s[i] * K + (1 - c[i]) * (K @ K)
        placed = R_parent @ tree.rotation0[i]
        R[i] = placed @ joint
        p[i] = p_parent + R_parent @ tree.offset[i] + placed @ (slide * tree.angles[i])
    return as_array(R, 3, 3), as_array(p, 3)


def base_pose(tree):
    """Rotation (3, 3) and position (3,) of the base in the world; a fixed base is the world."""
    if tree.floating:
        return tree.base.rotation, tree.base.position
    return np.eye(3, dtype=int), np.zeros(3, dtype=int)


def world_point(tree, body, point=(0, 0, 0)):
    """Position (3,) in the world of `point` (3,) of a body's frame; body −1 is the base."""
    R, p = _pose(tree, _body(tree, body))
    return p + R @ np.asarray(point)


def point_jacobian(tree, body, point=(0, 0, 0)):
    """Angular and linear Jacobians (3, n) of a point of a body, in world axes.

    point: (3,) in the body's frame, m.  `ω = J_ω ν` and `ṗ = J ν`, where ν is q̇ on a fixed base
    and (base velocity in base axes, q̇), 6 + n long, on a floating one.
    """
    return jacobian_at(tree, world_poses(tree), _body(tree, body), point)


def jacobian_at(tree, poses, body, point):
    """`point_jacobian` with the `world_poses` already at hand, for many points of one posture."""
    R, p = poses
    R_body, p_body = (R[body], p[body]) if body >= 0 else base_pose(tree)
    where = p_body + R_body @ np.asarray(point)
    root = 6 if tree.floating else 0
    kind = np.result_type(tree.X, where)
    J_w = np.zeros((3, root + tree.n), dtype=kind)
    J = np.zeros((3, root + tree.n), dtype=kind)
    if tree.floating:
        R0, p0 = base_pose(tree)
        J_w[:, :3], J[:, 3:6] = R0, R0
        J[:, :3] = -skew(where - p0) @ R0
    i = body
    while i >= 0:
        turn, slide = R[i] @ tree.S[i, :3], R[i] @ tree.S[i, 3:]
        J_w[:, root + i] = turn
        J[:, root + i] = skew(turn) @ (where - p[i]) + slide
        i = tree.parent[i]
    return J_w, J


def mass_points(tree):
    """Masses (k,), kg, and centres of mass (k, 3) in the world, m, a floating base first."""
    R, p = world_poses(tree)
    R0, p0 = base_pose(tree)
    bodies = [(tree.base.inertia, R0, p0)] if tree.floating else []
    bodies += zip(tree.inertia, R, p, strict=True)
    parts = [(rigid_parameters(inertia), R_i, p_i) for inertia, R_i, p_i in bodies]
    masses = np.array([mass for (mass, _, _), _, _ in parts])
    return masses, np.array([p_i + R_i @ com for (_, com, _), R_i, p_i in parts])


def world_wrench(tree, body, force, point=(0, 0, 0), couple=(0, 0, 0)):
    """A known force in world axes as the wrench (6,) that `DynamicsLoads.external` wants.

    force: (3,) N and couple: (3,) N m in world axes; point: (3,) of application in the body's
    frame, m.  The result is about the body's origin and in its axes.
    """
    R, _ = _pose(tree, _body(tree, body))
    force, couple = np.asarray(force), np.asarray(couple)
    return point_wrench(R.T @ force, np.asarray(point), R.T @ couple)


def ordinary_acceleration(result, body, point=(0, 0, 0)):
    """Acceleration (3,) of a point of a body as seen from the world, in body axes, m/s².

    result: from `forward_dynamics`; point: (3,) in the body's frame; body −1 is the base.  Spatial
    acceleration is not this: at the origin the two differ by `ω × v_O`.
    """
    body = _body(result.tree, body)
    if body >= 0:
        v, a = result.velocity[body], result.body_acceleration[body]
    else:
        v, a = result.loads.base_velocity, result.base_acceleration
    w, r = v[:3], numbers(point, "argument point", (3,))
    return a[3:] + skew(a[:3]) @ r + skew(w) @ (v[3:] + skew(w) @ r)


def accelerometer_reading(result, body, point=(0, 0, 0)):
    """What an accelerometer fixed at a point of a body reads (3,), in body axes, m/s².

    Ordinary acceleration less gravity: +9.81 upward for a sensor at rest.
    """
    R, _ = _pose(result.tree, _body(result.tree, body))
    return ordinary_acceleration(result, body, point) - R.T @ result.loads.gravity


def _pose(tree, body):
    if body < 0:
        return base_pose(tree)
    R, p = world_poses(tree)
    return R[body], p[body]


def _body(tree, body):
    if not -1 <= body < tree.n:
        raise ValueError(f"argument body: expected an index from −1 to {tree.n - 1}, got {body}")
    return int(body)
