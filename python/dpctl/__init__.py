"""Data Parallel Control: platforms, devices, contexts, queues, events and USM memory.

The names, arguments and exceptions are those of dpctl 0.20, which is `__version__`. libdpep implements them.

>>> import dpctl
>>> q = dpctl.SyclQueue("cpu")
>>> q.sycl_device.is_cpu
True
"""

from dpep._core import (
    LocalAccessor,
    RawKernelArg,
    SyclContext,
    SyclContextCreationError,
    SyclDevice,
    SyclDeviceCreationError,
    SyclEvent,
    SyclEventCreationError,
    SyclKernelInvalidRangeError,
    SyclKernelSubmitError,
    SyclPlatform,
    SyclQueue,
    SyclQueueCreationError,
    SyclSubDeviceCreationError,
    WorkGroupMemory,
    __pyx_capi__,  # noqa: F401  Cython gets the functions of dpctl's .pxd files from here
    backend_type,
    device_type,
    event_status_type,
    get_composite_devices,
    get_devices,
    get_num_devices,
    get_platforms,
    global_mem_cache_type,
    has_accelerator_devices,
    has_cpu_devices,
    has_gpu_devices,
    select_accelerator_device,
    select_cpu_device,
    select_default_device,
    select_gpu_device,
)

__version__ = "0.20.2"

# The public module, for messages and pickles.
for _type in list(globals().values()):
    if isinstance(_type, type):
        _type.__module__ = __name__
del _type

# Imported at the first use, so that `import dpctl` loads only libdpep.
_LAZY = {
    "_sycl_queue_manager": None,
    "SyclTimer": "dpctl._sycl_timer",
    "_sycl_queue": None,
    "device_context": "dpctl._device_context",
    "get_current_queue": "dpctl._device_context",
    "get_device_cached_queue": "dpctl._sycl_queue_manager",
    "get_num_activated_queues": "dpctl._device_context",
    "is_in_device_context": "dpctl._device_context",
    "lsplatform": "dpctl._platform_listing",
    "memory": None,
    "program": None,
    "select_device_with_aspects": "dpctl._device_selection",
    "utils": None,
}

TYPE_CHECKING = False  # as typing.TYPE_CHECKING; the import of typing would take longer than that of this module
if TYPE_CHECKING:
    from dpctl import memory as memory
    from dpctl import program as program
    from dpctl import utils as utils
    from dpctl._device_context import (
        device_context,
        get_current_queue,
        get_num_activated_queues,
        is_in_device_context,
    )
    from dpctl._device_selection import select_device_with_aspects
    from dpctl._platform_listing import lsplatform
    from dpctl._sycl_queue_manager import get_device_cached_queue
    from dpctl._sycl_timer import SyclTimer

__all__ = [
    "LocalAccessor",
    "RawKernelArg",
    "SyclContext",
    "SyclContextCreationError",
    "SyclDevice",
    "SyclDeviceCreationError",
    "SyclEvent",
    "SyclEventCreationError",
    "SyclKernelInvalidRangeError",
    "SyclKernelSubmitError",
    "SyclPlatform",
    "SyclQueue",
    "SyclQueueCreationError",
    "SyclSubDeviceCreationError",
    "SyclTimer",
    "WorkGroupMemory",
    "backend_type",
    "device_context",
    "device_type",
    "event_status_type",
    "get_composite_devices",
    "get_current_queue",
    "get_device_cached_queue",
    "get_devices",
    "get_include",
    "get_num_activated_queues",
    "get_num_devices",
    "get_platforms",
    "global_mem_cache_type",
    "has_accelerator_devices",
    "has_cpu_devices",
    "has_gpu_devices",
    "is_in_device_context",
    "lsplatform",
    "select_accelerator_device",
    "select_cpu_device",
    "select_default_device",
    "select_device_with_aspects",
    "select_gpu_device",
    "utils",
]


def get_include() -> str:
    """Return the folder of dpctl's headers, for the compiler's -I.

    >>> import dpctl, os
    >>> os.path.exists(os.path.join(dpctl.get_include(), "dpctl4pybind11.hpp"))
    True
    """
    import os.path

    return os.path.join(os.path.dirname(__file__), "include")


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'dpctl' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_LAZY[name] or f"dpctl.{name}")
    value = module if _LAZY[name] is None else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
