"""dpep: the Data Parallel Extensions for Python. Devices are controlled through `dpctl`.

`python -m dpep doctor` reports the devices, drivers and compilers found on this machine.
"""

import os as _os

from dpep._core import Error, __version__, memory_statistics, release_finished, set_memory_limit, trim_memory

__all__ = [
    "Error",
    "__version__",
    "get_compiler",
    "memory_statistics",
    "options",
    "pending_work",
    "progress",
    "release_finished",
    "set_memory_limit",
    "set_pending_limit",
    "trim_memory",
]


def get_compiler() -> str:
    """Return the path of dpcxx, which compiles C++ with SYCL kernels.

    >>> import dpep
    >>> dpep.get_compiler().endswith("dpcxx")
    True
    """
    return _os.path.join(_os.path.dirname(__file__), "bin", "dpcxx")


def __getattr__(name: str) -> object:
    if name == "progress":  # imports threading and more, which most programs do not need
        from dpep._progress import progress

        return progress
    if name == "options":
        from dpep._options import options

        return options
    if name in ("pending_work", "set_pending_limit"):
        from dpep import _array

        return getattr(_array, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if _os.environ.get("DPEP_PROGRESS"):
    from dpep._progress import start_if_wanted

    start_if_wanted()
