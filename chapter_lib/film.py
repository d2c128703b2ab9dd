"""A motion as a small film in the page: it plays without a kernel, when it is clicked.

SVG that animates itself; it stands still until then, so that nobody is moved against their will.
"""

import html
import zlib

import numpy as np

from . import draw
from .kinematics import world_point, world_poses
from .spatial import rigid_parameters

WIDTH, EDGE = 460, 26  # px


def film(motions, seconds, alt, colors=(draw.BLUE, draw.RED)):
    """Chains in the x–y plane as HTML that a notebook displays.

    motions: one list of trees (the same mechanism at equal times) or several such lists, drawn
    over each other; seconds: how long the film lasts; alt: what it shows, in words.
    """
    motions = [motions] if hasattr(motions[0], "angles") else list(motions)
    paths = [[_joints(tree) for tree in motion] for motion in motions]
    every = np.concatenate([frame for path in paths for frame in path])
    low, high = every.min(axis=0), every.max(axis=0)
    scale = (WIDTH - 2 * EDGE) / (high - low).max()
    width, height = (round(float(x)) for x in scale * (high - low) + 2 * EDGE)

    def placed(frame):
        x, y = (EDGE + scale * (frame - low)).T
        return " ".join(f"{a:.1f},{height - b:.1f}" for a, b in zip(x, y, strict=True))

    frames = [[placed(frame) for frame in path] for path in paths]
    name = f"film{zlib.crc32(str(frames).encode()):x}"
    pairs = zip(frames, colors, strict=False)
    lines = "".join(_line(path, color, seconds, name) for path, color in pairs)
    hinge = placed(paths[0][0][:1]).split(",")
    return _html(
        f'<svg id="{name}" role="img" aria-label="{html.escape(alt, quote=True)}" width="{width}" '
        f'height="{height}" style="background:white;max-width:100%;cursor:pointer">'
        f'{lines}<circle cx="{hinge[0]}" cy="{hinge[1]}" r="6" fill="{draw.BLACK}"/>'
        f'<text x="8" y="{height - 8}" font-size="13" fill="#4A4F59">click to play</text></svg>'
    )


def _line(frames, color, seconds, name):
    look = f'fill="none" stroke="{color}" stroke-width="7" stroke-opacity="0.75"'
    return (
        f'<polyline points="{frames[0]}" {look} stroke-linecap="round" stroke-linejoin="round">'
        f'<animate attributeName="points" begin="{name}.click" dur="{seconds:g}s" fill="freeze" '
        f'values="{";".join(frames)}"/></polyline>'
    )


def _joints(tree):
    """The hinges of a chain and its far end, (n + 1, 2)."""
    last = world_point(tree, tree.n - 1, 2 * rigid_parameters(tree.inertia[-1])[1])
    return np.vstack([world_poses(tree)[1], last])[:, :2]


def _html(text):
    from IPython.display import HTML

    return HTML(text)
