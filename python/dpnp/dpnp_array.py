"""The array type, under the module name of dpnp 0.18."""

from dpnp._array import ndarray as dpnp_array

__all__ = ["dpnp_array"]
