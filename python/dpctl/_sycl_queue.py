"""Queues, their errors and the arguments of kernels, under the module name that programs for dpctl import."""

from __future__ import annotations

import enum

from dpctl import (
    LocalAccessor,
    RawKernelArg,
    SyclKernelInvalidRangeError,
    SyclKernelSubmitError,
    SyclQueue,
    SyclQueueCreationError,
    WorkGroupMemory,
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
)

__all__ = [
    "LocalAccessor",
    "RawKernelArg",
    "SyclKernelInvalidRangeError",
    "SyclKernelSubmitError",
    "SyclQueue",
    "SyclQueueCreationError",
    "WorkGroupMemory",
    "kernel_arg_type",
]

# The name and the numbers are dpctl's.
kernel_arg_type = enum.Enum(
    "kernel_arg_type",
    [
        "dpctl_int8",
        "dpctl_uint8",
        "dpctl_int16",
        "dpctl_uint16",
        "dpctl_int32",
        "dpctl_uint32",
        "dpctl_int64",
        "dpctl_uint64",
        "dpctl_float32",
        "dpctl_float64",
        "dpctl_void_ptr",
        "dpctl_local_accessor",
        "dpctl_work_group_memory",
        "dpctl_raw_kernel_arg",
    ],
    start=0,
    module=__name__,
)
kernel_arg_type.__doc__ = "The kinds of kernel arguments in dpctl's C interface."
