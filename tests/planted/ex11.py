import numpy as np

from chapter_lib import midpoint, verlet


def euler(acceleration, q, velocity, h):
    return q + h * velocity, velocity + h * acceleration(q, velocity)


def mean_velocity(acceleration, q, velocity, h):
    new = velocity + h * acceleration(q, velocity)
    return q + h * (velocity + new) / 2, new


def library(method, **options):
    def step(acceleration, q, velocity, h):
        return method(q, velocity, h, lambda t, q, v: acceleration(q, v), **options)

    return step


def only_velocity(acceleration, q, velocity, h):
    return q + h * velocity, library(midpoint)(acceleration, q, velocity, h)[1]


def only_place(acceleration, q, velocity, h):
    half = velocity + h / 2 * acceleration(q, velocity)
    return q + h * half, velocity + h * acceleration(q + h / 2 * velocity, velocity)


def stale(acceleration, q, velocity, h):
    half = velocity + h / 2 * acceleration(q, velocity)
    q = q + h * half
    return q, half + h / 2 * acceleration(q, velocity)


def all_points(steps, errors, floor):
    return np.polyfit(np.log10(steps), np.log10(errors), 1)[0]


def no_logarithms(steps, errors, floor):
    good = errors > floor
    return np.cov(steps[good], errors[good])[0, 1] / np.var(steps[good], ddof=1)


def drop(height, gravity, restitution, time, steps, floor=None):
    y, v, h = height, 0.0, time / steps
    for _ in range(steps):
        y, v = y + h * v - gravity * h * h / 2, v - gravity * h
        if y < 0 and v < 0:
            v = -restitution * v
            y = y if floor is None else floor
    return y, v


def exact(height, gravity, restitution, time, steps):
    strike = np.sqrt(2 * height / gravity)
    left, v = time - strike, restitution * gravity * strike
    while 2 * v / gravity < left:
        left, v = left - 2 * v / gravity, restitution * v
    return v * left - gravity * left**2 / 2, v - gravity * left


def full_speed(height, gravity, restitution, time, steps):
    return drop(height, gravity, 1.0, time, steps)


def defect(step, mass, acceleration, q, velocity, h, weight):
    n, columns = len(q), []
    here = np.append(q, weight(mass, q, q) @ velocity)

    def flow(y):
        x, v = step(acceleration, y[:n], np.linalg.solve(weight(mass, y[:n], q), y[n:]), h)
        return np.append(x, weight(mass, x, q) @ v)

    for e in 1e-5 * np.eye(2 * n):
        columns.append((flow(here + e) - flow(here - e)) / 2e-5)
    D, form = np.array(columns).T, np.kron([[0, 1], [-1, 0]], np.eye(n))
    return np.abs(D.T @ form @ D - form).max()


WRONG = {
    "velocity_first_step": {"old velocity": euler, "mean velocity": mean_velocity},
    "midpoint_step": {
        "old velocity for q": only_velocity,
        "old velocity in the acceleration": only_place,
        "the start's slopes": euler,
    },
    "verlet_step": {
        "no predictor": library(verlet, predictor=False),
        "old velocity": stale,
        "one kick": mean_velocity,
    },
    "order_slope": {
        "where rounding rules": all_points,
        "finest pair": lambda steps, errors, floor: np.log2(errors[-2] / errors[-1]),
        "no logarithms": no_logarithms,
    },
    "bounced": {
        "at the true instant": exact,
        "set on the floor": lambda *case: drop(*case, floor=0.0),
        "no restitution": full_speed,
    },
    "symplectic_defect": {
        "M held": lambda *system: defect(*system, lambda mass, x, start: mass(start)),
        "rates for momenta": lambda *system: defect(*system, lambda mass, x, start: np.eye(len(x))),
    },
}
