"""The data types of arrays, which are NumPy's, and functions of them."""

from __future__ import annotations

import builtins

import numpy
from numpy import dtype

bool = dtype("bool")
int8 = dtype("int8")
uint8 = dtype("uint8")
int16 = dtype("int16")
uint16 = dtype("uint16")
int32 = dtype("int32")
uint32 = dtype("uint32")
int64 = dtype("int64")
uint64 = dtype("uint64")
float16 = dtype("float16")
float32 = dtype("float32")
float64 = dtype("float64")
complex64 = dtype("complex64")
complex128 = dtype("complex128")

_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def isdtype(dtype: dtype, kind: str | dtype | tuple[str | dtype, ...]) -> builtins.bool:
    """Return whether a data type is of a kind.

    Parameters
    ----------
    dtype : dtype
        The data type.
    kind : str, dtype, or tuple of these
        "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric", or a
        data type to compare with. A tuple means any of its items.

    Raises
    ------
    TypeError
        When `dtype` is not a data type, or `kind` is of another type.
    ValueError
        For an unknown name of a kind.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.isdtype(dpt.uint8, "integral")
    True
    >>> dpt.isdtype(dpt.float32, (dpt.float64, "complex floating"))
    False
    """
    if not isinstance(dtype, numpy.dtype):
        raise TypeError(f"isdtype: Expected instance of dtype, got {dtype!r}")
    if isinstance(kind, numpy.dtype):
        return dtype == kind
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if not isinstance(kind, str):
        raise TypeError(f"isdtype: Unsupported data type kind: {kind!r}; expected a str, a dtype or a tuple of these")
    if kind not in _KINDS:
        raise ValueError(
            f"isdtype: Unrecognized data type kind: {kind!r}; the kinds are {', '.join(map(repr, _KINDS))}"
        )
    return dtype.kind in _KINDS[kind]


def _dtype_of(function: str, x: object) -> dtype:
    """The data type given as such or as that of an array. ValueError when arrays do not support it."""
    found = dtype(getattr(x, "dtype", x))
    if found.char not in "?bBhHiIlLqQefdFD":
        raise ValueError(f"{function}: dtype {found} is not supported by arrays")
    return found


def iinfo(dtype: object, /) -> numpy.iinfo:
    """Return the limits of an integer type.

    Parameters
    ----------
    dtype : dtype or usm_ndarray
        The type, or an array of it.

    Returns
    -------
    numpy.iinfo
        An object with the attributes `bits`, `min`, `max` and `dtype`.

    Raises
    ------
    ValueError
        When the type is not an integer type.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.iinfo(dpt.int8).max
    127
    """
    return numpy.iinfo(_dtype_of("iinfo", dtype))


class finfo_object:
    """The limits of a floating-point type as Python numbers, returned by `finfo`."""

    def __init__(self, dtype: object) -> None:
        self._limits = numpy.finfo(_dtype_of("finfo", dtype))

    bits = property(lambda self: int(self._limits.bits), doc="Size of a number in bits.")
    eps = property(lambda self: float(self._limits.eps), doc="The difference between 1 and the next larger number.")
    epsneg = property(
        lambda self: float(self._limits.epsneg), doc="The difference between 1 and the next smaller number."
    )
    min = property(lambda self: float(self._limits.min), doc="The smallest finite number.")
    max = property(lambda self: float(self._limits.max), doc="The largest finite number.")
    smallest_normal = property(
        lambda self: float(self._limits.smallest_normal), doc="The smallest positive normal number."
    )
    tiny = property(lambda self: float(self._limits.tiny), doc="The smallest positive normal number.")
    resolution = property(lambda self: float(self._limits.resolution), doc="10**-precision.")
    precision = property(lambda self: float(self._limits.precision), doc="Number of significant decimal digits.")
    dtype = property(
        lambda self: self._limits.dtype, doc="The floating-point type; for a complex type that of its parts."
    )

    def __str__(self) -> str:
        return str(self._limits)

    def __repr__(self) -> str:
        return repr(self._limits)


def finfo(dtype: object, /) -> finfo_object:
    """Return the limits of a floating-point type.

    Parameters
    ----------
    dtype : dtype or usm_ndarray
        The type, or an array of it. For a complex type the limits are those of its parts.

    Returns
    -------
    finfo_object
        An object with the attributes `bits`, `eps`, `epsneg`, `min`, `max`, `smallest_normal`, `tiny`, `resolution`,
        `precision` and `dtype`.

    Raises
    ------
    ValueError
        When the type is not a floating-point type.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.finfo(dpt.complex64).eps == 2**-23
    True
    """
    return finfo_object(dtype)
