"""Featherstone's invariants, as spatial_v2 and its extension test them, also with rotors.

A rotor is here the reflected armature that the chapter describes, a diagonal addition to M; a
test at the end shows of which whole rotor it is the limit.
"""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import chapter_lib
from chapter_lib import (
    Body,
    DynamicsLoads,
    Revolute,
    Tree,
    articulate,
    at_rest,
    base_pose,
    bias_force,
    coriolis_matrix,
    cross_force,
    cross_motion,
    forward_dynamics,
    inverse_dynamics,
    kinetic_energy,
    kinetic_mass_matrix,
    mass_matrix,
    mass_matrix_by_columns,
    projected_bias,
    rigid_inertia,
    skew,
    total_energy,
    velocity_force,
)

from .mechanisms import random_loads, random_tree, relative_error

STEP = 1e-30
SEEDS = range(24)
CLOSE = 1e-11  # relative to the largest entry


def case(seed, floating, **kinds):
    rng = np.random.default_rng(1000 + seed)
    order = ("any", "breadth", "chain")[seed % 3]
    tree = random_tree(rng, int(rng.integers(1, 9)), floating, order=order, **kinds)
    return tree, random_loads(rng, tree)


def nu_of(tree, loads):
    base = [loads.base_velocity] if tree.floating else []
    return np.concatenate([*base, loads.velocity])


def nu_dot(tree, loads):
    result = forward_dynamics(tree, loads)
    return np.concatenate(
        [result.base_acceleration[: 6 * tree.floating], result.joint_acceleration]
    )


def displaced(tree, by):
    """The tree a step further along ν: to first order, exact for a complex step."""
    root, pose = 6 * tree.floating, {}
    if tree.floating:
        R, p = base_pose(tree)
        pose = dict(rotation=R @ (np.eye(3) + skew(by[:3])), position=p + R @ by[3:6])
    return tree.at(tree.angles + by[root:], **pose)


def with_velocity(loads, nu):
    if loads.base_velocity is None:
        return replace(loads, velocity=nu)
    return replace(loads, base_velocity=nu[:6], velocity=nu[6:])


def body_jacobians(tree):
    """(6, m) for the base and every body: spatial velocity in body axes is `J ν`."""
    root = 6 * tree.floating
    J0 = np.eye(6, root + tree.n) if tree.floating else np.zeros((6, tree.n))
    J = []
    for i, parent in enumerate(tree.parent):
        own = np.zeros((6, root + tree.n))
        own[:, root + i] = tree.S[i]
        J.append(tree.X[i] @ (J[parent] if parent >= 0 else J0) + own)
    return [J0, *J] if tree.floating else J


def body_coriolis_matrix(tree, nu):
    """`C` summed over bodies, `Σ Jᵀ (I J̇ + B J)` with `B = ½ ((v×*) I + I (v×) + h ×̄*)`, skew.

    J̇ is the rate of the components in body axes, `h = I v`, and `(h ×̄*) v` means `v ×* h`.
    """
    inertias = [tree.base.inertia, *tree.inertia] if tree.floating else tree.inertia
    moved = body_jacobians(displaced(tree, 1j * STEP * nu))
    C = 0
    for I, J, J_moved in zip(inertias, body_jacobians(tree), moved, strict=True):
        v = J @ nu
        h = I @ v
        swapped = np.array([cross_force(unit) @ h for unit in np.eye(6)]).T
        B = (cross_force(v) @ I + I @ cross_motion(v) + swapped) / 2
        C = C + J.T @ (I @ J_moved.imag / STEP + B @ J)
    return C


both = pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])


@both
@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_dynamics_inverts_forward_dynamics(floating, seed):
    tree, loads = case(seed, floating)
    result = forward_dynamics(tree, loads)
    scale = np.abs(bias_force(tree, loads)).max()
    if floating:
        root, tau = inverse_dynamics(
            tree, loads, result.joint_acceleration, result.base_acceleration
        )
        assert np.abs(root).max() < CLOSE * scale
    else:
        tau = inverse_dynamics(tree, loads, result.joint_acceleration)
    assert np.abs(tau - loads.torque).max() < CLOSE * scale


