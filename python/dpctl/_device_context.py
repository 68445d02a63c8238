"""The queue that a `with` statement names: where kernels run whose arrays are all on the host."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from dpep._core import SyclDevice, SyclQueue

from dpctl._sycl_queue_manager import get_device_cached_queue

#: Queues of the `with` statements that the program is in, outermost first. Threads and tasks have their own.
_active: ContextVar[tuple[SyclQueue, ...]] = ContextVar("active_queues", default=())


@contextmanager
def device_context(arg: SyclQueue | SyclDevice | str) -> Generator[SyclQueue, None, None]:
    """Make a queue the current one inside of a `with` statement.

    It is where `kernel[range](…)` of numba_dpex runs when all its arrays are NumPy's. Arrays on a device say themselves
    where they are computed with, and are not affected.

    Parameters
    ----------
    arg : SyclQueue, SyclDevice or str
        The queue; or a device or the filter string of one, whose queue it is then.

    Yields
    ------
    SyclQueue
        The current queue.

    Raises
    ------
    SyclDeviceCreationError
        No device fits the filter string.
    TypeError
        For anything else.

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
    """Return whether the program is inside of `with device_context(…)`."""
    return bool(_active.get())


def get_num_activated_queues() -> int:
    """Return how many `with device_context(…)` the program is inside of."""
    return len(_active.get())


def get_current_queue() -> SyclQueue:
    """Return the queue of the innermost `with device_context(…)`, or the default device's where there is none."""
    active = _active.get()
    return active[-1] if active else get_device_cached_queue(SyclDevice())
