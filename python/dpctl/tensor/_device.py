"""Places of arrays: the array standard's device, and the queue that arguments stand for."""

from dpep._array import Device

from dpctl import SyclQueue

__all__ = ["Device", "normalize_queue_device"]


def normalize_queue_device(sycl_queue: SyclQueue | None = None, device: object = None) -> SyclQueue:
    """Return the queue that the two usual arguments stand for; the default device's when both are None.

    Parameters
    ----------
    sycl_queue : SyclQueue, optional
        The queue.
    device : Device, SyclQueue, SyclDevice or str, optional
        Another way to say it.

    Raises
    ------
    TypeError
        When the two are different queues, or not of these types.

    Examples
    --------
    >>> import dpctl
    >>> from dpctl.tensor._device import normalize_queue_device
    >>> q = dpctl.SyclQueue()
    >>> normalize_queue_device(sycl_queue=q) == q
    True
    """
    if sycl_queue is None:
        return Device.create_device(device).sycl_queue
    if not isinstance(sycl_queue, SyclQueue):
        raise TypeError(f"sycl_queue: expected a dpctl.SyclQueue, got {type(sycl_queue).__name__}")
    if device is not None and Device.create_device(device).sycl_queue != sycl_queue:
        raise TypeError("device and sycl_queue are different queues; give one of them")
    return sycl_queue
