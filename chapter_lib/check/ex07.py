"""Exercise 7, singular pivots: what a zero pivot says, and what it does not."""

import numpy as np

from ..lagrange import kinetic_mass_matrix
from ..models import cylinder_chain, cylinder_inertia
from ..spatial import rigid_inertia, rigid_parameters
from .routes import random_vector
from .task import Exercise, Mistake, Quantity, Task

SOLVE = '"Eliminating One Joint Acceleration": no small or nonpositive value is divided by'
DEFINE = '"Eliminating One Joint Acceleration", and exercise 7 of the chapter'
X_AXIS = np.array([1.0, 0, 0])


def _thin_rod(radius):
    return cylinder_inertia(0.25, 0.6, radius)


def _pivot_cases():
    about_x = np.append(X_AXIS, np.zeros(3))
    on_axis = rigid_inertia(1.0, np.array([0.3, 0, 0]), np.zeros((3, 3)))
    bodies = [_thin_rod(0.0), _thin_rod(0.025), on_axis]
    return [dict(inertia=I, S=about_x.copy()) for I in bodies]


def _random_body(rng):
    """A body, and a screw about an axis that misses its centre of mass."""
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    I_C = turn @ np.diag(rng.uniform(0.05, 0.08, 3)) @ turn.T
    axis = random_vector(rng, 3, 0.3, 1.0)
    axis /= np.linalg.norm(axis)
    inertia = rigid_inertia(rng.uniform(0.5, 2), random_vector(rng, 3, 0.1, 0.4), I_C)
    return dict(inertia=inertia, S=np.append(axis, rng.uniform(0.1, 0.3) * axis))


def _twice_energy(inertia, S):
    """d = Sᵀ I S as twice the kinetic energy at unit rate, from plain mechanics."""
    mass, com, I_C = rigid_parameters(inertia)
    if mass == 0:
        return 0.0
    v = S[3:] + np.cross(S[:3], com)
    return mass * (v @ v) + S[:3] @ I_C @ S[:3]


def _about_the_center(inertia, S):
    return S[:3] @ rigid_parameters(inertia)[2] @ S[:3]


def _point_mass(inertia, S):
    mass, com, _ = rigid_parameters(inertia)
    v = S[3:] + np.cross(S[:3], com)
    return mass * (v @ v)


def _rotation_block(inertia, S):
    return S[:3] @ inertia[:3, :3] @ S[:3]


def _arm(tip_mass=0.6):
    masses = [2.0, 1.2, tip_mass]
    return cylinder_chain([0.4, 0.3, 0.25], masses, (0.4, -0.7, 0.2), 0.025, allow_degenerate=True)


def _with_a_massless_link(link):
    """Four links, one of which (counted from 0) has neither mass nor inertia."""
    masses = np.array([1.0, 0.8, 0.6, 0.4])
    masses[link] = 0.0
    angles = (0.3, -0.5, 0.6, -0.4)
    return cylinder_chain([0.4, 0.3, 0.3, 0.2], masses, angles, 0.025, allow_degenerate=True)


def _first_singular(arm):
    """By the definition of a pivot: the joint's inertia with the joints beyond it free.

    Joints are freed one by one from the tip; the determinant of the tail of the mass matrix drops
    to zero with the first singular pivot.
    """
    M = kinetic_mass_matrix(arm)
    for i in reversed(range(arm.n)):
        if np.linalg.eigvalsh(M[i:, i:])[0] <= 1e-12:
            return i
    return -1


def _fresh_arm(rng):
    n = int(rng.integers(3, 6))
    masses = rng.uniform(0.5, 2, n)
    masses[rng.integers(1, n)] *= rng.integers(0, 2)
    angles = random_vector(rng, n, 0.3, 1.2)
    chain = cylinder_chain(rng.uniform(0.2, 0.5, n), masses, angles, 0.03, allow_degenerate=True)
    return dict(arm=chain)


def _joint_cases():
    return [dict(d=d, r=r) for d, r in ((0.0125, 0.3), (0.0, 0.3), (0.0, 0.0))]


def _joint_fresh(rng):
    d, r = rng.uniform(0.1, 2), rng.uniform(0.2, 3) * rng.choice([-1, 1])
    return dict(d=float(d * rng.integers(0, 2)), r=float(r * rng.integers(0, 2)))


