"""Functions of dpnp's public interface for extensions: checks, conversions and placement of arrays."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TypeVar

import dpctl
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray, usm_ndarray
from dpep._array.dpnp import (
    as_dpnp,
    check_arrays,
    check_default,
    check_numbers,
    check_operands,
    checked_array,
    placement_of,
    store_result,
)

__all__ = [
    "are_same_logical_tensors",
    "array_or_number",
    "as_usm_ndarray",
    "asnumpy",
    "byte_bounds",
    "check_limitations",
    "check_supported_arrays_type",
    "common_kind",
    "default_float_type",
    "get_include",
    "get_normalized_queue_device",
    "get_result_array",
    "get_usm_ndarray",
    "get_usm_ndarray_or_scalar",
    "is_cuda_backend",
    "is_supported_array_or_scalar",
    "is_supported_array_type",
    "named",
    "supported_dtype",
    "synchronize_array_data",
]

_Array = dpnp_ndarray | usm_ndarray


_Function = TypeVar("_Function", bound=Callable[..., object])


def named(function: _Function, name: str, documentation: str) -> _Function:
    """Give a function that was created by another function its own name and docstring."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = documentation
    return function


def also_named(**parameters: str) -> Callable[[_Function], _Function]:
    """Let a function take arguments by other names, too, where Intel's dpnp does not have NumPy's names.

    Args:
        parameters: for each other name, the parameter's name.
    """

    def decorate(function: _Function) -> _Function:
        @functools.wraps(function)
        def call(*arguments: object, **keywords: object) -> object:
            for other in parameters.keys() & keywords:
                if parameters[other] not in keywords:
                    keywords[parameters[other]] = keywords.pop(other)
            return function(*arguments, **keywords)

        return call  # type: ignore[return-value]

    return decorate


def common_kind(operation: str, a: object, *others: object) -> dpnp_ndarray:
    """The array, copied to the kind of memory of a result that is computed from all arrays if it is of another."""
    place = placement_of(operation, a, *others)
    return as_dpnp(a if a.usm_type == place["usm_type"] else dpt.asarray(a, **place))


def array_or_number(operation: str, x: object) -> dpnp_ndarray:
    """The array, or for a number a new 0-d array on the default device. TypeError for other objects."""
    if isinstance(x, array_base):
        return as_dpnp(x)
    check_numbers(operation, x)
    return as_dpnp(dpt.asarray(x))


def as_numbers(x: object) -> object:
    """The element of a 0-d array as a number, for parameters on the host. Also of all in a tuple or list."""
    if isinstance(x, (list, tuple)):
        return [*map(as_numbers, x)] if isinstance(x, list) else (*map(as_numbers, x),)
    return x.item() if isinstance(x, array_base) and x.ndim == 0 else x


def host_array(x: object) -> numpy.ndarray:
    """A parameter, such as weights or positions, in host memory: of an array, a number or a sequence of numbers."""
    return dpt.asnumpy(x) if isinstance(x, array_base) else numpy.asarray(as_numbers(x))


def first_as_array(operation: str, first: object, *others: object) -> object:
    """The first operand; when all operands are numbers, as a 0-d array on the default device."""
    check_numbers(operation, first, *others)
    return first if any(isinstance(x, array_base) for x in (first, *others)) else array_or_number(operation, first)


def is_supported_array_type(a: object) -> bool:
    """Return whether an object is an array of dpnp or of dpctl.tensor.

    >>> import dpnp as np
    >>> np.is_supported_array_type(np.ones(2)), np.is_supported_array_type([1, 2])
    (True, False)
    """
    return isinstance(a, array_base)


def is_supported_array_or_scalar(a: object) -> bool:
    """Return whether an object is a number, or an array of dpnp or of dpctl.tensor.

    >>> import dpnp as np
    >>> np.is_supported_array_or_scalar(1.5)
    True
    """
    return isinstance(a, array_base) or numpy.isscalar(a)


def check_supported_arrays_type(*arrays: object, scalar_type: bool = False, all_scalars: bool = False) -> bool:
    """Return True when all arguments are arrays; raise TypeError otherwise.

    Parameters
    ----------
    *arrays : object
        The objects to check.
    scalar_type : bool, optional
        Whether numbers are also allowed.
    all_scalars : bool, optional
        Whether all objects may be numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.check_supported_arrays_type(np.ones(2), 1, scalar_type=True)
    True
    """
    check = check_arrays if not scalar_type else check_numbers if all_scalars or not arrays else check_operands
    check("check_supported_arrays_type", *arrays)
    return True


def check_limitations(
    subok: bool = False,
    like: object = None,
    initial: object = None,
    where: object = True,
    subok_linalg: bool = True,
    signature: object = None,
) -> None:
    """Raise NotImplementedError for other values than the default of NumPy's keywords that dpnp does not support.

    >>> import dpnp as np
    >>> np.check_limitations(where=True)
    """
    given = {"subok": (subok, False), "like": (like, None), "initial": (initial, None), "where": (where, True)}
    given |= {"subok_linalg": (subok_linalg, True), "signature": (signature, None)}
    for keyword, (value, standard) in given.items():
        check_default("check_limitations", keyword, value, standard)


def get_usm_ndarray(a: object) -> usm_ndarray:
    """Return a usm_ndarray that shares the memory of an array. Raises TypeError for other objects.

    >>> import dpnp as np
    >>> np.get_usm_ndarray(np.arange(3))
    usm_ndarray([0, 1, 2])
    """
    return checked_array("get_usm_ndarray", a).get_array()


