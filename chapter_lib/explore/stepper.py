"""The pass stepper: the three passes of a planar tree, one body at a time.

`PassStepper(tree, loads)` in a notebook.  Python computes every number once and sends it; playing,
stepping and drawing happen in the browser, with or without a kernel.
"""

import base64
import html
import io
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from .. import draw
from ..aba import forward_dynamics
from ..kinematics import world_poses
from ..spatial import cross_force

HERE = Path(__file__).parent
PLANE = [2, 3, 4]  # ω_z, v_x, v_y of a motion; n_z, F_x, F_y of a force
COLUMNS = [  # what the table fills in, by body
    ("v", "v"),
    ("c", "c"),
    ("p", "p"),
    ("d", "d (kg m²)"),
    ("u", "u (N m)"),
    ("qdd", "q̈ (rad/s²)"),
    ("a", "a"),
]
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
OUT_OF_PLANE = 1e-12


class PassStepper(anywidget.AnyWidget):
    """Play, back and forward through the 3n body-steps of `forward_dynamics`.

    tree: planar, on a fixed base; loads: `DynamicsLoads`; digits: decimals shown.  The trait
    `position` (from 0 to 3n − 1) is the step on show, read and set from Python.
    Raises ValueError, naming the body, for a tree that leaves the x–y plane.
    """

    _esm = "\n".join(
        (HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("page", "stepper")
    )
    _css = "".join(
        (HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("theme", "stepper")
    )
    data = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)

    def __init__(self, tree, loads, digits=6, position=0):
        self.tree = tree
        steps = body_steps(tree, loads)
        bodies = body_shapes(tree)
        data = dict(bodies=bodies, steps=steps, columns=COLUMNS, digits=digits)
        super().__init__(data=data, position=position)

    @traitlets.validate("position")
    def _on_a_step(self, proposal):
        last = 3 * self.tree.n - 1
        if not 0 <= proposal.value <= last:
            raise traitlets.TraitError(f"position: must be from 0 to {last}, got {proposal.value}")
        return proposal.value

    def __repr__(self):
        step = self.data["steps"][self.position]
        return f"PassStepper, step {self.position + 1} of {3 * self.tree.n}: {step['title']}"

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        data["text/plain"] = repr(self)
        data["text/html"] = still_html(self.tree, self.data)
        return data, metadata


def body_steps(tree, loads):
    """The 3n steps in order: which pass and body, the equations with their numbers, what they fill.

    Bodies are numbered from 1 in the words, as in the chapter, and the base is 0.  Six-vectors
    stand as planar triples (z, x, y).  Returns a list of dicts of plain numbers and text.
    """
    check_planar(tree, loads)
    loads = loads.on(tree)
    result = forward_dynamics(tree, loads)
    order = range(tree.n)
    return (
        [_velocity_step(tree, loads, result, i) for i in order]
        + [_elimination_step(tree, loads, result, i) for i in reversed(order)]
        + [_recovery_step(tree, result, i) for i in order]
    )


def check_planar(tree, loads):
    """Raise ValueError, naming the body, for what does not stay in the x–y plane."""
    if tree.floating:
        raise ValueError("argument tree: the stepper needs a fixed base")
    result = forward_dynamics(tree, loads)
    six = np.stack([result.velocity, result.articulated_bias, result.algorithmic_acceleration])
    stray = np.abs(np.delete(six, PLANE, axis=2)).max(axis=(0, 2))
    turned = np.abs(tree.X[:, :2, 2]).max(axis=1) + np.abs(tree.S[:, [0, 1, 5]]).max(axis=1)
    for i in np.flatnonzero(stray + turned > OUT_OF_PLANE * max(1.0, np.abs(six).max())):
        raise ValueError(
            f"argument tree: body {i} ({tree.names[i]!r}) leaves the x–y plane, and the stepper "
            "draws planar trees only"
        )


def body_shapes(tree):
    """Where every body is drawn: joint, ends of its link, radius, parent; m, world axes."""
    R, p = world_poses(tree)
    shapes = []
    for i in range(tree.n):
        ends = [(p[i] + R[i] @ end)[:2].tolist() for end in draw.link_ends(tree, i)]
        radius = draw.link_radius(tree.inertia[i])
        x, y = p[i, :2].tolist()
        shapes.append(dict(x=x, y=y, ends=ends, radius=radius, parent=tree.parent[i]))
    return shapes


def still_html(tree, data):
    """The drawing and the finished table for readers without a kernel."""
    fig, ax = draw.figure(5.2, 2.9)
    draw.arm(ax, tree, labels=True)
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", dpi=100, facecolor="white")
    picture = base64.b64encode(buffer.getvalue()).decode("ascii")
    digits, filled = data["digits"], [{} for _ in range(tree.n)]
    for step in data["steps"]:
        filled[step["body"]] |= step["fills"]
    rows = [
        [str(i + 1), *(_text(row[name], digits) for name, _ in COLUMNS)]
        for i, row in enumerate(filled)
    ]
    header = ["body", *(label for _, label in COLUMNS)]
    caption = "What the three passes compute; six-vectors as planar triples (z, x, y)"
    parents = ", ".join(f"{i + 1} on {parent + 1}" for i, parent in enumerate(tree.parent))
    say = html.escape(f"A planar tree of {tree.n} bodies; carried by (0 is the base): {parents}.")
    return (
        f'<img alt="{say}" width="500" style="max-width:100%" '
        f'src="data:image/png;base64,{picture}">'
        f"{draw.table(rows, header, caption).data}"
        "<p><i>Run the notebook to step through the passes.</i></p>"
    )


def _velocity_step(tree, loads, result, i):
    n, p = _names(tree, i)
    v, c = _plane(result.velocity[i]), _plane(result.bias_acceleration[i])
    bias = _plane(single_bias(tree, loads, result, i))
    vJ = tree.S[i] * loads.velocity[i]
    force = f" − f{n} ext" if loads.external[i].any() else ""
    return dict(
        title=f"Pass 1, body {i + 1}: velocity and bias",
        why=f"From {_whose(tree, i)} outward: what the rates alone decide.",
        body=i,
        lines=[
            dict(
                text=f"v{n} = X{n} v{p} + S{n} q̇{n}",
                terms=[_plane(result.velocity[i] - vJ), " + ", _plane(vJ)],
                value=v,
            ),
            dict(text=f"c{n} = v{n} × S{n} q̇{n}", value=c),
            dict(text=f"p{n} = v{n} ×* (I{n} v{n}){force}", value=bias),
        ],
        fills=dict(v=v, c=c, p=bias),
        **{"pass": 1},
    )


def _elimination_step(tree, loads, result, i):
    n, p = _names(tree, i)
    d, u = float(result.pivot[i]), float(result.residual_effort[i])
    armature = f" + {tree.armature[i]:g}" if tree.armature[i] else ""
    damping = f" − b{n} q̇{n}" if tree.damping[i] else ""
    effort = float(loads.torque[i] - tree.damping[i] * loads.velocity[i])
    block = result.articulated_inertia[i][np.ix_(PLANE, PLANE)]
    remainder = result.remainder_bias[i]
    to_parent = tree.X[i].T @ remainder
    lines = [
        dict(text=f"I{n}ᴬ, the planar block", value=block.tolist()),
        dict(text=f"U{n} = I{n}ᴬ S{n}", value=_plane(result.inertia_times_axis[i])),
        dict(text=f"d{n} = S{n}ᵀ U{n}{armature}", value=d),
        dict(
            text=f"u{n} = τ{n}{damping} − S{n}ᵀ p{n}ᴬ",
            terms=[effort, " − ", effort - u],
            value=u,
        ),
        dict(text=f"p{n}ᵃ = p{n}ᴬ + I{n}ᵃ c{n} + U{n} u{n} / d{n}", value=_plane(remainder)),
    ]
    if tree.parent[i] >= 0:
        lines.append(dict(text=f"p{p}ᴬ += X{n}ᵀ p{n}ᵃ", value=_plane(to_parent)))
        lines.append(dict(text=f"I{p}ᴬ += X{n}ᵀ I{n}ᵃ X{n}", value=None))
        why = f"Eliminate joint {i + 1}; what remains is added to body {tree.parent[i] + 1}."
    else:
        why = f"Eliminate joint {i + 1}; what remains is the base's to hold."
    return dict(
        title=f"Pass 2, body {i + 1}: elimination",
        why=why,
        body=i,
        lines=lines,
        fills=dict(d=d, u=u),
        **{"pass": 2},
    )


def _recovery_step(tree, result, i):
    n, p = _names(tree, i)
    a, qdd = result.algorithmic_acceleration[i], float(result.joint_acceleration[i])
    a_bar = a - tree.S[i] * qdd
    u, d = float(result.residual_effort[i]), float(result.pivot[i])
    return dict(
        title=f"Pass 3, body {i + 1}: acceleration",
        why=f"From {_whose(tree, i)} outward, gravity as a base acceleration −g.",
        body=i,
        lines=[
            dict(text=f"ā{n} = X{n} a{p} + c{n}", value=_plane(a_bar)),
            dict(
                text=f"q̈{n} = (u{n} − U{n}ᵀ ā{n}) / d{n}",
                terms=["(", u, " − ", float(result.inertia_times_axis[i] @ a_bar), ") / ", d],
                value=qdd,
            ),
            dict(text=f"a{n} = ā{n} + S{n} q̈{n}", value=_plane(a)),
        ],
        fills=dict(qdd=qdd, a=_plane(a)),
        **{"pass": 3},
    )


def single_bias(tree, loads, result, i):
    """`v ×* (I v) − f_ext` (6,) of one body alone."""
    v = result.velocity[i]
    return cross_force(v) @ (tree.inertia[i] @ v) - loads.external[i]


def _names(tree, i):
    number, parent = str(i + 1), str(tree.parent[i] + 1)
    return number.translate(SUBSCRIPTS), parent.translate(SUBSCRIPTS)


def _whose(tree, i):
    return f"body {tree.parent[i] + 1}" if tree.parent[i] >= 0 else "the base"


def _plane(six):
    return [float(x) for x in six[PLANE]]


def _text(value, digits):
    numbers = value if isinstance(value, list) else [value]
    text = [f"{x:.{digits}f}" for x in numbers]
    text = [t[1:] if float(t) == 0 and t.startswith("-") else t for t in text]
    joined = ", ".join(text).replace("-", "−")
    return f"({joined})" if isinstance(value, list) else joined
