"""PrivateArray: a private array of a work-item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba_dpex.kernel_api.dtypes import as_dtype

if TYPE_CHECKING:
    import numpy


class PrivateArray:
    """A small private array of each work-item, constructed in a kernel.

    Args:
        shape: a constant int or tuple of ints, so that the array can be kept in registers.
        dtype: type of the elements.
        fill_zeros: whether elements are initialised to zero; otherwise they are undefined.
    """

    def __init__(self, shape: int | tuple[int, ...], dtype: object, fill_zeros: bool = False) -> None:
        self._data = undefined(shape, dtype)
        if fill_zeros:
            self._data[...] = 0

    def __getitem__(self, index):
        return self._data[index]

    def __setitem__(self, index, value) -> None:
        self._data[index] = value

    def __len__(self) -> int:
        return len(self._data)

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self._data.shape

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._data.size

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._data.ndim

    @property
    def dtype(self) -> numpy.dtype:
        """The type of the elements."""
        return self._data.dtype


def undefined(shape: int | tuple[int, ...], dtype: object) -> numpy.ndarray:
    """Return an array of NaN or the largest integer, so that reads of unwritten elements are noticed."""
    import numpy

    dtype = as_dtype(dtype)
    worst = {"b": True, "i": numpy.iinfo("i1").min, "u": 255}.get(dtype.kind, numpy.nan)
    if dtype.kind in "iu":
        worst = numpy.iinfo(dtype).max
    return numpy.full(shape, worst, dtype)
