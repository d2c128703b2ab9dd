"""Exercise 13, a foot on the ground: root and contact equations together, then the judgement."""

import numpy as np

from . import stance as foot
from .task import Exercise, Mistake, Quantity, Task

ROOT = '"Contact Does Not Automatically Fix the Base"'
CONE = '"Friction and Contact Wrenches"'
MEASURED = '"Root Equation With a Known Applied Wrench"'
BASE = ("ω_x", "ω_y", "ω_z", "v_x", "v_y", "v_z")
NU_DOT = Quantity("ν̇", "rad/s², m/s²", (*BASE, "right hip", "right knee", "left hip", "left knee"))
REACTION = Quantity("λ", "N", ("along the ground", "normal"))


def _judged(force, friction):
    """By the angle between force and normal."""
    across, pressing = force
    if pressing < 0:
        return "pulls"
    inside = np.arctan2(abs(across), pressing) <= np.arctan(friction)
    return "admissible" if inside else "outside"


def _compared(along, pressing):
    """The mistake that compares `along(force)` with μ times `pressing(force)`."""

    def wrong(force, friction):
        if force[1] < 0:
            return "pulls"
        return "admissible" if along(force) <= friction * pressing(force) else "outside"

    return wrong


def _mistakes(read, *listed):
    return tuple(Mistake(name, wrong, says, read) for name, wrong, says in listed)


EXERCISE = Exercise(
    "ex13_humanoid_contact",
    "Humanoid contact",
    "solve root and contact together, and reject a reaction that no ground can supply",
    minutes=70,
    tasks=(
        Task(
            "resting_base",
            Quantity("base velocity", "rad/s, m/s", BASE),
            foot.stated_stance,
            foot.fresh_stance,
            foot.resting,
            mistakes=_mistakes(
                ROOT,
                (
                    "world axes",
                    lambda *stance: foot.resting(*stance, turned=False),
                    "The linear velocity is given in the world's axes. A floating base's velocity "
                    "is in its own.",
                ),
                (
                    "base at rest",
                    lambda tree, rates, spin, point: np.array([0, 0, spin, 0, 0, 0]),
                    "The base only turns here, so the foot slips away under it.",
                ),
                (
                    "spin left out",
                    lambda *stance: foot.resting(*stance, spinning=0.0),
                    "The foot's velocity was taken from the joint rates alone. The base's own "
                    "turning moves the foot as well.",
                ),
            ),
        ),
        Task(
            "held_foot",
            (NU_DOT, REACTION),
            foot.stated_cases,
            foot.fresh_case,
            foot.standing,
            mistakes=_mistakes(
                ROOT,
                (
                    "base held fixed",
                    foot.base_fixed,
                    "The base was held fixed while the foot stands. Contact fixes the foot, not "
                    "the base: the root has its own six equations, and the foot's force enters "
                    "them.",
                ),
                (
                    "in the air",
                    foot.in_the_air,
                    "This is the motion without contact, and no reaction.",
                ),
                (
                    "no J̇ ν",
                    lambda *case: foot.standing(*case, rate=0.0),
                    "J ν̇ was held at zero. The foot's acceleration is J ν̇ + J̇ ν.",
                ),
                (
                    "no gravity",
                    lambda *case: foot.standing(*case, gravity=(0, 0, 0)),
                    "Gravity is missing from the bias: the ground carries no weight here.",
                ),
                (
                    "torques on the root",
                    foot.torque_on_root,
                    "The joint torques were put into the root's equations. Nothing drives the "
                    "root: its six entries are zero, the joints' come after them.",
                ),
            ),
        ),
        Task(
            "foot_verdict",
            Quantity("verdict"),
            foot.stated_forces,
            foot.fresh_force,
            _judged,
            draws=12,
            mistakes=_mistakes(
                CONE,
                (
                    "a pull accepted",
                    lambda force, friction: _judged(np.abs(force), friction),
                    "A negative normal force was accepted: the ground pulls at the foot. No cone "
                    "needs to be looked at then.",
                ),
                (
                    "total force",
                    _compared(np.linalg.norm, lambda force: force[1]),
                    "The whole force was compared with μ λ_n. The bound is on its part along the "
                    "ground.",
                ),
                (
                    "beside the total",
                    _compared(lambda force: abs(force[0]), np.linalg.norm),
                    "The part along the ground was compared with μ times the whole force. The "
                    "bound is μ times the normal part.",
                ),
                (
                    "one side",
                    _compared(lambda force: force[0], lambda force: force[1]),
                    "Only one side of the cone was looked at: a force along the ground may point "
                    "either way, take its size.",
                ),
            ),
        ),
        Task(
            "foot_motion",
            (Quantity("word"), NU_DOT, REACTION),
            foot.stated_motions,
            foot.fresh_motion,
            foot.motion,
            mistakes=_mistakes(
                CONE,
                (
                    "rejected force kept",
                    lambda *given: ("sticks", *foot.standing(*given[:-1])),
                    "The foot was held whatever it takes: a ground that pulls, or that holds a "
                    "foot outside the cone. A rejected force is no force; solve again without it.",
                ),
                (
                    "named by the rejected force",
                    foot.named_by_the_rejected_force,
                    "A force outside the cone was taken for sliding and a pull for lifting. The "
                    "rejected force says only that the foot does not stick: drop the contact and "
                    "see whether the foot leaves the ground or enters it.",
                ),
                (
                    "cut down to the cone",
                    foot.slid_otherwise(foot.cut_down),
                    "The rejected force was cut down to the edge of the cone, and its normal part "
                    "kept. Then the foot leaves the ground or enters it: λ_n is unknown again.",
                ),
                (
                    "friction along the slip",
                    foot.slid_otherwise(foot.along_the_slip),
                    "Friction pushes the foot along its slip here. It points against it, the same "
                    "way as the rejected force.",
                ),
                (
                    "no friction",
                    foot.slid_otherwise(lambda *given: foot.sliding(*given[:-1], 0.0)),
                    "The foot slides without friction here. A sliding foot is at the edge of its "
                    "cone: λ_t has the size μ λ_n.",
                ),
            ),
        ),
        Task(
            "contact_rank",
            Quantity("rank"),
            foot.stated_contacts,
            foot.fresh_contacts,
            foot.rank,
            mistakes=_mistakes(
                ROOT,
                (
                    "number of rows",
                    lambda tree, contacts: 2 * len(contacts),
                    "This counts rows. Two points of one rigid body share a row: their distance "
                    "cannot change anyway.",
                ),
            ),
        ),
        Task(
            "measured_foot",
            NU_DOT,
            foot.stated_measured,
            foot.fresh_measured,
            foot.measured,
            mistakes=_mistakes(
                MEASURED,
                (
                    "foot axes",
                    foot.in_foot_axes,
                    "The force was read in the foot's axes. A force plate measures in the world.",
                ),
                (
                    "at the knee",
                    lambda tree, v0, rates, torque, point, force: foot.measured(
                        tree, v0, rates, torque, 0 * point, force
                    ),
                    "The force acts at the origin of the shank's frame, the knee. It was measured "
                    "under the foot.",
                ),
                (
                    "held as well",
                    lambda *case: foot.standing(*case[:-1])[0],
                    "The foot was held at rest as well. A measured force takes the place of the "
                    "contact equation; with both, one of them is ignored.",
                ),
                (
                    "sign",
                    lambda *case: foot.measured(*case[:-1], -case[-1]),
                    "The force has the wrong sign: this is what the foot does to the plate.",
                ),
            ),
        ),
    ),
)
