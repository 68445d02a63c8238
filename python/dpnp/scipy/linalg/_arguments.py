"""Checks of arguments that the functions of dpnp.scipy.linalg share."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import checked_array

__all__ = ["finite_array"]


def finite_array(function: str, a: object, check_finite: bool) -> dpnp_ndarray:
    """Return an array as one of dpnp; ValueError for infinities and NaN, if they are looked for."""
    a = checked_array(function, a)
    if check_finite and a.dtype.kind in "fc" and not bool(dpt.all(dpt.isfinite(a))):
        raise ValueError(f"{function}: the array must not contain infinities or NaN")
    return a
