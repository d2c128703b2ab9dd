"""What the references on contact and constraints share, by another route than the one taught.

Rows come from the complex step of a point's place, held motions from the null space of the rows:
no `M⁻¹`, no `J M⁻¹ Jᵀ`, no spatial recursion.
"""

import numpy as np
from scipy.linalg import null_space

from ..kinematics import base_pose, point_jacobian, world_point
from ..lagrange import STEP
from ..spatial import skew

RANK = 1e-9  # a singular value this small beside the largest is rounding


def moved(tree, velocity):
    """The tree a complex step along ν (m,): the imaginary part of anything is its rate times it."""
    if not tree.floating:
        return tree.at(tree.angles + 1j * STEP * velocity)
    R, p = base_pose(tree)
    turned = R @ (np.eye(3) + 1j * STEP * skew(velocity[:3]))
    placed = p + 1j * STEP * (R @ velocity[3:6])
    return tree.at(tree.angles + 1j * STEP * velocity[6:], rotation=turned, position=placed)


def point_rows(tree, body, point, directions):
    """J (k, m), or (m,) for one direction: velocity of a point along world directions."""
    unit = np.eye(tree.n + 6 * tree.floating)
    columns = [world_point(moved(tree, e), body, point).imag / STEP for e in unit]
    return np.asarray(directions) @ np.array(columns).T


def rows_rate(tree, velocity, body, point, directions):
    """`J̇ ν` of `point_rows`, (k,) or a number."""
    rate = point_jacobian(moved(tree, velocity), body, point)[1].imag / STEP
    return np.asarray(directions) @ rate @ velocity


def held(M, force, J, b):
    """x (m,) and λ (k,) of `M x = force + Jᵀ λ`, `J x + b = 0`: x is sought where the rows allow.

    Dependent rows are no hindrance: λ is then the shortest.
    """
    J, b = np.atleast_2d(J), np.atleast_1d(b)
    N = null_space(J, rcond=RANK)
    x = np.linalg.lstsq(J, -b, rcond=RANK)[0]
    x = x + N @ np.linalg.solve(N.T @ M @ N, N.T @ (force - M @ x))
    return x, np.linalg.lstsq(J.T, M @ x - force, rcond=RANK)[0]
