"""Pictures: one style for the book, safe for colour-blind eyes, each with words beside it.

Figures are shown by `show`, which emits HTML with alternative text (a plain PNG output of Jupyter
has none).  Series differ by line style or marker as well as by colour.
"""

import base64
import html
import io

import numpy as np
from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch
from matplotlib.transforms import Affine2D

from .kinematics import base_pose, world_poses
from .spatial import rigid_parameters

BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, GREY, BLACK = "#CC79A7", "#56B4E9", "#8A8F98", "#1F2430"

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelcolor": BLACK,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#E4E7EC",
    "grid.linewidth": 0.8,
    "xtick.color": "#4A4F59",
    "ytick.color": "#4A4F59",
    "lines.linewidth": 2.0,
    "legend.frameon": False,
    "mathtext.fontset": "dejavusans",
}
LINE_STYLES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1))]
COLORS = [BLUE, RED, GREEN, ORANGE, PURPLE, SKY]
# matplotlib reads much of its style only when a title or legend is added, so it is set for good
rcParams.update(STYLE)


def figure(width=7.0, height=3.2, ncols=1, nrows=1, **subplot_kw):
    """A figure in the book's style: `(fig, ax)`, or an array of axes; sizes in inches."""
    fig = Figure(figsize=(width, height), layout="constrained")
    axes = fig.subplots(nrows, ncols, subplot_kw=subplot_kw)
    for ax in np.atleast_1d(axes).flat:
        ax.set_axisbelow(True)
        ax.set_prop_cycle(color=COLORS, linestyle=LINE_STYLES)
    return fig, axes


def show(fig, alt):
    """The figure as HTML that a notebook displays, with `alt` for those who cannot see it."""
    from IPython.display import HTML

    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", dpi=160, facecolor="white")
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    width = round(fig.get_figwidth() * 96)
    return HTML(
        f'<img alt="{html.escape(alt, quote=True)}" width="{width}" '
        f'style="max-width:100%;height:auto" src="data:image/png;base64,{data}">'
    )


