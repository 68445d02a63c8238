"""The methods of dpnp.ndarray for arrays of one element, which NumPy's scalars have."""

from __future__ import annotations

import math

from dpep._array import dpnp_ndarray as ndarray

__all__ = ["as_integer_ratio", "bit_count", "ceil", "floor", "is_integer", "trunc"]


def _real(name: str, x: ndarray) -> bool | int | float:
    """The element of an array of one element; TypeError for complex numbers."""
    number = x._item()
    if isinstance(number, complex):
        raise TypeError(f"{name}: not defined for complex numbers")
    return number


def is_integer(self: ndarray) -> bool:
    """Return whether a number, an array of one element, is whole, as NumPy's scalars do.

    >>> import dpnp as np
    >>> np.array([1.5, 2.0])[1].is_integer()
    True
    """
    number = _real("is_integer", self)
    return isinstance(number, int) or number.is_integer()


def as_integer_ratio(self: ndarray) -> tuple[int, int]:
    """Return the integers whose quotient is the number, an array of one element, as NumPy's scalars do.

    >>> import dpnp as np
    >>> np.array([1.5, 2.0])[0].as_integer_ratio()
    (3, 2)
    """
    return _real("as_integer_ratio", self).as_integer_ratio()


def bit_count(self: ndarray) -> int:
    """Return the number of bits that are 1 in the absolute value of an integer, as NumPy's scalars do.

    >>> import dpnp as np
    >>> np.array([6, 8])[0].bit_count()
    2
    """
    number = _real("bit_count", self)
    if not isinstance(number, int):
        raise TypeError(f"bit_count: expected an array of integers, got dtype {self.dtype}")
    return number.bit_count()


def trunc(self: ndarray) -> int:
    """Return the number without its fraction, for `math.trunc`.

    >>> import dpnp as np
    >>> import math
    >>> math.trunc(np.array([-1.5])[0])
    -1
    """
    return math.trunc(_real("trunc", self))


def floor(self: ndarray) -> int:
    """Return the largest integer that is not above the number, for `math.floor`.

    >>> import dpnp as np
    >>> import math
    >>> math.floor(np.array([-1.5])[0])
    -2
    """
    return math.floor(_real("floor", self))


def ceil(self: ndarray) -> int:
    """Return the smallest integer that is not below the number, for `math.ceil`.

    >>> import dpnp as np
    >>> import math
    >>> math.ceil(np.array([-1.5])[0])
    -1
    """
    return math.ceil(_real("ceil", self))
