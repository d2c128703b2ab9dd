"""What `Tree` and its parts check when they are built: axes, rotations and inertias.

Only floats are judged; complex numbers and symbols pass.  Tolerances are relative, so that a gram
and a tonne are treated alike.
"""

import numpy as np

from .scalars import frozen, is_float, numbers
from .spatial import skew

UNIT = 1e-6  # how far an axis, a rotation or a quaternion may be from its unit length
ROUNDING = 16 * np.finfo(float).eps  # what subtracting equal numbers may leave
RELATIVE = 1e-9  # how far an inertia may be from symmetry or the triangle inequality


def checked_unit(axis, kind):
    axis = numbers(axis, f"{kind}: argument axis", (3,))
    if not is_float(axis):
        return axis
    length = np.linalg.norm(axis)
    if abs(length - 1) > UNIT:
        raise ValueError(
            f"{kind}: argument axis must have length 1, got {axis.tolist()} of length {length:.6g}"
        )
    return frozen(axis / length)


def checked_rotation(R, label, what):
    """A checked 3×3 rotation, also from a unit quaternion (w, x, y, z)."""
    R = numbers(R, f"{label}: argument {what}")
    if R.shape == (4,):
        return frozen(_from_quaternion(R, label, what))
    if R.shape != (3, 3):
        raise ValueError(f"{label}: argument {what}: expected a 3×3 rotation, got shape {R.shape}")
    if is_float(R):
        error = np.abs(R.T @ R - np.eye(3)).max()
        if error > UNIT:
            raise ValueError(
                f"{label}: argument {what} must be a rotation, but RᵀR differs from the identity "
                f"by {error:.3g}"
            )
        if np.linalg.det(R) < 0:
            raise ValueError(
                f"{label}: argument {what} must be a rotation, but its determinant is "
                f"{np.linalg.det(R):.6g} (a mirror image)"
            )
    return R


def _from_quaternion(quaternion, label, what):
    if is_float(quaternion):
        length = np.linalg.norm(quaternion)
        if abs(length - 1) > UNIT:
            raise ValueError(
                f"{label}: argument {what}: a quaternion (w, x, y, z) must have length 1, got "
                f"{quaternion.tolist()} of length {length:.6g}"
            )
        quaternion = quaternion / length
    w, v = quaternion[0], quaternion[1:]
    V = skew(v)
    return np.eye(3, dtype=int) + 2 * w * V + 2 * (V @ V)


def checked_inertia(I, label, allow_degenerate):
    """A checked spatial inertia: symmetric, of the form of a rigid body, positive, triangular."""
    I = numbers(I, f"{label}: argument inertia", (6, 6))
    if not is_float(I):
        return I
    scale = np.abs(I).max()
    if np.abs(I - I.T).max() > RELATIVE * scale:
        i, j = np.unravel_index(np.abs(I - I.T).argmax(), (6, 6))
        raise ValueError(
            f"{label}: argument inertia must be symmetric, but [{i}, {j}] is {I[i, j]:.9g} and "
            f"[{j}, {i}] is {I[j, i]:.9g}"
        )
    mass, C = I[3, 3], I[:3, 3:]
    tolerance = RELATIVE * (abs(mass) + np.abs(C).max())
    if np.abs(I[3:, 3:] - mass * np.eye(3)).max() > RELATIVE * abs(mass):
        raise ValueError(
            f"{label}: argument inertia: the lower right block must be mass times the identity, "
            f"got {I[3:, 3:].tolist()}"
        )
    if np.abs(C + C.T).max() > tolerance:
        raise ValueError(
            f"{label}: argument inertia: the upper right block must be mass times [com]×, which "
            f"is skew, got {C.tolist()}"
        )
    if allow_degenerate:
        return I
    hint = "; say allow_degenerate=True if you mean it"
    if mass <= 0:
        raise ValueError(f"{label}: mass must be positive, got {mass:.9g} kg{hint}")
    about_com = I[:3, :3] - C @ C.T / mass
    moments = np.linalg.eigvalsh((about_com + about_com.T) / 2)
    # judged against what was subtracted: a far-off origin must not fail a sound body
    about_origin = np.abs(I[:3, :3]).max()
    if moments[0] <= ROUNDING * about_origin:
        raise ValueError(
            f"{label}: inertia must be positive definite, but its principal moments about the "
            f"centre of mass are {_short(moments)} kg m²{hint}"
        )
    if moments[0] + moments[1] < moments[2] - RELATIVE * about_origin:
        raise ValueError(
            f"{label}: inertia breaks the triangle inequality: of the principal moments "
            f"{_short(moments)} kg m² the largest exceeds the sum of the others{hint}"
        )
    return I


def _short(values):
    """Numbers for a message: six digits, so that rounding does not show."""
    return ", ".join(f"{value:.6g}" for value in values)
