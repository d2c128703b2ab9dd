"""Sliders tied to one picture that Python feeds with numbers.

`live_plot(compute, q2=(-2, 2, 0.4, "elbow angle q₂", "rad"))` makes one slider for each keyword and
one SVG view in the browser.  At every move the plain function `compute` is called with the sliders'
values and its numbers are sent; nothing ever adds a second plot.
"""

import base64
import html
import io
from pathlib import Path

import anywidget
import ipywidgets
import numpy as np
import traitlets

from .. import draw

HERE = Path(__file__).parent
NOT_YET = "This picture comes alive once the functions above are right."
COLORS = dict(
    blue=draw.BLUE,
    orange=draw.ORANGE,
    green=draw.GREEN,
    red=draw.RED,
    purple=draw.PURPLE,
    sky=draw.SKY,
    grey=draw.GREY,
    black=draw.BLACK,
)
CYCLE = ("blue", "red", "green", "orange", "purple", "sky")
DASHES = ("solid", "dashed", "dotted", "dashdot")


class LiveView(anywidget.AnyWidget):
    """One SVG view; `picture` is what `compute` returned, made plain (see `plain_picture`)."""

    _esm = HERE / "live.js"
    _css = HERE / "live.css"
    picture = traitlets.Dict().tag(sync=True)


class LivePlot(ipywidgets.VBox):
    """Sliders and the view they drive: `values` are the sliders', `picture` what is shown."""

    def __init__(self, compute, sliders):
        self.compute = compute
        self.sliders = {name: _slider(name, *spec) for name, spec in sliders.items()}
        self.view = LiveView()
        super().__init__([*self.sliders.values(), self.view])
        for slider in self.sliders.values():
            slider.observe(self.update, "value")
        self.update()

    @property
    def values(self):
        """The sliders' values by name."""
        return {name: slider.value for name, slider in self.sliders.items()}

    @property
    def picture(self):
        """What the view shows: plain lists and words."""
        return self.view.picture

    def update(self, _change=None):
        """Compute again and send the numbers; an unfinished or failing function shows as words."""
        self.view.picture = picture_of(self.compute, self.values)

    def __repr__(self):
        return self.picture["say"]

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        bundle["text/plain"] = repr(self)
        bundle["text/html"] = static_html(self.picture, self.values)
        return bundle


def live_plot(compute, **sliders):
    """A `LivePlot`: `compute(**values)` drawn anew at every move of a slider.

    sliders: name = (low, high, start, label, unit); whole numbers make a slider of whole numbers.
    compute returns a dict with any of curves, arms, marks, arrows, bars (lists of dicts), xlabel,
    ylabel, title, equal, xlim, ylim, xlog, ylog, and `say`, one sentence with the numbers.  It may
    raise NotImplementedError: the view then says that it waits for the functions above.
    """
    return LivePlot(compute, sliders)


def picture_of(compute, values):
    """What `compute` gives for these values, as plain lists and words; never raises."""
    try:
        return plain_picture(compute(**values))
    except NotImplementedError:
        return plain_picture(dict(say=NOT_YET))
    except Exception as error:  # a student's function: say what it said
        return plain_picture(dict(say=f"{type(error).__name__}: {error}"))


def plain_picture(picture):
    """The same picture in what JSON can carry, with colours, dashes and the sentence filled in."""
    picture = {key: _plain(value) for key, value in picture.items()}
    curves = picture.setdefault("curves", [])
    for k, curve in enumerate(curves):
        curve.setdefault("color", CYCLE[k % len(CYCLE)])
        curve.setdefault("style", DASHES[k % len(DASHES)])
    for kind, color in (("arms", "sky"), ("marks", "red"), ("arrows", "purple"), ("bars", "blue")):
        for item in picture.setdefault(kind, []):
            item.setdefault("color", color)
    for kind in ("curves", "arms", "marks", "arrows", "bars"):
        for item in picture[kind]:
            item["color"] = COLORS.get(item["color"], item["color"])
    picture.setdefault("say", "")
    return picture


def static_html(picture, values):
    """The picture for readers without a kernel: an image with the sentence as its text."""
    say = html.escape(picture["say"], quote=True)
    if not any(picture[kind] for kind in ("curves", "arms", "marks", "arrows", "bars")):
        return f"<p>{say}</p>"
    buffer = io.BytesIO()
    _figure(picture).savefig(buffer, format="png", dpi=120, facecolor="white")
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    at = ", ".join(f"{name} = {value:g}" for name, value in values.items())
    return (
        f'<img alt="{say}" width="640" style="max-width:100%" src="data:image/png;base64,{data}">'
        f"<p>{say} <i>(At {html.escape(at)}; run the notebook to move the sliders.)</i></p>"
    )


def _figure(picture):
    styles = dict(solid="-", dashed="--", dotted=":", dashdot="-.", points="none")
    fig, ax = draw.figure(6.6, 3.4)
    for bar_index, bar in enumerate(picture["bars"]):
        ax.bar(bar_index, bar["value"], color=bar["color"], width=0.6)
    if picture["bars"]:
        ax.set_xticks(range(len(picture["bars"])), [bar["label"] for bar in picture["bars"]])
    for arm in picture["arms"]:
        ax.plot(arm["x"], arm["y"], color=arm["color"], lw=7, linestyle="-",
                solid_capstyle="round", marker="o", ms=6, mfc="white", mec=draw.BLACK)  # fmt: skip
    for curve in picture["curves"]:
        marker = "o" if curve["style"] == "points" else None
        look = dict(color=curve["color"], linestyle=styles[curve["style"]], marker=marker)
        ax.plot(curve["x"], curve["y"], label=curve.get("label"), **look)
    for mark in picture["marks"]:
        ax.plot(mark["x"], mark["y"], "o", ms=8, color=mark["color"])
        ax.annotate(mark.get("label", ""), (mark["x"], mark["y"]), xytext=(6, 6),
                    textcoords="offset points")  # fmt: skip
    for arrow in picture["arrows"]:
        tip = (arrow["x"] + arrow["dx"], arrow["y"] + arrow["dy"])
        ax.annotate("", tip, (arrow["x"], arrow["y"]),
                    arrowprops=dict(arrowstyle="-|>", color=arrow["color"], lw=2))  # fmt: skip
        ax.annotate(arrow.get("label", ""), tip, xytext=(4, 4), textcoords="offset points")
        ax.update_datalim([tip])
    if picture.get("xlog"):
        ax.set_xscale("log")
    if picture.get("ylog"):
        ax.set_yscale("log")
    if picture.get("equal"):
        framed = picture.get("xlim") and picture.get("ylim")
        ax.set_aspect("equal", adjustable="box" if framed else "datalim")
    for key in ("xlabel", "ylabel", "title", "xlim", "ylim"):
        if picture.get(key):
            ax.set(**{key: picture[key]})
    if any(curve.get("label") for curve in picture["curves"]):
        ax.legend()
    return fig


def _slider(name, low, high, start, label=None, unit=""):
    whole = all(isinstance(x, (int, np.integer)) for x in (low, high, start))
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    options = {} if whole else dict(step=(high - low) / 200, readout_format=".3f")
    return kind(
        value=start,
        min=low,
        max=high,
        description=f"{label or name}" + (f" ({unit})" if unit else ""),
        style=dict(description_width="16em"),
        layout=ipywidgets.Layout(width="min(40em, 98%)"),
        **options,
    )


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None  # a gap in the curve
    return value
