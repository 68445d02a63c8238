"""What Intel's devices tell beyond SYCL."""

from dpep._core import SyclDevice


def intel_device_info(dev: SyclDevice, /) -> dict[str, int]:
    """Return what a device of Intel reports through Intel's extensions of SYCL.

    None of the present back ends is Intel's, so the dictionary is empty.

    Raises
    ------
    TypeError
        For anything but a SyclDevice.

    Examples
    --------
    >>> import dpctl
    >>> dpctl.utils.intel_device_info(dpctl.SyclDevice("cpu"))
    {}
    """
    if not isinstance(dev, SyclDevice):
        raise TypeError(f"intel_device_info: expected a dpctl.SyclDevice, got {type(dev).__name__}")
    return {}
