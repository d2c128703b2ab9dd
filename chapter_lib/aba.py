"""The articulated body algorithm in three passes.

Stands beside "The Articulated Body Algorithm: Three Passes", in the chapter's symbols: `v, c` are
velocities and velocity-product accelerations, `IA, pA` articulated inertias and biases, `U, d, u`
what eliminating one joint leaves, `Ia, pa` the remainder handed to the parent, `a` accelerations.
The recursion runs unchanged on floats, complex numbers and SymPy expressions; what has to be
checked is checked outside it.

Every pass takes a hook `keep`.  For numbers it hands its argument back; with symbols it may give
each new expression a name and hand the name on, so that long chains do not swell.
"""

from dataclasses import dataclass

import numpy as np

from .loads import DynamicsLoads
from .pivots import as_is, check_pivots, solve_root
from .scalars import as_array, numbers
from .spatial import cross_force, cross_motion
from .tree import Tree


@dataclass(frozen=True, eq=False)
class OutwardMotion:
    """Pass 1: what velocity alone decides, in body axes.

    v: (n, 6) spatial velocities; c: (n, 6) velocity-product accelerations; p: (n, 6) bias wrenches
    of the single bodies, `v ×* (I v) − f_ext`; v0, p0: (6,) the same of the base.
    """

    v: np.ndarray
    c: np.ndarray
    p: np.ndarray
    v0: np.ndarray
    p0: np.ndarray


@dataclass(frozen=True, eq=False)
class Articulation:
    """The part of pass 2 that depends on posture alone: a factorization of the mass matrix.

    IA: (n, 6, 6) articulated inertias before the body's own joint is eliminated; U: (n, 6);
    d: (n,) pivots; Ia: (n, 6, 6) what is handed to the parent; IA0: (6, 6) the same as IA for the
    base (on a fixed base without an inertia of its own).
    """

    tree: Tree
    IA: np.ndarray
    U: np.ndarray
    d: np.ndarray
    Ia: np.ndarray
    IA0: np.ndarray

    def solve(self, torque):
        """`M⁻¹ τ` in O(n) for each right-hand side.

        torque: (..., n) generalized forces, or (..., 6 + n) with the base's wrench first when the
        base floats.  Returns accelerations of the same shape, at zero velocity and no gravity.
        """
        tree, U, d = self.tree, self.U, self.d
        X, S = tree.X, tree.S
        tau = numbers(torque, "argument torque")
        size = tree.n + 6 * tree.floating
        if tau.ndim == 0 or tau.shape[-1] != size:
            raise ValueError(f"argument torque: expected shape (..., {size}), got {tau.shape}")
        root, tau = tau[..., : size - tree.n], tau[..., size - tree.n :]
        nothing = np.zeros((*tau.shape[:-1], 6), dtype=tau.dtype)
        p, p0 = [nothing] * tree.n, nothing
        u, qdd, a = [None] * tree.n, [None] * tree.n, [None] * tree.n
        for i in reversed(range(tree.n)):
            parent = tree.parent[i]
            u[i] = tau[..., i] - p[i] @ S[i]
            to_parent = (p[i] + (u[i] / d[i])[..., None] * U[i]) @ X[i]
            if parent >= 0:
                p[parent] = p[parent] + to_parent
            else:
                p0 = p0 + to_parent
        a0 = solve_root(self.IA0, root - p0) if tree.floating else nothing
        for i, parent in enumerate(tree.parent):
            a_bar = (a[parent] if parent >= 0 else a0) @ X[i].T
            qdd[i] = (u[i] - a_bar @ U[i]) / d[i]
            a[i] = a_bar + qdd[i][..., None] * S[i]
        return np.concatenate([a0[..., : size - tree.n], _columns(qdd, tau)], axis=-1)


@dataclass(frozen=True, eq=False)
class InwardElimination:
    """Pass 2: what is left when every joint has been eliminated, without gravity.

    pA: (n, 6) articulated biases; u: (n,) residual joint efforts; pa: (n, 6) what is handed to the
    parent; pA0: (6,) the base's; articulation: the inertias and pivots.
    """

    articulation: Articulation
    pA: np.ndarray
    u: np.ndarray
    pa: np.ndarray
    pA0: np.ndarray


@dataclass(frozen=True, eq=False)
class OutwardRecovery:
    """Pass 3: joint accelerations, and algorithmic spatial accelerations (gravity as −g in a₀).

    qdd: (n,); a: (n, 6) in body axes; a0: (6,) of the base.
    """

    qdd: np.ndarray
    a: np.ndarray
    a0: np.ndarray


