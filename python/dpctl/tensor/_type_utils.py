"""Rules of type promotion, under the names that extensions of dpctl import.

dpctl.tensor's own functions use the engine's rules instead. These functions also work for devices that are not
available.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy
from dpep._array.tensor import can_cast, result_type

from dpctl.tensor._data_types import (
    bool as bool_dtype,
)
from dpctl.tensor._data_types import (
    complex64,
    complex128,
    dtype,
    finfo,
    finfo_object,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    isdtype,
    uint8,
    uint16,
    uint32,
    uint64,
)
from dpctl.tensor._tensor_impl import (
    default_device_bool_type,
    default_device_complex_type,
    default_device_fp_type,
    default_device_int_type,
    default_device_uint_type,
)

__all__ = ["can_cast", "finfo", "finfo_object", "iinfo", "isdtype", "result_type"]


class _Device(Protocol):
    has_aspect_fp16: bool
    has_aspect_fp64: bool


def _supported(type_: dtype, fp16: bool, fp64: bool) -> bool:
    return not (type_ == float16 and not fp16) and not (type_ in (float64, complex128) and not fp64)


_ALL = [
    bool_dtype, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, float64, complex64,
    complex128,
]  # fmt: skip


def _all_data_types(_fp16: bool, _fp64: bool) -> list[dtype]:
    """The dtypes that a device supports, in the order of promotion."""
    return [t for t in _ALL if _supported(t, _fp16, _fp64)]


def _is_maximal_inexact_type(dt: dtype, _fp16: bool, _fp64: bool) -> bool:
    """Whether a dtype is the widest floating-point type of its kind on the device."""
    return dt in ((float64, complex128) if _fp64 else (float32, complex64))


def _can_cast(from_: dtype, to_: dtype, _fp16: bool, _fp64: bool, casting: str = "safe") -> bool:
    """can_cast on a device: without float64, integers can be cast to the widest supported type."""
    if not _supported(to_, _fp16, _fp64):
        return False
    if numpy.can_cast(from_, to_, casting=casting):
        return True
    everything_fits = _fp16 and _fp64
    return not everything_fits and from_.kind in "biu" and _is_maximal_inexact_type(to_, _fp16, _fp64)


def _to_device_supported_dtype(dt: dtype, dev: _Device) -> dtype:
    """The dtype, or the nearest floating-point type that the device supports."""
    if _supported(dt, dev.has_aspect_fp16, dev.has_aspect_fp64):
        return dt
    return complex64 if dt == complex128 else float32


def _get_device_default_dtype(dt_kind: str, sycl_dev: object) -> dtype:
    """The default dtype of a kind, given by NumPy's letter. RuntimeError for other letters."""
    by_kind = {
        "b": default_device_bool_type,
        "i": default_device_int_type,
        "u": default_device_uint_type,
        "f": default_device_fp_type,
        "c": default_device_complex_type,
    }
    if dt_kind not in by_kind:
        raise RuntimeError(f"default dtype: kind {dt_kind!r} is not one of {', '.join(by_kind)}")
    return dtype(by_kind[dt_kind](sycl_dev))


# --- acceptance of casts ---


def _acceptance_fn_default_unary(arg_dtype: dtype, buf_dt: dtype, res_dt: dtype, sycl_dev: object) -> bool:
    return True


def _acceptance_fn_reciprocal(arg_dtype: dtype, buf_dt: dtype, res_dt: dtype, sycl_dev: object) -> bool:
    """Integers are cast to the default type, not to the smallest one that holds them."""
    return buf_dt.kind == arg_dtype.kind or res_dt == _get_device_default_dtype(res_dt.kind, sycl_dev)


def _acceptance_fn_negative(arg_dtype: dtype, buf_dt: dtype, res_dt: dtype, sycl_dev: object) -> bool:
    if arg_dtype == bool_dtype:
        raise ValueError("negative: not defined for bool; use logical_not or bitwise_invert (~)")
    return True


def _acceptance_fn_default_binary(
    arg1_dtype: dtype, arg2_dtype: dtype, buf1_dt: dtype, buf2_dt: dtype, res_dt: dtype, sycl_dev: object
) -> bool:
    return True


def _acceptance_fn_subtract(
    arg1_dtype: dtype, arg2_dtype: dtype, buf1_dt: dtype, buf2_dt: dtype, res_dt: dtype, sycl_dev: object
) -> bool:
    if arg1_dtype == bool_dtype and arg2_dtype == bool_dtype:
        raise ValueError("subtract: not defined for two bools; use logical_xor or bitwise_xor (^)")
    return True


def _acceptance_fn_divide(
    arg1_dtype: dtype, arg2_dtype: dtype, buf1_dt: dtype, buf2_dt: dtype, res_dt: dtype, sycl_dev: object
) -> bool:
    """Integers are divided in the default type, not in the smallest one that holds them."""
    if buf1_dt.kind == arg1_dtype.kind or buf2_dt.kind == arg2_dtype.kind:
        return True
    return res_dt == _get_device_default_dtype(res_dt.kind, sycl_dev)


