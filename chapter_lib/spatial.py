"""Six-dimensional vectors: motion `v = (ω, v_O)`, force `f = (n_O, F)`, about the frame's origin.

Stands beside "Mathematical Definition and Frames" and pass 1 of the chapter.  Motion is
angular-first and force is moment-first, so that `f @ v` is power in W.  Every function takes
leading batch dimensions and any kind of number (floats, complex, SymPy expressions).
"""

import numpy as np


def skew(r):
    """The matrix `[r]×` with `[r]× s = r × s`.

    r: (..., 3); returns (..., 3, 3), in the units of r.
    """
    r = np.asarray(r)
    matrix = np.zeros((*r.shape, 3), dtype=r.dtype)
    x, y, z = r[..., 0], r[..., 1], r[..., 2]
    matrix[..., 0, 1], matrix[..., 0, 2] = -z, y
    matrix[..., 1, 0], matrix[..., 1, 2] = z, -x
    matrix[..., 2, 0], matrix[..., 2, 1] = -y, x
    return matrix


def cross_motion(v):
    """The operator `v×` on motion vectors: `[[ω×, 0], [v_O×, ω×]]`.

    v: (..., 6) motion (rad/s, m/s); returns (..., 6, 6).
    """
    v = np.asarray(v)
    return (v @ _UNIT_CROSSES).reshape(*v.shape, 6)


def _unit_crosses():
    """`e_k×` of the six unit motions, laid flat: `v×` is linear in v, so it is their sum."""
    turn, zero = skew(np.eye(3, dtype=int)), np.zeros((3, 3, 3), dtype=int)
    about, along = np.block([[turn, zero], [zero, turn]]), np.block([[zero, zero], [turn, zero]])
    return np.concatenate([about, along]).reshape(6, 36)


_UNIT_CROSSES = _unit_crosses()


def cross_force(v):
    """The dual operator `v×* = −(v×)ᵀ` on forces and momenta.

    v: (..., 6) motion (rad/s, m/s); returns (..., 6, 6).
    """
    return -np.swapaxes(cross_motion(v), -1, -2)


def motion_transform(E, r):
    """`X`, which takes motion from the parent's frame into the child's: `[[E, 0], [−E r×, E]]`.

    E: (..., 3, 3), turns parent components into child components (its columns are the parent's
    axes seen from the child); r: (..., 3), the child's origin in the parent's frame, m.
    Wrenches go the other way, from child to parent, with `X.T`; inertias with `X.T @ I @ X`.
    """
    E, r = np.asarray(E), np.asarray(r)
    X = np.zeros((*E.shape[:-2], 6, 6), dtype=np.result_type(E, r))
    X[..., :3, :3] = X[..., 3:, 3:] = E
    X[..., 3:, :3] = -E @ skew(r)
    return X


def rigid_inertia(mass, com, inertia_com):
    """Spatial inertia `[[I_C + m c× (c×)ᵀ, m c×], [m (c×)ᵀ, m 1]]` about the frame's origin.

    mass: kg; com: (3,) centre of mass, m; inertia_com: (3, 3) about the centre of mass, kg m².
    Nothing is checked here, so that ideal bodies (a point mass, a rod without thickness) can be
    written down too; `Body` checks.
    """
    com, inertia_com = np.asarray(com), np.asarray(inertia_com)
    C = skew(com)
    inertia = np.zeros((6, 6), dtype=np.result_type(com, inertia_com, np.asarray(mass)))
    inertia[:3, :3] = inertia_com + mass * (C @ C.T)
    inertia[:3, 3:] = mass * C
    inertia[3:, :3] = mass * C.T
    inertia[3:, 3:] = mass * np.eye(3, dtype=int)
    return inertia


def rigid_parameters(inertia):
    """The mass (kg), centre of mass (3,) and inertia about it (3, 3) inside a spatial inertia.

    The inverse of `rigid_inertia`.  A massless body has its centre of mass at the origin.
    """
    mass = inertia[3, 3]
    if mass == 0:
        return mass, 0 * inertia[0, 3:], inertia[:3, :3]
    C = inertia[:3, 3:] / mass
    return mass, np.array([C[2, 1], C[0, 2], C[1, 0]]), inertia[:3, :3] - mass * (C @ C.T)


def point_wrench(force, point, couple=(0, 0, 0)):
    """The wrench `(p × F + n, F)` about the origin, of a force at a point and a couple.

    force: (3,) N; point: (3,) m; couple: (3,) N m; all in the same axes, which are also those of
    the result (6,).
    """
    force, point = np.asarray(force), np.asarray(point)
    return np.concatenate([skew(point) @ force + np.asarray(couple), force])
