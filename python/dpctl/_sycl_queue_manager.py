"""Default queues, used when the caller gives none: one for each device, shared by all modules."""

from contextvars import ContextVar

from dpep._core import SyclContext, SyclDevice, SyclQueue, _cached_queue

_Key = SyclDevice | tuple[SyclContext, SyclDevice]


class _DeviceDefaultQueueCache:
    """Queues by device, or by context and device."""

    def __init__(self, queues: dict[_Key, SyclQueue] | None = None):
        self._queues = {} if queues is None else queues

    def get_or_create(self, key: str | _Key) -> tuple[SyclQueue, bool]:
        """Return the queue for a filter string, a device, or a context and device, and whether it is new."""
        if isinstance(key, str):
            key = SyclDevice(key)
        try:
            if known := self._queues.get(key):
                return known, False
            queue = _cached_queue(key) if isinstance(key, SyclDevice) else SyclQueue(*key)
        except TypeError:
            raise TypeError(
                "get_device_cached_queue: expected a filter string, a SyclDevice or a tuple of SyclContext and "
                f"SyclDevice, got {key!r}"
            ) from None
        self._queues[key] = queue
        return queue, True

    def __copy__(self) -> "_DeviceDefaultQueueCache":
        return _DeviceDefaultQueueCache(dict(self._queues))


_global_device_queue_cache: ContextVar[_DeviceDefaultQueueCache] = ContextVar(
    "global_device_queue_cache",
    default=_DeviceDefaultQueueCache(),  # noqa: B039  shared by all contexts on purpose
)


def get_device_cached_queue(key: str | _Key) -> SyclQueue:
    """Return the default queue of a device.

    Parameters
    ----------
    key : str, SyclDevice, or tuple of SyclContext and SyclDevice
        A filter selector string, the device, or the context and the device of the queue.

    Returns
    -------
    SyclQueue
        The same queue for equal keys.

    Examples
    --------
    >>> from dpctl._sycl_queue_manager import get_device_cached_queue
    >>> get_device_cached_queue("cpu") == get_device_cached_queue("cpu")
    True
    """
    return _global_device_queue_cache.get().get_or_create(key)[0]
