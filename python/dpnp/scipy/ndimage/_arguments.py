"""Arguments that the functions of dpnp.scipy.ndimage share: axes, borders, windows and outputs."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, checked_array, extended, filtered

from dpnp._support import as_numbers, host_array, supported_dtype

# SciPy's names of borders of filters, by the engine's.
_BORDERS = {
    "reflect": "reflect", "grid-mirror": "reflect", "mirror": "mirror", "nearest": "nearest", "wrap": "wrap",
    "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip


def border_of(name: str, mode: object) -> str:
    """The engine's name of the border."""
    if not isinstance(mode, str) or mode not in _BORDERS:
        raise RuntimeError(f"{name}: boundary mode {mode!r} is not supported; the modes are {', '.join(_BORDERS)}")
    return _BORDERS[mode]


def axes_of(name: str, axes: object, ndim: int) -> list[int]:
    """The axes, counted from the front; all of them for None."""
    if axes is None:
        return list(range(ndim))
    listed = [operator.index(axes)] if not isinstance(axes, Sequence) else [operator.index(a) for a in axes]
    made = [axis_of(name, a, ndim) for a in listed]
    if len(set(made)) != len(made):
        raise ValueError(f"{name}: axes must be unique, got {axes}")
    return made


def axis_of(name: str, axis: object, ndim: int) -> int:
    """The axis, counted from the front."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise numpy.exceptions.AxisError(f"{name}: axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


def per_axis(name: str, what: str, given: object, count: int) -> list[object]:
    """One value for each of `count` axes, from one value for all or a sequence."""
    given = host_array(given) if isinstance(given, array_base) else as_numbers(given)
    if isinstance(given, str) or not (isinstance(given, (Sequence, numpy.ndarray)) and numpy.ndim(given)):
        return [given] * count
    if len(given) != count:
        raise RuntimeError(f"{name}: expected one {what} or {count}, got {len(given)}")
    return list(given)


def before_of(name: str, length: int, origin: object) -> int:
    """The elements of a window of `length` elements that are before the position."""
    origin = operator.index(origin)
    if not 0 <= length // 2 + origin < length:
        raise ValueError(f"{name}: invalid origin {origin} of a window of length {length}")
    return length // 2 + origin


def real_of(x: dpnp_ndarray) -> numpy.dtype:
    """The dtype in which sums are computed: float64, if the device has it."""
    return supported_dtype("f8", x.sycl_device)


def output_type(name: str, x: dpnp_ndarray, output: object) -> numpy.dtype:
    """The dtype of the result: that of the array or the one that `output` gives."""
    if output is None:
        return x.dtype
    dtype = output.dtype if isinstance(output, array_base) else numpy.dtype(output)
    if x.dtype.kind == "c" and dtype.kind != "c":
        raise RuntimeError(f"{name}: output must have a complex dtype, got {dtype}")
    return dtype


def converted(made: dpnp_ndarray, dtype: numpy.dtype) -> dpnp_ndarray:
    """The result in the dtype, truncated to integers; as in SciPy, bools are truncated numbers, too."""
    if dtype.kind == "b" and made.dtype.kind == "f":
        return bound.abs(made) >= 1
    return as_dpnp(dpt.astype(made, dtype, copy=False))


def delivered(name: str, made: dpnp_ndarray, output: object, dtype: numpy.dtype) -> dpnp_ndarray:
    """The result in the dtype, or the output array with the result's elements."""
    made = converted(made, dtype)
    if not isinstance(output, array_base):
        return made
    if output.shape != made.shape:
        raise RuntimeError(f"{name}: output must have shape {made.shape}, got {output.shape}")
    output[...] = made
    return as_dpnp(output)


def of_parts(x: dpnp_ndarray, cval: object, run: Callable[[dpnp_ndarray, float], dpnp_ndarray]) -> dpnp_ndarray:
    """`run` of an array of real numbers and its value beyond the borders, or of both parts of complex numbers."""
    if x.dtype.kind != "c":
        return run(x, float(cval))
    real, imaginary = run(as_dpnp(dpt.real(x)), complex(cval).real), run(as_dpnp(dpt.imag(x)), complex(cval).imag)
    return real + 1j * imaginary


def input_array(name: str, x: object) -> dpnp_ndarray:
    """The argument `input`, an array."""
    return as_dpnp(checked_array(name, x))


def line(ndim: int, axis: int, length: int) -> list[int]:
    """The shape of a window along one axis."""
    return [length if i == axis else 1 for i in range(ndim)]


_LONG = 48  # windows of more elements are composed of windows of about the square root of this length


def flat_filter(
    x: dpnp_ndarray, kind: str, axis: int, size: int, before: int, border: str, cval: float
) -> dpnp_ndarray:
    """Sums ('sum'), minima ('least') or maxima ('greatest') of `size` elements along an axis."""
    ndim = x.ndim

    def run(x: dpnp_ndarray, taps: list[int], before: int, border: str, cval: float) -> dpnp_ndarray:
        weights = [1.0] * len(taps) if kind == "sum" else []
        window, start = line(ndim, axis, taps[-1] + 1), [before if i == axis else 0 for i in range(ndim)]
        return filtered(x, kind, window, start, border, cval, taps, weights, [], False, 0)

    if size <= _LONG or x.size == 0:
        return run(x, list(range(size)), before, border, cval)
    # Differences of accumulated sums, as running sums, are less exact: up to the part of a line that a window is.
    n = x.shape[axis]
    running = kind == "sum" and n + size <= 64 * size
    first = [before + running if i == axis else 0 for i in range(ndim)]
    last = [size - 1 - before if i == axis else 0 for i in range(ndim)]
    whole = extended(x, first, last, border, cval, real_of(x) if kind == "sum" else x.dtype)
    if running:
        sums, along = bound.cumsum(whole, axis=axis), (slice(None),) * axis
        return sums[(*along, slice(size, None))] - sums[(*along, slice(0, n))]
    short, rest = math.isqrt(size), size % math.isqrt(size)
    part = run(whole, list(range(short)), 0, "none", 0.0)
    starts = [i * short for i in range(size // short)]
    if kind != "sum":  # minima and maxima of windows that may overlap
        return run(part, [*starts, size - short] if rest else starts, 0, "none", 0.0)

    def cut(x: dpnp_ndarray) -> dpnp_ndarray:
        """The first elements along the axis, as many as the result has."""
        return x[(slice(None),) * axis + (slice(0, whole.shape[axis] - size + 1),)]

    made = cut(run(part, starts, 0, "none", 0.0))
    return made + run(whole, list(range(size - rest, size)), 0, "none", 0.0) if rest else made
