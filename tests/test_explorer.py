"""The wrist explorer: its mathematics in Python, its script, and the page as readers see it."""

import re

import numpy as np
import pytest
import traitlets

from chapter_lib import (
    DynamicsLoads,
    bias_force,
    forward_dynamics,
    mass_matrix,
    three_link_arm,
)
from chapter_lib.explore import WristExplorer, page
from chapter_lib.explore import readings as r
from chapter_lib.explore.arm import FILE, generated_javascript
from chapter_lib.explore.state import CHOICES, CONTROLS, PRESETS, START
from chapter_lib.explore.still import alternative_text, still_html

from .browser import browser, command, jupyterlab, notebook, open_notebook, quiet_page, readings

rng = np.random.default_rng(5)
MIXED = {
    **START,
    "q": [0.3, -1.1, 0.9],
    "velocity": [0.4, -0.3, 0.7],
    "gravity": True,
    "elbow": "free",
    "armature": 0.004,
    "club_mass": 0.9,
    "club_length": 0.33,
    "damping": 0.05,
    "set_point": -0.4,
}


# the mathematics


def test_what_the_shoulder_and_the_elbow_feel_on_the_worked_arm():
    felt = {name: round(value, 4) for name, value in r.felt(START).items()}
    assert felt == dict(both_locked=0.8148, wrist_free=0.5196, elbow_free=0.2682, both_free=0.2604)
    locked, free = r.felt_at_joints(START)["elbow"]
    result = forward_dynamics(three_link_arm(), DynamicsLoads(np.zeros(3)))
    assert free == pytest.approx(result.pivot[1]) and round(free, 4) == 0.0516
    assert (
        locked == pytest.approx(mass_matrix(three_link_arm())[1, 1]) and round(locked, 4) == 0.1469
    )


def test_instants_are_those_of_the_constrained_equations_of_motion():
    for elbow in CHOICES["elbow"]:
        state = {**MIXED, "elbow": elbow}
        tree = r.arm_of(state)
        M = mass_matrix(tree)
        for boundary, now in r.instants(state).items():
            locked = r.locked_joints(state, boundary)
            free = [i for i in range(3) if i not in locked]
            qd = np.array(state["velocity"])
            qd[list(locked)] = 0
            h = bias_force(tree, DynamicsLoads(qd))
            qdd = now["qdd"]
            tau = M @ qdd + h
            assert now["torque"] == pytest.approx(tau[2])
            wanted = np.array([*state["torque"][:2], now["torque"]])
            np.testing.assert_allclose(tau[free], wanted[free], atol=1e-9)
            assert not qdd[list(locked)].any()


def test_feedback_at_its_set_point_and_at_rest_is_the_free_wrist():
    now = r.instants({**START, "set_point": START["q"][2], "stiffness": 40.0})
    np.testing.assert_allclose(now["feedback"]["qdd"], now["free"]["qdd"], rtol=1e-12)
    later = r.instants({**START, "set_point": 0.5})
    assert abs(later["feedback"]["qdd"][2] - later["free"]["qdd"][2]) > 1


def test_the_chapters_state_is_a_preset():
    state = {**START, **PRESETS["Chapter's worked state"]}
    qdd = r.instants(state)["torque"]["qdd"]
    np.testing.assert_allclose(qdd, (2.023035078, -79.465503634, 175.204404572), rtol=1e-9)


@pytest.mark.parametrize("elbow", CHOICES["elbow"])
def test_apparent_inertia_has_the_locked_and_the_free_value_as_limits(elbow):
    state = {**MIXED, "elbow": elbow, "damping": 0.001}
    locked, free = r.felt_now(state)
    slow, fast = r.apparent_inertia(state, [1e-4, 1e6])
    assert slow == pytest.approx(locked, rel=1e-6) and fast == pytest.approx(free, rel=1e-6)
    peak = r.resonance(state)
    near = np.abs(r.apparent_inertia(state, peak * np.array([0.9, 1, 1.1])))
    assert near[1] > near[0] and near[1] > near[2] and near[1] > 3 * locked


