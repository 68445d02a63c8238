"""Functions that make arrays: from other objects, filled, and ranges."""

from __future__ import annotations

import operator

import dpctl.utils
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp

from dpnp._support import (
    beside,
    check_limitations,
    check_supported_arrays_type,
    get_normalized_queue_device,
    place_of,
    supported_dtype,
)

__all__ = [
    "arange", "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfarray",
    "asfortranarray", "astype", "copy", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "geomspace",
    "identity", "linspace", "logspace", "ones", "ones_like", "tri", "tril", "triu", "vander", "zeros", "zeros_like",
]  # fmt: skip

_PLACEMENT = """device : Device, SyclQueue, SyclDevice or str, optional
        Where the array shall be.
    usm_type : {'device', 'shared', 'host'}, optional
        Kind of memory.
    sycl_queue : SyclQueue, optional
        The same as `device`."""


def _check_kind(usm_type: str | None) -> None:
    dpctl.utils.validate_usm_type(usm_type, allow_none=True)


def _given(device: object, usm_type: str | None, sycl_queue: object) -> dict[str, object]:
    """Placement of arrays that are beside no other."""
    _check_kind(usm_type)
    return {"device": device, "usm_type": usm_type or "device", "sycl_queue": sycl_queue}


def _device_dtype(dtype: object, device: object, sycl_queue: object) -> object:
    """A dtype that the device has: Python's float is the default one."""
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
    """Return an array with the elements of an object, without a copy where none is needed.

    Parameters
    ----------
    a : array_like
        An array, a NumPy array, a number, a nested sequence of these, or an object with the buffer protocol or
        `__sycl_usm_array_interface__`.
    dtype : dtype, optional
        Of the result. Default: what holds all the elements.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory layout.
    device : Device, SyclQueue, SyclDevice or str, optional
        Where the array shall be.
    usm_type : {'device', 'shared', 'host'}, optional
        Kind of memory.
    sycl_queue : SyclQueue, optional
        The same as `device`.
    copy : bool, optional
        True: always copy. False: never, and raise ValueError where one is needed.

    Raises
    ------
    ExecutionPlacementError
        When arrays in a sequence are on different queues, and no queue is given.
    ValueError
        When parts of a sequence have different shapes, and for a copy that is forbidden.

    Examples
    --------
    >>> import dpnp as np
    >>> np.asarray([[1, 2], [3, 4]], dtype=np.float32)
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    check_limitations(like=like)
    _check_kind(usm_type)
    as_it_is = not copy and device is usm_type is sycl_queue is order is None
    if as_it_is and isinstance(a, dpnp_ndarray) and (dtype is None or a.dtype == dtype):
        return a
    made = dpt.asarray(
        a,
        dtype=_device_dtype(dtype, device, sycl_queue),
        copy=copy,
        order=order or "K",
        device=device,
        usm_type=usm_type,
        sycl_queue=sycl_queue,
    )
    return as_dpnp(made, a)


def array(
    a: object,
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
        How many axes the array has at least: axes of length 1 are put in front.
    a, dtype, copy, order, device, usm_type, sycl_queue
        As for `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.array([1, 2, 3], ndmin=2)
    array([[1, 2, 3]])
    """
    check_limitations(subok=subok, like=like)
    if not isinstance(ndmin, (int, numpy.integer)):
        raise TypeError(f"array: ndmin must be an int, got {type(ndmin).__name__}")
    made = asarray(a, dtype, order, copy=copy, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
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
    """Return an array of floating-point numbers with the elements of an object; other dtypes become the default one.

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
    """Return an array with the elements of an object, having checked that all are finite; ValueError otherwise.

    >>> import dpnp as np
    >>> np.asarray_chkfinite([1.0, 2.0])
    array([1., 2.])
    """
    made = asarray(a, dtype, order, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    if made.dtype.kind in "fc" and not bool(bound.all(bound.isfinite(made))):
        raise ValueError("asarray_chkfinite: the array must not have infinities or NaN")
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
    """Return an array's elements as another dtype.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The array.
    dtype : dtype
        Of the result; None is the default floating-point type.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory layout of a copy.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        What casts are allowed; TypeError for others.
    copy : bool, optional
        False: return the array itself where nothing changes.
    device : Device, SyclQueue, SyclDevice or str, optional
        Where the result shall be.

    Examples
    --------
    >>> import dpnp as np
    >>> np.astype(np.array([1.5, -1.5]), np.int32)
    array([ 1, -1], dtype=int32)
    """
    check_supported_arrays_type(x)
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
    check_limitations(subok=subok)
    if isinstance(a, array_base) and device is usm_type is sycl_queue is None:
        return as_dpnp(dpt.copy(a, order=order or "K"))
    return asarray(a, order=order, copy=True, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def from_dlpack(x: object, /, *, device: object = None, copy: bool | None = None) -> dpnp_ndarray:
    """Return an array on the memory of an object of another package, through DLPack.

    Parameters
    ----------
    x : object
        With `__dlpack__` and `__dlpack_device__`.
    device : Device, SyclQueue, SyclDevice or str, optional
        Where the array shall be.
    copy : bool, optional
        True: always copy; False: never, and raise BufferError where one is needed.

    Examples
    --------
    >>> import dpnp as np
    >>> np.from_dlpack(np.arange(3))
    array([0, 1, 2])
    """
    return as_dpnp(dpt.from_dlpack(x, device=device, copy=copy))


def _filled(name: str, documentation: str) -> object:
    make = getattr(dpt, name)

    def function(
        shape: int | tuple[int, ...],
        *,
        dtype: object = None,
        order: str | None = "C",
        like: object = None,
        device: object = None,
        usm_type: str | None = "device",
        sycl_queue: object = None,
    ) -> dpnp_ndarray:
        check_limitations(like=like)
        where = _given(device, usm_type, sycl_queue)
        dtype = _device_dtype(dtype, device, sycl_queue)
        return as_dpnp(make(shape, dtype=dtype, order=order or "C", **where))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{documentation}

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    dtype : dtype, optional
        Of the elements. Default: the device's default floating-point type.
    order : {{'C', 'F'}}, optional
        Memory layout.
    {_PLACEMENT}

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}((2, 3), dtype=np.int32).shape
    (2, 3)
    """
    return function


empty = _filled("empty", "Return a new array whose elements are not set.")
zeros = _filled("zeros", "Return a new array of zeros.")
ones = _filled("ones", "Return a new array of ones.")


def full(
    shape: int | tuple[int, ...],
    fill_value: object,
    *,
    dtype: object = None,
    order: str | None = "C",
    like: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array of one value, or of an array broadcast to the shape.

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    fill_value : number or array_like
        The value.
    dtype : dtype, optional
        Of the elements. Default: the value's.
    order : {'C', 'F'}, optional
        Memory layout.
    device, usm_type, sycl_queue
        Where the array shall be; by default beside `fill_value`, if that is an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.full((2, 2), 7)
    array([[7, 7],
           [7, 7]])
    """
    check_limitations(like=like)
    _check_kind(usm_type)
    dtype = _device_dtype(dtype, device, sycl_queue)
    return as_dpnp(
        dpt.full(
            shape, fill_value, dtype=dtype, order=order or "C", device=device, usm_type=usm_type, sycl_queue=sycl_queue
        )
    )


def _shape_like(a: dpnp_ndarray, shape: object, order: str) -> tuple[object, str]:
    """A shape, and the order that is 'C' or 'F' for it, since 'K' means nothing for another shape."""
    if order in "KAka":
        order = "F" if a.flags.fnc else "C"
    return shape, order


def _filled_like(name: str, documentation: str) -> object:
    make, make_like = getattr(dpt, name), getattr(dpt, name + "_like")

    def function(
        a: object,
        /,
        *,
        dtype: object = None,
        order: str | None = "K",
        subok: bool = False,
        shape: object = None,
        device: object = None,
        usm_type: str | None = None,
        sycl_queue: object = None,
    ) -> dpnp_ndarray:
        check_supported_arrays_type(a)
        check_limitations(subok=subok)
        _check_kind(usm_type)
        order = order or "K"
        dtype = _device_dtype(dtype, device, sycl_queue)
        if shape is None:
            return as_dpnp(
                make_like(a, dtype=dtype, order=order, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
            )
        shape, order = _shape_like(a, shape, order)
        queue = a.sycl_queue if device is sycl_queue is None else sycl_queue
        dtype = a.dtype if dtype is None else dtype
        return as_dpnp(
            make(shape, dtype=dtype, order=order, device=device, usm_type=usm_type or a.usm_type, sycl_queue=queue)
        )

    function.__name__ = function.__qualname__ = name + "_like"
    function.__doc__ = f"""{documentation}

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Whose shape, dtype and place the result has, unless they are given.
    dtype : dtype, optional
        Of the elements.
    order : {{'K', 'C', 'F', 'A'}}, optional
        Memory layout.
    shape : int or tuple of int, optional
        Another shape.
    {_PLACEMENT}

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}_like(np.arange(6).reshape(2, 3)).shape
    (2, 3)
    """
    return function


empty_like = _filled_like("empty", "Return a new array like another, whose elements are not set.")
zeros_like = _filled_like("zeros", "Return a new array of zeros, like another.")
ones_like = _filled_like("ones", "Return a new array of ones, like another.")


def full_like(
    a: object,
    /,
    fill_value: object,
    *,
    dtype: object = None,
    order: str | None = "K",
    subok: bool = False,
    shape: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array of one value, like another array. The arguments are those of `full` and `empty_like`.

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
        as_dpnp(dpt.full_like(made, fill_value))
        if not isinstance(fill_value, array_base)
        else _assigned(made, fill_value)
    )


def _assigned(to: dpnp_ndarray, value: object) -> dpnp_ndarray:
    to[...] = dpt.astype(as_dpnp(value), to.dtype, copy=False)
    return to


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: object = None,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return numbers at equal distances from `start` (0 when only one number is given) up to before `stop`.

    Parameters
    ----------
    start, stop, step : number
        The range.
    dtype : dtype, optional
        Of the elements.
    device : Device, SyclQueue, SyclDevice or str, optional
        Where the array shall be.
    usm_type : {'device', 'shared', 'host'}, optional
        Kind of memory.
    sycl_queue : SyclQueue, optional
        The same as `device`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.arange(1, 4)
    array([1, 2, 3])
    """
    check_limitations(like=like)
    where = _given(device, usm_type, sycl_queue)
    return as_dpnp(dpt.arange(start, stop, step, dtype=_device_dtype(dtype, device, sycl_queue), **where))


def _range_place(
    ends: tuple[object, ...], device: object, usm_type: str | None, sycl_queue: object
) -> dict[str, object]:
    """Where a range goes: as is said, else beside its ends."""
    _check_kind(usm_type)
    beside_ends = place_of(*ends) if device is sycl_queue is None else {}
    queue = beside_ends.get("sycl_queue", sycl_queue)
    kinds = [a.usm_type for a in ends if isinstance(a, array_base)]
    kind = usm_type or (dpctl.utils.get_coerced_usm_type(kinds) if kinds else "device")
    return {"device": device, "usm_type": kind, "sycl_queue": queue}


def _points(
    start: object, stop: object, num: int, dtype: numpy.dtype, endpoint: bool, place: dict[str, object]
) -> dpnp_ndarray:
    """Points between ends that are arrays, along the first axis."""
    start, stop = (dpt.asarray(end, dtype=dtype, **place) for end in (start, stop))
    start, stop = (as_dpnp(end) for end in dpt.broadcast_arrays(start, stop))
    steps = num - 1 if endpoint else num
    places = dpt.reshape(as_dpnp(dpt.arange(num, dtype=dtype, **place)), (num,) + (1,) * start.ndim)
    if steps < 1:
        return places * 0 + start
    points = places * ((stop - start) / steps) + start
    return dpt.where(places == steps, stop, points) if endpoint else points


def linspace(
    start: object,
    stop: object,
    /,
    num: int = 50,
    *,
    dtype: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
    endpoint: bool = True,
    retstep: bool = False,
    axis: int = 0,
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return `num` numbers at equal distances between two.

    Parameters
    ----------
    start, stop : number or array_like
        The ends; arrays are broadcast.
    num : int, optional
        How many numbers.
    dtype : dtype, optional
        Of the result.
    device, usm_type, sycl_queue
        Where the array shall be; by default beside the ends.
    endpoint : bool, optional
        Whether `stop` is the last number.
    retstep : bool, optional
        Whether the distance is returned, too.
    axis : int, optional
        Which axis of the result the numbers go along, when the ends are arrays.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    place = _range_place((start, stop), device, usm_type, sycl_queue)
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"linspace: num must not be negative, got {num}")
    steps = num - 1 if endpoint else num
    if not numpy.isscalar(start):
        start = dpt.asarray(start, **place)
    if not numpy.isscalar(stop):
        stop = dpt.asarray(stop, **place)
    queue = get_normalized_queue_device(device=device, sycl_queue=place["sycl_queue"])
    types = [numpy.dtype(x.dtype) if isinstance(x, array_base) else x for x in (start, stop)]
    computed = supported_dtype(numpy.result_type(*types, float(num)), queue.sycl_device)
    wanted = computed if dtype is None else numpy.dtype(dtype)
    if numpy.isscalar(start) and numpy.isscalar(stop):
        points = as_dpnp(dpt.linspace(start, stop, num, dtype=computed, endpoint=bool(endpoint), **place))
        step = (stop - start) / steps if steps > 0 else numpy.nan
    else:
        points = dpt.moveaxis(_points(start, stop, num, computed, endpoint, place), 0, axis)
        step = (as_dpnp(dpt.asarray(stop, **place)) - start) / steps if steps > 0 else numpy.nan
    if wanted.kind in "iu":
        points = bound.floor(points)
    points = dpt.astype(points, wanted, copy=False)
    return (points, beside(step, points)) if retstep is True else points


def logspace(
    start: object,
    stop: object,
    /,
    num: int = 50,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
    endpoint: bool = True,
    base: object = 10.0,
    dtype: object = None,
    axis: int = 0,
) -> dpnp_ndarray:
    """Return `num` powers of a base whose exponents are at equal distances.

    Parameters
    ----------
    start, stop : number or array_like
        The least and the greatest exponent.
    base : number or array_like, optional
        The base.
    num, device, usm_type, sycl_queue, endpoint, dtype, axis
        As for `linspace`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.logspace(0, 2, 3)
    array([  1.,  10., 100.])
    """
    place = _range_place((start, stop, base), device, usm_type, sycl_queue)
    if not numpy.isscalar(base):
        start, stop, base = (as_dpnp(dpt.asarray(x, **place)) for x in (start, stop, base))
        start, stop, base = (as_dpnp(x) for x in dpt.broadcast_arrays(start, stop, base))
        base = dpt.expand_dims(base, axis=axis)
    exponents = linspace(start, stop, num, endpoint=endpoint, axis=axis, **place)
    powers = bound.power(base, exponents)
    return powers if dtype is None else dpt.astype(powers, dtype, copy=False)


def geomspace(
    start: object,
    stop: object,
    /,
    num: int = 50,
    *,
    dtype: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
    endpoint: bool = True,
    axis: int = 0,
) -> dpnp_ndarray:
    """Return `num` numbers from one to another, each of which is the same multiple of the one before it.

    The arguments are those of `linspace`. ValueError when an end is 0.

    >>> import dpnp as np
    >>> np.geomspace(1, 1000, 4)
    array([   1.,   10.,  100., 1000.])
    """
    place = _range_place((start, stop), device, usm_type, sycl_queue)
    queue = get_normalized_queue_device(device=device, sycl_queue=place["sycl_queue"])
    ends = [as_dpnp(dpt.asarray(x, **place)) for x in (start, stop)]
    computed = supported_dtype(numpy.result_type(*(x.dtype for x in ends), float(num)), queue.sycl_device)
    first, last = (as_dpnp(x) for x in dpt.broadcast_arrays(*(dpt.astype(x, computed) for x in ends)))
    if bool(bound.any(bound.logical_or(first == 0, last == 0))):
        raise ValueError("geomspace: neither end may be 0")
    # The first number is divided out, so that real ones of one sign, and complex ones of any, stay on their way.
    ratio = last / first
    if computed.kind != "c" and bool(bound.any(ratio < 0)):
        raise ValueError("geomspace: the ends of a range of real numbers must be of one sign")
    log_last = bound.log10(ratio)
    exponents = linspace(dpt.zeros_like(log_last), log_last, num, endpoint=endpoint, **place)
    powers = first * bound.power(10.0, exponents)
    places = dpt.reshape(as_dpnp(dpt.arange(powers.shape[0], **place)), (powers.shape[0],) + (1,) * first.ndim)
    powers = dpt.where(places == 0, first, powers)
    if endpoint and num > 1:
        powers = dpt.where(places == num - 1, last, powers)
    powers = dpt.moveaxis(powers, 0, axis)
    return powers if dtype is None else dpt.astype(powers, dtype, copy=False)


def eye(
    N: int,
    /,
    M: int | None = None,
    k: int = 0,
    dtype: object = None,
    order: str | None = "C",
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N, M : int
        Rows and columns; as many columns as rows by default.
    k : int, optional
        Which diagonal: 0 is the main one, positive ones are above it.
    dtype, order, device, usm_type, sycl_queue
        As for `zeros`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.eye(2, 3, k=1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    check_limitations(like=like)
    where = _given(device, usm_type, sycl_queue)
    return as_dpnp(dpt.eye(N, M, k=k, dtype=_device_dtype(dtype, device, sycl_queue), order=order or "C", **where))


def identity(
    n: int,
    /,
    dtype: object = None,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return the identity matrix of `n` rows. The other arguments are those of `zeros`.

    >>> import dpnp as np
    >>> np.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    if n < 0:
        raise ValueError(f"identity: n must not be negative, got {n}")
    return eye(n, dtype=dtype, like=like, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def _diagonal_number(k: object) -> int:
    try:
        return operator.index(k)
    except TypeError:
        raise TypeError(f"k must be an int, got {type(k).__name__}") from None


def tri(
    N: int,
    /,
    M: int | None = None,
    k: int = 0,
    dtype: object = float,
    *,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a matrix with ones on and below a diagonal and zeros above it. The arguments are those of `eye`.

    >>> import dpnp as np
    >>> np.tri(2, 3, dtype=np.int64)
    array([[1, 0, 0],
           [1, 1, 0]])
    """
    for name, length in (("N", N), ("M", 0 if M is None else M)):
        if not isinstance(length, (int, numpy.integer)):
            raise TypeError(f"tri: {name} must be an int, got {type(length).__name__}")
        if length < 0:
            raise ValueError(f"tri: {name} must not be negative, got {length}")
    where = _given(device, usm_type, sycl_queue)
    dtype = _device_dtype(float if dtype is None else dtype, device, sycl_queue)
    whole = as_dpnp(dpt.ones((N, N if M is None else M), dtype=dtype, **where))
    return dpt.tril(whole, k=_diagonal_number(k))


def _triangle(part: object, m: object, k: object) -> dpnp_ndarray:
    k = _diagonal_number(k)
    check_supported_arrays_type(m)
    if m.ndim == 0:
        raise ValueError("a triangle is of an array with one axis at least, got none")
    m = as_dpnp(m)
    return part(dpt.broadcast_to(m, m.shape * 2) if m.ndim == 1 else m, k=k)


def tril(m: object, /, *, k: int = 0) -> dpnp_ndarray:
    """Return a matrix, or a stack of them, with zeros above a diagonal.

    Parameters
    ----------
    m : ndarray or usm_ndarray
        The matrices: the last two axes. An array of one axis is taken for each row.
    k : int, optional
        Which diagonal is the last to stay.

    Examples
    --------
    >>> import dpnp as np
    >>> np.tril(np.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """
    return _triangle(dpt.tril, m, k)


def triu(m: object, /, *, k: int = 0) -> dpnp_ndarray:
    """Return a matrix, or a stack of them, with zeros below a diagonal. The arguments are those of `tril`.

    >>> import dpnp as np
    >>> np.triu(np.ones((2, 2)))
    array([[1., 1.],
           [0., 1.]])
    """
    return _triangle(dpt.triu, m, k)


def vander(
    x: object,
    /,
    N: int | None = None,
    increasing: bool = False,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return the matrix whose columns are powers of the numbers of an array.

    Parameters
    ----------
    x : array_like
        Numbers along one axis.
    N : int, optional
        How many columns; as many as numbers by default.
    increasing : bool, optional
        Whether the powers go from 0 up rather than down to 0.
    device, usm_type, sycl_queue
        As for `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.vander(np.array([1, 2, 3]))
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
    x = asarray(x, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    if N is not None and not isinstance(N, int):
        raise TypeError(f"vander: N must be an int, got {type(N).__name__}")
    if x.ndim != 1:
        raise ValueError(f"vander: x must have one axis, got {x.ndim}")
    columns = x.size if N is None else N
    dtype = supported_dtype(numpy.promote_types(x.dtype, int), x.sycl_device)
    exponents = as_dpnp(dpt.arange(columns, dtype=dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue))
    powers = bound.power(dpt.astype(dpt.reshape(x, (-1, 1)), dtype, copy=False), exponents)
    return powers if increasing else powers[:, ::-1]
