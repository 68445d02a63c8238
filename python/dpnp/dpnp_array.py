"""The array type, where programs written for dpnp 0.18 look for it."""

from dpnp._array import ndarray as dpnp_array

__all__ = ["dpnp_array"]
