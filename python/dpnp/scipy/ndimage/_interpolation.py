"""Interpolation of images by splines: shifts, zooms, rotations, affine maps, and values at given coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_arrays

import dpnp
from dpnp._support import host_array
from dpnp.scipy.ndimage import _splines as splines
from dpnp.scipy.ndimage._arguments import (
    axis_of,
    delivered,
    input_array,
    output_type,
    per_axis,
    real_of,
)

__all__ = ["affine_transform", "map_coordinates", "rotate", "shift", "spline_filter", "spline_filter1d", "zoom"]


def _rounded(name: str, made: dpnp_ndarray, output: object, dtype: numpy.dtype) -> dpnp_ndarray:
    """The result in the dtype: integers are rounded, and limited to the dtype's range."""
    if dtype.kind in "iu" and made.dtype.kind == "f":
        limits = numpy.iinfo(dtype)
        high = float(limits.max) if dtype.itemsize < 8 else numpy.nextafter(float(limits.max), 0)
        made = dpnp.clip(dpnp.where(made > 0, made + 0.5, made - 0.5), float(limits.min), high)
    return delivered(name, made, output, dtype)


class _Source:
    """The array to interpolate: its coefficients along the axes, and the elements added before each of them."""

    def __init__(
        self, x: dpnp_ndarray, axes: list[int], order: int, mode: str, cval: object, prefilter: bool
    ) -> None:  # fmt: skip
        self.order, self.mode, self.cval, self.padding = order, mode, cval, 0
        self.is_real = x.dtype.kind != "c"
        if prefilter and order > 1:
            if self.is_real:
                x = as_dpnp(dpt.astype(x, real_of(x), copy=False))
            x, self.padding = splines.padded(x, axes, mode, cval)
            x = splines.coefficients(x, order, axes, mode)
        self.array = x

    def number(self) -> complex:
        return float(self.cval) if self.is_real else complex(self.cval)

    def taps(self, c: object, axis: int, xp: object) -> splines.Taps:
        return splines.Taps(c + self.padding if self.padding else c, self.array.shape[axis], self.order, self.mode, xp)


class _Host:
    """NumPy's functions of coordinates along one axis, which are parameters."""

    abs, clip, floor, minimum, remainder, trunc, where = (
        numpy.abs, numpy.clip, numpy.floor, numpy.minimum, numpy.remainder, numpy.trunc, numpy.where,
    )  # fmt: skip

    @staticmethod
    def astype(x: numpy.ndarray, dtype: str) -> numpy.ndarray:
        """The array in another dtype."""
        return x.astype(dtype)


class _Device:
    """The same functions of coordinates in arrays on devices."""

    abs, clip, floor, minimum, remainder, trunc, astype, where = (
        bound.abs, dpnp.clip, bound.floor, bound.minimum, bound.remainder, bound.trunc, dpnp.astype, dpnp.where,
    )  # fmt: skip


def _along_axes(s: _Source, coordinates: dict[int, numpy.ndarray]) -> dpnp_ndarray:
    """Values at the products of coordinates along some axes, one axis after another."""
    x = s.array
    place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
    outside = None
    for axis, c in coordinates.items():
        taps = s.taps(c, axis, _Host)
        shape = [-1 if i == axis else 1 for i in range(x.ndim)]

        def listed(values: numpy.ndarray, shape: list[int] = shape) -> dpnp_ndarray:
            return as_dpnp(dpt.reshape(dpt.asarray(values, **place), shape))

        total = None
        for k, index in enumerate(taps.indices):
            part = as_dpnp(dpt.take(x, dpt.asarray(index, **place), axis=axis))
            if taps.beyond is not None and taps.beyond[k].any():
                part = dpnp.where(listed(taps.beyond[k]), s.number(), part)
            if taps.weights[k] is not None:
                part = part * listed(taps.weights[k])
            total = part if total is None else total + part
        x = total
        if taps.outside is not None and taps.outside.any():
            here = listed(taps.outside)
            outside = here if outside is None else outside | here
    return x if outside is None else dpnp.where(outside, s.number(), x)


