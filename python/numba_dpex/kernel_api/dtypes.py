"""What kernels take as a dtype: NumPy's dtypes and scalar types, and the types of numba_dpex and Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy


def as_dtype(dtype: object) -> numpy.dtype:
    """Return the NumPy dtype that `dtype` means.

    Raises:
        TypeError: `dtype` means none.
    """
    import numpy

    try:
        return numpy.dtype(dtype)  # type: ignore[call-overload]
    except TypeError:
        try:
            return numpy.dtype(str(dtype))  # Numba's types, whose texts are NumPy's names
        except TypeError:
            raise TypeError(f"{dtype!r} is no dtype") from None
