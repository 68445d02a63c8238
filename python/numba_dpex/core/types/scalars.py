"""Scalar types: in signatures, as dtypes, and as conversions in kernels."""

from __future__ import annotations

import numpy

from numba_dpex.core.types.base import HostArrayType, Signature, Type, is_type


class ScalarType(Type):
    """The type of a number or bool, with NumPy's name.

    Called with types it returns a signature with this result; called with a value it converts the value, as NumPy's
    type does. Indexed with slices it returns the type of NumPy arrays, as in Numba: `int64[:, ::1]`.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.dtype = numpy.dtype(name)

    def __call__(self, *arguments):
        if arguments and not any(map(is_type, arguments)):
            return self.dtype.type(*arguments)
        return Signature(self, arguments)

    def __getitem__(self, slices) -> HostArrayType:
        return HostArrayType(self, len(slices) if isinstance(slices, tuple) else 1)


class NoneType(Type):
    """The type of functions that return nothing; `void(…)` is a kernel's signature."""


none = void = NoneType("none")
boolean = bool_ = b1 = ScalarType("bool")
int8, int16, int32, int64 = map(ScalarType, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(ScalarType, ("uint8", "uint16", "uint32", "uint64"))
float32, float64 = map(ScalarType, ("float32", "float64"))
complex64, complex128 = map(ScalarType, ("complex64", "complex128"))

i4, i8, u4, u8, f4, f8 = int32, int64, uint32, uint64, float32, float64
float_, double = float32, float64
