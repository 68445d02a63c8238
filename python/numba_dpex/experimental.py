"""Decorators and launch functions under the module name that older numba-dpex programs use."""

from numba_dpex.core.decorators import device_func, kernel
from numba_dpex.core.kernel_launcher import call_kernel, call_kernel_async

__all__ = ["call_kernel", "call_kernel_async", "device_func", "kernel"]
