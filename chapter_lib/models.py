"""The chapter's mechanisms: chains of cylinders, the worked arm, a floating tree, a small biped.

Stands beside "Worked Example: A Fully Specified Three-Link Arm" and the exercises.
"""

import numpy as np

from .scalars import exact, is_symbolic, numbers
from .spatial import rigid_inertia
from .tree import Body, FloatingBase, Revolute, Tree

X_AXIS, Y_AXIS, Z_AXIS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def cylinder_inertia(length, mass, radius):
    """Spatial inertia (6, 6) of a uniform solid cylinder along x, its frame at one end.

    length, radius: m; mass: kg; about the frame's origin, in kg m², kg m and kg.
    """
    across = mass * (length**2 + 3 * radius**2) / 12
    I_C = np.diag(np.array([mass * radius**2 / 2, across, across]))
    com = np.array([length / 2, 0 * length, 0 * length])
    return rigid_inertia(mass, com, I_C)


def cylinder_chain(lengths, masses, angles, radius, allow_degenerate=False):
    """A serial chain of uniform solid cylinders in the plane, hinged about z at their ends.

    lengths, masses, angles: (n,) in m, kg, rad; radius: one for all or (n,), m.  Link i lies along
    the x axis of its frame and the next hinge sits at its far end.
    Raises ValueError, naming the link, for what is not positive.
    """
    lengths, masses = numbers(lengths, "argument lengths"), numbers(masses, "argument masses")
    radius = numbers(radius, "argument radius")
    if lengths.ndim != 1 or masses.shape != lengths.shape:
        raise ValueError(
            f"arguments lengths and masses: expected two vectors of one length, got shapes "
            f"{lengths.shape} and {masses.shape}"
        )
    if radius.shape not in ((), lengths.shape):
        raise ValueError(
            f"argument radius: expected one number or {lengths.size}, got shape {radius.shape}"
        )
    if is_symbolic(lengths, masses, radius, numbers(angles, "argument angles")):
        lengths, masses, radius = exact(lengths), exact(masses), exact(radius)
    radii = np.broadcast_to(radius, lengths.shape)
    sizes = dict(lengths=lengths, masses=masses, radius=radii)
    for what, values in sizes.items():
        for i, value in enumerate(values):
            if values.dtype.kind == "f" and not allow_degenerate and value <= 0:
                raise ValueError(f"argument {what}: link {i} must be positive, got {value}")
    bodies = []
    for i, (length, mass, r) in enumerate(zip(lengths, masses, radii, strict=True)):
        start = lengths[i - 1] if i else 0 * length
        bodies.append(
            Body(
                parent=i - 1,
                joint=Revolute(Z_AXIS),
                inertia=cylinder_inertia(length, mass, r),
                placement=(np.eye(3), np.array([start, 0 * start, 0 * start])),
                name=f"link {i + 1}",
                allow_degenerate=allow_degenerate,
            )
        )
    return Tree.build(bodies, angles)


def three_link_arm(angles=(0.4, -0.7, 0.2)):
    """The worked arm: cylinders 0.4, 0.3, 0.25 m long, of 2.0, 1.2, 0.6 kg, radius 0.025 m.

    angles: (3,) rad, by default those of the worked example.
    """
    return cylinder_chain([0.4, 0.3, 0.25], [2.0, 1.2, 0.6], angles, 0.025)


def uniform_chain(n, length=0.3, mass=1.0, radius=0.025, angles=None):
    """A chain of n equal cylinders (`cylinder_chain`); straight when no angles are given."""
    angles = np.zeros(n) if angles is None else angles
    return cylinder_chain(np.full(n, length), np.full(n, mass), angles, radius)


def ten_link_chain():
    """Ten equal cylinders (0.3 m, 1 kg, radius 0.025 m) at `q_i = 0.2 sin i`, i = 1 … 10."""
    return uniform_chain(10, angles=0.2 * np.sin(np.arange(1, 11)))


