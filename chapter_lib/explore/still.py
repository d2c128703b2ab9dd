"""The wrist explorer as one still picture with words, for readers without a kernel."""

import base64
import html
import io

import numpy as np

from .. import draw
from .readings import (
    ELBOW,
    WRIST,
    apparent_inertia,
    arm_of,
    blocks,
    felt,
    felt_at_joints,
    felt_now,
    instants,
    locked_joints,
    resonance,
    response,
    sentence,
)
from .state import CHOICES

LOOKS = {  # of the four boundary conditions: colour and dash, as in the browser
    "free": (draw.RED, "--"),
    "torque": (draw.GREEN, "-."),
    "feedback": (draw.PURPLE, ":"),
    "locked": (draw.BLUE, "-"),
}
NAMES = {"free": "free", "torque": "torque given", "feedback": "feedback", "locked": "locked"}


def still_html(state):
    """The picture with alternative text, its sentence and the table of instants, as HTML."""
    buffer = io.BytesIO()
    still_figure(state).savefig(buffer, format="png", dpi=80, facecolor="white")
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    say = html.escape(alternative_text(state), quote=True)
    rows = [
        [NAMES[name], f"{now['torque']:.3f}", *(f"{x:.2f}" for x in now["qdd"])]
        for name, now in instants(state).items()
    ]
    header = ["wrist", "τ₃ (N m)", "q̈₁", "q̈₂", "q̈₃ (rad/s²)"]
    caption = "Four boundary conditions at one instant"
    return (
        f'<img alt="{say}" width="1000" style="max-width:100%" src="data:image/png;base64,{data}">'
        f"<p>{html.escape(sentence(state))} <i>(Run the notebook to move the arm.)</i></p>"
        f"{draw.table(rows, header, caption).data}"
    )


def alternative_text(state):
    """What the picture shows, with its numbers."""
    four, joints = felt(state), felt_at_joints(state)
    return (
        f"The wrist explorer at q = {[round(x, 3) for x in state['q']]} rad, elbow "
        f"{state['elbow']}, wrist {NAMES[state['boundary']]}. Inertia at the shoulder: "
        f"{four['both_locked']:.4f} kg m² with elbow and wrist locked, {four['wrist_free']:.4f} "
        f"with the wrist alone free, {four['elbow_free']:.4f} with the elbow alone free, "
        f"{four['both_free']:.4f} with both. At the elbow: {joints['elbow'][0]:.4f} with the wrist "
        f"locked, {joints['elbow'][1]:.4f} with it free."
    )


def still_figure(state):
    """The matplotlib figure: the explorer's panels."""
    fig, axes = draw.figure(13.0, 6.4, ncols=4, nrows=2)
    parts = (_arm, _felt, _curve, _map, _blocks, _response, _magnitude, _phase)
    for part, ax in zip(parts, axes.flat, strict=True):
        part(ax, state)
    return fig


def _arm(ax, state):
    tree = arm_of(state)
    torque = np.array(state["torque"], dtype=float)
    torque[WRIST] = instants(state)[state["boundary"]]["torque"]
    torque[list(set(locked_joints(state, state["boundary"])) - {WRIST})] = 0
    draw.arm(ax, tree, torque=np.where(np.abs(torque) > 1e-9, torque, 0))
    ax.set_title(f"Elbow {state['elbow']}, wrist {NAMES[state['boundary']]}")


def _felt(ax, state):
    four, joints = felt(state), felt_at_joints(state)["elbow"]
    labels = ["both locked", "wrist alone free", "elbow alone free", "both free", "M₂₂", "d₂"]
    values = [*four.values(), *joints]
    colors = [draw.BLUE, draw.RED, draw.BLUE, draw.RED, draw.BLUE, draw.RED]
    places = [0, 1, 2, 3, 4.6, 5.6]
    ax.barh(places, values, color=colors, height=0.6)
    for place, value in zip(places, values, strict=True):
        ax.annotate(f"{value:.4f}", (value, place), (4, 0), textcoords="offset points", va="center")
    ax.set_yticks(places, labels)
    ax.invert_yaxis()
    ax.set(xlabel="kg m²", xlim=(0, 1.25 * max(values)), title="Felt at shoulder and elbow")