def _at(s: _Source, coordinates: list[dpnp_ndarray], batch: int = 0) -> dpnp_ndarray:
    """Values at coordinates along the axes from `batch` on, which are broadcast. Axes before are kept."""
    x = s.array
    lengths = x.shape[batch:]
    flat = as_dpnp(dpt.reshape(x, (*x.shape[:batch], -1)))
    taps = [s.taps(c, batch + i, _Device) for i, c in enumerate(coordinates)]
    strides = [math.prod(lengths[i + 1 :]) for i in range(len(lengths))]

    def total(axis: int, index: object, beyond: object) -> dpnp_ndarray:
        """The sum over the taps of the axes from `axis` on."""
        if axis == len(taps):
            part = as_dpnp(dpt.take(flat, index, axis=batch, mode="clip"))
            return part if beyond is None else dpnp.where(beyond, s.number(), part)
        t, made = taps[axis], None
        for k in range(len(t.indices)):
            at = t.indices[k] * strides[axis] if strides[axis] > 1 else t.indices[k]
            here = beyond
            if t.beyond is not None:
                here = t.beyond[k] if beyond is None else beyond | t.beyond[k]
            part = total(axis + 1, at if index is None else index + at, here)
            if t.weights[k] is not None:
                part = t.weights[k] * part
            made = part if made is None else made + part
        return made

    value = total(0, None, None)
    for t in taps:
        if t.outside is not None:
            value = dpnp.where(t.outside, s.number(), value)
    return value


def map_coordinates(
    input: object,
    coordinates: object,
    output: object = None,
    order: int = 3,
    mode: str = "constant",
    cval: complex = 0.0,
    prefilter: bool = True,
) -> dpnp_ndarray:
    """Return the values of an array at coordinates, which are no integers in general.

    Parameters
    ----------
    input : ndarray
        The array.
    coordinates : ndarray
        The coordinates along each axis of `input`, along the first axis.
    output : ndarray or dtype, optional
        An array for the result, or its dtype; by default that of `input`. Integers are rounded.
    order : int, optional
        The order of the splines between elements, 0 to 5: 0 is the nearest element, 1 is linear.
    mode : str, optional
        The values beyond the ends of an axis: 'constant' (`cval` beyond the first and the last element),
        'grid-constant' (elements `cval`), 'nearest', 'mirror', 'reflect' or 'grid-mirror', 'grid-wrap', and 'wrap',
        which repeats with the period n - 1.
    cval : number, optional
        The number in the modes 'constant' and 'grid-constant'.
    prefilter : bool, optional
        Whether `input` has samples. False: coefficients of splines, from `spline_filter`.

    Returns
    -------
    ndarray
        The values, in the shape of `coordinates` without its first axis.

    Raises
    ------
    RuntimeError
        For another order or mode, and for coordinates of another number of axes.
    TypeError
        When an argument is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(12.0).reshape(4, 3)
    >>> np.scipy.ndimage.map_coordinates(x, np.array([[0.5, 2], [0.5, 1]]), order=1)
    array([2., 7.])
    """
    name = "map_coordinates"
    check_arrays(name, input, coordinates)
    x, coordinates = input_array(name, input), as_dpnp(coordinates)
    splines.checked_order(name, order), splines.checked_mode(name, mode)
    if coordinates.dtype.kind == "c":
        raise TypeError(f"{name}: coordinates must be real, got {coordinates.dtype}")
    if coordinates.ndim < 1 or x.ndim < 1 or coordinates.shape[0] != x.ndim:
        raise RuntimeError(f"{name}: expected {x.ndim} coordinates along the first axis, got {coordinates.shape}")
    dtype = output_type(name, x, output)
    source = _Source(x, list(range(x.ndim)), order, mode, cval, prefilter)
    real = real_of(x)
    each = [as_dpnp(dpt.astype(coordinates[i], real, copy=False)) for i in range(x.ndim)]
    return _rounded(name, _at(source, each), output, dtype)


def _positions(n: int) -> numpy.ndarray:
    return numpy.arange(n, dtype="f8")


def shift(
    input: object,
    shift: float | Sequence[float],
    output: object = None,
    order: int = 3,
    mode: str = "constant",
    cval: complex = 0.0,
    prefilter: bool = True,
) -> dpnp_ndarray:
    """Return an array that is shifted by numbers of elements, which are no integers in general.

    `shift` is that of all axes, or a sequence. The other arguments are those of `map_coordinates`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.shift(np.array([1.0, 2.0, 4.0]), 0.5, order=1)
    array([0. , 1.5, 3. ])
    """
    name = "shift"
    x = input_array(name, input)
    splines.checked_order(name, order), splines.checked_mode(name, mode)
    dtype = output_type(name, x, output)
    source = _Source(x, list(range(x.ndim)), order, mode, cval, prefilter)
    by = per_axis(name, "shift", shift, x.ndim)
    # SciPy subtracts nothing from positions that stay; otherwise the order 0 would round differently.
    made = _along_axes(source, {a: _positions(n) - float(by[a]) for a, n in enumerate(x.shape)})
    return _rounded(name, made, output, dtype)


