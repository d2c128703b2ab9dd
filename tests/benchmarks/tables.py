"""The rows of the benchmark: what is timed, on which mechanism, and whether it agrees."""

import mujoco
import numpy as np
import pinocchio as pin
from scipy.linalg import cho_factor, cho_solve

from chapter_lib import (
    Body,
    DynamicsLoads,
    Revolute,
    Tree,
    bias_force,
    compiled,
    cylinder_inertia,
    forward_dynamics,
    mass_matrix,
    mass_matrix_by_columns,
    three_link_arm,
    uniform_chain,
)
from chapter_lib.batches import table_of
from chapter_lib.codegen import forward_code, planar_arm
from chapter_lib.interop import mujoco_data, to_mujoco, to_pinocchio
from chapter_lib.kernels import WORK

from .race import agree, race

ARM = dict(lengths=(0.4, 0.3, 0.25), masses=(2.0, 1.2, 0.6), radius=0.025)
GRAVITY = (0.0, -9.81, 0.0)


def chain_in_space(n):
    """n cylinders of 0.15 m and 0.4 kg, hinged about z and y in turn, at q_j = 0.3 sin j."""
    link, end = cylinder_inertia(0.15, 0.4, 0.02), (np.eye(3), (0.15, 0.0, 0.0))
    axes = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)
    bodies = [Body(i - 1, Revolute(axes[i % 2]), link, end if i else None) for i in range(n)]
    return Tree.build(bodies, 0.3 * np.sin(np.arange(1, n + 1)))


def row(work, model, quantity, times, errors, baseline="pin.aba", **more):
    return dict(
        work=work, model=model, quantity=quantity, baseline=baseline, errors=errors,
        seconds={name: least for name, (least, _) in times.items()},
        medians={name: median for name, (_, median) in times.items()}, **more,
    )  # fmt: skip


def show(row):
    """Print one row: time, and how many times the baseline's."""
    print(f"\n{row['work']}: {row['model']}; {row['quantity']}")
    if row["errors"]:
        print("  answers agree to " + f"{max(row['errors'].values()):.1e}")
    base = row["seconds"].get(row["baseline"])
    for name, seconds in row["seconds"].items():
        ratio = f"{seconds / base:9.3f} × {row['baseline']}" if base else ""
        print(f"  {name:<36}{seconds * 1e6:14.2f} µs{ratio}")
    for name in ("slope", "bytes a body", "target"):
        if name in row:
            print(f"  {name}: {row[name]}")


def one_call(budget):
    """One state, one call from Python."""
    arm, state = three_link_arm(), [np.array(x) for x in ((0.8, -0.5, 1.1), (4.0, -1.0, 0.3))]
    yield _one_call(arm, *state, "the worked arm", budget, _generated(arm, *state))
    for n in (3, 10, 30, 100):
        rng = np.random.default_rng(n)
        yield _one_call(chain_in_space(n), *rng.uniform(-1, 1, (2, n)), "chain in space", budget)


def _one_call(tree, qd, tau, name, budget, more=None):
    q, loads, n = np.array(tree.angles), DynamicsLoads(qd, tau), tree.n
    model, (_, mj) = to_pinocchio(tree), to_mujoco(tree)
    data, mj_data = model.createData(), mujoco_data(tree, loads, mj)

    def mj_forward():
        mujoco.mj_forward(mj, mj_data)
        return mj_data.qacc

    runners = {
        "pin.aba": lambda: pin.aba(model, data, q, qd, tau),
        "compiled": lambda: compiled.accelerations(tree, q, qd, tau),
        **(more or {}),
        "mj_forward": mj_forward,
        "readable": lambda: forward_dynamics(tree, loads).joint_acceleration,
        "mass matrix, Cholesky": lambda: cho_solve(
            cho_factor(mass_matrix(tree)), tau - bias_force(tree, loads)
        ),
    }
    if n <= 30:
        runners["mass matrix by columns, Cholesky"] = lambda: cho_solve(
            cho_factor(mass_matrix_by_columns(tree)), tau - bias_force(tree, loads)
        )
    errors = agree({name: np.array(run()) for name, run in runners.items()}, 1e-9)
    times = race(runners, budget)
    target = "compiled at most 1.5 × pin.aba" if n == 3 else "compiled no slower than pin.aba"
    if name == "the worked arm":
        target += "; generated faster; readable at most 87 × (35 µs a body where it takes 1.2 µs)"
    return row("one call", f"{name}, n = {n}", "time a call", times, errors, target=target)


