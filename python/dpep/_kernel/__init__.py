"""Bindings of libdpep's compiler of Python kernels. Import them through numba_dpex.

They are in the same library as `dpep._core`, and bound at the import of this module.
"""

import sys

import dpep._array  # noqa: F401  array types of kernel arguments
from dpep import _core
from dpep._kernel import _source  # noqa: F401  called by the compiler

_core._bind_kernels(sys.modules[__name__])
