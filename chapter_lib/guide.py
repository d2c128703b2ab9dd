"""The map of the book: which section of the chapter stands beside which notebook and function.

`book/index.ipynb` shows it as a table and as a picture; a test holds it to the notebooks.
"""

import html
from dataclasses import dataclass
from importlib import import_module

from . import draw

NOTEBOOKS = {
    "01": "01_forward_problem",
    "02": "02_one_joint_eliminated",
    "03": "03_three_passes",
    "04": "04_independent_check",
    "05": "05_wrist_inertia",
    "06": "06_floating_base",
    "07": "07_friction_and_armature",
    "08": "08_cost_and_structure",
    "09": "09_contact_and_impact",
    "10": "10_time_stepping",
    "11": "11_sensitivities",
    "12": "12_simulators",
}
EXERCISES = {
    1: "ex01_complexity",
    2: "ex02_articulated_and_composite",
    3: "ex03_armature",
    4: "ex04_floating_base",
    5: "ex05_many_right_hand_sides",
    6: "ex06_velocity_forces",
    7: "ex07_singular_pivots",
    8: "ex08_damping",
    9: "ex09_gravity_simulation",
    10: "ex10_contact_impulse",
    11: "ex11_integration_order",
    12: "ex12_matrix_form",
    13: "ex13_humanoid_contact",
    14: "ex14_redundancy",
    15: "ex15_projection",
}


@dataclass(frozen=True)
class Section:
    """A section of the chapter: its title, where it is run, what runs it, which exercises follow.

    places: numbers of sections in the notebooks, "3.2"; functions: public names of `chapter_lib`.
    """

    title: str
    places: tuple
    functions: tuple
    exercises: tuple = ()


def _section(title, places, functions, *exercises):
    return Section(title, tuple(places.split()), tuple(functions.split()), exercises)


SECTIONS = (
    _section("Historical Context: Recursive Forward Dynamics", "1.6", "forward_dynamics"),
    _section("The Forward Dynamics Problem", "1.2", "forward_dynamics bias_force mass_matrix", 12),
    _section("What the Complexity Comparison Means", "1.6 8.1", "operations.aba_operations", 1),
    _section("Articulated Inertia: The Key Insight", "2.1 5.1", "effective_inertia articulate", 2),
    _section("A Free Hinge Changes the Apparent Load", "2.1 5.1", "effective_inertia", 2, 14),
    _section(
        "Mathematical Definition and Frames",
        "2.2 2.3",
        "motion_transform rigid_inertia cross_force",
        2,
    ),
    _section("Derivation From First Principles", "2.4", "articulate", 7),
    _section("Eliminating One Joint Acceleration", "2.4", "articulate", 7),
    _section(
        "The Articulated Body Algorithm: Three Passes",
        "3.2",
        "outward_motion inward_elimination outward_recovery",
        6,
    ),
    _section("Pass 1: Outward Velocity and Bias Calculation", "3.2", "outward_motion", 6),
    _section("Pass 2: Inward Subtree Elimination", "3.3", "articulate inward_elimination", 2, 7),
    _section("Pass 3: Outward Acceleration Recovery", "3.4", "outward_recovery"),
    _section("Why the Tree Calculation Is Linear-Time", "8.1 8.3", "operations.aba_operations", 1),
    _section("Floating Base: A Six-Degree-of-Freedom Root", "6.1", "FloatingBase", 4),
    _section("The Root Articulated Solve", "6.1", "FloatingBase forward_dynamics", 4),
    _section("Contact Does Not Automatically Fix the Base", "6.4", "constrained_acceleration", 13),
    _section("Floating-Base Humanoids and Momentum", "6.8", "planar_biped centroidal_momentum", 13),
    _section(
        "Configuration Coordinates and Generalized Velocity",
        "6.5",
        "quaternion_rate configuration_map",
    ),
    _section("Root Equation With a Known Applied Wrench", "6.7", "DynamicsLoads", 4),
    _section(
        "Centroidal Momentum and Whole-Body Dynamics",
        "6.8",
        "centroidal_momentum centroidal_momentum_rate",
    ),
    _section("Joint Friction and Motor Inertia", "7.1", "Body", 3, 8),
    _section("Viscous Joint Friction", "7.1", "Body forward_dynamics", 8),
    _section("An Ideal Reflected Armature Model", "7.6", "Body articulate", 3),
    _section(
        "ABA and Composite Rigid-Body Methods", "8.4 8.6", "composite_inertias mass_matrix", 5
    ),
    _section("Choosing Forward or Inverse Dynamics", "1.4", "inverse_dynamics"),
    _section("When the Acceleration Is Prescribed", "1.5", "inverse_dynamics"),
    _section("When the Applied Loads Are Specified", "11.4", "forward_dynamics", 14),
    _section("Constraint Handling: Contact and Joint Limits", "9.1", "PointContact JointLimit", 10),
    _section("Unilateral Contact", "9.1", "PointContact", 10),
    _section("Joint Limits", "9.8", "JointLimit soft_limit clip_after"),
    _section("Connection to Gaussian Elimination", "2.5 2.9", "effective_inertia", 12),
    _section(
        "Worked Example: A Fully Specified Three-Link Arm", "3.1", "three_link_arm cylinder_chain"
    ),
    _section("Configuration and Loads", "3.1", "three_link_arm DynamicsLoads"),
    _section("Pass 1: Velocities and Bias", "3.2", "outward_motion"),
    _section("Pass 2: Articulated Inertias and Residual Efforts", "3.3", "articulate", 2),
    _section(
        "Pass 3 and an Independent Check",
        "3.4 4.3",
        "kinetic_mass_matrix coriolis_matrix gravity_force",
        6,
    ),
    _section("Reproducible Python Example", "3.5", "cylinder_chain inverse_dynamics"),
    _section("Connection to Simulation Frameworks", "12.1", "to_mujoco to_pinocchio"),
    _section("Contact Forces and Impact Dynamics", "9.2", "impact", 10),
    _section("Contact Dynamics and Complementarity", "9.5", "sustained_contact lcp", 13),
    _section("Non-Penetration and Sustained Contact", "9.3", "sustained_contact", 10),
    _section("Friction and Contact Wrenches", "9.6", "friction_cone sliding_contact FootPatch", 13),
    _section("The Frictionless Acceleration LCP", "9.5", "lcp delassus"),
    _section("Time-Stepping and Numerical Order", "10.1", "simulate observed_orders", 9, 11),
    _section(
        "From Coupled Dynamics to a Golf-Swing Argument", "11.1", "constraint_projector", 14, 15
    ),
    _section("Differentiating the Dynamics", "11.2", "forward_dynamics mass_matrix_derivatives"),
)


