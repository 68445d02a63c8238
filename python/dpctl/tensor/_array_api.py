"""The inspection interface of the Array API: capabilities, devices and data types of dpctl.tensor."""

from __future__ import annotations

import dpctl
from dpctl.tensor import _data_types
from dpctl.tensor._data_types import isdtype
from dpctl.tensor._tensor_impl import (
    default_device_complex_type,
    default_device_fp_type,
    default_device_index_type,
    default_device_int_type,
)

_DTYPES = {
    name: getattr(_data_types, name)
    for name in (
        "bool", "float32", "float64", "complex64", "complex128",
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    )
}  # fmt: skip


def _device_of(device: object) -> dpctl.SyclDevice:
    """The device given by the keyword `device` of the functions below."""
    if device is None:
        return dpctl.select_default_device()
    if isinstance(device, dpctl.SyclDevice):
        return device
    if hasattr(device, "sycl_device"):  # a queue, or dpctl.tensor.Device
        return device.sycl_device
    if not isinstance(device, str):
        raise TypeError(
            f"Unsupported type for device argument: {type(device).__name__}; expected None, a filter string, a "
            "SyclDevice, a SyclQueue or a Device"
        )
    try:
        return dpctl.SyclDevice(device)
    except dpctl.SyclDeviceCreationError as error:
        raise dpctl.SyclDeviceCreationError(f"Could not create a device from {device!r}: {error}") from None


class Info:
    """Information about `dpctl.tensor`, returned by `__array_namespace_info__`.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.__array_namespace_info__().capabilities()["max dimensions"] is None
    True
    """

    def capabilities(self) -> dict[str, bool | None]:
        """Return which optional parts of the standard are supported."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self) -> dpctl.SyclDevice:
        """Return the device of new arrays when none is given."""
        return dpctl.select_default_device()

    def devices(self) -> list[dpctl.SyclDevice]:
        """Return all devices."""
        return dpctl.get_devices()

    def default_dtypes(self, *, device: object = None) -> dict[str, _data_types.dtype]:
        """Return the default data types.

        Parameters
        ----------
        device : None, str, SyclDevice, SyclQueue or Device, optional
            The device; the default device when None.

        Returns
        -------
        dict
            The data types for "real floating", "complex floating", "integral" and "indexing".

        Raises
        ------
        TypeError
            When `device` is of another type.

        Examples
        --------
        >>> import dpctl.tensor as dpt
        >>> dpt.__array_namespace_info__().default_dtypes()["integral"]
        dtype('int64')
        """
        found = _device_of(device)
        return {
            "real floating": _data_types.dtype(default_device_fp_type(found)),
            "complex floating": _data_types.dtype(default_device_complex_type(found)),
            "integral": _data_types.dtype(default_device_int_type(found)),
            "indexing": _data_types.dtype(default_device_index_type(found)),
        }

    def dtypes(
        self, *, device: object = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, _data_types.dtype]:
        """Return the standard's data types that a device supports, by name.

        Parameters
        ----------
        device : None, str, SyclDevice, SyclQueue or Device, optional
            The device; the default device when None.
        kind : str or tuple of str, optional
            Only those of this kind, as in `isdtype`.

        Raises
        ------
        TypeError, ValueError
            When `device` or `kind` is of another type, or `kind` is unknown.

        Examples
        --------
        >>> import dpctl.tensor as dpt
        >>> list(dpt.__array_namespace_info__().dtypes(kind="signed integer"))
        ['int8', 'int16', 'int32', 'int64']
        """
        has_fp64 = _device_of(device).has_aspect_fp64
        return {
            name: dtype
            for name, dtype in _DTYPES.items()
            if (has_fp64 or name not in ("float64", "complex128")) and (kind is None or isdtype(dtype, kind))
        }


def __array_namespace_info__() -> Info:
    """Return information about this namespace, as defined by the Array API."""
    return Info()
