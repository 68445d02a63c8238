"""The iterator over the elements of an array in row-major order, which is the attribute `flat`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import placed_like

__all__ = ["flatiter"]


class flatiter:
    """An iterator over the elements of an array in row-major order, which can be indexed as an array with one axis.

    An int, a slice, an array of indices or a mask selects elements, which can be assigned.

    >>> import dpnp as np
    >>> x = np.arange(4).reshape(2, 2)
    >>> x.flat[2]
    array(2)
    >>> x.flat[1:3] = 7
    >>> x
    array([[0, 7],
           [7, 3]])
    >>> [int(i) for i in x.flat]
    [0, 7, 7, 3]
    """

    def __init__(self, array: dpnp_ndarray) -> None:
        if not isinstance(array, dpnp_ndarray):
            raise TypeError(f"flatiter: expected an ndarray, got {type(array).__name__}")
        self._array = array
        self._next = 0

    @property
    def base(self) -> dpnp_ndarray:
        """The array."""
        return self._array

    @property
    def index(self) -> int:
        """The position of the next element."""
        return self._next

    @property
    def coords(self) -> tuple[int, ...]:
        """The index of the next element for each axis."""
        if self._next >= self._array.size:
            raise IndexError(f"flat: there is no element after the last of {self._array.size}")
        return self._coordinates(self._next)

    def copy(self) -> dpnp_ndarray:
        """Return a copy of the elements, an array with one axis."""
        return dpt.reshape(self._array, (-1,), copy=True)

    def _key(self, key: object) -> object:
        """The index of the element for an int; the key itself for an index of an array with one axis."""
        if isinstance(key, tuple) and len(key) == 1:
            (key,) = key
        if isinstance(key, bool | numpy.bool) or not isinstance(key, (int, numpy.integer)):
            if isinstance(key, slice) or key is Ellipsis:
                return key
            if isinstance(key, list | numpy.ndarray):
                key = placed_like(key, self._array)
            if isinstance(key, array_base) and key.dtype.kind in "iub":
                return key
            raise TypeError(
                f"flat: the index must be an int, a slice, or an array of ints or bools, got {type(key).__name__}"
            )
        size = self._array.size
        if not -size <= key < size:
            raise IndexError(f"flat: index {key} is out of range for {size} elements")
        return self._coordinates(int(key) % size)

    def _coordinates(self, position: int) -> tuple[int, ...]:
        index = []
        for n in reversed(self._array.shape):
            position, i = divmod(position, n)
            index.append(i)
        return tuple(reversed(index))

    def __getitem__(self, key: object) -> dpnp_ndarray:
        found = self._key(key)
        if isinstance(found, tuple):
            return self._array[found]
        selected = dpt.reshape(self._array, (-1,))[found]
        return dpt.copy(selected) if isinstance(key, slice) or key is Ellipsis else selected  # as in NumPy, no view

    def __setitem__(self, key: object, value: object) -> None:
        found = self._key(key)
        if isinstance(found, tuple):
            self._array[found] = value
            return
        flat = dpt.reshape(self._array, (-1,))
        count = flat[found].size
        values = dpt.reshape(placed_like(value, self._array), (-1,))
        if values.size == 0:
            raise ValueError("flat: expected at least one value")
        if values.size > 1 and values.size != count:  # as in NumPy, values are repeated
            values = dpt.tile(values, -(-count // values.size))[:count]
        flat[found] = dpt.astype(values[0] if values.size == 1 else values, self._array.dtype)
        if not self._array.flags.c_contiguous:
            self._array[...] = dpt.reshape(flat, self._array.shape)

    def __len__(self) -> int:
        return self._array.size

    def __iter__(self) -> Iterator[dpnp_ndarray]:
        return self

    def __next__(self) -> dpnp_ndarray:
        if self._next >= self._array.size:
            raise StopIteration
        self._next += 1
        return self._array[self._coordinates(self._next - 1)]
