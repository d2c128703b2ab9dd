"""A mechanism at a posture: joints, bodies and the tree they make, checked once when it is built.

Stands beside "Mathematical Definition and Frames" and the numbering rule of "The Three Passes".
Bodies are counted from 0, the base is −1, and a parent comes before its children.  A `Tree` is
frozen: `tree.at(angles)` is a new tree, the same mechanism at another posture.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from .scalars import cosine, exact, frozen, is_float, is_symbolic, numbers, sine
from .spatial import motion_transform, skew
from .validate import checked_inertia, checked_rotation, checked_unit


@dataclass(frozen=True, eq=False)
class Joint:
    """What all joints share: an `axis`, a unit vector (3,) in the body's frame."""

    axis: tuple = (0.0, 0.0, 1.0)

    def __post_init__(self):
        object.__setattr__(self, "axis", checked_unit(self.axis, type(self).__name__))


@dataclass(frozen=True, eq=False)
class Revolute(Joint):
    """A hinge about `axis`; `S = (axis, 0)`, displacement in rad."""

    @property
    def S(self):
        """The joint's motion subspace (6,) in the body's frame."""
        return np.concatenate([self.axis, 0 * self.axis])


@dataclass(frozen=True, eq=False)
class Prismatic(Joint):
    """A slide along `axis`; `S = (0, axis)`, displacement in m."""

    @property
    def S(self):
        """The joint's motion subspace (6,) in the body's frame."""
        return np.concatenate([0 * self.axis, self.axis])


