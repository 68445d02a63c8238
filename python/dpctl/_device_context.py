"""The current queue, set by a `with` statement, on which kernels run whose arrays are all on the host."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from dpep._core import SyclDevice, SyclQueue

from dpctl._sycl_queue_manager import get_device_cached_queue

#: Queues of the active `with` statements, outermost first; separate for each thread and asyncio task.
_active: ContextVar[tuple[SyclQueue, ...]] = ContextVar("active_queues", default=())


@contextmanager
def device_context(arg: SyclQueue | SyclDevice | str) -> Generator[SyclQueue, None, None]:
    """Set the current queue for a `with` statement.

    Calls `kernel[range](…)` of numba_dpex run on it when all their arrays are NumPy arrays. Operations with arrays on a
    device run on the queue of the arrays and are not affected.

    Parameters
    ----------
    arg : SyclQueue, SyclDevice or str
        The queue, or a device or filter selector string, whose default queue is used.

    Yields
    ------
    SyclQueue
        The current queue.

    Raises
    ------
    SyclDeviceCreationError
        When no device matches the filter string.
    TypeError
        For other objects.

    Examples
    --------
    >>> import dpctl
    >>> with dpctl.device_context("cpu") as q:
    ...     q == dpctl.get_current_queue()
    True
    """
    if isinstance(arg, SyclQueue):
        queue = arg
    elif isinstance(arg, SyclDevice | str):
        queue = get_device_cached_queue(arg)
    else:
        raise TypeError(
            f"device_context: expected a SyclQueue, a SyclDevice or a filter string, got {type(arg).__name__}"
        )
    before = _active.set((*_active.get(), queue))
    try:
        yield queue
    finally:
        _active.reset(before)


def is_in_device_context() -> bool:
    """Return whether the caller is inside of a `with device_context(…)` statement."""
    return bool(_active.get())


def get_num_activated_queues() -> int:
    """Return the number of active `with device_context(…)` statements."""
    return len(_active.get())


def get_current_queue() -> SyclQueue:
    """Return the queue of the innermost `with device_context(…)`, or the default device's queue outside of any."""
    active = _active.get()
    return active[-1] if active else get_device_cached_queue(SyclDevice())
