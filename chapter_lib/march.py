"""Whole trajectories inside compiled code: one-step methods over the kernels' accelerations.

Positions `P` are q, after the base's quaternion (w, x, y, z) and place when it floats; velocities
`N` are ν = (v_0, q̇).  `rates` turns ν into Ṗ.
"""

import numba
import numpy as np

from .compact import cross, dot, nine, packed, put, rigid_times, six, three, to_child
from .kernels import (
    ARMATURE,
    INERTIA,
    PARENT,
    QDD,
    RATE,
    SIGNATURES,
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
    pick,
    place,
)

# The explicit methods: how far every stage looks ahead along the one before, and its weight.
# Velocity-first Euler has one stage, and moves positions with the velocity it has just found.
STAGES = {
    "rk4": ((0, 1 / 2, 1 / 2, 1), (1 / 6, 1 / 3, 1 / 3, 1 / 6)),
    "midpoint": ((0, 1 / 2), (0, 1)),
    "velocity_first": ((0,), (1,)),
}


@jit
def turned_by(P, x, way):
    """x (3,) turned by the quaternion in P from body to world axes, or back when `way` is −1."""
    w, v = way * P[0], (P[1], P[2], P[3])
    t = cross(v, x)
    s = cross(v, t)
    return x[0] + 2 * (w * t[0] + s[0]), x[1] + 2 * (w * t[1] + s[1]), x[2] + 2 * (w * t[2] + s[2])


@jit
def rates(P, N, n, dP):
    """Ṗ at velocities N: `½ Q (0, ω)` and `R v_O` of the base, q̇ of the n joints."""
    for i in range(1, n + 1):
        dP[-i] = N[-i]
    if len(P) > n:
        w, x, y, z = P[0], P[1], P[2], P[3]
        a, b, c = N[0], N[1], N[2]
        dP[0] = (-x * a - y * b - z * c) / 2
        dP[1] = (w * a + y * c - z * b) / 2
        dP[2] = (w * b + z * a - x * c) / 2
        dP[3] = (w * c + x * b - y * a) / 2
        dP[4], dP[5], dP[6] = turned_by(P, (N[3], N[4], N[5]), 1)


@jit
def load_state(work, P, N, tau, external, gravity, in_base, v0, f0):
    """`load` for positions P and velocities N; in_base (3,), v0 (6,) are filled in on the way."""
    g = gravity[0], gravity[1], gravity[2]
    if len(N) > len(work) - 1:
        g = turned_by(P, g, -1)
        for i in range(6):
            v0[i] = N[i]
    in_base[0], in_base[1], in_base[2] = g
    load(work, P, N, tau, external, in_base, v0, f0)


@jit
def accelerate(tree, work, gravity, dN):
    """ν̇ of a loaded state into dN, physical; gravity: in base axes.  False when not sound."""
    n = len(tree) - 1
    sound = forward_dynamics(tree, work)
    root = len(dN) - n
    for i in range(n):
        dN[root + i] = work[i, QDD]
    for i in range(root):
        dN[i] = work[n, A + i] + (gravity[i - 3] if i > 2 else 0.0)
    return sound


@jit
def total_energy(tree, work, P, gravity, level):
    """Kinetic and potential energy of a loaded state, J, zero at the world's origin.

    gravity: (3,) in world axes; level: (n + 1,) room for `−g · p` of every origin.
    """
    n = len(tree) - 1
    place(tree, work)
    outward_motion(tree, work)
    level[n], energy = 0.0, 0.0
    if len(P) > n:
        level[n] = -(gravity[0] * P[4] + gravity[1] * P[5] + gravity[2] * P[6])
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
def record(row, P, N, Ps, Ns):
    """Copy a state into a row of what is recorded."""
    for i in range(len(P)):
        Ps[row, i] = P[i]
    for i in range(len(N)):
        Ns[row, i] = N[i]


@jit
def march(tree, P, N, tau, external, gravity, dt, ahead, weight, every, Ps, Ns, energies):
    """One trajectory from (P, N), which move along; every k-th state into Ps, Ns, energies.

    tau: (steps, n), or (1, n).  Returns −1, or the step at which a state was not sound, with that
    state as the first of Ps, Ns.
    """
    n, stages, steps = len(tree) - 1, len(ahead), every * (len(Ps) - 1)
    work, level = np.zeros((n + 1, WORK)), np.zeros(n + 1)
    in_base, v0, f0 = np.zeros(3), np.zeros(6), np.zeros(6)
    P1, N1, dP, dN = P.copy(), N.copy(), np.zeros(len(P)), np.zeros(len(N))
    start_P, start_N = np.empty((1, len(P))), np.empty((1, len(N)))
    for step in range(steps + 1):
        if step % every == 0:
            load_state(work, P, N, tau[0], external, gravity, in_base, v0, f0)
            record(step // every, P, N, Ps, Ns)
            energies[step // every] = total_energy(tree, work, P, gravity, level)
        if step == steps:
            break
        record(0, P, N, start_P, start_N)
        held_torque = pick(step, tau)
        for stage in range(stages):
            for i in range(len(P)):
                P1[i] = start_P[0, i] + dt * ahead[stage] * dP[i]
            for i in range(len(N)):
                N1[i] = start_N[0, i] + dt * ahead[stage] * dN[i]
            load_state(work, P1, N1, held_torque, external, gravity, in_base, v0, f0)
            if not accelerate(tree, work, in_base, dN):
                record(0, P1, N1, Ps, Ns)
                return step
            for i in range(len(N)):
                N[i] += dt * weight[stage] * dN[i]
            rates(P1, N if stages == 1 else N1, n, dP)
            for i in range(len(P)):
                P[i] += dt * weight[stage] * dP[i]
        if len(P) > n:
            size = np.sqrt(P[0] ** 2 + P[1] ** 2 + P[2] ** 2 + P[3] ** 2)
            for i in range(4):
                P[i] /= size
    return -1


@jit
def many_marches(
    tree, P, N, tau, external, gravity, dt, ahead, weight, every, first, last, Ps, Ns, energies, at
):
    """Starts `first` to `last`; at: where every start came to a halt, −1 for none."""
    for k in range(first, last):
        P_k, N_k = pick(k, P).copy(), pick(k, N).copy()
        loads = pick(k, tau), pick(k, external), pick(k, gravity)
        step = march(tree, P_k, N_k, *loads, dt, ahead, weight, every, Ps[k], Ns[k], energies[k])
        at[k] = step
        if step >= 0:
            return k
    return -1


_IN1, _IN2, _IN3 = (arrays(k, readonly=True) for k in (1, 2, 3))
SIGNATURES[many_marches] = (
    *(arrays(2), _IN2, _IN2, _IN3, _IN3, _IN2),
    *(numba.float64, _IN1, _IN1, numba.int64, numba.int64, numba.int64),
    *(arrays(3), arrays(3), arrays(2), numba.types.Array(numba.int64, 1, "C")),
)
