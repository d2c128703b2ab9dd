"""Constrained acceleration: the closest to the free one in the mass metric.

Stands beside "From Coupled Dynamics to a Golf-Swing Argument" (`P_M`) and exercise 15.  With
`M = L Lᵀ` the constraint `J a + b_c = 0` is a plane in the coordinates `Lᵀ a`, and the reaction
carries the free acceleration to its nearest point.
"""

from dataclasses import dataclass

import numpy as np

from .aba import forward_dynamics
from .crba import mass_matrix
from .scalars import frozen, numbers

IMMOBILE = 1e-14  # a row this short beside the longest is rounding
RANK = 1e-11  # a singular value this small beside unit rows is rounding


@dataclass(frozen=True, eq=False)
class ConstrainedAcceleration:
    """acceleration: (m,) ν̇ with `J ν̇ + b_c = 0`; multiplier: (k,) λ in `M ν̇ + h = τ + Jᵀ λ`;
    rank: of the mass-weighted rows; unique: whether the multipliers are (rank = k)."""

    acceleration: np.ndarray
    multiplier: np.ndarray
    rank: int
    unique: bool


def free_acceleration(tree, loads):
    """ν̇ without contact: q̈ (n,), or (base acceleration, q̈) (6 + n,), physical, in base axes."""
    result = forward_dynamics(tree, loads)
    if not tree.floating:
        return result.joint_acceleration
    return np.concatenate([result.base_acceleration, result.joint_acceleration])


def generalized_velocity(tree, loads):
    """ν: q̇ (n,), or (base velocity in base axes, q̇) (6 + n,) on a floating base."""
    loads = loads.on(tree)
    if not tree.floating:
        return loads.velocity
    return np.concatenate([loads.base_velocity, loads.velocity])


def mass_weighted_rows(M, J):
    """`J L⁻ᵀ` with `M = L Lᵀ`: rows (k, m) whose products are `J M⁻¹ Jᵀ`, and L (m, m)."""
    L = np.linalg.cholesky(M)
    # not SciPy's triangular solve: on so few rows its threads cost a hundred times the work
    return np.linalg.solve(L, np.atleast_2d(J).T).T, L


def closest_acceleration(M, a_free, J, b_c, redundant=False):
    """Minimize `½ (a − a_free)ᵀ M (a − a_free)` subject to `J a + b_c = 0`.

    M: (m, m) positive definite; a_free: (m,); J: (k, m); b_c: (k,), `J̇ ν` when the contact is
    held.  `a = a_free − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (J a_free + b_c)`, and `λ` is minus the last factor.
    redundant: accept dependent rows; then the acceleration is as unique as ever, and the
    multipliers are the shortest of many (`unique` is False).
    Raises LinAlgError, with the rank, for dependent rows, and when rows contradict one another.
    """
    M, J = numbers(M, "argument M"), np.atleast_2d(numbers(J, "argument J"))
    m, k = len(M), len(J)
    a_free = numbers(a_free, "argument a_free", (m,))
    b_c = np.atleast_1d(numbers(b_c, "argument b_c"))
    if J.shape != (k, m) or b_c.shape != (k,):
        raise ValueError(
            f"arguments J, b_c: expected (k, {m}) and (k,), got {J.shape} and {b_c.shape}"
        )
    A, L, size, U, s, V = _decomposed(M, J, redundant)
    wanted = -(J @ a_free + b_c) / size
    missed = wanted - U @ (U.T @ wanted)
    terms = (np.abs(J) @ np.abs(a_free) + np.abs(b_c)) / size  # rounding is judged beside these
    if np.abs(missed).max(initial=0) > 1e3 * RANK * terms.max(initial=0):
        raise np.linalg.LinAlgError(
            f"arguments J, b_c: the rows contradict one another: rank {s.size} of {k}, and "
            f"{np.abs(missed).max():.3g} of the unit rows' right-hand side cannot be met"
        )
    z = V @ ((U.T @ wanted) / s)
    multiplier = np.linalg.lstsq(A.T, z, rcond=RANK)[0]
    acceleration = a_free + np.linalg.solve(L.T, z)
    return ConstrainedAcceleration(frozen(acceleration), frozen(multiplier), s.size, s.size == k)


def constraint_projector(M, J, redundant=False):
    """`P_M = M⁻¹ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹` (m, m): `δν̇ = P_M δτ` while the constraint holds.

    The reaction changes with the torque.  M: (m, m); J: (k, m); redundant as in
    `closest_acceleration`.
    """
    M, J = numbers(M, "argument M"), np.atleast_2d(numbers(J, "argument J"))
    _, L, _, _, _, V = _decomposed(M, J, redundant)
    inverse = np.linalg.inv(L)
    return inverse.T @ (np.eye(len(M)) - V @ V.T) @ inverse


def constrained_acceleration(tree, loads, J, b_c, redundant=False):
    """ν̇ and multipliers of a mechanism held by `J ν̇ + b_c = 0`; see `closest_acceleration`."""
    return closest_acceleration(
        mass_matrix(tree), free_acceleration(tree, loads), J, b_c, redundant
    )


def _decomposed(M, J, redundant):
    """Mass-weighted rows A, L, the rows' sizes, and the singular value decomposition of A/size."""
    A, L = mass_weighted_rows(M, J)
    size = np.linalg.norm(A, axis=1)
    nothing = size <= IMMOBILE * size.max(initial=0)  # rounding must not become a unit row
    A[nothing], size[nothing] = 0, 1
    U, s, Vt = np.linalg.svd(A / size[:, None], full_matrices=False)
    rank = int((s > RANK).sum())
    if rank < len(J) and not redundant:
        raise np.linalg.LinAlgError(
            f"argument J: its {len(J)} rows have rank {rank} (unit rows in the mass metric, "
            f"smallest singular value {s[-1]:.3g}). The acceleration is unique, the multipliers "
            "are not: say redundant=True for the shortest"
        )
    return A, L, size, U[:, :rank], s[:rank], Vt[:rank].T
