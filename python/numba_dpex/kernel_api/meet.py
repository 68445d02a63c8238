"""The one way in which functions over groups reach the other work-items of the simulation."""

from __future__ import annotations

from collections.abc import Callable

from numba_dpex.kernel_api.index_space_ids import Group, SubGroup


def meet(group: Group | SubGroup, operation: str, value: object, combine: Callable[[list], list]):
    """Give `value`, wait for all of `group`, and return this work-item's part of what `combine` makes of all values.

    Raises:
        TypeError: `group` is none.
        RuntimeError: nobody simulates this work-item.
    """
    if not isinstance(group, Group | SubGroup):
        raise TypeError(f"{operation}: the first argument must be a Group or SubGroup, not {type(group).__name__}")
    if group._meet is None:
        raise RuntimeError(f"{operation}: only kernels can call it; kernel_api.call_kernel runs one in Python")
    return group._meet(operation, value, combine)
