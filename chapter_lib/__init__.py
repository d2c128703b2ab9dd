"""The companion library to the chapter "The Articulated Body Algorithm".

Every public name imports from here; modules are loaded when a name of theirs is first used.
"""

from importlib import import_module

_PUBLIC = {
    "spatial": "skew cross_motion cross_force motion_transform rigid_inertia rigid_parameters "
    "point_wrench",
    "tree": "Revolute Prismatic Helical Body FloatingBase Tree",
    "models": "cylinder_inertia cylinder_chain three_link_arm uniform_chain ten_link_chain "
    "floating_thirty planar_biped two_armed_linkage rotation_about",
    "loads": "DynamicsLoads",
    "aba": "forward_dynamics outward_motion articulate inward_elimination outward_recovery",
    "rnea": "inverse_dynamics base_reaction bias_force mass_matrix_by_columns at_rest",
    "crba": "mass_matrix composite_inertias effective_inertia",
    "locking": "weld",
    "kinematics": "world_poses base_pose world_point point_jacobian mass_points world_wrench "
    "ordinary_acceleration accelerometer_reading",
    "lagrange": "com_jacobians kinetic_mass_matrix mass_matrix_derivatives coriolis_matrix "
    "velocity_force potential_energy gravity_force projected_bias",
    "planar": "PlanarArm absolute_angle_map planar_points planar_mass_matrix_absolute "
    "planar_bias_absolute planar_mass_matrix planar_bias planar_endpoint_jacobian "
    "planar_forward_dynamics",
    "momentum": "kinetic_energy total_energy center_of_mass centroidal_momentum_matrix "
    "centroidal_momentum centroidal_momentum_rate",
    "complementarity": "lcp least_distance ComplementarityError InfeasibleError",
    "projection": "free_acceleration generalized_velocity closest_acceleration "
    "constraint_projector constrained_acceleration",
    "contact": "PointContact JointLimit normal_jacobian tangent_jacobian tangents point_rate "
    "jacobian_rate contact_rows delassus impact sustained_contact",
    "friction": "friction_cone sliding_force sticking_contact sliding_contact FootPatch",
    "integrate": "velocity_first midpoint verlet rk4 simulate Trajectory observed_orders "
    "quaternion_rate configuration_map quaternion_of",
    "stepping": "simulate_contact soft_limit clip_after",
    "sensitivity": "slope jacobian policy_field swing_to at_event Swing",
    "interop": "to_mujoco mujoco_velocity_map mujoco_state state_from_mujoco mujoco_data "
    "mujoco_dynamics to_pinocchio pinocchio_velocity_map pinocchio_state state_from_pinocchio "
    "pinocchio_arguments pinocchio_dynamics pinocchio_derivatives PeerDynamics peer_versions "
    "linear_first angular_first quaternion_xyzw quaternion_wxyz world_axes "
    "body_axes ordinary_from_spatial spatial_from_ordinary mujoco_wrench wrench_from_mujoco",
}
_HOME = {name: module for module, names in _PUBLIC.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *__all__])
