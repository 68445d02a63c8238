"""Functions that create arrays: from other objects, and filled with a value."""

from __future__ import annotations

from collections.abc import Callable

import dpctl.utils
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_arrays, check_default

from dpnp._support import (
    also_named,
    get_normalized_queue_device,
    named,
    supported_dtype,
)

__all__ = [
    "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfarray", "asfortranarray", "astype",
    "copy", "empty", "empty_like", "from_dlpack", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like",
]  # fmt: skip

_PLACEMENT = """device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of the array.
    usm_type : {'device', 'shared', 'host'}, optional
        Kind of memory.
    sycl_queue : SyclQueue, optional
        Queue of the array, instead of `device`."""


def check_kind(usm_type: str | None) -> None:
    if usm_type is not None and usm_type != "device":
        dpctl.utils.validate_usm_type(usm_type, allow_none=True)


def given_place(device: object, usm_type: str | None, sycl_queue: object) -> dict[str, object]:
    """Keyword arguments for the placement of an array, by default in device memory of the default device."""
    check_kind(usm_type)
    return {"device": device, "usm_type": usm_type or "device", "sycl_queue": sycl_queue}


def device_dtype(dtype: object, device: object, sycl_queue: object) -> object:
    """A dtype argument with Python's float and complex replaced by the device's default types."""
    if dtype is None:
        return None
    if dtype in (float, complex):
        return supported_dtype(dtype, get_normalized_queue_device(device=device, sycl_queue=sycl_queue).sycl_device)
    return dtype


