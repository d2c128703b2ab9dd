"""Exercise 13, a foot on the ground: root and contact equations together, then the judgement."""

import numpy as np

from ..kinematics import base_pose, world_point, world_poses
from ..lagrange import kinetic_mass_matrix, projected_bias
from ..models import planar_biped, rotation_about
from .held import STEP, held, moved, point_rows, rows_rate
from .routes import random_vector
from .task import Exercise, Mistake, Quantity, Task

ROOT = '"Contact Does Not Automatically Fix the Base"'
CONE = '"Friction and Contact Wrenches"'
MEASURED = '"Root Equation With a Known Applied Wrench"'
BASE = ("ω_x", "ω_y", "ω_z", "v_x", "v_y", "v_z")
NU = (*BASE, "right hip", "right knee", "left hip", "left knee")
PLANE = np.eye(3)[:2]
FOOT = 1
RATES, TORQUE = (0.5, -0.3, 0.4, 0.2), (-20.0, 30.0, -10.0, 5.0)


def _stance(tree, rates, spin):
    return dict(tree=tree, rates=np.array(rates), spin=spin, point=np.array([0.4, 0.0, 0.0]))


def _stated_stance():
    return _stance(planar_biped(), RATES, 0.1)


def _fresh_stance(rng):
    pose = dict(rotation=rotation_about("z", rng.uniform(1.0, 2.2)))
    tree = planar_biped().at(random_vector(rng, 4, 0.2, 0.7), **pose)
    spin = float(random_vector(rng, 1, 0.3, 1.0)[0])
    return _stance(tree, random_vector(rng, 4, 0.3, 1.5), spin)


def _held_case(stance, torque):
    return dict(
        tree=stance["tree"],
        base_velocity=_base(**stance),
        rates=stance["rates"],
        torque=np.array(torque),
        point=stance["point"],
    )


def _stated_held():
    return [_held_case(_stated_stance(), sign * np.array(TORQUE)) for sign in (1, -1)]


def _fresh_held(rng):
    return _held_case(_fresh_stance(rng), random_vector(rng, 4, 5.0, 40.0))


def _stated_measured():
    return dict(**_stated_held()[0], force=np.array([30.0, 580.0]))


def _fresh_measured(rng):
    return dict(**_fresh_held(rng), force=np.array([rng.uniform(20, 90), rng.uniform(200, 600)]))


def _stated_forces():
    forces = [_held(**case)[1] for case in _stated_held()]
    forces += [np.array([-300.0, 400.0]), np.array([63.0, 100.0]), np.array([20.0, -100.0])]
    return [dict(force=force, friction=0.6) for force in forces]


def _fresh_force(rng):
    force = np.array([random_vector(rng, 1, 5, 90)[0], rng.uniform(20, 120)])
    return dict(force=force, friction=float(rng.uniform(0.4, 0.9)))


def _stated_contacts():
    toe, knee = (1, (0.4, 0.0, 0.0)), (1, (0.0, 0.0, 0.0))
    sets = [[toe], [toe, knee], [toe, (3, (0.4, 0.0, 0.0))]]
    return [dict(tree=planar_biped(), contacts=contacts) for contacts in sets]


def _fresh_contacts(rng):
    body, x = int(rng.integers(0, 4)), rng.uniform(0.1, 0.3, 2)
    one, other = (body, (float(x[0]), 0.0, 0.0)), (body, (float(x[1]), 0.04, 0.0))
    third = ((body + 2) % 4, (0.2, 0.0, 0.0))
    return dict(tree=_fresh_stance(rng)["tree"], contacts=[one, other, third])


def _base(tree, rates, spin, point, turned=True, spinning=1.0):
    start = np.concatenate([[0, 0, spinning * spin, 0, 0, 0], rates])
    slip = world_point(moved(tree, start), FOOT, point).imag / STEP
    R = base_pose(tree)[0] if turned else np.eye(3)
    return np.concatenate([[0, 0, spin], -R.T @ slip])


