"""What the wrist explorer shows, computed in Python by the library itself.

The static picture is made from these numbers, and the tests hold the browser's to them.  A `state`
is a dict of the widget's traits (`state.START`).
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..aba import articulate, forward_dynamics
from ..crba import mass_matrix
from ..kinematics import world_poses
from ..loads import DynamicsLoads
from ..locking import weld
from ..models import cylinder_chain
from ..rnea import inverse_dynamics
from .state import CHOICES, FIXED

ELBOW, WRIST = 1, 2
CONDITIONS = {"both_locked": (1, 2), "wrist_free": (1,), "elbow_free": (2,), "both_free": ()}


def arm_of(state, q=None):
    """The arm as a `Tree`, at the state's posture or at q (3,)."""
    arm = _arm(state["club_length"], state["club_mass"], state["armature"])
    return arm.at(state["q"] if q is None else q)


@lru_cache(maxsize=8)
def _arm(length, mass, armature):
    lengths, masses = [*FIXED["lengths"], length], [*FIXED["masses"], mass]
    chain = cylinder_chain(lengths, masses, np.zeros(3), FIXED["radius"])
    return replace(chain, armature=np.array([0.0, 0.0, armature]))


def felt(state, q=None):
    """Inertia at the shoulder, kg m², for every one of the four conditions of elbow and wrist.

    By Schur complements of the mass matrix: `M_11 − M_1f M_ff⁻¹ M_f1`, f the free joints beyond.
    """
    M = mass_matrix(arm_of(state, q))
    out = {}
    for condition, locked in CONDITIONS.items():
        f = [i for i in (ELBOW, WRIST) if i not in locked]
        out[condition] = float(M[0, 0] - M[0, f] @ np.linalg.solve(M[np.ix_(f, f)], M[f, 0]))
    return out


def felt_now(state):
    """The pair (wrist locked, wrist free) of `felt` under the state's own elbow."""
    all_four = felt(state)
    return (
        (all_four["both_locked"], all_four["wrist_free"])
        if state["elbow"] == "locked"
        else (all_four["elbow_free"], all_four["both_free"])
    )


def felt_at_joints(state):
    """Inertias at elbow (M₂₂ wrist locked, d₂ free) and wrist (elbow locked, free), kg m²."""
    M = mass_matrix(arm_of(state))
    within = M[ELBOW, ELBOW] - M[ELBOW, WRIST] ** 2 / M[WRIST, WRIST]
    beyond = M[WRIST, WRIST] - M[ELBOW, WRIST] ** 2 / M[ELBOW, ELBOW]
    return {"elbow": (M[ELBOW, ELBOW], within), "wrist": (M[WRIST, WRIST], beyond)}


def blocks(state):
    """Translational blocks at elbow and wrist, kg, world axes: composite, I^A and I^a (2, 2)."""
    tree = arm_of(state)
    R, _ = world_poses(tree)
    factors, out = articulate(tree), {}
    for name, body in (("elbow", ELBOW), ("wrist", WRIST)):
        turn = R[body][:2, :2]
        mass = tree.inertia[body:, 3, 3].sum()
        sub = [turn @ A[body][3:5, 3:5] @ turn.T for A in (factors.IA, factors.Ia)]
        out[name] = {"composite": mass * np.eye(2), "articulated": sub[0], "remainder": sub[1]}
    return out


def wrist_torque(state, boundary, q3, w3):
    """The actuator's torque at the wrist, N m; None where a lock supplies what it must."""
    if boundary == "feedback":
        return state["stiffness"] * (state["set_point"] - q3) - state["damping"] * w3
    return {"free": 0.0, "torque": state["torque"][WRIST], "locked": None}[boundary]


def acceleration(state, boundary, q=None, velocity=None):
    """q̈ (3,) under one of the four boundary conditions; a locked joint's rate counts as zero."""
    q = np.array(state["q"] if q is None else q, dtype=float)
    velocity = np.array(state["velocity"] if velocity is None else velocity, dtype=float)
    locked = locked_joints(state, boundary)
    free = [i for i in range(3) if i not in locked]
    torque = np.array(state["torque"], dtype=float)
    if boundary != "locked":
        torque[WRIST] = wrist_torque(state, boundary, q[WRIST], velocity[WRIST])
    loads = DynamicsLoads(velocity[free], torque[free], gravity=_gravity(state))
    qdd = np.zeros(3)
    tree = weld(arm_of(state, q), locked)
    qdd[free] = forward_dynamics(tree, loads).joint_acceleration
    return qdd


def instants(state):
    """For every boundary condition at the wrist: q̈ (3,), and the torque there, applied or held."""
    out = {}
    for boundary in CHOICES["boundary"]:
        qdd = acceleration(state, boundary)
        velocity = np.array(state["velocity"], dtype=float)
        velocity[list(locked_joints(state, boundary))] = 0
        loads = DynamicsLoads(velocity, gravity=_gravity(state))
        tau = inverse_dynamics(arm_of(state), loads, qdd)
        out[boundary] = {"qdd": qdd, "torque": float(tau[WRIST])}
    return out


def response(state, boundary, times, tolerance=1e-9):
    """(times, 3) joint angles, from the state on, with τ₁ and τ₂ held: by SciPy's integrator."""
    from scipy.integrate import solve_ivp

    locked = list(locked_joints(state, boundary))
    velocity = np.array(state["velocity"], dtype=float)
    velocity[locked] = 0

    def rate(_, y):
        return np.concatenate([y[3:], acceleration(state, boundary, y[:3], y[3:])])

    start = np.concatenate([state["q"], velocity])
    done = solve_ivp(rate, (0, times[-1]), start, "LSODA", times, rtol=tolerance, atol=tolerance)
    return done.y[:3].T


def apparent_inertia(state, omega):
    """Complex inertia at the shoulder, kg m², at frequencies omega (rad/s), with the controller.

    Linearised at rest without gravity, elbow as in the state.  The passes on complex numbers: the
    controller is an armature `(k + b s) / s²` at the wrist, `s = iω`.
    """
    tree = weld(arm_of(state), [ELBOW] if state["elbow"] == "locked" else [])
    out = []
    for w in np.atleast_1d(omega):
        armature = np.array(tree.armature, dtype=complex)
        s = 1j * w
        armature[-1] += (state["stiffness"] + state["damping"] * s) / s**2
        out.append(articulate(replace(tree, armature=armature)).d[0])
    return np.array(out)


def resonance(state):
    """The frequency, rad/s, at which wrist and controller would swing with the shoulder held."""
    inertia = felt_at_joints(state)["wrist"][0 if state["elbow"] == "locked" else 1]
    return float(np.sqrt(state["stiffness"] / inertia))


def sentence(state):
    """What is seen, in words: the same line that the widget shows."""
    locked, free = felt_now(state)
    share = 100 * (1 - free / locked)
    verb = (
        "hardly changes what the shoulder feels:" if share < 10 else "cuts what the shoulder feels"
    )
    return (
        f"With the elbow {state['elbow']}, freeing the wrist {verb} from {locked:.3f} to "
        f"{free:.3f} kg m² (−{share:.0f} %)."
    )


def locked_joints(state, boundary):
    """The joints that do not move under a boundary condition of the wrist."""
    return (ELBOW,) * (state["elbow"] == "locked") + (WRIST,) * (boundary == "locked")


def _gravity(state):
    return (0.0, FIXED["gravity"] if state["gravity"] else 0.0, 0.0)
