"""The device object of the array API standard, and the queue given by arguments."""

from dpep._array import Device

from dpctl import SyclQueue

__all__ = ["Device", "normalize_queue_device"]


def normalize_queue_device(sycl_queue: SyclQueue | None = None, device: object = None) -> SyclQueue:
    """Return the queue given by `sycl_queue` or `device`; the default device's queue when both are None.

    Parameters
    ----------
    sycl_queue : SyclQueue, optional
        The queue.
    device : Device, SyclQueue, SyclDevice or str, optional
        The queue, a device or a filter selector string.

    Raises
    ------
    TypeError
        When the two are different queues, or of other types.

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
