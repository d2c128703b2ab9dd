"""Exercise 11, order: what a method's error does when the step is halved, and when it does not."""

import numpy as np

from ..models import cylinder_chain, three_link_arm
from .routes import WORKED_VELOCITY, random_arm, random_vector
from .swing import Swing
from .task import Exercise, Mistake, Quantity, Task

STEPS = '"Time-Stepping and Numerical Order"'
WORDS = '"Time-Stepping and Numerical Order", where symplectic and Verlet are explained'
JOINTS = ("joint 1", "joint 2", "joint 3")
STATE = (Quantity("q⁺", "rad", JOINTS), Quantity("q̇⁺", "rad/s", JOINTS))
STEP = 1e-30  # of the complex step


def _step_of(arm, velocity, h):
    q = np.array(arm.angles)
    return dict(acceleration=Swing(arm).acceleration, q=q, velocity=np.array(velocity), h=h)


def _stated_step():
    return _step_of(three_link_arm(), WORKED_VELOCITY, 0.02)


def _fresh_step(rng):
    velocity = random_vector(rng, 3, 0.5, 2.0)
    return _step_of(random_arm(rng), velocity, float(rng.uniform(0.02, 0.05)))


# the steps in position form: half-way values are eliminated


def _velocity_first(acceleration, q, v, h):
    a = acceleration(q, v)
    return q + h * v + h * h * a, v + h * a


def _midpoint(acceleration, q, v, h):
    a = acceleration(q, v)
    middle = acceleration(q + h / 2 * v, v + h / 2 * a)
    return q + h * v + h * h / 2 * a, v + h * middle


def _verlet(acceleration, q, v, h, share=1.0):
    """share: of the step h a that the velocity is moved by before the second acceleration."""
    a = acceleration(q, v)
    there = q + h * v + h * h / 2 * a
    return there, v + h / 2 * (a + acceleration(there, v + share * h * a))


def _old_velocity(acceleration, q, v, h):
    return q + h * v, v + h * acceleration(q, v)


def _forgets_middle_rates(acceleration, q, v, h):
    return q + h * v, _midpoint(acceleration, q, v, h)[1]


def _middle_place_only(acceleration, q, v, h):
    there = _midpoint(acceleration, q, v, h)[0]
    return there, v + h * acceleration(q + h / 2 * v, v)


def _one_kick(acceleration, q, v, h):
    a = acceleration(q, v)
    return q + h * v + h * h / 2 * a, v + h * a


def _stated_errors():
    steps = 2.0 ** -np.arange(4, 13)
    return dict(steps=steps, errors=0.3 * steps**4 + 3e-13, floor=1e-11)


def _fresh_errors(rng):
    steps = float(rng.uniform(0.2, 2)) * 2.0 ** -np.arange(3, 12)
    order, noise = int(rng.integers(2, 5)), np.exp(rng.uniform(-0.1, 0.1, 9))
    errors = float(rng.uniform(0.1, 3)) * steps**order * noise
    floor = float(np.sqrt(errors[4] * errors[5]))
    rounding = 0.3 * floor * np.exp(rng.uniform(-0.3, 0.3, 9))
    return dict(steps=steps, errors=np.where(errors > floor, errors, rounding), floor=floor)


def _slope(steps, errors, floor=0.0):
    x, y = np.log(steps[errors > floor]), np.log(errors[errors > floor])
    return float(np.polynomial.Polynomial.fit(x, y, 1).convert().coef[1])


def _stated_drop():
    return dict(height=1.0, gravity=9.81, restitution=0.8, time=1.0, steps=64)


def _fresh_drop(rng):
    height, restitution = float(rng.uniform(0.5, 1.0)), float(rng.uniform(0.6, 0.9))
    steps = int(rng.integers(30, 60))
    return dict(height=height, gravity=9.81, restitution=restitution, time=1.0, steps=steps)


def _bounced(height, gravity, restitution, time, steps, late=True, floor=False):
    """Parabolas between bounces; the steps at which they end are solved for, not counted."""
    y, v, left, h = height, 0.0, time, time / steps
    while True:
        strike = (v + np.sqrt(max(v * v + 2 * gravity * y, 0))) / gravity
        if late:  # from below the floor with an upward start, the first crossing is no strike
            strike = h * max(1, np.floor(strike / h * (1 + 1e-12)) + 1)
        if strike > left * (1 + 1e-9):
            return y + v * left - gravity / 2 * left**2, v - gravity * left
        y, v = y + v * strike - gravity / 2 * strike**2, -restitution * (v - gravity * strike)
        y = 0.0 if floor or not late else y
        left -= strike


def _reflected(height, gravity, restitution, time, steps):
    return _bounced(height, gravity, 1.0, time, steps)


def _system(chain, velocity, h):
    swing = Swing(chain)
    return dict(
        step=_velocity_first,
        mass=swing.mass,
        acceleration=swing.acceleration,
        q=np.array(chain.angles),
        velocity=np.array(velocity),
        h=h,
    )


def _stated_system():
    pendulum = cylinder_chain([0.4], [2.0], [0.6], 0.025)
    return [
        _system(pendulum, [1.5], 0.05),
        _system(three_link_arm(), WORKED_VELOCITY, 0.02),
    ]


def _fresh_system(rng):
    velocity = random_vector(rng, 2, 0.5, 2.0)
    return _system(random_arm(rng, 2), velocity, float(rng.uniform(0.02, 0.05)))