def table(rows, header, caption=None):
    """An HTML table.  Strings stand as they are; floats get six significant digits."""
    from IPython.display import HTML

    def cell(value):
        text = value if isinstance(value, str) else _number(value)
        align = "left" if isinstance(value, str) and not _numeric(value) else "right"
        return f'<td style="text-align:{align};padding:2px 10px">{html.escape(text)}</td>'

    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    head = "".join(
        f'<th scope="col" style="padding:2px 10px">{html.escape(str(name))}</th>' for name in header
    )
    body = "".join("<tr>" + "".join(cell(value) for value in row) + "</tr>" for row in rows)
    return HTML(f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def matrix(M, digits=6, rows=None, columns=None, caption=None):
    """A matrix as an HTML table with a fixed number of decimals; rounded zeros stand as 0."""
    M = np.atleast_2d(np.asarray(M, dtype=float))

    def fixed(x):
        text = f"{x:.{digits}f}"
        return "0" if float(text) == 0 else text

    cells = [[fixed(x) for x in row] for row in M]
    if rows is not None:
        cells = [[str(name), *row] for name, row in zip(rows, cells, strict=True)]
    header = columns if columns is not None else [str(j + 1) for j in range(M.shape[1])]
    return table(cells, [*([""] if rows is not None else []), *header], caption)


def link_ends(tree, i):
    """Where body i is drawn to, (k, 3) in its frame: its children's joints, or its own far end."""
    ends = [tree.offset[j] for j in range(tree.n) if tree.parent[j] == i and tree.offset[j].any()]
    if not ends:
        ends = [2 * rigid_parameters(tree.inertia[i])[1]]
    return np.array(ends, dtype=float)


def link_radius(inertia):
    """Radius of the cylinder along x that has this inertia, m."""
    mass, _, I_C = rigid_parameters(inertia)
    return float(np.sqrt(max(2 * I_C[0, 0] / mass, 0))) if mass > 0 else 0.0


def arm(
    ax,
    tree,
    frames=False,
    torque=None,
    lit=None,
    color=SKY,
    ghost=False,
    labels=False,
):
    """The x–y picture of a planar tree: rounded links of their true radius, joints as rings.

    frames: draw the bodies' axes; torque: (n,) draws an arc at every joint, its way round the sign;
    lit: index of a body to highlight; ghost: faint, for a second posture; labels: number the links.
    """
    R, p = world_poses(tree)
    alpha = 0.25 if ghost else 1.0
    if tree.floating:
        R0, p0 = base_pose(tree)
        end = p0 + R0 @ (2 * rigid_parameters(tree.base.inertia)[1])
        _link(ax, p0, end, link_radius(tree.base.inertia), "#D9DEE6", alpha, 1)
    elif not ghost:
        for i in range(tree.n):
            if tree.parent[i] < 0:
                _ground(ax, p[i])
    for i in range(tree.n):
        fill = ORANGE if i == lit else color
        ends = [p[i] + R[i] @ end for end in link_ends(tree, i)]
        for end in ends:
            _link(ax, p[i], end, link_radius(tree.inertia[i]), fill, alpha, 2)
        if labels:
            middle = p[i] + (0.72 if frames else 0.5) * (ends[0] - p[i])
            ax.annotate(
                str(i + 1),
                middle[:2],
                ha="center",
                va="center",
                zorder=5,
                fontsize=9,
                color=BLACK,
                fontweight="bold",
            )
    reach = _reach(tree)
    for i in range(tree.n):
        ring = Circle(p[i, :2], 0.018 * reach, fc="white", ec=BLACK, lw=1.3, alpha=alpha, zorder=4)
        ax.add_patch(ring)
        if frames:
            _axes_of(ax, p[i], R[i], 0.16 * reach)
        if torque is not None and torque[i] != 0:
            _arc(ax, p[i], np.sign(torque[i]), 0.09 * reach)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xlabel="x (m)", ylabel="y (m)")
    ax.autoscale_view()
    ax.margins(0.12)


def tree3d(ax, tree, lit=None):
    """A stick picture in space of any tree (axes with projection="3d")."""
    R, p = world_poses(tree)
    R0, p0 = base_pose(tree)
    points = [np.asarray(p0, dtype=float)]
    if tree.floating:
        end = p0 + R0 @ (2 * rigid_parameters(tree.base.inertia)[1])
        ax.plot(*np.array([p0, end]).T, color=GREY, lw=8, linestyle="-", solid_capstyle="round")
        points.append(end)
    roots = {i: k for k, i in enumerate(j for j in range(tree.n) if tree.parent[j] == -1)}
    family = {}
    for i, parent in enumerate(tree.parent):
        family[i] = roots[i] if parent == -1 else family[parent]
        color = ORANGE if i == lit else COLORS[family[i] % len(COLORS)]
        for end in link_ends(tree, i):
            segment = np.array([p[i], p[i] + R[i] @ end])
            ax.plot(*segment.T, color=color, lw=3, linestyle="-", solid_capstyle="round")
            points.append(segment[1])
        ax.plot(*p[i][:, None], marker="o", ms=4, mfc="white", mec=BLACK, linestyle="none")
    points = np.array(points)
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, max((high - low).max() / 2, 0.1)
    ax.set(
        xlim=(middle[0] - half, middle[0] + half),
        ylim=(middle[1] - half, middle[1] + half),
        zlim=(middle[2] - half, middle[2] + half),
        xlabel="x (m)",
        ylabel="y (m)",
        zlabel="z (m)",
    )
    ax.set_box_aspect((1, 1, 1))


