"""DLPack: import of arrays of other libraries, and conversion of devices."""

from enum import IntEnum

import numpy
from dpep._array import (
    Device,
    _cuda_stream,
    asarray,
    asnumpy,
    dlpack_version,
    from_dlpack_capsule,
    numpy_to_dlpack_versioned_capsule,
    to_dlpack_capsule,
    usm_ndarray,
)

from dpctl import SyclDevice, get_devices
from dpctl._sycl_queue_manager import get_device_cached_queue

__all__ = [
    "DLDeviceType",
    "dldevice_to_sycl_device",
    "from_dlpack",
    "from_dlpack_capsule",
    "get_build_dlpack_version",
    "numpy_to_dlpack_versioned_capsule",
    "sycl_device_to_dldevice",
    "to_dlpack_capsule",
]


class DLDeviceType(IntEnum):
    """DLPack's numbers of device types."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


_DLDevice = tuple[DLDeviceType, int]
_CUDA = (DLDeviceType.kDLCUDA, DLDeviceType.kDLCUDAHost, DLDeviceType.kDLCUDAManaged)


def get_build_dlpack_version() -> tuple[int, int]:
    """Return the supported version of DLPack, (major, minor)."""
    return dlpack_version


def dldevice_to_sycl_device(dl_dev: _DLDevice) -> SyclDevice:
    """Return the device of a DLPack device.

    Parameters
    ----------
    dl_dev : tuple
        (DLDeviceType.kDLOneAPI, id of the device), or a CUDA device type and the CUDA device number.

    Raises
    ------
    TypeError
        When it is not a tuple.
    ValueError
        For a tuple of another length, another device type, or a device that is not available.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.dldevice_to_sycl_device(dpt.empty(1, device="cpu").__dlpack_device__()).is_cpu
    True
    """
    if not isinstance(dl_dev, tuple):
        raise TypeError(f"dldevice_to_sycl_device: expected a tuple, got {type(dl_dev).__name__}")
    if len(dl_dev) != 2:
        raise ValueError(f"dldevice_to_sycl_device: expected a tuple of length 2, got {dl_dev}")
    if dl_dev[0] in _CUDA:
        for device in get_devices(backend="cuda"):
            if device._cuda_number == dl_dev[1]:
                return device
        raise ValueError(f"dldevice_to_sycl_device: CUDA device {dl_dev[1]} is not available")
    if dl_dev[0] != DLDeviceType.kDLOneAPI:
        raise ValueError(f"dldevice_to_sycl_device: expected a device of type kDLOneAPI or kDLCUDA, got {dl_dev}")
    return SyclDevice(str(dl_dev[1]))


def sycl_device_to_dldevice(dev: SyclDevice) -> _DLDevice:
    """Return the DLPack device of a device.

    Parameters
    ----------
    dev : SyclDevice
        A root device.

    Raises
    ------
    TypeError
        When it is not a device, or is a sub-device.

    Examples
    --------
    >>> import dpctl, dpctl.tensor as dpt
    >>> dpt.sycl_device_to_dldevice(dpctl.SyclDevice("cpu"))[0].name
    'kDLOneAPI'
    """
    if not isinstance(dev, SyclDevice):
        raise TypeError(f"sycl_device_to_dldevice: expected a dpctl.SyclDevice, got {type(dev).__name__}")
    if dev.backend.name == "cuda":
        return DLDeviceType.kDLCUDA, dev._cuda_number
    return DLDeviceType.kDLOneAPI, dev.get_device_id()


def _requested(device: object) -> tuple[_DLDevice | None, object]:
    """Return the DLPack device to request from the exporter, and the Device of the result, or None."""
    if device is None:
        return None, None
    if not isinstance(device, tuple):
        place = Device.create_device(device)
        root = place.sycl_device
        while (parent := root.parent_device) is not None:
            root = parent
        return sycl_device_to_dldevice(root), place
    if len(device) != 2:
        raise ValueError(f"from_dlpack: a device tuple must have length 2, got {device}")
    if device[0] == DLDeviceType.kDLCPU:
        return (DLDeviceType.kDLCPU, device[1]), None
    return tuple(device), Device.create_device(dldevice_to_sycl_device(device))


def _capsule(x: object, **wanted: object) -> object:
    try:
        return x.__dlpack__(max_version=dlpack_version, **wanted)
    except TypeError:
        if wanted.get("copy") is not None:
            raise
        # an exporter of a DLPack version before 1.0
        return x.__dlpack__(stream=wanted["stream"]) if "stream" in wanted else x.__dlpack__()


def _importable(dl_device: _DLDevice) -> SyclDevice | None:
    try:
        return dldevice_to_sycl_device(tuple(dl_device))
    except (ValueError, RuntimeError):  # not supported, not available, or excluded by the device selector
        return None


def from_dlpack(
    x: object, /, *, device: object = None, copy: bool | None = None, dl_device: _DLDevice | None = None
) -> usm_ndarray | numpy.ndarray:
    """Return an array with the elements of another library's array, using the same memory if possible.

    Parameters
    ----------
    x : object
        An array with `__dlpack__` and `__dlpack_device__`.
    device : Device, SyclQueue, SyclDevice, str, or tuple of DLDeviceType and id, optional
        Device or queue of the result. Default: that of `x`.
    copy : bool, optional
        True: always copy. False: never copy. None: copy when needed.
    dl_device : tuple of DLDeviceType and id, optional
        The same as `device`, under its name in `__dlpack__`.

    Returns
    -------
    usm_ndarray or numpy.ndarray
        A NumPy array for host memory (`DLDeviceType.kDLCPU`).

    Raises
    ------
    TypeError
        When `x` does not have these methods, or `device` and `dl_device` are both given.
    ValueError
        When the device is not available.
    BufferError
        When a copy is needed and forbidden, or arrays do not support the data type.

    Examples
    --------
    >>> import dpctl.tensor as dpt, numpy as np
    >>> x = dpt.arange(3)
    >>> dpt.from_dlpack(x)._pointer == x._pointer
    True
    >>> dpt.from_dlpack(np.ones(2), device="cpu")
    usm_ndarray([1., 1.])
    """
    if not (callable(getattr(x, "__dlpack__", None)) and callable(getattr(x, "__dlpack_device__", None))):
        raise TypeError(
            f"from_dlpack: expected an object with __dlpack__ and __dlpack_device__, got {type(x).__name__}"
        )
    if dl_device is not None:
        if device is not None:
            raise TypeError("from_dlpack: device and dl_device cannot both be given")
        device = tuple(dl_device)
    wanted, place = _requested(device)
    here = x.__dlpack_device__()
    device_here = None if here[0] == DLDeviceType.kDLCPU else _importable(here)
    # Libraries with oneAPI devices can copy to any device; others are asked only for copies to the host.
    ours = here[0] == DLDeviceType.kDLOneAPI or isinstance(x, usm_ndarray)
    direct = wanted if wanted is not None and (ours or wanted[0] == DLDeviceType.kDLCPU) else None
    # Memory that cannot be imported is exported to the host first.
    if direct is None and not ours and device_here is None and here[0] != DLDeviceType.kDLCPU:
        direct = (DLDeviceType.kDLCPU, 0)
    arguments = {} if direct is None or tuple(direct) == tuple(here) else {"dl_device": direct}
    if copy is not None:
        arguments["copy"] = copy
    stream = None
    if here[0] in _CUDA and device_here is not None and direct is None:
        stream = arguments["stream"] = _cuda_stream(get_device_cached_queue(device_here))
    result = from_dlpack_capsule(_capsule(x, **arguments), stream)

    if isinstance(result, numpy.ndarray):
        if place is None:
            return result
        if copy is False:
            raise BufferError("from_dlpack: import to a device needs a copy of host memory, which copy=False forbids")
        return asarray(result, device=place)
    if wanted is not None and wanted[0] == DLDeviceType.kDLCPU:
        if copy is False:
            raise BufferError("from_dlpack: import to the host needs a copy of this array, which copy=False forbids")
        return asnumpy(result)
    if place is None or result.device == place:
        return result
    if copy is False and result.sycl_device != place.sycl_device:
        raise BufferError("from_dlpack: import to another device needs a copy, which copy=False forbids")
    return asarray(result, device=place) if result.sycl_device != place.sycl_device else result.to_device(place)