@both
@pytest.mark.parametrize("seed", SEEDS)
def test_articulated_and_composite_bodies_give_the_same_acceleration(floating, seed):
    """FDab against FDcrb, and both against the mass matrix of kinetic energy."""
    tree, loads = case(seed, floating)
    effort = np.concatenate([np.zeros(6 * floating), loads.torque])
    M, bias = mass_matrix(tree), bias_force(tree, loads)
    assert relative_error(nu_dot(tree, loads), np.linalg.solve(M, effort - bias)) < 1e-10
    assert relative_error(M, kinetic_mass_matrix(tree)) < CLOSE
    assert relative_error(M, mass_matrix_by_columns(tree)) < CLOSE
    assert relative_error(M, M.T) < 1e-14
    assert np.linalg.eigvalsh(M)[0] > 0
    assert relative_error(articulate(tree).solve(np.eye(len(M))), np.linalg.inv(M)) < 1e-10


@both
@pytest.mark.parametrize("seed", SEEDS)
def test_bias_is_the_projected_one(floating, seed):
    """HandC's C against Newton's and Euler's laws in Cartesian coordinates."""
    tree, loads = case(seed, floating, damping=False)
    loads = replace(loads, external=None, base_external=None)
    base = loads.base_velocity if floating else None
    expected = projected_bias(tree, loads.velocity, loads.gravity, base)
    assert relative_error(bias_force(tree, loads), expected) < CLOSE


@both
@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_rate_is_coriolis_matrix_and_its_transpose(floating, seed):
    """`Ḣ = C + Cᵀ` and `C ν` is the velocity force."""
    tree, loads = case(seed, floating, damping=False)
    loads = replace(loads, external=None, base_external=None, gravity=np.zeros(3))
    nu = nu_of(tree, loads)
    C = body_coriolis_matrix(tree, nu)
    H_rate = mass_matrix(displaced(tree, 1j * STEP * nu)).imag / STEP
    scale = np.abs(mass_matrix(tree)).max() * np.abs(nu).max()  # the rates themselves may vanish
    assert np.abs(C + C.T - H_rate).max() < CLOSE * scale
    assert np.abs(C @ nu - bias_force(tree, loads)).max() < CLOSE * scale * np.abs(nu).max()
    if not floating:
        christoffel = coriolis_matrix(tree, loads.velocity)
        assert np.abs(christoffel + christoffel.T - H_rate).max() < CLOSE * scale
        christoffel_force = velocity_force(tree, loads.velocity)
        assert np.abs(christoffel_force - C @ nu).max() < CLOSE * scale * np.abs(nu).max()


@both
@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_energy_is_the_form_of_the_mass_matrix(floating, seed):
    """EnerMo: `½ νᵀ H ν`, armature included."""
    tree, loads = case(seed, floating)
    nu = nu_of(tree, loads)
    assert kinetic_energy(tree, loads) == pytest.approx(nu @ mass_matrix(tree) @ nu / 2, rel=1e-12)


@both
@pytest.mark.parametrize("seed", SEEDS)
def test_energy_changes_by_the_power_that_enters(floating, seed):
    tree, loads = case(seed, floating)
    nu, acceleration = nu_of(tree, loads), nu_dot(tree, loads)
    later = displaced(tree, 1j * STEP * nu)
    rate = total_energy(later, with_velocity(loads, nu + 1j * STEP * acceleration)).imag / STEP
    power = loads.torque @ loads.velocity - tree.damping @ loads.velocity**2
    inertias = body_jacobians(tree)
    wrenches = [loads.base_external, *loads.external] if floating else loads.external
    power += sum(f @ J @ nu for f, J in zip(wrenches, inertias, strict=True))
    assert rate == pytest.approx(power, rel=1e-9, abs=1e-10)


