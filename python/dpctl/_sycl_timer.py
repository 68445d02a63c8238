"""Timer of work on the host and on the device."""

from collections.abc import Callable, Iterator
from time import perf_counter

from dpep._core import SyclEvent, SyclQueue


class HostDeviceDuration:
    """A pair of durations, on the host and on the device, in the timer's unit (default: seconds). Can be unpacked."""

    def __init__(self, host_dt: float, device_dt: float):
        self._host_dt = host_dt
        self._device_dt = device_dt

    @property
    def host_dt(self) -> float:
        """Duration by the host's clock."""
        return self._host_dt

    @property
    def device_dt(self) -> float:
        """Duration by the device's clock."""
        return self._device_dt

    def __iter__(self) -> Iterator[float]:
        return iter((self._host_dt, self._device_dt))

    def __repr__(self) -> str:
        return f"(host_dt={self._host_dt}, device_dt={self._device_dt})"


class SyclTimer:
    """A context manager that measures the time of work submitted to a queue in its block.

    It submits barriers at the beginning and the end of the block; the device's time is that between them. The times of
    several blocks are added.

    Parameters
    ----------
    host_timer : callable, optional
        Function that returns the host's time in seconds. Default: `time.perf_counter`.
    device_timer : {'queue_barrier', 'order_manager'}, optional
        'order_manager' also adds the barriers to `dpctl.utils.SequentialOrderManager`. Default: 'queue_barrier'.
    time_scale : float, optional
        Number of units in a second, such as 1e3 for milliseconds.

    Raises
    ------
    ValueError
        For another `device_timer`.

    Examples
    --------
    >>> import dpctl
    >>> q = dpctl.SyclQueue(property="enable_profiling")
    >>> timer = dpctl.SyclTimer(time_scale=1e3)
    >>> with timer(q):
    ...     e = q.submit_barrier()
    >>> host_ms, device_ms = timer.dt
    >>> host_ms > 0 and device_ms >= 0
    True
    """

    def __init__(
        self,
        host_timer: Callable[[], float] = perf_counter,
        device_timer: str | None = None,
        time_scale: float = 1,
    ):
        if device_timer not in (None, "queue_barrier", "order_manager"):
            raise ValueError(f"SyclTimer: device_timer {device_timer!r} is not 'queue_barrier' or 'order_manager'")
        self._host_timer = host_timer
        self._ordered = device_timer == "order_manager"
        self._time_scale = time_scale
        self._queue: SyclQueue | None = None
        self._host_dt = 0.0
        self._brackets: list[tuple[SyclEvent, SyclEvent]] = []

    def __call__(self, queue: SyclQueue) -> "SyclTimer":
        """Select the queue of the next block, created with 'enable_profiling', and return the timer."""
        if not isinstance(queue, SyclQueue):
            raise TypeError(f"SyclTimer: expected a dpctl.SyclQueue, got {type(queue).__name__}")
        if not queue.has_enable_profiling:
            raise ValueError("SyclTimer: the queue must be created with property='enable_profiling'")
        self._queue = queue
        return self

    def __enter__(self) -> "SyclTimer":
        self._begin = self._barrier()
        self._host_begin = self._host_timer()
        return self

    def __exit__(self, *exception: object) -> None:
        end = self._barrier()
        self._host_dt += self._host_timer() - self._host_begin
        self._brackets.append((self._begin, end))

    def _barrier(self) -> SyclEvent:
        if self._queue is None:
            raise ValueError("SyclTimer: name the queue, as in `with timer(queue):`, before the block")
        event = self._queue.submit_barrier()
        if self._ordered:
            from dpctl.utils import SequentialOrderManager

            SequentialOrderManager[self._queue].add_event_pair(event, event)
        return event

    @property
    def dt(self) -> HostDeviceDuration:
        """The sum of the times of all blocks so far. Waits for their work."""
        SyclEvent.wait_for([end for _, end in self._brackets])
        nanoseconds = sum(end.profiling_info_start - begin.profiling_info_end for begin, end in self._brackets)
        return HostDeviceDuration(self._host_dt * self._time_scale, nanoseconds * 1e-9 * self._time_scale)