def table():
    """The map as an HTML table: section, notebook and place, functions, exercises."""
    from IPython.display import HTML

    rows = []
    for section in SECTIONS:
        places = ", ".join(_link(f"{NOTEBOOKS[_notebook(p)]}.ipynb", p) for p in section.places)
        functions = ", ".join(f"<code>{name}</code>" for name in section.functions)
        exercises = ", ".join(
            _link(f"../exercises/{EXERCISES[k]}.ipynb", str(k)) for k in section.exercises
        )
        rows.append((html.escape(section.title), places, functions, exercises))
    return HTML(_table(("Section of the chapter", "Run in", "Functions", "Exercises"), rows))


def exercises():
    """The fifteen exercises as an HTML table: title, minutes, and what the reader can do after."""
    from IPython.display import HTML

    rows = []
    for number, slug in EXERCISES.items():
        one = import_module(f"chapter_lib.check.{slug[:4]}").EXERCISE
        link = _link(f"../exercises/{slug}.ipynb", html.escape(one.title))
        rows.append((str(number), link, str(one.minutes), html.escape(one.skill)))
    return HTML(_table(("", "Exercise", "Minutes", "Afterwards you can"), rows))


def _table(header, rows):
    def line(tag, cells):
        return "".join(f'<{tag} style="text-align:left">{cell}</{tag}>' for cell in cells)

    head = line("th", header)
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def picture():
    """The map as a figure: sections left, notebooks in the middle, exercises right."""
    fig, ax = draw.figure(10, 10.5)
    ax.axis("off")
    heights = {key: 1 - (k + 0.5) / len(NOTEBOOKS) for k, key in enumerate(NOTEBOOKS)}
    shades = {key: draw.COLORS[k % len(draw.COLORS)] for k, key in enumerate(NOTEBOOKS)}
    ordered = sorted(SECTIONS, key=lambda s: _order(s.places[0]))
    for k, section in enumerate(ordered):
        y = 1 - (k + 0.5) / len(SECTIONS)
        ax.text(0.385, y, section.title, ha="right", va="center", fontsize=8)
        for place in section.places:
            key = _notebook(place)
            ax.plot([0.39, 0.485], [y, heights[key]], color=shades[key], lw=1, ls="-", alpha=0.8)
    wanted = {(e, _notebook(s.places[0])) for s in SECTIONS for e in s.exercises}
    for number, name in EXERCISES.items():
        y = 1 - (number - 0.5) / len(EXERCISES)
        ax.text(0.80, y, f"{number}  {_words(name[5:])}", va="center", fontsize=8.5)
        for _, key in sorted(pair for pair in wanted if pair[0] == number):
            ax.plot([0.675, 0.795], [heights[key], y], color=shades[key], lw=1, ls="-", alpha=0.8)
    for key, name in NOTEBOOKS.items():
        box = dict(boxstyle="round,pad=0.5", fc="white", ec=shades[key], lw=1.8)
        words = f"{int(key)}  {_words(name[3:])}"
        ax.text(0.58, heights[key], words, ha="center", va="center", fontsize=9.5, bbox=box)
    for x, words in ((0.385, "Section of the chapter"), (0.80, "Exercise")):
        ax.text(x, 1.02, words, ha="right" if x < 0.5 else "left", fontweight="bold")
    ax.text(0.58, 1.02, "Notebook", ha="center", fontweight="bold")
    ax.set(xlim=(0, 1), ylim=(0, 1.04))
    return fig


def _notebook(place):
    return place.split(".")[0].zfill(2)


def _order(place):
    return tuple(int(part) for part in place.split("."))


def _words(name):
    return name.replace("_", " ").capitalize()


def _link(target, text):
    return f'<a href="{target}">{text}</a>'
