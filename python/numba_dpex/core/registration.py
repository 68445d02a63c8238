"""Registers kernel builtins, classes and exceptions with the compiler."""

from __future__ import annotations

import dpctl
from dpep import _kernel

from numba_dpex import kernel_api, older_style
from numba_dpex.core import exceptions
from numba_dpex.core.dpjit.prange import is_prange
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
_CLASSES = ("LocalAccessor", "NdRange", "Range", "Reduction")  # arguments of launches
_HOST_ONLY = (*_CLASSES, "Group", "Item", "NdItem", "SubGroup", "call_kernel", "reduction", "single_task")
_OLDER_API = (
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


def _resolve(value: object) -> object:
    """The object that kernels use instead of one that the compiler does not know; None if there is none."""
    return range if is_prange(value) else scalar_type(value)


def register() -> None:
    """Register everything. Call once."""
    for name in kernel_api.__all__:
        if name in _OPERATIONS:
            _kernel.register(f"op.{_OPERATIONS[name]}", getattr(kernel_api, name))
        elif name not in _HOST_ONLY:
            _kernel.register(f"kernel_api.{name}", getattr(kernel_api, name))
    for name in _OLDER_API:
        _kernel.register(f"old.{name}", getattr(older_style, name))
    _kernel.register("old.local_array", older_style.local.array)
    _kernel.register("old.private_array", older_style.private.array)
    for name in ("add", "sub", "min", "max"):
        _kernel.register(f"old.atomic_{name}", getattr(older_style.atomic, name))
    for name in _CLASSES:
        _kernel.register_type(name, getattr(kernel_api, name))
    _kernel.set_resolver(_resolve)
    for role, error in {
        "typing": exceptions.with_numba_base(exceptions.TypingError),
        "unsupported": exceptions.with_numba_base(exceptions.UnsupportedError),
        "name": exceptions.with_numba_base(exceptions.UndefinedNameError),
        "return": exceptions.KernelHasReturnValueError.from_message,
        "argument": exceptions.UnsupportedKernelArgumentError.from_message,
        "queue": exceptions.ExecutionQueueInferenceError.from_message,
        "range": dpctl.SyclKernelInvalidRangeError,
    }.items():
        _kernel.set_error(role, error)
