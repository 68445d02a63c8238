"""Linear filters: correlations with weights, Gaussians and means."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, filtered

from dpnp._support import host_array
from dpnp.scipy.ndimage._arguments import (
    axes_of,
    axis_of,
    before_of,
    border_of,
    converted,
    delivered,
    flat_filter,
    input_array,
    line,
    of_parts,
    output_type,
    per_axis,
)

__all__ = [
    "along", "convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d", "gaussians",
    "uniform_filter", "uniform_filter1d",
]  # fmt: skip

_EPSILON = float(numpy.finfo("f8").eps)


@functools.lru_cache(256)
def _taps(weights: tuple[float, ...]) -> tuple[list[int], list[int], bool, list[float]]:
    """The taps in the order of additions, those to add to them or to subtract, and the weights."""
    n = len(weights)
    half = n // 2
    taps, opposites, subtract = [n - 1, *range(n - 1)], [], False
    if n % 2 and n > 1:
        left, right = numpy.array(weights[:half]), numpy.array(weights[:half:-1])
        is_even, is_odd = numpy.abs(right - left).max() <= _EPSILON, numpy.abs(right + left).max() <= _EPSILON
        if is_even or is_odd:
            subtract = not is_even
            taps, opposites = [half, *range(half)], [half, *range(n - 1, half, -1)]
    return taps, opposites, subtract, [weights[k] for k in taps]


def along(
    name: str, x: dpnp_ndarray, weights: Sequence[float], axis: int, dtype: numpy.dtype, mode: object, cval: object,
    origin: int,
) -> dpnp_ndarray:  # fmt: skip
    """The correlation with real weights along one axis, in the dtype.

    Symmetric and antisymmetric weights are added in pairs, from the ends to the middle, as in SciPy, so that results
    that are rounded to integers are the same.
    """
    border, n = border_of(name, mode), len(weights)
    window, before = line(x.ndim, axis, n), [0] * x.ndim
    before[axis] = before_of(name, n, origin)
    taps, opposites, subtract, values = _taps(tuple(weights))
    made = of_parts(
        x,
        cval,
        lambda part, number: filtered(
            part, "sum", window, before, border, number, taps, values, opposites, subtract, 0
        ),
    )
    return converted(made, dtype)


def _with_weights(
    x: dpnp_ndarray, weights: numpy.ndarray, cval: object, run: Callable[..., dpnp_ndarray]
) -> dpnp_ndarray:
    """`run(x, weights, cval)` of real weights, or of the parts of complex ones."""
    if weights.dtype.kind != "c":
        return run(x, weights.astype("f8"), cval)
    return run(x, weights.real.astype("f8"), cval) + 1j * run(x, weights.imag.astype("f8"), cval)


def _type_with(name: str, x: dpnp_ndarray, weights: numpy.ndarray, output: object) -> numpy.dtype:
    if weights.dtype.kind != "c" or x.dtype.kind == "c":
        return output_type(name, x, output)
    if output is None:
        return numpy.result_type(x.dtype, "c8")
    return output_type(name, as_dpnp(dpt.empty(0, dtype="c8", sycl_queue=x.sycl_queue)), output)


def _one_dimensional(
    name: str, input: object, weights: object, axis: int, output: object, mode: str, cval: object, origin: int
) -> dpnp_ndarray:
    x, weights = input_array(name, input), host_array(weights)
    if weights.ndim != 1 or weights.size < 1:
        raise RuntimeError(f"{name}: no filter weights given, or not along one axis: shape {weights.shape}")
    axis = axis_of(name, axis, x.ndim)
    dtype = _type_with(name, x, weights, output)
    exact = numpy.result_type(x.dtype, weights.dtype, "f8" if dtype.kind != "c" else "c16")
    direct = weights.dtype.kind != "c"
    made = _with_weights(
        x,
        weights,
        cval,
        lambda x, w, c: along(name, x, w.tolist(), axis, dtype if direct else exact, mode, c, origin),
    )
    return delivered(name, made, output, dtype)


def correlate1d(
    input: object,
    weights: object,
    axis: int = -1,
    output: object = None,
    mode: str = "reflect",
    cval: complex = 0.0,
    origin: int = 0,
) -> dpnp_ndarray:
    """Return the correlation of an array with weights along one axis.

    Parameters
    ----------
    input : ndarray
        The array.
    weights : ndarray or array_like
        The weights, along one axis.
    axis : int, optional
        The axis.
    output : ndarray or dtype, optional
        An array for the result, or its dtype; by default that of `input`. Sums are computed in float64 and truncated to
        integers.
    mode : str, optional
        The elements beyond the ends of the axis: 'reflect' (d c b a | a b c d | d c b a; also 'grid-mirror'), 'mirror'
        (d c b | a b c d | c b a), 'nearest' (the first or last element), 'wrap' (from the other end; also 'grid-wrap'),
        or 'constant' (`cval`; also 'grid-constant').
    cval : number, optional
        The number beyond the ends in the mode 'constant'.
    origin : int, optional
        Moves the window: to the left if it is positive.

    Returns
    -------
    ndarray
        The correlation, in the shape of `input`.

    Raises
    ------
    RuntimeError
        For weights that have not one axis, an unknown mode, and an output of another shape.
    ValueError
        When `origin` moves the window off its position.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.correlate1d(np.array([2, 8, 0, 4, 1, 9, 9, 0]), [1, 3])
    array([ 8, 26,  8, 12,  7, 28, 36,  9])
    """
    weights = host_array(weights)
    return _one_dimensional("correlate1d", input, weights.conj(), axis, output, mode, cval, origin)


def convolve1d(
    input: object,
    weights: object,
    axis: int = -1,
    output: object = None,
    mode: str = "reflect",
    cval: complex = 0.0,
    origin: int = 0,
) -> dpnp_ndarray:
    """Return the convolution of an array with weights along one axis.

    The arguments are those of `correlate1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.convolve1d(np.array([2, 8, 0, 4, 1, 9, 9, 0]), [1, 3])
    array([14, 24,  4, 13, 12, 36, 27,  0])
    """
    weights = host_array(weights)
    origin = -operator.index(origin) - (len(weights) % 2 == 0 if weights.ndim == 1 else 0)
    return _one_dimensional("convolve1d", input, weights[::-1], axis, output, mode, cval, origin)


def _general(
    name: str, input: object, weights: object, output: object, mode: object, cval: object, origin: object,
    axes: object, mirrored: bool,
) -> dpnp_ndarray:  # fmt: skip
    x, weights = input_array(name, input), host_array(weights)
    where = axes_of(name, axes, x.ndim)
    if weights.ndim != len(where):
        raise RuntimeError(f"{name}: weights must have {len(where)} axes, got shape {weights.shape}")
    if weights.size == 0:
        raise RuntimeError(f"{name}: no filter weights given, shape {weights.shape}")
    border = border_of(name, mode)
    origins = [operator.index(o) for o in per_axis(name, "origin", origin, len(where))]
    if mirrored:
        weights = weights[(slice(None, None, -1),) * weights.ndim]
        origins = [-o - (n % 2 == 0) for o, n in zip(origins, weights.shape, strict=True)]
    else:
        weights = weights.conj()
    window, before = [1] * x.ndim, [0] * x.ndim
    for axis, n, o in zip(where, weights.shape, origins, strict=True):
        window[axis], before[axis] = n, before_of(name, n, o)
    ordered = numpy.argsort(where)  # the axes of the weights in the order of those of the array
    dtype = _type_with(name, x, weights, output)

    def run(x: dpnp_ndarray, weights: numpy.ndarray, cval: object) -> dpnp_ndarray:
        values = weights.transpose(ordered).ravel()
        used = numpy.flatnonzero(numpy.abs(values) > _EPSILON)
        taps = used.tolist() or [0]
        listed = values[used].tolist() or [0.0]
        return of_parts(
            x,
            cval,
            lambda part, number: filtered(part, "sum", window, before, border, number, taps, listed, [], False, 0),
        )

    return delivered(name, _with_weights(x, weights, cval, run), output, dtype)


def correlate(
    input: object,
    weights: object,
    output: object = None,
    mode: str = "reflect",
    cval: complex = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the correlation of an array with weights along all axes, or along `axes`.

    `weights` has as many axes as the array, or as `axes`; `origin` may be a sequence. The other arguments are those of
    `correlate1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.correlate(np.arange(9).reshape(3, 3), [[1, 0], [0, 1]])
    array([[ 0,  1,  3],
           [ 3,  4,  6],
           [ 9, 10, 12]])
    """
    return _general("correlate", input, weights, output, mode, cval, origin, axes, False)


def convolve(
    input: object,
    weights: object,
    output: object = None,
    mode: str = "reflect",
    cval: complex = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the convolution of an array with weights along all axes, or along `axes`.

    The arguments are those of `correlate`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.convolve(np.arange(9).reshape(3, 3), [[1, 0], [0, 1]])
    array([[ 4,  6,  7],
           [10, 12, 13],
           [13, 15, 16]])
    """
    return _general("convolve", input, weights, output, mode, cval, origin, axes, True)


