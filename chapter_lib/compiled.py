"""The articulated body algorithm for computing: batches of states at the speed of compiled code.

The recursion of `aba.py` once more, in Numba (`kernels.py`), for trees of floats.  Arrays have any
leading batch shape and are broadcast as NumPy does; a large batch is shared out to all cores.  The
first call compiles, which takes seconds, and keeps the result on disk; `warm()` does it ahead.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from .batches import check_rotations, on_fixed_base, refuse, rows_of, spread, table_of
from .compact import unpack
from .kernels import many, many_articulated, one, ready
from .loads import STANDARD_GRAVITY
from .march import STAGES, many_marches
from .scalars import numbers


def accelerations(
    tree,
    q,
    velocity,
    torque,
    external=None,
    gravity=STANDARD_GRAVITY,
    base_velocity=None,
    base_external=None,
    rotation=None,
):
    """Joint accelerations q̈ of a whole batch of states, by the articulated body algorithm.

    tree: a `Tree` of floats; its own angles play no part.  q, velocity, torque: (..., n) in rad,
    rad/s, N m (m, m/s, N for slides); external: (..., n, 6) in body axes about the bodies' origins,
    moment-first; gravity: (..., 3) in world axes, m/s².  For a floating base also base_velocity,
    base_external: (..., 6) in base axes, zero when left out, and rotation: (..., 3, 3), whose
    columns are the base's axes in the world, the tree's own when left out.

    Returns (..., n).  On a floating base the pair (base, joints): the base's physical spatial
    acceleration (..., 6), in its axes, and (..., n).
    Raises as `forward_dynamics` does: ValueError for shapes that do not fit, NaN and infinity,
    LinAlgError for a pivot that is not positive, naming the state and the body.
    """
    table = table_of(tree)
    if external is base_velocity is base_external is rotation is None:
        qdd = np.empty(len(table) - 1)
        try:
            gx, gy, gz = gravity
            if ready(one)(table, q, velocity, torque, gx, gy, gz, qdd):
                return qdd
        except (TypeError, ValueError):
            pass  # lists, integers, batches, a floating base; and what has to be refused
    base = dict(base_velocity=base_velocity, base_external=base_external, rotation=rotation)
    return _batch(tree, table, q, velocity, torque, external, gravity, **base)


def articulated_inertias(tree, q):
    """Articulated inertias and pivots over a batch of postures.

    q: (..., n).  Returns `I^A` (..., n, 6, 6) and `d` (..., n); on a floating base the triple
    (`I_0^A` (..., 6, 6), `I^A`, `d`).  Raises as `accelerations` does.
    """
    table, n = table_of(tree), tree.n
    batch, (q,) = rows_of(q=(q, (n,)))
    count = int(np.prod(batch))
    packed, d = np.empty((count * (n + 1), 21)), np.empty((count, n))
    kernel = ready(many_articulated)
    bad = spread(lambda *part: kernel(table, q, *part, packed, d), count, n)
    if bad >= 0:
        refuse(tree, batch, bad, q=q, velocity=np.zeros((1, n)))
    IA, d = unpack(packed).reshape(*batch, n + 1, 6, 6), d.reshape(*batch, n)
    joints = IA[..., :n, :, :], d
    return (IA[..., n, :, :], *joints) if tree.floating else joints


@dataclass(frozen=True, eq=False)
class Trajectories:
    """What `simulate` recorded: the start and every k-th step, m states of every start.

    time: (m,) s; angles, velocities: (..., m, n) q and q̇; energy: (..., m) kinetic and potential,
    J, zero at the world's origin.  On a floating base also quaternions (..., m, 4), w first, and
    positions (..., m, 3) of the base in the world, and base_velocities (..., m, 6) in base axes.
    """

    time: np.ndarray
    angles: np.ndarray
    velocities: np.ndarray
    energy: np.ndarray
    quaternions: np.ndarray | None = None
    positions: np.ndarray | None = None
    base_velocities: np.ndarray | None = None


def simulate(
    tree,
    q,
    velocity,
    dt,
    steps,
    method="rk4",
    torque=None,
    external=None,
    gravity=STANDARD_GRAVITY,
    every=1,
    base_velocity=None,
    rotation=None,
    position=None,
):
    """Whole trajectories at a fixed step, from one start or a batch of them.

    q, velocity: (..., n) at the start; dt: s; steps: how many; every: record each k-th, a divisor
    of steps.  method: "rk4" (order 4), "midpoint" (order 2) or "velocity_first" (order 1: Euler,
    positions moved with the new velocity).  torque: (n,) held all along, (steps, n) a row held over
    every step, or (..., 1 or steps, n) for every start its own; zero when left out.
    external: (..., n, 6) wrenches that keep to body axes; gravity: (..., 3) in world axes.  For a
    floating base also base_velocity (..., 6), zero when left out, and rotation (..., 3, 3) and
    position (..., 3), the tree's own when left out.

    Returns `Trajectories`.  Raises as `accelerations` does; a trajectory that leaves the finite
    numbers, or meets a singular posture, is an error that names start and step.
    """
    table, n = table_of(tree), tree.n
    steps, every = _whole(steps, "steps", 0), _whole(every, "every", 1)
    if steps % every:
        raise ValueError(f"argument every: must divide steps, got {every} for {steps} steps")
    if method not in STAGES:
        raise ValueError(f"argument method: expected one of {', '.join(STAGES)}, got {method!r}")
    dt = float(numbers(dt, "argument dt", ()))
    torque = np.atleast_2d(numbers(np.zeros(n) if torque is None else torque, "argument torque"))
    if torque.shape[-2] not in (1, steps):
        raise ValueError(
            f"argument torque: expected one row, or one for each of {steps} steps, got shape "
            f"{torque.shape}"
        )
    base = dict(base_velocity=base_velocity, rotation=rotation, position=position)
    on_fixed_base(tree, **base)
    if tree.floating:
        base = {k: getattr(tree.base, k, None) if v is None else v for k, v in base.items()}
    batch, (q, qd, tau, f, g, v0, R0, p0) = rows_of(
        q=(q, (n,)),
        velocity=(velocity, (n,)),
        torque=(torque, (torque.shape[-2], n)),
        external=(external, (0 if external is None else n, 6)),
        gravity=(gravity, (3,)),
        base_velocity=(base["base_velocity"], (6,)),
        rotation=(base["rotation"], (3, 3)),
        position=(base["position"], (3,)),
    )
    start = np.zeros((1, 13))
    if tree.floating:
        check_rotations(R0)
        quaternion = np.roll(Rotation.from_matrix(R0).as_quat(), 1, axis=-1)  # scipy: w last
        start = _beside(quaternion, p0, v0)
    count, records = int(np.prod(batch)), steps // every + 1
    Ps = np.empty((count, records, n + 7 * tree.floating))
    Ns = np.empty((count, records, n + 6 * tree.floating))
    energy, halt = np.empty((count, records)), np.full(count, -1)
    method, wrenches = [np.array(row, dtype=float) for row in STAGES[method]], f.reshape(-1, 6)
    kernel = ready(many_marches)
    bad = spread(
        lambda *part: kernel(
            table, q, qd, tau, wrenches, g, start, dt, *method, every, *part, Ps, Ns, energy, halt
        ),
        count,
        n * steps,
    )
    if bad >= 0:
        P, N, when = Ps[bad, :1], Ns[bad, :1], f"step {halt[bad]} (t = {halt[bad] * dt:.6g} s), "
        state = dict(q=P[:, 7 * tree.floating :], velocity=N[:, 6 * tree.floating :])
        refuse(tree, batch, bad, when, "ran away, try a smaller dt", **state)
    Ps, Ns = Ps.reshape(*batch, *Ps.shape[1:]), Ns.reshape(*batch, *Ns.shape[1:])
    moving = {}
    if tree.floating:
        pose = dict(quaternions=Ps[..., :4], positions=Ps[..., 4:7])
        moving = dict(pose, base_velocities=Ns[..., :6])
    return Trajectories(
        time=dt * every * np.arange(records),
        angles=Ps[..., 7 * tree.floating :],
        velocities=Ns[..., 6 * tree.floating :],
        energy=energy.reshape(*batch, records),
        **moving,
    )


def warm():
    """Compile every kernel, or load it from the cache on disk, ahead of the first call."""
    for kernel in (one, many, many_articulated, many_marches):
        ready(kernel)


def _batch(tree, table, q, velocity, torque, external, gravity, rotation, **base):
    n = tree.n
    on_fixed_base(tree, rotation=rotation, **base)
    R0 = tree.base.rotation if tree.floating and rotation is None else rotation
    batch, (q, qd, tau, f, g, v0, f0, R0) = rows_of(
        q=(q, (n,)),
        velocity=(velocity, (n,)),
        torque=(torque, (n,)),
        external=(external, (0 if external is None else n, 6)),
        gravity=(gravity, (3,)),
        base_velocity=(base["base_velocity"], (6,)),
        base_external=(base["base_external"], (6,)),
        rotation=(R0, (3, 3)),
    )
    in_base = g
    if tree.floating:
        check_rotations(R0)
        in_base = np.ascontiguousarray((g[:, None] @ R0)[:, 0])
    count, wrenches = int(np.prod(batch)), f.reshape(-1, 6)
    qdd, a0 = np.empty((count, n)), np.empty((count, 6))
    kernel = ready(many)
    bad = spread(
        lambda *part: kernel(table, q, qd, tau, wrenches, in_base, v0, f0, *part, qdd, a0), count, n
    )
    if bad >= 0:
        known = dict(base_velocity=v0, base_external=f0, rotation=R0) if tree.floating else {}
        known |= {} if external is None else dict(external=f)
        refuse(tree, batch, bad, q=q, velocity=qd, torque=tau, gravity=g, **known)
    if not tree.floating:
        return qdd.reshape(*batch, n)
    a0[:, 3:] += in_base
    return a0.reshape(*batch, 6), qdd.reshape(*batch, n)


def _beside(*parts):
    """Rows next to each other, one for all repeated as often as it takes."""
    count = max(len(part) for part in parts)
    return np.hstack([np.broadcast_to(part, (count, part.shape[1])) for part in parts])


def _whole(value, what, least):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"argument {what}: expected a whole number from {least}, got {value!r}")
    return int(value)
