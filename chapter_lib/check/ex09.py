"""Exercise 9, gravity: a chain swings down, and what a step size lets one say about it."""

from functools import cache

import numpy as np

from ..kinematics import world_point, world_poses
from ..models import uniform_chain
from ..spatial import rigid_parameters
from .routes import random_arm, random_vector
from .swing import Swing
from .task import Exercise, Mistake, Quantity, Task

GRAVITY = '"Fixed-Base Acceleration and Gravity"'
STEPS = '"Time-Stepping and Numerical Order"'
TRUST = '"Time-Stepping and Numerical Order", and exercise 9 of the chapter'
JOINTS = ("joint 1", "joint 2", "joint 3", "joint 4")
START = (0.4, -0.2, 0.3, -0.1)
RATES = (0.5, -0.8, 1.0, -1.2)


def _chain():
    return uniform_chain(4, angles=START)


def _stated_chain():
    return [
        dict(chain=_chain(), velocity=np.zeros(4)),
        dict(chain=_chain(), velocity=np.array(RATES)),
    ]


def _fresh_chain(rng):
    return dict(chain=random_arm(rng, 4), velocity=random_vector(rng, 4, 0.5, 2.0))


def _stated_step():
    chain = Swing(_chain()).acceleration
    return dict(acceleration=chain, q=np.array(START), velocity=np.array(RATES), h=0.04)


def _fresh_step(rng):
    chain, rates = _fresh_chain(rng).values()
    law, h = Swing(chain).acceleration, float(rng.uniform(0.02, 0.04))
    return dict(acceleration=law, q=np.array(chain.angles), velocity=rates, h=h)


def _stated_motion():
    law, rest = Swing(_chain()).acceleration, np.zeros(4)
    start = dict(acceleration=law, q=np.array(START), velocity=rest)
    return [dict(**start, time=time, steps=int(200 * time)) for time in (0.5, 1.0)]


def _fresh_motion(rng):
    chain, rates = _fresh_chain(rng).values()
    q = np.array(chain.angles)
    q[0] += 3.5  # past half a turn, and on its way down
    law = Swing(chain).acceleration
    steps = int(rng.integers(20, 30))
    return dict(acceleration=law, q=q, velocity=rates, time=steps / 200, steps=steps)


@cache
def _runs():
    """Two motions of 1 s, the finer with half the step, and the energies of the coarser one."""
    law, energy, rest = Swing(_chain()).acceleration, Swing(_chain()).energy, np.zeros(4)
    coarse, fine = (_travel(law, np.array(START), rest, 1.0, steps) for steps in (200, 400))
    return np.concatenate(coarse), np.concatenate(fine), energy(START, rest), energy(*coarse)


def _stated_trust():
    coarse, fine, before, after = _runs()
    return dict(coarse=coarse.copy(), fine=fine.copy(), energies=np.array([before, after]))


def _fresh_trust(rng):
    fine = random_vector(rng, 8, 1.0, 4.0)
    off = random_vector(rng, 8, 0.3, 1.0)
    fine[0] = np.pi + 1e-9
    off[0] = -abs(off[0])  # the coarse angle is still short of half a turn
    coarse = fine + off * 10 ** -float(rng.uniform(2.5, 5.5))
    energy = float(rng.uniform(1, 3))
    energies = np.array([energy, energy + 10 ** -float(rng.uniform(8.5, 10.5))])
    return dict(coarse=coarse, fine=fine, energies=energies)


def _without_velocity_terms(chain, velocity):
    return Swing(chain).acceleration(chain.angles, 0 * velocity)


def _step(acceleration, q, v, h):
    """Runge and Kutta's step in Nyström's form: rates of angles are written out."""
    k1 = acceleration(q, v)
    k2 = acceleration(q + h / 2 * v, v + h / 2 * k1)
    k3 = acceleration(q + h / 2 * v + h * h / 4 * k1, v + h / 2 * k2)
    k4 = acceleration(q + h * v + h * h / 2 * k2, v + h * k3)
    return q + h * v + h * h / 6 * (k1 + k2 + k3), v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def _travel(acceleration, q, velocity, time, steps, step=_step):
    for _ in range(steps):
        q, velocity = step(acceleration, q, velocity, time / steps)
    return q, velocity


