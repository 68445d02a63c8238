"""PrivateArray: an array of a work-item's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba_dpex.kernel_api.dtypes import as_dtype

if TYPE_CHECKING:
    import numpy


class PrivateArray:
    """A small array of a fixed shape that each work-item has for itself; constructed in a kernel.

    Args:
        shape: an int or a tuple of ints; constants, so that the array can be in registers.
        dtype: type of the elements.
        fill_zeros: whether elements start as zero; they are undefined otherwise.
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
    """Return memory as the simulation hands it out: with values that programs which read them cannot overlook."""
    import numpy

    dtype = as_dtype(dtype)
    worst = {"b": True, "i": numpy.iinfo("i1").min, "u": 255}.get(dtype.kind, numpy.nan)
    if dtype.kind in "iu":
        worst = numpy.iinfo(dtype).max
    return numpy.full(shape, worst, dtype)