def _defect(step, mass, acceleration, q, velocity, h, held=False, momentum=True):
    """By the complex step, in (q, p)."""
    n, start = len(q), mass(q)

    def mass_at(x):
        return np.eye(n) if not momentum else start if held else mass(x)

    def flow(y):
        there, v = step(acceleration, y[:n], np.linalg.solve(mass_at(y[:n]), y[n:]), h)
        return np.concatenate([there, mass_at(there) @ v])

    here = np.concatenate([q, mass_at(q) @ velocity])
    D = np.array([flow(here + 1j * STEP * e).imag / STEP for e in np.eye(2 * n)]).T
    form = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    return float(np.abs(D.T @ form @ D - form).max())


EXERCISE = Exercise(
    "ex11_integration_order",
    "Integration order",
    "measure a method's order, and say where the measurement means something",
    minutes=70,
    tasks=(
        Task(
            "velocity_first_step",
            STATE,
            _stated_step,
            _fresh_step,
            _velocity_first,
            rtol=1e-9,
            mistakes=(
                Mistake(
                    "old velocity",
                    _old_velocity,
                    "The angles moved with the old rates: that is Euler's explicit method. Here "
                    "the rates are advanced first, and the angles move with the new ones.",
                    STEPS,
                ),
                Mistake(
                    "mean velocity",
                    _one_kick,
                    "The angles moved with the mean of the old and the new rates. Here they move "
                    "with the new ones.",
                    STEPS,
                ),
            ),
        ),
        Task(
            "midpoint_step",
            STATE,
            _stated_step,
            _fresh_step,
            _midpoint,
            rtol=1e-9,
            mistakes=(
                Mistake(
                    "old velocity for q",
                    _forgets_middle_rates,
                    "The angles moved with the rates at the start. Both slopes are taken in the "
                    "middle: the one of q is the velocity there.",
                    STEPS,
                ),
                Mistake(
                    "old velocity in the acceleration",
                    _middle_place_only,
                    "The acceleration was taken at the middle place but at the starting rates. "
                    "It depends on the rates as well.",
                    STEPS,
                ),
                Mistake(
                    "the start's slopes",
                    _old_velocity,
                    "These are the slopes at the start, carried over the whole step: Euler's "
                    "method. They only serve to reach the middle.",
                    STEPS,
                ),
            ),
        ),
        Task(
            "verlet_step",
            STATE,
            _stated_step,
            _fresh_step,
            _verlet,
            rtol=1e-9,
            mistakes=(
                Mistake(
                    "no predictor",
                    lambda *step: _verlet(*step, share=0.5),
                    "The second acceleration was taken at the half-kicked velocity. That is "
                    "second order only when forces do not depend on velocity; on a mechanism it "
                    "is first order. Predict q̇ + h q̈ for it.",
                    WORDS,
                ),
                Mistake(
                    "old velocity",
                    lambda *step: _verlet(*step, share=0.0),
                    "The second acceleration was taken at the new place but at the old velocity. "
                    "Predict the new one for it.",
                    WORDS,
                ),
                Mistake(
                    "one kick",
                    _one_kick,
                    "Both half-kicks use the acceleration at the start. The second one takes the "
                    "acceleration at the new place.",
                    WORDS,
                ),
            ),
        ),
        Task(
            "order_slope",
            Quantity("order"),
            _stated_errors,
            _fresh_errors,
            _slope,
            mistakes=(
                Mistake(
                    "where rounding rules",
                    lambda steps, errors, floor: _slope(steps, errors),
                    "The slope was read over all steps, those included at which rounding rules "
                    "and the error no longer falls. Leave out what is not above the floor.",
                    STEPS,
                ),
                Mistake(
                    "finest pair",
                    lambda steps, errors, floor: float(
                        np.log(errors[-2] / errors[-1]) / np.log(steps[-2] / steps[-1])
                    ),
                    "This is the slope between the two finest steps, where rounding rules.",
                    STEPS,
                ),
                Mistake(
                    "no logarithms",
                    lambda steps, errors, floor: float(
                        np.polyfit(steps[errors > floor], errors[errors > floor], 1)[0]
                    ),
                    "A straight line was laid through the errors themselves. An order is an "
                    "exponent: take logarithms of errors and steps.",
                    STEPS,
                ),
            ),
        ),
        Task(
            "bounced",
            (Quantity("height", "m"), Quantity("velocity", "m/s")),
            _stated_drop,
            _fresh_drop,
            _bounced,
            mistakes=(
                Mistake(
                    "at the true instant",
                    lambda *drop: _bounced(*drop, late=False),
                    "This bounces at the true instant of the impact. That is better, but asked is "
                    "what a program does that only looks at the ends of its steps.",
                    STEPS,
                ),
                Mistake(
                    "set on the floor",
                    lambda *drop: _bounced(*drop, floor=True),
                    "The mass was set onto the floor at every bounce. Only its velocity changes.",
                    STEPS,
                ),
                Mistake(
                    "no restitution",
                    _reflected,
                    "The velocity was turned round at full speed. It keeps e times its size.",
                    STEPS,
                ),
            ),
        ),
        Task(
            "symplectic_defect",
            Quantity("defect"),
            _stated_system,
            _fresh_system,
            _defect,
            rtol=1e-3,
            mistakes=(
                Mistake(
                    "M held",
                    lambda *system: _defect(*system, held=True),
                    "The momentum after the step was formed with the mass matrix from before it. "
                    "For a constant M that is the same, and the method is symplectic; a "
                    "mechanism's M(q) moves along, and the claim does not carry over.",
                    WORDS,
                ),
                Mistake(
                    "rates for momenta",
                    lambda *system: _defect(*system, momentum=False),
                    "Rates stand where momenta belong. The form is kept, or not, in (q, p) with "
                    "p = M(q) q̇; in (q, q̇) even the true motion does not keep it.",
                    WORDS,
                ),
            ),
        ),
    ),
)
