"""Contact at points and at joint limits: gaps, impulses at an impact, reactions while touching.

Stands beside "Constraint Handling", "Contact Forces and Impact Dynamics" and "Contact Dynamics
and Complementarity".  Friction is in `friction`, the complementarity problem in
`complementarity`, motion through many impacts in `stepping`.
"""

from dataclasses import dataclass

import numpy as np

from .aba import articulate, outward_motion
from .complementarity import least_distance
from .crba import mass_matrix
from .kinematics import base_pose, point_jacobian, world_point, world_poses
from .projection import free_acceleration, generalized_velocity, mass_weighted_rows
from .scalars import frozen, is_float, numbers
from .spatial import skew
from .validate import checked_unit

CLOSED = 1e-6  # m or rad: a gap wider than this is open
STILL = 1e-7  # a normal speed this small beside the terms that make it is zero
IMMOBILE = 1e-12  # a row this short beside the point's whole Jacobian is rounding


@dataclass(frozen=True, eq=False)
class PointContact:
    """A point of a body against a plane, or against a point of another body.

    body: its index, −1 for a floating base; point: (3,) in its frame, m; normal: unit (3,) in the
    world, the way in which the contact pushes the body; offset: the plane's place along the
    normal, m; against: `(body, point)` that is pushed the other way, instead of a plane at rest.
    """

    body: int
    point: tuple = (0.0, 0.0, 0.0)
    normal: tuple = (0.0, 1.0, 0.0)
    offset: float = 0.0
    against: tuple | None = None

    def __post_init__(self):
        object.__setattr__(self, "point", numbers(self.point, "argument point", (3,)))
        object.__setattr__(self, "normal", checked_unit(self.normal, "PointContact"))

    @classmethod
    def closed_at(cls, tree, body, point, normal=(0.0, 1.0, 0.0), against=None):
        """The contact whose pad lies right under the point at this posture: its gap is zero."""
        open_by = cls(body, point, normal, 0.0, against).gap(tree)
        return cls(body, point, normal, open_by, against)

    def gap(self, tree):
        """φ, m: positive when apart, zero when touching."""
        return self.normal @ self._difference(lambda *at: world_point(tree, *at)) - self.offset

    def rows(self, tree):
        """The Jacobian (3, m) of the point, less that of the point it is against, world axes."""
        return self._difference(lambda *at: point_jacobian(tree, *at)[1])

    def jacobian(self, tree):
        """`J_n` (m,): `φ̇ = J_n ν`."""
        rows = self.rows(tree)
        row = self.normal @ rows
        # a stretched limb cannot move along itself: rounding must not give it a huge reaction
        immobile = is_float(row) and np.linalg.norm(row) <= IMMOBILE * np.linalg.norm(rows)
        return 0 * row if immobile else row

    def jacobian_rate(self, tree, loads):
        """`J̇_n ν`, m/s²: the normal acceleration at ν̇ = 0."""
        return self.normal @ self.rate(tree, loads)

    def rate(self, tree, loads):
        """`J̇ ν` (3,) of `rows`, m/s²."""
        return self._difference(lambda *at: point_rate(tree, loads, *at))

    def _difference(self, function):
        value = function(self.body, self.point)
        return value if self.against is None else value - function(*self.against)


@dataclass(frozen=True, eq=False)
class JointLimit:
    """A hard stop of a joint: `q ≤ bound` (side "upper") or `q ≥ bound` (side "lower"), rad or m.

    Its gap lives in joint coordinates, and its reaction is a joint effort.
    """

    joint: int
    bound: float
    side: str = "upper"

    def __post_init__(self):
        if self.side not in ("upper", "lower"):
            raise ValueError(f"argument side must be 'upper' or 'lower', got {self.side!r}")

    def gap(self, tree):
        """φ: how far the joint may still turn (rad) or slide (m)."""
        return self.direction * (tree.angles[self.joint] - self.bound)

    def jacobian(self, tree):
        """The row (m,) of `φ̇ = J ν`: plus or minus one at the joint."""
        row = np.zeros(tree.n + 6 * tree.floating)
        row[row.size - tree.n + self.joint] = self.direction
        return row

    def jacobian_rate(self, tree, loads):
        """`J̇ ν`, which is zero."""
        return 0.0

    @property
    def direction(self):
        """The sign of the joint rates that open the gap."""
        return 1.0 if self.side == "lower" else -1.0


def normal_jacobian(tree, body, point, normal=(0.0, 1.0, 0.0)):
    """`J_n` (m,): velocity of a point of a body along a world direction, `J_n ν`, m/s.

    point: (3,) in the body's frame, m; normal: (3,).  m is n, or 6 + n on a floating base.
    """
    return np.asarray(normal) @ point_jacobian(tree, body, point)[1]


def tangent_jacobian(tree, body, point, normal=(0.0, 1.0, 0.0)):
    """`J_t` (2, m): velocity along two unit directions across the normal (`tangents`)."""
    return tangents(normal) @ point_jacobian(tree, body, point)[1]


def tangents(normal):
    """Two unit vectors (2, 3) across a unit normal and each other; x and z for the normal y."""
    normal = np.asarray(normal, dtype=float)
    other = np.eye(3)[2 if abs(normal[2]) < 0.9 else 0]
    first = np.cross(normal, other)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(first, normal)])


