"""Sweeps over a real cluster of two worker processes on this machine."""

import os
import signal
import tempfile
import threading
import time
from functools import partial

import numpy as np
import pytest

from chapter_lib import compiled, floating_thirty, three_link_arm
from chapter_lib.sweep import sweep

distributed = pytest.importorskip("dask.distributed")


@pytest.fixture(scope="module")
def client():
    compiled.warm()
    options = dict(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def test_the_same_numbers_and_a_bar(client, capsys):
    tree, rng = three_link_arm(), np.random.default_rng(0)
    q, qd, tau = rng.normal(size=(3, 2500, 3))
    got = sweep(client, partial(compiled.accelerations, tree), q, qd, tau, rows=400)
    np.testing.assert_array_equal(got, compiled.accelerations(tree, q, qd, tau))
    assert "100% Completed" in capsys.readouterr().out
    pair = sweep(client, partial(compiled.articulated_inertias, tree), q, rows=999, bar=False)
    for part, expected in zip(pair, compiled.articulated_inertias(tree, q), strict=True):
        np.testing.assert_array_equal(part, expected)
    assert capsys.readouterr().out == ""


def test_a_floating_tree(client):
    tree, rng = floating_thirty(), np.random.default_rng(1)
    q, qd, tau = rng.normal(size=(3, 40, 30))
    got = sweep(client, partial(compiled.accelerations, tree), q, qd, tau, rows=7, bar=False)
    for part, expected in zip(got, compiled.accelerations(tree, q, qd, tau), strict=True):
        np.testing.assert_array_equal(part, expected)


def test_a_worker_killed_half_way_loses_nothing(client, tmp_path):
    tree, count = three_link_arm(), 24
    q = np.random.default_rng(2).normal(size=(count * 10, 3))

    def slow(q):
        time.sleep(0.05)
        handle, _ = tempfile.mkstemp(prefix=f"{os.getpid()}-", dir=folder)
        os.close(handle)
        return compiled.articulated_inertias(tree, q)

    folder = str(tmp_path)
    victim = next(iter(client.run(os.getpid).values()))

    def done_by_victim():
        return [name for name in os.listdir(folder) if name.startswith(f"{victim}-")]

    def kill():
        while len(done_by_victim()) < count // 4:
            time.sleep(0.01)
        os.kill(victim, getattr(signal, "SIGKILL", signal.SIGTERM))

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    IA, d = sweep(client, slow, q, rows=10, bar=False)
    killer.join(timeout=60)
    assert not killer.is_alive()
    assert victim not in client.run(os.getpid).values()
    assert len(os.listdir(folder)) >= count
    expected = compiled.articulated_inertias(tree, q)
    np.testing.assert_array_equal(IA, expected[0])
    np.testing.assert_array_equal(d, expected[1])


def test_errors_come_back_with_their_rows(client):
    tree, rest = three_link_arm(), np.zeros((30, 3))
    q = rest.copy()
    q[17, 1] = np.nan
    with pytest.raises(ValueError, match="argument q: must be finite") as caught:
        sweep(client, partial(compiled.accelerations, tree), q, rest, rest, rows=5, bar=False)
    assert "starts at row 15" in caught.value.__notes__[0]
    with pytest.raises(ValueError, match="same number of rows"):
        sweep(client, np.add, np.zeros(3), np.zeros(4))
    with pytest.raises(ValueError, match="argument rows"):
        sweep(client, np.sin, np.zeros(3), rows=0)