def _generated(tree, qd, tau):
    """Straight-line code for this arm: its constants folded in, interpreted and compiled."""
    code = forward_code(tree, ("joint_acceleration",))
    plain, quick = code.make("math"), code.make("numba")
    numbers = [x.tolist() for x in (tree.angles, qd, tau)]
    return {
        "generated": lambda: plain(*numbers),
        "generated, Numba": lambda: quick(tree.angles, qd, tau),
    }


def batch(budget):
    """100,000 states of the worked arm."""
    tree, count = three_link_arm(), 100_000
    q, qd, tau = np.random.default_rng(0).uniform(-1, 1, (3, count, 3))
    model = to_pinocchio(tree)
    data = model.createData()

    def loop():
        out = np.empty((count, 3))
        for k in range(count):
            out[k] = pin.aba(model, data, q[k], qd[k], tau[k])
        return out

    runners = {
        "loop over pin.aba": loop,
        "compiled": lambda: compiled.accelerations(tree, q, qd, tau),
    }
    function = planar_arm("numpy", ("joint_acceleration",))
    lengths, masses, radius = (np.array(x) for x in ARM.values())
    state = q, qd, tau, np.array(GRAVITY), np.zeros(3)
    runners["generated, NumPy"] = lambda: function(lengths, masses, radius, *state)
    errors = agree({name: run() for name, run in runners.items()}, 1e-9)
    times = {name: (a / count, b / count) for name, (a, b) in race(runners, 2 * budget).items()}
    yield row(
        "100,000 states", "the worked arm, n = 3", "time a state", times, errors,
        "loop over pin.aba", target="compiled at most 0.25 × the loop",
    )  # fmt: skip


def trajectory(budget):
    """Four links, RK4."""
    tree, dt = uniform_chain(4, angles=(0.4, -0.2, 0.3, -0.1)), 1e-5
    start = np.array(tree.angles), np.zeros(4)
    model, (_, mj) = to_pinocchio(tree), to_mujoco(tree, timestep=dt)
    data, mj_data = model.createData(), mujoco_data(tree, DynamicsLoads(start[1]), mj)
    # about half a second of each, so that all three meet the same luck
    steps = {"loop over pin.aba": 20_000, "compiled": 200_000, "mj_step": 60_000}

    def loop():
        q, v = start
        tau, h = np.zeros(4), dt
        for _ in range(steps["loop over pin.aba"]):
            k1 = pin.aba(model, data, q, v, tau)
            v2 = v + h / 2 * k1
            k2 = pin.aba(model, data, q + h / 2 * v, v2, tau)
            v3 = v + h / 2 * k2
            k3 = pin.aba(model, data, q + h / 2 * v2, v3, tau)
            v4 = v + h * k3
            k4 = pin.aba(model, data, q + h * v3, v4, tau)
            q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
            v = v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return q

    def mj_steps(count=steps["mj_step"]):
        mj_data.qpos[:], mj_data.qvel[:] = start
        mujoco.mj_step(mj, mj_data, count)
        return mj_data.qpos.copy()

    def march(count=steps["compiled"]):
        return compiled.simulate(tree, *start, dt, count, every=count).angles[-1]

    few = steps["loop over pin.aba"]
    answers = {"loop over pin.aba": loop(), "compiled": march(few), "mj_step": mj_steps(few)}
    errors = agree(answers, 1e-9)
    runners = {"loop over pin.aba": loop, "compiled": march, "mj_step": mj_steps}
    times = race(runners, 5 * budget)
    times = {name: tuple(t / steps[name] for t in pair) for name, pair in times.items()}
    yield row(
        "200,000 steps of RK4", "four cylinders, n = 4", "time a step", times, errors,
        "loop over pin.aba", target="compiled at most 0.1 × the loop and no slower than mj_step",
    )  # fmt: skip


def scaling(budget):
    """How cost grows with the number of links."""
    sizes, runners = (10, 30, 100, 300, 1000, 3000, 10_000), {}
    used = {}
    for n in sizes:
        tree = chain_in_space(n)
        state = np.array(tree.angles), *np.random.default_rng(n).uniform(-1e-3, 1e-3, (2, n))
        runners[f"n = {n}"] = lambda x=(tree, *state): compiled.accelerations(*x)
        used[n] = table_of(tree).nbytes + 8 * (n + 1) * WORK
    times = race(runners, 2 * budget)
    least = np.log([times[f"n = {n}"][0] for n in sizes])
    slope = float(np.polyfit(np.log(sizes), least, 1)[0])
    yield row(
        "n = 10 … 10,000", "chain in space", "time a call", times, {}, "",
        slope=round(slope, 3), **{"bytes a body": {n: round(b / n) for n, b in used.items()}},
        target="slope of log time against log n 1.0 ± 0.1; bytes a body constant",
    )  # fmt: skip


ALL = (one_call, batch, trajectory, scaling)
