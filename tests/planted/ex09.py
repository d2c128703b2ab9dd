import numpy as np

from chapter_lib import DynamicsLoads, forward_dynamics, rk4, total_energy, world_point, world_poses


def solve(chain, velocity, gravity=(0, -9.81, 0)):
    return forward_dynamics(chain, DynamicsLoads(velocity, gravity=gravity)).joint_acceleration


def euler(acceleration, q, velocity, h):
    return q + h * velocity, velocity + h * acceleration(q, velocity)


def weights(acceleration, q, velocity, h):
    state, total = np.array([q, velocity]), 0

    def rate(y):
        return np.array([y[1], acceleration(*y)])

    slope = rate(state)
    for part in (0.5, 0.5, 1.0, None):
        total = total + slope / 4
        slope = rate(state + part * h * slope) if part else slope
    return tuple(state + h * total)


def held_rates(acceleration, q, velocity, h):
    k1 = acceleration(q, velocity)
    k2 = acceleration(q + velocity * h / 2, velocity + k1 * h / 2)
    k3 = acceleration(q + velocity * h / 2, velocity + k2 * h / 2)
    k4 = acceleration(q + velocity * h, velocity + k3 * h)
    return q + velocity * h, velocity + h * (k1 + 2 * (k2 + k3) + k4) / 6


def energy(chain, velocity, gravity=9.81):
    return total_energy(chain, DynamicsLoads(velocity, gravity=(0, -gravity, 0)))


def raised(chain, velocity, places):
    moving = energy(chain, velocity, gravity=0)
    return moving + sum(9.81 * I[3, 3] * p[1] for I, p in zip(chain.inertia, places, strict=True))


def far_ends(chain, velocity):
    lengths = 2 * chain.inertia[:, 2, 4] / chain.inertia[:, 3, 3]
    return raised(
        chain, velocity, [world_point(chain, i, (x, 0, 0)) for i, x in enumerate(lengths)]
    )


def points(chain, velocity):
    spin, turning = 0.0, 0.0
    for I, rate in zip(chain.inertia, velocity, strict=True):
        turning += rate
        spin += (I[2, 2] - I[1, 5] ** 2 / I[3, 3]) * turning**2 / 2
    return energy(chain, velocity) - spin


def move(acceleration, q, velocity, time, steps, count=None, step=None):
    h = time / steps
    for _ in range(steps if count is None else count):
        if step is None:
            q, velocity = rk4(q, velocity, h, lambda t, q, v: acceleration(q, v))
        else:
            q, velocity = step(acceleration, q, velocity, h)
    return q, velocity


def wrapped(*motion):
    q, velocity = move(*motion)
    return (q + np.pi) % (2 * np.pi) - np.pi, velocity


def short(acceleration, q, velocity, time, steps):
    return move(acceleration, q, velocity, time, steps, count=steps - 1)


def decimals(gap):
    return max(0, int(np.floor(-np.log10(2 * gap))))


def wrapped_gap(coarse, fine, energies):
    coarse, fine = np.array(coarse), np.array(fine)
    for state in (coarse, fine):
        state[:4] = (state[:4] + np.pi) % (2 * np.pi) - np.pi
    return decimals(np.linalg.norm(coarse - fine))


WRONG = {
    "gravity_acceleration": {
        "free fall": lambda chain, velocity: solve(chain, velocity, gravity=(0, 0, 0)),
        "gravity upward": lambda chain, velocity: solve(chain, velocity, gravity=(0, 9.81, 0)),
        "no velocity terms": lambda chain, velocity: solve(chain, np.zeros(4)),
    },
    "rk4_step": {
        "one slope": euler,
        "equal weights": weights,
        "rates held in the stages": held_rates,
    },
    "mechanical_energy": {
        "kinetic alone": lambda chain, velocity: energy(chain, velocity, gravity=0),
        "the difference": lambda chain, velocity: energy(chain, velocity, gravity=-9.81),
        "point masses": points,
        "heights of the far ends": far_ends,
        "heights of the hinges": lambda chain, velocity: raised(
            chain, velocity, world_poses(chain)[1]
        ),
    },
    "final_state": {
        "angles wrapped": wrapped,
        "one step short": short,
        "one slope": lambda *motion: move(*motion, step=euler),
    },
    "settled_decimals": {
        "energy for accuracy": lambda coarse, fine, energies: decimals(abs(np.diff(energies)[0])),
        "angles wrapped": wrapped_gap,
    },
}