@pytest.mark.parametrize("elbow", CHOICES["elbow"])
def test_apparent_inertia_by_the_equations_of_motion(elbow):
    # another route: M q̈ = τ with the controller's torque, solved at s = iω for a unit q̈₁
    state = {**MIXED, "elbow": elbow}
    M = mass_matrix(r.arm_of(state))
    free = [0, 2] if elbow == "locked" else [0, 1, 2]
    for w in (3.0, 25.0, 400.0):
        s = 1j * w
        D = M[np.ix_(free, free)].astype(complex)
        D[-1, -1] += (state["stiffness"] + state["damping"] * s) / s**2
        distal = np.linalg.solve(D[1:, 1:], -D[1:, 0])
        assert r.apparent_inertia(state, w)[0] == pytest.approx(D[0, 0] + D[0, 1:] @ distal)


def test_composite_is_a_circle_and_the_articulated_blocks_lie_inside():
    for _ in range(20):
        state = {**MIXED, "q": rng.uniform(-3, 3, 3).tolist()}
        for place, body in (("elbow", 1), ("wrist", 2)):
            three = r.blocks(state)[place]
            mass = three["composite"][0, 0]
            np.testing.assert_array_equal(three["composite"], mass * np.eye(2))
            for inner, outer in (("articulated", "composite"), ("remainder", "articulated")):
                assert np.linalg.eigvalsh(three[outer] - three[inner])[0] > -1e-12
            # another route: with the pin as an endpoint, remainder⁻¹ = J M⁻¹ Jᵀ of what hangs on it
            assert np.linalg.eigvalsh(three["remainder"])[0] > 0
            np.testing.assert_allclose(three["remainder"], free_block(state, body), atol=1e-9)


def free_block(state, body):
    """Pin inertia of a chain that floats at the pin: Schur complement of its mass matrix."""
    from chapter_lib import FloatingBase, Tree, rigid_inertia, world_poses
    from chapter_lib.tree import Body

    tree = r.arm_of(state)
    R, _ = world_poses(tree)
    nothing = FloatingBase(rigid_inertia(0.0, np.zeros(3), np.zeros((3, 3))), allow_degenerate=True)
    chain = [
        Body(
            i - body - 1,
            tree.joints[i],
            tree.inertia[i],
            (R[i - 1], np.zeros(3)) if i == body else (np.eye(3), tree.offset[i]),
            armature=tree.armature[i],
        )
        for i in range(body, 3)
    ]
    M = mass_matrix(Tree.build(chain, tree.angles[body:], nothing))
    plane, joints = [3, 4], list(range(6, 6 + len(chain)))
    coupling = M[np.ix_(plane, joints)]
    return M[np.ix_(plane, plane)] - coupling @ np.linalg.solve(
        M[np.ix_(joints, joints)], coupling.T
    )


def test_the_four_conditions_part_company_in_time():
    times = np.linspace(0, 0.2, 11)
    wrist = {b: r.response(START, b, times, 1e-6)[:, 2] for b in CHOICES["boundary"]}
    assert np.ptp(wrist["locked"]) == 0
    early = abs(wrist["feedback"][1] - wrist["free"][1])
    late = abs(wrist["feedback"][-1] - wrist["free"][-1])
    assert early < 0.01 < 0.3 < late


def test_energy_is_kept_in_the_response_without_torques():
    from chapter_lib import total_energy

    state = {**MIXED, "torque": [0.0, 0.0, 0.0], "armature": 0.0}
    times = np.linspace(0, 0.2, 201)
    q = r.response(state, "free", times)
    qd = np.gradient(q, times, axis=0, edge_order=2)
    energy = [total_energy(r.arm_of(state, q[k]), DynamicsLoads(qd[k])) for k in (2, 100, 198)]
    assert np.ptp(energy) < 1e-3 * max(map(abs, energy))


# the generated script, the widget


def test_the_stored_script_is_what_python_generates():
    assert FILE.read_text(encoding="utf-8") == generated_javascript()


def test_controls_start_and_presets_fit_each_other():
    names = {name.split("[")[0] for group in CONTROLS.values() for name in group}
    assert names <= START.keys()
    for preset in PRESETS.values():
        for group in CONTROLS.values():
            for name, (_, _, low, high, step) in group.items():
                key, _, index = name.partition("[")
                value = {**START, **preset}[key]
                value = value[int(index[0])] if index else value
                assert low <= value <= high
                assert abs((value - low) / step - round((value - low) / step)) < 1e-6, name


