"""DLPack: arrays from other libraries' memory, and theirs from ours."""

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
    """Where memory can be, as DLPack numbers it."""

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
    """Return the version of DLPack that arrays are exchanged by."""
    return dlpack_version


def dldevice_to_sycl_device(dl_dev: _DLDevice) -> SyclDevice:
    """Return the device that a DLPack device stands for.

    Parameters
    ----------
    dl_dev : tuple
        (DLDeviceType.kDLOneAPI, id of the device), or of a type of CUDA's and CUDA's number of the device.

    Raises
    ------
    TypeError
        For what is no tuple.
    ValueError
        For a tuple of another length, another type of device, or a device that is not there.

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
        raise ValueError(f"dldevice_to_sycl_device: there is no device {dl_dev[1]} of CUDA here")
    if dl_dev[0] != DLDeviceType.kDLOneAPI:
        raise ValueError(f"dldevice_to_sycl_device: expected a device of type kDLOneAPI or kDLCUDA, got {dl_dev}")
    return SyclDevice(str(dl_dev[1]))


def sycl_device_to_dldevice(dev: SyclDevice) -> _DLDevice:
    """Return the DLPack device that stands for a device.

    Parameters
    ----------
    dev : SyclDevice
        A device that is no part of another.

    Raises
    ------
    TypeError
        For what is no device, and for a part of one.

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
    """Return the DLPack device that the argument means, and what to move the array to in the end."""
    if device is None:
        return None, None
    if not isinstance(device, tuple):
        place = Device.create_device(device)
        root = place.sycl_device
        while (parent := root.parent_device) is not None:
            root = parent
        return sycl_device_to_dldevice(root), place
    if len(device) != 2:
        raise ValueError(f"from_dlpack: a device as a tuple must be of length 2, got {device}")
    if device[0] == DLDeviceType.kDLCPU:
        return (DLDeviceType.kDLCPU, device[1]), None
    return tuple(device), Device.create_device(dldevice_to_sycl_device(device))


def _capsule(x: object, **wanted: object) -> object:
    try:
        return x.__dlpack__(max_version=dlpack_version, **wanted)
    except TypeError:
        if wanted.get("copy") is not None:
            raise
        # of the time before version 1
        return x.__dlpack__(stream=wanted["stream"]) if "stream" in wanted else x.__dlpack__()


def _importable(dl_device: _DLDevice) -> SyclDevice | None:
    try:
        return dldevice_to_sycl_device(tuple(dl_device))
    except (ValueError, RuntimeError):  # not ours, not here, or the selector leaves it out
        return None


def from_dlpack(
    x: object, /, *, device: object = None, copy: bool | None = None, dl_device: _DLDevice | None = None
) -> usm_ndarray | numpy.ndarray:
    """Return an array with the elements of another library's, in the same memory where that can be.

    Parameters
    ----------
    x : object
        An array with `__dlpack__` and `__dlpack_device__`.
    device : Device, SyclQueue, SyclDevice, str, or tuple of DLDeviceType and id, optional
        Where the result shall be. Default: where `x` is.
    copy : bool, optional
        True: always copy. False: never. None: where needed.
    dl_device : tuple of DLDeviceType and id, optional
        The same as `device`, by the name that it has in `__dlpack__`.

    Returns
    -------
    usm_ndarray or numpy.ndarray
        A NumPy array for memory of the host (`DLDeviceType.kDLCPU`).

    Raises
    ------
    TypeError
        When `x` does not have the methods, and when `device` and `dl_device` are both given.
    ValueError
        For another device.
    BufferError
        When a copy is needed and forbidden, or the elements are not of a type that arrays have.

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
        raise TypeError(f"from_dlpack: {type(x).__name__} object has no __dlpack__ and __dlpack_device__")
    if dl_device is not None:
        if device is not None:
            raise TypeError("from_dlpack: device and dl_device are the same, and were both given")
        device = tuple(dl_device)
    wanted, place = _requested(device)
    here = x.__dlpack_device__()
    device_here = None if here[0] == DLDeviceType.kDLCPU else _importable(here)
    # Libraries of the same kind move their arrays to other devices; the others only to the host.
    ours = here[0] == DLDeviceType.kDLOneAPI or isinstance(x, usm_ndarray)
    direct = wanted if wanted is not None and (ours or wanted[0] == DLDeviceType.kDLCPU) else None
    # Other libraries move to the host what is not ours to read, and we take it from there.
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
            raise BufferError("from_dlpack: the device needs a copy of host memory, which copy=False forbids")
        return asarray(result, device=place)
    if wanted is not None and wanted[0] == DLDeviceType.kDLCPU:
        if copy is False:
            raise BufferError("from_dlpack: the host needs a copy of this array, which copy=False forbids")
        return asnumpy(result)
    if place is None or result.device == place:
        return result
    if copy is False and result.sycl_device != place.sycl_device:
        raise BufferError("from_dlpack: the device needs a copy of another's memory, which copy=False forbids")
    return asarray(result, device=place) if result.sycl_device != place.sycl_device else result.to_device(place)
