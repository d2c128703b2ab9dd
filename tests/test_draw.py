"""Drawing functions: the data that a figure shows, its words, and its look within a tolerance."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.testing.compare import compare_images

from chapter_lib import (
    articulate,
    draw,
    floating_thirty,
    guide,
    mass_matrix,
    planar_biped,
    three_link_arm,
    world_point,
)

PICTURES = Path(__file__).parent / "pictures"
TOLERANCE = 12  # root mean square of 255: fonts may differ a little, links may not


def arm_with_frames(ax):
    draw.arm(ax, three_link_arm(), frames=True, labels=True)


def arm_with_torques(ax):
    draw.arm(ax, three_link_arm().at([0.6, -1.0, 0.5]), ghost=True)
    draw.arm(ax, three_link_arm(), torque=[4.0, -1.0, 0.3], lit=1)
    block = articulate(three_link_arm()).IA[1][3:5, 3:5]
    draw.ellipse(ax, block, center=(0.4, 0.1), scale=0.1)


def biped(ax):
    draw.arm(ax, planar_biped(), labels=True)


def thirty(ax):
    draw.tree3d(ax, floating_thirty())


def sparsity(ax):
    draw.spy(ax, mass_matrix(floating_thirty()))


def slopes(ax):
    ax.loglog([1, 10, 100], [1, 100, 1e4], label="second order")
    draw.slope(ax, 10, 20, 2)
    ax.legend()


@pytest.mark.parametrize(
    "picture", [arm_with_frames, arm_with_torques, biped, thirty, sparsity, slopes]
)
def test_pictures_look_as_they_did(picture, tmp_path):
    fig, ax = draw.figure(5, 4, **({"projection": "3d"} if picture is thirty else {}))
    picture(ax)
    new, old = tmp_path / f"{picture.__name__}.png", PICTURES / f"{picture.__name__}.png"
    fig.savefig(new, dpi=60, facecolor="white")
    difference = compare_images(str(old), str(new), tol=TOLERANCE)
    assert difference is None, difference


def test_a_moved_arm_is_another_picture(tmp_path):
    """The tolerance is not so wide that a different posture would pass."""
    fig, ax = draw.figure(5, 4)
    draw.arm(ax, three_link_arm().at([0.5, -0.5, 0.0]), frames=True, labels=True)
    fig.savefig(tmp_path / "other.png", dpi=60, facecolor="white")
    old = str(PICTURES / "arm_with_frames.png")
    assert compare_images(old, str(tmp_path / "other.png"), tol=TOLERANCE)


def test_arm_draws_every_link_where_it_is():
    tree = three_link_arm()
    _, ax = draw.figure()
    draw.arm(ax, tree)
    circles = [p for p in ax.patches if type(p).__name__ == "Circle"]
    places = np.array([c.center for c in circles])
    np.testing.assert_allclose(places, [world_point(tree, i)[:2] for i in range(3)])
    bars = [p for p in ax.patches if type(p).__name__ == "FancyBboxPatch"]
    assert [b.get_width() for b in bars] == pytest.approx([0.4, 0.3, 0.25])
    assert [b.get_height() for b in bars] == pytest.approx([0.05] * 3)  # the true diameter


def test_ellipse_of_a_rigid_body_is_a_circle():
    _, ax = draw.figure()
    line = draw.ellipse(ax, 0.6 * np.eye(2), center=(1, 2), scale=0.5)
    x, y = line.get_data()
    np.testing.assert_allclose(np.hypot(x - 1, y - 2), 0.3)


def test_show_carries_words_and_escapes_them():
    fig, _ = draw.figure()
    shown = draw.show(fig, 'a "quoted" <picture> & more').data
    assert 'alt="a &quot;quoted&quot; &lt;picture&gt; &amp; more"' in shown
    assert 'src="data:image/png;base64,' in shown


def test_tables():
    text = draw.matrix([[1.0, -1e-12], [0.123456789, 2]], digits=4, rows="ab").data
    assert ">1.0000<" in text and ">0<" in text and ">0.1235<" in text and "-0" not in text
    text = draw.table([["a<b", 1.23456789, 3]], ["name", "x", "n"], "a caption").data
    assert "a&lt;b" in text and "1.23457" in text and "<caption>a caption</caption>" in text


def test_series_differ_by_more_than_colour():
    _, ax = draw.figure()
    lines = [ax.plot([0, 1], [k, k])[0] for k in range(4)]
    assert len({line.get_linestyle() for line in lines}) == 4
    assert len({line.get_color() for line in lines}) == 4


def test_the_map_has_a_line_for_every_pair():
    ax = guide.picture().axes[0]
    places = sum(len(s.places) for s in guide.SECTIONS)
    pairs = {(e, s.places[0].split(".")[0]) for s in guide.SECTIONS for e in s.exercises}
    assert len(ax.lines) == places + len(pairs)
