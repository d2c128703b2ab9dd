"""Motion with contacts, a velocity step at a time; limits of joints in three models.

Stands beside "Time-Stepping and Numerical Order" and "Joint Limits".
"""

import numpy as np

from .complementarity import least_distance
from .contact import contact_rows
from .crba import mass_matrix
from .integrate import (
    base_rate,
    checked_steps,
    loads_at,
    posture,
    recorded,
    start,
    unit,
)
from .loads import STANDARD_GRAVITY
from .projection import free_acceleration, mass_weighted_rows
from .scalars import frozen


def simulate_contact(
    tree,
    velocity,
    dt,
    steps,
    contacts,
    restitution=0.0,
    torque=None,
    base_velocity=None,
    gravity=STANDARD_GRAVITY,
    rest_speed=None,
):
    """Move a mechanism among frictionless unilateral contacts by impulses, one problem a step.

    `M(q_k) (ν_{k+1} − ν_k) = dt (τ_k − h_k) + J(q_k)ᵀ Λ` with
    `0 ≤ Λ ⊥ J ν_{k+1} + φ/dt ≥ 0`, then `q_{k+1} = q_k + dt N(q_k) ν_{k+1}`: no gap closes
    further than zero, up to the curvature within a step, and an overlap is undone in one step.
    A contact that would close while its rebound `e |J ν_k|` is faster than rest_speed has
    `J ν_{k+1} ≥ e |J ν_k|` asked of it instead.  First order; coefficients are frozen over a step,
    so that this is not an implicit Euler method.

    contacts: a list of `PointContact` and `JointLimit`; restitution: 0 ≤ e ≤ 1, one or (k,);
    rest_speed: m/s (rad/s), by default twice what gravity adds in a step; the rest as in
    `simulate`.  Returns a `Trajectory` with impulses (steps, k) and gaps (steps + 1, k).
    """
    dt, steps = checked_steps(dt, steps)
    contacts = list(contacts)
    e = np.broadcast_to(np.asarray(restitution, dtype=float), (len(contacts),))
    if not ((e >= 0) & (e <= 1)).all():
        raise ValueError(f"argument restitution must be from 0 to 1, got {e.tolist()}")
    if rest_speed is None:
        rest_speed = 2 * dt * np.linalg.norm(gravity)
    torque_at = torque if callable(torque) else lambda t, q, v: torque
    root = 6 if tree.floating else 0
    q, v = start(tree, velocity, base_velocity)
    now, time = tree, dt * np.arange(steps + 1)
    record, impulses, gaps = [(q, v)], [], [_gaps(tree, contacts)]
    for t in time[:-1]:
        loads = loads_at(now, v, torque_at(t, now.angles, v[root:]), gravity)
        free = v + dt * free_acceleration(now, loads)
        J, phi = contact_rows(now, contacts), gaps[-1]
        rebound = e * np.maximum(0, -(J @ v))
        bounces = (rebound > rest_speed) & (phi + dt * (J @ free) < 0)
        floor = np.where(bounces, rebound, -phi / dt)
        A, L = mass_weighted_rows(mass_matrix(now), J)
        impulse = least_distance(A, J @ free - floor).force
        v = free + np.linalg.solve(L.T, A.T @ impulse)
        q = unit(tree, q + dt * (base_rate(q, v) if tree.floating else v))
        now = posture(tree, q)
        record.append((q, v))
        impulses.append(impulse)
        gaps.append(_gaps(now, contacts))
    k = len(contacts)
    more = dict(
        impulses=frozen(np.array(impulses).reshape(steps, k)),
        gaps=frozen(np.array(gaps).reshape(steps + 1, k)),
    )
    return recorded(tree, gravity, time, record, **more)


def soft_limit(limit, stiffness, damping=0.0):
    """A soft stop as a torque law for `simulate`: a one-sided spring and damper beyond the bound.

    limit: a `JointLimit`; stiffness: k, N m/rad; damping: c, N m s/rad.  Returns a function of
    (t, q, q̇), (n,): `max(0, −k φ − c φ̇)` along the gap while φ < 0, zero elsewhere; it never
    pulls, and it lets the joint pass the bound by as much as the load asks.
    """

    def torque(t, q, qd):
        effort = np.zeros(q.shape)
        sign = limit.direction
        gap = sign * (q[limit.joint] - limit.bound)
        if gap < 0:
            push = -stiffness * gap - damping * sign * qd[limit.joint]
            effort[limit.joint] = sign * max(0.0, push)
        return effort

    return torque


def clip_after(limit, stop=False):
    """What not to do: clip the angle after every step, as the `after` of `simulate`.

    limit: a `JointLimit` on a fixed base; stop: also set the joint's rate to zero when it moves
    outward.  Neither is a force: the other joints feel nothing, momentum and energy jump.
    """

    def after(t, q, qd):
        q, qd = np.array(q), np.array(qd)
        sign = limit.direction
        if sign * (q[limit.joint] - limit.bound) < 0:
            q[limit.joint] = limit.bound
            if stop and sign * qd[limit.joint] < 0:
                qd[limit.joint] = 0.0
        return q, qd

    return after


def _gaps(tree, contacts):
    return np.array([c.gap(tree) for c in contacts])
