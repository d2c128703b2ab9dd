"""One source for floats, complex numbers and SymPy expressions."""

import numpy as np
import pytest
import sympy as sp

from chapter_lib import (
    DynamicsLoads,
    FloatingBase,
    Tree,
    bias_force,
    cylinder_chain,
    cylinder_inertia,
    forward_dynamics,
    gravity_force,
    inverse_dynamics,
    kinetic_mass_matrix,
    mass_matrix,
    three_link_arm,
    velocity_force,
)
from chapter_lib.pivots import ldl
from tests.mechanisms import random_loads, random_tree, relative_error

LENGTHS, MASSES, RADIUS = [0.4, 0.3, 0.25], [2.0, 1.2, 0.6], 0.025
Q, QD, TAU = [0.4, -0.7, 0.2], [0.8, -0.5, 1.1], [4.0, -1.0, 0.3]


def test_a_symbolic_solution_is_the_numeric_one():
    q, qd, tau = sp.symbols("q1:4"), sp.symbols("qd1:4"), sp.symbols("tau1:4")
    L, m, r = sp.symbols("L1:4"), sp.symbols("m1:4"), sp.Symbol("r")
    result = forward_dynamics(cylinder_chain(L, m, q, r), DynamicsLoads(qd, tau))
    symbols = [*L, *m, r, *q, *qd, *tau]
    function = sp.lambdify(symbols, list(result.joint_acceleration) + list(result.pivot))
    got = function(*LENGTHS, *MASSES, RADIUS, *Q, *QD, *TAU)
    expected = forward_dynamics(three_link_arm(), DynamicsLoads(QD, TAU))
    np.testing.assert_allclose(got, [*expected.joint_acceleration, *expected.pivot], rtol=1e-11)


def test_symbols_annihilate_exactly():
    """`I^a S = 0` to the letter, not to rounding."""
    q, L, m, r = sp.symbols("q1:3"), sp.symbols("L1:3"), sp.symbols("m1:3"), sp.Symbol("r")
    tree = cylinder_chain(L, m, q, r)
    from chapter_lib import articulate

    factor = articulate(tree)
    for Ia, S in zip(factor.Ia, tree.S, strict=True):
        assert all(sp.simplify(entry) == 0 for entry in Ia @ S)


def test_decimals_become_fractions_next_to_symbols():
    q = sp.symbols("q1:4")
    tree = three_link_arm(q)
    assert tree.inertia[0][3, 3] == 2
    assert tree.offset[1][0] == sp.Rational(2, 5)
    assert mass_matrix(tree)[2, 2] == sp.Rational(403, 32000)  # 0.01259375
    assert three_link_arm().at(q).offset[1][0] == sp.Rational(2, 5)


def test_symbolic_routes_agree():
    q, qd = sp.symbols("q1:3"), sp.symbols("qd1:3")
    tree = cylinder_chain([0.4, 0.3], [2.0, 1.2], q, RADIUS)
    M, K = mass_matrix(tree), kinetic_mass_matrix(tree)
    assert all(sp.simplify(x) == 0 for x in (M - K).flat)
    g = sp.Symbol("g")
    h = bias_force(tree, DynamicsLoads(qd, gravity=[0, -g, 0]))
    lagrange = velocity_force(tree, qd) + gravity_force(tree, [0, -g, 0])
    assert all(sp.simplify(x) == 0 for x in h - lagrange)


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_complex_step_of_forward_dynamics(seed, floating):
    """∂q̈/∂τ is M⁻¹, and δq̈ = M⁻¹(δτ − δh − δM q̈), with M from kinetic energy."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, 4, floating)
    loads = random_loads(rng, tree)
    step = 1e-30

    def accelerations(tree, loads):
        result = forward_dynamics(tree, loads)
        return np.concatenate([result.base_acceleration[: 6 * floating], result.joint_acceleration])

    M = kinetic_mass_matrix(tree)
    nudged = DynamicsLoads(
        **(_fields(loads) | dict(torque=loads.torque + 1j * step * np.eye(4)[1]))
    )
    column = accelerations(tree, nudged).imag / step
    assert relative_error(column, np.linalg.inv(M)[:, 6 * floating + 1]) < 1e-9
    moved = tree.at(tree.angles + 1j * step * np.eye(4)[2])
    slope = accelerations(moved, loads).imag / step
    dM = kinetic_mass_matrix(moved).imag / step
    dh = bias_force(moved, loads).imag / step
    expected = -np.linalg.solve(M, dh + dM @ accelerations(tree, loads))
    assert relative_error(slope, expected) < 1e-8


def _fields(loads):
    names = ("velocity", "torque", "external", "gravity", "base_velocity", "base_external")
    return {name: getattr(loads, name) for name in names}


def test_small_ldl_on_symbols_and_complex_symmetric_matrices():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(6, 6)) + 1j * rng.normal(size=(6, 6))
    A = A + A.T + 10 * np.eye(6)
    L, D = ldl(A)
    np.testing.assert_allclose(L @ np.diag(D) @ L.T, A, atol=1e-12)
    a, b, c = sp.symbols("a b c")
    L, D = ldl(np.array([[a, b], [b, c]], dtype=object))
    assert sp.simplify(D[1] - (c - b**2 / a)) == 0


def test_symbolic_floating_base():
    """The free cylinder with one hinge, on symbols, is the numeric one."""
    q, qd, tau = sp.Symbol("q"), sp.Symbol("qd"), sp.Symbol("tau")
    from chapter_lib import Body, Revolute

    base = FloatingBase(cylinder_inertia(0.5, 5.0, 0.1))
    link = Body(-1, Revolute(), cylinder_inertia(0.3, 1.0, 0.02), (np.eye(3), (0.5, 0, 0)))
    v0 = np.array([0.1, -0.2, 0.3, 0.4, 0.5, -0.6])
    numeric = forward_dynamics(
        Tree.build([link], [0.7], base), DynamicsLoads([0.4], [2.0], base_velocity=v0)
    )
    symbolic = forward_dynamics(
        Tree.build([link], [q], base), DynamicsLoads([qd], [tau], base_velocity=v0)
    )
    values = {q: 0.7, qd: 0.4, tau: 2.0}
    got = [float(x.subs(values)) for x in symbolic.base_acceleration]
    np.testing.assert_allclose(got, numeric.base_acceleration, rtol=1e-9, atol=1e-12)


def test_inverse_dynamics_on_symbols():
    q, qd, qdd = (sp.symbols(f"{name}1:3") for name in ("q", "qd", "qdd"))
    tree = cylinder_chain([0.4, 0.3], [2.0, 1.2], q, RADIUS)
    tau = inverse_dynamics(tree, DynamicsLoads(qd), qdd)
    M = mass_matrix(tree)
    for i in range(2):
        for j in range(2):
            assert sp.simplify(sp.diff(tau[i], qdd[j]) - M[i, j]) == 0
