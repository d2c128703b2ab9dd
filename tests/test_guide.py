"""The map of the book, held to the chapter's headings, the notebooks and the library."""

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import chapter_lib
from chapter_lib import guide

ROOT = Path(__file__).resolve().parent.parent
HEADINGS = """
Historical Context: Recursive Forward Dynamics
The Forward Dynamics Problem
What the Complexity Comparison Means
Articulated Inertia: The Key Insight
A Free Hinge Changes the Apparent Load
Mathematical Definition and Frames
Derivation From First Principles
Eliminating One Joint Acceleration
The Articulated Body Algorithm: Three Passes
Pass 1: Outward Velocity and Bias Calculation
Pass 2: Inward Subtree Elimination
Pass 3: Outward Acceleration Recovery
Why the Tree Calculation Is Linear-Time
Floating Base: A Six-Degree-of-Freedom Root
The Root Articulated Solve
Contact Does Not Automatically Fix the Base
Floating-Base Humanoids and Momentum
Configuration Coordinates and Generalized Velocity
Root Equation With a Known Applied Wrench
Centroidal Momentum and Whole-Body Dynamics
Joint Friction and Motor Inertia
Viscous Joint Friction
An Ideal Reflected Armature Model
ABA and Composite Rigid-Body Methods
Choosing Forward or Inverse Dynamics
When the Acceleration Is Prescribed
When the Applied Loads Are Specified
Constraint Handling: Contact and Joint Limits
Unilateral Contact
Joint Limits
Connection to Gaussian Elimination
Worked Example: A Fully Specified Three-Link Arm
Configuration and Loads
Pass 1: Velocities and Bias
Pass 2: Articulated Inertias and Residual Efforts
Pass 3 and an Independent Check
Reproducible Python Example
Connection to Simulation Frameworks
Contact Forces and Impact Dynamics
Contact Dynamics and Complementarity
Non-Penetration and Sustained Contact
Friction and Contact Wrenches
The Frictionless Acceleration LCP
Time-Stepping and Numerical Order
From Coupled Dynamics to a Golf-Swing Argument
Differentiating the Dynamics
""".strip().splitlines()


@cache
def numbered_headings(name):
    """Section numbers that stand as headings in a notebook of the book."""
    cells = json.loads((ROOT / "book" / f"{name}.ipynb").read_text("utf-8"))["cells"]
    text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return re.findall(r"(?m)^## (\d+\.\d+) ", text)


def test_every_heading_of_the_chapter_is_on_the_map():
    assert sorted(HEADINGS) == sorted(section.title for section in guide.SECTIONS)


@pytest.mark.parametrize("section", guide.SECTIONS, ids=lambda s: s.title)
def test_every_section_is_run_somewhere(section):
    assert section.places and section.functions
    for place in section.places:
        assert place in numbered_headings(guide.NOTEBOOKS[place.split(".")[0].zfill(2)])
    for name in section.functions:
        module, _, function = name.rpartition(".")
        home = import_module(f"chapter_lib.{module}") if module else chapter_lib
        assert callable(getattr(home, function))


def test_every_notebook_and_exercise_exists():
    for name in guide.NOTEBOOKS.values():
        assert (ROOT / "book" / f"{name}.ipynb").exists()
    for name in guide.EXERCISES.values():
        assert (ROOT / "exercises" / f"{name}.ipynb").exists()
        assert (ROOT / "solutions" / f"{name}.ipynb").exists()


def test_every_exercise_follows_from_a_section():
    assert {e for s in guide.SECTIONS for e in s.exercises} == set(guide.EXERCISES)


def test_links_in_notebooks_lead_somewhere():
    for path in (*(ROOT / "book").glob("*.ipynb"), *(ROOT / "exercises").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        for target in re.findall(r"\]\(([^)#]+\.(?:ipynb|md))[^)]*\)", text):
            if not target.startswith("http"):
                assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_equation_references_lead_somewhere():
    for path in (ROOT / "book").glob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        labels = re.findall(r"\\label\{([^}]+)\}", text)
        assert len(labels) == len(set(labels)), path.name
        assert set(re.findall(r"\\eqref\{([^}]+)\}", text)) <= set(labels), path.name
        assert (
            set(re.findall(r"\\tag\{(\d+)\.", text)) <= {str(int(path.name[:2]))}
            if labels
            else True
        )


def test_the_picture_names_everything():
    words = "\n".join(text.get_text() for text in guide.picture().axes[0].texts)
    for section in guide.SECTIONS:
        assert section.title in words
    assert "Redundancy" in words and "Simulators" in words


def test_minutes_in_the_index_are_those_of_the_notebooks():
    index = (ROOT / "book" / "index.ipynb").read_text("utf-8")
    for name in guide.NOTEBOOKS.values():
        listed = re.search(rf"\({name}\.ipynb\) \| (\d+) \|", index)
        told = re.search(
            r"\*\*Time\*\*\D*(\d+)", (ROOT / "book" / f"{name}.ipynb").read_text("utf-8")
        )
        assert listed[1] == told[1], name


def test_teachers_see_the_same_exercises():
    """The table in solutions/README.md against titles, skills, minutes and graded points."""
    readme = (ROOT / "solutions" / "README.md").read_text("utf-8")
    for number, slug in guide.EXERCISES.items():
        one = import_module(f"chapter_lib.check.{slug[:4]}").EXERCISE
        cells = json.loads((ROOT / "solutions" / f"{slug}.ipynb").read_text("utf-8"))["cells"]
        graded = [c["metadata"].get("nbgrader", {}) for c in cells]
        points = sum(g["points"] for g in graded if g.get("grade"))
        row = f"| {number} {one.title} | {one.skill} | {one.minutes} | {points:g} | `{slug}` |"
        assert row in readme, row
        text = "\n".join("".join(c["source"]) for c in cells)
        assert f"**Time** {one.minutes} minutes. **Points** {points:g}." in text, slug
