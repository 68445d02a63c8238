"""Whether arrays share memory."""

from __future__ import annotations

import numpy
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import checked_array

__all__ = ["may_share_memory", "shares_memory"]


class _Addresses:
    """The addresses of an array's elements, for NumPy's comparison of addresses, which reads no elements."""

    def __init__(self, a: dpnp_ndarray) -> None:
        usm = a.get_array()
        self.__array_interface__ = {
            "version": 3,
            "typestr": a.dtype.str,
            "shape": a.shape,
            "strides": tuple(s * a.itemsize for s in usm.strides),
            "data": (usm._pointer, True),
        }


def _addresses(function: str, a: object) -> numpy.ndarray:
    return numpy.asarray(_Addresses(checked_array(function, a)))


def shares_memory(a: object, b: object, /, max_work: int = -1) -> bool:
    """Return whether two arrays have an element in common.

    Parameters
    ----------
    a, b : ndarray or usm_ndarray
        The arrays.
    max_work : int, optional
        How much effort to spend, as in NumPy: -1 solves the problem exactly, 0 compares the ranges of addresses.

    Raises
    ------
    TypeError
        When `a` or `b` is not an array.
    numpy.exceptions.TooHardError
        When `max_work` was exceeded.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(6)
    >>> np.shares_memory(x[::2], x[1:]), np.shares_memory(x[::2], x[1::2])
    (True, False)
    """
    return numpy.shares_memory(_addresses("shares_memory", a), _addresses("shares_memory", b), max_work)


def may_share_memory(a: object, b: object, /, max_work: int = 0) -> bool:
    """Return whether the memory ranges of two arrays overlap. The arguments are those of `shares_memory`.

    >>> import dpnp as np
    >>> x = np.arange(6)
    >>> np.may_share_memory(x[::2], x[1::2])
    True
    """
    return numpy.may_share_memory(_addresses("may_share_memory", a), _addresses("may_share_memory", b), max_work)