def zoom(
    input: object,
    zoom: float | Sequence[float],
    output: object = None,
    order: int = 3,
    mode: str = "constant",
    cval: complex = 0.0,
    prefilter: bool = True,
    *,
    grid_mode: bool = False,
) -> dpnp_ndarray:
    """Return an array with more or fewer elements of the same range.

    `zoom` is the factor of the lengths of all axes, or a sequence. With `grid_mode`, the range includes half an element
    at each end; by default it ends at the first and the last element. The other arguments are those of
    `map_coordinates`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.zoom(np.array([1.0, 2.0, 4.0]), 5 / 3, order=1)
    array([1. , 1.5, 2. , 3. , 4. ])
    """
    name = "zoom"
    x = input_array(name, input)
    splines.checked_order(name, order), splines.checked_mode(name, mode)
    if x.ndim < 1:
        raise RuntimeError(f"{name}: expected an array with axes, got shape {x.shape}")
    dtype = output_type(name, x, output)
    factors = [float(z) for z in per_axis(name, "zoom", zoom, x.ndim)]
    lengths = [round(n * z) for n, z in zip(x.shape, factors, strict=True)]
    if min(lengths) < 0:
        raise ValueError(f"{name}: lengths must not be negative, got zoom={zoom!r} for shape {x.shape}")
    if all(z == 1 for z in factors) and prefilter:
        return delivered(name, as_dpnp(dpt.copy(x)), output, dtype)
    source = _Source(x, list(range(x.ndim)), order, mode, cval, prefilter)
    coordinates = {}
    for axis, (n, m) in enumerate(zip(x.shape, lengths, strict=True)):
        above, below = (n, m) if grid_mode else (n - 1, m - 1)
        step = above / below if below else 1.0
        coordinates[axis] = (_positions(m) + 0.5) * step - 0.5 if grid_mode else _positions(m) * step
    return _rounded(name, _along_axes(source, coordinates), output, dtype)


def affine_transform(
    input: object,
    matrix: object,
    offset: float | Sequence[float] = 0.0,
    output_shape: tuple[int, ...] | None = None,
    output: object = None,
    order: int = 3,
    mode: str = "constant",
    cval: complex = 0.0,
    prefilter: bool = True,
) -> dpnp_ndarray:
    """Return an array whose element at index i is the value of another array at matrix @ i + offset.

    Parameters
    ----------
    input : ndarray
        The array, with n axes.
    matrix : ndarray or array_like
        n x n numbers; n numbers, the diagonal; or n x (n + 1) or (n + 1) x (n + 1) numbers with the offset in the last
        column.
    offset : float or sequence of float, optional
        The offset.
    output_shape : tuple of int, optional
        The shape of the result; by default that of `input`, or of the array `output`.
    output, order, mode, cval, prefilter : optional
        As of `map_coordinates`.

    Raises
    ------
    RuntimeError
        For a matrix of another shape.
    ValueError
        When the last row of homogeneous coordinates is not zeros and a one.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(9.0).reshape(3, 3)
    >>> np.scipy.ndimage.affine_transform(x, [[0, 1], [1, 0]], order=1)
    array([[0., 3., 6.],
           [1., 4., 7.],
           [2., 5., 8.]])
    """
    name = "affine_transform"
    x, m = input_array(name, input), host_array(matrix).astype("f8")
    splines.checked_order(name, order), splines.checked_mode(name, mode)
    n = x.ndim
    offset = numpy.array([float(o) for o in per_axis(name, "offset", offset, n)])
    if m.ndim == 2 and m.shape[1] == n + 1 and m.shape[0] in (n, n + 1):
        if m.shape[0] == n + 1 and not numpy.array_equal(m[n], [0] * n + [1]):
            raise ValueError(f"{name}: expected homogeneous coordinates, the last row {[0] * n + [1]}, got {m[n]}")
        m, offset = m[:n, :n], m[:n, n]
    if m.shape not in ((n,), (n, n)):
        raise RuntimeError(f"{name}: expected a matrix for {n} axes, got shape {m.shape}")
    dtype = output_type(name, x, output)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, array_base) else x.shape
    source = _Source(x, list(range(n)), order, mode, cval, prefilter)
    if m.ndim == 2 and numpy.count_nonzero(m - numpy.diag(numpy.diagonal(m))) == 0:
        m = numpy.diagonal(m)
    if m.ndim == 1:
        made = _along_axes(source, {a: _positions(k) * m[a] + offset[a] for a, k in enumerate(output_shape)})
    else:
        made = _at(source, _images(x, m, offset, tuple(output_shape)))
    return _rounded(name, made, output, dtype)


def _images(x: dpnp_ndarray, m: numpy.ndarray, offset: numpy.ndarray, shape: tuple[int, ...]) -> list[dpnp_ndarray]:
    """The coordinates m @ i + offset of all indices i in the shape."""
    place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
    ramps = [
        as_dpnp(dpt.reshape(dpt.arange(k, dtype=real_of(x), **place), [-1 if i == a else 1 for i in range(len(shape))]))
        for a, k in enumerate(shape)
    ]
    made = []
    for row, start in zip(m.tolist(), offset.tolist(), strict=True):
        total = None
        for factor, ramp in zip(row, ramps, strict=True):
            part = ramp * factor
            total = part if total is None else total + part
        made.append(total + start)
    return made


