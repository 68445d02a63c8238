"""Conversion to NumPy dtypes, also from the types of numba_dpex and Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy


def as_dtype(dtype: object) -> numpy.dtype:
    """Return `dtype` as a NumPy dtype.

    Raises:
        TypeError: `dtype` cannot be converted.
    """
    import numpy

    try:
        return numpy.dtype(dtype)  # type: ignore[call-overload]
    except TypeError:
        try:
            return numpy.dtype(str(dtype))  # Numba's types have NumPy's names
        except TypeError:
            raise TypeError(f"expected a dtype such as numpy.float32 or 'f4', got {dtype!r}") from None
