"""Complementarity: forces that push and never pull, against gaps that open and never close.

Stands beside "The Frictionless Acceleration LCP".  `0 ≤ λ ⊥ W λ + b ≥ 0` with a positive
semidefinite W is the optimality condition of a least-distance problem, which Lawson and Hanson
turned into nonnegative least squares.  An answer is checked before it is handed out; a problem
without one is certified to have none.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import nnls

from .scalars import frozen, is_float, numbers

RESIDUAL = 1e-8  # largest violation that is handed out, beside the scaled right-hand side
CERTIFIED = 1e-12  # how nearly a certificate's forces must cancel
RELATIVE = 1e-9  # how far W may be from symmetric and semidefinite, beside its diagonal


class ComplementarityError(ArithmeticError):
    """No answer could be verified: nothing is returned rather than a wrong force."""


class InfeasibleError(ComplementarityError):
    """No forces solve the problem, and here is why.

    certificate: (k,) weights y ≥ 0 with `W y = 0` and `b · y < 0`: pushed together in this
    proportion the contacts cancel one another, so that no force can open what b closes.
    """

    def __init__(self, message, certificate):
        super().__init__(message)
        self.certificate = certificate


@dataclass(frozen=True, eq=False)
class ComplementaritySolution:
    """force: (k,) λ ≥ 0; slack: (k,) W λ + b; unique: whether other forces do the same;
    residual: the largest violation of `min(λ, W λ + b) = 0` in scaled units."""

    force: np.ndarray
    slack: np.ndarray
    unique: bool
    residual: float


def lcp(W, b):
    """Solve `0 ≤ λ ⊥ W λ + b ≥ 0` for a symmetric positive semidefinite W.

    W: (k, k); b: (k,); numbers stand for k = 1.  The slack is unique when there is an answer, the
    forces need not be: `unique` says so, and `force` is then one choice of several.
    Raises ValueError for a W that is not symmetric semidefinite, InfeasibleError with a
    certificate when no λ exists, ComplementarityError when rounding hides which it is.
    """
    b = np.atleast_1d(numbers(b, "argument b"))
    W = np.atleast_2d(numbers(W, "argument W"))
    if b.ndim != 1 or W.shape != (b.size, b.size):
        raise ValueError(f"arguments W, b: expected (k, k) and (k,), got {W.shape} and {b.shape}")
    size = np.sqrt(np.where(np.diag(W) > 0, np.diag(W), 1.0))
    unit = W / size[:, None] / size
    if np.abs(unit - unit.T).max(initial=0) > RELATIVE:
        raise ValueError(f"argument W must be symmetric, got {W.tolist()}")
    values, vectors = eigh((unit + unit.T) / 2) if b.size else (np.zeros(0), np.zeros((0, 0)))
    if values.size and values[0] < -RELATIVE:
        raise ValueError(
            f"argument W must be positive semidefinite, but scaled to a unit diagonal it has the "
            f"eigenvalue {values[0]:.6g}"
        )
    kept = values > 16 * b.size * np.finfo(float).eps  # below that, an eigenvalue is rounding
    factor = vectors[:, kept] * np.sqrt(values[kept])
    return least_distance(size[:, None] * factor, b)


def least_distance(A, b):
    """Solve `0 ≤ λ ⊥ A Aᵀ λ + b ≥ 0`: z = Aᵀ λ is the shortest vector with `A z + b ≥ 0`.

    A: (k, m); b: (k,).  For contacts `A = J L⁻ᵀ` with `M = L Lᵀ`, so that z is the change of
    acceleration in mass-weighted coordinates: contact changes the motion as little as it can.
    Returns and raises as `lcp`, which it serves without ever forming W.
    """
    A, b = numbers(A, "argument A"), numbers(b, "argument b")
    if A.ndim != 2 or b.shape != A.shape[:1] or not is_float(A, b):
        raise ValueError(f"arguments A, b: expected real (k, m), (k,), got {A.shape}, {b.shape}")
    # scaled rows and a scaled right-hand side: at large numbers the solver loses its digits
    size = np.linalg.norm(A, axis=1)
    size[size == 0] = 1
    with np.errstate(over="ignore"):
        A, b = A / size[:, None], b / size
    if not np.isfinite(b).all():
        raise ComplementarityError("the forces would be larger than the largest number")
    scale = np.abs(b).max(initial=0) or 1.0
    b = b / scale
    u, shortfall = _nonnegative(np.vstack([A.T, -b]))
    if np.linalg.norm(A.T @ u) <= CERTIFIED * np.linalg.norm(u) and b @ u < 0:
        y = u / size / (u / size).max()
        raise InfeasibleError(
            f"no forces λ ≥ 0 make W λ + b ≥ 0: in the proportion {np.round(y, 6).tolist()} the "
            f"contacts cancel one another (W y = 0) while b · y is negative",
            frozen(y),
        )
    with np.errstate(all="ignore"):
        force = _polished(A, b, u, u / shortfall)
        slack = A @ (A.T @ force) + b
        residual = float(np.abs(np.minimum(force, slack)).max(initial=0))
        answer = scale * force / size, scale * size * slack
    if not (residual <= RESIDUAL and all(np.isfinite(x).all() for x in answer)):
        raise ComplementarityError(
            f"no forces could be verified: the best have a residual of {residual:.3g} beside a "
            "right-hand side of 1. The contacts very nearly cancel one another"
        )
    return ComplementaritySolution(
        frozen(answer[0]), frozen(answer[1]), _unique(A, force, slack), residual
    )


def _nonnegative(E):
    """u ≥ 0 with the shortest `E u − (0, …, 0, 1)`, and how far its last entry falls short."""
    target = np.zeros(len(E))
    target[-1] = 1
    if not E.shape[1]:
        return np.zeros(0), 1.0
    try:
        u, _ = nnls(E, target, maxiter=30 + 10 * E.shape[1])
    except RuntimeError as error:
        raise ComplementarityError(f"nonnegative least squares gave up: {error}") from error
    return u, 1 - E[-1] @ u


def _polished(A, b, u, force):
    """The forces on the pushing set solved for afresh, if that keeps them pushing."""
    on = u > 0
    if not on.any():
        return force
    Q, R = np.linalg.qr(A[on].T)
    if np.abs(np.diag(R)).min() <= 1e-7:
        return force
    better = np.zeros_like(force)
    better[on] = np.linalg.solve(R, np.linalg.solve(R.T, -b[on]))
    return np.maximum(better, 0) if better.min() > -RESIDUAL * better.max() else force


def _unique(A, force, slack):
    """Whether no other λ ≥ 0 gives the same A ᵀλ: no idle closed contact can take over."""
    small = RESIDUAL * max(1.0, force.max(initial=0))
    on = force > small
    idle = A[~on & (slack <= RESIDUAL)].T
    if not idle.shape[1]:
        return True
    if on.any():
        Q, _ = np.linalg.qr(A[on].T)
        idle = idle - Q @ (Q.T @ idle)
    s, _ = _nonnegative(np.vstack([idle, np.ones(idle.shape[1])]))
    return bool(np.linalg.norm(idle @ s) > RESIDUAL * s.sum())
