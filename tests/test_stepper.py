"""The pass stepper: its numbers are the chapter's, and it steps in the browser alone."""

import json

import numpy as np
import pytest
import traitlets

from chapter_lib import (
    Body,
    DynamicsLoads,
    Revolute,
    Tree,
    cylinder_inertia,
    forward_dynamics,
    planar_biped,
    three_link_arm,
)
from chapter_lib.explore import PassStepper
from chapter_lib.explore.stepper import PLANE, body_shapes, body_steps

from .browser import browser, quiet_page

WORKED = DynamicsLoads([0.8, -0.5, 1.1], [4, -1, 0.3])


def branched():
    """Four links: a trunk with two branches, one of them of two links."""
    places = [(-1, 0.0), (0, 0.3), (0, 0.3), (1, 0.25)]
    bodies = [
        Body(parent, Revolute(), cylinder_inertia(0.25, 1, 0.03), (np.eye(3), (x, 0, 0)))
        for parent, x in places
    ]
    return Tree.build(bodies, [1.2, 0.7, -0.8, 0.4])


def test_the_chapters_numbers_in_the_order_of_the_passes():
    steps = body_steps(three_link_arm(), WORKED)
    order = [(step["pass"], step["body"]) for step in steps]
    assert order == [(1, 0), (1, 1), (1, 2), (2, 2), (2, 1), (2, 0), (3, 0), (3, 1), (3, 2)]
    filled = {}
    for step in steps:
        filled |= {(name, step["body"]): value for name, value in step["fills"].items()}
    np.testing.assert_allclose(filled["v", 1], (0.3, -0.206149660, 0.244749500), atol=1e-9)
    np.testing.assert_allclose(filled["v", 2], (1.4, -0.135535933, 0.369032412), atol=1e-9)
    d = [filled["d", i] for i in range(3)]
    np.testing.assert_allclose(d, (0.260428859, 0.051575604, 0.012593750), atol=1e-9)
    u = [filled["u", i] for i in range(3)]
    np.testing.assert_allclose(u, (6.518800728, -1.799610488, 0.314231273), atol=1e-9)
    qdd = [filled["qdd", i] for i in range(3)]
    np.testing.assert_allclose(qdd, (2.023035078, -79.465503634, 175.204404572), rtol=1e-9)


@pytest.mark.parametrize("tree", [three_link_arm(), branched()], ids=["arm", "branched"])
def test_every_line_says_what_it_computes(tree):
    rng = np.random.default_rng(2)
    external = np.zeros((tree.n, 6))
    external[:, PLANE] = rng.normal(size=(tree.n, 3))
    loads = DynamicsLoads(rng.normal(size=tree.n), rng.normal(size=tree.n), external)
    for step in body_steps(tree, loads):
        for line in step["lines"]:
            terms = line.get("terms")
            if terms is None:
                continue
            numbers = [np.array(x) for x in terms if not isinstance(x, str)]
            signs = "".join(x for x in terms if isinstance(x, str)).split()
            if signs == ["+"]:
                total = numbers[0] + numbers[1]
            elif signs == ["−"]:
                total = numbers[0] - numbers[1]
            else:
                total = (numbers[0] - numbers[1]) / numbers[2]
            np.testing.assert_allclose(total, line["value"], rtol=1e-9, atol=1e-12)
    # what pass 2 hands to parents adds up: pA = p + what the children gave
    result, given = forward_dynamics(tree, loads), np.zeros((tree.n, 3))
    own = np.zeros((tree.n, 3))
    for step in body_steps(tree, loads):
        if step["pass"] == 1:
            own[step["body"]] = step["fills"]["p"]
        if step["pass"] == 2 and tree.parent[step["body"]] >= 0:
            given[tree.parent[step["body"]]] += step["lines"][-2]["value"]
    np.testing.assert_allclose(own + given, result.articulated_bias[:, PLANE], atol=1e-12)


