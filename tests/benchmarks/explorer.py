"""From key press to painted frame: the explorer beside an empty slider and a matplotlib slider.

`python -m tests.benchmarks.explorer` starts JupyterLab and Chromium, moves each slider 50 times by
the keyboard and drags it, all in one run, and prints and writes medians and 95th percentiles.
"""

import json
import os
import platform
import statistics
import tempfile
from pathlib import Path

import numpy as np

from tests.browser import browser, command, jupyterlab, notebook, open_notebook, quiet_page

MOVES = 50

EMPTY = '''
import anywidget

class Empty(anywidget.AnyWidget):
    _esm = """
    function render({ el }) {
      el.innerHTML = `<div class="empty"><input type="range" min="0" max="300" value="150">
        <svg viewBox="0 0 300 40" width="300"><circle r="8" cy="20" cx="150"/></svg></div>`;
      const [input, dot] = [el.querySelector("input"), el.querySelector("circle")];
      input.addEventListener("input", () => requestAnimationFrame(() => {
        dot.setAttribute("cx", input.value);
        el.firstChild.dataset.drawn = Number(el.firstChild.dataset.drawn || 0) + 1;
      }));
    }
    export default { render };
    """

Empty()
'''
EXPLORER = "from chapter_lib.explore import WristExplorer\nWristExplorer(elbow='free')"
MATPLOTLIB = """
import io
import ipywidgets
import numpy as np
from IPython.display import Image, clear_output, display
from matplotlib.figure import Figure
from chapter_lib import mass_matrix, three_link_arm

slider, out = ipywidgets.IntSlider(20, -150, 150), ipywidgets.Output()
out.add_class("picture")
angles = np.linspace(-3, 3, 60)

def draw(_=None):
    rows = [mass_matrix(three_link_arm((0.4, slider.value / 100, q3)))[0, 0] for q3 in angles]
    figure = Figure(figsize=(5, 3))
    figure.subplots().plot(angles, rows)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    with out:
        clear_output(wait=True)
        display(Image(buffer.getvalue()))

slider.observe(draw, "value")
draw()
ipywidgets.VBox([slider, out])
"""
# From the key's time stamp to the task after the frame in which the picture changed was painted.
# For matplotlib it ends when the new image is in the page, before it is decoded: a lower bound.
WATCH = """
([picture, handle]) => {
  window.__took = new Promise((done) => {
    let start = 0;
    const input = document.querySelector(handle);
    const pressed = (event) => { start = event.timeStamp; };
    input.addEventListener("keydown", pressed, { capture: true, once: true });
    const after = new MessageChannel();
    after.port1.onmessage = () => done(performance.now() - start);
    const watcher = new MutationObserver(() => {
      if (!start) return; // the end of an earlier picture
      watcher.disconnect();
      after.port2.postMessage(0);
    });
    const all = { attributes: true, childList: true, subtree: true };
    watcher.observe(document.querySelector(picture), all);
  });
}
"""
# counts the pointer's own events and the pictures painted while dragging
DRAG = """
([picture, handle]) => {
  window.__drag = { events: 0, pictures: 0 };
  const moved = () => { window.__drag.events += 1; };
  document.addEventListener("pointermove", moved, true);
  let due = false;
  const painted = () => { due = false; window.__drag.pictures += 1; };
  const watcher = new MutationObserver(() => {
    if (!due) requestAnimationFrame(painted);
    due = true;
  });
  const all = { attributes: true, childList: true, subtree: true };
  watcher.observe(document.querySelector(picture), all);
}
"""
CASES = {  # what is watched, what is moved; one frame draws all of the explorer that is in sight
    "empty": (EMPTY, ".empty svg", ".empty input"),
    "explorer": (EXPLORER, ".aba-explorer .panels", '[data-control="q[1]"]'),
    "matplotlib": (MATPLOTLIB, ".picture", ".widget-hslider .noUi-handle"),
}


def measure(tab, picture, handle):
    """Milliseconds of every move by the keyboard, and what dragging gave."""
    target = tab.locator(handle)
    # JupyterLab takes arrow keys for itself unless the focused element says no
    target.evaluate("(node) => node.setAttribute('data-lm-suppress-shortcuts', 'true')")
    target.scroll_into_view_if_needed()
    target.focus()
    tab.keyboard.press("ArrowRight")
    tab.wait_for_timeout(1500)
    took = []
    for k in range(MOVES):
        tab.evaluate(WATCH, [picture, handle])
        tab.keyboard.press("ArrowRight" if k % 20 < 10 else "ArrowLeft")
        took.append(tab.evaluate("() => window.__took"))
    tab.evaluate(DRAG, [picture, handle])
    box = target.bounding_box()
    x = box["x"] + box["width"] / 2
    y = box["y"] + box["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    start = tab.evaluate("() => performance.now()")
    for k in range(120):
        tab.mouse.move(x + 60 * np.sin(k / 10), y)
    seconds = (tab.evaluate("() => performance.now()") - start) / 1000
    tab.mouse.up()
    tab.wait_for_timeout(1000)
    drag = tab.evaluate("() => window.__drag")
    return {
        "median_ms": statistics.median(took),
        "p95_ms": float(np.percentile(took, 95)),
        "drag_events_a_second": drag["events"] / seconds,
        "drag_pictures_a_second": drag["pictures"] / seconds,
    }


def main(out="explorer-benchmark.json"):
    """Run, print, write JSON."""
    results = {}
    with browser() as chromium, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, (source, _, _) in CASES.items():
            notebook(folder / f"{case}.ipynb", source)
        with jupyterlab(folder) as (address, token):
            for case, (_, picture, handle) in CASES.items():
                tab = quiet_page(chromium, [], viewport={"width": 1400, "height": 1000})
                open_notebook(tab, address, token, f"{case}.ipynb")
                command(tab, "notebook:run-all-cells")
                tab.wait_for_selector(handle, timeout=120_000)
                tab.wait_for_selector(picture, timeout=120_000)
                tab.wait_for_timeout(2000)
                results[case] = measure(tab, picture, handle)
                tab.close()
        version = chromium.version
    print(
        f"Chromium {version}, {platform.machine()} ({os.cpu_count()} threads), "
        f"Python {platform.python_version()}; {MOVES} moves by the keyboard"
    )
    for case, row in results.items():
        print(f"{case:12}" + "  ".join(f"{key} {value:7.1f}" for key, value in row.items()))
    empty, ours, other = (results[case]["p95_ms"] for case in CASES)
    print(
        f"95th percentile: {ours / empty:.2f} of the empty slider's (target 1.25), "
        f"{ours / other:.3f} of matplotlib's (target 0.1)"
    )
    Path(out).write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