def _equations(tree, base_velocity, rates, torque, gravity=(0, -9.81, 0)):
    """M and the force side of the motion without contact, root first."""
    h = projected_bias(tree, rates, gravity, base_velocity)
    return kinetic_mass_matrix(tree), np.concatenate([np.zeros(6), torque]) - h


def _contact(tree, base_velocity, rates, point):
    nu = np.concatenate([base_velocity, rates])
    rows = point_rows(tree, FOOT, point, PLANE)
    return rows, rows_rate(tree, nu, FOOT, point, PLANE)


def _held(tree, base_velocity, rates, torque, point, rate=1.0, **gravity):
    M, force = _equations(tree, base_velocity, rates, torque, **gravity)
    J, b = _contact(tree, base_velocity, rates, point)
    return held(M, force, J, rate * b)


def _base_fixed(tree, base_velocity, rates, torque, point):
    M, force = _equations(tree, base_velocity, rates, torque)
    J, b = _contact(tree, base_velocity, rates, point)
    joints, reaction = held(M[6:, 6:], force[6:], J[:, 6:], b)
    return np.concatenate([np.zeros(6), joints]), reaction


def _in_the_air(tree, base_velocity, rates, torque, point):
    M, force = _equations(tree, base_velocity, rates, torque)
    return np.linalg.solve(M, force), np.zeros(2)


def _torque_on_root(tree, base_velocity, rates, torque, point):
    M, force = _equations(tree, base_velocity, rates, 0 * torque)
    force = force + np.concatenate([torque, np.zeros(6)])
    return held(M, force, *_contact(tree, base_velocity, rates, point))


def _measured(tree, base_velocity, rates, torque, point, force):
    M, free = _equations(tree, base_velocity, rates, torque)
    return np.linalg.solve(M, free + point_rows(tree, FOOT, point, PLANE).T @ force)


def _in_foot_axes(tree, base_velocity, rates, torque, point, force):
    force = (world_poses(tree)[0][FOOT] @ np.append(force, 0.0))[:2]
    return _measured(tree, base_velocity, rates, torque, point, force)


def _judged(force, friction):
    """By the angle between force and normal."""
    across, pressing = force
    if pressing < 0:
        return "opens"
    return "sticks" if np.arctan2(abs(across), pressing) <= np.arctan(friction) else "slides"


def _rank(tree, contacts):
    rows = np.vstack([point_rows(tree, body, point, PLANE) for body, point in contacts])
    return int((np.linalg.eigvalsh(rows @ rows.T) > 1e-9).sum())


