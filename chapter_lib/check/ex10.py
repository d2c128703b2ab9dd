"""Exercise 10, impact: one impulse at an instant, a reaction for as long as the contact lasts."""

import numpy as np

from ..kinematics import point_jacobian, world_poses
from ..lagrange import kinetic_mass_matrix, projected_bias
from ..spatial import rigid_parameters
from .held import held, point_rows, rows_rate
from .routes import first_two_links, random_arm, random_vector
from .task import Exercise, Mistake, Quantity, Task

ROW = '"Contact Forces and Impact Dynamics", where J_n is formed'
IMPULSE = '"Contact Forces and Impact Dynamics": the impulse of a single contact'
LASTS = '"Contact Dynamics and Complementarity": the reaction while a contact lasts'
JOINTS = ("joint 1", "joint 2", "joint 3")
UP = (0.0, 1.0, 0.0)
BEFORE = (-0.8, -0.5)


def _contact():
    return dict(arm=first_two_links(), point=np.array([0.3, 0.0, 0.0]), normal=np.array(UP))


def _fresh_contact(rng):
    arm = random_arm(rng, int(rng.integers(2, 4)))
    point = np.array([rng.uniform(0.1, 0.4), rng.uniform(0.02, 0.08), 0.0])
    tilt = np.pi / 2 + rng.uniform(0.2, 0.6) * rng.choice([-1, 1])
    return dict(arm=arm, point=point, normal=np.array([np.cos(tilt), np.sin(tilt), 0.0]))


def _meeting(contact, velocity, restitution):
    return dict(
        arm=contact["arm"],
        velocity=np.array(velocity),
        point=contact["point"],
        normal=contact["normal"],
        restitution=restitution,
    )


def _stated():
    cases = [_meeting(_contact(), BEFORE, e) for e in (0.0, 0.5, 1.0)]
    return [*cases, _meeting(_contact(), (0.8, 0.5), 0.5)]


def _fresh(rng):
    contact = _fresh_contact(rng)
    velocity = random_vector(rng, contact["arm"].n, 0.3, 1.5)
    return _meeting(contact, velocity, float(rng.uniform(0.2, 0.8)))


def _lasting(contact, velocity, torque):
    return dict(
        arm=contact["arm"],
        velocity=np.array(velocity),
        torque=np.array(torque),
        point=contact["point"],
        normal=contact["normal"],
    )


def _stated_lasting():
    after = _after(**_meeting(_contact(), BEFORE, 0.0))[1]
    return [_lasting(_contact(), after, torque) for torque in ((0, 0), (4, -1), (-6, 2))]


def _fresh_lasting(rng):
    contact = _fresh_contact(rng)
    J, n = _row(**contact), contact["arm"].n
    velocity = random_vector(rng, n, 0.3, 1.5)
    velocity = velocity - J * (J @ velocity) / (J @ J)  # along the surface
    return _lasting(contact, velocity, random_vector(rng, n, 2.0, 6.0))


def _row(arm, point, normal):
    return point_rows(arm, arm.n - 1, point, normal)


def _impulse_and_rates(arm, velocity, point, normal, restitution, guarded=True):
    M, J = kinetic_mass_matrix(arm), _row(arm, point, normal)
    if guarded and J @ velocity >= 0:
        return 0.0, np.array(velocity)
    after, impulse = held(M, M @ velocity, J, restitution * (J @ velocity))
    return float(impulse[0]), after


def _impulse(*meeting):
    return _impulse_and_rates(*meeting)[0]


def _after(arm, velocity, point, normal, restitution):
    rates = _impulse_and_rates(arm, velocity, point, normal, restitution)[1]
    return np.array(arm.angles), rates


def _lost(arm, velocity, point, normal, restitution):
    after = _after(arm, velocity, point, normal, restitution)[1]
    M = kinetic_mass_matrix(arm)
    return float(velocity @ M @ velocity - after @ M @ after) / 2


def _reaction(arm, velocity, torque, point, normal, rate=True, gravity=9.81, pulling=False):
    M, J = kinetic_mass_matrix(arm), _row(arm, point, normal)
    force = torque - projected_bias(arm, velocity, (0, -gravity, 0))
    b = rows_rate(arm, velocity, arm.n - 1, point, normal) if rate else 0.0
    acceleration, reaction = held(M, force, J, b)
    if reaction[0] < 0 and not pulling:
        return 0.0, np.linalg.solve(M, force)
    return float(reaction[0]), acceleration


