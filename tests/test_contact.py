"""Contact: rows against finite motion, impulses against the chapter's formula, laws and limits."""

import numpy as np
import pytest

from chapter_lib import (
    Body,
    ComplementarityError,
    DynamicsLoads,
    FootPatch,
    InfeasibleError,
    JointLimit,
    PointContact,
    Prismatic,
    Revolute,
    Tree,
    contact_rows,
    cylinder_chain,
    delassus,
    forward_dynamics,
    free_acceleration,
    friction_cone,
    generalized_velocity,
    impact,
    jacobian_rate,
    kinetic_energy,
    kinetic_mass_matrix,
    lcp,
    mass_matrix,
    normal_jacobian,
    planar_biped,
    point_jacobian,
    point_rate,
    projected_bias,
    rigid_inertia,
    sliding_contact,
    sliding_force,
    sticking_contact,
    sustained_contact,
    tangent_jacobian,
    tangents,
    world_wrench,
)
from chapter_lib.integrate import base_rate, posture, start

from . import mechanisms

STEP = 1e-30


def along_the_motion(tree, loads, h):
    """The tree a step h (imaginary too) along its own motion."""
    nu = generalized_velocity(tree, loads)
    q, _ = start(tree, loads.velocity, loads.base_velocity if tree.floating else None)
    return posture(tree, q + h * (base_rate(q, nu) if tree.floating else nu))


@pytest.fixture
def two_links():
    return cylinder_chain([0.4, 0.3], [2.0, 1.2], [0.4, -0.7], 0.025)


@pytest.fixture
def pad(two_links):
    return PointContact.closed_at(two_links, 1, (0.3, 0, 0))


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_rows_and_their_rate_by_complex_step(seed, floating):
    rng = np.random.default_rng(seed)
    tree = mechanisms.random_tree(rng, 6, floating)
    loads = mechanisms.random_loads(rng, tree).on(tree)
    body = int(rng.integers(-1 if floating else 0, 6))
    point, normal = rng.normal(size=3), np.array([0.6, 0.0, -0.8])
    contact = PointContact(body, point, normal, offset=0.3)
    nu = generalized_velocity(tree, loads)
    moved = along_the_motion(tree, loads, 1j * STEP)
    row = contact.jacobian(tree)
    np.testing.assert_allclose(row, normal_jacobian(tree, body, point, normal))
    assert row @ nu == pytest.approx(contact.gap(moved).imag / STEP, rel=1e-11, abs=1e-12)
    rate = point_jacobian(moved, body, point)[1].imag @ nu / STEP
    np.testing.assert_allclose(point_rate(tree, loads, body, point), rate, rtol=1e-11, atol=1e-11)
    assert contact.jacobian_rate(tree, loads) == pytest.approx(normal @ rate, abs=1e-11)
    across = tangent_jacobian(tree, body, point, normal)
    frame = np.vstack([normal, tangents(normal)])
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(np.vstack([row, across]), frame @ contact.rows(tree), atol=1e-14)
    several = jacobian_rate(tree, loads, body, point, frame)
    np.testing.assert_allclose(several, frame @ rate, atol=1e-10)


def test_contact_between_two_bodies_of_the_tree():
    rng = np.random.default_rng(3)
    tree = mechanisms.random_tree(rng, 5, True)
    loads = mechanisms.random_loads(rng, tree).on(tree)
    contact = PointContact(4, rng.normal(size=3), (0, 0, 1), against=(2, rng.normal(size=3)))
    moved = along_the_motion(tree, loads, 1j * STEP)
    nu = generalized_velocity(tree, loads)
    assert contact.jacobian(tree) @ nu == pytest.approx(contact.gap(moved).imag / STEP, rel=1e-11)
    rate = contact.jacobian(moved).imag @ nu / STEP
    assert contact.jacobian_rate(tree, loads) == pytest.approx(rate, rel=1e-10)


