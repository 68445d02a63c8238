"""Barriers and fences."""

from __future__ import annotations

from numba_dpex.kernel_api.collective import collective
from numba_dpex.kernel_api.index_space_ids import Group, SubGroup
from numba_dpex.kernel_api.memory_enums import MemoryOrder, MemoryScope


def group_barrier(group: Group | SubGroup, fence_scope: MemoryScope = MemoryScope.WORK_GROUP) -> None:
    """Wait until all work-items of `group` get here; their earlier writes are then visible to all.

    As `sycl::group_barrier`.

    Args:
        group: the work-group or sub-group.
        fence_scope: the work-items that the writes are visible to.

    All work-items must make the same call. The simulation raises RuntimeError if they do not.
    """
    collective(group, "group_barrier", None, lambda values: values)


def sub_group_barrier(group: SubGroup, fence_scope: MemoryScope = MemoryScope.SUB_GROUP) -> None:
    """Wait until all work-items of a sub-group get here, as `group_barrier` of a sub-group."""
    collective(group, "sub_group_barrier", None, lambda values: values)


def atomic_fence(memory_order: MemoryOrder, memory_scope: MemoryScope) -> None:
    """Order earlier memory accesses before later ones, as `sycl::atomic_fence`.

    Does nothing in the simulation, which runs one work-item at a time, so that all writes are visible.
    """
