"""Whole trajectories inside compiled code: one-step methods over the kernels' accelerations.

Joints move in the work table, (q, q̇); a floating base has a row of its own, thirteen numbers:
quaternion (w first) and place in the world, and its velocity v_0 in its own axes.
"""

import numba
import numpy as np

from .compact import cross, dot, nine, packed, plus, put, rigid_times, six, three, to_child
from .kernels import (
    ANGLE,
    ARMATURE,
    INERTIA,
    PARENT,
    QDD,
    RATE,
    SIGNATURES,
    TORQUE,
    WORK,
    A,
    E,
    R,
    V,
    arrays,
    forward_dynamics,
    jit,
    load,
    outward_motion,
    row_of,
)

# The explicit methods: how far every stage looks ahead along the one before, and its weight.
# Velocity-first Euler has one stage, and moves positions with the velocity it has just found.
STAGES = {
    "rk4": ((0, 1 / 2, 1 / 2, 1), (1 / 6, 1 / 3, 1 / 3, 1 / 6)),
    "midpoint": ((0, 1 / 2), (0, 1)),
    "velocity_first": ((0,), (1,)),
}
# A joint's columns in the table of a step, and the base's rows in its own: where the step began,
# and what its stages have added up so far; for the base also where it is, and its rates there.
Q0, QD0, Q1, QD1 = range(4)
BEGIN, END, NOW, RATES = range(4)


@jit
def turned_by(w, v, x):
    """x (3,) turned by the quaternion (w, v)."""
    t = cross(v, x)
    s = cross(v, t)
    return x[0] + 2 * (w * t[0] + s[0]), x[1] + 2 * (w * t[1] + s[1]), x[2] + 2 * (w * t[2] + s[2])


@jit
def set_base(work, base, g):
    """Velocity of a floating base, and gravity's −g in its axes, where pass 1 wants them."""
    n, w, v = len(work) - 1, base[NOW, 0], three(base, NOW, 1)
    x, y, z = turned_by(-w, v, g)
    put(work, n, V, six(base, NOW, 7))
    put(work, n, A, (0.0, 0.0, 0.0, -x, -y, -z))


@jit
def base_rates(base, velocity):
    """`½ Q (0, ω)` and `R v_O` at the pose in row NOW, for the velocity in that row or another."""
    w, x, y, z = base[NOW, 0], base[NOW, 1], base[NOW, 2], base[NOW, 3]
    a, b, c = three(base, velocity, 7)
    base[RATES, 0] = (-x * a - y * b - z * c) / 2
    base[RATES, 1] = (w * a + y * c - z * b) / 2
    base[RATES, 2] = (w * b + z * a - x * c) / 2
    base[RATES, 3] = (w * c + x * b - y * a) / 2
    p = turned_by(w, (x, y, z), three(base, velocity, 10))
    base[RATES, 4], base[RATES, 5], base[RATES, 6] = p


@jit
def total_energy(tree, work, level):
    """Kinetic and potential energy of a loaded state, J; level: `−g · p` of every origin.

    level (n + 1,) has the base's, as its last, and is filled in on the way.
    """
    n, energy = len(tree) - 1, 0.0
    outward_motion(tree, work)
    for j in range(-1, n):
        i = j if j >= 0 else n  # the base first
        if j >= 0:
            parent, r = int(tree[i, PARENT]), three(work, i, R)
            up = six(work, parent, A)  # (0, −g) in the parent's axes
            level[i] = level[parent] + up[3] * r[0] + up[4] * r[1] + up[5] * r[2]
            put(work, i, A, to_child(nine(work, i, E), r, up))
            energy += tree[i, ARMATURE] * work[i, RATE] ** 2 / 2
        I, v, up = packed(tree, i, INERTIA), six(work, i, V), six(work, i, A)
        # the inertia's blocks D = m 1 and B = [m c]× hold m and m c
        energy += dot(v, rigid_times(I, v)) / 2 + I[15] * level[i]
        energy += up[3] * I[13] + up[4] * I[8] + up[5] * I[9]
    return energy


@jit
def record(row, work, base, Ps, Ns):
    """Copy the state into a row of what is recorded, the base's part first when it floats."""
    n = len(work) - 1
    first_q, first_qd = Ps.shape[1] - n, Ns.shape[1] - n
    for i in range(first_q):
        Ps[row, i] = base[NOW, i]
    for i in range(first_qd):
        Ns[row, i] = base[NOW, 7 + i]
    for i in range(n):
        Ps[row, first_q + i], Ns[row, first_qd + i] = work[i, ANGLE], work[i, RATE]


