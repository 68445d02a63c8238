"""Filters by order: minima, maxima, medians and other ranks of the elements in a window."""

from __future__ import annotations

import operator

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
    delivered,
    flat_filter,
    input_array,
    output_type,
    per_axis,
    real_of,
)

__all__ = [
    "maximum_filter", "maximum_filter1d", "median_filter", "minimum_filter", "minimum_filter1d", "percentile_filter",
    "rank_filter",
]  # fmt: skip


def checked(name: str, input: object) -> dpnp_ndarray:
    """The argument `input`, an array of real numbers."""
    x = input_array(name, input)
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: complex numbers have no order, got {x.dtype}")
    return x


def exact(x: dpnp_ndarray, border: str, cval: float) -> dpnp_ndarray:
    """The array, as floating-point numbers if `cval` is used and is no number of its dtype."""
    if border != "constant" or x.dtype.kind == "f":
        return x
    limits = (0, 1) if x.dtype.kind == "b" else (numpy.iinfo(x.dtype).min, numpy.iinfo(x.dtype).max)
    fits = float(cval).is_integer() and limits[0] <= cval <= limits[1]
    return x if fits else as_dpnp(dpt.astype(x, real_of(x)))


class Window:
    """The elements around a position that a filter uses, by `size` or `footprint`, and their weights."""

    def __init__(
        self, name: str, x: dpnp_ndarray, size: object, footprint: object, structure: object, origin: object,
        axes: object, mirrored: bool = False,
    ) -> None:  # fmt: skip
        where = axes_of(name, axes, x.ndim)
        if structure is not None:
            structure = host_array(structure)
        if footprint is None and structure is not None:
            footprint = numpy.ones(structure.shape, bool)
        if footprint is None:
            if size is None:
                raise RuntimeError(f"{name}: no footprint or filter size provided")
            footprint = numpy.ones([operator.index(s) for s in per_axis(name, "size", size, len(where))], bool)
        used = host_array(footprint).astype(bool)
        if used.ndim != len(where) or (structure is not None and structure.shape != used.shape):
            raise RuntimeError(f"{name}: the footprint must have {len(where)} axes, got shape {used.shape}")
        if not used.any():
            raise ValueError(f"{name}: the footprint has no element")
        origins = [operator.index(o) for o in per_axis(name, "origin", origin, len(where))]
        if mirrored:
            turned = (slice(None, None, -1),) * used.ndim
            used, structure = used[turned], None if structure is None else structure[turned]
            origins = [-o - (n % 2 == 0) for o, n in zip(origins, used.shape, strict=True)]
        ordered = numpy.argsort(where)
        flat = used.transpose(ordered).ravel()
        self.axes, self.sizes = where, used.shape
        self.is_box = structure is None and bool(flat.all())
        self.taps = numpy.flatnonzero(flat).tolist()
        self.weights = [] if structure is None else structure.astype("f8").transpose(ordered).ravel()[flat].tolist()
        self.shape, self.before = [1] * x.ndim, [0] * x.ndim
        for axis, n, o in zip(where, used.shape, origins, strict=True):
            self.shape[axis], self.before[axis] = n, before_of(name, n, o)

    def apply(self, x: dpnp_ndarray, kind: str, border: str, cval: float, rank: int = 0) -> dpnp_ndarray:
        """The filtered array."""
        return filtered(x, kind, self.shape, self.before, border, cval, self.taps, self.weights, [], False, rank)


def extreme(name: str, x: dpnp_ndarray, kind: str, w: Window, mode: object, cval: float) -> dpnp_ndarray:
    """The minima ('least') or maxima ('greatest') in the windows; in a box, along one axis after another."""
    modes = [border_of(name, m) for m in per_axis(name, "mode", mode, len(w.axes))]
    if not w.is_box:
        if len(set(modes)) > 1:
            raise RuntimeError(f"{name}: a sequence of modes is not supported for windows that are not boxes")
        border = modes[0] if modes else "reflect"
        return w.apply(exact(x, border, cval), kind, border, cval)
    for axis, border in zip(w.axes, modes, strict=True):
        if w.shape[axis] > 1:
            x = flat_filter(exact(x, border, cval), kind, axis, w.shape[axis], w.before[axis], border, cval)
    return x


def _filter(
    name: str, kind: str, input: object, size: object, footprint: object, output: object, mode: object, cval: float,
    origin: object, axes: object,
) -> dpnp_ndarray:  # fmt: skip
    x = checked(name, input)
    made = extreme(name, x, kind, Window(name, x, size, footprint, None, origin, axes), mode, cval)
    return delivered(name, as_dpnp(dpt.copy(x)) if made is x else made, output, output_type(name, x, output))


