"""The biped on its right foot, for exercise 13: inputs, and motion by another route.

Rows and their rates come from the complex step and held motions from a null space (`held`), M and
h from Jacobians of the centres of mass.  What the foot does is found by trying every hypothesis.
"""

import numpy as np

from ..kinematics import base_pose, world_point, world_poses
from ..lagrange import kinetic_mass_matrix, projected_bias
from ..models import planar_biped, rotation_about
from .held import STEP, held, moved, point_rows, rows_rate
from .routes import random_vector

PLANE = np.eye(3)[:2]
FOOT = 1
RATES, TORQUE = (0.5, -0.3, 0.4, 0.2), (-20.0, 30.0, -10.0, 5.0)
# right hip and knee: the held foot is outside its cone twice, then pulls; it lifts, slides, slides
HIP_AND_KNEE = ((-16.0, -20.0), (70.0, 25.0), (75.0, 20.0))


def stance(tree, rates, spin):
    return dict(tree=tree, rates=np.array(rates), spin=spin, point=np.array([0.4, 0.0, 0.0]))


def stated_stance():
    return stance(planar_biped(), RATES, 0.1)


def fresh_stance(rng):
    pose = dict(rotation=rotation_about("z", rng.uniform(1.0, 2.2)))
    tree = planar_biped().at(random_vector(rng, 4, 0.2, 0.7), **pose)
    spin = float(random_vector(rng, 1, 0.3, 1.0)[0])
    return stance(tree, random_vector(rng, 4, 0.3, 1.5), spin)


def case(stance, torque):
    return dict(
        tree=stance["tree"],
        base_velocity=resting(**stance),
        rates=stance["rates"],
        torque=np.array(torque),
        point=stance["point"],
    )


def stated_cases():
    return [case(stated_stance(), sign * np.array(TORQUE)) for sign in (1, -1)]


def fresh_case(rng):
    return case(fresh_stance(rng), random_vector(rng, 4, 5.0, 40.0))


def stated_motions():
    more = [case(stated_stance(), (*right, *TORQUE[2:])) for right in HIP_AND_KNEE]
    return [dict(**given, friction=0.6) for given in (*stated_cases(), *more)]


def fresh_motion(rng):
    """A case that has one answer: now and then a foot could as well stick as lift."""
    while True:
        drawn = case(fresh_stance(rng), random_vector(rng, 4, 5.0, 60.0))
        drawn["friction"] = float(rng.uniform(0.2, 0.6))
        if len(list(possible(**drawn))) == 1:
            return drawn


def stated_measured():
    return dict(**stated_cases()[0], force=np.array([30.0, 580.0]))


def fresh_measured(rng):
    force = np.array([rng.uniform(20, 90), rng.uniform(200, 600)])
    return dict(**fresh_case(rng), force=force)


def stated_forces():
    forces = [standing(**case)[1] for case in stated_cases()]
    forces += [np.array([-300.0, 400.0]), np.array([63.0, 100.0]), np.array([20.0, -100.0])]
    return [dict(force=force, friction=0.6) for force in forces]


def fresh_force(rng):
    force = np.array([random_vector(rng, 1, 5, 90)[0], rng.uniform(-40, 120)])
    return dict(force=force, friction=float(rng.uniform(0.4, 0.9)))


def stated_contacts():
    toe, knee = (1, (0.4, 0.0, 0.0)), (1, (0.0, 0.0, 0.0))
    sets = [[toe], [toe, knee], [toe, (3, (0.4, 0.0, 0.0))]]
    return [dict(tree=planar_biped(), contacts=contacts) for contacts in sets]


def fresh_contacts(rng):
    body, x = int(rng.integers(0, 4)), rng.uniform(0.1, 0.3, 2)
    one, other = (body, (float(x[0]), 0.0, 0.0)), (body, (float(x[1]), 0.04, 0.0))
    third = ((body + 2) % 4, (0.2, 0.0, 0.0))
    return dict(tree=fresh_stance(rng)["tree"], contacts=[one, other, third])


def resting(tree, rates, spin, point, turned=True, spinning=1.0):
    """The base's velocity (6,) that leaves the foot at rest."""
    start = np.concatenate([[0, 0, spinning * spin, 0, 0, 0], rates])
    slip = world_point(moved(tree, start), FOOT, point).imag / STEP
    R = base_pose(tree)[0] if turned else np.eye(3)
    return np.concatenate([[0, 0, spin], -R.T @ slip])


def equations(tree, base_velocity, rates, torque, gravity=(0, -9.81, 0)):
    """M and the force side of the motion without contact, root first."""
    h = projected_bias(tree, rates, gravity, base_velocity)
    return kinetic_mass_matrix(tree), np.concatenate([np.zeros(6), torque]) - h


