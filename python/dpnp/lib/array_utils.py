"""Addresses and axes of arrays.

>>> from dpnp.lib.array_utils import normalize_axis_index
>>> normalize_axis_index(-1, 3)
2
"""

from dpctl.tensor._numpy_helper import normalize_axis_index, normalize_axis_tuple

from dpnp._support import byte_bounds

__all__ = ["byte_bounds", "normalize_axis_index", "normalize_axis_tuple"]
