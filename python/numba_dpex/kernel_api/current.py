"""The work-item that the simulation runs on the current thread, for functions that do not get it as an argument."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from numba_dpex.kernel_api.index_space_ids import Item, NdItem
from numba_dpex.kernel_api.scheduler import Scheduler
from numba_dpex.kernel_api.work_group import WorkGroup

_thread = threading.local()


@contextmanager
def running(item: Item | NdItem, group: WorkGroup | None, scheduler: Scheduler, number: int) -> Iterator[None]:
    """Set the current work-item, its group if the launch has groups, and its number in the launch."""
    before = getattr(_thread, "running", None)
    _thread.running = (item, group, scheduler, number)
    try:
        yield
    finally:
        _thread.running = before


def work_item(function: str) -> tuple[Item | NdItem, WorkGroup | None]:
    """Return the current work-item and its group. `function` names the caller in the error message.

    Raises:
        RuntimeError: no work-item runs on this thread.
    """
    found = getattr(_thread, "running", None)
    if found is None:
        raise RuntimeError(f"{function}: only kernels can call it; kernel_api.call_kernel runs one in Python")
    return found[:2]


def record_read(address: object, value: object, operation: str) -> None:
    """Report an atomic operation that read `value` and did not change it. Without a simulation, do nothing."""
    if (found := getattr(_thread, "running", None)) is not None:
        found[2].record_read(found[3], address, value, operation)


def record_change(operation: str) -> None:
    """Report an atomic operation that changed a value. Without a simulation, do nothing."""
    if (found := getattr(_thread, "running", None)) is not None:
        found[2].record_change(found[3], operation)
