"""LocalAccessor: local memory of a work-group."""

from __future__ import annotations

from operator import index
from typing import NoReturn

from numba_dpex.kernel_api.dtypes import as_dtype


class LocalAccessor:
    """An argument of a kernel launched over an NdRange: in the kernel, an array in local memory of the work-group.

    Args:
        shape: an int, or one to three ints; all positive.
        dtype: type of the elements: numbers or bools.

    Raises:
        TypeError: `shape` or `dtype` is invalid.

    It has no memory outside of kernels: indexing raises NotImplementedError there.

    >>> from numba_dpex import kernel_api as kapi
    >>> kapi.LocalAccessor((4, 8), "f4")
    LocalAccessor((4, 8), float32)
    """

    __slots__ = ("_dtype", "_shape")

    def __init__(self, shape, dtype) -> None:
        if hasattr(shape, "tolist"):
            shape = shape.tolist()
        try:
            self._shape = tuple(map(index, shape if isinstance(shape, list | tuple) else (shape,)))
        except TypeError:
            raise TypeError(f"LocalAccessor: shape must be an int or a tuple of ints, not {shape!r}") from None
        if not 1 <= len(self._shape) <= 3:
            raise TypeError(f"LocalAccessor: shape must have one to three dimensions, not {len(self._shape)}")
        if min(self._shape) <= 0:
            raise TypeError(f"LocalAccessor: extents must be positive, got shape {self._shape}")
        self._dtype = as_dtype(dtype)
        if self._dtype.kind not in "biufc" or self._dtype.itemsize > (16 if self._dtype.kind == "c" else 8):
            raise TypeError(f"LocalAccessor: dtype must be numbers or bools of up to 64 bits, not {self._dtype}")

    def __repr__(self) -> str:
        return f"LocalAccessor({self._shape}, {self._dtype})"

    def _outside(self) -> NoReturn:
        raise NotImplementedError("LocalAccessor: its elements are accessible in kernels only")

    def __getitem__(self, index) -> NoReturn:
        self._outside()

    def __setitem__(self, index, value) -> NoReturn:
        self._outside()
