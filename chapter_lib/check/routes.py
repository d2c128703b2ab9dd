"""What the exercises' references share: the worked state, random arms, and the Cartesian route.

The route goes over centre-of-mass Jacobians (`lagrange`): M from kinetic energy, h from Newton's
and Euler's laws projected on them.  It shares no code with the three passes, inverse dynamics or
composite inertias, which are what is being taught.
"""

import numpy as np

from ..lagrange import kinetic_mass_matrix, projected_bias
from ..loads import STANDARD_GRAVITY
from ..models import cylinder_chain, three_link_arm

WORKED_VELOCITY = (0.8, -0.5, 1.1)
WORKED_TORQUE = (4.0, -1.0, 0.3)
JOINTS = ("joint 1", "joint 2", "joint 3", "joint 4")


def worked():
    """The worked arm and state: arguments (arm, velocity, torque)."""
    return dict(
        arm=three_link_arm(),
        velocity=np.array(WORKED_VELOCITY),
        torque=np.array(WORKED_TORQUE),
    )


def first_two_links(angles=(0.4, -0.7)):
    """The worked arm without its last link."""
    return cylinder_chain([0.4, 0.3], [2.0, 1.2], angles, 0.025)


def random_arm(rng, n=3):
    """A chain of n unequal cylinders at a posture in which nothing is straight."""
    angles = rng.uniform(0.3, 1.2, n) * rng.choice([-1, 1], n)
    sizes = rng.uniform(0.2, 0.5, n), rng.uniform(0.5, 2.5, n)
    return cylinder_chain(*sizes, angles, rng.uniform(0.02, 0.05))


def random_vector(rng, n, low, high):
    """n numbers with sizes between `low` and `high`, of either sign."""
    return rng.uniform(low, high, n) * rng.choice([-1, 1], n)


def random_state(rng, n=3):
    """A random arm in motion under torques: arguments (arm, velocity, torque)."""
    return dict(
        arm=random_arm(rng, n),
        velocity=random_vector(rng, n, 0.3, 1.5),
        torque=random_vector(rng, n, 0.5, 4.0),
    )


def cartesian_bias(arm, velocity, gravity=STANDARD_GRAVITY):
    """h (n,) by the Cartesian route, N m."""
    return projected_bias(arm, velocity, gravity)


def cartesian_acceleration(arm, velocity, torque, added=0.0, columns=False, inertia_of=None):
    """q̈ (n,) by the Cartesian route.

    added: (n, n) or a number, added to the mass matrix; columns: torque is (n, k), one effort a
    column, and so is the answer; inertia_of: an arm whose mass matrix is used in place of `arm`'s.
    """
    M = kinetic_mass_matrix(arm if inertia_of is None else inertia_of) + added
    h = cartesian_bias(arm, velocity)
    return np.linalg.solve(M, torque - (h[:, None] if columns else h))