@functools.lru_cache(256)
def _gaussian(name: str, sigma: float, order: int, radius: int) -> tuple[float, ...]:
    """Samples of a Gaussian, or of its derivative, from radius to -radius."""
    if order < 0:
        raise ValueError(f"{name}: order must be non-negative, got {order}")
    x = numpy.arange(-radius, radius + 1)
    density = numpy.exp(-0.5 / (sigma * sigma) * x**2)
    density /= density.sum()
    # The derivative of q(x) exp(-x**2 / (2 sigma**2)) is (q'(x) - q(x) x / sigma**2) exp(...).
    q = numpy.polynomial.Polynomial([1.0])
    for _ in range(order):
        q = q.deriv() - q * numpy.polynomial.Polynomial([0.0, 1 / (sigma * sigma)])
    return tuple((q(x) * density if order else density)[::-1].tolist())


def _radius(name: str, sigma: float, truncate: float, radius: object) -> int:
    if radius is None:
        return int(float(truncate) * float(sigma) + 0.5)
    if not isinstance(radius, (int, numpy.integer)) or radius < 0:
        raise ValueError(f"{name}: radius must be a nonnegative integer, got {radius!r}")
    return int(radius)


def gaussian_filter1d(
    input: object,
    sigma: float,
    axis: int = -1,
    order: int = 0,
    output: object = None,
    mode: str = "reflect",
    cval: complex = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | None = None,
) -> dpnp_ndarray:
    """Return an array smoothed by a Gaussian along one axis.

    Parameters
    ----------
    input : ndarray
        The array.
    sigma : float
        The standard deviation of the Gaussian, in elements.
    axis : int, optional
        The axis.
    order : int, optional
        0: the Gaussian. A positive number: its derivative of that order.
    output, mode, cval : optional
        As of `correlate1d`.
    truncate : float, optional
        The number of standard deviations that the weights extend to.
    radius : int, optional
        The number of weights on either side, instead.

    Raises
    ------
    ValueError
        For a negative order or radius.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.gaussian_filter1d(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), 1).round(4)
    array([1.427 , 2.0678, 3.    , 3.9322, 4.573 ])
    """
    name = "gaussian_filter1d"
    x = input_array(name, input)
    weights = _gaussian(name, float(sigma), order, _radius(name, sigma, truncate, radius))
    dtype = output_type(name, x, output)
    made = along(name, x, weights, axis_of(name, axis, x.ndim), dtype, mode, cval, 0)
    return delivered(name, made, output, dtype)