@dataclass(frozen=True, eq=False)
class Helical(Joint):
    """A screw about `axis`, `pitch` in m/rad; `S = (axis, pitch · axis)`, displacement in rad."""

    pitch: float = 0.0

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "pitch", numbers(self.pitch, "Helical: argument pitch", ())[()])

    @property
    def S(self):
        """The joint's motion subspace (6,) in the body's frame."""
        return np.concatenate([self.axis, self.pitch * self.axis])


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body and the joint that carries it.

    parent: index of the body that carries it, −1 for the base.
    joint: `Revolute`, `Prismatic` or `Helical`, its axis in the body's frame.
    inertia: (6, 6) in the body's frame about its origin (`rigid_inertia`), kg m², kg m, kg.
    placement: `(R, p)` at zero joint displacement: the columns of R (3, 3) are the body's axes in
        the parent's frame, p (3,) is the joint's place there, m.  Default: the parent's frame.
    damping: b ≥ 0 in N m s/rad (N s/m for a slide); armature: ≥ 0 in kg m² (kg).
    allow_degenerate: accept an inertia that no rigid body of finite size has (a massless link, a
        point mass, a rod without thickness).  Such a body can leave a pivot at zero.

    Raises ValueError, naming the body, when a number breaks one of these rules.
    """

    parent: int
    joint: Joint
    inertia: np.ndarray
    placement: tuple | None = None
    name: str | None = None
    damping: float = 0.0
    armature: float = 0.0
    allow_degenerate: bool = False

    def __post_init__(self):
        label = f"body {self.name!r}" if self.name else f"unnamed body (parent {self.parent})"
        if isinstance(self.parent, bool) or not isinstance(self.parent, (int, np.integer)):
            raise TypeError(f"{label}: argument parent must be an integer, got {self.parent!r}")
        if not isinstance(self.joint, Joint):
            raise TypeError(
                f"{label}: argument joint must be Revolute, Prismatic or Helical, "
                f"got {self.joint!r}"
            )
        R, p = (np.eye(3), np.zeros(3)) if self.placement is None else _pair(self.placement, label)
        set_ = object.__setattr__
        set_(
            self,
            "placement",
            (
                checked_rotation(R, label, "placement"),
                numbers(p, f"{label}: argument placement", (3,)),
            ),
        )
        set_(self, "inertia", checked_inertia(self.inertia, label, self.allow_degenerate))
        for what in ("damping", "armature"):
            value = numbers(getattr(self, what), f"{label}: argument {what}", ())
            if is_float(value) and value < 0:
                raise ValueError(f"{label}: argument {what} must not be negative, got {value}")
            set_(self, what, value[()])


@dataclass(frozen=True, eq=False)
class FloatingBase:
    """A base that is free to move, with an inertia of its own.

    inertia: (6, 6) in the base's frame; rotation: (3, 3), columns are the base's axes in the
    world, or a unit quaternion (w, x, y, z); position: (3,) of its origin in the world, m.
    """

    inertia: np.ndarray
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))
    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    allow_degenerate: bool = False

    def __post_init__(self):
        set_ = object.__setattr__
        set_(self, "inertia", checked_inertia(self.inertia, "base", self.allow_degenerate))
        set_(self, "rotation", checked_rotation(self.rotation, "base", "rotation"))
        set_(self, "position", numbers(self.position, "base: argument position", (3,)))


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A mechanism at a posture.  Make one with `Tree.build`, move it with `tree.at`.

    parent: n indices; joints, names: n each; angles: (n,) q in rad (m for slides);
    S: (n, 6) motion subspaces; X: (n, 6, 6) motion from the parent's frame into the body's;
    inertia: (n, 6, 6); damping, armature: (n,); rotation0 (n, 3, 3), offset (n, 3): placements;
    base: a `FloatingBase`, or None for a base fixed to the world.
    """

    parent: tuple
    joints: tuple
    names: tuple
    S: np.ndarray
    inertia: np.ndarray
    rotation0: np.ndarray
    offset: np.ndarray
    damping: np.ndarray
    armature: np.ndarray
    base: FloatingBase | None
    angles: np.ndarray
    X: np.ndarray

    @classmethod
    def build(cls, bodies, angles=None, base=None):
        """The tree of `bodies` (a list of `Body`, parents first) at joint positions `angles` (n,).

        base: a `FloatingBase`; without it the base is fixed and its frame is the world's.
        Raises ValueError for parents out of order or range, wrong shapes, NaN and infinity, and
        for a fixed base that carries nothing.
        """
        bodies = tuple(bodies)
        n = len(bodies)
        if base is not None and not isinstance(base, FloatingBase):
            raise TypeError(f"argument base must be a FloatingBase or None, got {base!r}")
        if n == 0 and base is None:
            raise ValueError("argument bodies: a fixed base must carry at least one body, got none")
        for i, body in enumerate(bodies):
            if not isinstance(body, Body):
                raise TypeError(f"argument bodies: item {i} must be a Body, got {body!r}")
            if not -1 <= body.parent < i:
                name = f" ({body.name!r})" if body.name else ""
                raise ValueError(
                    f"body {i}{name}: argument parent must be from −1 to {i - 1} (a parent comes "
                    f"before its children), got {body.parent}"
                )
        fields = dict(
            S=_stack([b.joint.S for b in bodies], (n, 6)),
            inertia=_stack([b.inertia for b in bodies], (n, 6, 6)),
            rotation0=_stack([b.placement[0] for b in bodies], (n, 3, 3)),
            offset=_stack([b.placement[1] for b in bodies], (n, 3)),
            damping=_stack([b.damping for b in bodies], (n,)),
            armature=_stack([b.armature for b in bodies], (n,)),
        )
        angles = numbers(np.zeros(n) if angles is None else angles, "argument angles", (n,))
        based = (base.inertia, base.rotation, base.position) if base is not None else ()
        if is_symbolic(angles, *fields.values(), *based):
            fields = {key: exact(value) for key, value in fields.items()}
            angles = exact(angles)
            if base is not None:
                base = replace(base, **{k: exact(getattr(base, k)) for k in _BASE_ARRAYS})
        return cls(
            parent=tuple(int(b.parent) for b in bodies),
            joints=tuple(b.joint for b in bodies),
            names=tuple(b.name or f"body {i}" for i, b in enumerate(bodies)),
            base=base,
            angles=angles,
            X=_transforms(fields["S"], fields["rotation0"], fields["offset"], angles),
            **fields,
        )

    def at(self, angles=None, rotation=None, position=None):
        """The same mechanism at joint positions `angles` (n,), and a floating base elsewhere.

        rotation: (3, 3) or quaternion (w, x, y, z); position: (3,); what is left out stays.
        """
        q = self.angles if angles is None else numbers(angles, "argument angles", (self.n,))
        base = self.base
        if rotation is not None or position is not None:
            if base is None:
                raise ValueError("arguments rotation, position: the base of this tree is fixed")
            pose = dict(rotation=rotation, position=position)
            base = replace(base, **{k: v for k, v in pose.items() if v is not None})
        mixed = is_symbolic(q) != is_symbolic(self.X)
        if mixed:  # symbols want exact constants: build once more
            return self._exact(q, base)
        X = self.X if angles is None else _transforms(self.S, self.rotation0, self.offset, q)
        return replace(self, angles=q, X=X, base=base)

    def _exact(self, q, base):
        arrays = ("S", "inertia", "rotation0", "offset", "damping", "armature")
        fields = {key: exact(getattr(self, key)) for key in arrays}
        q = exact(q)
        if base is not None:
            base = replace(base, **{k: exact(getattr(base, k)) for k in _BASE_ARRAYS})
        X = _transforms(fields["S"], fields["rotation0"], fields["offset"], q)
        return replace(self, angles=q, base=base, X=X, **fields)

    @property
    def n(self):
        """The number of bodies, which is the number of joints."""
        return len(self.parent)

    @property
    def floating(self):
        """True when the base is free to move."""
        return self.base is not None

    def __repr__(self):
        base = "floating" if self.floating else "fixed"
        return f"Tree({self.n} bodies on a {base} base: {', '.join(self.names[:4])}" + (
            ", …)" if self.n > 4 else ")"
        )


_BASE_ARRAYS = ("inertia", "rotation", "position")


def _transforms(S, R0, p0, q):
    """X (n, 6, 6) of every joint at displacement q, from the subspaces and the placements."""
    turn, slide = S[:, :3], S[:, 3:]
    turns = (turn != 0).astype(bool).any(axis=1)
    c = np.where(turns, cosine(q), 1)[:, None, None]
    s = sine(q)[:, None, None]
    # Rodrigues' formula; a slide has no axis to turn about, so that c = 1 leaves the identity
    aaT = turn[:, :, None] * turn[:, None, :]
    R = R0 @ (c * np.eye(3, dtype=int) + s * skew(turn) + (1 - c) * aaT)
    r = p0 + np.einsum("nij,nj->ni", R0, slide * q[:, None])
    return frozen(motion_transform(np.swapaxes(R, 1, 2), r))


def _stack(rows, shape):
    return frozen(np.array(rows).reshape(shape) if rows else np.zeros(shape))


def _pair(placement, label):
    try:
        R, p = placement
    except (TypeError, ValueError):
        raise ValueError(
            f"{label}: argument placement must be a pair (R, p), got {placement!r}"
        ) from None
    return R, p