@jit
def move_joints(work, joints, h, ahead, last, only):
    """Count a stage's rates over h, and move on: ahead to the next stage, or to the end."""
    for i in range(len(joints)):
        qd, qdd = work[i, RATE], work[i, QDD]
        joints[i, QD1] += h * qdd
        joints[i, Q1] += h * (joints[i, QD1] if only else qd)
        if last:
            work[i, ANGLE], work[i, RATE] = joints[i, Q1], joints[i, QD1]
        else:
            work[i, ANGLE] = joints[i, Q0] + ahead * qd
            work[i, RATE] = joints[i, QD0] + ahead * qdd


@jit
def move_base(work, base, g, h, ahead, last, only):
    """The same for a floating base, whose algorithmic acceleration has −g in it."""
    n, w, v = len(work) - 1, base[NOW, 0], three(base, NOW, 1)
    down = (0.0, 0.0, 0.0) + turned_by(-w, v, g)
    put(base, RATES, 7, plus(six(work, n, A), down))
    for i in range(7, 13):
        base[END, i] += h * base[RATES, i]
    base_rates(base, END if only else NOW)
    for i in range(7):
        base[END, i] += h * base[RATES, i]
    for i in range(13):
        base[NOW, i] = base[END, i] if last else base[BEGIN, i] + ahead * base[RATES, i]
    if last:
        w, x, y, z = base[NOW, 0], base[NOW, 1], base[NOW, 2], base[NOW, 3]
        size = np.sqrt(w * w + x * x + y * y + z * z)
        for i in range(4):
            base[NOW, i] /= size
    set_base(work, base, g)


@jit
def march(tree, work, base, tau, g, dt, ahead, weight, every, Ps, Ns, energies):
    """One trajectory from a loaded work table; every k-th state into Ps, Ns, energies.

    tau: (steps, n), or (1, n).  Returns −1, or the step at which a state was not sound, with that
    state as the first of Ps, Ns.
    """
    n, stages, steps = len(tree) - 1, len(ahead), every * (len(Ps) - 1)
    floats, joints, level = tree[n, PARENT] != 0, np.empty((n, 4)), np.zeros(n + 1)
    for step in range(steps + 1):
        if step % every == 0:
            record(step // every, work, base, Ps, Ns)
            if floats:
                level[n] = -(g[0] * base[NOW, 4] + g[1] * base[NOW, 5] + g[2] * base[NOW, 6])
            energies[step // every] = total_energy(tree, work, level)
        if step == steps:
            break
        held_torque = row_of(step, tau)
        for i in range(n):
            work[i, TORQUE] = tau[held_torque, i]
            joints[i, Q0] = joints[i, Q1] = work[i, ANGLE]
            joints[i, QD0] = joints[i, QD1] = work[i, RATE]
        for i in range(13):
            base[BEGIN, i] = base[END, i] = base[NOW, i]
        for stage in range(stages):
            if not forward_dynamics(tree, work):
                record(0, work, base, Ps, Ns)
                return step
            last = stage == stages - 1
            h, next_ahead = dt * weight[stage], 0.0 if last else dt * ahead[stage + 1]
            if floats:
                move_base(work, base, g, h, next_ahead, last, stages == 1)
            move_joints(work, joints, h, next_ahead, last, stages == 1)
    return -1


@jit
def many_marches(
    tree, q, qd, tau, external, gravity, start, dt, ahead, weight, every, first, last,
    Ps, Ns, energies, halt,
):  # fmt: skip
    """Starts `first` to `last`, as `load` wants them; tau (…, 1 or steps, n); halt: as `march`.

    start: pose and velocity of the base (…, 13), zero when it is held.
    """
    n = len(tree) - 1
    still, idle = np.zeros((1, 6)), np.zeros((1, n))
    work, base = np.zeros((n + 1, WORK)), np.zeros((4, 13))
    for k in range(first, last):
        torque, g = tau[row_of(k, tau)], three(gravity, row_of(k, gravity), 0)
        load(work, k, q, qd, idle, external, gravity, still, still)
        for i in range(13):
            base[NOW, i] = start[row_of(k, start), i]
        if tree[n, PARENT] != 0:
            set_base(work, base, g)
        halt[k] = march(
            tree, work, base, torque, g, dt, ahead, weight, every, Ps[k], Ns[k], energies[k]
        )
        if halt[k] >= 0:
            return k
    return -1


_IN1, _IN2, _IN3 = (arrays(k, readonly=True) for k in (1, 2, 3))
SIGNATURES[many_marches] = (
    *(arrays(2), _IN2, _IN2, _IN3, _IN2, _IN2, _IN2),
    *(numba.float64, _IN1, _IN1, numba.int64, numba.int64, numba.int64),
    *(arrays(3), arrays(3), arrays(2), numba.types.Array(numba.int64, 1, "C")),
)
