"""Bindings of libdpep's compiler of Python kernels. Import them through numba_dpex.

They are in the same library as `dpep._core`, and bound when this is imported.
"""

import sys

import dpep._array  # noqa: F401  kernels take arrays
from dpep import _core
from dpep._kernel import _source  # noqa: F401  what compiling calls

_core._bind_kernels(sys.modules[__name__])