def _solutions(d, r):
    """How many q̈ satisfy d q̈ = r: by the ranks of [d] and [d, r]."""
    rank = np.linalg.matrix_rank(np.array([[d]]))
    if rank == 1:
        return "one", float(np.linalg.lstsq(np.array([[d]]), np.array([r]), rcond=None)[0][0])
    return ("any" if np.linalg.matrix_rank(np.array([[d, r]])) == 0 else "none"), float("nan")


def _zero_instead(d, r):
    return ("one", 0.0) if d == 0 else ("one", r / d)


def _divided_all_the_same(d, r):
    """One solution for any pivot; at d = 0 whatever number comes out of the division."""
    return "one", r / d if d else float("nan")


def _one_face(word):
    return lambda d, r: ("one", r / d) if d else (word, float("nan"))


EXERCISE = Exercise(
    "ex07_singular_pivots",
    "Singular pivots",
    "recognise a zero pivot, say what it means, and refuse to divide by it",
    minutes=45,
    tasks=(
        Task(
            "single_pivot",
            Quantity("d", "kg m²"),
            _pivot_cases,
            _random_body,
            _twice_energy,
            mistakes=(
                Mistake(
                    "about the centre of mass",
                    _about_the_center,
                    "This is the moment of inertia about the centre of mass. The joint's axis "
                    "passes elsewhere: use the whole 6×6 inertia about the joint.",
                    DEFINE,
                ),
                Mistake(
                    "point mass",
                    _point_mass,
                    "This is the pivot of a point mass: the body's own moments of inertia are "
                    "missing.",
                    DEFINE,
                ),
                Mistake(
                    "rotation only",
                    _rotation_block,
                    "Only the 3×3 block of rotations was used. S may have a linear part too (a "
                    "slide, a screw): d = Sᵀ I S with all six.",
                    DEFINE,
                ),
            ),
        ),
        Task(
            "first_singular_body",
            Quantity("index"),
            lambda: [
                dict(arm=_arm()),
                dict(arm=_arm(0.0)),
                dict(arm=_with_a_massless_link(3)),
                dict(arm=_with_a_massless_link(2)),
            ],
            _fresh_arm,
            _first_singular,
            mistakes=(
                Mistake(
                    "own inertia",
                    lambda arm: next(
                        (i for i in reversed(range(arm.n)) if not arm.inertia[i].any()), -1
                    ),
                    "This looks at each body's own inertia. A massless body that carries others "
                    "has a pivot that is not zero: look at I^A.",
                    DEFINE,
                ),
                Mistake(
                    "always found",
                    lambda arm: arm.n - 1,
                    "This is always the last body. A sound arm has no singular pivot: return −1.",
                    DEFINE,
                ),
                Mistake(
                    "never found",
                    lambda arm: -1,
                    "Nothing is ever found. A massless last link has the pivot zero; compare "
                    "with a small multiple of the size of its inertia, or with zero.",
                    DEFINE,
                ),
            ),
        ),
        Task(
            "joint_solutions",
            (Quantity("how many"), Quantity("q̈", "rad/s²")),
            _joint_cases,
            _joint_fresh,
            _solutions,
            draws=4,
            mistakes=(
                Mistake(
                    "zero for zero",
                    _zero_instead,
                    "A zero pivot was answered with zero acceleration. 0·q̈ = r has no solution "
                    "for r ≠ 0 and every number for r = 0; it never has the one solution zero.",
                    SOLVE,
                ),
                Mistake(
                    "a small number added",
                    _divided_all_the_same,
                    "A zero pivot was given one solution, by adding something small to d or by "
                    "dividing all the same. What comes out then is decided by the small number "
                    "and not by the mechanism.",
                    SOLVE,
                ),
                Mistake(
                    "never any",
                    _one_face("none"),
                    "A zero pivot was always called unsolvable. With r = 0 every q̈ satisfies "
                    "0·q̈ = 0: undetermined, which is something else.",
                    SOLVE,
                ),
                Mistake(
                    "always any",
                    _one_face("any"),
                    "A zero pivot was always called undetermined. With r ≠ 0 no q̈ at all "
                    "satisfies 0·q̈ = r: inconsistent, which is something else.",
                    SOLVE,
                ),
            ),
        ),
    ),
)
