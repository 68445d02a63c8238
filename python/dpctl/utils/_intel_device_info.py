"""Device information of Intel's SYCL extensions."""

from dpep._core import SyclDevice


def intel_device_info(dev: SyclDevice, /) -> dict[str, int]:
    """Return the device information of Intel's SYCL extensions.

    The dictionary is empty, because no supported back end has these extensions.

    Raises
    ------
    TypeError
        When the argument is not a SyclDevice.

    Examples
    --------
    >>> import dpctl
    >>> dpctl.utils.intel_device_info(dpctl.SyclDevice("cpu"))
    {}
    """
    if not isinstance(dev, SyclDevice):
        raise TypeError(f"intel_device_info: expected a dpctl.SyclDevice, got {type(dev).__name__}")
    return {}
