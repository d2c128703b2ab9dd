"""Timing side by side: everything in turn, again and again, so that all meet the same machine."""

import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numba
import numpy as np

PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "pin", "mujoco", "sympy")
SETTINGS = ("OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "NVPL_BLAS_DEBUG_CPU_TYPE")


def machine():
    """What has to be said beside any time: processor, threads, versions, settings."""
    return dict(
        processor=_processor(),
        cores=os.cpu_count(),
        threads=numba.config.NUMBA_NUM_THREADS,
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        system=platform.platform(),
        python=platform.python_version(),
        versions={name: _version(name) for name in PACKAGES},
        settings={name: os.environ.get(name) for name in SETTINGS},
    )


def race(runners, budget):
    """Times in s a call, {name: (least, median)}, after one call of each to warm up.

    budget: s for all of it.  Each round gives every runner about the same time.
    """
    calls = {}
    for name, run in runners.items():
        run()
        begin = time.perf_counter()
        run()
        calls[name] = max(1, int(2e-2 / (time.perf_counter() - begin)))
    times = {name: [] for name in runners}
    end = time.perf_counter() + budget
    while time.perf_counter() < end or len(next(iter(times.values()))) < 3:
        for name, run in runners.items():
            begin = time.perf_counter()
            for _ in range(calls[name]):
                run()
            times[name].append((time.perf_counter() - begin) / calls[name])
    return {name: (min(t), float(np.median(t))) for name, t in times.items()}


def agree(answers, tolerance):
    """Compare {name: accelerations} with the first; returns the errors, or says who differs."""
    names = list(answers)
    expected = np.asarray(answers[names[0]])
    scale = np.abs(expected).max()
    errors = {name: float(np.abs(answers[name] - expected).max() / scale) for name in names[1:]}
    wrong = {name: error for name, error in errors.items() if not error < tolerance}
    if wrong:
        raise SystemExit(f"answers differ from {names[0]}: {wrong}")
    return errors


def _processor():
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None
