"""Straight-line code: the same numbers as the passes, exact counts, linear growth, JavaScript."""

import json
import operator
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
import sympy

from chapter_lib import (
    Body,
    DynamicsLoads,
    Helical,
    Prismatic,
    Revolute,
    Tree,
    cylinder_chain,
    cylinder_inertia,
    forward_dynamics,
    mass_matrix,
    rotation_about,
    three_link_arm,
    uniform_chain,
)
from chapter_lib.codegen import (
    QUANTITIES,
    forward_code,
    planar_arm,
    planar_arm_code,
    straight_line,
)
from chapter_lib.naming import Names, on_symbols
from chapter_lib.operations import (
    Operations,
    _by_cholesky,
    aba_operations,
    chain_operations,
    cholesky_solve,
    crba_operations,
    operations,
    symbolic_cholesky,
)

rng = np.random.default_rng(3)


def arms(count):
    """Random arms, states and loads, as the arguments of `planar_arm`."""
    for _ in range(count):
        yield (
            rng.uniform(0.1, 0.6, 3),
            rng.uniform(0.2, 3, 3),
            rng.uniform(0.01, 0.05),
            rng.uniform(-3, 3, 3),
            rng.uniform(-2, 2, 3),
            rng.uniform(-5, 5, 3),
            np.append(rng.uniform(-10, 10, 2), 0),
            rng.uniform(0, 0.1, 3),
        )


def by_passes(lengths, masses, radius, q, velocity, torque, gravity, armature):
    chain = cylinder_chain(lengths, masses, q, radius)
    bodies = [
        Body(p, joint, inertia, (R, offset), armature=a)
        for p, joint, inertia, R, offset, a in zip(
            chain.parent,
            chain.joints,
            chain.inertia,
            chain.rotation0,
            chain.offset,
            armature,
            strict=True,
        )
    ]
    result = forward_dynamics(
        Tree.build(bodies, q), DynamicsLoads(velocity, torque, gravity=gravity)
    )
    return [getattr(result, what) for what in QUANTITIES]


def branched(n):
    """Six joints of every kind in space, on a branch or two."""
    joints = [Revolute((0, 1, 0)), Prismatic((0.6, 0.8, 0)), Helical((0, 0, 1), 0.05)]
    bodies = [
        Body(
            parent=[-1, 0, 1, 0, 3, 3][i],
            joint=joints[i % 3],
            inertia=cylinder_inertia(0.3, 1 + 0.1 * i, 0.04),
            placement=(rotation_about("xyz"[i % 3], 0.3 * i), (0.3, 0.02 * i, 0.1)),
            damping=0.1 * i,
        )
        for i in range(n)
    ]
    return Tree.build(bodies)


def test_planar_arm_equals_the_passes_on_random_arms():
    for target in ("math", "numpy"):
        function = planar_arm(target)
        for args in arms(20):
            for got, wanted in zip(function(*args), by_passes(*args), strict=True):
                np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-10)