def outward_motion(tree, loads, keep=as_is):
    """Pass 1, from the base outward: velocities, velocity products and single-body biases.

    `v_i = X_i v_p + S_i q̇_i`, `c_i = v_i × S_i q̇_i`, `p_i = v_i ×* (I_i v_i) − f_i^ext`.
    """
    loads = loads.on(tree)
    X, S, I, qd = tree.X, tree.S, tree.inertia, loads.velocity
    vJ = S * qd[:, None]
    v = [None] * tree.n
    v0 = loads.base_velocity
    p0 = -loads.base_external
    if tree.floating:
        p0 = keep(cross_force(v0) @ (tree.base.inertia @ v0) + p0)
    for i, parent in enumerate(tree.parent):
        v[i] = keep(X[i] @ (v[parent] if parent >= 0 else v0) + vJ[i])
    v = as_array(v, 6)
    # no body waits for another here, so all of them are done at once
    v_cross = cross_motion(v)
    c = keep(np.matvec(v_cross, vJ))
    p = keep(-np.matvec(v_cross.swapaxes(1, 2), np.matvec(I, v)) - loads.external)
    return OutwardMotion(v, c, p, v0, p0)


def articulate(tree, keep=as_is):
    """Pass 2, inertias: eliminate every joint from the tips inward, at this posture.

    `U_i = I_i^A S_i`, `d_i = S_iᵀ U_i (+ armature)`, `I_i^a = I_i^A − U_i U_iᵀ / d_i`, and every
    child adds `X_iᵀ I_i^a X_i` to its parent.
    Raises LinAlgError, naming the body, for a pivot that is not positive (floats only).
    """
    X, S = tree.X, tree.S
    IA = list(tree.inertia)
    IA0 = np.array(tree.base.inertia) if tree.floating else np.zeros((6, 6), dtype=int)
    U, d, Ia = [None] * tree.n, [None] * tree.n, [None] * tree.n
    with np.errstate(divide="ignore", invalid="ignore"):  # a zero pivot is reported
        for i in reversed(range(tree.n)):
            parent = tree.parent[i]
            U[i] = keep(IA[i] @ S[i])
            d[i] = keep(S[i] @ U[i] + tree.armature[i])
            Ia[i] = keep(IA[i] - U[i][:, None] * (U[i] / d[i]))
            to_parent = X[i].T @ Ia[i] @ X[i]
            if parent >= 0:
                IA[parent] = keep(IA[parent] + to_parent)
            else:
                IA0 = keep(IA0 + to_parent)
        U, d = as_array(U, 6), as_array(d)
        check_pivots(tree, U, d)
    return Articulation(tree, as_array(IA, 6, 6), U, d, as_array(Ia, 6, 6), IA0)


def inward_elimination(tree, loads, motion, articulation=None, keep=as_is):
    """Pass 2, biases: the efforts left over at every joint, from the tips inward.

    `u_i = τ_i − b_i q̇_i − S_iᵀ p_i^A`, `p_i^a = p_i^A + I_i^a c_i + U_i u_i / d_i`, and every child
    adds `X_iᵀ p_i^a` to its parent.  motion: from `outward_motion`; articulation: from
    `articulate`, computed when left out.
    """
    loads = loads.on(tree)
    if articulation is None:
        articulation = articulate(tree, keep)
    X, S = tree.X, tree.S
    U, d = articulation.U, articulation.d
    Ia_c = np.matvec(articulation.Ia, motion.c)
    tau = loads.torque - tree.damping * loads.velocity
    pA, pA0 = list(motion.p), motion.p0
    u, pa = [None] * tree.n, [None] * tree.n
    for i in reversed(range(tree.n)):
        parent = tree.parent[i]
        u[i] = keep(tau[i] - S[i] @ pA[i])
        pa[i] = keep(pA[i] + Ia_c[i] + U[i] * (u[i] / d[i]))
        to_parent = X[i].T @ pa[i]
        if parent >= 0:
            pA[parent] = keep(pA[parent] + to_parent)
        else:
            pA0 = keep(pA0 + to_parent)
    return InwardElimination(articulation, as_array(pA, 6), as_array(u), as_array(pa, 6), pA0)


