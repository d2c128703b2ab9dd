"""Exercise 6, velocity forces: a recursion on six-vectors beside the Christoffel terms of M(q).

References come from the planar arm in absolute angles (`planar`), which knows neither.
"""

import numpy as np

from ..planar import PlanarArm, planar_bias, planar_mass_matrix
from ..spatial import cross_force, cross_motion, rigid_parameters
from .routes import JOINTS, first_two_links, random_arm, random_vector
from .task import Exercise, Mistake, Quantity, Task

STEP = 1e-30
DOWN = (0.0, -9.81)
PASS_1 = '"Coriolis Acceleration and Bias Wrench"'
CHECK = '"Pass 3 and an Independent Check", and exercise 6 of the chapter'
GRAVITY = '"Fixed-Base Acceleration and Gravity"'


def _stated():
    return dict(arm=first_two_links(), velocity=np.array([0.8, -0.5]))


def _fresh(rng):
    return dict(arm=random_arm(rng), velocity=random_vector(rng, 3, 0.4, 1.5))


def _arm_only(inputs):
    return dict(arm=inputs["arm"])


def _planar(arm):
    """The same chain for the planar route; the last link's length plays no part in it."""
    parts = [rigid_parameters(I) for I in arm.inertia]
    lengths = np.append(arm.offset[1:, 0], 1.0)
    return PlanarArm(
        lengths,
        [mass for mass, _, _ in parts],
        [I_C[2, 2] for _, _, I_C in parts],
        [com[:2] for _, com, _ in parts],
    )


def _velocity_force(arm, velocity):
    return planar_bias(_planar(arm), arm.angles, velocity)


def _gravity(arm):
    return planar_bias(_planar(arm), arm.angles, np.zeros(arm.n), DOWN)


def _slopes(arm):
    """∂M/∂q_k of the closed form, (n, n, n), k first."""
    steps = arm.angles + 1j * STEP * np.eye(arm.n)
    return np.array([planar_mass_matrix(_planar(arm), q).imag / STEP for q in steps])


def _christoffel(arm, velocity):
    """C from the symbols of the first kind, summed one by one."""
    dM, n = _slopes(arm), arm.n
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                C[i, j] += (dM[k, i, j] + dM[j, i, k] - dM[i, j, k]) / 2 * velocity[k]
    return C


def _rate(arm, velocity):
    return np.einsum("kij,k->ij", _slopes(arm), velocity)


def _another_c(arm, velocity):
    """Ṁ − 2C with C_ij = Σ_k (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) q̇_k: right force, not skew."""
    C = _rate(arm, velocity) - np.einsum("ijk,k->ij", _slopes(arm), velocity) / 2
    return _rate(arm, velocity) - 2 * C


def _recursion(arm, velocity, gravity=0.0, keep_c=True, force=cross_force):
    """A recursion that may be wrong in the named ways."""
    v, a, f = np.zeros(6), np.array([0, 0, 0, 0, gravity, 0]), []
    for X, S, I, rate in zip(arm.X, arm.S, arm.inertia, velocity, strict=True):
        v = X @ v + S * rate
        a = X @ a + keep_c * (cross_motion(v) @ (S * rate))
        f.append(I @ a + force(v) @ (I @ v))
    tau = np.zeros(arm.n)
    for i in reversed(range(arm.n)):
        tau[i] = arm.S[i] @ f[i]
        if i:
            f[i - 1] = f[i - 1] + arm.X[i].T @ f[i]
    return tau


EXERCISE = Exercise(
    "ex06_velocity_forces",
    "Velocity forces",
    "compute velocity forces twice, from six-vectors and from M(q), with gravity kept apart",
    minutes=55,
    tasks=(
        Task(
            "velocity_forces",
            Quantity("velocity force", "N m", JOINTS),
            _stated,
            _fresh,
            _velocity_force,
            mistakes=(
                Mistake(
                    "gravity left in",
                    lambda arm, velocity: _recursion(arm, velocity, gravity=9.81),
                    "Gravity is in it too. For velocity forces alone the recursion starts from "
                    "zero acceleration, not from −g.",
                    GRAVITY,
                ),
                Mistake(
                    "c dropped",
                    lambda arm, velocity: _recursion(arm, velocity, keep_c=False),
                    "The velocity-product accelerations c_i are missing: without joint "
                    "acceleration bodies still accelerate, because their parents turn.",
                    PASS_1,
                ),
                Mistake(
                    "motion product on a momentum",
                    lambda arm, velocity: _recursion(arm, velocity, force=cross_motion),
                    "v× was applied to a momentum. Momentum and force take the dual operator "
                    "v×* = −(v×)ᵀ.",
                    PASS_1,
                ),
                Mistake(
                    "no momentum term",
                    lambda arm, velocity: _recursion(
                        arm, velocity, force=lambda v: np.zeros((6, 6))
                    ),
                    "The term v ×* (I v) is missing: the momentum of a body turns with it.",
                    PASS_1,
                ),
            ),
        ),
        Task(
            "coriolis",
            Quantity("C", "kg m²/s", JOINTS),
            _stated,
            _fresh,
            _christoffel,
            mistakes=(
                Mistake(
                    "half of the sum",
                    lambda arm, velocity: _christoffel(arm, velocity) / 2,
                    "This is half of it: the ½ was taken twice.",
                    CHECK,
                ),
                Mistake(
                    "no half",
                    lambda arm, velocity: 2 * _christoffel(arm, velocity),
                    "This is twice the sum: the three derivatives carry a factor ½.",
                    CHECK,
                ),
                Mistake(
                    "first term only",
                    lambda arm, velocity: _rate(arm, velocity) / 2,
                    "Only the first derivative was summed; this is ½ Ṁ. The other two tell C "
                    "from it.",
                    CHECK,
                ),
                Mistake(
                    "signs",
                    lambda arm, velocity: _christoffel(arm, velocity).T,
                    "The sum is that for C_ji: two indices are exchanged, so the minus sign went "
                    "to the wrong derivative.",
                    CHECK,
                ),
            ),
        ),
        Task(
            "gravity_effort",
            Quantity("gravity term", "N m", JOINTS),
            lambda: _arm_only(_stated()),
            lambda rng: _arm_only(_fresh(rng)),
            _gravity,
            mistakes=(
                Mistake(
                    "sign",
                    lambda arm: -_gravity(arm),
                    "This is the effort of gravity on the joints. The term g(q) on the left of "
                    "the equations of motion is what must be applied to hold the arm: ∂V/∂q.",
                    GRAVITY,
                ),
            ),
        ),
        Task(
            "skew_part",
            Quantity("Ṁ − 2C", "kg m²/s", JOINTS),
            _stated,
            _fresh,
            lambda arm, velocity: _rate(arm, velocity) - 2 * _christoffel(arm, velocity),
            mistakes=(
                Mistake(
                    "one C",
                    lambda arm, velocity: _rate(arm, velocity) - _christoffel(arm, velocity),
                    "C was subtracted once. It is Ṁ − 2C that is skew.",
                    CHECK,
                ),
                Mistake(
                    "another C",
                    _another_c,
                    "This C gives the right forces, but it is not the Christoffel one: C q̇ does "
                    "not fix C, and only the symmetric choice makes Ṁ − 2C skew.",
                    CHECK,
                ),
            ),
        ),
    ),
)
