"""Planar chains in absolute angles: the references' motion, without passes and without M(q).

With θ the links' angles to the x axis, `(A ∘ cos(θ_i − θ_j) + I) θ̈ = n − (A ∘ sin(θ_i − θ_j)) θ̇² −
w ∘ cos θ`, where A, I and w hold masses and lengths and never change.  It shares nothing with the
recursions and is quick enough to integrate.
"""

import numpy as np

from ..spatial import rigid_parameters


class Swing:
    """A chain whose links lie along the x axes of their frames, hinged about z, gravity along −y.

    chain: a `Tree`; gravity: m/s².
    """

    def __init__(self, chain, gravity=9.81):
        parts = [rigid_parameters(I) for I in chain.inertia]
        self.m = np.array([mass for mass, _, _ in parts])
        self.I = np.array([I_C[2, 2] for _, _, I_C in parts])
        lengths = np.append(chain.offset[1:, 0], 0.0)
        along = np.array([com[0] for _, com, _ in parts])
        # what a unit of cos θ_j moves the centre of mass of link k by
        self.r = np.tril(np.broadcast_to(lengths, (chain.n, chain.n)), -1) + np.diag(along)
        self.A = np.einsum("k,ki,kj->ij", self.m, self.r, self.r)
        self.w = gravity * self.m @ self.r

    def acceleration(self, q, velocity, torque=0.0):
        """q̈ (n,) under joint torques (n,)."""
        theta, rates = np.cumsum(q), np.cumsum(velocity)
        turned = theta[:, None] - theta
        torque = np.zeros(len(theta)) + torque
        net = torque - np.append(torque[1:], 0.0)  # a joint's torque turns its link and the one in
        net = net - (self.A * np.sin(turned)) @ rates**2 - self.w * np.cos(theta)
        return np.diff(np.linalg.solve(self.A * np.cos(turned) + np.diag(self.I), net), prepend=0)

    def mass(self, q):
        """The mass matrix (n, n) in joint angles."""
        theta = np.cumsum(q)
        turned = theta[:, None] - theta
        down = np.tril(np.ones((len(theta), len(theta))))  # θ = down q
        return down.T @ (self.A * np.cos(turned) + np.diag(self.I)) @ down

    def energy(self, q, velocity):
        """Kinetic and potential energy, J, zero at the first hinge's height."""
        theta, rates = np.cumsum(q), np.cumsum(velocity)
        x, y = self.r @ (-np.sin(theta) * rates), self.r @ (np.cos(theta) * rates)
        kinetic = self.m @ (x**2 + y**2) + self.I @ rates**2
        return float(kinetic / 2 + self.w @ np.sin(theta))

    def travel(self, q, velocity, time, torque=0.0):
        """The state (q, q̇) after `time` seconds, by an integrator that chooses its own steps."""
        from scipy.integrate import solve_ivp  # slow to load, and few checks need it

        n = len(q)

        def rate(t, y):
            return np.append(y[n:], self.acceleration(y[:n], y[n:], torque))

        start = np.append(q, velocity)
        end = solve_ivp(rate, (0.0, time), start, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
        return end[:n], end[n:]
