"""The same tree in MuJoCo and in Pinocchio, and every convention that differs, as a named function.

Stands beside "Simulation Frameworks".  Neither library is needed until one of its functions is
called.  In both, generalized velocity is a matrix times ours, `ν = (v_base, q̇)`: once that matrix
`A` is known (`mujoco_velocity_map`, `pinocchio_velocity_map`), forces come back as `Aᵀ f` and the
mass matrix as `Aᵀ M A`.  What the peers do differently:

| | here | MuJoCo | Pinocchio |
| --- | --- | --- | --- |
| six-vectors | angular first | angular first, free joint linear first | linear first |
| quaternion | (w, x, y, z) | (w, x, y, z) | (x, y, z, w) |
| velocity of a free base | base axes | linear in world axes, angular in base axes | base axes |
| acceleration of a free base | spatial | ordinary | spatial |
| external wrench | about the origin, body axes | at the centre of mass, world axes | as here |
| numbering | parents first | depth first | depth first, or `crba` is wrong |
| damping | before the solve | in `qfrc_passive`; implicit in the default steps | not applied |
"""

# ruff: noqa: F401  (public names of the three modules)

from .conventions import (
    PeerDynamics,
    angular_first,
    body_axes,
    linear_first,
    mujoco_wrench,
    ordinary_from_spatial,
    peer_versions,
    quaternion_wxyz,
    quaternion_xyzw,
    spatial_from_ordinary,
    world_axes,
    wrench_from_mujoco,
)
from .mujoco import (
    mujoco_data,
    mujoco_dynamics,
    mujoco_state,
    mujoco_velocity_map,
    state_from_mujoco,
    to_mujoco,
)
from .pinocchio import (
    pinocchio_arguments,
    pinocchio_derivatives,
    pinocchio_dynamics,
    pinocchio_state,
    pinocchio_velocity_map,
    state_from_pinocchio,
    to_pinocchio,
)