def test_traits_follow_each_other_and_refuse_nonsense():
    widget = WristExplorer(elbow="free")
    widget.q2 = 0.5
    assert widget.q == [0.4, 0.5, 0.2]
    widget.q = [1, 2, 3]
    assert (widget.q1, widget.q2, widget.q3) == (1, 2, 3)
    widget.preset("Heavy club")
    assert widget.club_mass == 1.6 and widget.elbow == "free"
    with pytest.raises(
        traitlets.TraitError, match="club_mass: must be from 0.05 to 2.0 kg, got -1"
    ):
        widget.club_mass = -1.0
    with pytest.raises(traitlets.TraitError, match="q: expected 3 numbers, got 2"):
        widget.q = [1, 2]
    with pytest.raises(traitlets.TraitError, match="must be finite"):
        widget.torque = [1, float("nan"), 0]
    with pytest.raises(traitlets.TraitError, match="boundary"):
        widget.boundary = "loose"
    with pytest.raises(TypeError, match="unknown argument 'club'"):
        WristExplorer(club=1)
    with pytest.raises(ValueError, match="argument name"):
        widget.preset("Golf")


def test_without_a_kernel_there_is_a_picture_with_words():
    data, _ = WristExplorer()._repr_mimebundle_()
    assert data["text/plain"].startswith("WristExplorer: With the elbow locked, freeing the wrist")
    assert "0x" not in data["text/plain"]
    still = data["text/html"]
    assert re.search(r'alt="[^"]*0\.8148 kg m²[^"]*0\.5196[^"]*0\.2682[^"]*0\.2604', still)
    assert "data:image/png;base64," in still and "torque given" in still
    assert "application/vnd.jupyter.widget-view+json" in data


def test_the_still_follows_the_state():
    state = {**MIXED, "boundary": "locked"}
    assert alternative_text(state) != alternative_text(START)
    assert "elbow free" in still_html(state)


def test_nothing_is_fetched_from_anywhere():
    text = page()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.search(r"^\s*import\b|@import|url\((?!#)", text, re.MULTILINE)


# in a browser


@pytest.fixture(scope="module")
def running():
    with browser() as chromium:
        yield chromium


def expected(state):
    """The numbers that the page must show, by the library."""
    felt, joints, now = r.felt(state), r.felt_at_joints(state), r.instants(state)
    out = {f"felt.{name}": value for name, value in felt.items()}
    out |= {"elbow.M22": joints["elbow"][0], "elbow.d2": joints["elbow"][1]}
    for name, instant in now.items():
        out[f"{name}.torque"] = instant["torque"]
        out |= {f"{name}.qdd.{k}": value for k, value in enumerate(instant["qdd"])}
    slow, fast = r.felt_now(state)
    return out | {"slow": slow, "fast": fast, "resonance": r.resonance(state)}


