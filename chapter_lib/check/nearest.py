"""Exercise 15's references and wrong answers: accelerations held by rows, along their null space.

No `M⁻¹`, no `J M⁻¹ Jᵀ` in the references; the formula that is taught serves for mistakes alone.
"""

import numpy as np
from scipy.linalg import null_space, sqrtm

from ..lagrange import kinetic_mass_matrix
from .held import RANK, held, point_rows, rows_rate
from .routes import cartesian_acceleration, random_arm, random_vector, worked

PLANE = np.eye(3)[:2]  # the world's x and y


def tip():
    """The worked arm at its worked rates, and its fingertip."""
    state = worked()
    return dict(arm=state["arm"], velocity=state["velocity"], point=np.array([0.25, 0, 0]))


def fresh_tip(rng):
    arm = random_arm(rng, int(rng.integers(3, 5)))
    point = np.array([rng.uniform(0.1, 0.4), rng.uniform(0.02, 0.08), 0.0])
    return dict(arm=arm, velocity=random_vector(rng, arm.n, 0.3, 1.5), point=point)


def held_tip(arm, velocity, point):
    """J and J̇ q̇ of a point of the last body, by complex steps."""
    at = arm.n - 1, point, PLANE
    return point_rows(arm, *at), rows_rate(arm, velocity, *at)


def stated():
    J, b_c = held_tip(**tip())
    a_free = cartesian_acceleration(**worked())
    return dict(M=kinetic_mass_matrix(worked()["arm"]), a_free=a_free, J=J, b_c=b_c)


def fresh(rng):
    n = int(rng.integers(3, 6))
    J = np.array([random_vector(rng, n, 0.2, 1.0) for _ in range(2)])
    M, a_free = kinetic_mass_matrix(random_arm(rng, n)), random_vector(rng, n, 2.0, 20.0)
    return dict(M=M, a_free=a_free, J=J, b_c=random_vector(rng, 2, 1.0, 5.0))


def only(**names):
    """The same inputs with fewer arguments, in this order: new name = old name."""

    def taken(given):
        return {new: given[old] for new, old in names.items()}

    return dict(stated=lambda: taken(stated()), fresh=lambda rng: taken(fresh(rng)))


def nearest(M, a_free, J, b_c):
    """a and λ of the held motion; the shortest λ of many."""
    return held(M, M @ a_free, J, b_c)


def response(M, J):
    """P_M from motions along the null space N of J: N (Nᵀ M N)⁻¹ Nᵀ."""
    N = null_space(J, rcond=RANK)
    return N @ np.linalg.solve(N.T @ M @ N, N.T)


def weighted(M, a, J):
    """z and A with L from an orthogonal triangularization of M's symmetric root."""
    R = np.linalg.qr(sqrtm(M).real)[1]
    R = R * np.sign(np.diag(R))[:, None]
    return R @ a, np.linalg.lstsq(R.T, J.T)[0].T


def rooted(M, a, J):
    root = sqrtm(M).real
    return root @ a, J @ np.linalg.inv(root)


def pulled(M, a_free, J, b_c):
    """The formula of the exercise, for mistakes: M⁻¹ Jᵀ λ and λ."""
    back = np.linalg.solve(M, J.T)
    multiplier = -np.linalg.solve(J @ back, J @ a_free + b_c)
    return back @ multiplier, multiplier


def euclid(M, a_free, J, b_c):
    change, multiplier = pulled(np.eye(len(M)), a_free, J, b_c)
    return a_free + change, multiplier


def opposite(M, a_free, J, b_c):
    change, multiplier = pulled(M, a_free, J, b_c)
    return a_free - change, -multiplier


def with_third(given, row, bias):
    more = np.vstack([given["J"], row]), np.append(given["b_c"], bias)
    return given | dict(J=more[0], b_c=more[1])


def stated_rows():
    """Across the plane as well (a row of zeros), the sum of two rows, the same in contradiction,
    and two independent rows."""
    given = stated()
    row, bias = given["J"].sum(axis=0), given["b_c"].sum()
    thirds = (0 * row, 0.0), (row, bias), (row, bias + 1.0)
    return [*(with_third(given, *third) for third in thirds), given]


def fresh_rows(rng):
    given = fresh(rng)
    mix = random_vector(rng, 2, 0.5, 2.0)
    off = rng.choice([0.0, 0.0, 2.0])
    return with_third(given, mix @ given["J"], mix @ given["b_c"] + off)


def agreement(J, b_c):
    """How many multipliers hold the rows: "one", "many" (redundant), "none" (contradictory)."""
    rank = np.linalg.matrix_rank(J, tol=RANK)
    if np.linalg.matrix_rank(np.column_stack([J, b_c]), tol=RANK) > rank:
        return "none"
    return "one" if rank == len(J) else "many"


def any_rows(M, a_free, J, b_c):
    kind = agreement(J, b_c)
    if kind == "none":
        return np.full(len(M), np.nan), np.full(len(J), np.nan), kind
    return *nearest(M, a_free, J, b_c), kind


def inverted(M, a_free, J, b_c):
    change, multiplier = pulled(M, a_free, J, b_c)
    return a_free + change, multiplier, "one"


def compromise(M, a_free, J, b_c):
    if agreement(J, b_c) != "none":
        return any_rows(M, a_free, J, b_c)
    back = np.linalg.solve(M, J.T)
    multiplier = -np.linalg.pinv(J @ back, rcond=RANK) @ (J @ a_free + b_c)
    return a_free + back @ multiplier, multiplier, "many"


def refused(M, a_free, J, b_c):
    if agreement(J, b_c) == "one":
        return any_rows(M, a_free, J, b_c)
    return np.full(len(M), np.nan), np.full(len(J), np.nan), "none"


def dropped(M, a_free, J, b_c):
    if agreement(J, b_c) != "many":
        return any_rows(M, a_free, J, b_c)
    acceleration, multiplier = nearest(M, a_free, J[:-1], b_c[:-1])
    return acceleration, np.append(multiplier, 0.0), "many"
