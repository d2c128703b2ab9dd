"""The wrist explorer: articulated inertia under your fingers, with or without a kernel.

`WristExplorer()` in a notebook, `page()` for a web page of its own.  The browser runs mechanics
printed from the passes (`arm.js`); Python holds the same state in synced traits.
"""

import html
import json
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from .readings import sentence
from .state import CHOICES, CONTROLS, PRESETS, START

HERE = Path(__file__).parent
CSS = "".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("theme", "explorer"))
MODULE = "\n".join(
    (HERE / f"{name}.js").read_text(encoding="utf-8")
    for name in ("arm", "page", "sheet", "plot", "armpanel", "panels", "explorer")
)


class WristExplorer(anywidget.AnyWidget):
    """The worked arm with sliders, live in the browser.

    Traits, all synced: q, velocity, torque (3 each; rad, rad/s, N m), q1, q2, q3 (the entries of q,
    for links to other sliders), gravity (bool), elbow ("free", "locked"), boundary of the wrist
    ("free", "torque", "feedback", "locked"), club_mass (kg), club_length (m), armature (kg m²),
    stiffness (N m/rad), damping (N m s/rad), set_point (rad).
    Widgets linked in the browser hear every change; Python hears them when the hand has rested for
    0.15 s, since each message to the kernel costs the page about a frame.
    Raises TraitError, naming the trait and its limits, for a value outside them.
    """

    _esm = MODULE
    _css = CSS
    q = traitlets.List(traitlets.Float()).tag(sync=True)
    q1, q2, q3 = (traitlets.Float().tag(sync=True) for _ in range(3))
    velocity = traitlets.List(traitlets.Float()).tag(sync=True)
    torque = traitlets.List(traitlets.Float()).tag(sync=True)
    gravity = traitlets.Bool().tag(sync=True)
    elbow = traitlets.Enum(CHOICES["elbow"]).tag(sync=True)
    boundary = traitlets.Enum(CHOICES["boundary"]).tag(sync=True)
    club_mass = traitlets.Float().tag(sync=True)
    club_length = traitlets.Float().tag(sync=True)
    armature = traitlets.Float().tag(sync=True)
    stiffness = traitlets.Float().tag(sync=True)
    damping = traitlets.Float().tag(sync=True)
    set_point = traitlets.Float().tag(sync=True)

    def __init__(self, **state):
        unknown = sorted(state.keys() - START.keys())
        if unknown:
            raise TypeError(f"WristExplorer: unknown argument {unknown[0]!r}")
        state = {**START, **state}
        q = dict(zip(("q1", "q2", "q3"), state["q"], strict=True))
        super().__init__(**state, **q)

    @property
    def state(self):
        """The traits as a dict, as `readings.py` wants them."""
        return {name: getattr(self, name) for name in START}

    def preset(self, name):
        """Go to one of the presets (`state.PRESETS`)."""
        if name not in PRESETS:
            raise ValueError(f"argument name: expected one of {[*PRESETS]}, got {name!r}")
        with self.hold_trait_notifications():
            for trait, value in PRESETS[name].items():
                setattr(self, trait, value)

    @traitlets.validate("q", "velocity", "torque")
    def _three_numbers(self, proposal):
        name = proposal.trait.name
        values = [float(x) for x in proposal.value]
        if len(values) != 3:
            raise traitlets.TraitError(f"{name}: expected 3 numbers, got {len(values)}")
        if not np.isfinite(values).all():
            raise traitlets.TraitError(f"{name}: must be finite, got {values}")
        return values

    @traitlets.validate("club_mass", "club_length", "armature", "stiffness", "damping", "set_point")
    def _within_limits(self, proposal):
        name, value = proposal.trait.name, proposal.value
        unit, low, high = LIMITS[name]
        if not low <= value <= high:
            raise traitlets.TraitError(f"{name}: must be from {low} to {high} {unit}, got {value}")
        return value

    @traitlets.observe("q")
    def _spread(self, change):
        self.q1, self.q2, self.q3 = change.new

    @traitlets.observe("q1", "q2", "q3")
    def _gather(self, change):
        i = int(change.name[1]) - 1
        if len(self.q) == 3 and self.q[i] != change.new:
            self.q = [change.new if k == i else x for k, x in enumerate(self.q)]

    def __repr__(self):
        return f"WristExplorer: {sentence(self.state)}"

    def _repr_mimebundle_(self, **options):
        from .still import still_html

        data, metadata = super()._repr_mimebundle_(**options)
        data["text/plain"] = repr(self)
        data["text/html"] = still_html(self.state)
        return data, metadata


LIMITS = {
    name: (unit, low, high)
    for group in CONTROLS.values()
    for name, (_, unit, low, high, _) in group.items()
}


def page(path=None, **state):
    """A web page with a live explorer: needs no kernel, no server and no network.

    state: traits to start from.  Returns the HTML text, and writes it when a path is given.
    """
    title = "The wrist explorer"
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>
html {{ color-scheme: light dark; }}
@media print {{ html {{ color-scheme: light; }} }}
body {{ margin: 0; padding: 12px; background: Canvas; font-family: system-ui, sans-serif; }}
h1 {{ font-size: 20px; margin: 4px 10px 8px; }}
{CSS}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
<div id="explorer"></div>
<script type="module">
{MODULE}
window.explorer = mount(document.getElementById("explorer"), {json.dumps(state)});
</script>
</body>
</html>
"""
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text
