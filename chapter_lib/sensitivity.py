"""How a motion answers a small change: slopes of dynamics, of trajectories, of events.

Stands beside "From Coupled Dynamics to a Golf-Swing Argument" and "Differentiating the Dynamics".
A field is a function `F(t, x, u)` with x = (q, q̇) stacked, (2n,), and u an added torque, (n,).
Derivatives are complex steps through the same code that computes the motion.
"""

from dataclasses import dataclass

import numpy as np

from .aba import forward_dynamics
from .loads import STANDARD_GRAVITY, DynamicsLoads

STEP = 1e-30  # of the complex step: no difference is taken, so it may be as small as one likes


def slope(function, x, dx):
    """The derivative of `function` at x along dx, by the complex step; shapes as the function's."""
    return np.imag(function(x + 1j * STEP * np.asarray(dx))) / STEP


def jacobian(function, x):
    """All slopes (…, m) of `function` at x (m,), one column a coordinate."""
    return np.stack([slope(function, x, unit) for unit in np.eye(len(x))], axis=-1)


def policy_field(tree, policy, gravity=STANDARD_GRAVITY):
    """`ẋ = F_π(t, x, u)`: the motion of a fixed-base tree under the torques `policy(t, q, q̇) + u`.

    Returns a function of t (s), x (2n,) and u (n,) that accepts complex x and u.
    """

    def field(t, x, u):
        q, qd = x[: tree.n], x[tree.n :]
        loads = DynamicsLoads(qd, policy(t, q, qd) + u, gravity=gravity)
        return np.concatenate([qd, forward_dynamics(tree.at(q), loads).joint_acceleration])

    return field


@dataclass(frozen=True, eq=False)
class Swing:
    """A motion up to an event, and how it answers an added torque.

    time: (s,) s, the last the event's; state: (s, 2n); change: (s, 2n), the variation δx per unit
    of δu, at the same times.
    """

    time: np.ndarray
    state: np.ndarray
    change: np.ndarray


def swing_to(field, x, gap, dt, longest, u, du):
    """Integrate x, and its variation with u along du, until `gap(x)` closes.

    `δẋ = D_x F δx + B δu` runs beside `ẋ = F` in the same Runge–Kutta steps of dt (s); the last
    step is shortened, by Newton's method, to end where gap(x) = 0.  u, du: (n,).
    Raises ValueError when the gap has not closed after `longest` s.
    """

    def both(t, pair):
        x, dx = pair
        value = field(t, x + 1j * STEP * dx, u + 1j * STEP * np.asarray(du))
        return np.array([value.real, value.imag / STEP])

    t, pair = 0.0, np.array([x, np.zeros(len(x))])
    times, pairs = [t], [pair]
    while gap(pair[0]) > 0:
        if t > longest:
            raise ValueError(f"argument gap: still open by {gap(pair[0]):.6g} after {t:.6g} s")
        before, pair = pair, _rk4(both, t, pair, dt)
        t += dt
        times.append(t)
        pairs.append(pair)
    h = dt
    for _ in range(20):
        end = _rk4(both, t - dt, before, h)
        miss = gap(end[0])
        if abs(miss) < 1e-14:
            break
        h -= miss / slope(gap, end[0], both(t - dt + h, end)[0])
    times[-1], pairs[-1] = t - dt + h, end
    pairs = np.array(pairs)
    return Swing(np.array(times), pairs[:, 0], pairs[:, 1])


def at_event(gap, x, velocity, dx):
    """What a variation at fixed time becomes at the event `gap(x) = 0`.

    velocity: ẋ (2n,) at the event; dx: (2n,) δx at its unchanged time.  Returns δt, s, and the
    change of the state at the moved event, `δx + ẋ δt`.
    """
    dt = -slope(gap, x, dx) / slope(gap, x, velocity)
    return float(dt), dx + velocity * dt


def _rk4(field, t, x, h):
    k1 = field(t, x)
    k2 = field(t + h / 2, x + h / 2 * k1)
    k3 = field(t + h / 2, x + h / 2 * k2)
    k4 = field(t + h, x + h * k3)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
