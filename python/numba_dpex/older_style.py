"""The older API of kernels: functions for a work-item's ids, memory and atomics, without kernel_api.

Dimensions are numbered as in `kernel_api`. The functions also work in the simulation, `kernel_api.call_kernel`.
"""

from __future__ import annotations

from functools import partial

from numba_dpex.kernel_api import current
from numba_dpex.kernel_api.atomic_ref import AtomicRef
from numba_dpex.kernel_api.barrier import group_barrier
from numba_dpex.kernel_api.barrier import sub_group_barrier as _sub_group_barrier
from numba_dpex.kernel_api.index_space_ids import Item, NdItem
from numba_dpex.kernel_api.private_array import PrivateArray

LOCAL_MEM_FENCE = CLK_LOCAL_MEM_FENCE = 1
GLOBAL_MEM_FENCE = CLK_GLOBAL_MEM_FENCE = 2


def _nd_item(function: str) -> NdItem:
    item, _ = current.work_item(function)
    if isinstance(item, Item):
        raise RuntimeError(
            f"{function}: the kernel was launched over a Range, which has no work-groups; use an NdRange"
        )
    return item


def get_global_id(dim: int) -> int:
    """Return the work-item's global index in dimension `dim`."""
    item, _ = current.work_item("get_global_id")
    return item.get_id(dim) if isinstance(item, Item) else item.get_global_id(dim)


def get_local_id(dim: int) -> int:
    """Return the work-item's index in its work-group in dimension `dim`."""
    return _nd_item("get_local_id").get_local_id(dim)


def get_group_id(dim: int) -> int:
    """Return the work-group's index in dimension `dim`."""
    return _nd_item("get_group_id").get_group().get_group_id(dim)


def get_num_groups(dim: int) -> int:
    """Return the number of work-groups in dimension `dim`."""
    return _nd_item("get_num_groups").get_group().get_group_range(dim)


def get_global_size(dim: int) -> int:
    """Return the number of work-items in dimension `dim` of the index space."""
    item, _ = current.work_item("get_global_size")
    return item.get_range(dim) if isinstance(item, Item) else item.get_global_range(dim)


def get_local_size(dim: int) -> int:
    """Return the number of work-items in dimension `dim` of a work-group."""
    return _nd_item("get_local_size").get_local_range(dim)


def get_work_dim() -> int:
    """Return the number of dimensions of the index space."""
    return current.work_item("get_work_dim")[0].dimensions


def barrier(flags: int = LOCAL_MEM_FENCE | GLOBAL_MEM_FENCE) -> None:
    """Wait until all work-items of the work-group get here."""
    group_barrier(_nd_item("barrier").get_group())


def mem_fence(flags: int = LOCAL_MEM_FENCE | GLOBAL_MEM_FENCE) -> None:
    """Order earlier memory accesses of this work-item before later ones."""


def sub_group_barrier() -> None:
    """Wait until all work-items of the sub-group get here."""
    _sub_group_barrier(_nd_item("sub_group_barrier").get_sub_group())


class local:
    """Local memory of a work-group."""

    @staticmethod
    def array(shape, dtype):
        """Return an array that the work-items of a group share; its shape must be constant."""
        _, group = current.work_item("local.array")
        if group is None:
            raise RuntimeError(
                "local.array: the kernel was launched over a Range, which has no work-groups; use an NdRange"
            )
        return group.shared(partial(PrivateArray, shape, dtype))


class private:
    """Private memory of a work-item."""

    @staticmethod
    def array(shape, dtype):
        """Return a private array of zeros; its shape must be constant."""
        return PrivateArray(shape, dtype, True)


class atomic:
    """Atomic updates of array elements; each returns the element's previous value."""

    @staticmethod
    def add(array, index, value):
        """Add `value` to `array[index]`."""
        return AtomicRef(array, index).fetch_add(value)

    @staticmethod
    def sub(array, index, value):
        """Subtract `value` from `array[index]`."""
        return AtomicRef(array, index).fetch_sub(value)

    @staticmethod
    def min(array, index, value):
        """Set `array[index]` to the minimum of it and `value`."""
        return AtomicRef(array, index).fetch_min(value)

    @staticmethod
    def max(array, index, value):
        """Set `array[index]` to the maximum of it and `value`."""
        return AtomicRef(array, index).fetch_max(value)