def point_rate(tree, loads, body, point=(0.0, 0.0, 0.0)):
    """`J̇ ν` (3,) of a point of a body, world axes, m/s²: its ordinary acceleration at ν̇ = 0.

    From the spatial recursion: the bodies' accelerations are then sums of velocity products.
    """
    motion, point = outward_motion(tree, loads), np.asarray(point)
    line, i = [], int(body)
    while i >= 0:
        line.insert(0, i)
        i = tree.parent[i]
    a = 0 * motion.v0
    for i in line:
        a = tree.X[i] @ a + motion.c[i]
    R = world_poses(tree)[0][body] if body >= 0 else base_pose(tree)[0]
    v = motion.v[body] if body >= 0 else motion.v0
    w, v_point = v[:3], v[3:] + skew(v[:3]) @ point
    return R @ (a[3:] + skew(a[:3]) @ point + skew(w) @ v_point)


def jacobian_rate(tree, loads, body, point, direction):
    """`J̇ ν` along a world direction (3,) or several (k, 3), m/s²: what `J_n ν̇` leaves out."""
    return np.asarray(direction) @ point_rate(tree, loads, body, point)


def contact_rows(tree, contacts):
    """`J` (k, m), one row a contact: contacts are `PointContact` and `JointLimit`."""
    return np.array([c.jacobian(tree) for c in contacts]).reshape(-1, tree.n + 6 * tree.floating)


def delassus(tree, J):
    """`W = J M⁻¹ Jᵀ` (k, k) and `M⁻¹ Jᵀ` (m, k), by one tree solve a row (no mass matrix)."""
    J = np.atleast_2d(J)
    response = articulate(tree).solve(J).T
    W = J @ response
    return (W + W.T) / 2, response


@dataclass(frozen=True, eq=False)
class Impact:
    """impulse: (k,) Λ ≥ 0, N s (N m s at a joint limit); velocity: (m,) ν⁺; approach, departure:
    (k,) normal velocities before and after, m/s; energy_lost: J; unique: whether the impulses are
    (the velocity is)."""

    impulse: np.ndarray
    velocity: np.ndarray
    approach: np.ndarray
    departure: np.ndarray
    energy_lost: float
    unique: bool


def impact(tree, contacts, velocity, restitution=0.0):
    """Frictionless impulses that end the approach of closed contacts, all at once.

    `M (ν⁺ − ν⁻) = J_nᵀ Λ`, `0 ≤ Λ ⊥ J_n ν⁺ − e max(0, −J_n ν⁻) ≥ 0`: Newton's restitution at
    every contact, no penetration at any.  One closing contact gives
    `Λ = −(1 + e) J_n ν⁻ / (J_n M⁻¹ J_nᵀ)`, one that separates gives none.  Configuration stays.

    contacts: one or a list; velocity: (m,) ν⁻; restitution: 0 ≤ e ≤ 1, one or (k,).
    With e > 0, several contacts of which some separate, or unequal e, this law can add energy:
    `energy_lost` is then negative and says so.
    Raises ValueError for an open contact, InfeasibleError when contacts oppose one another.
    """
    contacts = _listed(contacts, tree)
    velocity = numbers(velocity, "argument velocity", (tree.n + 6 * tree.floating,))
    e = np.broadcast_to(numbers(restitution, "argument restitution"), (len(contacts),))
    if not ((e >= 0) & (e <= 1)).all():
        raise ValueError(f"argument restitution must be from 0 to 1, got {e.tolist()}")
    J = contact_rows(tree, contacts)
    approach = J @ velocity
    A, _ = mass_weighted_rows(mass_matrix(tree), J)
    solution = least_distance(A, approach - e * np.maximum(0, -approach))
    after = velocity + delassus(tree, J)[1] @ solution.force
    departure = J @ after
    return Impact(
        solution.force,
        frozen(after),
        frozen(approach),
        frozen(departure),
        float(-(solution.force @ (approach + departure)) / 2),
        solution.unique,
    )


@dataclass(frozen=True, eq=False)
class SustainedContact:
    """force: (k,) λ ≥ 0, N; acceleration: (m,) ν̇; normal_acceleration: (k,) a_n ≥ 0, m/s²;
    unique: whether the forces are (the acceleration is)."""

    force: np.ndarray
    acceleration: np.ndarray
    normal_acceleration: np.ndarray
    unique: bool


def sustained_contact(tree, loads, contacts):
    """Frictionless reactions at contacts that are closed and at rest along their normals.

    `M ν̇ + h = τ + J_nᵀ λ`, `a_n = J_n ν̇ + J̇_n ν`, `0 ≤ λ ⊥ a_n ≥ 0`.
    Raises ValueError for a contact that is open, closes (an impact comes first) or separates (it
    supplies nothing), InfeasibleError when contacts oppose one another.
    """
    contacts = _listed(contacts, tree)
    J, nu = contact_rows(tree, contacts), generalized_velocity(tree, loads)
    for i, row in enumerate(J):
        speed = row @ nu
        if abs(speed) > STILL * (np.abs(row) @ np.abs(nu)):
            what = "closes (resolve the impact first)" if speed < 0 else "separates (leave it out)"
            raise ValueError(f"contact {i} {what}: its normal velocity is {speed:.6g}, not zero")
    free = free_acceleration(tree, loads)
    rate = np.array([c.jacobian_rate(tree, loads) for c in contacts])
    A, _ = mass_weighted_rows(mass_matrix(tree), J)
    solution = least_distance(A, J @ free + rate)
    acceleration = free + delassus(tree, J)[1] @ solution.force
    return SustainedContact(
        solution.force, frozen(acceleration), frozen(J @ acceleration + rate), solution.unique
    )


def _listed(contacts, tree):
    """The contacts as a list, all of them closed."""
    contacts = [contacts] if hasattr(contacts, "gap") else list(contacts)
    for i, contact in enumerate(contacts):
        gap = contact.gap(tree)
        if gap > CLOSED:
            raise ValueError(f"contact {i} is open by {gap:.6g}: it supplies nothing, leave it out")
    return contacts
