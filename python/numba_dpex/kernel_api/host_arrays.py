"""Device arrays as NumPy arrays, for kernels in the simulation."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def host_arrays(arguments: tuple) -> Iterator[tuple]:
    """Replace device arrays in `arguments` by NumPy arrays.

    These are views of memory that is accessible from the host, and copies of other memory, which are copied back at
    the end.
    """
    copies = []
    found: dict[int, object] = {}
    for argument in arguments:
        if hasattr(argument, "__sycl_usm_array_interface__") and id(argument) not in found:
            argument.sycl_queue.wait()
            if argument.sycl_device.is_cpu or argument.usm_type in ("shared", "host"):
                found[id(argument)] = _view(argument)
            else:
                found[id(argument)] = copy = _copy(argument)
                if argument.flags.writable:
                    copies.append(argument)
                else:
                    copy.flags.writeable = False
    yield tuple(found.get(id(argument), argument) for argument in arguments)
    for argument in copies:
        argument[...] = _on_device(argument, found[id(argument)])


def _view(array):
    """Return a NumPy array that shares the array's memory."""
    import numpy

    description = array.__sycl_usm_array_interface__
    dtype = numpy.dtype(description["typestr"])
    shape, strides, offset = description["shape"], description["strides"], description["offset"]
    if 0 in shape:
        return numpy.empty(shape, dtype)
    if strides is None:
        strides = numpy.empty(shape, "b").strides
    reach = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
    low, high = sum(step for step in reach if step < 0), sum(step for step in reach if step > 0)
    start = description["data"][0] + (offset + low) * dtype.itemsize
    memory = (ctypes.c_char * ((high - low + 1) * dtype.itemsize)).from_address(start)
    view = numpy.ndarray(shape, dtype, memory, -low * dtype.itemsize, [s * dtype.itemsize for s in strides])
    view.flags.writeable = not description["data"][1]
    return view


def _copy(array):
    import dpctl.tensor as dpt
    import dpnp

    return dpnp.asnumpy(array) if isinstance(array, dpnp.ndarray) else dpt.asnumpy(array)


def _on_device(like, values):
    import dpctl.tensor as dpt
    import dpnp

    make = dpnp.asarray if isinstance(like, dpnp.ndarray) else dpt.asarray
    return make(values, sycl_queue=like.sycl_queue)
