"""One-step integrators and the trajectories they make.

Stands beside "Time-Stepping and Numerical Order" and "Configuration Coordinates and Generalized
Velocity".  An integrator advances `q̇ = N(q) ν`, `ν̇ = a(t, q, ν)` by one step; on a fixed base N is
the identity and ν is q̇.  A floating base is stored as a unit quaternion and a position, seven
numbers whose rate has six.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from .loads import STANDARD_GRAVITY, DynamicsLoads
from .projection import free_acceleration
from .scalars import frozen, is_float, numbers
from .tree import Tree


def _same(q, v):
    return v


def velocity_first(q, v, h, acceleration, t=0.0, rate=_same):
    """`ν⁺ = ν + h a(t, q, ν)`, then `q⁺ = q + h N(q) ν⁺`: first order.

    q: (…), v: (m,), h: step, s; acceleration(t, q, v): (m,); rate(q, v): `N(q) ν`, by default ν.
    Returns the pair at t + h.  All integrators here have this signature.
    """
    v = v + h * acceleration(t, q, v)
    return q + h * rate(q, v), v


def midpoint(q, v, h, acceleration, t=0.0, rate=_same):
    """Explicit midpoint: rates from the state that half an Euler step reaches; second order."""
    q_half = q + h / 2 * rate(q, v)
    v_half = v + h / 2 * acceleration(t, q, v)
    return (
        q + h * rate(q_half, v_half),
        v + h * acceleration(t + h / 2, q_half, v_half),
    )


def verlet(q, v, h, acceleration, t=0.0, rate=_same, predictor=True):
    """Half-kick, drift, half-kick, second order; one acceleration a step if forces ignore ν.

    Here they do not: the acceleration at the new place is taken at the predicted velocity
    `ν + h a`.  predictor=False takes it at the half-kicked velocity, as one would for forces that
    depend on q alone, and is first order on a mechanism.
    """
    a = acceleration(t, q, v)
    v_half = v + h / 2 * a
    # with N(q) not constant the drift is a midpoint step of its own; with N = 1, q + h ν
    q = q + h * rate(q + h / 2 * rate(q, v_half), v_half)
    return q, v_half + h / 2 * acceleration(t + h, q, v + h * a if predictor else v_half)


def rk4(q, v, h, acceleration, t=0.0, rate=_same):
    """The classical Runge–Kutta method: four accelerations a step, fourth order."""
    q1, v1 = rate(q, v), acceleration(t, q, v)
    q2 = rate(q + h / 2 * q1, v + h / 2 * v1)
    v2 = acceleration(t + h / 2, q + h / 2 * q1, v + h / 2 * v1)
    q3 = rate(q + h / 2 * q2, v + h / 2 * v2)
    v3 = acceleration(t + h / 2, q + h / 2 * q2, v + h / 2 * v2)
    q4, v4 = rate(q + h * q3, v + h * v3), acceleration(t + h, q + h * q3, v + h * v3)
    return q + h / 6 * (q1 + 2 * q2 + 2 * q3 + q4), v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)


METHODS = dict(velocity_first=velocity_first, midpoint=midpoint, verlet=verlet, rk4=rk4)


def quaternion_rate(quaternion, angular_velocity):
    """The rate (4,) of a unit quaternion (w, x, y, z) turning at ω (3,), body axes, rad/s."""
    return _quaternion_map(np.asarray(quaternion)) @ np.asarray(angular_velocity)


def configuration_map(quaternion):
    """`N(q)` of a floating base (7, 6): (quaternion rate, ṗ) from (ω, v) in base axes."""
    quaternion = np.asarray(quaternion)
    N = np.zeros((7, 6), dtype=quaternion.dtype)
    N[:4, :3] = _quaternion_map(quaternion)
    N[4:, 3:] = rotation_of(quaternion)
    return N


def rotation_of(quaternion):
    """The rotation (3, 3) of a quaternion (w, x, y, z) brought to unit length."""
    w, x, y, z = quaternion / np.sqrt(quaternion @ quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_of(rotation):
    """The unit quaternion (w, x, y, z), w ≥ 0, of a rotation (3, 3)."""
    x, y, z, w = Rotation.from_matrix(rotation).as_quat(canonical=True)
    return np.array([w, x, y, z])


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """What `simulate` recorded, a row a step, the start first.

    time: (s + 1,), s; angles, velocities: (s + 1, n) q and q̇; on a floating base also quaternions
    (s + 1, 4) and positions (s + 1, 3) of the base in the world, and base_velocities (s + 1, 6)
    in base axes.  Motions with contact add impulses (s, k), N s, and gaps (s + 1, k), m.
    """

    tree: Tree
    gravity: np.ndarray
    time: np.ndarray
    angles: np.ndarray
    velocities: np.ndarray
    quaternions: np.ndarray | None = None
    positions: np.ndarray | None = None
    base_velocities: np.ndarray | None = None
    impulses: np.ndarray | None = None
    gaps: np.ndarray | None = None

    def state(self, k):
        """The tree at record k and its loads (velocities, gravity, no torque)."""
        pose, base = {}, None
        if self.tree.floating:
            pose = dict(rotation=self.quaternions[k], position=self.positions[k])
            base = self.base_velocities[k]
        loads = DynamicsLoads(self.velocities[k], gravity=self.gravity, base_velocity=base)
        return self.tree.at(self.angles[k], **pose), loads

    def along(self, function):
        """`function(tree, loads)` at every record, such as `total_energy`, as an array."""
        return np.array([function(*self.state(k)) for k in range(len(self.time))])

    def __repr__(self):
        return f"Trajectory({len(self.time) - 1} steps to t = {self.time[-1]:.6g} s)"


def simulate(
    tree,
    velocity,
    dt,
    steps,
    method="rk4",
    torque=None,
    base_velocity=None,
    gravity=STANDARD_GRAVITY,
    dynamics=free_acceleration,
    after=None,
):
    """Move a mechanism from the posture of `tree` through `steps` equal steps of `dt` seconds.

    velocity: (n,) q̇ at the start; base_velocity: (6,) of a floating base; method: a name in
    `METHODS` or a function like them; torque: (n,) or a function of (t, q, q̇);
    dynamics(tree, loads): ν̇ (m,), by default that of the free mechanism;
    after(t, q, v): a pair (q, v) that replaces the state at the end of a step, such as a bounce;
    on a floating base q is (quaternion, position, angles) and v is (base velocity, q̇).
    Returns a `Trajectory`.  Raises FloatingPointError, naming the step, when numbers overflow.
    """
    step = METHODS.get(method, method)
    if not callable(step):
        raise ValueError(f"argument method: expected one of {', '.join(METHODS)}, got {method!r}")
    dt, steps = checked_steps(dt, steps)
    torque_at = torque if callable(torque) else lambda t, q, v: torque
    root = 6 if tree.floating else 0

    def acceleration(t, q, v):
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise FloatingPointError(f"the motion ran away near t = {t:.6g} s; try shorter steps")
        now = posture(tree, q)
        loads = loads_at(now, v, torque_at(t, now.angles, v[root:]), gravity)
        return dynamics(now, loads)

    q, v = start(tree, velocity, base_velocity)
    rate = base_rate if tree.floating else _same
    time = dt * np.arange(steps + 1)
    record = [(q, v)]
    for t in time[:-1]:
        with np.errstate(over="ignore", invalid="ignore"):  # reported at the next step
            q, v = step(q, v, dt, acceleration, t, rate)
        if after is not None:
            q, v = after(t + dt, q, v)
        q = unit(tree, q)
        record.append((q, v))
    return recorded(tree, gravity, time, record)


def observed_orders(errors, ratio=2.0):
    """The orders (k − 1,) that errors (k,) show when each step is `ratio` times shorter.

    `log(e_k / e_{k+1}) / log(ratio)`; a slope read where rounding rules means nothing.
    """
    errors = numbers(errors, "argument errors")
    if errors.ndim != 1 or not (errors > 0).all():
        raise ValueError(f"argument errors: expected positive numbers (k,), got {errors.tolist()}")
    return np.log(errors[:-1] / errors[1:]) / np.log(ratio)


def checked_steps(dt, steps):
    """The step in s and their number, or a ValueError that names the argument."""
    dt = numbers(dt, "argument dt", ())[()]
    if dt == 0:
        raise ValueError("argument dt must not be zero")
    if int(steps) != steps or steps < 0:
        raise ValueError(f"argument steps must be a whole number of steps, got {steps}")
    return dt, int(steps)


def start(tree, velocity, base_velocity=None):
    """The stored coordinates q and the velocity ν of a tree at its posture."""
    loads = DynamicsLoads(velocity, base_velocity=base_velocity).on(tree)
    if not tree.floating:
        return tree.angles, loads.velocity
    pose = [quaternion_of(tree.base.rotation), tree.base.position, tree.angles]
    return np.concatenate(pose), np.concatenate([loads.base_velocity, loads.velocity])


def posture(tree, q):
    """The tree at stored coordinates: angles, or (quaternion, position, angles)."""
    if not tree.floating:
        return tree.at(q)
    return tree.at(q[7:], rotation=rotation_of(q[:4]), position=q[4:7])


def loads_at(tree, v, torque=None, gravity=STANDARD_GRAVITY):
    """The loads of a velocity ν: (q̇) or (base velocity, q̇)."""
    base, qd = (v[:6], v[6:]) if tree.floating else (None, v)
    return DynamicsLoads(qd, torque=torque, gravity=gravity, base_velocity=base)


def base_rate(q, v):
    """`N(q) ν` of a floating mechanism: (quaternion rate, ṗ, q̇) from (base velocity, q̇)."""
    return np.concatenate([configuration_map(q[:4]) @ v[:6], v[6:]])


def unit(tree, q):
    """The same coordinates, a quaternion among them brought back to unit length."""
    if not tree.floating:
        return q
    return np.concatenate([q[:4] / np.sqrt(q[:4] @ q[:4]), q[4:]])


def recorded(tree, gravity, time, record, **more):
    """The `Trajectory` of a list of pairs (q, ν)."""
    q, v = (np.array(column) for column in zip(*record, strict=True))
    if is_float(q, v) and not (np.isfinite(q).all() and np.isfinite(v).all()):
        raise FloatingPointError("the motion ran away in the last step; try shorter steps")
    if not tree.floating:
        return Trajectory(tree, np.array(gravity), time, frozen(q), frozen(v), **more)
    parts = [frozen(x) for x in (q[:, 7:], v[:, 6:], q[:, :4], q[:, 4:7], v[:, :6])]
    return Trajectory(tree, np.array(gravity), time, *parts, **more)


def _quaternion_map(quaternion):
    """½ of the matrix (4, 3) of `quaternion ⊗ (0, ω)`."""
    w, x, y, z = quaternion
    return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]) / 2