def get_usm_ndarray_or_scalar(a: object) -> object:
    """Return a usm_ndarray that shares the memory of an array, or the given number. Raises TypeError for others.

    >>> import dpnp as np
    >>> np.get_usm_ndarray_or_scalar(2)
    2
    """
    return a if numpy.isscalar(a) else checked_array("get_usm_ndarray_or_scalar", a).get_array()


def as_usm_ndarray(
    a: object,
    dtype: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: dpctl.SyclQueue | None = None,
) -> usm_ndarray:
    """Return a usm_ndarray: that of the given array, or a new one with the elements of another object.

    The other arguments are those of `asarray` and apply to a new array.

    >>> import dpnp as np
    >>> np.as_usm_ndarray([1, 2])
    usm_ndarray([1, 2])
    """
    if isinstance(a, array_base):
        return get_usm_ndarray(a)
    return dpt.asarray(a, dtype=dtype, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def asnumpy(a: object, order: str = "C") -> numpy.ndarray:
    """Return a NumPy array with the elements of an array or of an object that `numpy.asarray` accepts.

    Parameters
    ----------
    a : ndarray or array_like
        The object to convert. Waits for arrays and copies them.
    order : {'C', 'F', 'A', 'K'}, optional
        Memory order, for other objects than arrays.

    Examples
    --------
    >>> import dpnp as np
    >>> np.asnumpy(np.arange(3)) * 2
    array([0, 2, 4])
    """
    return dpt.asnumpy(a) if isinstance(a, array_base) else numpy.asarray(a, order=order)


def are_same_logical_tensors(ar1: _Array, ar2: _Array) -> bool:
    """Return whether two arrays have the same elements in memory, with the same shape, strides and dtype.

    >>> import dpnp as np
    >>> x = np.arange(4)
    >>> np.are_same_logical_tensors(x, x[:]), np.are_same_logical_tensors(x, x[::-1])
    (True, False)
    """
    a, b = (checked_array("are_same_logical_tensors", x).get_array() for x in (ar1, ar2))
    return a is b or (a.shape == b.shape and a.strides == b.strides and a.dtype == b.dtype and a._pointer == b._pointer)


def get_normalized_queue_device(
    obj: object = None, device: object = None, sycl_queue: dpctl.SyclQueue | None = None
) -> dpctl.SyclQueue:
    """Return the queue given by `device` or `sycl_queue`, else that of `obj`, else the default queue.

    Raises TypeError when `device` and `sycl_queue` are different queues.

    >>> import dpnp as np
    >>> x = np.ones(2)
    >>> np.get_normalized_queue_device(x) == x.sycl_queue
    True
    """
    if device is None and sycl_queue is None and hasattr(obj, "sycl_queue"):
        sycl_queue = obj.sycl_queue
    return dpt.empty(0, dtype="i1", device=device, sycl_queue=sycl_queue).sycl_queue


def supported_dtype(dtype: object, device: dpctl.SyclDevice) -> numpy.dtype:
    """The dtype, or the nearest one that the device supports."""
    dtype = numpy.dtype(dtype)
    if dtype.char in "dD" and not device.has_aspect_fp64:
        return numpy.dtype("f4" if dtype.char == "d" else "c8")
    if dtype.char == "e" and not device.has_aspect_fp16:
        return numpy.dtype("f4")
    return dtype


def default_float_type(device: object = None, sycl_queue: dpctl.SyclQueue | None = None) -> numpy.dtype:
    """Return the default floating-point type of a device: float64 if supported, else float32.

    Parameters
    ----------
    device : Device, SyclQueue, SyclDevice or str, optional
        The device.
    sycl_queue : SyclQueue, optional
        A queue of the device, instead of `device`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.default_float_type().kind
    'f'
    """
    return supported_dtype("f8", get_normalized_queue_device(device=device, sycl_queue=sycl_queue).sycl_device)


def get_include() -> str:
    """Return the folder of the headers of libdpep, which implements dpnp.

    >>> import dpnp as np
    >>> import os
    >>> os.path.isdir(np.get_include())
    True
    """
    import dpep

    return os.path.join(os.path.dirname(dpep.__file__), "include")


def is_cuda_backend(obj: object = None) -> bool:
    """Return whether a queue, a device or an array, or the default device for None, is of the CUDA back end.

    >>> import dpnp as np
    >>> np.is_cuda_backend(np.ones(1)) in (True, False)
    True
    """
    device = dpctl.select_default_device() if obj is None else getattr(obj, "sycl_device", obj)
    return getattr(device, "backend", None) == dpctl.backend_type.cuda


def byte_bounds(a: _Array) -> tuple[int, int]:
    """Return the addresses of the first byte of an array's elements and of the byte after the last.

    >>> import dpnp as np
    >>> low, high = np.byte_bounds(np.ones(4))
    >>> high - low
    32
    """
    return checked_array("byte_bounds", a)._byte_bounds


def synchronize_array_data(a: _Array) -> None:
    """Wait until all work submitted to the array's queue is complete.

    >>> import dpnp as np
    >>> np.synchronize_array_data(np.ones(3))
    """
    checked_array("synchronize_array_data", a).sycl_queue.wait()


def get_result_array(a: _Array, out: _Array | None = None, casting: str = "safe") -> dpnp_ndarray:
    """Return `a`, or `out` after a copy of the elements of `a` to it.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    out : ndarray or usm_ndarray, optional
        Output array of the same shape.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        The rule for the cast to its dtype.

    Raises
    ------
    ValueError
        When the shapes differ.
    TypeError
        When the rule does not allow the cast.

    Examples
    --------
    >>> import dpnp as np
    >>> np.get_result_array(np.arange(2), np.ones(2))
    array([0., 1.])
    """
    if out is None or a is out or are_same_logical_tensors(a, out):
        return as_dpnp(a if out is None else out)
    return store_result("get_result_array", a, out, casting)
