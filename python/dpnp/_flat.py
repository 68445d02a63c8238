"""The iterator over the elements of an array in row-major order, which is the attribute `flat`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy
from dpep._array import dpnp_ndarray

__all__ = ["flatiter"]


class flatiter:
    """An iterator over the elements of an array in row-major order, which can be indexed with an int.

    >>> import dpnp as np
    >>> x = np.arange(4).reshape(2, 2)
    >>> x.flat[2]
    array(2)
    >>> [int(i) for i in x.flat]
    [0, 1, 2, 3]
    """

    def __init__(self, array: dpnp_ndarray) -> None:
        if not isinstance(array, dpnp_ndarray):
            raise TypeError(f"flatiter: expected an ndarray, got {type(array).__name__}")
        self._array = array
        self._next = 0

    def _index(self, key: object) -> tuple[int, ...]:
        if not isinstance(key, (int, numpy.integer)):
            raise TypeError(f"flat: the index must be an int, got {type(key).__name__}")
        if self._array.ndim == 0:
            raise KeyError("flat: a 0-d array cannot be indexed")
        size = self._array.size
        if not -size <= key < size:
            raise IndexError(f"flat: index {key} is out of range for {size} elements")
        return tuple(int(i) for i in numpy.unravel_index(key % size, self._array.shape))

    def __getitem__(self, key: int) -> dpnp_ndarray:
        return self._array[self._index(key)]

    def __setitem__(self, key: int, value: object) -> None:
        self._array[self._index(key)] = value

    def __len__(self) -> int:
        return self._array.size

    def __iter__(self) -> Iterator[dpnp_ndarray]:
        return self

    def __next__(self) -> dpnp_ndarray:
        if self._next >= self._array.size:
            raise StopIteration
        self._next += 1
        return self[self._next - 1]