def _felt(arm, velocity, point, normal):
    """J_n q̇ and J_n M⁻¹ J_nᵀ."""
    J = _row(arm, point, normal)
    return J @ velocity, J @ np.linalg.solve(kinetic_mass_matrix(arm), J)


def _when_closing(impulse):
    """The mistake `impulse(v, W, arm, e)`, with nothing where the contact separates."""

    def wrong(arm, velocity, point, normal, restitution):
        v, W = _felt(arm, velocity, point, normal)
        return float(impulse(v, W, arm, restitution)) if v < 0 else 0.0

    return wrong


def _mass(arm):
    return sum(rigid_parameters(I)[0] for I in arm.inertia)


def _as_a_force(arm, velocity, point, normal, restitution):
    return _reaction(arm, velocity, np.zeros(arm.n), point, normal)[0]


def _moved_as_well(arm, velocity, point, normal, restitution):
    after = _after(arm, velocity, point, normal, restitution)[1]
    return arm.angles + (after - velocity), after


def _without_inertia(arm, velocity, point, normal, restitution):
    push = _row(arm, point, normal) * _impulse(arm, velocity, point, normal, restitution)
    return np.array(arm.angles), velocity + push


def _all_rates_reversed(arm, velocity, point, normal, restitution):
    closing = _row(arm, point, normal) @ velocity < 0
    return np.array(arm.angles), -restitution * velocity if closing else np.array(velocity)


SEPARATES = (
    "The contact pushed although its normal velocity was already positive. A contact that "
    "separates supplies no impulse: look at the sign of J_n q̇ first."
)

