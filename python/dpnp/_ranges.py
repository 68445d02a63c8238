"""Functions that create ranges of numbers."""

from __future__ import annotations

import math
import numbers
import operator

import dpctl.utils
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_default, placed_like, placement_of

from dpnp._creation import check_kind, device_dtype, given_place
from dpnp._support import (
    as_numbers,
    get_normalized_queue_device,
    supported_dtype,
)

__all__ = ["arange", "geomspace", "linspace", "logspace"]


def _scalar(x: object) -> object:
    """The element of a 0-d array as a NumPy scalar of its dtype."""
    return x.dtype.type(x.item()) if isinstance(x, array_base) else x


def _of_low_precision(start: object, stop: object, step: object) -> tuple[float, float, float]:
    """A range in double precision with the length and the step that NumPy computes in the precision of the ends."""
    first, last = (type(start)(0), start) if stop is None else (start, stop)
    with numpy.errstate(all="ignore"):
        count = float((last - first) / step)
        distance = float(first + step) - float(first)
    if not math.isfinite(count):
        return float(first), float(last), float(step)
    return float(first), float(first) + (max(math.ceil(count), 0) - 0.5) * distance, distance


def arange(
    start: float | None = None,
    stop: float | None = None,
    step: float = 1,
    dtype: object = None,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return evenly spaced numbers from `start` (0 when only one number is given) to `stop`, excluding `stop`.

    Parameters
    ----------
    start, stop, step : number or ndarray
        The range. Arrays must have one element, which is read.
    dtype : dtype, optional
        Data type of the elements.
    device : Device, SyclQueue, SyclDevice or str, optional
        Device or queue of the array.
    usm_type : {'device', 'shared', 'host'}, optional
        Kind of memory.
    sycl_queue : SyclQueue, optional
        Queue of the array, instead of `device`.

    Raises
    ------
    TypeError
        Without `start` and `stop`.
    ZeroDivisionError
        When the step is 0.
    ValueError
        When the length of the range is NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.arange(1, 4)
    array([1, 2, 3])
    """
    if like is not None:
        check_default("arange", "like", like, None)
    where = given_place(device, usm_type, sycl_queue)
    if type(start) is int and type(step) is int and step and (stop is None or type(stop) is int):
        return as_dpnp(dpt.arange(start, stop, step, dtype=device_dtype(dtype, device, sycl_queue), **where))
    single = any(isinstance(x, array_base) and x.dtype in ("f2", "f4") for x in (start, stop, step))
    start, stop, step = (_scalar(x) if single else as_numbers(x) for x in (start, stop, step))
    if start is None:
        if stop is None:
            raise TypeError("arange: a start or a stop is needed")
        start = 0
    if isinstance(step, numbers.Number):
        if step == 0:
            raise ZeroDivisionError("arange: step must not be 0")
        if step != step:
            raise ValueError("arange: step must not be NaN")
        if isinstance(step, float) and math.isinf(step):  # as in NumPy, one element if the step has the right sign
            first, last = (0, start) if stop is None else (start, stop)
            start, step = float(first), math.copysign(1.0, step)
            stop = start + step if (last - first) * step > 0 else start
    if single:
        start, stop, step = _of_low_precision(start, stop, step)
    return as_dpnp(dpt.arange(start, stop, step, dtype=device_dtype(dtype, device, sycl_queue), **where))


def _range_place(
    name: str, ends: tuple[object, ...], device: object, usm_type: str | None, sycl_queue: object
) -> dict[str, object]:
    """The placement of a range: as given, else that of the ends that are arrays."""
    check_kind(usm_type)
    of_ends = placement_of(name, *ends) if device is sycl_queue is None else {}
    queue = of_ends.get("sycl_queue", sycl_queue)
    kinds = [a.usm_type for a in ends if isinstance(a, array_base)]
    kind = usm_type or (dpctl.utils.get_coerced_usm_type(kinds) if kinds else "device")
    return {"device": device, "usm_type": kind, "sycl_queue": queue}


def _points(
    start: object, stop: object, num: int, dtype: numpy.dtype, endpoint: bool, place: dict[str, object]
) -> dpnp_ndarray:
    """Evenly spaced points between arrays, along the first axis."""
    start, stop = (dpt.asarray(end, dtype=dtype, **place) for end in (start, stop))
    start, stop = (as_dpnp(end) for end in dpt.broadcast_arrays(start, stop))
    steps = num - 1 if endpoint else num
    places = dpt.reshape(as_dpnp(dpt.arange(num, dtype=dtype, **place)), (num,) + (1,) * start.ndim)
    if steps < 1:
        return places * 0 + start
    points = places * ((stop - start) / steps) + start
    return dpt.where(places == steps, stop, points) if endpoint else points


def _end(x: object, place: dict[str, object]) -> object:
    """The end of an interval, a number or an array. Bools become integers, since they have no differences."""
    if numpy.isscalar(x):
        return x
    x = dpt.asarray(x, **place)
    return dpt.astype(x, dpt.int8) if x.dtype.kind == "b" else x


def linspace(
    start: object,
    stop: object,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: object = None,
    axis: int = 0,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return `num` evenly spaced numbers from `start` to `stop`.

    Parameters
    ----------
    start, stop : number or array_like
        The ends of the interval. Arrays are broadcast.
    num : int, optional
        Number of points.
    dtype : dtype, optional
        Data type of the result.
    device, usm_type, sycl_queue
        Placement of the array, as in `zeros`. Default: that of the ends that are arrays.
    endpoint : bool, optional
        Whether `stop` is the last point. Otherwise it is excluded.
    retstep : bool, optional
        Whether to return the distance of points, too.
    axis : int, optional
        The axis of the result along which the points are, when the ends are arrays.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    place = _range_place("linspace", (start, stop), device, usm_type, sycl_queue)
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"linspace: num must not be negative, got {num}")
    steps = num - 1 if endpoint else num
    start, stop = (_end(x, place) for x in (start, stop))
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
    return (points, placed_like(step, points)) if retstep is True else points


def logspace(
    start: object,
    stop: object,
    num: int = 50,
    endpoint: bool = True,
    base: object = 10.0,
    dtype: object = None,
    axis: int = 0,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return `num` powers of a base with evenly spaced exponents.

    Parameters
    ----------
    start, stop : number or array_like
        The first and the last exponent.
    base : number or array_like, optional
        The base.
    num, device, usm_type, sycl_queue, endpoint, dtype, axis
        As in `linspace`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.logspace(0, 2, 3)
    array([  1.,  10., 100.])
    """
    place = _range_place("logspace", (start, stop, base), device, usm_type, sycl_queue)
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
    num: int = 50,
    endpoint: bool = True,
    dtype: object = None,
    axis: int = 0,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return `num` numbers of a geometric progression from `start` to `stop`.

    The arguments are those of `linspace`. Raises ValueError when an end is 0.

    >>> import dpnp as np
    >>> np.geomspace(1, 1000, 4)
    array([   1.,   10.,  100., 1000.])
    """
    place = _range_place("geomspace", (start, stop), device, usm_type, sycl_queue)
    queue = get_normalized_queue_device(device=device, sycl_queue=place["sycl_queue"])
    ends = [as_dpnp(dpt.asarray(x, **place)) for x in (start, stop)]
    types = [x.dtype for x in ends] + ([] if dtype is None else [numpy.dtype(dtype)])
    computed = supported_dtype(numpy.result_type(*types, float(num)), queue.sycl_device)
    first, last = (as_dpnp(x) for x in dpt.broadcast_arrays(*(dpt.astype(x, computed) for x in ends)))
    if bool(bound.any(bound.logical_or(first == 0, last == 0))):
        raise ValueError("geomspace: start and stop must not be 0")
    # Powers of the ratio, multiplied by the first number, stay real for negative ends and right for complex ones.
    ratio = last / first
    log_last = bound.log10(ratio)
    exponents = linspace(dpt.zeros_like(log_last), log_last, num, endpoint=endpoint, **place)
    powers = first * bound.power(10.0, exponents)
    places = dpt.reshape(as_dpnp(dpt.arange(powers.shape[0], **place)), (powers.shape[0],) + (1,) * first.ndim)
    powers = dpt.where(places == 0, first, powers)
    if endpoint and num > 1:
        powers = dpt.where(places == num - 1, last, powers)
    powers = dpt.moveaxis(powers, 0, axis)
    return powers if dtype is None else dpt.astype(powers, dtype, copy=False)
