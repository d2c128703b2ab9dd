"""Friction at a point and pressure under a foot: which reactions a contact can supply.

Stands beside "Friction and Contact Wrenches" and "Contact Does Not Automatically Fix the Base".
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from .complementarity import ComplementarityError
from .contact import STILL, delassus, tangents
from .projection import constrained_acceleration, free_acceleration, generalized_velocity
from .scalars import frozen, numbers
from .validate import checked_unit

BOUND = 1e-9  # how far outside a bound rounding may leave a force, beside its own size


@dataclass(frozen=True, eq=False)
class ConeCheck:
    """normal_force: λ_n, N; tangential_force: (3,), N; margin: `μ λ_n − ‖λ_t‖`, N;
    compressive: λ_n ≥ 0; inside: compressive and margin ≥ 0."""

    normal_force: float
    tangential_force: np.ndarray
    margin: float
    compressive: bool
    inside: bool


def friction_cone(force, normal, friction):
    """Whether a contact force lies in the Coulomb cone `‖λ_t‖ ≤ μ λ_n`, `λ_n ≥ 0`.

    force: (3,) on the body, N, and normal: unit (3,), in the same axes; friction: μ ≥ 0.
    """
    force, normal = numbers(force, "argument force", (3,)), checked_unit(normal, "friction_cone")
    pressing = float(normal @ force)
    across = force - pressing * normal
    margin = _coefficient(friction) * pressing - float(np.linalg.norm(across))
    rounding = BOUND * np.linalg.norm(force)
    return ConeCheck(
        pressing,
        frozen(across),
        margin,
        bool(pressing >= -rounding),
        bool(pressing >= -rounding and margin >= -rounding),
    )


def sliding_force(normal_force, slip, friction):
    """The sliding law: `λ_t = −μ λ_n s / ‖s‖` (3,), of all admitted forces the most dissipative.

    normal_force: λ_n ≥ 0, N; slip: (3,) tangential velocity of the point, m/s; friction: μ.
    Raises ValueError at zero slip, where the law is a set (the whole disc) and not a force.
    """
    slip = numbers(slip, "argument slip", (3,))
    speed = np.linalg.norm(slip)
    if normal_force < 0:
        raise ValueError(f"argument normal_force must not pull, got {normal_force:.6g} N")
    if speed == 0:
        raise ValueError(
            "argument slip is zero: any tangential force up to μ λ_n is admitted, and which one "
            "acts follows from sticking (`sticking_contact`), not from a sliding law"
        )
    return -_coefficient(friction) * normal_force * slip / speed


@dataclass(frozen=True, eq=False)
class StickingContact:
    """force: (3,) on the body, world axes, N; cone: its `ConeCheck`; acceleration: (m,) ν̇;
    rank: of the three rows; admissible: the force presses and stays inside the cone."""

    force: np.ndarray
    cone: ConeCheck
    acceleration: np.ndarray
    rank: int

    @property
    def admissible(self):
        return self.cone.inside


def sticking_contact(tree, loads, contact, friction):
    """Hold a point at rest, root and contact equations together, then judge the force it takes.

    `M ν̇ + h = τ + Jᵀ λ`, `J ν̇ + J̇ ν = 0` along normal and tangents.  The result is a hypothesis:
    when it is not admissible (λ_n < 0, or outside the cone) the point lifts or slides, and these
    numbers do not tell which.  In a plane mechanism the third force is zero.
    Raises ValueError when the point is moving.
    """
    rows, nu = contact.rows(tree), generalized_velocity(tree, loads)
    speed = rows @ nu
    if (np.abs(speed) > STILL * (np.abs(rows) @ np.abs(nu)).max()).any():
        raise ValueError(f"the contact point moves at {speed.tolist()} m/s: it does not stick")
    held = constrained_acceleration(tree, loads, rows, contact.rate(tree, loads), redundant=True)
    cone = friction_cone(held.multiplier, contact.normal, friction)
    return StickingContact(held.multiplier, cone, held.acceleration, held.rank)


@dataclass(frozen=True, eq=False)
class SlidingContact:
    """force: (3,) on the body, world axes, N; acceleration: (m,) ν̇; normal_acceleration: a_n."""

    force: np.ndarray
    acceleration: np.ndarray
    normal_acceleration: float


def sliding_contact(tree, loads, contact, friction):
    """One contact that slides: `0 ≤ λ_n ⊥ a_n ≥ 0` with `λ_t = −μ λ_n s/‖s‖`.

    `a_n = J_n M⁻¹ (J_n − μ s/‖s‖ · J_t)ᵀ λ_n + b`.  The factor is no longer that of a
    semidefinite matrix.  Raises ComplementarityError when it is not positive, for then there are
    two answers or none (Painlevé): rigid friction does not always determine the motion.
    """
    rows, nu, normal = contact.rows(tree), generalized_velocity(tree, loads), contact.normal
    velocity = rows @ nu
    slip = velocity - (normal @ velocity) * normal
    if abs(normal @ velocity) > STILL * (np.abs(rows) @ np.abs(nu)).max():
        raise ValueError(
            f"the contact's normal velocity is {normal @ velocity:.6g} m/s, not zero: it is no "
            "sustained contact"
        )
    direction = normal + sliding_force(1.0, slip, friction)  # of the force per unit of λ_n
    free = free_acceleration(tree, loads)
    response = delassus(tree, direction @ rows)[1][:, 0]
    J_n = contact.jacobian(tree)
    b = J_n @ free + contact.jacobian_rate(tree, loads)
    factor = J_n @ response
    if factor <= 0:
        answers = "none" if b < 0 else "two, one of them without force"
        raise ComplementarityError(
            f"sliding at μ = {friction:.6g}: a_n = {factor:.6g} λ_n + {b:.6g} has {answers}. "
            "Rigid Coulomb friction does not determine this motion"
        )
    pressing = max(0.0, -b / factor)
    return SlidingContact(
        frozen(pressing * direction),
        frozen(free + pressing * response),
        float(b + factor * pressing),
    )


@dataclass(frozen=True, eq=False)
class FootPatch:
    """A flat sole that presses at its corners: the finite contact patch.

    corners: (k, 3) in the sole's frame, m; normal: unit (3,) there, from the ground into the
    foot; friction: μ at every corner.  Corners span all pressures that a flat sole can exert.
    """

    corners: np.ndarray
    normal: tuple = (0.0, 1.0, 0.0)
    friction: float = 0.6

    def __post_init__(self):
        corners = numbers(self.corners, "argument corners")
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise ValueError(f"argument corners: expected shape (k, 3), got {corners.shape}")
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "normal", checked_unit(self.normal, "FootPatch"))

    def center_of_pressure(self, wrench):
        """The point (3,) of the sole about which a ground wrench (6,) has no tilting moment, m.

        wrench: (moment, force) on the foot about the frame's origin.  Raises ValueError for a
        wrench that does not press: it has no center of pressure.
        """
        wrench = numbers(wrench, "argument wrench", (6,))
        height = self.normal @ self.corners[0]
        moment = wrench[:3] - np.cross(height * self.normal, wrench[3:])
        pressing = self.normal @ wrench[3:]
        if pressing <= 0:
            raise ValueError(f"the wrench's normal force is {pressing:.6g} N: the sole is open")
        return np.cross(self.normal, moment) / pressing + height * self.normal

    def corner_forces(self, wrench, facets=16):
        """Forces (k, 3) at the corners, each in its friction cone, that add up to `wrench` (6,).

        None when there are none: the sole would tip, slide, twist or lift.  The cones are
        pyramids of `facets` edges inside the round ones.  Corner forces are not unique.
        """
        wrench = numbers(wrench, "argument wrench", (6,))
        turn = 2 * np.pi * np.arange(facets) / facets
        across = np.stack([np.cos(turn), np.sin(turn)], axis=1) @ tangents(self.normal)
        edges = self.normal + _coefficient(self.friction) * across
        lever = max(np.linalg.norm(self.corners, axis=1).max(), 1e-12)
        moments = np.cross(self.corners[:, None], edges) / lever
        columns = np.concatenate([moments, np.broadcast_to(edges, moments.shape)], axis=-1)
        goal = np.concatenate([wrench[:3] / lever, wrench[3:]])
        size = np.linalg.norm(goal) or 1.0
        weights, missed = nnls(columns.reshape(-1, 6).T, goal / size)
        if missed > BOUND:
            return None
        return size * weights.reshape(len(self.corners), facets) @ edges


def _coefficient(friction):
    if not friction >= 0:
        raise ValueError(f"argument friction must not be negative, got {friction}")
    return friction
