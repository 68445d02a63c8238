"""Barriers and fences."""

from __future__ import annotations

from numba_dpex.kernel_api.index_space_ids import Group, SubGroup
from numba_dpex.kernel_api.meet import meet
from numba_dpex.kernel_api.memory_enums import MemoryOrder, MemoryScope


def group_barrier(group: Group | SubGroup, fence_scope: MemoryScope = MemoryScope.WORK_GROUP) -> None:
    """Wait until all work-items of `group` are here; they then see what the others wrote, as `sycl::group_barrier`.

    Args:
        group: the work-group or sub-group.
        fence_scope: for whom memory is ordered.

    All of them must make the same call. The simulation raises RuntimeError where they do not.
    """
    meet(group, "group_barrier", None, lambda values: values)


def sub_group_barrier(group: SubGroup, fence_scope: MemoryScope = MemoryScope.SUB_GROUP) -> None:
    """Wait until all work-items of a sub-group are here; `group_barrier` of a sub-group is the same."""
    meet(group, "sub_group_barrier", None, lambda values: values)


def atomic_fence(memory_order: MemoryOrder, memory_scope: MemoryScope) -> None:
    """Order the memory accesses before against those after, as `sycl::atomic_fence`.

    The simulation runs one work-item at a time, each seeing all that was written, so there it has nothing to do.
    """
