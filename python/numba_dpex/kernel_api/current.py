"""The work-item that the simulation is running on this thread, for functions that are not given it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from numba_dpex.kernel_api.index_space_ids import Item, NdItem
from numba_dpex.kernel_api.turns import Turns
from numba_dpex.kernel_api.work_group import WorkGroup

_thread = threading.local()


@contextmanager
def running(item: Item | NdItem, group: WorkGroup | None, turns: Turns, number: int) -> Iterator[None]:
    """While this thread runs `item`, which is in `group` if there are groups, the launch's `number`."""
    before = getattr(_thread, "running", None)
    _thread.running = (item, group, turns, number)
    try:
        yield
    finally:
        _thread.running = before


def work_item(function: str) -> tuple[Item | NdItem, WorkGroup | None]:
    """Return what runs on this thread.

    Raises:
        RuntimeError: nothing does; the message says that `function` is for kernels.
    """
    found = getattr(_thread, "running", None)
    if found is None:
        raise RuntimeError(f"{function}: only kernels can call it; kernel_api.call_kernel runs one in Python")
    return found[:2]


def looked(at: object, value: object, operation: str) -> None:
    """Tell the simulation, if one runs here, that an atomic operation found `value` and left it."""
    if (found := getattr(_thread, "running", None)) is not None:
        found[2].looked(found[3], at, value, operation)


def changed(operation: str) -> None:
    """Tell the simulation, if one runs here, that an atomic operation changed a value."""
    if (found := getattr(_thread, "running", None)) is not None:
        found[2].changed(found[3], operation)
