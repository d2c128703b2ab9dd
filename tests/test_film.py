"""The film: what moves, where it starts and ends, and words for those who cannot see it."""

import re

import numpy as np
import pytest

from chapter_lib import uniform_chain
from chapter_lib.film import film

chain = uniform_chain(2, length=0.5)
SWINGING = [chain.at([angle, 0.2]) for angle in np.linspace(0, -1.5, 7)]


def frames(text):
    """The animated points of every chain: (chains, frames, joints, 2)."""
    values = re.findall(r'values="([^"]*)"', text)
    return np.array([[np.reshape(re.findall(r"[\d.]+", f), (-1, 2)) for f in v.split(";")]
                     for v in values], dtype=float)  # fmt: skip


def test_a_film_shows_every_posture_to_scale_and_waits_for_a_click():
    text = film(SWINGING, 2.0, "Two links swing down by 1.5 rad").data
    (moved,) = frames(text)
    assert moved.shape == (7, 3, 2)
    lengths = np.linalg.norm(np.diff(moved, axis=1), axis=2)
    np.testing.assert_allclose(lengths, lengths[0, 0], rtol=2e-3)
    down = moved[-1, 1] - moved[-1, 0]
    assert np.arctan2(-down[1], down[0]) == pytest.approx(-1.5, abs=2e-3)
    assert 'begin="film' in text and '.click"' in text and 'aria-label="Two links' in text
    assert 'points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in moved[0]) in text


def test_films_of_two_motions_start_together_and_two_films_apart():
    both = film([SWINGING, SWINGING[::-1]], 1.0, "two").data
    np.testing.assert_array_equal(frames(both)[0], frames(both)[1][::-1])
    one = film(SWINGING, 1.0, "one").data
    assert re.search(r'id="(\w+)"', one)[1] != re.search(r'id="(\w+)"', both)[1]
