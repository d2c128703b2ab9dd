"""The planar arm in absolute angles: the second page's route to the same equations.

`θ = T q` with T the lower triangle of ones.  `H_θ θ̈ + b_θ = n`, then `H = Tᵀ H_θ T`,
`b = Tᵀ b_θ`, or at once from the closed forms `h_ij` and `b_i`.  The arm lies in the x–y plane;
gravity acts only when it is given.
"""

from dataclasses import dataclass

import numpy as np

from .scalars import cosine, numbers, sine


@dataclass(frozen=True, eq=False)
class PlanarArm:
    """A serial arm in the plane.

    lengths, masses: (n,) m, kg; inertias: (n,) about the centres of mass, kg m²; com: (n, 2) the
    centres of mass in the links' axes, m, by default half-way along.
    """

    lengths: np.ndarray
    masses: np.ndarray
    inertias: np.ndarray
    com: np.ndarray | None = None

    def __post_init__(self):
        set_ = object.__setattr__
        set_(self, "lengths", numbers(self.lengths, "argument lengths"))
        if self.lengths.ndim != 1:
            raise ValueError(f"argument lengths: expected a vector, got {self.lengths.shape}")
        n = len(self.lengths)
        set_(self, "masses", numbers(self.masses, "argument masses", (n,)))
        set_(self, "inertias", numbers(self.inertias, "argument inertias", (n,)))
        half = np.stack([self.lengths / 2, 0 * self.lengths], axis=1)
        set_(self, "com", numbers(half if self.com is None else self.com, "argument com", (n, 2)))


def absolute_angle_map(n):
    """T (n, n), the lower triangle of ones: `θ = T q`."""
    return np.tril(np.ones((n, n), dtype=int))


def planar_points(arm, q):
    """Joint places (n + 1, 2), the last of them the endpoint, and centres of mass (n, 2), m."""
    x, y = _directions(q)
    ends = np.cumsum(arm.lengths[:, None] * x, axis=0)
    joints = np.concatenate([0 * ends[:1], ends])
    return joints, joints[:-1] + arm.com[:, :1] * x + arm.com[:, 1:] * y


def planar_mass_matrix_absolute(arm, q):
    """`H_θ` (n, n), the mass matrix in absolute angles: `Σ_k m_k h_kj · h_ki`, and I_k."""
    h = _coefficients(arm, q)
    return np.einsum("k,kjc,kic->ji", arm.masses, h, h) + np.diag(arm.inertias)


def planar_bias_absolute(arm, q, velocity):
    """`b_θ` (n,), the velocity terms in absolute angles, N m."""
    h = _coefficients(arm, q)
    rates = np.cumsum(velocity)
    centripetal = -np.einsum("kjc,j->kc", h, rates**2)
    crossed = h[..., 0] * centripetal[:, None, 1] - h[..., 1] * centripetal[:, None, 0]
    return np.einsum("k,kj->j", arm.masses, crossed)


def planar_mass_matrix(arm, q):
    """`H` (n, n) in joint angles, from the closed form `h_ij`, kg m²."""
    joints, coms = planar_points(arm, q)
    n = len(arm.lengths)
    H = np.zeros((n, n), dtype=coms.dtype)
    for i in range(n):
        for j in range(n):
            for k in range(max(i, j), n):
                arms = (coms[k] - joints[i]) @ (coms[k] - joints[j])
                H[i, j] = H[i, j] + arm.masses[k] * arms + arm.inertias[k]
    return H


def planar_bias(arm, q, velocity, gravity=(0, 0)):
    """`b` (n,) in joint angles, from the closed form `b_i`, N m; gravity: (2,) m/s².

    `h_xkj`, `h_ykj` are what angle j contributes to the place of the centre of mass of link k.
    """
    joints, coms = planar_points(arm, q)
    h, rates, gravity = _coefficients(arm, q), np.cumsum(velocity), np.asarray(gravity)
    b = 0 * rates
    for i in range(len(arm.lengths)):
        for k in range(i, len(arm.lengths)):
            x, y = coms[k] - joints[i]
            hx, hy = h[k, :, 0], h[k, :, 1]
            b[i] = b[i] + arm.masses[k] * ((y * hx - x * hy) @ rates**2)
            b[i] = b[i] - arm.masses[k] * (x * gravity[1] - y * gravity[0])
    return b


def planar_endpoint_jacobian(arm, q):
    """`J_E` (2, n): velocity of the arm's endpoint per joint rate, m/rad."""
    joints, _ = planar_points(arm, q)
    reach = joints[-1] - joints[:-1]
    return np.stack([-reach[:, 1], reach[:, 0]])


def planar_forward_dynamics(arm, q, velocity, torque, endpoint_force=(0, 0), gravity=(0, 0)):
    """q̈ (n,) from `H q̈ = τ − b + J_Eᵀ f_E` by a Cholesky solve, rad/s².

    endpoint_force: (2,) N at the endpoint, world axes.  Raises LinAlgError when H is singular.
    """
    from scipy.linalg import cho_factor, cho_solve

    q, velocity = numbers(q, "argument q"), numbers(velocity, "argument velocity")
    H = planar_mass_matrix(arm, q)
    load = planar_endpoint_jacobian(arm, q).T @ np.asarray(endpoint_force)
    rhs = numbers(torque, "argument torque") - planar_bias(arm, q, velocity, gravity) + load
    scale = np.sqrt(np.diag(H))
    try:
        if not scale.all():
            raise np.linalg.LinAlgError
        # scaled to a unit diagonal, so that "singular" does not depend on the units
        factor = cho_factor(H / np.outer(scale, scale))
        if np.diag(factor[0]).min() < 1e-7:
            raise np.linalg.LinAlgError
    except np.linalg.LinAlgError:
        values = np.linalg.eigvalsh(H)
        raise np.linalg.LinAlgError(
            f"H is singular: its smallest eigenvalue is {values[0]:.3g} beside {values[-1]:.3g} "
            f"kg m²; masses are {arm.masses.tolist()} kg, inertias {arm.inertias.tolist()} kg m²"
        ) from None
    return cho_solve(factor, rhs / scale) / scale


def _directions(q):
    """Unit vectors along the links and across them, each (n, 2)."""
    theta = np.cumsum(np.asarray(q))
    s, c = sine(theta), cosine(theta)
    return np.stack([c, s], axis=1), np.stack([-s, c], axis=1)


def _coefficients(arm, q):
    """h (n, n, 2): the centre of mass of link k lies at `Σ_j h[k, j]`, one share for each angle.

    Full link length for j < k, the centre of mass's offset for j = k, nothing beyond.  Each share
    turns with its own θ_j: its velocity is a quarter turn of h times θ̇_j, and its centripetal
    acceleration is `−h θ̇_j²`.
    """
    x, y = _directions(q)
    n = len(arm.lengths)
    h = np.zeros((n, n, 2), dtype=np.result_type(x, arm.lengths))
    for k in range(n):
        for j in range(k):
            h[k, j] = arm.lengths[j] * x[j]
        h[k, k] = arm.com[k, 0] * x[k] + arm.com[k, 1] * y[k]
    return h
