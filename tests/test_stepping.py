"""Motion among contacts: a bouncing mass, a chain that lands, three models of a joint limit."""

import numpy as np
import pytest

from chapter_lib import (
    Body,
    FloatingBase,
    JointLimit,
    PointContact,
    Prismatic,
    Revolute,
    Tree,
    centroidal_momentum,
    clip_after,
    contact_rows,
    cylinder_chain,
    cylinder_inertia,
    generalized_velocity,
    kinetic_energy,
    kinetic_mass_matrix,
    projected_bias,
    rigid_inertia,
    simulate,
    simulate_contact,
    soft_limit,
    total_energy,
)


@pytest.fixture
def ball():
    mass = rigid_inertia(1.0, np.zeros(3), 0.01 * np.eye(3))
    return Tree.build([Body(-1, Prismatic((0, 1, 0)), mass)], [1.0])


def chain_in_the_air():
    """Three free links in the plane, a contact under both ends and every hinge."""
    base = FloatingBase(cylinder_inertia(0.3, 1.0, 0.025), position=(0.0, 0.5, 0.0))
    bodies = [
        Body(i - 1, Revolute(), cylinder_inertia(0.3, 1.0, 0.025), (np.eye(3), (0.3, 0, 0)))
        for i in range(2)
    ]
    contacts = [PointContact(-1), *(PointContact(i, (x, 0, 0)) for i, x in ((0, 0), (1, 0)))]
    return Tree.build(bodies, [0.5, -0.9], base), [*contacts, PointContact(1, (0.3, 0, 0))]


def test_a_mass_that_lands_and_stays(ball):
    moved = simulate_contact(ball, [0.0], 1e-2, 100, [PointContact(0)])
    assert moved.gaps.min() > -1e-12
    assert abs(moved.angles[-1, 0]) < 1e-12 and abs(moved.velocities[-1, 0]) < 1e-12
    np.testing.assert_allclose(moved.impulses[-10:, 0], 9.81e-2)  # its weight, step by step
    landing = moved.impulses[:60, 0].sum() - 9.81e-2 * (moved.impulses[:60, 0] > 0).sum()
    assert moved.impulses[:, 0].sum() == pytest.approx(9.81, rel=1e-12)  # all of the momentum
    assert landing == pytest.approx(np.sqrt(2 * 9.81), rel=0.05)


def test_a_bouncing_mass_converges_at_first_order(ball):
    strike = np.sqrt(2 / 9.81)
    rest = 1.0 - strike
    exact = 0.8 * 9.81 * strike * rest - 9.81 / 2 * rest**2
    for k in range(5, 9):  # a step too early or too late, by chance: bounded by h, and not by h²
        h = 2.0**-k
        moved = simulate_contact(ball, [0.0], h, 2**k, [PointContact(0)], 0.8)
        assert (moved.impulses > 0).sum() == 1
        assert 5 * h**2 < abs(moved.angles[-1, 0] - exact) < 4 * h


def test_many_bounces_come_to_rest(ball):
    moved = simulate_contact(ball.at([0.1]), [0.0], 4e-3, 200, [PointContact(0)], 0.5)
    # the sum of the flight times, 3 √(2 h / g), is 0.43 s
    resting = moved.time[np.abs(moved.velocities[:, 0]) > 1e-9].max()
    assert resting == pytest.approx(3 * np.sqrt(0.2 / 9.81), abs=0.05)
    assert abs(moved.gaps[-1, 0]) < 1e-9


