"""Item, NdItem, Group and SubGroup: the identity of a work-item. Kernels get them as arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numba_dpex.kernel_api.ranges import Range


def _product(extents: Sequence[int]) -> int:
    product = 1
    for extent in extents:
        product *= extent
    return product


def _linear(index: Sequence[int], extents: Sequence[int]) -> int:
    """Return the linear index, in which the last dimension varies fastest."""
    linear = 0
    for coordinate, extent in zip(index, extents):
        linear = linear * extent + coordinate
    return linear


def _at(values: Sequence[int], dim: int, what: str) -> int:
    if not 0 <= dim < len(values):
        raise ValueError(f"{what}: dimension {dim} is out of range: the index space has {len(values)} dimensions")
    return values[dim]


class _GroupBase:
    """Base of groups. `_collective` is set by the simulation, and is None elsewhere."""

    _collective: Callable | None = None
    _local_linear_id: int
    _size: int

    @property
    def leader(self) -> bool:
        """Whether this work-item is the first of its group."""
        return self._local_linear_id == 0

    def get_local_linear_id(self) -> int:
        """Return the linear id in this group; the last dimension varies fastest."""
        return self._local_linear_id

    def get_local_linear_range(self) -> int:
        """Return the number of work-items in this group."""
        return self._size


class Group(_GroupBase):
    """The work-group of a work-item, as `sycl::group`; `NdItem.get_group` returns it.

    In all classes a dimension that the index space does not have raises ValueError.
    """

    def __init__(self, global_range: Range, local_range: Range, group_range: Range, index: Sequence[int]) -> None:
        self._global_range = global_range
        self._local_range = local_range
        self._group_range = group_range
        self._index = index
        self._local_linear_id = 0
        self._size = _product(local_range)

    def get_group_id(self, dim: int) -> int:
        """Return the group's index in dimension `dim`."""
        return _at(self._index, dim, "Group.get_group_id")

    def get_group_linear_id(self) -> int:
        """Return the group's linear index; the last dimension varies fastest."""
        return _linear(self._index, self._group_range)

    def get_group_range(self, dim: int) -> int:
        """Return the number of groups in dimension `dim`."""
        return _at(self._group_range, dim, "Group.get_group_range")

    def get_group_linear_range(self) -> int:
        """Return the number of groups."""
        return _product(self._group_range)

    def get_local_range(self, dim: int) -> int:
        """Return the number of work-items of the group in dimension `dim`."""
        return _at(self._local_range, dim, "Group.get_local_range")

    @property
    def dimensions(self) -> int:
        """The number of dimensions of the index space: 1, 2 or 3."""
        return len(self._global_range)


class SubGroup(_GroupBase):
    """The sub-group of a work-item, as `sycl::sub_group`; `NdItem.get_sub_group` returns it. It has one dimension."""

    def __init__(self, index: int, count: int, local_linear_id: int, size: int, max_size: int) -> None:
        self._index = index
        self._count = count
        self._local_linear_id = local_linear_id
        self._size = size
        self._max_size = max_size

    def get_local_id(self, dim: int = 0) -> int:
        """Return the work-item's id in its sub-group."""
        return _at((self._local_linear_id,), dim, "SubGroup.get_local_id")

    def get_local_range(self, dim: int = 0) -> int:
        """Return the number of work-items in this sub-group."""
        return _at((self._size,), dim, "SubGroup.get_local_range")

    def get_max_local_range(self, dim: int = 0) -> int:
        """Return the maximum number of work-items in a sub-group of this kernel."""
        return _at((self._max_size,), dim, "SubGroup.get_max_local_range")

    def get_group_id(self, dim: int = 0) -> int:
        """Return the sub-group's index in its work-group."""
        return _at((self._index,), dim, "SubGroup.get_group_id")

    def get_group_linear_id(self) -> int:
        """Return the sub-group's index in its work-group."""
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
        """Return the work-item's index in dimension `idx`."""
        return _at(self._index, idx, "Item.get_id")

    def get_linear_id(self) -> int:
        """Return the global linear id; the last dimension varies fastest."""
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
        group._local_linear_id = local_item.get_linear_id()

    def get_global_id(self, idx: int) -> int:
        """Return the global index in dimension `idx`."""
        return self._global_item.get_id(idx)

    def get_global_linear_id(self) -> int:
        """Return the global linear id; the last dimension varies fastest."""
        return self._global_item.get_linear_id()

    def get_local_id(self, idx: int) -> int:
        """Return the index in the work-group in dimension `idx`."""
        return self._local_item.get_id(idx)

    def get_local_linear_id(self) -> int:
        """Return the linear id in the work-group; the last dimension varies fastest."""
        return self._local_item.get_linear_id()

    def get_global_range(self, idx: int) -> int:
        """Return the global number of work-items in dimension `idx`."""
        return self._global_item.get_range(idx)

    def get_global_linear_range(self) -> int:
        """Return the number of all work-items."""
        return self._global_item.get_linear_range()

    def get_local_range(self, idx: int) -> int:
        """Return the number of work-items of the work-group in dimension `idx`."""
        return self._local_item.get_range(idx)

    def get_local_linear_range(self) -> int:
        """Return the number of work-items in the work-group."""
        return self._local_item.get_linear_range()

    def get_group(self) -> Group:
        """Return the work-group."""
        return self._group

    def get_sub_group(self) -> SubGroup:
        """Return the sub-group: consecutive work-items of the work-group that can exchange values directly."""
        if self._sub_group is None:
            raise RuntimeError("NdItem.get_sub_group: this work-item does not belong to a launch; call it in a kernel")
        return self._sub_group

    @property
    def dimensions(self) -> int:
        """The number of dimensions of the range: 1, 2 or 3."""
        return self._global_item.dimensions