def test_numpy_code_takes_any_batch_shape():
    function = planar_arm("numpy")
    args = next(arms(1))
    q = rng.uniform(-3, 3, (4, 1, 3))
    velocity = rng.uniform(-2, 2, (5, 3))
    accelerations, pivots, inertias = function(*args[:3], q, velocity, *args[5:])
    assert accelerations.shape == (4, 5, 3)
    assert pivots.shape == (4, 1, 3) and inertias.shape == (4, 1, 3, 6, 6)
    alone = by_passes(*args[:3], q[2, 0], velocity[3], *args[5:])
    np.testing.assert_allclose(accelerations[2, 3], alone[0], rtol=1e-9)
    np.testing.assert_allclose(inertias[2, 0], alone[2], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n", [1, 4, 6])
def test_joints_of_every_kind_on_branches_in_space(n):
    # six bodies: arrays (6, 6) of six-vectors must not be taken for symmetric matrices
    tree = branched(n)
    function = forward_code(tree).make()
    for _ in range(5):
        q, velocity, torque = rng.uniform(-1, 1, (3, n))
        wanted = forward_dynamics(tree.at(q), DynamicsLoads(velocity, torque))
        np.testing.assert_allclose(
            function(q, velocity, torque), wanted.joint_acceleration, rtol=1e-9, atol=1e-10
        )


def test_the_chapters_accelerations():
    state = (0.4, -0.7, 0.2), (0.8, -0.5, 1.1), (4, -1, 0.3)
    got = forward_code(three_link_arm()).make()(*state)
    np.testing.assert_allclose(got, (2.023035078, -79.465503634, 175.204404572), rtol=1e-9)


def test_compiled_straight_line_code_is_the_same_function():
    code = forward_code(three_link_arm(), ("joint_acceleration",))
    state = np.array([0.4, -0.7, 0.2]), np.array([0.8, -0.5, 1.1]), np.array([4.0, -1.0, 0.3])
    plain, quick = code.make("math")(*state), code.make("numba")(*state)
    np.testing.assert_allclose(quick, plain, rtol=1e-14)


def test_what_no_output_needs_is_left_out():
    only = planar_arm_code(("pivot",))
    used = {x for _, e in only.lines for x in e.free_symbols}
    assert not {str(x) for x in used} & {"w1", "w2", "w3", "tau1", "q1", "gx", "gy"}
    assert operations(only).total < operations(planar_arm_code()).total / 2
    printed = set()
    for _, e in only.lines:
        assert e not in printed  # nothing computed twice
        printed.add(e)


class Counting:
    """A number that counts what is done to it: the other way to an operation count."""

    tally = {}

    def __init__(self, value):
        self.value = value


def _counting(name, kind, function):
    def method(self, *other):
        Counting.tally[kind] += 1
        values = [getattr(x, "value", x) for x in (self, *other)]
        if name.startswith("__r"):
            values.reverse()
        return Counting(function(*values))

    setattr(Counting, name, method)


for _kind, _ops in {"additions": ("add", "sub"), "multiplications": ("mul",)}.items():
    for _op in _ops:
        _counting(f"__{_op}__", _kind, getattr(operator, _op))
        _counting(f"__r{_op}__", _kind, getattr(operator, _op))
_counting("__truediv__", "divisions", operator.truediv)
_counting("__rtruediv__", "divisions", operator.truediv)
_counting("__neg__", "negations", operator.neg)


@pytest.mark.parametrize("code", [planar_arm_code(), forward_code(branched(3))], ids=["arm", "3d"])
def test_counts_are_what_running_the_code_does(code):
    def function(x):
        Counting.tally["functions"] += 1
        return Counting(np.cos(x.value))

    Counting.tally = dict.fromkeys(vars(Operations()), 0)
    scope = dict(sin=function, cos=function)
    exec(code.source("math"), scope)
    arguments = [
        [Counting(0.5 + 0.1 * k) for k in range(len(x))] if np.ndim(x) else Counting(0.3)
        for x in code.inputs.values()
    ]
    scope["straight_line"](*arguments)
    assert Counting.tally == vars(operations(code))


def total(counts):
    return sum(counts, Operations())


def test_counts_grow_by_the_same_for_every_link():
    totals = [operations(forward_code(uniform_chain(n))).total for n in range(3, 8)]
    assert len(set(np.diff(totals))) == 1
    stages = aba_operations(uniform_chain(7))
    assert sum(total(counts).total for counts in stages.values()) == totals[-1]
    for counts in stages.values():  # inside the chain every body costs the same
        assert len(set(counts[2:5])) == 1 and total(counts).total > 0


def test_counts_of_long_chains_are_followed_exactly():
    for method, n in ((aba_operations, 12), (crba_operations, 10)):
        direct = total(total(counts) for counts in method(uniform_chain(n)).values())
        assert chain_operations(n, method) == direct
    assert chain_operations(3) == operations(forward_code(uniform_chain(3)))
    assert chain_operations(2000).total < chain_operations(2000, crba_operations).total / 1000


def test_the_mass_matrix_route_gives_the_same_accelerations():
    tree = branched(5)
    function = _by_cholesky(tree)[1].make()
    q, velocity, torque = rng.uniform(-1, 1, (3, 5))
    wanted = forward_dynamics(tree.at(q), DynamicsLoads(velocity, torque)).joint_acceleration
    np.testing.assert_allclose(function(q, velocity, torque), wanted, rtol=1e-9, atol=1e-10)


def test_cholesky_keeps_zeros_and_costs_a_sixth_of_the_cube():
    bodies = [
        Body(parent, Revolute(), cylinder_inertia(0.3, 1, 0.04), (np.eye(3), (0.3, 0, 0)))
        for parent in (-1, 0, -1, 2)  # two arms on one fixed base do not feel each other
    ]
    symbolic, _, _ = on_symbols(Tree.build(bodies))
    keep = Names()
    L = symbolic_cholesky(mass_matrix(symbolic, keep), keep)
    assert np.all(L[2:, :2] == 0) and L[1, 0] != 0 and L[3, 2] != 0
    cost = [total(crba_operations(uniform_chain(n))["cholesky"]) for n in (3, 4, 5, 6)]
    assert set(np.diff([c.multiplications for c in cost], 3)) == {1}  # n³/6
    assert [c.functions for c in cost] == [3, 4, 5, 6]


def test_cholesky_on_numbers():
    A = rng.normal(size=(5, 5))
    A = A @ A.T + np.eye(5)
    b = rng.normal(size=5)

    def keep(x):
        return sympy.Float(x)

    L = symbolic_cholesky(A, keep)
    np.testing.assert_allclose(L.astype(float), np.linalg.cholesky(A), atol=1e-12)
    np.testing.assert_allclose(cholesky_solve(L, b, keep).astype(float), np.linalg.solve(A, b))


def test_thirty_links_cost_about_three_times_ten():
    def cost(n):
        start = time.process_time()
        code = forward_code(uniform_chain(n))
        return time.process_time() - start, code

    cost(4)  # SymPy's caches
    ten, _ = cost(10)
    thirty, code = cost(30)
    assert thirty < 12 * ten  # without names: about 3 to the power of twenty
    assert max(len(str(e)) for _, e in code.lines) < 300
    q, velocity, torque = rng.uniform(-1, 1, (3, 30))
    wanted = forward_dynamics(uniform_chain(30, angles=q), DynamicsLoads(velocity, torque))
    scale = np.abs(wanted.joint_acceleration).max()
    got = code.make()(q, velocity, torque)
    np.testing.assert_allclose(got, wanted.joint_acceleration, atol=1e-9 * scale)


def test_javascript_equals_python_on_thousands_of_states(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    cases = list(arms(3000))
    (tmp_path / "arm.mjs").write_text(planar_arm("javascript"), encoding="utf-8")
    (tmp_path / "cases.json").write_text(
        json.dumps([[np.asarray(x).tolist() for x in args] for args in cases]), encoding="utf-8"
    )
    (tmp_path / "run.mjs").write_text(
        'import { readFileSync } from "node:fs";\n'
        'import { planar_arm } from "./arm.mjs";\n'
        'const cases = JSON.parse(readFileSync("cases.json", "utf8"));\n'
        "console.log(JSON.stringify(cases.map((x) => planar_arm(...x))));\n",
        encoding="utf-8",
    )
    run = subprocess.run([node, "run.mjs"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    function = planar_arm("math")
    for args, got in zip(cases, json.loads(run.stdout), strict=True):
        for what, wanted in zip(QUANTITIES, function(*args), strict=True):
            np.testing.assert_allclose(got[what], wanted, rtol=1e-12, atol=1e-12)


def test_the_text_is_the_same_in_every_process():
    program = "from chapter_lib.codegen import planar_arm; print(planar_arm('javascript'), end='')"
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    other = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert other == planar_arm("javascript") and "Math.sin" in other


def test_floats_are_printed_to_their_last_digit():
    x = sympy.Symbol("x")
    code = straight_line({"x": x}, {"y": sympy.Float(0.1 + 0.2) * x})
    assert code.make()(1.0) == 0.1 + 0.2


def test_errors_name_what_is_wrong():
    x, y = sympy.symbols("x y")
    with pytest.raises(ValueError, match="y is used by the outputs"):
        straight_line({"x": x}, {"z": x + y})
    with pytest.raises(ValueError, match="argument target.*'fortran'"):
        planar_arm("fortran")