def agree(tab, state):
    shown, wanted = readings(tab), expected(state)
    assert shown.keys() == wanted.keys()
    for name, value in wanted.items():
        assert shown[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name
    assert tab.inner_text(".aba-explorer .words") == r.sentence(state)


CORNER = """
() => {
  const pen = document.querySelector('canvas.arm').getContext('2d');
  return [...pen.getImageData(2, 2, 1, 1).data];
}
"""


def settled(tab):
    """Wait until what was asked for is painted, out of sight too."""
    tab.evaluate("() => new Promise(requestAnimationFrame)")
    tab.wait_for_selector('.aba-explorer[aria-busy="false"]')


def plain_page(running, tmp_path, errors, **state):
    tab = quiet_page(running, errors, viewport={"width": 1200, "height": 2400})
    tab.context.set_offline(True)
    path = tmp_path / "explorer.html"
    page(path, **state)
    tab.goto(path.as_uri())
    tab.wait_for_selector(".aba-explorer")
    return tab


def test_the_plain_page_shows_the_librarys_numbers(running, tmp_path):
    errors = []
    tab = plain_page(running, tmp_path, errors)
    agree(tab, START)
    for elbow in CHOICES["elbow"]:
        for boundary in CHOICES["boundary"]:
            state = {**MIXED, "elbow": elbow, "boundary": boundary}
            tab.evaluate("(state) => explorer.set(state)", state)
            settled(tab)
            agree(tab, state)
    for name, preset in PRESETS.items():
        tab.evaluate("(state) => explorer.set(state)", START)
        tab.select_option("select", name)
        settled(tab)
        agree(tab, {**START, **preset})
    assert tab.locator(".aba-explorer").count() == 1 and not errors
    tab.close()


def test_responses_and_frequencies_in_the_browser_are_the_librarys(running, tmp_path):
    errors = []
    tab = plain_page(running, tmp_path, errors, **{**MIXED, "damping": 0.3, "stiffness": 40.0})
    got = tab.evaluate("() => explorer.found()")
    state = tab.evaluate("() => explorer.get()")
    for boundary in CHOICES["boundary"]:
        shown = tab.evaluate("(boundary) => explorer.found().respond(boundary)", boundary)
        wanted = r.response(state, boundary, np.array(shown["t"]))
        np.testing.assert_allclose(shown["q"], wanted, atol=2e-4)  # unseen on the plot
    omega = [1.0, 10.0, 30.0, 300.0]
    shown = [complex(*tab.evaluate("(w) => explorer.found().apparent(w)", w)) for w in omega]
    np.testing.assert_allclose(shown, r.apparent_inertia(state, omega), rtol=1e-9)
    for key, place in (("articulated", "articulated"), ("remainder", "remainder")):
        wanted = [r.blocks(state)[joint][place] for joint in ("elbow", "wrist")]
        np.testing.assert_allclose(got[key], wanted, atol=1e-10)
    assert not errors
    tab.close()


def test_keyboard_mouse_and_pictures_on_the_plain_page(running, tmp_path):
    errors = []
    tab = plain_page(running, tmp_path, errors)
    slider = tab.locator('[data-control="q[1]"]')
    slider.focus()
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    settled(tab)
    state = tab.evaluate("() => explorer.get()")
    assert state["q"][1] == pytest.approx(-0.65)
    agree(tab, state)
    box = slider.bounding_box()
    tab.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    tab.mouse.down()
    tab.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2, steps=6)
    tab.mouse.up()
    settled(tab)
    state = tab.evaluate("() => explorer.get()")
    assert state["q"][1] > 1
    agree(tab, state)

    image = tab.locator("canvas.map").bounding_box()  # the map: click a posture
    tab.mouse.click(image["x"] + image["width"] / 2, image["y"] + image["height"] / 4)
    settled(tab)
    state = tab.evaluate("() => explorer.get()")
    assert state["q"][1] == pytest.approx(0, abs=0.05)
    assert state["q"][2] == pytest.approx(np.pi / 2, abs=0.05)
    agree(tab, state)

    # the arm, stretched to the right: take hold of it where the pointer says so, near the tip
    state["q"] = [0.0, 0.0, 0.0]
    tab.evaluate("(state) => explorer.set(state)", state)
    settled(tab)
    arm = tab.locator("canvas.arm").bounding_box()
    y = arm["y"] + arm["height"] / 2
    for x in range(int(arm["x"] + arm["width"]) - 2, int(arm["x"]), -4):
        tab.mouse.move(x, y)
        if tab.evaluate("() => document.querySelector('canvas.arm').style.cursor") == "grab":
            break
    tab.mouse.move(x - 12, y)
    tab.mouse.down()
    tab.mouse.move(x - 30, y - 40, steps=5)
    tab.mouse.up()
    settled(tab)
    turned = tab.evaluate("() => explorer.get()")
    assert turned["q"][2] > 0.2 and turned["q"][:2] == [0.0, 0.0]
    agree(tab, turned)

    tab.locator("input[type=radio][value=locked]").last.check(force=True)  # the wrist
    settled(tab)
    assert tab.evaluate("() => explorer.get().boundary") == "locked"
    spoken = tab.locator('[aria-live="polite"]')
    tab.wait_for_function("(text) => document.querySelector('[aria-live]').textContent === text",
                          arg=tab.inner_text(".words"))  # fmt: skip
    assert spoken.count() == 1
    tab.get_by_role("button", name="Reset").click()
    settled(tab)
    agree(tab, START)
    unlabelled = tab.evaluate(
        "() => [...document.querySelectorAll('.aba-explorer [role=img]')]"
        ".filter((s) => !s.getAttribute('aria-label')).length"
    )
    assert unlabelled == 0 and not errors
    assert tab.evaluate("() => document.querySelectorAll('.panel [role=img]').length") == 8
    tab.close()


