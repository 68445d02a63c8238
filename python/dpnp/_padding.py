"""Padding: arrays with values added around them."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays

from dpnp._quantiles import median
from dpnp._support import as_numbers, default_float_type, host_array

__all__ = ["pad"]

_Widths = list[tuple[int, int]]


def _pairs(given: object, n: int, convert: Callable[[object], object]) -> list[tuple[object, object]]:
    """A pair for each axis, from one number for all, one pair for all, or pairs."""
    host = host_array(given)
    if convert is _width and host.dtype.kind not in "iu":
        raise TypeError(f"pad: `pad_width` must be of integral type. It has dtype {host.dtype}")
    pairs = numpy.broadcast_to(host, (n, 2))  # ValueError when they cannot be broadcast
    return [(convert(before), convert(after)) for before, after in pairs.tolist()]


def _of_axes(given: dict[int, object], n: int) -> list[object]:
    """The widths of all axes, of those of some."""
    widths: list[object] = [(0, 0)] * n
    for axis, width in given.items():
        width = as_numbers(width)
        widths[normalize_axis_index(axis, n)] = (width, width) if isinstance(width, int) else width
    return widths


def _width(x: int) -> int:
    if x < 0:
        raise ValueError(f"pad: width: index can't contain negative values, got {x}")
    return x


def _length(x: object) -> int | None:
    if x is not None and x < 0:
        raise ValueError(f"pad: stat_length: index can't contain negative values, got {x}")
    return None if x is None else operator.index(x)


def _part(a: dpnp_ndarray, axis: int, start: int | None, stop: int | None, step: int | None = None) -> dpnp_ndarray:
    return a[(slice(None),) * axis + (slice(start, stop, step),)]


def _joined(a: dpnp_ndarray, axis: int, before: object, after: object) -> dpnp_ndarray:
    """The array joined with parts at both ends of an axis."""
    parts = [p for p in (before, a, after) if p is not None and p.shape[axis]]
    return dpt.concat(parts, axis=axis) if len(parts) > 1 else a


def _bordered(
    a: dpnp_ndarray, widths: _Widths, values: list[tuple[object, object]] | None, order: str = "C"
) -> dpnp_ndarray:
    """A new array with a border of numbers, a pair for each axis, or of the values at the edges.

    The border of an axis includes the corners with the borders of earlier axes.
    """
    shape = tuple(before + n + after for n, (before, after) in zip(a.shape, widths, strict=True))
    made = as_dpnp(dpt.empty(shape, dtype=a.dtype, order=order, usm_type=a.usm_type, sycl_queue=a.sycl_queue))
    inside = [slice(before, before + n) for n, (before, _) in zip(a.shape, widths, strict=True)]
    made[tuple(inside)] = a
    for axis, (before, after) in enumerate(widths):
        behind = before + a.shape[axis]
        for side, (start, stop, edge) in enumerate(((0, before, before), (behind, behind + after, behind - 1))):
            if start < stop:
                whole = (slice(None),) * axis
                value = (
                    made[(*whole, slice(edge, edge + 1), *inside[axis + 1 :])] if values is None else values[axis][side]
                )
                made[(*whole, slice(start, stop), *inside[axis + 1 :])] = value
    return made


def _statistic(
    reduce: Callable[..., dpnp_ndarray], a: dpnp_ndarray, axis: int, width: tuple[int, int], length: object
) -> dpnp_ndarray:
    before, after = (a.shape[axis] if n is None else min(n, a.shape[axis]) for n in length)

    def block(part: dpnp_ndarray, count: int) -> dpnp_ndarray:
        value = reduce(part, axis=axis, keepdims=True)
        if a.dtype.kind in "iu" and value.dtype.kind == "f":
            value = bound.rint(value)
        return dpt.repeat(dpt.astype(value, a.dtype, copy=False), count, axis=axis)

    return _joined(
        a,
        axis,
        block(_part(a, axis, 0, before), width[0]),
        block(_part(a, axis, a.shape[axis] - after, None), width[1]),
    )


def _ramp(a: dpnp_ndarray, axis: int, width: tuple[int, int], ends: tuple[object, object]) -> dpnp_ndarray:
    def block(edge: dpnp_ndarray, count: int, end: object) -> dpnp_ndarray:
        """The ramp from the end value to the edge value, which is excluded."""
        shape = (1,) * axis + (count,) + (1,) * (a.ndim - axis - 1)
        steps = dpt.reshape(as_dpnp(dpt.arange(count, usm_type=a.usm_type, sycl_queue=a.sycl_queue)), shape)
        start = dpt.astype(edge, default_float_type(sycl_queue=a.sycl_queue)) if a.dtype.kind in "biu" else edge
        values = end + (start - end) * steps / max(count, 1)
        return dpt.astype(bound.floor(values) if a.dtype.kind in "iu" else values, a.dtype, copy=False)

    before = block(_part(a, axis, 0, 1), width[0], ends[0])
    after = dpt.flip(block(_part(a, axis, -1, None), width[1], ends[1]), axis=axis)
    return _joined(a, axis, before, after)


def _mirrored(a: dpnp_ndarray, axis: int, width: tuple[int, int], with_edge: bool, odd: bool) -> dpnp_ndarray:
    before, after = width
    period = a.shape[axis] - (not with_edge)
    if period == 0:  # a single element is its own reflection
        return _bordered(a, [width if i == axis else (0, 0) for i in range(a.ndim)], None)
    while before or after:
        # Each iteration reflects the array so far, whose length grows. It adds whole periods, so that the new edges are
        # again positions of reflection.
        reach = (a.shape[axis] - (not with_edge)) // period * period
        near, far = min(before, reach), min(after, reach)
        skip = not with_edge
        left = dpt.flip(_part(a, axis, skip, skip + near), axis=axis)
        end = a.shape[axis] - skip
        right = dpt.flip(_part(a, axis, end - far, end), axis=axis)
        if odd:
            left = dpt.astype(2 * _part(a, axis, 0, 1) - left, a.dtype, copy=False)  # of bools, integers
            right = dpt.astype(2 * _part(a, axis, -1, None) - right, a.dtype, copy=False)
        a = _joined(a, axis, left, right)
        before, after = before - near, after - far
    return a


def _wrapped(a: dpnp_ndarray, axis: int, width: tuple[int, int]) -> dpnp_ndarray:
    length = a.shape[axis]
    (turns, before), (more_turns, after) = (divmod(n, length) for n in width)
    tail, head = _part(a, axis, length - before, None), _part(a, axis, 0, after)
    return dpt.concat([tail, *[a] * (turns + 1 + more_turns), head], axis=axis)


def _from_itself(a: dpnp_ndarray, widths: _Widths, order: str, skip: int | None) -> dpnp_ndarray:
    """Pad by copies of parts of the array, which are as long as the borders: from the other end when `skip` is None, or
    mirrored without the first `skip` elements."""
    shape = tuple(before + n + after for n, (before, after) in zip(a.shape, widths, strict=True))
    made = as_dpnp(dpt.empty(shape, dtype=a.dtype, order=order, usm_type=a.usm_type, sycl_queue=a.sycl_queue))
    inside = [slice(before, before + n) for n, (before, _) in zip(a.shape, widths, strict=True)]
    made[tuple(inside)] = a
    for axis, (before, after) in enumerate(widths):
        length, behind = a.shape[axis], before + a.shape[axis]
        if skip is None:
            left, right = slice(length, behind), slice(before, before + after)
        else:
            last = behind - 1 - skip
            left = slice(2 * before + skip - 1, before + skip - 1 if before + skip else None, -1)
            right = slice(last, last - after if last >= after else None, -1)
        whole = (slice(None),) * axis
        for count, to, source in ((before, slice(0, before), left), (after, slice(behind, behind + after), right)):
            if count:
                made[(*whole, to, *inside[axis + 1 :])] = made[(*whole, source, *inside[axis + 1 :])]
    return made


def _fits_itself(a: dpnp_ndarray, widths: _Widths, skip: int) -> bool:
    return all(max(width) <= n - skip for n, width in zip(a.shape, widths, strict=True))


def _by_function(
    a: dpnp_ndarray, widths: _Widths, fill: Callable[..., object], options: dict[str, object]
) -> dpnp_ndarray:
    """Pad with zeros and let a function write to each 1-d slice, along one axis after another."""
    a = _bordered(a, widths, [(0, 0)] * a.ndim)
    for axis, width in enumerate(widths):
        lines = dpt.moveaxis(a, axis, -1)
        for index in numpy.ndindex(lines.shape[:-1]):
            fill(lines[index], width, axis, options)
    return a


_KEYWORDS = {
    "constant": {"constant_values": 0}, "edge": {}, "empty": {}, "linear_ramp": {"end_values": 0},
    "maximum": {"stat_length": None}, "mean": {"stat_length": None}, "median": {"stat_length": None},
    "minimum": {"stat_length": None},
    "reflect": {"reflect_type": "even"}, "symmetric": {"reflect_type": "even"}, "wrap": {},
}  # fmt: skip
_REDUCTIONS = {"maximum": bound.max, "minimum": bound.min, "mean": bound.mean, "median": median}


def pad(
    array: object, pad_width: object, mode: str | Callable[..., object] = "constant", **kwargs: object
) -> dpnp_ndarray:
    """Return an array with values added around it.

    Parameters
    ----------
    array : ndarray or usm_ndarray
        The array.
    pad_width : int, pair of int, sequence of pairs or dict
        Number of values to add before and after, along each axis. A dict has an int or a pair for some of the axes.
    mode : str or function, optional
        The values: 'constant' (`constant_values`), 'edge' (the edge value), 'linear_ramp' (to `end_values`), 'maximum',
        'mean', 'median' or 'minimum' (of all values along the axis, or of `stat_length` values at the edge), 'reflect'
        (mirrored at the edge value), 'symmetric' (mirrored including the edge value), 'wrap' (from the other end), or
        'empty' (undefined). A function is called as `mode(slice, widths, axis, kwargs)` for each 1-d slice along each
        axis, one axis after another. The slice is a view with zeros, to which it writes the values.
    constant_values, end_values, stat_length : optional
        For each axis a pair, as `pad_width`.
    reflect_type : {'even', 'odd'}, optional
        'odd': the differences from the edge value are mirrored with the opposite sign.

    Raises
    ------
    ValueError
        For an unknown mode, a keyword that the mode does not have, or negative widths.
    TypeError
        For widths that are not integers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.pad(np.array([1, 2]), (2, 1), constant_values=7)
    array([7, 7, 1, 2, 7])
    >>> np.pad(np.array([1, 2, 3]), 2, "reflect")
    array([3, 2, 1, 2, 3, 2, 1])
    """
    check_arrays("pad", array)
    a = as_dpnp(array)
    if isinstance(pad_width, dict):
        pad_width = _of_axes(pad_width, a.ndim)
    widths = _pairs(pad_width, a.ndim, _width)
    if callable(mode):
        return _by_function(a, widths, mode, kwargs)
    if not isinstance(mode, str) or mode not in _KEYWORDS:
        raise ValueError(f"pad: mode '{mode}' is not supported; the modes are {', '.join(_KEYWORDS)}")
    if unknown := set(kwargs) - set(_KEYWORDS[mode]):
        raise ValueError(f"pad: unsupported keyword arguments for mode '{mode}': {', '.join(sorted(unknown))}")
    options = _KEYWORDS[mode] | kwargs
    pairs = {k: _pairs(v, a.ndim, lambda x: x) for k, v in options.items() if k not in ("reflect_type", "stat_length")}
    if mode in _REDUCTIONS:
        pairs["stat_length"] = _pairs(options["stat_length"], a.ndim, _length)
        if mode not in ("mean", "median") and any(0 in pair for pair in pairs["stat_length"]):
            raise ValueError("pad: stat_length of 0 yields no value for padding")
    for axis, width in enumerate(widths):
        if a.shape[axis] == 0 and width != (0, 0) and mode not in ("constant", "empty"):
            raise ValueError(f"pad: can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    if mode in ("constant", "empty", "edge"):
        values = None if mode == "edge" else pairs.get("constant_values", [(0, 0)] * a.ndim)
        return _bordered(a, widths, values, "F" if array.flags.fnc else "C")
    if mode in ("wrap", "reflect", "symmetric") and options.get("reflect_type") != "odd":
        skip = int(mode == "reflect")
        if _fits_itself(a, widths, skip):
            return _from_itself(a, widths, "F" if array.flags.fnc else "C", None if mode == "wrap" else skip)
    for axis, width in enumerate(widths):
        if width == (0, 0):
            continue
        if mode == "linear_ramp":
            a = _ramp(a, axis, width, pairs["end_values"][axis])
        elif mode == "wrap":
            a = _wrapped(a, axis, width)
        elif mode in _REDUCTIONS:
            a = _statistic(_REDUCTIONS[mode], a, axis, width, pairs["stat_length"][axis])
        else:
            a = _mirrored(a, axis, width, mode == "symmetric", options["reflect_type"] == "odd")
    if array.flags.fnc:
        return dpt.copy(a, order="F")
    return dpt.copy(a, order="C") if a is array or not a.flags.c_contiguous else a