@both
@pytest.mark.parametrize("seed", SEEDS[:12])
def test_complex_step_derivatives_satisfy_the_differentiated_equation(floating, seed):
    """`δν̇ = M⁻¹ (δτ − δh − δM ν̇)`: forward dynamics differentiated against inverse dynamics."""
    tree, loads = case(seed, floating)
    M, acceleration, nu = mass_matrix(tree), nu_dot(tree, loads), nu_of(tree, loads)
    for unit in np.eye(len(M)):
        later, faster = (
            displaced(tree, 1j * STEP * unit),
            with_velocity(loads, nu + 1j * STEP * unit),
        )
        force = bias_force(later, loads).imag + (mass_matrix(later) @ acceleration).imag
        expected = -np.linalg.solve(M, force / STEP)
        assert relative_error(nu_dot(later, loads).imag / STEP, expected) < 1e-9
        expected = -np.linalg.solve(M, bias_force(tree, faster).imag / STEP)
        assert relative_error(nu_dot(tree, faster).imag / STEP, expected) < 1e-9


@both
def test_gravity_does_not_see_velocity(floating):
    tree, loads = case(3, floating, damping=False)
    g = bias_force(tree, at_rest(loads))
    weightless = replace(loads, gravity=np.zeros(3))
    velocity_terms = bias_force(tree, weightless) - bias_force(tree, at_rest(weightless))
    assert relative_error(bias_force(tree, loads) - velocity_terms, g) < CLOSE


def test_armature_is_the_limit_of_a_geared_rotor():
    """A rotor on the parent, turning `N` times as fast, with `N² I_r` held: the gyroscopic rest
    falls as 1/N, and what stays is armature `N² I_r` on the diagonal."""
    rng = np.random.default_rng(11)
    tree = random_tree(rng, 4, kinds=("revolute",), order="chain", armature=False)
    loads = random_loads(rng, tree, external=False)
    loads = replace(loads, gravity=np.zeros(3))
    reflected = rng.uniform(0.05, 0.2, tree.n)

    def errors(N):
        links = [
            Body(p, tree.joints[i], tree.inertia[i], (tree.rotation0[i], tree.offset[i]))
            for i, p in enumerate(tree.parent)
        ]
        rotors = []
        for i, parent in enumerate(tree.parent):
            axis, size = tree.joints[i].axis, reflected[i] / N**2
            along = np.outer(axis, axis)
            I_C = size * (along + 0.6 * (np.eye(3) - along))
            rotor = rigid_inertia(1e-9, np.zeros(3), I_C)
            place = (tree.rotation0[i], tree.offset[i])
            rotors.append(Body(parent, Revolute(axis), rotor, place, allow_degenerate=True))
        G = np.vstack([np.eye(tree.n), N * np.eye(tree.n)])
        whole = Tree.build([*links, *rotors], G @ tree.angles)
        spinning = DynamicsLoads(G @ loads.velocity, gravity=np.zeros(3))
        ideal = replace(tree, armature=reflected, damping=np.zeros(tree.n))
        M, h = G.T @ mass_matrix(whole) @ G, G.T @ bias_force(whole, spinning)
        return np.array(
            [
                relative_error(M, mass_matrix(ideal)),
                relative_error(h, bias_force(ideal, loads)),
            ]
        )

    coarse, fine = errors(1e2), errors(1e4)
    assert (coarse < 0.1).all()
    assert np.allclose(coarse / fine, 100, rtol=0.1)


def test_the_table_of_equivalents_names_what_exists():
    """Every function that docs/spatial_v2.md puts beside one of Featherstone's."""
    text = (Path(__file__).resolve().parent.parent / "docs" / "spatial_v2.md").read_text("utf-8")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z]\w+|[A-Z]\w+)[(`]", row[2])}
    assert len(rows) > 30
    assert len(named) > 25
    assert named <= set(chapter_lib.__all__), named - set(chapter_lib.__all__)