def minimum_filter1d(
    input: object,
    size: int,
    axis: int = -1,
    output: object = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> dpnp_ndarray:
    """Return the minima of `size` elements along one axis.

    The other arguments are those of `correlate1d`. Raises TypeError for complex numbers.

    >>> import dpnp as np
    >>> np.scipy.ndimage.minimum_filter1d(np.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    x = checked("minimum_filter1d", input)
    return _filter("minimum_filter1d", "least", x, size, None, output, mode, cval, origin,
                   axis_of("minimum_filter1d", axis, x.ndim))  # fmt: skip


def maximum_filter1d(
    input: object,
    size: int,
    axis: int = -1,
    output: object = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> dpnp_ndarray:
    """Return the maxima of `size` elements along one axis.

    The other arguments are those of `correlate1d`. Raises TypeError for complex numbers.

    >>> import dpnp as np
    >>> np.scipy.ndimage.maximum_filter1d(np.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([8, 8, 8, 4, 9, 9, 9, 9])
    """
    x = checked("maximum_filter1d", input)
    return _filter("maximum_filter1d", "greatest", x, size, None, output, mode, cval, origin,
                   axis_of("maximum_filter1d", axis, x.ndim))  # fmt: skip


def minimum_filter(
    input: object,
    size: int | tuple[int, ...] | None = None,
    footprint: object = None,
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: float = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the minima of the elements in windows.

    Parameters
    ----------
    input : ndarray
        The array, of real numbers.
    size : int or tuple of int, optional
        The lengths of the window along the axes.
    footprint : ndarray or array_like of bool, optional
        The elements of the window that are used, instead of `size`.
    output, cval : optional
        As of `correlate1d`.
    mode, origin : optional
        As of `correlate1d`, for all axes or sequences.
    axes : tuple of int, optional
        The axes of the window; by default all.

    Raises
    ------
    RuntimeError
        Without `size` and `footprint`, and for one with other axes than the window.
    ValueError
        For an empty footprint, and when `origin` moves the window off its position.
    TypeError
        For complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.minimum_filter(np.array([[5, 2, 9], [7, 8, 1], [4, 6, 3]]), size=2)
    array([[5, 2, 2],
           [5, 2, 1],
           [4, 4, 1]])
    """
    return _filter("minimum_filter", "least", input, size, footprint, output, mode, cval, origin, axes)


def maximum_filter(
    input: object,
    size: int | tuple[int, ...] | None = None,
    footprint: object = None,
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: float = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the maxima of the elements in windows.

    The arguments are those of `minimum_filter`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.maximum_filter(np.array([[5, 2, 9], [7, 8, 1], [4, 6, 3]]), size=2)
    array([[5, 5, 9],
           [7, 8, 9],
           [7, 8, 8]])
    """
    return _filter("maximum_filter", "greatest", input, size, footprint, output, mode, cval, origin, axes)


def _by_rank(
    name: str, input: object, rank: object, size: object, footprint: object, output: object, mode: object,
    cval: float, origin: object, axes: object,
) -> dpnp_ndarray:  # fmt: skip
    """`rank` is a number, or a function of the number of elements."""
    x = checked(name, input)
    w = Window(name, x, size, footprint, None, origin, axes)
    n = len(w.taps)
    given = rank(n) if callable(rank) else operator.index(rank)
    at = given + n if given < 0 else given
    if not 0 <= at < n:
        raise RuntimeError(f"{name}: rank {given} is not within a footprint of {n} elements")
    border = border_of(name, mode)
    dtype = output_type(name, x, output)
    if at in (0, n - 1):
        made = extreme(name, x, "greatest" if at else "least", w, border, cval)
        return delivered(name, as_dpnp(dpt.copy(x)) if made is x else made, output, dtype)
    return delivered(name, w.apply(exact(x, border, cval), "rank", border, cval, at), output, dtype)


def rank_filter(
    input: object,
    rank: int,
    size: int | tuple[int, ...] | None = None,
    footprint: object = None,
    output: object = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the elements of a rank among those in windows: 0 is the smallest, -1 the largest.

    The other arguments are those of `minimum_filter`. Raises RuntimeError for a rank beyond the window's elements.

    >>> import dpnp as np
    >>> np.scipy.ndimage.rank_filter(np.array([2, 8, 0, 4, 1, 9, 9, 0]), 1, size=3)
    array([2, 2, 4, 1, 4, 9, 9, 0])
    """
    return _by_rank("rank_filter", input, rank, size, footprint, output, mode, cval, origin, axes)


def median_filter(
    input: object,
    size: int | tuple[int, ...] | None = None,
    footprint: object = None,
    output: object = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the medians of the elements in windows: of an even number of elements, the larger one in the middle.

    The arguments are those of `minimum_filter`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.median_filter(np.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([2, 2, 4, 1, 4, 9, 9, 0])
    """
    half = lambda n: n // 2  # noqa: E731
    return _by_rank("median_filter", input, half, size, footprint, output, mode, cval, origin, axes)


def percentile_filter(
    input: object,
    percentile: float,
    size: int | tuple[int, ...] | None = None,
    footprint: object = None,
    output: object = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the elements at a percentile of those in windows; a negative one counts from 100.

    The other arguments are those of `minimum_filter`. Raises RuntimeError for a percentile outside of -100 to 100.

    >>> import dpnp as np
    >>> np.scipy.ndimage.percentile_filter(np.array([2, 8, 0, 4, 1, 9, 9, 0]), 80, size=4)
    array([8, 8, 8, 8, 9, 9, 9, 9])
    """
    at = percentile + 100.0 if percentile < 0 else percentile
    if not 0 <= at <= 100:
        raise RuntimeError(f"percentile_filter: invalid percentile {percentile}")
    rank = lambda n: n - 1 if at == 100 else int(float(n) * at / 100.0)  # noqa: E731
    return _by_rank("percentile_filter", input, rank, size, footprint, output, mode, cval, origin, axes)