def test_shapes_are_the_bodies_in_the_world():
    shapes = body_shapes(branched())
    assert shapes[0]["parent"] == -1 and len(shapes[0]["ends"]) == 2
    tip = np.array([0.3 * np.cos(1.2), 0.3 * np.sin(1.2)])
    np.testing.assert_allclose([shapes[1]["x"], shapes[1]["y"]], tip)


def test_position_and_words():
    widget = PassStepper(three_link_arm(), WORKED, position=4)
    assert repr(widget) == "PassStepper, step 5 of 9: Pass 2, body 2: elimination"
    with pytest.raises(traitlets.TraitError, match="position: must be from 0 to 8, got 9"):
        widget.position = 9
    data, _ = widget._repr_mimebundle_()
    assert "−79.465504" in data["text/html"] and "0.051576" in data["text/html"]
    assert 'alt="A planar tree of 3 bodies' in data["text/html"]
    assert json.dumps(widget.data)  # plain numbers and words


def test_trees_that_cannot_be_drawn_are_refused():
    leaning = Tree.build([Body(-1, Revolute((1, 0, 0)), cylinder_inertia(0.3, 1, 0.03))])
    with pytest.raises(ValueError, match="body 0 .*leaves the x–y plane"):
        PassStepper(leaning, DynamicsLoads([0.1]))
    with pytest.raises(ValueError, match="fixed base"):
        PassStepper(planar_biped(), DynamicsLoads(np.zeros(4), base_velocity=np.zeros(6)))


@pytest.mark.parametrize("tree", [three_link_arm(), branched()], ids=["arm", "branched"])
def test_stepping_in_a_browser_without_a_kernel(tmp_path, tree):
    widget = PassStepper(tree, DynamicsLoads(np.linspace(0.8, -0.5, tree.n), np.ones(tree.n)))
    text = (
        f"<!doctype html><meta charset=utf-8><style>{widget._css}</style><div id=a></div>"
        f"<script type=module>{widget._esm}\n"
        f"window.stepper = mount(document.getElementById('a'), {json.dumps(widget.data)});</script>"
    )
    path = tmp_path / "stepper.html"
    path.write_text(text, encoding="utf-8")
    errors, n = [], tree.n
    with browser() as chromium:
        tab = quiet_page(chromium, errors, viewport={"width": 480, "height": 800})
        tab.context.set_offline(True)
        tab.goto(path.as_uri())
        tab.wait_for_selector(".aba-stepper")

        def filled(name):
            return tab.locator(f"td[data-cell={name}][data-value]").count()

        assert (filled("v"), filled("d"), filled("qdd")) == (1, 0, 0)
        tab.locator(".aba-stepper").focus()
        for _ in range(n):
            tab.keyboard.press("ArrowRight")
        assert (filled("v"), filled("d"), filled("qdd")) == (n, 1, 0)
        tab.keyboard.press("ArrowLeft")
        assert filled("d") == 0
        tab.keyboard.press("End")
        assert filled("qdd") == n and tab.evaluate("() => stepper.get()") == 3 * n - 1
        shown = [
            json.loads(cell.get_attribute("data-value"))
            for cell in tab.locator("td[data-cell=qdd]").all()
        ]
        wanted = forward_dynamics(tree, DynamicsLoads(np.linspace(0.8, -0.5, n), np.ones(n)))
        np.testing.assert_allclose(shown, wanted.joint_acceleration, rtol=1e-12)
        assert tab.locator("g.lit").count() == 1
        assert f"Pass 3, body {n}" in tab.inner_text("[aria-live]")
        tab.keyboard.press("Home")
        tab.get_by_role("button", name="Forward").click()
        assert tab.evaluate("() => stepper.get()") == 1
        tab.get_by_role("button", name="Play or pause").click()
        tab.wait_for_function("() => stepper.get() >= 2", timeout=10_000)
        tab.get_by_role("button", name="Play or pause").click()
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= 480
        tab.close()
    assert not errors
