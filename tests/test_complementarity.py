"""The complementarity problem: against enumeration, at extreme scales, and without an answer."""

from itertools import product

import numpy as np
import pytest

from chapter_lib import ComplementarityError, InfeasibleError, lcp, least_distance


def enumerated(W, b):
    """Every complementary solution with independent active contacts, by trying all sets."""
    found = []
    for on in product([False, True], repeat=len(b)):
        on = np.array(on)
        force = np.zeros(len(b))
        if on.any():
            active = W[np.ix_(on, on)]
            if np.linalg.cond(active) > 1e10:
                continue
            force[on] = np.linalg.solve(active, -b[on])
        slack = W @ force + b
        if force.min() >= -1e-9 and slack.min() >= -1e-9:
            found.append((force, slack))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_trying_every_active_set(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 6))
    A, b = rng.normal(size=(k, k + 1)), rng.normal(size=k)
    (force, slack), *_ = enumerated(A @ A.T, b)
    size = 10.0 ** rng.uniform(-4, 4, k)
    A, b = size[:, None] * A, size * b
    for solution in (lcp(A @ A.T, b), least_distance(A, b)):
        scale = np.abs(force).max() or 1
        np.testing.assert_allclose(size * solution.force, force, rtol=1e-7, atol=1e-9 * scale)
        np.testing.assert_allclose(solution.slack / size, slack, rtol=1e-7, atol=1e-9)
        assert solution.unique and solution.residual < 1e-10


@pytest.mark.parametrize("seed", range(40))
def test_dependent_contacts_are_solved_or_certified(seed):
    rng = np.random.default_rng(100 + seed)
    A = rng.normal(size=(5, 2))
    W = A @ A.T
    b = rng.normal(size=5) - 0.3
    answers = enumerated(W, b)
    if not answers:
        with pytest.raises(InfeasibleError) as caught:
            lcp(W, b)
        y = caught.value.certificate
        assert y.min() >= 0 and y.max() == 1
        assert np.abs(W @ y).max() < 1e-10 and b @ y < 0
        return
    solution = lcp(W, b)
    np.testing.assert_allclose(solution.slack, answers[0][1], atol=1e-8)
    assert solution.force.min() >= 0
    assert np.abs(np.minimum(solution.force, W @ solution.force + b)).max() < 1e-9
    several = any(np.abs(force - answers[0][0]).max() > 1e-6 for force, _ in answers)
    assert not (several and solution.unique)


@pytest.mark.parametrize(("b", "force"), [(-9.8, 9.8), (9.8, 0.0), (0.0, 0.0)])
def test_one_contact(b, force):
    solution = lcp(1.0, b)
    assert solution.force[0] == pytest.approx(force) and solution.unique


def test_without_an_answer_it_says_so_and_never_infinity():
    with pytest.raises(InfeasibleError, match="cancel"):
        lcp(0.0, -1.0)
    with pytest.raises(InfeasibleError) as caught:
        lcp([[1, -1], [-1, 1]], [-1, -1])
    np.testing.assert_allclose(caught.value.certificate, [1, 1])
    with pytest.raises(ComplementarityError):  # a force beyond the largest number
        lcp(1e-300, -1e300)
    with pytest.raises(ComplementarityError):  # rounding hides whether these two cancel
        least_distance(np.array([[1.0, 1e-9], [-1.0, 0.0]]), np.array([-1.0, -1.0]))


def test_nearly_opposed_contacts_are_still_solved():
    tilt = 1e-5
    solution = least_distance(np.array([[1.0, tilt], [-1.0, 0.0]]), np.array([-1.0, -1.0]))
    np.testing.assert_allclose(solution.force, [2 / tilt**2, 2 / tilt**2 + 1], rtol=1e-4)


@pytest.mark.parametrize("weight", [1e-150, 1e-9, 1.0, 1e12, 1e150])
@pytest.mark.parametrize("load", [1e-100, 1.0, 1e9, 1e100])
def test_scale_changes_the_forces_and_nothing_else(weight, load):
    W = np.array([[2.0, 1.0, 1.9], [1.0, 3.0, 0.5], [1.9, 0.5, 2.0]])
    b = np.array([-1.0, -2.0, 0.5])
    one = lcp(W, b)
    sizes = np.array([1.0, 1e3, 1e-4])
    scaled = lcp(weight * W * sizes * sizes[:, None], load * b * sizes)
    np.testing.assert_allclose(scaled.force * sizes * (weight / load), one.force, rtol=1e-9)


def test_forces_that_are_not_unique_are_reported():
    assert not lcp([[1, 1], [1, 1]], [-1, -1]).unique  # shared at will
    assert not lcp(np.zeros((1, 1)), [0.0]).unique  # pushes on nothing
    assert not lcp([[1, -1], [-1, 1]], [0, 0]).unique  # squeezed from both sides
    assert lcp([[1, 1], [1, 1]], [0, 0]).unique  # two idle contacts, both pushing
    assert lcp([[1, 1], [1, 1]], [-1, 0]).unique  # one of them leaves
    assert lcp(np.zeros((1, 1)), [1.0]).unique


def test_wrong_matrices_are_refused():
    with pytest.raises(ValueError, match="symmetric"):
        lcp([[1, 0.5], [0, 1]], [-1, -1])
    with pytest.raises(ValueError, match="semidefinite"):
        lcp([[1, 2], [2, 1]], [-1, -1])
    with pytest.raises(ValueError, match="semidefinite"):
        lcp([[-1.0]], [-1.0])
    with pytest.raises(ValueError, match="expected"):
        lcp(np.eye(2), [-1.0])
    with pytest.raises(ValueError, match="finite"):
        lcp(np.eye(2), [np.nan, 0.0])


def test_no_contacts_at_all():
    assert lcp(np.zeros((0, 0)), np.zeros(0)).force.shape == (0,)