# per canvas: its own pixels, and how many of the screen it covers
PIXELS = """
() => Promise.all([...document.querySelectorAll('canvas')].map((canvas) => new Promise((done) => {
  new ResizeObserver(([{ devicePixelContentBoxSize: [box] }]) => {
    done([[canvas.width, canvas.height], [box.inlineSize, box.blockSize]]);
  }).observe(canvas, { box: 'device-pixel-content-box' });
})))
"""
# a checksum of every canvas
DRAWN = """
() => [...document.querySelectorAll('canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value, k) => (sum + value * (1 + (k % 9973))) % 1e9, 0);
})
"""


def test_canvases_are_as_sharp_as_the_screen_and_follow_what_they_show(running, tmp_path):
    errors = []
    tab = plain_page(running, tmp_path, errors)
    for width in (555, 871, 1403):
        tab.set_viewport_size({"width": width, "height": 1000})
        tab.wait_for_timeout(100)
        settled(tab)
        assert len(sizes := tab.evaluate(PIXELS)) == 8
        for own, covered in sizes:
            assert own == covered
    arm, curve, chart, blocks, shoulder, wrist, magnitude, phase = range(8)
    before = tab.evaluate(DRAWN)
    for change, moved in (
        ({"stiffness": 30.0}, {wrist, magnitude, phase}),
        ({"club_mass": 1.1}, {curve, chart, blocks, shoulder, wrist, magnitude, phase}),
        ({"q": [0.4, 0.9, 0.2]}, set(range(8))),
    ):
        tab.evaluate("(change) => explorer.set(change)", change)
        settled(tab)
        now = tab.evaluate(DRAWN)
        assert moved <= {k for k in range(8) if now[k] != before[k]}, change
        before = now
    assert not errors
    tab.close()