def rotate(
    input: object,
    angle: float,
    axes: tuple[int, int] = (1, 0),
    reshape: bool = True,
    output: object = None,
    order: int = 3,
    mode: str = "constant",
    cval: complex = 0.0,
    prefilter: bool = True,
) -> dpnp_ndarray:
    """Return an array that is rotated in the plane of two axes.

    Parameters
    ----------
    input : ndarray
        The array, with at least two axes.
    angle : float
        The angle in degrees.
    axes : pair of int, optional
        The axes of the plane.
    reshape : bool, optional
        Whether the result has the shape that contains the whole rotated array.
    output, order, mode, cval, prefilter : optional
        As of `map_coordinates`.

    Raises
    ------
    ValueError
        For arrays with less than two axes, and for other axes than two different ones.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.rotate(np.array([[1, 2, 3], [4, 5, 6]]), 90)
    array([[3, 6],
           [2, 5],
           [1, 4]])
    """
    name = "rotate"
    x = input_array(name, input)
    splines.checked_order(name, order), splines.checked_mode(name, mode)
    if x.ndim < 2:
        raise ValueError(f"{name}: expected an array with at least two axes, got shape {x.shape}")
    if len(axes) != 2:
        raise ValueError(f"{name}: expected two axes, got {axes}")
    plane = sorted(axis_of(name, a, x.ndim) for a in axes)
    if plane[0] == plane[1]:
        raise ValueError(f"{name}: expected two different axes, got {axes}")
    dtype = output_type(name, x, output)
    quarter, rest = divmod(float(angle), 90.0)
    c, s = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    for _ in range(int(quarter) % 4):
        c, s = -s, c
    turn = numpy.array([[c, s], [-s, c]])
    lengths = numpy.array([x.shape[a] for a in plane])
    shape = lengths
    if reshape:
        corners = turn @ [[0, 0, lengths[0], lengths[0]], [0, lengths[1], 0, lengths[1]]]
        shape = (numpy.ptp(corners, axis=1) + 0.5).astype(int)
    offset = (lengths - 1) / 2 - turn @ ((shape - 1) / 2)
    moved = as_dpnp(dpt.moveaxis(x, plane, (-2, -1)))
    source = _Source(moved, [x.ndim - 2, x.ndim - 1], order, mode, cval, prefilter)
    made = _at(source, _images(x, turn, offset, tuple(shape.tolist())), x.ndim - 2)
    return _rounded(name, as_dpnp(dpt.moveaxis(made, (-2, -1), plane)), output, dtype)


def spline_filter1d(
    input: object, order: int = 3, axis: int = -1, output: object = numpy.float64, mode: str = "mirror"
) -> dpnp_ndarray:
    """Return the coefficients of the spline through elements along one axis.

    The arguments are those of `map_coordinates`; the result has the dtype `output`. Raises RuntimeError for orders
    other than 0 to 5.

    >>> import dpnp as np
    >>> np.scipy.ndimage.spline_filter1d(np.array([1.0, 4.0, 1.0])).round(6)
    array([-2.,  7., -2.])
    """
    return _filtered("spline_filter1d", input, order, [axis], output, mode)


def spline_filter(input: object, order: int = 3, output: object = numpy.float64, mode: str = "mirror") -> dpnp_ndarray:
    """Return the coefficients of the spline through elements, along all axes.

    The arguments are those of `spline_filter1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.spline_filter(np.ones((3, 3))).round(6)
    array([[1., 1., 1.],
           [1., 1., 1.],
           [1., 1., 1.]])
    """
    if order in (0, 1):
        raise RuntimeError(f"spline_filter: spline order {order} is not supported; orders are 2 to 5")
    return _filtered("spline_filter", input, order, None, output, mode)


def _filtered(name: str, input: object, order: int, axes: object, output: object, mode: str) -> dpnp_ndarray:
    x = input_array(name, input)
    splines.checked_order(name, order), splines.checked_mode(name, mode)
    if not isinstance(output, array_base) and output is numpy.float64:
        output = real_of(x) if x.dtype.kind != "c" else numpy.result_type(x.dtype, "c16")
    dtype = output_type(name, x, output)
    where = list(range(x.ndim)) if axes is None else [axis_of(name, a, x.ndim) for a in axes]
    made = splines.coefficients(x, order, where, mode)
    return delivered(name, as_dpnp(dpt.copy(x)) if made is x else made, output, dtype)