def contact(tree, base_velocity, rates, point):
    """The foot's two rows and their rate."""
    nu = np.concatenate([base_velocity, rates])
    rows = point_rows(tree, FOOT, point, PLANE)
    return rows, rows_rate(tree, nu, FOOT, point, PLANE)


def standing(tree, base_velocity, rates, torque, point, rate=1.0, **gravity):
    """ν̇ and λ with the foot held."""
    M, force = equations(tree, base_velocity, rates, torque, **gravity)
    J, b = contact(tree, base_velocity, rates, point)
    return held(M, force, J, rate * b)


def base_fixed(tree, base_velocity, rates, torque, point):
    M, force = equations(tree, base_velocity, rates, torque)
    J, b = contact(tree, base_velocity, rates, point)
    joints, reaction = held(M[6:, 6:], force[6:], J[:, 6:], b)
    return np.concatenate([np.zeros(6), joints]), reaction


def in_the_air(tree, base_velocity, rates, torque, point):
    return np.linalg.solve(*equations(tree, base_velocity, rates, torque)), np.zeros(2)


def torque_on_root(tree, base_velocity, rates, torque, point):
    M, force = equations(tree, base_velocity, rates, 0 * torque)
    force = force + np.concatenate([torque, np.zeros(6)])
    return held(M, force, *contact(tree, base_velocity, rates, point))


def measured(tree, base_velocity, rates, torque, point, force):
    """ν̇ under a known force on the foot."""
    M, free = equations(tree, base_velocity, rates, torque)
    return np.linalg.solve(M, free + point_rows(tree, FOOT, point, PLANE).T @ force)


def in_foot_axes(tree, base_velocity, rates, torque, point, force):
    force = (world_poses(tree)[0][FOOT] @ np.append(force, 0.0))[:2]
    return measured(tree, base_velocity, rates, torque, point, force)


def rank(tree, contacts):
    rows = np.vstack([point_rows(tree, body, point, PLANE) for body, point in contacts])
    return int((np.linalg.eigvalsh(rows @ rows.T) > 1e-9).sum())


def sliding(tree, base_velocity, rates, torque, point, slope):
    """ν̇ and λ = λ_n (slope, 1) of a foot that keeps its height, by one bordered solve."""
    M, force = equations(tree, base_velocity, rates, torque)
    J, b = contact(tree, base_velocity, rates, point)
    edge = np.array([slope, 1.0])
    bordered = np.block([[M, -(edge @ J)[:, None]], [J[1:], np.zeros((1, 1))]])
    *nu_dot, pressing = np.linalg.solve(bordered, np.append(force, -b[1]))
    return np.array(nu_dot), pressing * edge


def possible(tree, base_velocity, rates, torque, point, friction):
    """(word, ν̇, λ) of every hypothesis that breaks no condition: stick, lift, slide either way."""
    given = tree, base_velocity, rates, torque, point
    J, b = contact(tree, base_velocity, rates, point)
    nu_dot, force = standing(*given)
    if abs(force[0]) <= friction * force[1]:
        yield "sticks", nu_dot, force
    nu_dot, force = in_the_air(*given)
    if (J @ nu_dot + b)[1] > 0:
        yield "lifts", nu_dot, force
    for slope in (friction, -friction):
        nu_dot, force = sliding(*given, slope)
        if force[1] >= 0 and slope * (J @ nu_dot + b)[0] <= 0:  # it pushes, against the slip
            yield "slides", nu_dot, force


def motion(*given):
    """What happens: the first hypothesis that breaks no condition."""
    return next(possible(*given))


def named_by_the_rejected_force(*given):
    """The foot slides when the held force is outside its cone and lifts when that pulls."""
    nu_dot, force = standing(*given[:-1])
    if force[1] < 0:
        return "lifts", *in_the_air(*given[:-1])
    if abs(force[0]) <= given[-1] * force[1]:
        return "sticks", nu_dot, force
    return "slides", *sliding(*given[:-1], given[-1] * np.sign(force[0]))


def slid_otherwise(replaced):
    """The mistake that takes `replaced(*given)` for a slide, and is right otherwise."""

    def wrong(*given):
        right = motion(*given)
        return ("slides", *replaced(*given)) if right[0] == "slides" else right

    return wrong


def cut_down(*given):
    """The held force, its part along the ground cut down to the edge of the cone."""
    across, pressing = standing(*given[:-1])[1]
    force = pressing * np.array([np.sign(across) * given[-1], 1.0])
    return measured(*given[:-1], force), force


def along_the_slip(*given):
    return sliding(*given[:-1], -given[-1] * np.sign(motion(*given)[2][0]))