def test_fingers_turn_what_they_touch_and_scroll_beside_it(running, tmp_path):
    errors = []
    path = tmp_path / "explorer.html"
    page(path, elbow="free")
    phone = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    tab = quiet_page(running, errors, viewport={"width": 420, "height": 800}, **phone)
    tab.goto(path.as_uri())
    hand = tab.context.new_cdp_session(tab)

    def touch(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(selector, start, end):
        """Within or beyond an element, in shares of its size; returns q and how far it scrolled."""
        tab.locator(selector).evaluate("(node) => node.scrollIntoView({ block: 'center' })")
        tab.wait_for_timeout(200)
        box, top = tab.locator(selector).bounding_box(), tab.evaluate("() => scrollY")
        path = np.linspace(start, end, 9) * [box["width"], box["height"]] + [box["x"], box["y"]]
        touch("touchStart", path[0])
        for point in path[1:]:
            touch("touchMove", point)
            tab.wait_for_timeout(16)
        touch("touchEnd")
        tab.wait_for_timeout(300)
        settled(tab)
        return tab.evaluate("() => explorer.get().q"), tab.evaluate("() => scrollY") - top

    q, scrolled = swipe('[data-control="q[1]"]', (0.39, 0.5), (0.7, 0.5))
    assert q[1] > 1 and scrolled == 0
    tab.evaluate("() => explorer.set({ q: [0, 0, 0] })")
    settled(tab)
    q, scrolled = swipe("canvas.arm", (0.9, 0.5), (0.85, 0.25))  # the club, upwards
    assert q[2] > 1 and q[:2] == [0, 0] and scrolled == 0
    same, scrolled = swipe("canvas.arm", (0.2, 0.8), (0.2, 0.3))  # beside the links
    assert same == q and scrolled > 50
    q, scrolled = swipe("canvas.map", (0.5, 0.5), (0.75, 0.25))
    np.testing.assert_allclose(q[1:], [np.pi / 2, np.pi / 2], atol=0.1)
    assert scrolled == 0
    wide = tab.evaluate("() => document.querySelector('canvas.arm').width")
    assert wide == round(2 * tab.locator("canvas.arm").bounding_box()["width"])  # sharp on it too
    assert not errors
    tab.close()


@pytest.mark.parametrize("width", [480, 700, 960, 1400])
def test_nothing_is_wider_than_the_page(running, tmp_path, width):
    errors = []
    tab = plain_page(running, tmp_path, errors)
    tab.set_viewport_size({"width": width, "height": 800})
    violent = {"elbow": "free", "club_mass": 0.05, "club_length": 0.1, "stiffness": 40.0}
    for state in (START, {**START, **violent, "set_point": -3.14, "torque": [-10.0, -5.0, -2.0]}):
        tab.evaluate("(state) => explorer.set(state)", state)
        settled(tab)
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= width
    tab.close()


def test_dark_theme_and_print(running, tmp_path):
    path = tmp_path / "explorer.html"
    page(path)
    tab = running.new_page(color_scheme="dark")
    tab.goto(path.as_uri())
    tab.wait_for_selector(".aba-explorer")

    def brightness():
        """Of the background, as styled and as painted in the corner of the arm's picture."""
        colour = tab.evaluate(
            "() => getComputedStyle(document.querySelector('.aba-explorer')).backgroundColor"
        )
        pixel = tab.evaluate(CORNER)
        return sum(map(int, re.findall(r"\d+", colour)[:3])), sum(pixel[:3])

    settled(tab)
    assert max(brightness()) < 150
    tab.emulate_media(media="print")
    settled(tab)
    assert brightness() == (765, 247 + 248 + 250)  # paper is white, a panel nearly
    tab.emulate_media(media="screen", color_scheme="light")
    settled(tab)
    assert brightness() == (765, 247 + 248 + 250)
    tab.emulate_media(media="screen", color_scheme="dark")
    settled(tab)
    assert max(brightness()) < 150
    tab.close()


def test_in_jupyterlab_with_a_kernel_and_without(running, tmp_path):
    notebook(
        tmp_path / "wrist.ipynb",
        "from chapter_lib.explore import WristExplorer\nimport ipywidgets",
        "explorer = WristExplorer(elbow='free')\nexplorer",
        "slider = ipywidgets.FloatSlider(min=-3, max=3, description='wrist')\n"
        "link = ipywidgets.jslink((slider, 'value'), (explorer, 'q3'))\nslider",
        "print('python has', explorer.q)",
    )
    errors = []
    with jupyterlab(tmp_path) as (address, token):
        tab = quiet_page(running, errors, viewport={"width": 1400, "height": 1000})
        open_notebook(tab, address, token, "wrist.ipynb")
        command(tab, "notebook:run-all-cells")
        tab.wait_for_selector(".aba-explorer", timeout=120_000)
        tab.wait_for_selector(".widget-slider .noUi-handle, .jupyter-widgets.widget-hslider")
        settled(tab)
        start = {**START, "elbow": "free", "q": [0.4, -0.7, 0.0]}  # the linked slider says q₃
        tab.wait_for_function(
            "() => document.querySelector('[data-control=\"q[2]\"]').value === '0'"
        )
        settled(tab)
        agree(tab, start)
        assert tab.evaluate(CORNER) == [247, 248, 250, 255]  # drawn in the theme's colours

        control = tab.locator('[data-control="q[0]"]')
        control.focus()
        for _ in range(3):
            tab.keyboard.press("ArrowRight")
        settled(tab)
        agree(tab, {**start, "q": [0.43, -0.7, 0.0]})
        assert tab.locator(".aba-explorer").count() == 1
        tab.wait_for_timeout(500)  # the kernel hears when the hand rests
        tab.evaluate("() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 3; }")
        command(tab, "notebook:run-cell")
        tab.get_by_text("python has [0.43, -0.7, 0.0]").wait_for(timeout=20_000)

        command(tab, "kernelmenu:shutdown")
        tab.wait_for_function(
            "() => !/idle|busy/.test("
            "document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status || '')",
            timeout=60_000,
        )
        before = readings(tab)
        control = tab.locator('[data-control="q[1]"]')
        control.focus()
        for _ in range(10):
            tab.keyboard.press("ArrowLeft")
        settled(tab)
        assert readings(tab) != before
        agree(tab, {**start, "q": [0.43, -0.8, 0.0]})
        assert tab.locator(".aba-explorer").count() == 1
        tab.screenshot(path=tmp_path / "lab.png")
    ours = [e for e in errors if not re.search(r"WebSocket|kernel|api/|Failed to load resource", e)]
    assert not ours, ours