def test_a_dropped_chain_lands_and_its_weight_is_carried():
    tree, contacts = chain_in_the_air()
    dt, steps = 4e-3, 250
    moved = simulate_contact(tree, np.zeros(2), dt, steps, contacts, base_velocity=np.zeros(6))
    assert moved.gaps[0].min() > 0.1
    assert -3e-3 < moved.gaps.min() < 1e-6  # curvature within a step, and no more
    energy = moved.along(total_energy)
    assert energy[-1] < energy[0] - 10 and np.diff(energy).max() < 0.05
    weight = 3 * 9.81
    assert moved.impulses[-40:].sum() / (40 * dt) == pytest.approx(weight, rel=0.02)
    # what the floor gave, less what gravity took, is all the momentum there is
    h = moved.along(centroidal_momentum)
    given = np.append(0, np.cumsum(moved.impulses.sum(1)))
    assert np.abs(h[:, 4] - given + weight * moved.time).max() < 0.02 * given[-1]

    hits = np.flatnonzero(moved.impulses.any(axis=1))
    for k in [*hits[:6], *hits[-2:]]:  # the equation of the step, by the other route
        now, loads = moved.state(k)
        M, J = kinetic_mass_matrix(now), contact_rows(now, contacts)
        h = projected_bias(now, loads.velocity, base_velocity=loads.base_velocity)
        before, after = (generalized_velocity(*moved.state(i)) for i in (k, k + 1))
        impulse = moved.impulses[k]
        np.testing.assert_allclose(M @ (after - before), J.T @ impulse - dt * h, atol=1e-9)
        slack = J @ after + moved.gaps[k] / dt
        assert np.abs(np.minimum(impulse, slack)).max() < 1e-8


def shoulder_momentum(moved):
    """Angular momentum about the shoulder: a stop between the links leaves it alone."""
    states = [moved.state(k) for k in range(len(moved.time))]
    return np.array([kinetic_mass_matrix(tree)[0] @ loads.velocity for tree, loads in states])


def test_a_joint_limit_in_three_models():
    arm = cylinder_chain([0.4, 0.3], [2.0, 1.2], [0.4, -0.7], 0.025)
    start, none = [1.0, 6.0], (0, 0, 0)
    stop = JointLimit(1, -0.5)
    hard = simulate_contact(arm, start, 1e-3, 60, [stop], gravity=none)
    assert hard.angles[:, 1].max() < -0.5 + 1e-12 and hard.impulses.max() > 0.05
    spin = shoulder_momentum(hard)
    np.testing.assert_allclose(spin, spin[0], rtol=1e-2)  # a first-order step
    assert np.diff(hard.along(kinetic_energy)).min() < -0.2

    soft = simulate(arm, start, 5e-4, 120, torque=soft_limit(stop, 400.0), gravity=none)
    assert 0.02 < soft.angles[:, 1].max() + 0.5 < 0.15
    energy = soft.along(kinetic_energy)
    assert energy[-1] == pytest.approx(energy[0], rel=1e-4)  # a spring without a damper
    spin = shoulder_momentum(soft)
    np.testing.assert_allclose(spin, spin[0], rtol=1e-6)
    damped = simulate(arm, start, 5e-4, 120, torque=soft_limit(stop, 400.0, 5.0), gravity=none)
    assert damped.along(kinetic_energy)[-1] < 0.9 * energy[0]

    for rate_too in (False, True):
        clipped = simulate(arm, start, 1e-3, 60, after=clip_after(stop, rate_too), gravity=none)
        assert clipped.angles[:, 1].max() <= -0.5
        spin = shoulder_momentum(clipped)
        assert np.abs(spin / spin[0] - 1).max() > 0.02  # nobody's impulse


def test_soft_limits_never_pull():
    law = soft_limit(JointLimit(0, 1.0), 10.0, 5.0)
    np.testing.assert_allclose(law(0, np.array([1.1]), np.array([0.2])), [-2.0])
    np.testing.assert_allclose(law(0, np.array([1.1]), np.array([-1.0])), [0.0])
    np.testing.assert_allclose(law(0, np.array([0.9]), np.array([3.0])), [0.0])
    below = soft_limit(JointLimit(0, -1.0, "lower"), 10.0, 5.0)
    np.testing.assert_allclose(below(0, np.array([-1.1]), np.array([-0.2])), [2.0])


def test_what_is_refused(ball):
    with pytest.raises(ValueError, match="restitution"):
        simulate_contact(ball, [0.0], 0.01, 1, [PointContact(0)], 2.0)
    with pytest.raises(ValueError, match="dt"):
        simulate_contact(ball, [0.0], 0.0, 1, [PointContact(0)])
