"""Helper functions of dpnp: checks of operands and keywords, placement of new arrays, and output arrays."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TypeVar

import dpctl
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, check_out_queue, common_placement, dpnp_ndarray, usm_ndarray
from dpep._array.dpnp import as_dpnp

__all__ = [
    "are_same_logical_tensors",
    "as_dpnp",
    "as_usm_ndarray",
    "asnumpy",
    "beside",
    "byte_bounds",
    "check_limitations",
    "check_supported_arrays_type",
    "default_float_type",
    "delivered",
    "get_include",
    "get_normalized_queue_device",
    "get_result_array",
    "get_usm_ndarray",
    "get_usm_ndarray_or_scalar",
    "is_cuda_backend",
    "is_supported_array_or_scalar",
    "is_supported_array_type",
    "named",
    "place_of",
    "supported_dtype",
    "synchronize_array_data",
]

_Array = dpnp_ndarray | usm_ndarray


_Function = TypeVar("_Function", bound=Callable[..., object])


def named(function: _Function, name: str, documentation: str) -> _Function:
    """Give a function that was created by another function its own name and docstring."""
    function.__name__ = function.__qualname__ = name
    function.__code__ = function.__code__.replace(co_name=name, co_qualname=name)  # for messages and tracebacks
    function.__doc__ = documentation
    return function


def _called_function() -> str:
    """The name of the function of dpnp that the program called, found in the call stack; empty if there is none."""
    name, frame = "", sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("dpnp."):
        if (function := frame.f_code.co_name).isidentifier() and function[0] != "_":
            name = function
        elif function == "__call__":
            name = getattr(frame.f_locals.get("self"), "name_", name)
        frame = frame.f_back
    return name


def _prefix() -> str:
    """The beginning of an error message: `name: `."""
    name = _called_function()
    return f"{name}: " if name else ""


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
    for a in arrays:
        if not isinstance(a, array_base) and not (scalar_type and numpy.isscalar(a)):
            raise TypeError(
                f"{_prefix()}An array must be any of supported type{' or a number' if scalar_type else ''}, but got "
                f"{type(a).__name__}; supported are the arrays of dpnp and dpctl.tensor"
            )
    if arrays and not all_scalars and not any(isinstance(a, array_base) for a in arrays):
        raise TypeError(f"{_prefix()}expected at least one array, got only numbers")
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
    if subok is False and like is initial is signature is None and where is True and subok_linalg is True:
        return
    given = {"subok": (subok, False), "like": (like, None), "initial": (initial, None), "where": (where, True)}
    given |= {"subok ": (subok_linalg, True), "signature": (signature, None)}
    for keyword, (value, standard) in given.items():
        if value is not standard:
            shown = "an array" if isinstance(value, array_base) else repr(value)  # without a copy of its elements
            raise NotImplementedError(f"{_prefix()}{keyword.strip()}={shown} is not supported, only {standard!r} is")


def get_usm_ndarray(a: object) -> usm_ndarray:
    """Return a usm_ndarray that shares the memory of an array. Raises TypeError for other objects.

    >>> import dpnp as np
    >>> np.get_usm_ndarray(np.arange(3))
    usm_ndarray([0, 1, 2])
    """
    check_supported_arrays_type(a)
    return a.get_array() if isinstance(a, dpnp_ndarray) else a


def get_usm_ndarray_or_scalar(a: object) -> object:
    """Return a usm_ndarray that shares the memory of an array, or the given number. Raises TypeError for others.

    >>> import dpnp as np
    >>> np.get_usm_ndarray_or_scalar(2)
    2
    """
    return a if numpy.isscalar(a) else get_usm_ndarray(a)


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
    a, b = get_usm_ndarray(ar1), get_usm_ndarray(ar2)
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
    return get_usm_ndarray(a)._byte_bounds


def synchronize_array_data(a: _Array) -> None:
    """Wait until all work submitted to the array's queue is complete.

    >>> import dpnp as np
    >>> np.synchronize_array_data(np.ones(3))
    """
    get_usm_ndarray(a).sycl_queue.wait()


def delivered(result: dpnp_ndarray, out: object, casting: str = "unsafe") -> dpnp_ndarray:
    """Copy the result to `out` and return `out`; for None return the result. Checks queue, shape and casting rule."""
    if out is None:
        return as_dpnp(result)
    target = as_dpnp(out)
    if target.sycl_queue != result.sycl_queue:
        check_out_queue(target.sycl_queue, result.sycl_queue, _called_function())  # raises ExecutionPlacementError
    if target.shape != result.shape:
        raise ValueError(f"{_prefix()}out has shape {target.shape}, but the result has shape {result.shape}")
    loses_parts = result.dtype.kind == "c" and target.dtype.kind not in "cb"
    if loses_parts or not numpy.can_cast(result.dtype, target.dtype, casting=casting):
        raise TypeError(f"{_prefix()}{result.dtype} cannot be cast to {target.dtype} of out with casting={casting!r}")
    target[...] = result if result.dtype == target.dtype else dpt.astype(result, target.dtype)
    return target


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
    return delivered(as_dpnp(a), out, casting)


def place_of(*objects: object) -> dict[str, object]:
    """The placement of a result computed from objects, as keyword arguments for functions that create arrays.

    Empty without arrays among the objects. Raises ExecutionPlacementError when they are on different queues.
    """
    arrays = [a for a in objects if isinstance(a, array_base)]
    if not arrays:
        return {}
    same_queue = all(a.sycl_queue == arrays[0].sycl_queue for a in arrays)
    queue, usm_type = common_placement(arrays, "dpnp" if same_queue else _called_function())
    return {"usm_type": usm_type, "sycl_queue": queue}


def beside(x: object, like: _Array, dtype: object = None) -> dpnp_ndarray:
    """`x` itself if it is an array, else a new array of its elements, placed like `like`."""
    if isinstance(x, array_base):
        return as_dpnp(x)
    return as_dpnp(dpt.asarray(x, dtype=dtype, usm_type=like.usm_type, sycl_queue=like.sycl_queue))