def outward_recovery(tree, loads, motion, elimination, keep=as_is):
    """Pass 3, from the base outward: accelerations.

    `ā_i = X_i a_p + c_i`, `q̈_i = (u_i − U_iᵀ ā_i) / d_i`, `a_i = ā_i + S_i q̈_i`, from
    `a_0 = (0, −g)` on a fixed base and `I_0^A a_0 = −p_0^A` on a floating one.
    """
    loads = loads.on(tree)
    X, S, c, u = tree.X, tree.S, motion.c, elimination.u
    U, d = elimination.articulation.U, elimination.articulation.d
    if tree.floating:
        a0 = keep(solve_root(elimination.articulation.IA0, -elimination.pA0, keep))
    else:
        a0 = np.concatenate([0 * loads.gravity, -loads.gravity])
    qdd, a = [None] * tree.n, [None] * tree.n
    for i, parent in enumerate(tree.parent):
        a_bar = keep(X[i] @ (a[parent] if parent >= 0 else a0) + c[i])
        qdd[i] = keep((u[i] - U[i] @ a_bar) / d[i])
        a[i] = keep(a_bar + S[i] * qdd[i])
    return OutwardRecovery(as_array(qdd), as_array(a, 6), a0)


@dataclass(frozen=True, eq=False, repr=False)
class ForwardDynamics:
    """Everything that `forward_dynamics` computed, body by body, in body axes.

    joint_acceleration: (n,) q̈; pivot: (n,) d; residual_effort: (n,) u, without gravity;
    velocity: (n, 6) v; bias_acceleration: (n, 6) c; articulated_inertia: (n, 6, 6) I^A and
    articulated_bias: (n, 6) p^A, both before the body's own joint is eliminated, p^A without
    gravity; inertia_times_axis: (n, 6) U; remainder_inertia, remainder_bias: I^a, p^a;
    algorithmic_acceleration: (n, 6) a, with −g in it; algorithmic_base_acceleration: (6,) a₀;
    base_articulated_inertia, base_articulated_bias: I₀^A, p₀^A.
    """

    tree: Tree
    loads: DynamicsLoads
    joint_acceleration: np.ndarray
    pivot: np.ndarray
    residual_effort: np.ndarray
    velocity: np.ndarray
    bias_acceleration: np.ndarray
    articulated_inertia: np.ndarray
    articulated_bias: np.ndarray
    inertia_times_axis: np.ndarray
    remainder_inertia: np.ndarray
    remainder_bias: np.ndarray
    algorithmic_acceleration: np.ndarray
    algorithmic_base_acceleration: np.ndarray
    base_articulated_inertia: np.ndarray
    base_articulated_bias: np.ndarray

    @property
    def base_acceleration(self):
        """Physical spatial acceleration (6,) of the base, in base axes: `a_0 + (0, R_0ᵀ g)`."""
        return self.algorithmic_base_acceleration + self._gravity_in_base()

    @property
    def body_acceleration(self):
        """Physical spatial accelerations (n, 6), in body axes: gravity's −g taken out again.

        Spatial, not ordinary: see `ordinary_acceleration`.
        """
        field = [None] * self.tree.n
        for i, parent in enumerate(self.tree.parent):
            field[i] = self.tree.X[i] @ (field[parent] if parent >= 0 else self._gravity_in_base())
        return self.algorithmic_acceleration + as_array(field, 6)

    def _gravity_in_base(self):
        g, base = self.loads.gravity, self.tree.base
        return np.concatenate([0 * g, g if base is None else base.rotation.T @ g])

    def __repr__(self):
        return f"ForwardDynamics(joint_acceleration={self.joint_acceleration})"


def forward_dynamics(tree, loads, keep=as_is):
    """Joint accelerations of a mechanism under known loads, by the articulated body algorithm.

    tree: a `Tree`; loads: `DynamicsLoads`.  Returns `ForwardDynamics`.  Raises ValueError for
    shapes that do not fit, LinAlgError for a pivot that is not positive.
    """
    loads = loads.on(tree)
    motion = outward_motion(tree, loads, keep)
    factors = articulate(tree, keep)
    elimination = inward_elimination(tree, loads, motion, factors, keep)
    recovery = outward_recovery(tree, loads, motion, elimination, keep)
    return ForwardDynamics(
        tree=tree,
        loads=loads,
        joint_acceleration=recovery.qdd,
        pivot=factors.d,
        residual_effort=elimination.u,
        velocity=motion.v,
        bias_acceleration=motion.c,
        articulated_inertia=factors.IA,
        articulated_bias=elimination.pA,
        inertia_times_axis=factors.U,
        remainder_inertia=factors.Ia,
        remainder_bias=elimination.pa,
        algorithmic_acceleration=recovery.a,
        algorithmic_base_acceleration=recovery.a0,
        base_articulated_inertia=factors.IA0,
        base_articulated_bias=elimination.pA0,
    )


def _columns(entries, like):
    return np.stack(entries, axis=-1) if entries else like[..., :0]