def floating_thirty():
    """A free base of 5 kg that carries three chains of ten links: thirty joints.

    Base: cylinder of 0.5 m and radius 0.1 m.  Links: cylinders of 0.15 m, 0.4 kg, radius 0.02 m,
    hinged about z and y in turn, at `q_j = 0.3 sin j`, j = 1 … 30.
    """
    base = FloatingBase(
        cylinder_inertia(0.5, 5.0, 0.1),
        rotation=rotation_about("z", 0.3) @ rotation_about("y", -0.2) @ rotation_about("x", 0.1),
        position=(0.1, 0.2, 1.0),
    )
    roots = [
        (np.eye(3), (0.5, 0.0, 0.0)),
        (rotation_about("z", 2.0), (0.25, 0.1, 0.0)),
        (rotation_about("y", -2.0), (0.0, 0.0, 0.1)),
    ]
    bodies = []
    for chain, root in zip("ABC", roots, strict=True):
        for k in range(1, 11):
            bodies.append(
                Body(
                    parent=-1 if k == 1 else len(bodies) - 1,
                    joint=Revolute(Z_AXIS if k % 2 else Y_AXIS),
                    inertia=cylinder_inertia(0.15, 0.4, 0.02),
                    placement=root if k == 1 else (np.eye(3), (0.15, 0.0, 0.0)),
                    name=f"{chain}{k}",
                )
            )
    return Tree.build(bodies, 0.3 * np.sin(np.arange(1, 31)), base)


def planar_biped(angles=(0.3, -0.4, -0.2, -0.1)):
    """A small humanoid in the plane: a floating torso and two legs of thigh and shank.

    Torso: 40 kg, 0.6 m long, radius 0.12 m, frame at the pelvis.  Thighs: 8 kg, 0.42 m, 0.06 m;
    shanks: 4 kg, 0.40 m, 0.045 m; hinges about z.  Bodies: right thigh, right shank, left thigh,
    left shank.  The base stands at rotation R_z(1.5), position (0, 0.8, 0).
    """
    base = FloatingBase(
        cylinder_inertia(0.6, 40.0, 0.12),
        rotation=rotation_about("z", 1.5),
        position=(0.0, 0.8, 0.0),
    )
    bodies = []
    for side in ("right", "left"):
        hip = (rotation_about("z", np.pi), np.zeros(3))
        bodies.append(Body(-1, Revolute(), cylinder_inertia(0.42, 8.0, 0.06), hip, f"{side} thigh"))
        knee = (np.eye(3), (0.42, 0.0, 0.0))
        shank = cylinder_inertia(0.40, 4.0, 0.045)
        bodies.append(Body(len(bodies) - 1, Revolute(), shank, knee, f"{side} shank"))
    return Tree.build(bodies, angles, base)


def rotation_about(axis, angle):
    """`R_x`, `R_y` or `R_z` (3, 3): turns vectors by `angle` (rad) about an axis.

    axis: "x", "y" or "z".  Its columns are the turned axes.
    """
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = np.cos(angle)
    R[k, j] = np.sin(angle)
    R[j, k] = -R[k, j]
    return R


def two_armed_linkage():
    """Two arms of two links that hold one club, in the plane, cut at the left hand.

    Bodies: right upper arm and forearm, the club on the right wrist, left upper arm and forearm.
    Shoulders at x = ±0.2 m; upper arms 0.30 m, 2 kg; forearms 0.28 m, 1.2 kg; club 0.9 m, 0.4 kg.
    The left hand, (0.28, 0, 0) of body 4, meets the club at (0.1, 0, 0) of body 2: the angles
    returned close that loop, and constraints have to keep it closed.
    """
    upper, fore = cylinder_inertia(0.30, 2.0, 0.04), cylinder_inertia(0.28, 1.2, 0.03)
    along = (np.eye(3), (0.30, 0.0, 0.0))
    hinge, bodies = Revolute(Z_AXIS), []
    for side, x in (("right", -0.2), ("left", 0.2)):
        shoulder = (np.eye(3), (x, 0.0, 0.0))
        bodies.append(Body(-1, hinge, upper, shoulder, f"{side} upper arm"))
        bodies.append(Body(len(bodies) - 1, hinge, fore, along, f"{side} forearm"))
        if side == "right":
            wrist = (np.eye(3), (0.28, 0.0, 0.0))
            bodies.append(Body(1, hinge, cylinder_inertia(0.9, 0.4, 0.01), wrist, "club"))
    right = np.array([-1.2, 0.5, -0.9])
    # points of the plane as complex numbers; the left arm reaches the grip by the law of cosines
    grip = -0.2 + np.array([0.30, 0.28, 0.1]) @ np.exp(1j * np.cumsum(right))
    reach = grip - 0.2
    elbow = -np.arccos((abs(reach) ** 2 - 0.30**2 - 0.28**2) / (2 * 0.30 * 0.28))
    shoulder = np.angle(reach / (0.30 + 0.28 * np.exp(1j * elbow)))
    return Tree.build(bodies, np.concatenate([right, [shoulder, elbow]]))
