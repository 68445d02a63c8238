"""String representations of arrays and integers."""

from __future__ import annotations

import numpy
from dpctl.tensor._print import usm_ndarray_repr, usm_ndarray_str
from dpep._array import dpnp_ndarray

__all__ = ["array_repr", "array_str", "binary_repr"]


def array_repr(
    arr: dpnp_ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the representation of an array, as `repr`. The arguments are those of `numpy.array_repr`.

    >>> import dpnp as np
    >>> np.array_repr(np.arange(2))
    'array([0, 1])'
    """
    return usm_ndarray_repr(arr, max_line_width, precision, suppress_small, prefix="array")


def array_str(
    a: dpnp_ndarray,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the elements of an array as text, as `str`. The arguments are those of `numpy.array_str`.

    >>> import dpnp as np
    >>> np.array_str(np.arange(2))
    '[0 1]'
    """
    return usm_ndarray_str(a, line_width=max_line_width, precision=precision, suppress=suppress_small)


def binary_repr(num: int, width: int | None = None) -> str:
    """Return the binary representation of an int, as `numpy.binary_repr`; of negative ones in two's complement.

    >>> import dpnp as np
    >>> np.binary_repr(-3, 4)
    '1101'
    """
    return numpy.binary_repr(num, width)
