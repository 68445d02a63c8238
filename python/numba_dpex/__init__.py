"""Kernels in Python: functions that are compiled for a device, and run once for each work-item of an index space.

The names are those of numba-dpex 0.23, and of its older API. Kernels are compiled by dpep; Numba is not required.

>>> import dpnp
>>> import numba_dpex as ndx
>>> from numba_dpex import kernel_api as kapi
>>> @ndx.kernel
... def scale(item: kapi.Item, x, factor):
...     i = item.get_id(0)
...     x[i] = factor * x[i]
>>> x = dpnp.arange(4.0)
>>> ndx.call_kernel(scale, ndx.Range(4), x, 2.5)
>>> x
array([0. , 2.5, 5. , 7.5])
"""

from numba_dpex import kernel_api
from numba_dpex.core import config, registration, types
from numba_dpex.core.declared_functions import declare_device
from numba_dpex.core.decorators import device_func, kernel
from numba_dpex.core.dpjit.function import dpjit
from numba_dpex.core.dpjit.prange import prange
from numba_dpex.core.kernel_launcher import call_kernel, call_kernel_async, single_task, single_task_async
from numba_dpex.core.launch_by_index import DEFAULT_LOCAL_SIZE
from numba_dpex.core.types import *  # noqa: F403  the types in its __all__
from numba_dpex.core.vectorize import vectorize
from numba_dpex.kernel_api.ranges import NdRange, Range
from numba_dpex.older_style import (
    CLK_GLOBAL_MEM_FENCE,
    CLK_LOCAL_MEM_FENCE,
    GLOBAL_MEM_FENCE,
    LOCAL_MEM_FENCE,
    atomic,
    barrier,
    get_global_id,
    get_global_size,
    get_group_id,
    get_local_id,
    get_local_size,
    get_num_groups,
    get_work_dim,
    local,
    mem_fence,
    private,
    sub_group_barrier,
)

__version__ = "0.23.0"

TYPE_CHECKING = False  # as typing.TYPE_CHECKING
if TYPE_CHECKING:
    from numba_dpex.core.guvectorize import guvectorize
    from numba_dpex.core.stencil import stencil


def __getattr__(name: str):
    """Import functions that few programs use at their first use."""
    if name not in ("guvectorize", "stencil"):
        raise AttributeError(f"module 'numba_dpex' has no attribute '{name}'")
    import importlib

    globals()[name] = found = getattr(importlib.import_module(f"numba_dpex.core.{name}"), name)
    return found


func = device_func  # its name in the older API

registration.register()

__all__ = [
    *types.__all__,
    "CLK_GLOBAL_MEM_FENCE",
    "CLK_LOCAL_MEM_FENCE",
    "DEFAULT_LOCAL_SIZE",
    "GLOBAL_MEM_FENCE",
    "LOCAL_MEM_FENCE",
    "NdRange",
    "Range",
    "atomic",
    "barrier",
    "call_kernel",
    "call_kernel_async",
    "config",
    "declare_device",
    "device_func",
    "dpjit",
    "func",
    "guvectorize",
    "get_global_id",
    "get_global_size",
    "get_group_id",
    "get_local_id",
    "get_local_size",
    "get_num_groups",
    "get_work_dim",
    "kernel",
    "kernel_api",
    "local",
    "mem_fence",
    "prange",
    "private",
    "single_task",
    "single_task_async",
    "stencil",
    "sub_group_barrier",
    "types",
    "vectorize",
]