def _one_slope(acceleration, q, v, h):
    return q + h * v, v + h * acceleration(q, v)


def _equal_weights(acceleration, q, v, h):
    q1, v1 = v, acceleration(q, v)
    q2, v2 = v + h / 2 * v1, acceleration(q + h / 2 * q1, v + h / 2 * v1)
    q3, v3 = v + h / 2 * v2, acceleration(q + h / 2 * q2, v + h / 2 * v2)
    q4, v4 = v + h * v3, acceleration(q + h * q3, v + h * v3)
    return q + h / 4 * (q1 + q2 + q3 + q4), v + h / 4 * (v1 + v2 + v3 + v4)


def _rates_held(acceleration, q, v, h):
    k1 = acceleration(q, v)
    k2 = acceleration(q + h / 2 * v, v + h / 2 * k1)
    k3 = acceleration(q + h / 2 * v, v + h / 2 * k2)
    k4 = acceleration(q + h * v, v + h * k3)
    return q + h * v, v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def _wrapped_motion(*motion):
    q, velocity = _travel(*motion)
    return _wrapped(q), velocity


def _wrapped(angles):
    return np.arctan2(np.sin(angles), np.cos(angles))


def _energy(chain, velocity, kinetic=1, potential=1, spin=1, height=None):
    still = Swing(chain).energy(chain.angles, 0 * velocity)
    moving = Swing(chain).energy(chain.angles, velocity) - still
    spinning = Swing(chain).I @ np.cumsum(velocity) ** 2 / 2
    height = still if height is None else height
    return kinetic * (moving - (1 - spin) * spinning) + potential * height


def _heights_of_ends(chain, velocity):
    ends = [world_point(chain, i, 2 * rigid_parameters(I)[1]) for i, I in enumerate(chain.inertia)]
    return _energy(chain, velocity, height=9.81 * Swing(chain).m @ np.array(ends)[:, 1])


def _heights_of_joints(chain, velocity):
    return _energy(chain, velocity, height=9.81 * Swing(chain).m @ world_poses(chain)[1][:, 1])


def _decimals(gap):
    """Decimals that a difference leaves alone, by trying."""
    return next((k for k in reversed(range(16)) if gap < 0.5 * 10.0**-k), 0)


def _gap(coarse, fine, energies):
    return float(np.sqrt(np.sum((coarse - fine) ** 2)))


def _wrapped_gap(coarse, fine, energies):
    half = len(coarse) // 2
    turned = [np.append(_wrapped(x[:half]), x[half:]) for x in (coarse, fine)]
    return _gap(*turned, energies)


