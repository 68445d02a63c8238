"""Tells the compiler which Python objects its builtins are, and which exceptions to raise."""

from __future__ import annotations

import dpctl
from dpep import _kernel

from numba_dpex import kernel_api, older_style
from numba_dpex.core import exceptions
from numba_dpex.core.types.base import scalar_type

_OPERATIONS = {
    "plus": "add",
    "multiplies": "mul",
    "minimum": "min",
    "maximum": "max",
    "bit_and": "and",
    "bit_or": "or",
    "bit_xor": "xor",
}
_CLASSES = ("LocalAccessor", "NdRange", "Range")  # what launches are given
_HOST_ONLY = (*_CLASSES, "Group", "Item", "NdItem", "SubGroup", "call_kernel", "single_task")
_OLDER = (
    "get_global_id",
    "get_local_id",
    "get_group_id",
    "get_num_groups",
    "get_global_size",
    "get_local_size",
    "get_work_dim",
    "barrier",
    "mem_fence",
    "sub_group_barrier",
)


def register() -> None:
    """Do it, once."""
    for name in kernel_api.__all__:
        if name in _OPERATIONS:
            _kernel.register(f"op.{_OPERATIONS[name]}", getattr(kernel_api, name))
        elif name not in _HOST_ONLY:
            _kernel.register(f"kernel_api.{name}", getattr(kernel_api, name))
    for name in _OLDER:
        _kernel.register(f"old.{name}", getattr(older_style, name))
    _kernel.register("old.local_array", older_style.local.array)
    _kernel.register("old.private_array", older_style.private.array)
    for name in ("add", "sub", "min", "max"):
        _kernel.register(f"old.atomic_{name}", getattr(older_style.atomic, name))
    for name in _CLASSES:
        _kernel.register_type(name, getattr(kernel_api, name))
    _kernel.set_resolver(scalar_type)
    for role, error in {
        "typing": exceptions.as_numba_raises(exceptions.TypingError),
        "unsupported": exceptions.as_numba_raises(exceptions.UnsupportedError),
        "name": exceptions.as_numba_raises(exceptions.UndefinedNameError),
        "return": exceptions.KernelHasReturnValueError.saying,
        "argument": exceptions.UnsupportedKernelArgumentError.saying,
        "queue": exceptions.ExecutionQueueInferenceError.saying,
        "range": dpctl.SyclKernelInvalidRangeError,
    }.items():
        _kernel.set_error(role, error)
