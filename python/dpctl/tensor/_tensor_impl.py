"""The types that a device has by default, under the name that extensions of dpctl import them from."""

from dpep import _array  # noqa: F401  binds the module below
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