def test_products_of_the_inverse_mass_matrix():
    rng = np.random.default_rng(5)
    for floating in (False, True):
        tree = mechanisms.random_tree(rng, 6, floating)
        contacts = [PointContact(i, rng.normal(size=3)) for i in (1, 4)] + [JointLimit(2, 1.0)]
        J = contact_rows(tree, contacts)
        W, response = delassus(tree, J)
        expected = np.linalg.solve(kinetic_mass_matrix(tree), J.T)
        np.testing.assert_allclose(response, expected, rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(W, J @ expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_the_impulse_of_the_chapter(two_links, pad, e):
    before = np.array([-0.8, -0.5])
    hit = impact(two_links, pad, before, e)
    M = kinetic_mass_matrix(two_links)
    J = point_jacobian(two_links, 1, (0.3, 0, 0))[1][1]
    expected = -(1 + e) * (J @ before) / (J @ np.linalg.solve(M, J))
    assert hit.impulse[0] == pytest.approx(expected, rel=1e-12) and expected > 0
    np.testing.assert_allclose(M @ (hit.velocity - before), J * expected, rtol=1e-10)
    assert hit.departure[0] == pytest.approx(-e * hit.approach[0], abs=1e-14)
    energy = [kinetic_energy(two_links, DynamicsLoads(v)) for v in (before, hit.velocity)]
    assert hit.energy_lost == pytest.approx(energy[0] - energy[1], abs=1e-13)


def test_a_separating_contact_gets_no_impulse(two_links, pad):
    hit = impact(two_links, pad, [0.8, 0.5], 0.5)
    assert hit.impulse[0] == 0 and hit.energy_lost == 0
    np.testing.assert_array_equal(hit.velocity, [0.8, 0.5])


def test_a_doubled_row_changes_nothing_but_the_sharing(two_links, pad):
    one = impact(two_links, pad, [-0.8, -0.5])
    two = impact(two_links, [pad, pad], [-0.8, -0.5])
    np.testing.assert_allclose(two.velocity, one.velocity, rtol=1e-12)
    assert two.impulse.sum() == pytest.approx(one.impulse[0], rel=1e-12)
    assert one.unique and not two.unique


@pytest.mark.parametrize("seed", range(12))
def test_several_contacts_are_one_problem(seed):
    rng = np.random.default_rng(seed)
    tree = mechanisms.random_tree(rng, 5, floating=bool(seed % 2))
    contacts = [
        PointContact.closed_at(tree, i, rng.normal(size=3), n)
        for i, n in ((1, (1, 0, 0)), (3, (0, 1, 0)), (4, (0, 0.6, 0.8)))
    ] + [JointLimit(2, tree.angles[2])]
    J, M = contact_rows(tree, contacts), kinetic_mass_matrix(tree)
    nu = rng.normal(size=len(M))
    if seed < 6:  # all of them closing
        nu -= np.linalg.pinv(J) @ (J @ nu + rng.uniform(0.5, 2, 4))
    e = rng.uniform(0, 1)
    hit = impact(tree, contacts, nu, e)
    np.testing.assert_allclose(M @ (hit.velocity - nu), J.T @ hit.impulse, atol=1e-10)
    excess = J @ hit.velocity - e * np.maximum(0, -(J @ nu))
    assert hit.impulse.min() >= 0 and excess.min() > -1e-9
    assert np.abs(hit.impulse * excess).max() < 1e-8
    energy = nu @ M @ nu / 2 - hit.velocity @ M @ hit.velocity / 2
    assert hit.energy_lost == pytest.approx(energy, abs=1e-10)
    inelastic = impact(tree, contacts, nu)
    assert inelastic.energy_lost >= -1e-12
    if seed < 6:
        assert hit.energy_lost >= -1e-12
        apart = [impact(tree, c, nu, e).impulse[0] for c in contacts]
        assert np.abs(hit.impulse - apart).max() > 1e-6  # not the scalar formula, one by one


def test_a_contact_that_is_open_or_moving_is_refused(two_links, pad):
    opened = PointContact(1, (0.3, 0, 0), offset=pad.offset - 0.01)
    with pytest.raises(ValueError, match="open by 0.01"):
        impact(two_links, opened, [-0.8, -0.5])
    for velocity, what in (([-0.8, -0.5], "impact first"), ([0.8, 0.5], "separates")):
        with pytest.raises(ValueError, match=what):
            sustained_contact(two_links, DynamicsLoads(velocity), pad)
    with pytest.raises(ValueError, match="restitution"):
        impact(two_links, pad, [-0.8, -0.5], 1.5)
    with pytest.raises(ValueError, match="length 1"):
        PointContact(1, normal=(0, 2, 0))


def test_a_stretched_limb_is_not_stopped_along_itself_by_rounding():
    tree = cylinder_chain([0.4, 0.3], [2.0, 1.2], [-np.pi / 2, 0.0], 0.025)
    pad = PointContact.closed_at(tree, 1, (0.3, 0, 0))
    hit = impact(tree, pad, [0.3, -0.2])
    np.testing.assert_array_equal(hit.velocity, [0.3, -0.2])
    # spinning, its tip needs a centripetal pull from above that no push at the tip can replace
    under = PointContact.closed_at(tree, 1, (0.3, 0, 0), (0, -1, 0))
    with pytest.raises(InfeasibleError):
        sustained_contact(tree, DynamicsLoads([0.3, 0.0]), under)


@pytest.mark.parametrize("torque", [(0.0, 0.0), (4.0, -1.0), (30.0, 12.0)])
def test_sustained_contact_against_the_bordered_equations(two_links, pad, torque):
    after = impact(two_links, pad, [-0.8, -0.5]).velocity
    loads = DynamicsLoads(after, torque=torque)
    held = sustained_contact(two_links, loads, pad)
    M, h = kinetic_mass_matrix(two_links), projected_bias(two_links, after)
    moved = two_links.at(two_links.angles + 1j * STEP * after)
    J = point_jacobian(two_links, 1, (0.3, 0, 0))[1][1]
    rate = point_jacobian(moved, 1, (0.3, 0, 0))[1][1].imag @ after / STEP
    bordered = np.block([[M, -J[:, None]], [J[None], np.zeros((1, 1))]])
    *qdd, force = np.linalg.solve(bordered, np.concatenate([torque - h, [-rate]]))
    if force < 0:  # it would have to pull: the foot leaves
        qdd, force = np.linalg.solve(M, torque - h), 0.0
        assert held.normal_acceleration[0] > 0
    assert held.force[0] == pytest.approx(force, rel=1e-10)
    np.testing.assert_allclose(held.acceleration, qdd, rtol=1e-9)
    # the reaction put back as a known wrench gives the same accelerations
    wrench = np.zeros((2, 6))
    wrench[1] = world_wrench(two_links, 1, (0, force, 0), (0.3, 0, 0))
    again = forward_dynamics(two_links, DynamicsLoads(after, torque=torque, external=wrench))
    np.testing.assert_allclose(again.joint_acceleration, qdd, rtol=1e-9)


def test_an_impulse_is_not_a_reaction(two_links, pad):
    hit = impact(two_links, pad, [-0.8, -0.5])
    force = sustained_contact(two_links, DynamicsLoads(hit.velocity), pad).force
    assert hit.impulse[0] == pytest.approx(0.291259, abs=1e-6)  # N s
    assert force[0] == pytest.approx(4.951412, abs=1e-6)  # N


def test_jaws_that_squeeze_and_jaws_that_close():
    mass = rigid_inertia(1.0, np.zeros(3), 0.01 * np.eye(3))
    slider = Tree.build([Body(-1, Prismatic((0, 1, 0)), mass)])
    jaws = [PointContact(0, normal=(0, 1, 0)), PointContact(0, normal=(0, -1, 0))]
    held = sustained_contact(slider, DynamicsLoads([0.0]), jaws)
    assert held.force[0] - held.force[1] == pytest.approx(9.81)
    np.testing.assert_allclose(held.acceleration, 0, atol=1e-12)
    assert not held.unique  # squeezed as hard as one likes
    # jaws that both demand to be opened have no answer, however hard they push
    W, _ = delassus(slider, contact_rows(slider, jaws))
    with pytest.raises(InfeasibleError):
        lcp(W, [-1.0, -1.0])


def foot_at_rest(sign):
    """The biped standing on its right foot, thrown by its torques."""
    tree = planar_biped()
    qd = np.array([0.5, -0.3, 0.4, 0.2])
    foot = PointContact.closed_at(tree, 1, (0.4, 0, 0))
    J, v0 = foot.rows(tree), np.array([0, 0, 0.1, 0, 0, 0])
    v0[3:] = np.linalg.solve(J[:, 3:6], -(J[:, :3] @ v0[:3] + J[:, 6:] @ qd))
    torque = sign * np.array([-20.0, 30.0, -10.0, 5.0])
    return tree, DynamicsLoads(qd, torque=torque, base_velocity=v0), foot


@pytest.mark.parametrize(("sign", "admissible"), [(1, True), (-1, False)])
def test_root_and_foot_together(sign, admissible):
    tree, loads, foot = foot_at_rest(sign)
    held = sticking_contact(tree, loads, foot, 0.6)
    M = kinetic_mass_matrix(tree)
    h = projected_bias(tree, loads.velocity, base_velocity=loads.base_velocity)
    J = point_jacobian(tree, 1, (0.4, 0, 0))[1]
    moved = along_the_motion(tree, loads, 1j * STEP)
    rate = point_jacobian(moved, 1, (0.4, 0, 0))[1].imag @ generalized_velocity(tree, loads) / STEP
    tau = np.concatenate([np.zeros(6), loads.torque])
    bordered = np.block([[M, -J.T], [J, np.zeros((3, 3))]])
    answer = np.linalg.solve(bordered, np.concatenate([tau - h, -rate]))
    np.testing.assert_allclose(held.acceleration, answer[:10], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(held.force, answer[10:], rtol=1e-8, atol=1e-8)
    assert held.rank == 3 and held.admissible is admissible
    assert held.cone.compressive is admissible


def test_a_plane_arm_sticks_with_an_empty_third_row(two_links, pad):
    held = sticking_contact(two_links, DynamicsLoads([0.0, 0.0]), pad, 0.6)
    assert held.rank == 2 and held.force[2] == 0
    np.testing.assert_allclose(held.acceleration, 0, atol=1e-10)
    with pytest.raises(ValueError, match="does not stick"):
        sticking_contact(two_links, DynamicsLoads([0.1, 0.0]), pad, 0.6)


def test_the_cone_is_about_the_tangential_part():
    inside = friction_cone([5.9, 10, 0], (0, 1, 0), 0.6)
    outside = friction_cone([3.0, 10, 5.3], (0, 1, 0), 0.6)
    pulling = friction_cone([0, -10, 0], (0, 1, 0), 0.6)
    assert inside.inside and inside.margin == pytest.approx(0.1)
    assert outside.compressive and not outside.inside
    assert not pulling.compressive and not pulling.inside
    assert friction_cone([6, 10, 0], (0, 1, 0), 0.6).inside  # on the edge
    with pytest.raises(ValueError, match="negative"):
        friction_cone([0, 1, 0], (0, 1, 0), -0.1)


def test_sliding_opposes_slip_and_dissipates_most():
    slip = np.array([0.3, 0.0, -0.4])
    force = sliding_force(10.0, slip, 0.5)
    np.testing.assert_allclose(force, [-3, 0, 4])
    turn = np.linspace(0, 2 * np.pi, 100)
    others = 5 * np.stack([np.cos(turn), 0 * turn, np.sin(turn)], axis=1)
    assert force @ slip <= (others @ slip).min() + 1e-12
    with pytest.raises(ValueError, match="slip is zero"):
        sliding_force(10.0, np.zeros(3), 0.5)


def test_a_sliding_block_against_newton():
    I = rigid_inertia(2.0, np.zeros(3), 0.01 * np.eye(3))
    tiny = rigid_inertia(1e-9, np.zeros(3), 1e-9 * np.eye(3))
    block = Tree.build([Body(-1, Prismatic((1, 0, 0)), tiny), Body(0, Prismatic((0, 1, 0)), I)])
    floor = PointContact(1)
    slides = sliding_contact(block, DynamicsLoads([1.5, 0.0], torque=[3.0, 4.0]), floor, 0.3)
    pressing = 2 * 9.81 - 4
    np.testing.assert_allclose(slides.force, [-0.3 * pressing, pressing, 0], rtol=1e-8)
    np.testing.assert_allclose(slides.acceleration, [(3 - 0.3 * pressing) / 2, 0], atol=1e-7)
    lifted = sliding_contact(block, DynamicsLoads([1.5, 0.0], torque=[0.0, 30.0]), floor, 0.3)
    assert (lifted.force == 0).all() and lifted.normal_acceleration > 0


def test_rigid_friction_that_determines_nothing():
    """Painlevé's rod: a free slender rod that slides on its steep lower end."""
    thin = rigid_inertia(1.0, np.zeros(3), np.diag([1e-4, 1 / 12, 1 / 12]))
    tiny = rigid_inertia(1e-9, np.zeros(3), 1e-12 * np.eye(3))
    bodies = [
        Body(-1, Prismatic((1, 0, 0)), tiny),
        Body(0, Prismatic((0, 1, 0)), tiny),
        Body(1, Revolute(), thin),
    ]
    rod = Tree.build(bodies, [0, 0, 1.2])
    tip = PointContact.closed_at(rod, 2, (-0.5, 0, 0))
    loads = {side: DynamicsLoads([side, 0.0, 0.0]) for side in (1.0, -1.0)}
    for moving in loads.values():
        assert sliding_contact(rod, moving, tip, 0.3).force[1] > 0
    assert sliding_contact(rod, loads[1.0], tip, 3.0).force[1] > 0
    with pytest.raises(ComplementarityError, match="has none"):
        sliding_contact(rod, loads[-1.0], tip, 3.0)
    spinning = DynamicsLoads([-1.0 - 6 * 0.5 * np.sin(1.2), 6 * 0.5 * np.cos(1.2), 6.0])
    with pytest.raises(ComplementarityError, match="has two"):
        sliding_contact(rod, spinning, tip, 3.0)


@pytest.fixture
def sole():
    return FootPatch([(x, -0.05, z) for x in (-0.1, 0.15) for z in (-0.04, 0.04)], friction=0.5)


def corner_wrench(sole, forces):
    return np.concatenate([np.cross(sole.corners, forces).sum(0), forces.sum(0)])


def test_foot_pressures_add_up_to_the_wrench(sole):
    rng = np.random.default_rng(2)
    for _ in range(20):
        pressing = rng.uniform(0, 100, 4)
        forces = np.stack([0.2 * pressing, pressing, -0.3 * pressing], axis=1)
        wrench = corner_wrench(sole, forces)
        found = sole.corner_forces(wrench)
        np.testing.assert_allclose(corner_wrench(sole, found), wrench, atol=1e-8)
        assert all(friction_cone(f, sole.normal, sole.friction).inside for f in found)
        center = pressing @ sole.corners / pressing.sum()
        np.testing.assert_allclose(sole.center_of_pressure(wrench), center, atol=1e-12)


def test_a_foot_cannot_tip_twist_slide_or_pull(sole):
    def wrench(force, couple=(0, 0, 0), at=(0.02, -0.05, 0.0)):
        return np.concatenate([np.cross(at, force) + couple, force])

    assert sole.corner_forces(wrench((10, 100, 0))) is not None
    assert sole.corner_forces(wrench((0, 100, 0), at=(0.16, -0.05, 0))) is None  # past the toe
    assert sole.corner_forces(wrench((60, 100, 0))) is None  # outside the cone
    assert sole.corner_forces(wrench((0, 100, 0), couple=(0, 3, 0))) is not None
    assert sole.corner_forces(wrench((0, 100, 0), couple=(0, 9, 0))) is None  # inside it, twists
    assert sole.corner_forces(wrench((0, -100, 0))) is None
    with pytest.raises(ValueError, match="open"):
        sole.center_of_pressure(wrench((0, -100, 0)))
    np.testing.assert_allclose(
        sole.center_of_pressure(wrench((0, 100, 0), at=(0.16, -0.05, 0))), (0.16, -0.05, 0)
    )


def test_a_joint_limit_pushes_the_whole_chain(two_links):
    stop = JointLimit(1, -0.7, "lower")
    hit = impact(two_links, stop, [0.5, -2.0])
    assert hit.velocity[1] == pytest.approx(0, abs=1e-14) and hit.impulse[0] > 0
    M = mass_matrix(two_links)
    # the shoulder's momentum is untouched: the stop acts between the links
    assert M[0] @ hit.velocity == pytest.approx(M[0] @ [0.5, -2.0])
    assert hit.velocity[0] != pytest.approx(0.5)
    upper = JointLimit(1, -0.7)
    assert impact(two_links, upper, [0.5, -2.0]).impulse[0] == 0
    assert free_acceleration(two_links, DynamicsLoads([0.0, 0.0])).shape == (2,)
    with pytest.raises(ValueError, match="side"):
        JointLimit(0, 1.0, "both")
