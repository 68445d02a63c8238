"""Launching kernels: call_kernel, call_kernel_async and their forms for single tasks."""

from dpep._kernel import call_kernel, call_kernel_async, single_task, single_task_async

__all__ = ["call_kernel", "call_kernel_async", "single_task", "single_task_async"]
