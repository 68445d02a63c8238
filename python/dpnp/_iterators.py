"""Iterators over the elements of several arrays: broadcast and nditer.

They yield arrays without axes, one for each element. Functions of whole arrays are faster by orders of magnitude.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array, placement_of

from dpnp._flat import flatiter

__all__ = ["broadcast", "nditer"]


class broadcast:
    """Arrays broadcast to a common shape, and an iterator over tuples of their elements in row-major order.

    Parameters
    ----------
    *args : ndarray or usm_ndarray
        The arrays.

    Raises
    ------
    TypeError
        For other objects.
    ValueError
        For shapes that cannot be broadcast.

    Examples
    --------
    >>> import dpnp as np
    >>> b = np.broadcast(np.array([[1], [2]]), np.array([3, 4, 5]))
    >>> b.shape, b.size
    ((2, 3), 6)
    >>> [int(x) * int(y) for x, y in b]
    [3, 4, 5, 6, 8, 10]
    """

    def __init__(self, *args: object) -> None:
        arrays = [checked_array("broadcast", x) for x in args]
        placement_of("broadcast", *arrays)
        self._arrays = list(map(as_dpnp, dpt.broadcast_arrays(*arrays))) if arrays else []
        self.shape: tuple[int, ...] = self._arrays[0].shape if arrays else ()
        self.index = 0

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    nd = ndim

    @property
    def size(self) -> int:
        """Number of elements of the common shape."""
        return math.prod(self.shape)

    @property
    def numiter(self) -> int:
        """Number of arrays."""
        return len(self._arrays)

    @property
    def iters(self) -> tuple[flatiter, ...]:
        """The attribute `flat` of each array in the common shape."""
        return tuple(map(flatiter, self._arrays))

    def reset(self) -> None:
        """Start from the first elements again."""
        self.index = 0

    def __iter__(self) -> broadcast:
        return self

    def __next__(self) -> tuple[dpnp_ndarray, ...]:
        if self.index >= self.size:
            raise StopIteration
        place = tuple(int(i) for i in numpy.unravel_index(self.index, self.shape)) if self.shape else ()
        self.index += 1
        return tuple(x[place] for x in self._arrays)


_FLAGS = {
    "buffered", "c_index", "common_dtype", "external_loop", "f_index", "grow_inner", "multi_index", "refs_ok",
    "zerosize_ok",
}  # fmt: skip
_OPERAND_FLAGS = {"aligned", "allocate", "contig", "copy", "nbo", "no_broadcast", "readonly", "readwrite", "writeonly"}


class nditer:
    """An iterator over the elements of arrays, which are broadcast to a common shape.

    It yields an array without axes for each operand, a view of the element: assignments `x[...] = value` change the
    operands that are not read only. With one operand the array itself is yielded, else a tuple. With `external_loop`
    it yields all elements at once, as arrays with one axis.

    Parameters
    ----------
    op : ndarray, usm_ndarray, or sequence of them
        The operands; None for one that is allocated, with the flag 'allocate' or without flags.
    flags : sequence of str, optional
        'multi_index', 'c_index' and 'f_index' track an index; 'external_loop'; 'zerosize_ok' allows no elements.
        'buffered', 'common_dtype', 'grow_inner' and 'refs_ok' have no effect.
    op_flags : list of str, or list of lists of str, optional
        'readonly' (the default), 'readwrite', 'writeonly', 'allocate', 'no_broadcast', for each operand.
    op_dtypes : dtype or sequence of dtype, optional
        The dtypes of operands; only of those that are allocated may they differ from the operands' dtypes, or of
        operands that are read only, which are copied.
    order : {'C', 'F', 'A', 'K'}, optional
        The order of the elements: 'K' is the order of the memory if all operands are contiguous along their columns,
        else 'C'.
    casting : str, optional
        The rule for casts to `op_dtypes`.

    Raises
    ------
    TypeError
        For operands that are not arrays, and casts that the rule does not allow.
    ValueError
        For unknown flags, shapes that cannot be broadcast, and no elements without 'zerosize_ok'.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(4).reshape(2, 2)
    >>> with np.nditer(x, op_flags=["readwrite"]) as elements:
    ...     for each in elements:
    ...         each[...] = 2 * each
    >>> x
    array([[0, 2],
           [4, 6]])
    >>> it = np.nditer(x, flags=["multi_index"])
    >>> [(it.multi_index, int(each)) for each in it]
    [((0, 0), 0), ((0, 1), 2), ((1, 0), 4), ((1, 1), 6)]
    """

    def __init__(
        self,
        op: object,
        flags: Sequence[str] | None = None,
        op_flags: Sequence[object] | None = None,
        op_dtypes: object = None,
        order: str = "K",
        casting: str = "safe",
    ) -> None:
        several = isinstance(op, (list, tuple))
        given = list(op) if several else [op]
        self._flags = set(flags or ())
        if unknown := self._flags - _FLAGS:
            raise ValueError(f"nditer: flags {sorted(unknown)} are not supported, only {sorted(_FLAGS)}")
        self._single = not several
        modes = self._modes(op_flags, given)
        dtypes = list(op_dtypes) if isinstance(op_dtypes, (list, tuple)) else [op_dtypes] * len(given)
        if len(dtypes) != len(given):
            raise ValueError(f"nditer: expected {len(given)} dtypes, got {len(dtypes)}")
        present = [checked_array("nditer", x) for x in given if x is not None]
        if not present:
            raise ValueError("nditer: expected at least one array")
        place = placement_of("nditer", *present)
        self.shape: tuple[int, ...] = numpy.broadcast_shapes(*(x.shape for x in present))
        self.operands = []
        for x, mode, dtype in zip(given, modes, dtypes, strict=True):
            if x is None:
                wanted = dtype if dtype is not None else dpt.result_type(*present)
                self.operands.append(as_dpnp(dpt.empty(self.shape, dtype=wanted, **place)))
                continue
            x = checked_array("nditer", x)
            if dtype is not None and dpt.dtype(dtype) != x.dtype:
                if mode & {"readwrite", "writeonly"}:
                    raise TypeError(f"nditer: an operand that is written must have the dtype {dtype}, got {x.dtype}")
                x = dpt.astype(x, dtype, casting=casting)
            if x.shape != self.shape and mode & {"readwrite", "writeonly", "no_broadcast"}:
                raise ValueError(f"nditer: an operand of shape {x.shape} cannot be broadcast to {self.shape}")
            self.operands.append(x)
        self.operands = tuple(self.operands)
        self._views = [as_dpnp(dpt.broadcast_to(x, self.shape)) if x.shape != self.shape else x for x in self.operands]
        for i, mode in enumerate(modes):
            if not mode & {"readwrite", "writeonly"}:
                self._views[i] = self._views[i][...]
                self._views[i].setflags(write=False)
        if self.itersize == 0 and "zerosize_ok" not in self._flags:
            raise ValueError("nditer: there are no elements; the flag 'zerosize_ok' allows that")
        columns = [x.flags.f_contiguous and not x.flags.c_contiguous for x in self._views]
        if order not in ("C", "F", "A", "K"):
            raise ValueError(f"nditer: order must be one of 'C', 'F', 'A', 'K', got {order!r}")
        self._by_columns = order == "F" or (order in "AK" and all(columns))
        self.reset()

    @staticmethod
    def _modes(op_flags: Sequence[object] | None, operands: list[object]) -> list[set[str]]:
        if not op_flags:
            return [{"writeonly", "allocate"} if x is None else {"readonly"} for x in operands]
        lists = [op_flags] * len(operands) if isinstance(op_flags[0], str) else list(op_flags)
        if len(lists) != len(operands):
            raise ValueError(f"nditer: expected flags of {len(operands)} operands, got {len(lists)}")
        for each in lists:
            if unknown := set(each) - _OPERAND_FLAGS:
                raise ValueError(
                    f"nditer: operand flags {sorted(unknown)} are not supported, only {sorted(_OPERAND_FLAGS)}"
                )
        return [set(each) for each in lists]

    @property
    def ndim(self) -> int:
        """Number of axes that are iterated over."""
        return len(self.shape)

    @property
    def itersize(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nop(self) -> int:
        """Number of operands."""
        return len(self.operands)

    @property
    def multi_index(self) -> tuple[int, ...]:
        """The index of the current element. ValueError without the flag 'multi_index'."""
        if "multi_index" not in self._flags:
            raise ValueError("nditer: the index is tracked with the flag 'multi_index'")
        return self._current

    @property
    def index(self) -> int:
        """The flat index of the current element. ValueError without the flag 'c_index' or 'f_index'."""
        if not self._flags & {"c_index", "f_index"}:
            raise ValueError("nditer: the flat index is tracked with the flag 'c_index' or 'f_index'")
        order = "C" if "c_index" in self._flags else "F"
        return int(numpy.ravel_multi_index(self._current, self.shape, order=order)) if self.shape else 0

    def reset(self) -> None:
        """Start from the first element again."""
        self._indices = self._all_indices()
        self._current: tuple[int, ...] = (0,) * self.ndim
        self.finished = self.itersize == 0

    def _all_indices(self) -> Iterator[tuple[int, ...]]:
        if self._by_columns:
            return (index[::-1] for index in itertools.product(*map(range, self.shape[::-1])))
        return itertools.product(*map(range, self.shape))

    def _rows(self) -> list[dpnp_ndarray]:
        order = "F" if self._by_columns else "C"
        # A copy of elements that may be written would lose what is written.
        return [dpt.reshape(x, (-1,), order=order, copy=False if x.flags.writable else None) for x in self._views]

    @property
    def value(self) -> object:
        """The current element of each operand."""
        whole = "external_loop" in self._flags
        made = tuple(self._rows()) if whole else tuple(x[(*self._current, ...)] for x in self._views)
        return made[0] if self._single else made

    def __iter__(self) -> Iterator[object]:
        self.reset()
        return self

    def __next__(self) -> object:
        if "external_loop" in self._flags:
            if self.finished:
                raise StopIteration
            self.finished = True
            return self.value
        try:
            self._current = next(self._indices)
        except StopIteration:
            self.finished = True
            raise
        return self.value

    def iternext(self) -> bool:
        """Go to the next element, and return whether there is one."""
        if self._current == (0,) * self.ndim and not self.finished:
            next(self._indices, None)  # the first element, which is the current one from the beginning
        following = next(self._indices, None)
        self.finished = following is None
        if following is not None:
            self._current = following
        return not self.finished

    def __enter__(self) -> nditer:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        """Has no effect: elements are views, so there is nothing to write back."""
