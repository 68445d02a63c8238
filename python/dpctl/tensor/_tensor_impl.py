"""The default data types of a device, under the module name that extensions of dpctl import."""

from dpep import _array  # noqa: F401  creates the module below
from dpep._array.tensor import (
    default_device_bool_type,
    default_device_complex_type,
    default_device_fp_type,
    default_device_index_type,
    default_device_int_type,
    default_device_uint_type,
)

__all__ = [
    "default_device_bool_type",
    "default_device_complex_type",
    "default_device_fp_type",
    "default_device_index_type",
    "default_device_int_type",
    "default_device_uint_type",
]
