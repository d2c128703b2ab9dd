"""Between the compiled kernels and their callers: tables, batches, threads and refusals."""

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from . import kernels
from .aba import forward_dynamics
from .compact import pack
from .loads import DynamicsLoads
from .scalars import is_float, numbers
from .spatial import skew
from .validate import UNIT, checked_rotation

BODIES_WORTH_A_THREAD = 2000


def table_of(tree):
    """The mechanism as the kernels' table (n + 1, …), made once a tree and kept with it."""
    table = tree.__dict__.get("_table")
    if table is None:
        table = _table(tree)
        object.__setattr__(tree, "_table", table)
    return table


def _table(tree):
    base = (tree.base.inertia, tree.base.rotation) if tree.floating else ()
    if not is_float(tree.S, tree.inertia, tree.rotation0, tree.offset, *base):
        raise TypeError(
            "argument tree: compiled code runs on floats; use forward_dynamics for complex numbers "
            "and symbols"
        )
    n, turn, slide = tree.n, tree.S[:, :3], tree.S[:, 3:]
    R0T = np.swapaxes(tree.rotation0, 1, 2)
    along = turn[:, :, None] * turn[:, None, :]
    turns = turn.any(axis=1)[:, None, None]
    columns = {
        kernels.S: tree.S,
        kernels.K: np.where(turns, along @ R0T, R0T),
        kernels.P: np.where(turns, R0T - along @ R0T, 0),
        kernels.Q: -skew(turn) @ R0T,
        kernels.OFFSET: tree.offset,
        kernels.SLIDE: np.matvec(tree.rotation0, slide),
        kernels.INERTIA: pack(tree.inertia),
        kernels.DAMPING: tree.damping,
        kernels.ARMATURE: tree.armature,
        kernels.PARENT: np.array(tree.parent, dtype=float) % (n + 1),
    }
    table = np.zeros((n + 1, kernels.MECHANISM))
    for first, values in columns.items():
        width = int(np.prod(values.shape[1:]))
        table[:n, first : first + width] = values.reshape(n, width)
    if tree.floating:
        table[n, kernels.INERTIA : kernels.INERTIA + 21] = pack(tree.base.inertia)
        table[n, kernels.PARENT] = 1
    return table


def rows_of(**arrays):
    """The common batch shape, and every array as (rows, *core): one row, or one a state.

    arrays: name=(values, core shape); None stands for zeros.
    """
    given, leading = {}, {}
    for what, (values, core) in arrays.items():
        array = np.zeros(core) if values is None else numbers(values, f"argument {what}")
        if not is_float(array):
            raise TypeError(f"argument {what}: compiled code runs on floats, got {array.dtype}")
        cut = array.ndim - len(core)
        if cut < 0 or array.shape[cut:] != core:
            wanted = ", ".join(str(size) for size in core)
            raise ValueError(f"argument {what}: expected shape (..., {wanted}), got {array.shape}")
        given[what], leading[what] = array, array.shape[:cut]
    try:
        batch = np.broadcast_shapes(*leading.values())
    except ValueError:
        shapes = ", ".join(f"{what} {shape}" for what, shape in leading.items() if shape)
        raise ValueError(f"batch shapes do not broadcast: {shapes}") from None
    rows = []
    for what, array in given.items():
        core = arrays[what][1]
        once = np.prod(leading[what], dtype=int) == 1
        array = array if once else np.broadcast_to(array, (*batch, *core))
        count = 1 if once else np.prod(batch, dtype=int)
        rows.append(np.ascontiguousarray(array.reshape(count, *core)))
    return batch, rows


def on_fixed_base(tree, **base):
    """Refuse what only a floating base has."""
    for what, values in base.items():
        if values is not None and not tree.floating:
            raise ValueError(f"argument {what}: the base of this tree is fixed, leave it out")


def check_rotations(R):
    """Refuse the first of R (k, 3, 3) that is not a rotation."""
    error = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2))
    for k in np.flatnonzero((error > UNIT) | (np.linalg.det(R) < 0))[:1]:
        checked_rotation(R[k], "base", "rotation")


def spread(run, count, bodies):
    """`run(first, last)` over `count` states in as many threads as pay; its smallest answer ≥ 0.

    The answer is the first state that was refused, or −1.  Numba's own count of threads
    (NUMBA_NUM_THREADS) is the limit.
    """
    threads = min(numba.config.NUMBA_NUM_THREADS, count, count * bodies // BODIES_WORTH_A_THREAD)
    if threads <= 1:
        return run(0, count)
    bounds = [count * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        answers = list(pool.map(run, bounds[:-1], bounds[1:]))
    return min((k for k in answers if k >= 0), default=-1)


def refuse(tree, batch, k, when="", hint="are too large", rotation=None, **rows):
    """Say why state k of a batch was refused: what `forward_dynamics` says of it.

    when: where in time it happened; hint: what else may be wrong with its numbers.
    """
    state = {what: values[k if len(values) > 1 else 0] for what, values in rows.items()}
    place = tuple(int(i) for i in np.unravel_index(k, batch))
    label = when + (f"state {place if len(place) > 1 else place[0]}: " if place else "")
    if all(np.isfinite(values).all() for values in state.values()):
        turn = rotation if rotation is None else rotation[k if len(rotation) > 1 else 0]
        moved = tree.at(state.pop("q"), rotation=turn)
        try:
            with np.errstate(all="ignore"):
                forward_dynamics(moved, DynamicsLoads(**state))
        except np.linalg.LinAlgError as error:
            raise np.linalg.LinAlgError(f"{label}{error}") from None
    raise FloatingPointError(f"{label}accelerations are not finite: the numbers {hint}")
