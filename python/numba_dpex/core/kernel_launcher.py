"""Launching kernels: call_kernel, call_kernel_async and their forms for single tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpep import _kernel
from dpep._kernel import call_kernel, call_kernel_async

if TYPE_CHECKING:
    from dpctl import SyclEvent

    from numba_dpex.core.kernel_dispatcher import KernelDispatcher

__all__ = ["call_kernel", "call_kernel_async", "single_task", "single_task_async"]


def single_task(kernel_fn: KernelDispatcher, *kernel_args) -> None:
    """Run a kernel that has no index space, once, and wait for it.

    Args:
        kernel_fn: a kernel whose parameters are those of `kernel_args`, without a work-item.
        kernel_args: arrays on devices and scalars.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> @ndx.kernel
    ... def total(a, result):
    ...     for i in range(a.size):
    ...         result[0] += a[i]
    >>> result = dpnp.zeros(1, dtype="i8")
    >>> ndx.single_task(total, dpnp.arange(5), result)
    >>> result
    array([10])
    """
    _kernel.call_kernel(kernel_fn, None, *kernel_args)


def single_task_async(
    kernel_fn: KernelDispatcher, dependent_events: Sequence[SyclEvent], *kernel_args
) -> tuple[SyclEvent, SyclEvent]:
    """Run a kernel once when `dependent_events` are complete; return what `call_kernel_async` returns."""
    return _kernel.call_kernel_async(kernel_fn, None, dependent_events, *kernel_args)
