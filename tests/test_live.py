"""`live_plot`: plain callbacks, one picture, words for those without a kernel or without eyes."""

import json
from pathlib import Path

import ipywidgets
import numpy as np
import pytest

from chapter_lib.explore import live, live_plot
from chapter_lib.explore.live import NOT_YET, picture_of, plain_picture, static_html
from tests.browser import browser, quiet_page


def compute(a, n):
    x = np.linspace(0, 1, 5)
    return dict(
        curves=[dict(x=x, y=a * x, label="line"), dict(x=x, y=x**n)],
        marks=[dict(x=0.5, y=np.float64(a) / 2)],
        say=f"a is {a:.2f} and n is {n}.",
    )


@pytest.fixture
def plot():
    return live_plot(compute, a=(-1.0, 2.0, 0.5, "slope a", "m"), n=(1, 4, 2))


def test_sliders_have_names_units_and_kinds(plot):
    assert plot.sliders["a"].description == "slope a (m)"
    assert isinstance(plot.sliders["a"], ipywidgets.FloatSlider)
    assert isinstance(plot.sliders["n"], ipywidgets.IntSlider)
    assert plot.values == dict(a=0.5, n=2)


def test_a_move_replaces_the_numbers_and_never_adds_a_picture(plot):
    children = plot.children
    plot.sliders["a"].value = 1.5
    assert plot.picture["say"] == "a is 1.50 and n is 2."
    assert plot.picture["curves"][0]["y"][-1] == 1.5
    for value in np.linspace(-1, 2, 20):
        plot.sliders["a"].value = value
    assert plot.children == children
    assert len(plot.picture["curves"]) == 2


def test_what_is_sent_is_plain(plot):
    json.dumps(plot.picture)
    styles = {(c["color"], c["style"]) for c in plot.picture["curves"]}
    assert len(styles) == 2
    assert plain_picture(dict(curves=[dict(x=[0.0], y=[np.nan])]))["curves"][0]["y"] == [None]


def test_an_unfinished_function_says_so():
    def later(a):
        raise NotImplementedError

    plot = live_plot(later, a=(0, 5, 1))
    assert repr(plot) == NOT_YET
    assert "<img" not in plot._repr_mimebundle_()["text/html"]


def test_a_failing_function_shows_its_own_words():
    picture = picture_of(lambda a: 1 / a, dict(a=0))
    assert picture["say"] == "ZeroDivisionError: division by zero"
    assert picture["curves"] == []


def test_without_a_kernel_there_is_a_picture_with_words(plot):
    shown = plot._repr_mimebundle_()
    assert shown["text/plain"] == "a is 0.50 and n is 2."
    assert 'alt="a is 0.50 and n is 2."' in shown["text/html"]
    assert "data:image/png;base64," in shown["text/html"]


def test_every_kind_of_mark_can_be_drawn():
    picture = plain_picture(
        dict(
            arms=[dict(x=[0, 1], y=[0, 1])],
            arrows=[dict(x=0, y=0, dx=1, dy=0.5, label="F")],
            bars=[dict(label="b", value=-2)],
            curves=[dict(x=[1, 10], y=[1, 100], style="points")],
            xlog=True, ylog=True, equal=False, xlabel="x (m)", ylim=(0.1, 200), say="all",
        )
    )  # fmt: skip
    assert "<img" in static_html(picture, {})


# a page with one view; `show(picture)` gives it numbers as a kernel would
PAGE = """
<style>{css}</style><body></body><script>{js}
  let picture = {picture}, heard;
  const model = {{ get: () => picture, on: (_, f) => {{ heard = f; }}, off() {{}} }};
  live.render({{ model, el: document.body }});
  window.show = (next) => {{ picture = next; heard(); }};
</script>
"""
# the boxes of names and ticks, in the picture's own coordinates
TEXTS = """
() => [...document.querySelectorAll('svg text')].map((t) => {
  const { x, y, width, height } = t.getBBox();
  return [t.textContent, x, y, x + width, y + height];
})
"""


def test_names_keep_off_the_lines_and_short_log_axes_have_ticks():
    def plain(slope, **axes):
        x = np.linspace(1, 6, 30)
        return plain_picture(dict(curves=[dict(x=x, y=x**slope, label="a line")], say="", **axes))

    here = Path(live.__file__).parent
    js, css = ((here / f"live.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    js = js.replace("export default", "window.live =")
    errors = []
    with browser() as running:
        tab = quiet_page(running, errors, viewport={"width": 760, "height": 500})
        first = json.dumps(plain(2.0, xlog=True, ylog=True))
        tab.set_content(PAGE.format(css=css, js=js, picture=first))
        shown = {text: box for text, *box in tab.evaluate(TEXTS)}
        assert {"1", "2", "5", "10", "20"} <= shown.keys()
        assert shown["a line"][2] < 200  # a line that rises leaves the upper left free
        tab.evaluate("(picture) => show(picture)", plain(-2.0))
        shown = {text: box for text, *box in tab.evaluate(TEXTS)}
        assert shown["a line"][0] > 500 or shown["a line"][1] > 200  # one that falls does not
        assert tab.locator("svg").count() == 1 and not errors
