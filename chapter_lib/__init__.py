"""The companion library to the chapter "The Articulated Body Algorithm".

Every public name imports from here; modules are loaded when a name of theirs is first used.
"""

from importlib import import_module

_PUBLIC = {
    "spatial": "skew cross_motion cross_force motion_transform rigid_inertia rigid_parameters "
    "point_wrench",
    "tree": "Revolute Prismatic Helical Body FloatingBase Tree",
    "models": "cylinder_inertia cylinder_chain three_link_arm uniform_chain ten_link_chain "
    "floating_thirty planar_biped rotation_about",
    "loads": "DynamicsLoads",
    "aba": "forward_dynamics outward_motion articulate inward_elimination outward_recovery",
    "rnea": "inverse_dynamics base_reaction bias_force mass_matrix_by_columns at_rest",
    "crba": "mass_matrix composite_inertias",
    "locking": "weld",
    "kinematics": "world_poses base_pose world_point point_jacobian world_wrench "
    "ordinary_acceleration accelerometer_reading",
    "lagrange": "com_jacobians kinetic_mass_matrix mass_matrix_derivatives coriolis_matrix "
    "velocity_force potential_energy gravity_force projected_bias",
    "planar": "PlanarArm absolute_angle_map planar_points planar_mass_matrix_absolute "
    "planar_bias_absolute planar_mass_matrix planar_bias planar_endpoint_jacobian "
    "planar_forward_dynamics",
    "momentum": "kinetic_energy total_energy center_of_mass centroidal_momentum_matrix "
    "centroidal_momentum centroidal_momentum_rate",
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
