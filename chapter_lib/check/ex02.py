"""Exercise 2, articulated and composite inertia: a subtree with free hinges, and one locked."""

import numpy as np

from ..lagrange import kinetic_mass_matrix
from ..models import cylinder_chain
from ..spatial import rigid_inertia, rigid_parameters
from ..tree import Body, FloatingBase, Tree
from .routes import random_arm
from .task import Exercise, Mistake, Quantity, Task

BODIES = ("body 1", "body 2", "body 3", "body 4", "body 5")
HINGE = '"A Free Hinge Changes the Apparent Load"'
UPDATE = '"Recursive Inertia Update"'
FRAMES = '"Mathematical Definition and Frames": a child\'s inertia contributes Xᵀ I X'


def _stated():
    return dict(arm=cylinder_chain([1.0] * 3, [1.0] * 3, (0.2, -0.4, 0.3), 0.05))


def _fresh(rng):
    return dict(arm=random_arm(rng, 4))


def _longer(rng):
    return dict(arm=random_arm(rng, 5))


def _cut(arm, i):
    """Everything from body i outward as a free mechanism of its own; its base is body i."""
    bodies = [
        Body(
            parent=arm.parent[k] - i - 1,
            joint=arm.joints[k],
            inertia=arm.inertia[k],
            placement=(arm.rotation0[k], arm.offset[k]),
        )
        for k in range(i + 1, arm.n)
    ]
    return Tree.build(bodies, arm.angles[i + 1 :], FloatingBase(arm.inertia[i]))


def _free_and_locked(arm, i):
    """I^A and I^C of body i from the mass matrix of the cut mechanism: a Schur complement."""
    H = kinetic_mass_matrix(_cut(arm, i))
    locked, coupling = H[:6, :6], H[:6, 6:]
    return locked - coupling @ np.linalg.solve(H[6:, 6:], coupling.T), locked


def _articulated(arm):
    return np.array([_free_and_locked(arm, i)[0] for i in range(arm.n)])


def _composite(arm):
    return np.array([_free_and_locked(arm, i)[1] for i in range(arm.n)])


def _ranks(arm):
    """Rank of the coupling between a body and the joints beyond it."""
    couplings = [kinetic_mass_matrix(_cut(arm, i))[:6, 6:] for i in range(arm.n)]
    return np.array([np.linalg.matrix_rank(B, tol=1e-9) if B.size else 0 for B in couplings])


def _remainder(I, S):
    return I - np.outer(I @ S, I @ S) / (S @ I @ S)


def _inward(arm, carry, pass_on=_remainder, inertia=None):
    """A wrong recursion: what is carried to the parent, and how it gets there."""
    IA = list(np.array(arm.inertia if inertia is None else inertia))
    for i in reversed(range(1, arm.n)):
        IA[i - 1] = IA[i - 1] + carry(arm.X[i], pass_on(IA[i], arm.S[i]))
    return np.array(IA)


def _point_masses(arm):
    bodies = [rigid_parameters(I) for I in arm.inertia]
    return np.array([rigid_inertia(mass, com, np.zeros((3, 3))) for mass, com, _ in bodies])


def _forward(X, I):
    return X.T @ I @ X


def _backward(X, I):
    return X @ I @ X.T


def _as_is(X, I):
    return I


def _locked(I, S):
    return I


def _ways(pass_on, answer):
    """The mistakes that both recursions invite."""
    return (
        Mistake(
            "transform the wrong way round",
            lambda arm: _inward(arm, _backward, pass_on),
            "The child's inertia was brought to its parent with X I Xᵀ. X takes motion from "
            "parent to child, so power stays the same only with Xᵀ on the left.",
            FRAMES,
        ),
        Mistake(
            "untransformed",
            lambda arm: _inward(arm, _as_is, pass_on),
            "The child's inertia was added as it stands. It is about another origin and in other "
            "axes: bring it into the parent's frame first.",
            FRAMES,
        ),
        Mistake(
            "point masses",
            lambda arm: _inward(arm, _forward, pass_on, _point_masses(arm)),
            f"This is the {answer} inertia of point masses at the centres of mass. These links "
            "are cylinders: arm.inertia holds their own moments of inertia as well.",
            "exercise 2 of the chapter",
        ),
    )


EXERCISE = Exercise(
    "ex02_articulated_and_composite",
    "Articulated and composite inertia",
    "compute what a parent feels of a subtree with its hinges free, and with them locked",
    minutes=50,
    tasks=(
        Task(
            "articulated_inertias",
            Quantity("I^A", "kg m², kg m, kg", BODIES),
            _stated,
            _fresh,
            _articulated,
            mistakes=(
                Mistake(
                    "remainders",
                    lambda arm: np.array(
                        [_remainder(I, S) for I, S in zip(_articulated(arm), arm.S, strict=True)]
                    ),
                    "These are the remainders I^a, after the body's own joint has been "
                    "eliminated. Asked for is I^A, before that.",
                    '"Eliminating One Joint Acceleration"',
                ),
                Mistake(
                    "composite",
                    _composite,
                    "These are composite inertias: all joints beyond are locked. A free hinge "
                    "hands on only the remainder I^a = I^A − U Uᵀ/d.",
                    HINGE,
                ),
                *_ways(_remainder, "articulated"),
            ),
        ),
        Task(
            "composite_inertias",
            Quantity("I^C", "kg m², kg m, kg", BODIES),
            _stated,
            _fresh,
            _composite,
            mistakes=(
                Mistake(
                    "articulated",
                    _articulated,
                    "These are articulated inertias. With the joints locked nothing is "
                    "eliminated: the whole inertia of the child is handed on.",
                    HINGE,
                ),
                *_ways(_locked, "composite"),
            ),
        ),
        Task(
            "difference_ranks",
            Quantity("rank", "", BODIES),
            _stated,
            _longer,
            _ranks,
            mistakes=(
                Mistake(
                    "of one of the two",
                    lambda arm: np.full(arm.n, 6),
                    "Each inertia by itself is regular, so its rank is six. Asked for is the rank "
                    "of the difference I^C − I^A.",
                    HINGE,
                ),
                Mistake(
                    "joints beyond",
                    lambda arm: np.arange(arm.n)[::-1],
                    "This counts the free joints beyond each body. It bounds the rank, but in a "
                    "plane a body has three ways to move, so the rank stops at three.",
                    UPDATE,
                ),
            ),
        ),
    ),
)
