"""Item, NdItem, Group and SubGroup: who a work-item is. Kernels are given them; programs do not construct them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numba_dpex.kernel_api.ranges import Range


def _product(extents: Sequence[int]) -> int:
    product = 1
    for extent in extents:
        product *= extent
    return product


def _linear(index: Sequence[int], extents: Sequence[int]) -> int:
    """The place of `index` when the last dimension varies fastest."""
    place = 0
    for coordinate, extent in zip(index, extents):
        place = place * extent + coordinate
    return place


def _at(values: Sequence[int], dim: int, what: str) -> int:
    if not 0 <= dim < len(values):
        raise ValueError(f"{what}: dimension {dim} of {len(values)}")
    return values[dim]


class _Waiting:
    """Groups whose members can wait for each other. `_meet` comes from the simulation, and is None elsewhere."""

    _meet: Callable | None = None
    _place: int
    _size: int

    @property
    def leader(self) -> bool:
        """Whether this work-item is its group's first: one of the group's work-items says True."""
        return self._place == 0

    def get_local_linear_id(self) -> int:
        """Return the work-item's place in this group, the last dimension varying fastest."""
        return self._place

    def get_local_linear_range(self) -> int:
        """Return the number of this group's work-items."""
        return self._size


class Group(_Waiting):
    """The work-group of a work-item, as `sycl::group`; `NdItem.get_group` returns it.

    A dimension that an index space does not have raises ValueError, here as in the other classes.
    """

    def __init__(self, global_range: Range, local_range: Range, group_range: Range, index: Sequence[int]) -> None:
        self._global_range = global_range
        self._local_range = local_range
        self._group_range = group_range
        self._index = index
        self._place = 0
        self._size = _product(local_range)

    def get_group_id(self, dim: int) -> int:
        """Return the group's coordinate in dimension `dim` among the groups."""
        return _at(self._index, dim, "Group.get_group_id")

    def get_group_linear_id(self) -> int:
        """Return the group's place among all groups, the last dimension varying fastest."""
        return _linear(self._index, self._group_range)

    def get_group_range(self, dim: int) -> int:
        """Return the number of groups in dimension `dim`."""
        return _at(self._group_range, dim, "Group.get_group_range")

    def get_group_linear_range(self) -> int:
        """Return the number of groups."""
        return _product(self._group_range)

    def get_local_range(self, dim: int) -> int:
        """Return the number of the group's work-items in dimension `dim`."""
        return _at(self._local_range, dim, "Group.get_local_range")

    @property
    def dimensions(self) -> int:
        """The number of dimensions of the index space: 1, 2 or 3."""
        return len(self._global_range)


class SubGroup(_Waiting):
    """The sub-group of a work-item, as `sycl::sub_group`; `NdItem.get_sub_group` returns it. It has one dimension."""

    def __init__(self, index: int, count: int, place: int, size: int, max_size: int) -> None:
        self._index = index
        self._count = count
        self._place = place
        self._size = size
        self._max_size = max_size

    def get_local_id(self, dim: int = 0) -> int:
        """Return the work-item's place in its sub-group."""
        return _at((self._place,), dim, "SubGroup.get_local_id")

    def get_local_range(self, dim: int = 0) -> int:
        """Return the number of this sub-group's work-items."""
        return _at((self._size,), dim, "SubGroup.get_local_range")

    def get_max_local_range(self, dim: int = 0) -> int:
        """Return the number of work-items that a sub-group of this kernel has at most."""
        return _at((self._max_size,), dim, "SubGroup.get_max_local_range")

    def get_group_id(self, dim: int = 0) -> int:
        """Return the sub-group's place in its work-group."""
        return _at((self._index,), dim, "SubGroup.get_group_id")

    def get_group_linear_id(self) -> int:
        """Return the sub-group's place in its work-group."""
        return self._index

    def get_group_range(self, dim: int = 0) -> int:
        """Return the number of sub-groups in the work-group."""
        return _at((self._count,), dim, "SubGroup.get_group_range")

    def get_group_linear_range(self) -> int:
        """Return the number of sub-groups in the work-group."""
        return self._count

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a sub-group: 1."""
        return 1


class Item:
    """A work-item of a kernel launched over a Range, as `sycl::item`."""

    def __init__(self, extent: Range, index: Sequence[int]) -> None:
        self._extent = extent
        self._index = index

    def get_id(self, idx: int) -> int:
        """Return the coordinate in dimension `idx`."""
        return _at(self._index, idx, "Item.get_id")

    def get_linear_id(self) -> int:
        """Return the place among all work-items, the last dimension varying fastest."""
        return _linear(self._index, self._extent)

    def get_range(self, idx: int) -> int:
        """Return the number of work-items in dimension `idx`."""
        return _at(self._extent, idx, "Item.get_range")

    def get_linear_range(self) -> int:
        """Return the number of all work-items."""
        return _product(self._extent)

    @property
    def dimensions(self) -> int:
        """The number of dimensions of the range: 1, 2 or 3."""
        return len(self._extent)


class NdItem:
    """A work-item of a kernel launched over an NdRange, as `sycl::nd_item`."""

    def __init__(self, global_item: Item, local_item: Item, group: Group, sub_group: SubGroup | None = None) -> None:
        self._global_item = global_item
        self._local_item = local_item
        self._group = group
        self._sub_group = sub_group
        group._place = local_item.get_linear_id()

    def get_global_id(self, idx: int) -> int:
        """Return the coordinate in dimension `idx` of the whole index space."""
        return self._global_item.get_id(idx)

    def get_global_linear_id(self) -> int:
        """Return the place among all work-items, the last dimension varying fastest."""
        return self._global_item.get_linear_id()

    def get_local_id(self, idx: int) -> int:
        """Return the coordinate in dimension `idx` of the work-group."""
        return self._local_item.get_id(idx)

    def get_local_linear_id(self) -> int:
        """Return the place in the work-group, the last dimension varying fastest."""
        return self._local_item.get_linear_id()

    def get_global_range(self, idx: int) -> int:
        """Return the number of work-items in dimension `idx` of the whole index space."""
        return self._global_item.get_range(idx)

    def get_global_linear_range(self) -> int:
        """Return the number of all work-items."""
        return self._global_item.get_linear_range()

    def get_local_range(self, idx: int) -> int:
        """Return the number of work-items in dimension `idx` of the work-group."""
        return self._local_item.get_range(idx)

    def get_local_linear_range(self) -> int:
        """Return the number of work-items of the work-group."""
        return self._local_item.get_linear_range()

    def get_group(self) -> Group:
        """Return the work-group."""
        return self._group

    def get_sub_group(self) -> SubGroup:
        """Return the sub-group: consecutive work-items of the work-group that run in step."""
        if self._sub_group is None:
            raise RuntimeError("NdItem.get_sub_group: this work-item was not made by a launch")
        return self._sub_group

    @property
    def dimensions(self) -> int:
        """The number of dimensions of the range: 1, 2 or 3."""
        return self._global_item.dimensions
