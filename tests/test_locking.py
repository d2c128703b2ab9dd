"""Welding a joint is striking out its row and column, and a free joint is a Schur complement."""

import numpy as np
import pytest

from chapter_lib import (
    DynamicsLoads,
    bias_force,
    floating_thirty,
    forward_dynamics,
    mass_matrix,
    three_link_arm,
    weld,
)


def test_welded_mass_matrix_is_the_one_without_the_locked_rows():
    tree = floating_thirty()
    locked = [1, 2, 9, 14, 25]
    welded = weld(tree, locked)
    keep = [*range(6), *(6 + i for i in range(30) if i not in locked)]
    np.testing.assert_allclose(
        mass_matrix(welded), mass_matrix(tree)[np.ix_(keep, keep)], atol=1e-10
    )
    assert welded.names[1] == "A4" and welded.floating


def test_welded_arm_moves_as_the_constrained_equations_say():
    tree = three_link_arm()
    qd, tau = np.array([0.8, 0, 1.1]), np.array([4.0, 0, 0.3])
    M, h = mass_matrix(tree), bias_force(tree, DynamicsLoads(qd))
    free = [0, 2]
    wanted = np.linalg.solve(M[np.ix_(free, free)], (tau - h)[free])
    got = forward_dynamics(weld(tree, [1]), DynamicsLoads(qd[free], tau[free]))
    np.testing.assert_allclose(got.joint_acceleration, wanted, rtol=1e-10)


def test_what_the_shoulder_feels():
    felt = {locked: forward_pivot(locked) for locked in [(1, 2), (1,), (2,), ()]}
    expected = {(1, 2): 0.8148, (1,): 0.5196, (2,): 0.2682, (): 0.2604}
    assert {k: round(v, 4) for k, v in felt.items()} == expected


def forward_pivot(locked):
    tree = weld(three_link_arm(), locked)
    return float(forward_dynamics(tree, DynamicsLoads(np.zeros(tree.n))).pivot[0])


def test_errors_name_the_body():
    with pytest.raises(ValueError, match="body 0 .'link 1'"):
        weld(three_link_arm(), [0])
    with pytest.raises(ValueError, match="from 0 to 2"):
        weld(three_link_arm(), [3])