def gaussians(
    name: str, x: dpnp_ndarray, sigma: object, order: object, dtype: numpy.dtype, mode: object, cval: object,
    truncate: float, radius: object, axes: object,
) -> dpnp_ndarray:  # fmt: skip
    where = axes_of(name, axes, x.ndim)
    count = len(where)
    given = [per_axis(name, what, values, count) for what, values in
             (("order", order), ("sigma", sigma), ("mode", mode), ("radius", radius))]  # fmt: skip
    for axis, o, s, m, r in zip(where, *given, strict=True):
        if s > 1e-15:
            weights = _gaussian(name, float(s), int(o), _radius(name, s, truncate, r))
            x = along(name, x, weights, axis, dtype, m, cval, 0)
    return as_dpnp(dpt.astype(x, dtype, copy=False))


def _fresh(name: str, made: dpnp_ndarray, input: dpnp_ndarray, output: object, dtype: numpy.dtype) -> dpnp_ndarray:
    """The result; a copy if no filter was applied, so that it shares no memory with the argument."""
    return delivered(name, as_dpnp(dpt.copy(made)) if made is input else made, output, dtype)


def gaussian_filter(
    input: object,
    sigma: float | tuple[float, ...],
    order: int | tuple[int, ...] = 0,
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: complex = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | tuple[int, ...] | None = None,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return an array smoothed by a Gaussian along all axes, or along `axes`.

    `sigma`, `order`, `mode` and `radius` are those of all axes, or sequences. Results along each axis are converted to
    the output's dtype, as in SciPy. The other arguments are those of `gaussian_filter1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.gaussian_filter(np.arange(0, 50, 2).reshape(5, 5), sigma=1)
    array([[ 4,  6,  8,  9, 11],
           [10, 12, 14, 15, 17],
           [20, 22, 24, 25, 27],
           [29, 31, 33, 34, 36],
           [35, 37, 39, 40, 42]])
    """
    name = "gaussian_filter"
    x = input_array(name, input)
    dtype = output_type(name, x, output)
    made = gaussians(name, x, sigma, order, dtype, mode, cval, truncate, radius, axes)
    return _fresh(name, made, x, output, dtype)


def uniform_filter1d(
    input: object,
    size: int,
    axis: int = -1,
    output: object = None,
    mode: str = "reflect",
    cval: complex = 0.0,
    origin: int = 0,
) -> dpnp_ndarray:
    """Return the means of `size` elements along one axis.

    The other arguments are those of `correlate1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.uniform_filter1d(np.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([4, 3, 4, 1, 4, 6, 6, 3])
    """
    name = "uniform_filter1d"
    x = input_array(name, input)
    dtype = output_type(name, x, output)
    return delivered(name, _mean(name, x, size, axis_of(name, axis, x.ndim), dtype, mode, cval, origin), output, dtype)


def _mean(
    name: str, x: dpnp_ndarray, size: int, axis: int, dtype: numpy.dtype, mode: object, cval: object, origin: int
) -> dpnp_ndarray:
    size = operator.index(size)
    if size < 1:
        raise RuntimeError(f"{name}: incorrect filter size {size}")
    border, before = border_of(name, mode), before_of(name, size, origin)
    made = of_parts(x, cval, lambda part, number: flat_filter(part, "sum", axis, size, before, border, number) / size)
    return converted(made, dtype)


def uniform_filter(
    input: object,
    size: int | tuple[int, ...] = 3,
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: complex = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the means of the elements in windows along all axes, or along `axes`.

    `size`, `mode` and `origin` are those of all axes, or sequences. Means along each axis are converted to the output's
    dtype, as in SciPy. The other arguments are those of `uniform_filter1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.uniform_filter(np.arange(9.0).reshape(3, 3))
    array([[1.33333333, 2.        , 2.66666667],
           [3.33333333, 4.        , 4.66666667],
           [5.33333333, 6.        , 6.66666667]])
    """
    name = "uniform_filter"
    x = input_array(name, input)
    dtype = output_type(name, x, output)
    where = axes_of(name, axes, x.ndim)
    given = [per_axis(name, what, values, len(where)) for what, values in
             (("size", size), ("origin", origin), ("mode", mode))]  # fmt: skip
    made = x
    for axis, s, o, m in zip(where, *given, strict=True):
        if int(s) > 1:
            made = _mean(name, made, int(s), axis, dtype, m, cval, o)
    return _fresh(name, made, x, output, dtype)
