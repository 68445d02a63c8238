"""dpep: the Data Parallel Extensions for Python. Devices are controlled through `dpctl`.

`python -m dpep doctor` says what was found on this machine.
"""

from dpep._core import Error, __version__, memory_statistics, release_finished, set_memory_limit, trim_memory

__all__ = [
    "Error",
    "__version__",
    "get_compiler",
    "memory_statistics",
    "release_finished",
    "set_memory_limit",
    "trim_memory",
]


def get_compiler() -> str:
    """Return the path of dpcxx, which compiles C++ with SYCL kernels.

    >>> import dpep
    >>> dpep.get_compiler().endswith("dpcxx")
    True
    """
    import os.path

    return os.path.join(os.path.dirname(__file__), "bin", "dpcxx")
