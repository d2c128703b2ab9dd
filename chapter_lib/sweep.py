"""Sweeps that outgrow one machine: rows of plain arrays, shared out over a Dask cluster.

Needs the optional extra `scale` (Dask); nothing else in the library does.
"""

import numpy as np


def sweep(client, function, *arrays, rows=10_000, bar=True):
    """`function(*arrays)` piece by piece on a cluster; the answer is that of one call.

    client: a `dask.distributed.Client`, of a local cluster or of a scheduler elsewhere.
    function: takes slices of the arrays along their first axis and returns an array, or a tuple of
    arrays, with a row for each row given, such as `partial(compiled.accelerations, tree)`.
    arrays: (k, ...) each; rows: how many a piece; bar: show progress.

    A piece that was lost with its worker is done again by another.  An error of `function` is
    raised here with the rows it came from, and what is left is cancelled.
    """
    try:
        from dask.distributed import progress
    except ImportError:
        raise ImportError(
            "sweep needs Dask: install this project with its extra `scale`, "
            "articulated-body-companion[scale]"
        ) from None
    arrays = [np.asarray(array) for array in arrays]
    lengths = {array.shape[:1] for array in arrays}
    if len(lengths) != 1 or lengths == {()}:
        shapes = [array.shape for array in arrays]
        raise ValueError(f"arguments arrays: expected the same number of rows, got shapes {shapes}")
    if isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or rows < 1:
        raise ValueError(f"argument rows: expected a whole number from 1, got {rows!r}")
    starts = range(0, max(len(arrays[0]), 1), rows)
    # every piece carries its own data, so that no worker's death can take a task's input along
    pieces = ([array[k : k + rows] for k in starts] for array in arrays)
    futures = client.map(function, *pieces, pure=False)
    try:
        if bar:
            progress(futures, notebook=False)
        results = [_result(future, k, rows) for future, k in zip(futures, starts, strict=True)]
    finally:
        client.cancel(futures)
    if isinstance(results[0], tuple):
        return tuple(np.concatenate(parts) for parts in zip(*results, strict=True))
    return np.concatenate(results)


def _result(future, first, rows):
    try:
        return future.result()
    except Exception as error:
        error.add_note(f"in the piece of the sweep that starts at row {first}, {rows} rows long")
        raise
