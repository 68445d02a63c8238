"""The data types of arrays, which are NumPy's, and what can be asked about them."""

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
        The data type to ask about.
    kind : str, dtype, or tuple of these
        "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric", or a
        data type to compare with. For a tuple one match is enough.

    Raises
    ------
    TypeError
        When `dtype` is not a data type, or `kind` is none of the above.
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
        raise TypeError(f"isdtype: Unsupported data type kind: {kind!r}; it is a str, a dtype or a tuple of these")
    if kind not in _KINDS:
        raise ValueError(
            f"isdtype: Unrecognized data type kind: {kind!r}; the kinds are {', '.join(map(repr, _KINDS))}"
        )
    return dtype.kind in _KINDS[kind]


def _dtype_of(function: str, x: object) -> dtype:
    """The data type that an argument is or has; ValueError when arrays cannot have it."""
    found = dtype(getattr(x, "dtype", x))
    if found.char not in "?bBhHiIlLqQefdFD":
        raise ValueError(f"{function}: arrays cannot be of dtype {found}")
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
        With `bits`, `min`, `max` and `dtype`.

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
    """The limits of a floating-point type as Python numbers; `finfo` makes it."""

    def __init__(self, dtype: object) -> None:
        self._limits = numpy.finfo(_dtype_of("finfo", dtype))

    bits = property(lambda self: int(self._limits.bits), doc="Bits of a number.")
    eps = property(lambda self: float(self._limits.eps), doc="The next number after 1, less 1.")
    epsneg = property(lambda self: float(self._limits.epsneg), doc="1, less the number before it.")
    min = property(lambda self: float(self._limits.min), doc="The least finite number.")
    max = property(lambda self: float(self._limits.max), doc="The greatest finite number.")
    smallest_normal = property(lambda self: float(self._limits.smallest_normal), doc="The least normal number above 0.")
    tiny = property(lambda self: float(self._limits.tiny), doc="The least normal number above 0.")
    resolution = property(lambda self: float(self._limits.resolution), doc="10 to the power of -precision.")
    precision = property(lambda self: float(self._limits.precision), doc="Decimal digits that are kept.")
    dtype = property(
        lambda self: self._limits.dtype, doc="The floating-point type; of complex numbers, of their parts."
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
        The type, or an array of it. For a complex type the answer is about its parts.

    Returns
    -------
    finfo_object
        With `bits`, `eps`, `epsneg`, `min`, `max`, `smallest_normal`, `tiny`, `resolution`, `precision` and `dtype`.

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
