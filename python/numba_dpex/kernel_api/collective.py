"""Collective operations of the simulation: all work-items of a group exchange values."""

from __future__ import annotations

from collections.abc import Callable

from numba_dpex.kernel_api.index_space_ids import Group, SubGroup


def collective(group: Group | SubGroup, operation: str, value: object, combine: Callable[[list], list]):
    """Contribute `value`, wait for all work-items of `group`, and return this work-item's item of `combine(values)`.

    Raises:
        TypeError: `group` is not a group.
        RuntimeError: the work-item does not run in the simulation.
    """
    if not isinstance(group, Group | SubGroup):
        raise TypeError(
            f"{operation}: the first argument must be a Group or SubGroup, not {type(group).__name__}; pass "
            "item.get_group() or item.get_sub_group()"
        )
    if group._collective is None:
        raise RuntimeError(f"{operation}: only kernels can call it; kernel_api.call_kernel runs one in Python")
    return group._collective(operation, value, combine)