def ellipse(ax, block, center=(0.0, 0.0), scale=1.0, **style):
    """The curve `center + scale · block n` over all unit directions n.

    For a symmetric positive semidefinite 2×2 block (the translational part of an inertia, kg) the
    radius along a principal axis is that eigenvalue: a circle means "the same in all directions".
    """
    angle = np.linspace(0, 2 * np.pi, 181)
    curve = scale * (np.asarray(block) @ np.stack([np.cos(angle), np.sin(angle)]))
    (line,) = ax.plot(center[0] + curve[0], center[1] + curve[1], **style)
    return line


def spy(ax, M):
    """Which entries of a matrix are zero, and how large the others are (shade: magnitude)."""
    M = np.asarray(M, dtype=float)
    scale = np.sqrt(np.outer(np.diag(M), np.diag(M))) if np.all(np.diag(M) > 0) else 1.0
    size = np.ma.masked_where(M == 0, np.abs(M / scale))
    ax.imshow(size, cmap="Blues", vmin=-0.25, vmax=1, interpolation="nearest")
    ax.set(xlabel="column j", ylabel="row i")
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(True)


def slope(ax, x, y, order):
    """A small triangle on log–log axes that shows the slope `order`, its corner at (x, y)."""
    x1 = 2 * x
    y1 = y * 2**order
    ax.plot([x, x1, x1, x], [y, y, y1, y], color=GREY, lw=1.2, linestyle="-")
    ax.annotate(
        f"{order:g}",
        (x1, np.sqrt(y * y1)),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        color="#4A4F59",
        fontsize=9,
    )


def _number(value):
    if isinstance(value, (int, np.integer)):
        return str(value)
    return "0" if value == 0 else f"{value:.6g}"


def _numeric(text):
    try:
        float(text.replace("−", "-"))
    except ValueError:
        return False
    return True


def _reach(tree):
    ends = [np.linalg.norm(link_ends(tree, i), axis=1).max() for i in range(tree.n)]
    return float(sum(ends)) if len(ends) < 5 else float(5 * np.mean(ends))


def _link(ax, start, end, radius, color, alpha, zorder):
    length = float(np.hypot(*(end - start)[:2]))
    angle = np.arctan2(*(end - start)[1::-1])
    radius = max(radius, 0.02 * length)
    bar = FancyBboxPatch(
        (0, -radius),
        length,
        2 * radius,
        boxstyle=f"round,pad=0,rounding_size={radius}",
        fc=color,
        ec=BLACK,
        lw=1.1,
        alpha=alpha,
        zorder=zorder,
    )
    bar.set_transform(Affine2D().rotate(angle).translate(*start[:2]) + ax.transData)
    ax.add_patch(bar)
    ax.update_datalim([start[:2], end[:2]])


def _ground(ax, place):
    x, y = place[:2]
    ax.plot(
        [x], [y], marker=(3, 0, 0), ms=17, mfc="#D9DEE6", mec=BLACK, mew=1.1, zorder=1,
        linestyle="none",
    )  # fmt: skip


def _axes_of(ax, place, R, length):
    for k, (color, name) in enumerate(((RED, "x"), (GREEN, "y"))):
        tip = place[:2] + length * R[:2, k]
        ax.add_patch(
            FancyArrowPatch(
                place[:2], tip, arrowstyle="-|>", mutation_scale=9, lw=1.6, color=color, zorder=6
            )
        )
        away = place[:2] + 1.22 * length * R[:2, k]
        ax.annotate(name, away, ha="center", va="center", color=BLACK, fontsize=8, zorder=6)
        ax.update_datalim([away])


def _arc(ax, place, sign, radius):
    angle = np.radians(np.linspace(-120, 120, 60))[:: int(sign)]
    curve = place[:2] + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ax.plot(*curve[:-4].T, color=PURPLE, lw=2, linestyle="-", zorder=6)
    ax.add_patch(
        FancyArrowPatch(
            curve[-8], curve[-1], arrowstyle="-|>", mutation_scale=11, lw=0, color=PURPLE, zorder=6
        )
    )
    ax.update_datalim([place[:2] + 1.3 * radius, place[:2] - 1.3 * radius])
