"""From key press to painted frame: the explorer beside an empty slider and a matplotlib slider.

`python -m tests.benchmarks.explorer` starts JupyterLab and Chromium, moves each slider 50 times by
the keyboard and drags it with a pointer that sends 60 events a second whether or not the page
follows, all in one run, and prints and writes medians and 95th percentiles.  The explorer is
measured in an ordinary window, where what is out of sight waits, and in one that shows all of it.
"""

import asyncio
import json
import os
import platform
import statistics
import tempfile
from pathlib import Path

import numpy as np
from playwright.async_api import async_playwright

from tests.browser import FLAGS, READY, chromium, jupyterlab, notebook

MOVES = 50
EVENTS, RATE = 120, 60  # of the pointer: how many, how many a second

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
# From the key's time stamp to the task after the frame that painted the changed picture.
# For matplotlib the new image may not have been decoded by then: a lower bound.
WATCH = """
([picture, handle]) => {
  window.__took = new Promise((done) => {
    let start = 0, changed = false;
    const input = document.querySelector(handle);
    const after = new MessageChannel();
    const frame = () => requestAnimationFrame(() => after.port2.postMessage(0));
    const pressed = (event) => { start = event.timeStamp; frame(); };
    input.addEventListener("keydown", pressed, { capture: true, once: true });
    const watcher = new MutationObserver(() => { changed = changed || start > 0; });
    const all = { attributes: true, childList: true, subtree: true };
    watcher.observe(document.querySelector(picture), all);
    after.port1.onmessage = () => {
      if (!changed) return frame();
      watcher.disconnect();
      done(performance.now() - start);
    };
  });
}
"""
# counts the pointer's events that the page got (it joins those of one frame) and the pictures
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
WINDOW, ALL_IN_SIGHT = {"width": 1400, "height": 1000}, {"width": 1920, "height": 1500}
PANELS, ELBOW = ".aba-explorer .panels", '[data-control="q[1]"]'
CASES = {  # what is watched, what is moved; one frame draws all of the explorer that is in sight
    "empty": (EMPTY, ".empty svg", ".empty input", WINDOW),
    "explorer": (EXPLORER, PANELS, ELBOW, WINDOW),
    "matplotlib": (MATPLOTLIB, ".picture", ".widget-hslider .noUi-handle", WINDOW),
    "empty, large window": (EMPTY, ".empty svg", ".empty input", ALL_IN_SIGHT),
    "explorer, all in sight": (EXPLORER, PANELS, ELBOW, ALL_IN_SIGHT),
}


async def opened(running, address, token, case):
    """A tab with the case's notebook, run."""
    _, picture, handle, window = CASES[case]
    tab = await running.new_page(viewport=window)
    await tab.goto(f"{address}/lab/tree/{case}.ipynb?token={token}&reset", timeout=120_000)
    await tab.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)
    await tab.evaluate(READY)
    await tab.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); }")
    await tab.wait_for_selector(handle, timeout=120_000)
    await tab.wait_for_selector(picture, timeout=120_000)
    await tab.wait_for_timeout(6000)  # JupyterLab has its start behind it
    return tab


async def keys(tab, picture, handle):
    """Milliseconds of every move by the keyboard."""
    target = tab.locator(handle)
    # JupyterLab takes arrow keys for itself unless the focused element says no
    await target.evaluate("(node) => node.setAttribute('data-lm-suppress-shortcuts', 'true')")
    await target.scroll_into_view_if_needed()
    await target.focus()
    await tab.keyboard.press("ArrowRight")
    await tab.wait_for_timeout(1500)
    took = []
    for k in range(MOVES):
        await tab.evaluate(WATCH, [picture, handle])
        await tab.keyboard.press("ArrowRight" if k % 20 < 10 else "ArrowLeft")
        took.append(await tab.evaluate("() => window.__took"))
    return took


async def drag(tab, picture, handle):
    """Events and pictures a second, and milliseconds from the last event to its answer."""
    box = await tab.locator(handle).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await tab.mouse.move(x, y)
    await tab.mouse.down()
    await tab.wait_for_timeout(500)
    await tab.evaluate(DRAG, [picture, handle])
    clock = asyncio.get_running_loop().time
    start, sent = clock(), []
    for k in range(EVENTS):
        sent.append(asyncio.create_task(tab.mouse.move(x + 60 * np.sin(k / 10), y)))
        await asyncio.sleep(max(0.0, start + (k + 1) / RATE - clock()))
    last = clock()
    await asyncio.gather(*sent)
    end = clock()
    counts = await tab.evaluate("() => window.__drag")
    await tab.mouse.up()
    seconds = end - start
    return counts["events"] / seconds, counts["pictures"] / seconds, 1000 * (end - last)


async def measure(address, token):
    """All cases in one browser: case → numbers, and the browser's version."""
    results = {}
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for case, (_, picture, handle, _) in CASES.items():
            tab = await opened(running, address, token, case)
            took = await keys(tab, picture, handle)
            events, pictures, behind = await drag(tab, picture, handle)
            results[case] = {
                "median_ms": statistics.median(took),
                "p95_ms": float(np.percentile(took, 95)),
                "drag_events_a_second": events,
                "drag_pictures_a_second": pictures,
                "behind_ms": behind,
            }
            await tab.close()
        version = running.version
        await running.close()
    return results, version


def main(out="explorer-benchmark.json"):
    """Run, print, write JSON."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, (source, *_) in CASES.items():
            notebook(folder / f"{case}.ipynb", source)
        with jupyterlab(folder) as (address, token):
            results, version = asyncio.run(measure(address, token))
    print(
        f"Chromium {version}, {platform.machine()} ({os.cpu_count()} threads), "
        f"Python {platform.python_version()}; {MOVES} moves by the keyboard, "
        f"{EVENTS} of the pointer at {RATE} a second"
    )
    for case, row in results.items():
        print(f"{case:24}" + "  ".join(f"{key} {value:6.1f}" for key, value in row.items()))
    p95 = {case: row["p95_ms"] for case, row in results.items()}
    print(
        f"95th percentile: {p95['explorer'] / p95['empty']:.2f} of the empty slider's "
        f"(target 1.25), {p95['explorer'] / p95['matplotlib']:.3f} of matplotlib's (target 0.1); "
        f"all in sight {p95['explorer, all in sight'] / p95['empty, large window']:.2f}"
    )
    Path(out).write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