EXERCISE = Exercise(
    "ex09_gravity_simulation",
    "Gravity simulation",
    "simulate a falling chain, and say which digits of the result mean anything",
    minutes=75,
    tasks=(
        Task(
            "gravity_acceleration",
            Quantity("q̈", "rad/s²", JOINTS),
            _stated_chain,
            _fresh_chain,
            lambda chain, velocity: Swing(chain).acceleration(chain.angles, velocity),
            mistakes=(
                Mistake(
                    "free fall",
                    lambda chain, velocity: Swing(chain, gravity=0.0).acceleration(
                        chain.angles, velocity
                    ),
                    "In this motion the joints do not feel gravity, as if the whole chain were in "
                    "free fall. Its first hinge is held: the base pushes back, and gravity turns "
                    "the joints.",
                    GRAVITY,
                ),
                Mistake(
                    "gravity upward",
                    lambda chain, velocity: Swing(chain, gravity=-9.81).acceleration(
                        chain.angles, velocity
                    ),
                    "Gravity pulls upward here. The fictitious acceleration of the base is minus "
                    "gravity; gravity itself points down.",
                    GRAVITY,
                ),
                Mistake(
                    "no velocity terms",
                    _without_velocity_terms,
                    "The rates were left out. That is right only for an instant at rest.",
                    GRAVITY,
                ),
            ),
        ),
        Task(
            "rk4_step",
            (Quantity("q⁺", "rad", JOINTS), Quantity("q̇⁺", "rad/s", JOINTS)),
            _stated_step,
            _fresh_step,
            _step,
            rtol=1e-9,
            mistakes=(
                Mistake(
                    "one slope",
                    _one_slope,
                    "This is Euler's step: the slopes at the start carried over the whole step.",
                    STEPS,
                ),
                Mistake(
                    "equal weights",
                    _equal_weights,
                    "The four slopes were averaged with equal weights. The two in the middle of "
                    "the step count twice.",
                    STEPS,
                ),
                Mistake(
                    "rates held in the stages",
                    _rates_held,
                    "The angles moved at the first rates through all stages. In every stage the "
                    "slope of q is the velocity of that stage.",
                    STEPS,
                ),
            ),
        ),
        Task(
            "mechanical_energy",
            Quantity("E", "J"),
            _stated_chain,
            _fresh_chain,
            _energy,
            mistakes=(
                Mistake(
                    "kinetic alone",
                    lambda chain, velocity: _energy(chain, velocity, potential=0),
                    "This is the kinetic energy. The potential energy in gravity belongs to it.",
                    TRUST,
                ),
                Mistake(
                    "the difference",
                    lambda chain, velocity: _energy(chain, velocity, potential=-1),
                    "This is kinetic less potential energy. What stays constant is their sum.",
                    TRUST,
                ),
                Mistake(
                    "point masses",
                    lambda chain, velocity: _energy(chain, velocity, spin=0),
                    "The links' turning about their own centres of mass is missing: they move "
                    "like point masses here.",
                    TRUST,
                ),
                Mistake(
                    "heights of the far ends",
                    _heights_of_ends,
                    "The height of each link's far end was taken. Its weight acts at its centre "
                    "of mass.",
                    TRUST,
                ),
                Mistake(
                    "heights of the hinges",
                    _heights_of_joints,
                    "The height of each link's hinge was taken. Its weight acts at its centre of "
                    "mass.",
                    TRUST,
                ),
            ),
        ),
        Task(
            "final_state",
            (Quantity("q", "rad", JOINTS), Quantity("q̇", "rad/s", JOINTS)),
            _stated_motion,
            _fresh_motion,
            _travel,
            draws=2,
            mistakes=(
                Mistake(
                    "angles wrapped",
                    _wrapped_motion,
                    "The angles were brought back to between −π and π. A joint that turned once "
                    "more is then taken for one that did not, and differences jump by 2π.",
                    TRUST,
                ),
                Mistake(
                    "one step short",
                    lambda acceleration, q, velocity, time, steps: _travel(
                        acceleration, q, velocity, (steps - 1) * (time / steps), steps - 1
                    ),
                    "One step is missing: the state is that of time − h.",
                    STEPS,
                ),
                Mistake(
                    "one slope",
                    lambda *motion: _travel(*motion, step=_one_slope),
                    "This motion was made of Euler's steps, one slope each. Use rk4_step.",
                    STEPS,
                ),
            ),
        ),
        Task(
            "settled_decimals",
            Quantity("decimals"),
            _stated_trust,
            _fresh_trust,
            lambda *runs: _decimals(_gap(*runs)),
            draws=5,
            mistakes=(
                Mistake(
                    "energy for accuracy",
                    lambda coarse, fine, energies: _decimals(abs(energies[1] - energies[0])),
                    "The energy's change was taken for the error of the state. Energy is one "
                    "number among eight: all states on its surface have the right one, and almost "
                    "all of them are wrong.",
                    TRUST,
                ),
                Mistake(
                    "angles wrapped",
                    lambda *runs: _decimals(_wrapped_gap(*runs)),
                    "The angles were wrapped before they were compared: two runs on either side "
                    "of half a turn then seem a whole turn apart.",
                    TRUST,
                ),
            ),
        ),
    ),
)