def asarray(
    a: object,
    dtype: object = None,
    order: str | None = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
    copy: bool | None = None,
    like: object = None,
) -> dpnp_ndarray:
    """Return an array with the elements of an object; the object itself if it is an array and no copy is needed.

    Parameters
    ----------
    a : array_like
        An array, a NumPy array, a number, a nested sequence of these, or an object with the buffer protocol or
        `__sycl_usm_array_interface__`.
    dtype : dtype, optional
        Data type of the result. Default: the type that all elements promote to.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory order.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of the array.
    usm_type : {'device', 'shared', 'host'}, optional
        Kind of memory.
    sycl_queue : SyclQueue, optional
        Queue of the array, instead of `device`.
    copy : bool, optional
        True: always copy. False: never copy, and raise ValueError when a copy is needed. None: copy when needed.

    Raises
    ------
    ExecutionPlacementError
        When arrays in a sequence are on different queues, and no queue is given.
    ValueError
        When items of a sequence have different shapes, or a copy is needed and forbidden.

    Examples
    --------
    >>> import dpnp as np
    >>> np.asarray([[1, 2], [3, 4]], dtype=np.float32)
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    if like is not None:
        check_default("asarray", "like", like, None)
    if device is usm_type is sycl_queue is None and isinstance(a, dpnp_ndarray):
        if not copy and order is None and (dtype is None or a.dtype == dtype):
            return a
        if copy and dtype is None:
            return as_dpnp(dpt.copy(a, order=order or "K"))
    check_kind(usm_type)
    made = dpt.asarray(
        a,
        dtype=device_dtype(dtype, device, sycl_queue),
        copy=copy,
        order=order or "K",
        device=device,
        usm_type=usm_type,
        sycl_queue=sycl_queue,
    )
    return as_dpnp(made, a)


def array(
    object: object,
    dtype: object = None,
    *,
    copy: bool | None = True,
    order: str | None = "K",
    subok: bool = False,
    ndmin: int = 0,
    like: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array with the elements of an object.

    Parameters
    ----------
    ndmin : int, optional
        Minimum number of axes: axes of length 1 are added in front.
    object
        The elements, as the first argument of `asarray`.
    dtype, copy, order, device, usm_type, sycl_queue
        As in `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.array([1, 2, 3], ndmin=2)
    array([[1, 2, 3]])
    """
    if subok is not False or like is not None:
        check_default("array", "subok", subok, False)
        check_default("array", "like", like, None)
    made = asarray(object, dtype, order, copy=copy, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    if ndmin == 0:
        return made
    if not isinstance(ndmin, (int, numpy.integer)):
        raise TypeError(f"array: ndmin must be an int, got {type(ndmin).__name__}")
    return made if made.ndim >= ndmin else dpt.reshape(made, (1,) * (ndmin - made.ndim) + made.shape)


def asanyarray(
    a: object,
    dtype: object = None,
    order: str | None = None,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return an array with the elements of an object; the same as `asarray`.

    >>> import dpnp as np
    >>> np.asanyarray((1, 2))
    array([1, 2])
    """
    return asarray(a, dtype, order, like=like, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def _contiguous(order: str, a: object, dtype: object, like: object, placement: dict[str, object]) -> dpnp_ndarray:
    made = asarray(a, dtype, order, like=like, **placement)
    return made if made.ndim else dpt.reshape(made, (1,))


def ascontiguousarray(
    a: object,
    dtype: object = None,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a row-major array of at least one axis with the elements of an object.

    >>> import dpnp as np
    >>> np.ascontiguousarray(np.ones((2, 3)).T).flags.c_contiguous
    True
    """
    return _contiguous("C", a, dtype, like, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})


def asfortranarray(
    a: object,
    dtype: object = None,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a column-major array of at least one axis with the elements of an object.

    >>> import dpnp as np
    >>> np.asfortranarray(np.ones((2, 3))).flags.f_contiguous
    True
    """
    return _contiguous("F", a, dtype, like, {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue})


def asfarray(
    a: object,
    dtype: object = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return an array of floating-point numbers with the elements of an object. Other dtypes become the default type.

    >>> import dpnp as np
    >>> np.asfarray([1, 2])
    array([1., 2.])
    """
    queue = get_normalized_queue_device(a, device=device, sycl_queue=sycl_queue)
    if dtype is None or numpy.dtype(dtype).kind not in "fc":
        dtype = supported_dtype("f8", queue.sycl_device)
    return asarray(a, dtype, usm_type=usm_type, sycl_queue=queue)


def asarray_chkfinite(
    a: object,
    dtype: object = None,
    order: str | None = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return an array with the elements of an object. Raises ValueError for infinities and NaN.

    >>> import dpnp as np
    >>> np.asarray_chkfinite([1.0, 2.0])
    array([1., 2.])
    """
    made = asarray(a, dtype, order, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    if made.dtype.kind in "fc" and not bool(bound.all(bound.isfinite(made))):
        raise ValueError("asarray_chkfinite: array must not contain infs or NaNs")
    return made


def astype(
    x: object,
    dtype: object,
    /,
    *,
    order: str = "K",
    casting: str = "unsafe",
    copy: bool = True,
    device: object = None,
) -> dpnp_ndarray:
    """Return an array with the elements cast to another dtype.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The array.
    dtype : dtype
        Data type of the result; the device's default floating-point type when None.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory order of a copy.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        The casting rule; TypeError for casts that it does not allow.
    copy : bool, optional
        False: return the array itself when dtype, order and device are already as given.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of the result.

    Examples
    --------
    >>> import dpnp as np
    >>> np.astype(np.array([1.5, -1.5]), np.int32)
    array([ 1, -1], dtype=int32)
    """
    check_arrays("astype", x)
    return as_dpnp(dpt.astype(x, dtype, order=order or "K", casting=casting, copy=copy, device=device))


def copy(
    a: object,
    order: str | None = "K",
    subok: bool = False,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a copy of an array, or a new array with the elements of another object.

    The arguments are those of `asarray`.

    >>> import dpnp as np
    >>> x = np.arange(3)
    >>> y = np.copy(x)
    >>> y[0] = 9
    >>> x
    array([0, 1, 2])
    """
    check_default("copy", "subok", subok, False)
    if isinstance(a, array_base) and device is usm_type is sycl_queue is None:
        return as_dpnp(dpt.copy(a, order=order or "K"))
    return asarray(a, order=order, copy=True, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def from_dlpack(x: object, /, *, device: object = None, copy: bool | None = None) -> dpnp_ndarray:
    """Return an array that uses the memory of an array of another library, through DLPack.

    Parameters
    ----------
    x : object
        An array with `__dlpack__` and `__dlpack_device__`.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of the array.
    copy : bool, optional
        True: always copy. False: never copy, and raise BufferError when a copy is needed, such as for host memory,
        which is copied to the default device. None: copy when needed.

    Examples
    --------
    >>> import dpnp as np
    >>> np.from_dlpack(np.arange(3))
    array([0, 1, 2])
    """
    made = dpt.from_dlpack(x, device=device, copy=copy)
    if isinstance(made, array_base):
        return as_dpnp(made)
    if device is not None:
        return made  # a NumPy array: the requested device is the host
    if copy is False:
        raise BufferError("from_dlpack: the default device needs a copy of host memory, which copy=False forbids")
    return as_dpnp(dpt.asarray(made))


def _filled(name: str, what: str) -> Callable[..., dpnp_ndarray]:
    make = getattr(dpt, name)

    def function(
        shape: int | tuple[int, ...],
        dtype: object = None,
        order: str | None = "C",
        *,
        like: object = None,
        device: object = None,
        usm_type: str | None = "device",
        sycl_queue: object = None,
    ) -> dpnp_ndarray:
        if like is not None:
            check_default(name, "like", like, None)
        if dtype is None and order == "C" and usm_type == "device" and device is sycl_queue is None:
            return as_dpnp(make(shape))
        where = given_place(device, usm_type, sycl_queue)
        dtype = device_dtype(dtype, device, sycl_queue)
        return as_dpnp(make(shape, dtype=dtype, order=order or "C", **where))

    documentation = f"""{what}

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    dtype : dtype, optional
        Data type. Default: the device's default floating-point type.
    order : {{'C', 'F'}}, optional
        Memory order.
    {_PLACEMENT}

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}((2, 3), dtype=np.int32).shape
    (2, 3)
    """
    return named(function, name, documentation)


empty = _filled("empty", "Return a new array with uninitialised elements.")
zeros = _filled("zeros", "Return a new array of zeros.")
ones = _filled("ones", "Return a new array of ones.")


def full(
    shape: int | tuple[int, ...],
    fill_value: object,
    dtype: object = None,
    order: str | None = "C",
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array filled with a value.

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    fill_value : number or array_like
        The value, broadcast to the shape.
    dtype : dtype, optional
        Data type. Default: that of the value.
    order : {'C', 'F'}, optional
        Memory order.
    device, usm_type, sycl_queue
        Placement of the array, as in `zeros`. Default: that of `fill_value` if it is an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.full((2, 2), 7)
    array([[7, 7],
           [7, 7]])
    """
    check_default("full", "like", like, None)
    check_kind(usm_type)
    dtype = device_dtype(dtype, device, sycl_queue)
    if dtype is None and isinstance(fill_value, numpy.generic):
        dtype = supported_dtype(fill_value.dtype, get_normalized_queue_device(None, device, sycl_queue).sycl_device)
    fill_value = _as_full_converts(fill_value, dtype)
    return as_dpnp(
        dpt.full(
            shape, fill_value, dtype=dtype, order=order or "C", device=device, usm_type=usm_type, sycl_queue=sycl_queue
        )
    )


def _of_another_shape(
    make: Callable[..., dpnp_ndarray], a: dpnp_ndarray, shape: object, order: str, **options: object
) -> dpnp_ndarray:
    """A new array of another shape than `a`.

    For order 'K' its axes are in the same order in memory as those of `a`, or row-major if their number differs.
    """
    if order in "Aa":
        return make(shape, order="F" if a.flags.fnc else "C", **options)
    shape = (shape,) if isinstance(shape, (int, numpy.integer)) else tuple(shape)
    if order not in "Kk" or len(shape) != a.ndim:
        return make(shape, order="C" if order in "Kk" else order, **options)
    outermost_first = sorted(range(a.ndim), key=lambda axis: -abs(a.strides[axis]))
    made = make(tuple(shape[axis] for axis in outermost_first), order="C", **options)
    return dpt.permute_dims(made, tuple(outermost_first.index(axis) for axis in range(a.ndim)))


def _filled_like(name: str, what: str) -> Callable[..., dpnp_ndarray]:
    make, make_like = getattr(dpt, name), getattr(dpt, name + "_like")

    def function(
        a: object,
        dtype: object = None,
        order: str | None = "K",
        subok: bool = False,
        shape: object = None,
        *,
        device: object = None,
        usm_type: str | None = None,
        sycl_queue: object = None,
    ) -> dpnp_ndarray:
        check_arrays(f"{name}_like", a)
        check_default(f"{name}_like", "subok", subok, False)
        check_kind(usm_type)
        order = order or "K"
        dtype = device_dtype(dtype, device, sycl_queue)
        if shape is None:
            return as_dpnp(
                make_like(a, dtype=dtype, order=order, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
            )
        queue = a.sycl_queue if device is sycl_queue is None else sycl_queue
        dtype = a.dtype if dtype is None else dtype
        place = {"device": device, "usm_type": usm_type or a.usm_type, "sycl_queue": queue}
        return as_dpnp(_of_another_shape(make, a, shape, order, dtype=dtype, **place))

    documentation = f"""{what}

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array that gives the shape and the defaults.
    dtype : dtype, optional
        Data type of the elements.
    order : {{'K', 'C', 'F', 'A'}}, optional
        Memory order.
    shape : int or tuple of int, optional
        Another shape.
    {_PLACEMENT}

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}_like(np.arange(6).reshape(2, 3)).shape
    (2, 3)
    """
    return named(function, name + "_like", documentation)


empty_like = also_named(prototype="a")(
    _filled_like("empty", "Return a new array of the shape and dtype of another, with uninitialised elements.")
)
zeros_like = _filled_like("zeros", "Return a new array of zeros, of the shape and dtype of another.")
ones_like = _filled_like("ones", "Return a new array of ones, of the shape and dtype of another.")


def full_like(
    a: object,
    fill_value: object,
    dtype: object = None,
    order: str | None = "K",
    subok: bool = False,
    shape: object = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array of the shape and dtype of another, filled with a value.

    The arguments are those of `full` and `empty_like`.

    >>> import dpnp as np
    >>> np.full_like(np.arange(3), 7)
    array([7, 7, 7])
    """
    made = empty_like(
        a,
        dtype=dtype,
        order=order,
        subok=subok,
        shape=shape,
        device=device,
        usm_type=usm_type,
        sycl_queue=sycl_queue,
    )
    return (
        as_dpnp(dpt.full_like(made, _as_full_converts(fill_value, made.dtype)))
        if not isinstance(fill_value, array_base)
        else _assigned(made, fill_value)
    )


def _as_full_converts(value: object, dtype: object) -> object:
    """A number as numpy.full converts it: a float that an integer type does not have with a RuntimeWarning."""
    is_float = isinstance(value, (float, numpy.floating))
    if is_float and dtype is not None and numpy.issubdtype(dtype, numpy.integer):  # type: ignore[arg-type]
        return int(numpy.asarray(value).astype(dtype))  # type: ignore[call-overload]
    return value


def _assigned(to: dpnp_ndarray, value: object) -> dpnp_ndarray:
    to[...] = dpt.astype(as_dpnp(value), to.dtype, copy=False)
    return to