EXERCISE = Exercise(
    "ex13_humanoid_contact",
    "Humanoid contact",
    "solve root and contact together, and reject a reaction that no ground can supply",
    minutes=70,
    tasks=(
        Task(
            "resting_base",
            Quantity("base velocity", "rad/s, m/s", BASE),
            _stated_stance,
            _fresh_stance,
            _base,
            mistakes=(
                Mistake(
                    "world axes",
                    lambda *stance: _base(*stance, turned=False),
                    "The linear velocity is given in the world's axes. A floating base's velocity "
                    "is in its own.",
                    ROOT,
                ),
                Mistake(
                    "base at rest",
                    lambda tree, rates, spin, point: np.array([0, 0, spin, 0, 0, 0]),
                    "The base only turns here, so the foot slips away under it.",
                    ROOT,
                ),
                Mistake(
                    "spin left out",
                    lambda *stance: _base(*stance, spinning=0.0),
                    "The foot's velocity was taken from the joint rates alone. The base's own "
                    "turning moves the foot as well.",
                    ROOT,
                ),
            ),
        ),
        Task(
            "held_foot",
            (
                Quantity("ν̇", "rad/s², m/s²", NU),
                Quantity("λ", "N", ("along the ground", "normal")),
            ),
            _stated_held,
            _fresh_held,
            _held,
            mistakes=(
                Mistake(
                    "base held fixed",
                    _base_fixed,
                    "The base was held fixed while the foot stands. Contact fixes the foot, not "
                    "the base: the root has its own six equations, and the foot's force enters "
                    "them.",
                    ROOT,
                ),
                Mistake(
                    "in the air",
                    _in_the_air,
                    "This is the motion without contact, and no reaction.",
                    ROOT,
                ),
                Mistake(
                    "no J̇ ν",
                    lambda *case: _held(*case, rate=0.0),
                    "J ν̇ was held at zero. The foot's acceleration is J ν̇ + J̇ ν.",
                    ROOT,
                ),
                Mistake(
                    "no gravity",
                    lambda *case: _held(*case, gravity=(0, 0, 0)),
                    "Gravity is missing from the bias: the ground carries no weight here.",
                    ROOT,
                ),
                Mistake(
                    "torques on the root",
                    _torque_on_root,
                    "The joint torques were put into the root's equations. Nothing drives the "
                    "root: its six entries are zero, the joints' come after them.",
                    ROOT,
                ),
            ),
        ),
        Task(
            "foot_verdict",
            Quantity("verdict"),
            _stated_forces,
            _fresh_force,
            _judged,
            draws=12,
            mistakes=(
                Mistake(
                    "a pull accepted",
                    lambda force, friction: _judged(np.abs(force), friction),
                    "A negative normal force was accepted: the ground pulls at the foot. No cone "
                    "needs to be looked at then; the foot opens.",
                    CONE,
                ),
                Mistake(
                    "total force",
                    lambda force, friction: (
                        "opens"
                        if force[1] < 0
                        else "sticks"
                        if np.linalg.norm(force) <= friction * force[1]
                        else "slides"
                    ),
                    "The whole force was compared with μ λ_n. The bound is on its part along the "
                    "ground.",
                    CONE,
                ),
                Mistake(
                    "beside the total",
                    lambda force, friction: (
                        "opens"
                        if force[1] < 0
                        else "sticks"
                        if abs(force[0]) <= friction * np.linalg.norm(force)
                        else "slides"
                    ),
                    "The part along the ground was compared with μ times the whole force. The "
                    "bound is μ times the normal part.",
                    CONE,
                ),
                Mistake(
                    "one side",
                    lambda force, friction: (
                        "opens"
                        if force[1] < 0
                        else "sticks"
                        if force[0] <= friction * force[1]
                        else "slides"
                    ),
                    "Only one side of the cone was looked at: a force along the ground may point "
                    "either way, take its size.",
                    CONE,
                ),
            ),
        ),
        Task(
            "contact_rank",
            Quantity("rank"),
            _stated_contacts,
            _fresh_contacts,
            _rank,
            mistakes=(
                Mistake(
                    "number of rows",
                    lambda tree, contacts: 2 * len(contacts),
                    "This counts rows. Two points of one rigid body share a row: their distance "
                    "cannot change anyway.",
                    ROOT,
                ),
            ),
        ),
        Task(
            "measured_foot",
            Quantity("ν̇", "rad/s², m/s²", NU),
            _stated_measured,
            _fresh_measured,
            _measured,
            mistakes=(
                Mistake(
                    "foot axes",
                    _in_foot_axes,
                    "The force was read in the foot's axes. A force plate measures in the world.",
                    MEASURED,
                ),
                Mistake(
                    "at the knee",
                    lambda tree, v0, rates, torque, point, force: _measured(
                        tree, v0, rates, torque, 0 * point, force
                    ),
                    "The force acts at the origin of the shank's frame, the knee. It was measured "
                    "under the foot.",
                    MEASURED,
                ),
                Mistake(
                    "held as well",
                    lambda *case: _held(*case[:-1])[0],
                    "The foot was held at rest as well. A measured force takes the place of the "
                    "contact equation; with both, one of them is ignored.",
                    MEASURED,
                ),
                Mistake(
                    "sign",
                    lambda *case: _measured(*case[:-1], -case[-1]),
                    "The force has the wrong sign: this is what the foot does to the plate.",
                    MEASURED,
                ),
            ),
        ),
    ),
)