def _find_buf_dtype(
    arg_dtype: dtype, query_fn: Callable[[dtype], dtype | None], sycl_dev: _Device, acceptance_fn: Callable[..., bool]
) -> tuple[dtype | None, dtype | None]:
    """The dtype to which an operand is cast (None: not cast) and that of the result (None: no signature matches)."""
    if result := query_fn(arg_dtype):
        return None, result
    fp16, fp64 = sycl_dev.has_aspect_fp16, sycl_dev.has_aspect_fp64
    for buffer in _all_data_types(fp16, fp64):
        result = query_fn(buffer) if _can_cast(arg_dtype, buffer, fp16, fp64) else None
        if result and acceptance_fn(arg_dtype, buffer, result, sycl_dev):
            return buffer, result
    return None, None


def _find_buf_dtype2(
    arg1_dtype: dtype,
    arg2_dtype: dtype,
    query_fn: Callable[[dtype, dtype], dtype | None],
    sycl_dev: _Device,
    acceptance_fn: Callable[..., bool],
) -> tuple[dtype | None, dtype | None, dtype | None]:
    """The dtypes to which two operands are cast (None: not cast) and that of the result (None: no signature)."""
    if result := query_fn(arg1_dtype, arg2_dtype):
        return None, None, result
    fp16, fp64 = sycl_dev.has_aspect_fp16, sycl_dev.has_aspect_fp64
    types = _all_data_types(fp16, fp64)
    first = [t for t in types if _can_cast(arg1_dtype, t, fp16, fp64)]
    second = [t for t in types if _can_cast(arg2_dtype, t, fp16, fp64)]
    for one in first:
        for two in second:
            if not (result := query_fn(one, two)):
                continue
            cast = (None if one == arg1_dtype else one, None if two == arg2_dtype else two)
            if None in cast or acceptance_fn(arg1_dtype, arg2_dtype, *cast, result, sycl_dev):
                return *cast, result
    return None, None, None


# --- weak types: Python numbers, which adopt the dtype of the other operand ---


class _WeakType:
    """The type of a Python number, with its value."""

    kind = -1  # rank of the kind: bool, integer, floating-point, complex

    def __init__(self, o: complex) -> None:
        self._value = o

    def get(self) -> complex:
        return self._value


class WeakBooleanType(_WeakType):
    """The type of a bool."""

    kind = 0


class WeakIntegralType(_WeakType):
    """The type of an int."""

    kind = 1


class WeakFloatingType(_WeakType):
    """The type of a float."""

    kind = 2


class WeakComplexType(_WeakType):
    """The type of a complex."""

    kind = 3


_WEAK = ((bool, WeakBooleanType), (int, WeakIntegralType), (float, WeakFloatingType), (complex, WeakComplexType))


def _weak_type_of(o: complex) -> _WeakType | None:
    return next((weak(o) for python, weak in _WEAK if isinstance(o, python)), None)


def _is_weak_dtype(dtype: object) -> bool:
    return isinstance(dtype, _WeakType)


def _weak_type_num_kind(o: _WeakType) -> int:
    if not isinstance(o, _WeakType):
        raise TypeError(f"expected a weak type, got {o!r}")
    return o.kind


def _strong_dtype_num_kind(o: dtype) -> int:
    if not isinstance(o, numpy.dtype):
        raise TypeError(f"expected a dtype, got {o!r}")
    kinds = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
    if o.kind not in kinds:
        raise ValueError(f"dtype {o} is not supported by arrays")
    return kinds[o.kind]


def _adopted(weak: _WeakType, strong: dtype, dev: _Device) -> dtype:
    """The dtype that a Python number adopts in an operation with an array."""
    if weak.kind <= _strong_dtype_num_kind(strong):
        return strong
    if weak.kind == 1:
        return dtype(default_device_int_type(dev))
    if weak.kind == 3:
        return complex64 if strong in (float16, float32) else _to_device_supported_dtype(complex128, dev)
    return _to_device_supported_dtype(float64, dev)


def _resolve_weak_types(o1_dtype: object, o2_dtype: object, dev: _Device) -> tuple[dtype, dtype]:
    """The dtypes of two operands, of which at most one is a Python number. ValueError for two numbers."""
    if _is_weak_dtype(o1_dtype):
        if _is_weak_dtype(o2_dtype):
            raise ValueError("at least one of two operands must have a dtype, got two Python numbers")
        return _adopted(o1_dtype, o2_dtype, dev), o2_dtype
    return o1_dtype, _adopted(o2_dtype, o1_dtype, dev) if _is_weak_dtype(o2_dtype) else o2_dtype


def _resolve_weak_types_all_py_ints(o1_dtype: object, o2_dtype: object, dev: _Device) -> tuple[dtype, dtype]:
    """The same. An int that does not fit the array's integer type gets the smallest type that holds it."""
    types = _resolve_weak_types(o1_dtype, o2_dtype, dev)
    given = (o1_dtype, o2_dtype)

    def fitting(i: int) -> dtype:
        if isinstance(given[i], WeakIntegralType) and types[i].kind in "iu" and types[i] == types[1 - i]:
            limits = numpy.iinfo(types[i])
            if not limits.min <= given[i].get() <= limits.max:
                return numpy.min_scalar_type(given[i].get())
        return types[i]

    return fitting(0), fitting(1)
