"""Range and NdRange: the index space of a launch, and the size of its work-groups."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

from numba_dpex.core.exceptions import UnmatchedNumberOfRangeDimsError, UnsupportedGroupWorkItemSizeError


class Range(tuple):
    """The extents of an index space of one, two or three dimensions, as `sycl::range`. The last one varies fastest.

    Args:
        dim0, dim1, dim2: extents; nonnegative ints.

    Raises:
        TypeError: an extent is not an int.
        ValueError: an extent is negative, or dim2 is given without dim1.

    >>> import numba_dpex as ndx
    >>> r = ndx.Range(4, 3)
    >>> r.ndim, r.size(), r[0], r.dim2
    (2, 12, 4, -1)
    """

    __slots__ = ()
    _UNDEFINED_DIMENSION = -1

    def __new__(cls, dim0: int, dim1: int | None = None, dim2: int | None = None) -> Range:
        if dim1 is None and dim2 is None and type(dim0) is int and dim0 >= 0:
            return tuple.__new__(
                cls, (dim0,)
            )  # fast path for the most frequent case; the general one takes three times as long
        if dim1 is None and dim2 is not None:
            raise ValueError("Range: dim2 is given without dim1")
        extents = []
        for axis, extent in enumerate((dim0, dim1, dim2)):
            if extent is None and axis:
                break
            try:
                extents.append(index(extent))  # type: ignore[arg-type]
            except TypeError:
                raise TypeError(f"Range: dim{axis} must be an int, not {type(extent).__name__}") from None
            if extents[-1] < 0:
                raise ValueError(f"Range: dim{axis} must not be negative, got {extents[-1]}")
        return tuple.__new__(cls, extents)

    def __getnewargs__(self) -> tuple[int, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"Range({', '.join(map(str, self))})"

    def get(self, index: int) -> int:
        """Return the extent of dimension `index`, which is 0, 1 or 2."""
        return self[index]

    def size(self) -> int:
        """Return the number of work-items: the product of the extents."""
        product = 1
        for extent in self:
            product *= extent
        return product

    @property
    def ndim(self) -> int:
        """The number of dimensions: 1, 2 or 3."""
        return len(self)

    @property
    def dim0(self) -> int:
        """The extent of the first dimension."""
        return self[0]

    @property
    def dim1(self) -> int:
        """The extent of the second dimension; -1 where there is none."""
        return self[1] if len(self) > 1 else Range._UNDEFINED_DIMENSION

    @property
    def dim2(self) -> int:
        """The extent of the third dimension; -1 where there is none."""
        return self[2] if len(self) > 2 else Range._UNDEFINED_DIMENSION


def _as_range(name: str, extents: Range | Iterable[int]) -> Range:
    if isinstance(extents, Range):
        return extents
    if not isinstance(extents, Iterable) or isinstance(extents, str):
        raise TypeError(f"NdRange: {name} must be a Range or a sequence of ints, not {type(extents).__name__}")
    extents = tuple(extents)
    if not 1 <= len(extents) <= 3:
        raise TypeError(f"NdRange: {name} must have one to three extents, got {len(extents)}")
    return Range(*extents)


class NdRange:
    """An index space that is divided into work-groups, as `sycl::nd_range`.

    Args:
        global_size: a Range, or a sequence of one to three ints: the whole index space.
        local_size: a Range or sequence: one work-group; each extent must divide that of `global_size`.

    Raises:
        TypeError: an argument is neither a Range nor a sequence of one to three ints.
        UnmatchedNumberOfRangeDimsError: they differ in the number of dimensions.
        UnsupportedGroupWorkItemSizeError: an extent does not divide that of `global_size`.

    >>> import numba_dpex as ndx
    >>> ndx.NdRange((128,), (32,)).local_range
    Range(32)
    """

    __slots__ = ("_global_range", "_local_range")

    def __init__(self, global_size: Range | Iterable[int], local_size: Range | Iterable[int]) -> None:
        self._global_range = _as_range("global_size", global_size)
        self._local_range = _as_range("local_size", local_size)
        if len(self._global_range) != len(self._local_range):
            raise UnmatchedNumberOfRangeDimsError(
                kernel_name="", global_ndims=len(self._global_range), local_ndims=len(self._local_range)
            )
        for axis, (all_items, items) in enumerate(zip(self._global_range, self._local_range)):
            if items == 0 or all_items % items:
                raise UnsupportedGroupWorkItemSizeError(
                    kernel_name="", dim=axis, work_groups=all_items, work_items=items
                )

    @property
    def global_range(self) -> Range:
        """The extents of the whole index space."""
        return self._global_range

    @property
    def local_range(self) -> Range:
        """The extents of a work-group."""
        return self._local_range

    def get_global_range(self) -> Range:
        """Return the extents of the whole index space."""
        return self._global_range

    def get_local_range(self) -> Range:
        """Return the extents of a work-group."""
        return self._local_range

    def __repr__(self) -> str:
        return f"NdRange({tuple(self._global_range)}, {tuple(self._local_range)})"

    def __str__(self) -> str:
        return f"({self._global_range!s}, {self._local_range!s})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NdRange):
            return NotImplemented
        return self._global_range == other._global_range and self._local_range == other._local_range

    def __hash__(self) -> int:
        return hash((self._global_range, self._local_range))
