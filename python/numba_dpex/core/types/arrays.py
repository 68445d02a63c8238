"""Types of device arrays, for signatures."""

from __future__ import annotations

from numba_dpex.core.types.base import Type, type_name
from numba_dpex.core.types.scalars import float32, float64


class USMNdArray(Type):
    """The type of `dpctl.tensor.usm_ndarray` with a dtype and number of dimensions.

    Args:
        ndim: number of dimensions.
        layout: "C" or "F" for contiguous arrays, "A" for any.
        dtype: a scalar type; by default the device's default floating-point type.
        usm_type: "device", "shared" or "host".
        device: a filter selector; cannot be combined with `queue`.
        queue: the arrays' queue.

    Raises:
        TypeError: an argument has a wrong type, or both `device` and `queue` are given.
        ValueError: `ndim` or `layout` is out of range.

    Kernels are compiled for `ndim`, `layout` and `dtype`; the other arguments are kept as attributes.

    >>> from numba_dpex import float32, usm_ndarray
    >>> usm_ndarray(2, "C", float32)
    array(float32, 2, C)
    """

    def __init__(self, ndim, layout="C", dtype=None, usm_type="device", device=None, queue=None, readonly=False,
                 name=None, aligned=True, addrspace=1) -> None:  # fmt: skip
        what = type(self).__name__
        if device is not None and queue is not None:
            raise TypeError(f"{what}: device and queue cannot both be given")
        if device is not None and not isinstance(device, str):
            raise TypeError(f"{what}: device must be a filter selector, not {type(device).__name__}")
        if layout not in ("C", "F", "A"):
            raise ValueError(f"{what}: layout must be C, F or A, not {layout!r}")
        if not isinstance(ndim, int) or ndim < 0:
            raise ValueError(f"{what}: ndim must be a nonnegative int, not {ndim!r}")
        if dtype is None:
            import dpctl

            where = dpctl.SyclDevice(device) if device is not None else dpctl.SyclDevice()
            dtype = float64 if where.has_aspect_fp64 else float32
        if not type_name(dtype):
            raise TypeError(f"{what}: dtype must be a scalar type such as numba_dpex.float32, not {dtype!r}")
        super().__init__(f"array({type_name(dtype)}, {ndim}, {layout})")
        self.ndim, self.layout, self.dtype = ndim, layout, dtype
        self.usm_type, self.device, self.queue = usm_type, device, queue
        self.readonly, self.aligned, self.addrspace = readonly, aligned, addrspace


class DpnpNdArray(USMNdArray):
    """The type of `dpnp.ndarray`. Kernels treat it as USMNdArray."""


usm_ndarray = USMNdArray