def _curve(ax, state):
    angles = np.linspace(-np.pi, np.pi, 73)
    rows = [felt(state, [*state["q"][:WRIST], q3]) for q3 in angles]
    pair = (
        ("both_locked", "wrist_free") if state["elbow"] == "locked" else ("elbow_free", "both_free")
    )
    here = felt(state)
    for name, look, label in zip(pair, ("locked", "free"), ("locked", "free"), strict=True):
        color, dash = LOOKS[look]
        ax.plot(angles, [row[name] for row in rows], dash, color=color, label=f"wrist {label}")
        ax.plot(state["q"][WRIST], here[name], "o", color=color)
    ax.set(xlabel="wrist angle q₃ (rad)", ylabel="M_eff (kg m²)")
    ax.set(ylim=(0, None), title=f"At the shoulder, elbow {state['elbow']}")
    ax.legend()


def _map(ax, state):
    angles = np.linspace(-np.pi, np.pi, 25)
    locked = locked_joints(state, state["boundary"])
    name = {(): "both_free", (ELBOW,): "wrist_free", (WRIST,): "elbow_free"}.get(
        locked, "both_locked"
    )
    values = [[felt(state, [state["q"][0], q2, q3])[name] for q2 in angles] for q3 in angles]
    shades = ax.contourf(angles, angles, values, 16, cmap="viridis")
    ax.figure.colorbar(shades, ax=ax, label="kg m²", format="%.2f")
    ax.plot(*state["q"][ELBOW:], "o", ms=9, mfc="none", mec="white", mew=2)
    ax.set(xlabel="elbow angle q₂ (rad)", ylabel="wrist angle q₃ (rad)", title="Over postures")
    ax.grid(False)


def _blocks(ax, state):
    parts = blocks(state)
    gap = 2.3 * parts["elbow"]["composite"][0, 0]
    looks = dict(composite="locked", articulated="torque", remainder="free")
    labels = dict(composite="composite", articulated="Iᴬ, joint held", remainder="Iᵃ, joint free")
    for k, (place, three) in enumerate(parts.items()):
        scale = 1 if k == 0 else parts["elbow"]["composite"][0, 0] / three["composite"][0, 0]
        for kind, block in three.items():
            color, dash = LOOKS[looks[kind]]
            label = labels[kind] if k == 0 else None
            draw.ellipse(ax, block, (k * gap, 0), scale, color=color, linestyle=dash, label=label)
        mass = three["composite"][0, 0]
        ax.annotate(f"{place}, {mass:.2f} kg", (k * gap, -0.62 * gap), ha="center")
    ax.set_aspect("equal")
    ax.set(xlim=(-0.5 * gap, 1.5 * gap), ylim=(-0.75 * gap, 1.4 * gap), xticks=[], yticks=[])
    ax.set_title("Pushing at the pin (kg)")
    ax.legend(loc="upper center")


def _response(ax, state):
    times = np.linspace(0, 0.2, 41)
    for name in CHOICES["boundary"]:
        color, dash = LOOKS[name]
        change = response(state, name, times, 1e-5)[:, WRIST] - state["q"][WRIST]
        ax.plot(times, change, color=color, linestyle=dash, label=NAMES[name])
    ax.set(xlabel="time (s)", ylabel="Δq₃ (rad)", title="The wrist over the next 0.2 s")
    ax.legend()


def _magnitude(ax, state):
    omega = np.geomspace(1, 1000, 180)
    ax.loglog(omega, np.abs(apparent_inertia(state, omega)), color=draw.PURPLE, linestyle=":")
    for value, look in zip(felt_now(state), ("locked", "free"), strict=True):
        color, dash = LOOKS[look]
        ax.axhline(value, color=color, linestyle=dash, lw=1.2, label=f"wrist {look}")
    ax.set(xlabel="frequency ω (rad/s)", ylabel="|Z| (kg m²)", title="Shaken, under feedback")
    ax.legend()


def _phase(ax, state):
    omega = np.geomspace(1, 1000, 180)
    Z = apparent_inertia(state, omega)
    ax.semilogx(omega, np.degrees(np.angle(Z)), color=draw.PURPLE, linestyle=":")
    ax.set(xlabel="frequency ω (rad/s)", ylabel="phase (°)", ylim=(-190, 190))
    ax.set(yticks=[-180, -90, 0, 90, 180], title=f"Resonance {resonance(state):.1f} rad/s")
