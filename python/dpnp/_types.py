"""Data types, which are NumPy's, and functions of them."""

from __future__ import annotations

import builtins
import functools

import dpctl
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base
from dpep._array.dpnp import check_arrays, placement_of
from numpy import (
    False_,
    ScalarType,
    True_,
    bool_,
    byte,
    cdouble,
    complex64,
    complex128,
    complexfloating,
    csingle,
    double,
    dtype,
    e,
    euler_gamma,
    float16,
    float32,
    float64,
    floating,
    generic,
    half,
    inexact,
    inf,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    long,
    longlong,
    nan,
    number,
    pi,
    short,
    signedinteger,
    single,
    typecodes,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
)

from dpnp._support import default_float_type

bool = bool_
newaxis = None

__all__ = [
    "False_",
    "ScalarType",
    "True_",
    "bool",
    "bool_",
    "byte",
    "can_cast",
    "cdouble",
    "common_type",
    "complex64",
    "complex128",
    "complexfloating",
    "csingle",
    "double",
    "dtype",
    "e",
    "euler_gamma",
    "finfo",
    "float16",
    "float32",
    "float64",
    "floating",
    "generic",
    "half",
    "iinfo",
    "inexact",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "integer",
    "intp",
    "is_type_supported",
    "isdtype",
    "issubdtype",
    "long",
    "longlong",
    "min_scalar_type",
    "nan",
    "newaxis",
    "number",
    "pi",
    "promote_types",
    "result_type",
    "sctypeDict",
    "short",
    "signedinteger",
    "single",
    "typecodes",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "unsignedinteger",
    "ushort",
]  # fmt: skip

# The scalar types of arrays, by their names.
sctypeDict = {name: each for name, each in numpy.sctypeDict.items() if numpy.dtype(each).char in "?bBhHiIlLqQefdFD"}


def finfo(dtype: object) -> object:
    """Return the limits of a floating-point type or of an array's floating-point type.

    >>> import dpnp as np
    >>> np.finfo(np.float32).bits
    32
    """
    return dpt.finfo(dtype.dtype if isinstance(dtype, array_base) else numpy.dtype(dtype))


def iinfo(dtype: object) -> numpy.iinfo:
    """Return the limits of an integer type or of an array's integer type.

    >>> import dpnp as np
    >>> np.iinfo(np.int8).max
    127
    """
    return dpt.iinfo(dtype.dtype if isinstance(dtype, array_base) else numpy.dtype(dtype))


def isdtype(dtype: object, kind: object) -> builtins.bool:
    """Return whether a dtype is of a kind of the Array API ('integral', 'real floating', …), or equal to a dtype.

    >>> import dpnp as np
    >>> np.isdtype(np.float32, ("integral", "real floating"))
    True
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    plain = tuple(numpy.dtype(k) if isinstance(k, type) else k for k in kinds)
    return dpt.isdtype(numpy.dtype(dtype) if isinstance(dtype, type) else dtype, plain)


def issubdtype(arg1: object, arg2: object) -> builtins.bool:
    """Return whether a data type is another one or below it in NumPy's type hierarchy.

    >>> import dpnp as np
    >>> np.issubdtype(np.float32, np.floating)
    True
    """
    return numpy.issubdtype(arg1.dtype if isinstance(arg1, array_base) else arg1, arg2)


def min_scalar_type(a: object, /) -> numpy.dtype:
    """Return the smallest dtype that can hold a number or the element of a 0-d array; of other arrays their dtype.

    >>> import dpnp as np
    >>> np.min_scalar_type(300)
    dtype('uint16')
    """
    if not isinstance(a, array_base):
        return numpy.min_scalar_type(a)
    return a.dtype if a.ndim else numpy.min_scalar_type(dpt.asnumpy(a))


def is_type_supported(obj_type: object) -> builtins.bool:
    """Return whether a type is float64, float32, int64 or int32, which all functions of dpnp support.

    >>> import dpnp as np
    >>> np.is_type_supported(np.float32), np.is_type_supported(np.int8)
    (True, False)
    """
    return obj_type in (float64, float32, int64, int32)


def can_cast(from_: object, to: object, casting: str = "safe") -> builtins.bool:
    """Return whether values of one dtype can be cast to another by a casting rule.

    Parameters
    ----------
    from_ : dtype or ndarray
        The dtype to cast from, or an array of it.
    to : dtype
        The dtype to cast to.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        The casting rule, as in NumPy.

    Raises
    ------
    TypeError
        When `to` is an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.can_cast(np.int32, np.float64), np.can_cast(np.float64, np.int32)
    (True, False)
    """
    if isinstance(to, array_base):
        raise TypeError(f"can_cast: to must be a dtype, got {type(to).__name__}")
    return numpy.can_cast(from_.dtype if isinstance(from_, array_base) else from_, to, casting=casting)


def result_type(*arrays_and_dtypes: object) -> numpy.dtype:
    """Return the dtype of an expression of the arguments. Python numbers adopt the dtype of the others.

    >>> import dpnp as np
    >>> np.result_type(np.ones(3, dtype="f4"), 2.5)
    dtype('float32')
    """
    return dpt.result_type(*arrays_and_dtypes)


def promote_types(type1: object, type2: object) -> numpy.dtype:
    """Return the smallest dtype to which both can be cast safely.

    >>> import dpnp as np
    >>> np.promote_types("i4", "f4")
    dtype('float64')
    """
    return numpy.promote_types(type1, type2)


def common_type(*arrays: object) -> type:
    """Return the floating-point type to which all arrays promote. Integers count as the default floating-point type.

    Raises TypeError for arrays of bool and for other objects.

    >>> import dpnp as np
    >>> np.common_type(np.ones(2, dtype="f4"), np.ones(2, dtype="c8")) is np.complex64
    True
    """
    if not arrays:
        return float16 if dpctl.select_default_device().has_aspect_fp16 else float32
    check_arrays("common_type", *arrays)
    default = default_float_type(sycl_queue=placement_of("common_type", *arrays)["sycl_queue"])
    if any(a.dtype.kind == "b" for a in arrays):
        raise TypeError("common_type: arrays of bool are not supported")
    types = [a.dtype if a.dtype.kind in "fc" else default for a in arrays]
    return functools.reduce(numpy.promote_types, types).type
