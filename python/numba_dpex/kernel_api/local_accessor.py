"""LocalAccessor: memory that the work-items of a group share."""

from __future__ import annotations

from operator import index
from typing import NoReturn

from numba_dpex.kernel_api.dtypes import as_dtype


class LocalAccessor:
    """An argument of a kernel launched over an NdRange: in the kernel it is an array that each work-group has one of.

    Args:
        shape: an int, or one to three ints; all positive.
        dtype: type of the elements: a number or bool.

    Raises:
        TypeError: `shape` or `dtype` is something else.

    Outside kernels there is no memory behind it: indexing raises NotImplementedError.

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
            raise TypeError(f"LocalAccessor: one to three dimensions are possible, not {len(self._shape)}")
        if min(self._shape) <= 0:
            raise TypeError(f"LocalAccessor: extents must be positive, and shape is {self._shape}")
        self._dtype = as_dtype(dtype)
        if self._dtype.kind not in "biufc" or self._dtype.itemsize > (16 if self._dtype.kind == "c" else 8):
            raise TypeError(f"LocalAccessor: elements are numbers or bools of up to 64 bits, not {self._dtype}")

    def __repr__(self) -> str:
        return f"LocalAccessor({self._shape}, {self._dtype})"

    def _outside(self) -> NoReturn:
        raise NotImplementedError("LocalAccessor: its memory is there in kernels only")

    def __getitem__(self, index) -> NoReturn:
        self._outside()

    def __setitem__(self, index, value) -> NoReturn:
        self._outside()
