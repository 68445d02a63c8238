"""Launches by the older API, `kernel[global, local](…)`, which also accept NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from dpep import _kernel

from numba_dpex.core.exceptions import (
    ExecutionQueueInferenceError,
    IllegalRangeValueError,
    InvalidKernelLaunchArgsError,
)
from numba_dpex.kernel_api.ranges import NdRange, Range

if TYPE_CHECKING:
    from numba_dpex.core.kernel_dispatcher import KernelDispatcher

#: In `kernel[global, DEFAULT_LOCAL_SIZE]` dpep chooses the size of work-groups.
DEFAULT_LOCAL_SIZE: tuple[int, ...] = ()


class ConfiguredKernel:
    """A kernel and its index space; calling it launches the kernel and waits."""

    def __init__(self, kernel: KernelDispatcher, ranges) -> None:
        self._kernel = kernel
        self._space = _index_space(kernel.__name__, ranges)

    def __call__(self, *arguments) -> None:
        """Run the kernel. NumPy arrays are copied to the queue of the device arrays, and back afterwards.

        If all arrays are NumPy's, the queue is that of `with dpctl.device_context(…)`.

        Raises:
            ExecutionQueueInferenceError: no argument is a device array, or they are on different queues.
            TypingError: the kernel writes to a read-only array.
        """
        hosts = [number for number, each in enumerate(arguments) if isinstance(each, numpy.ndarray)]
        if not hosts:
            _kernel.call_kernel(self._kernel, self._space, *arguments)
            return
        import dpctl
        import dpctl.tensor as dpt

        on_devices = [each for each in arguments if hasattr(each, "__sycl_usm_array_interface__")]
        if on_devices:
            queue = on_devices[0].sycl_queue
        elif dpctl.is_in_device_context():
            queue = dpctl.get_current_queue()
        else:
            raise ExecutionQueueInferenceError(self._kernel.__name__)
        copies = list(arguments)
        made: dict[int, dpt.usm_ndarray] = {}
        for number in hosts:
            host = arguments[number]
            if id(host) not in made:
                copy = dpt.asarray(host, sycl_queue=queue, copy=True)
                copy.flags.writable = host.flags.writeable  # a read-only array would not get written values back
                made[id(host)] = copy
            copies[number] = made[id(host)]
        _kernel.call_kernel(self._kernel, self._space, *copies)
        for number in hosts:
            if arguments[number].flags.writeable:
                arguments[number][...] = dpt.asnumpy(copies[number])


def _index_space(kernel: str, ranges) -> Range | NdRange:
    """Return the index space of the brackets' contents. Two ints are a global and a local size, as in numba-dpex."""
    if isinstance(ranges, Range | NdRange):
        return ranges
    if not isinstance(ranges, tuple | list):
        return _range(kernel, ranges)
    if len(ranges) not in (1, 2):
        raise InvalidKernelLaunchArgsError(kernel)
    everything = _range(kernel, ranges[0])
    if len(ranges) == 1 or (isinstance(ranges[1], tuple | list) and len(ranges[1]) == 0):
        return everything
    return NdRange(everything, _range(kernel, ranges[1]))


def _range(kernel: str, extents) -> Range:
    if isinstance(extents, int | numpy.integer):
        return Range(int(extents))
    try:
        return Range(*extents)
    except (TypeError, ValueError):
        raise IllegalRangeValueError(kernel) from None