EXERCISE = Exercise(
    "ex10_contact_impulse",
    "Contact impulse",
    "compute an impact's impulse, and tell it from the force of a contact that lasts",
    minutes=60,
    tasks=(
        Task(
            "normal_row",
            Quantity("J_n", "m", JOINTS),
            _contact,
            _fresh_contact,
            _row,
            mistakes=(
                Mistake(
                    "the body's origin",
                    lambda arm, point, normal: _row(arm, 0 * point, normal),
                    "This is the row of the last body's origin. The contact is at the given point "
                    "of that body.",
                    ROW,
                ),
                Mistake(
                    "normal in body axes",
                    lambda arm, point, normal: _row(arm, point, world_poses(arm)[0][-1] @ normal),
                    "The normal was read in the body's axes. It is given in the world, where the "
                    "surface is.",
                    ROW,
                ),
                Mistake(
                    "angular rows",
                    lambda arm, point, normal: point_jacobian(arm, arm.n - 1, point)[0].sum(axis=0),
                    "These are the rows of the angular velocity. What the surface stops is the "
                    "velocity of a point.",
                    ROW,
                ),
                Mistake(
                    "along the surface",
                    lambda arm, point, normal: _row(
                        arm, point, np.array([normal[1], -normal[0], 0.0])
                    ),
                    "This is the velocity along the surface. The normal points out of it.",
                    ROW,
                ),
            ),
        ),
        Task(
            "impact_impulse",
            Quantity("Λ", "N s"),
            _stated,
            _fresh,
            _impulse,
            draws=5,
            mistakes=(
                Mistake(
                    "where it separates",
                    lambda *meeting: _impulse_and_rates(*meeting, guarded=False)[0],
                    SEPARATES,
                    IMPULSE,
                ),
                Mistake(
                    "e on one term",
                    _when_closing(lambda v, W, arm, e: -e * v / W),
                    "Restitution multiplies the whole impulse here, so that e = 0 gives none. "
                    "The impulse first stops the approach and then adds the rebound: e stands in "
                    "one of two terms.",
                    IMPULSE,
                ),
                Mistake(
                    "no rebound",
                    _when_closing(lambda v, W, arm, e: -v / W),
                    "This impulse only stops the approach, for every e. What is asked for after "
                    "it is the velocity −e times the one before.",
                    IMPULSE,
                ),
                Mistake(
                    "restitution's sign",
                    _when_closing(lambda v, W, arm, e: -(1 - e) * v / W),
                    "With this impulse the endpoint keeps moving into the surface at e times its "
                    "speed. The rebound points the other way.",
                    IMPULSE,
                ),
                Mistake(
                    "total mass",
                    _when_closing(lambda v, W, arm, e: -(1 + e) * v * _mass(arm)),
                    "The arm's whole mass was stopped. What the endpoint feels is an effective "
                    "mass, one over J_n M⁻¹ J_nᵀ: the links turn about their joints.",
                    IMPULSE,
                ),
                Mistake(
                    "a force",
                    _as_a_force,
                    "This is a force in N: the reaction of a contact that lasts, from "
                    "accelerations. An impact changes velocities; its impulse is in N s and "
                    "knows neither gravity nor torques.",
                    IMPULSE,
                ),
            ),
        ),
        Task(
            "after_impact",
            (Quantity("q⁺", "rad", JOINTS), Quantity("q̇⁺", "rad/s", JOINTS)),
            _stated,
            _fresh,
            _after,
            draws=5,
            mistakes=(
                Mistake(
                    "q jumps too",
                    _moved_as_well,
                    "The angles jumped together with the rates. An impact takes no time, and in "
                    "no time nothing moves: q stays.",
                    IMPULSE,
                ),
                Mistake(
                    "no inertia",
                    _without_inertia,
                    "J_nᵀ Λ was added to the rates. It is a generalized impulse, in N m s: the "
                    "rates change by M⁻¹ of it.",
                    IMPULSE,
                ),
                Mistake(
                    "all rates reversed",
                    _all_rates_reversed,
                    "Every joint's rate was turned round and multiplied by e. Only the normal "
                    "velocity of the contact point is; the joints follow from M⁻¹ J_nᵀ Λ.",
                    IMPULSE,
                ),
                Mistake(
                    "where it separates",
                    lambda arm, *rest: (
                        np.array(arm.angles),
                        _impulse_and_rates(arm, *rest, guarded=False)[1],
                    ),
                    SEPARATES,
                    IMPULSE,
                ),
            ),
        ),
        Task(
            "impact_loss",
            Quantity("kinetic energy lost", "J"),
            _stated,
            _fresh,
            _lost,
            draws=5,
            mistakes=(
                Mistake(
                    "velocity before",
                    _when_closing(lambda v, W, arm, e: (1 + e) * v * v / W),
                    "This is the impulse times the velocity before. Its work takes the mean of "
                    "the velocities before and after.",
                    IMPULSE,
                ),
                Mistake(
                    "(1 − e) squared",
                    _when_closing(lambda v, W, arm, e: (1 - e) ** 2 * v * v / W / 2),
                    "(1 − e)² stands where the difference of two squares belongs, 1 − e².",
                    IMPULSE,
                ),
                Mistake(
                    "total mass",
                    _when_closing(lambda v, W, arm, e: (1 - e * e) * v * v * _mass(arm) / 2),
                    "The energy of a point with the arm's whole mass was taken. The arm's energy "
                    "is ½ q̇ᵀ M q̇, before and after.",
                    IMPULSE,
                ),
            ),
        ),
        Task(
            "lasting_contact",
            (Quantity("λ", "N"), Quantity("q̈", "rad/s²", JOINTS)),
            _stated_lasting,
            _fresh_lasting,
            _reaction,
            draws=5,
            mistakes=(
                Mistake(
                    "it pulls",
                    lambda *lasting: _reaction(*lasting, pulling=True),
                    "A negative reaction was accepted: this surface pulls. Where the endpoint "
                    "would lift off the reaction is zero, and the arm moves freely.",
                    LASTS,
                ),
                Mistake(
                    "no J̇ q̇",
                    lambda *lasting: _reaction(*lasting, rate=False),
                    "J_n q̈ was held at zero. The endpoint's normal acceleration is "
                    "J_n q̈ + J̇_n q̇: on a turning arm the second term is not zero.",
                    LASTS,
                ),
                Mistake(
                    "no gravity",
                    lambda *lasting: _reaction(*lasting, gravity=0.0),
                    "Gravity does not press here. It may be left out of an impact, which takes "
                    "no time; a contact that lasts carries weight.",
                    LASTS,
                ),
            ),
        ),
    ),
)
