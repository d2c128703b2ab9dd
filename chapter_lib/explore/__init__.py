"""Widgets: pictures under your fingers.

What can be computed in the browser is; what needs Python sends numbers, not pictures.
"""

from importlib import import_module

_HOME = {
    "live_plot": "live",
    "LivePlot": "live",
    "LiveView": "live",
    "WristExplorer": "wrist",
    "page": "wrist",
    "PassStepper": "stepper",
}


def __getattr__(name):
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_HOME])
