"""What the wrist explorer's reader can set: names, labels, units, limits, presets.

Plain data: Python's widget checks against it and the browser's controls are made from it.
"""

# group → name → label, unit, lowest, highest, step.  A name like q[2] is an entry of a vector.
CONTROLS = {
    "Posture": {
        "q[0]": ["shoulder q₁", "rad", -3.14, 3.14, 0.01],
        "q[1]": ["elbow q₂", "rad", -3.14, 3.14, 0.01],
        "q[2]": ["wrist q₃", "rad", -3.14, 3.14, 0.01],
    },
    "Club (link 3)": {
        "club_mass": ["mass", "kg", 0.05, 2.0, 0.01],
        "club_length": ["length", "m", 0.1, 0.6, 0.01],
        "armature": ["wrist armature", "kg m²", 0.0, 0.05, 0.0005],
    },
    "Torques": {
        "torque[0]": ["shoulder τ₁", "N m", -10.0, 10.0, 0.1],
        "torque[1]": ["elbow τ₂", "N m", -5.0, 5.0, 0.1],
        "torque[2]": ["wrist τ₃, when given", "N m", -2.0, 2.0, 0.05],
    },
    "Wrist controller": {
        "stiffness": ["stiffness k", "N m/rad", 0.0, 40.0, 0.5],
        "damping": ["damping b", "N m s/rad", 0.0, 0.3, 0.005],
        "set_point": ["set-point q₃*", "rad", -3.14, 3.14, 0.01],
    },
    "Rates": {
        "velocity[0]": ["shoulder q̇₁", "rad/s", -5.0, 5.0, 0.1],
        "velocity[1]": ["elbow q̇₂", "rad/s", -5.0, 5.0, 0.1],
        "velocity[2]": ["wrist q̇₃", "rad/s", -5.0, 5.0, 0.1],
    },
}
CHOICES = {"elbow": ("free", "locked"), "boundary": ("free", "torque", "feedback", "locked")}

# the two links that stay as they are, and the radius of all three
FIXED = {"lengths": [0.4, 0.3], "masses": [2.0, 1.2], "radius": 0.025, "gravity": -9.81}

START = {
    "q": [0.4, -0.7, 0.2],
    "velocity": [0.0, 0.0, 0.0],
    "torque": [4.0, 0.0, -0.2],
    "gravity": False,
    "elbow": "locked",
    "boundary": "free",
    "club_mass": 0.6,
    "club_length": 0.25,
    "armature": 0.0,
    "stiffness": 8.0,
    "damping": 0.02,
    "set_point": 0.2,
}
_CLUB = {"club_mass": 0.6, "club_length": 0.25, "armature": 0.0}
PRESETS = {
    "Worked arm": START,
    "Chapter's worked state": {
        **START,
        "velocity": [0.8, -0.5, 1.1],
        "torque": [4.0, -1.0, 0.3],
        "gravity": True,
        "elbow": "free",
        "boundary": "torque",
    },
    "Straight": {"q": [0.4, 0.0, 0.0], "set_point": 0.0, **_CLUB},
    "Folded": {"q": [0.4, 2.6, -2.2], "set_point": -2.2, **_CLUB},
    "Light club": {"club_mass": 0.2, "club_length": 0.2},
    "Heavy club": {"club_mass": 1.6, "club_length": 0.4},
}
