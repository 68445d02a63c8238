"""Histograms."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import checked_array, count_in_bins, equal_edges, placed_like

from dpnp._bin_rules import number_of_bins
from dpnp._support import common_kind, default_float_type

__all__ = ["histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def _number(x: object) -> bool | int | float | complex:
    return x.item() if isinstance(x, (array_base, numpy.generic)) else x


def _has_items(bins: object) -> bool:
    """Whether an argument `bins` is a sequence or an array with axes, and no number."""
    return bool(bins.ndim) if hasattr(bins, "ndim") else isinstance(bins, Sequence) and not isinstance(bins, str)


def _edges(a: dpnp_ndarray, bins: object, bounds: Sequence[object] | None, weights: object = None) -> dpnp_ndarray:
    """The edges of the bins that NumPy's arguments `bins` and `range` describe."""
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError(f"histogram: the rule {bins!r} of bins does not take weights")
        bins = number_of_bins(bins, a, None if bounds is None else tuple(float(_number(x)) for x in bounds))
    if not _has_items(bins):
        try:
            count = operator.index(bins)
        except TypeError:
            raise TypeError(f"histogram: `bins` must be an integer or an array, got {type(bins).__name__}") from None
        if bounds is None:
            return equal_edges(a, count, None)
        if len(bounds) != 2:
            raise ValueError(f"histogram: range must have 2 elements, got {len(bounds)}")
        return equal_edges(a, count, tuple(map(_number, bounds)))
    edges = placed_like(bins, a)
    if edges.ndim != 1:
        raise ValueError(f"histogram: `bins` must be 1d, when an array, got shape {edges.shape}")
    return edges


def _checked(function: str, a: object, weights: object) -> tuple[dpnp_ndarray, dpnp_ndarray | None]:
    a = checked_array(function, a)
    if weights is None:
        return a, None
    weights = checked_array(function, weights)
    return common_kind(function, a, weights), weights


def histogram(
    a: object,
    bins: object = 10,
    range: Sequence[object] | None = None,
    density: bool | None = None,
    weights: object = None,
) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the number of elements in each bin, and the edges of the bins.

    A bin has the elements from its left edge up to its right one, excluding it, except for the last bin, which includes
    it. Other elements and NaNs are not counted.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The elements. The array is flattened. Complex numbers are in lexicographic order.
    bins : int, ndarray, usm_ndarray, sequence of numbers or str, optional
        The number of bins of equal width, or the edges of bins, which must not decrease, or the name of one of NumPy's
        rules for the number of bins: 'auto', 'doane', 'fd', 'rice', 'scott', 'sqrt', 'stone' or 'sturges'.
    range : (float, float), optional
        The outer edges of bins of equal width; by default the smallest and the largest element.
    density : bool, optional
        Whether to return a probability density, whose integral over the bins is 1.
    weights : ndarray or usm_ndarray, optional
        Numbers in the shape of `a`, which are added instead of counting the elements.

    Returns
    -------
    hist : ndarray
        int64; with weights, of their dtype; with `density`, of a floating-point dtype.
    bin_edges : ndarray
        The edges, one more than there are bins.

    Raises
    ------
    TypeError
        When `a` or `weights` is not an array, for `bins` that are not integers, and for a rule with weights.
    ValueError
        For edges that decrease, a range that is not finite, no bins, an unknown rule, and weights of another shape.

    Examples
    --------
    >>> import dpnp as np
    >>> np.histogram(np.array([1, 2, 1]), bins=np.array([0, 1, 2, 3]))
    (array([0, 2, 1]), array([0, 1, 2, 3]))
    """
    a, weights = _checked("histogram", a, weights)
    edges = _edges(a, bins, range, weights)
    hist = count_in_bins([a], [edges], weights)
    if weights is not None:
        hist = hist.astype(weights.dtype, copy=False)
    if density:
        widths = dpt.astype(dpt.diff(edges), default_float_type(a.sycl_device))
        hist = hist / widths / hist.sum()
    return hist, edges


def histogram_bin_edges(
    a: object, bins: object = 10, range: Sequence[object] | None = None, weights: object = None
) -> dpnp_ndarray:
    """Return the edges of the bins that `histogram` uses for the same arguments.

    >>> import dpnp as np
    >>> np.histogram_bin_edges(np.array([0, 5]), bins=5)
    array([0., 1., 2., 3., 4., 5.])
    """
    a, weights = _checked("histogram_bin_edges", a, weights)
    return _edges(a, bins, range, weights)


def histogramdd(
    sample: object,
    bins: object = 10,
    range: Sequence[object] | None = None,
    density: bool | None = None,
    weights: object = None,
) -> tuple[dpnp_ndarray, list[dpnp_ndarray]]:
    """Return the number of points in each bin of several dimensions, and the edges of the bins.

    Parameters
    ----------
    sample : ndarray, usm_ndarray or sequence of them
        The points: a row for each, with its coordinates. An array with one axis has points of one coordinate. A
        sequence has an array for each coordinate.
    bins : int or sequence, optional
        The number of bins for all coordinates, or for each coordinate a number of bins or the edges, as in `histogram`.
    range : sequence, optional
        For each coordinate the outer edges, as in `histogram`, or None.
    density : bool, optional
        Whether to return a probability density, whose integral over the bins is 1.
    weights : ndarray or usm_ndarray, optional
        A number for each point, which is added instead of counting the points.

    Returns
    -------
    H : ndarray
        The counts, with an axis for each coordinate, of a floating-point dtype, or a complex one for complex weights.
    edges : list of ndarray
        The edges for each coordinate.

    Raises
    ------
    TypeError
        When `sample` or `weights` is not an array.
    ValueError
        For `bins` or `range` of another length than there are coordinates, and as in `histogram`.

    Examples
    --------
    >>> import dpnp as np
    >>> H, edges = np.histogramdd(np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.9]]), bins=2)
    >>> H
    array([[1., 0.],
           [0., 2.]])
    """
    if isinstance(sample, (list, tuple)):
        sample = dpt.stack([checked_array("histogramdd", x).ravel() for x in sample], axis=1)
    sample, weights = _checked("histogramdd", sample, weights)
    if sample.ndim > 2:
        raise ValueError(f"histogramdd: sample must have no more than 2 dimensions, got shape {sample.shape}")
    points = [sample.ravel()] if sample.ndim < 2 else list(dpt.unstack(sample, axis=1))
    if not _has_items(bins) and not hasattr(bins, "__index__"):
        raise ValueError(f"histogramdd: bins must be an integer or a sequence, got {bins!r}")
    counts = list(bins) if _has_items(bins) else [bins] * len(points)
    bounds = [None] * len(points) if range is None else list(range)
    for name, given in (("bins", counts), ("range", bounds)):
        if len(given) != len(points):
            raise ValueError(f"histogramdd: expected {name} for each of {len(points)} coordinates, got {len(given)}")
    edges = [_edges(x, *how) for x, *how in zip(points, counts, bounds, strict=True)]
    hist = count_in_bins(points, edges, weights)
    hist = hist.astype(dpt.result_type(hist, default_float_type(sample.sycl_device)), copy=False)
    if density:
        total = hist.sum()
        for axis, of_axis in enumerate(edges):
            widths = dpt.reshape(dpt.diff(of_axis), [-1 if k == axis else 1 for k, _ in enumerate(edges)])
            hist = hist / widths
        hist = hist / total
    return hist, edges


def histogram2d(
    x: object,
    y: object,
    bins: object = 10,
    range: Sequence[object] | None = None,
    density: bool | None = None,
    weights: object = None,
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return the number of points in each bin of two dimensions, and the edges of both.

    Parameters
    ----------
    x, y : ndarray or usm_ndarray
        The coordinates of the points, in arrays with one axis and of one length.
    bins : int, array or sequence of two, optional
        The number of bins or the edges for both coordinates, or for each.
    range, density, weights
        As in `histogramdd`.

    Returns
    -------
    H, xedges, yedges : ndarray
        The counts, with an axis for each coordinate, and the edges.

    Examples
    --------
    >>> import dpnp as np
    >>> np.histogram2d(np.array([0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.9]), bins=2)[0]
    array([[1., 0.],
           [0., 2.]])
    """
    x, y = checked_array("histogram2d", x), checked_array("histogram2d", y)
    if x.ndim != 1 or y.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"histogram2d: x and y must have one axis of the same length, got {x.shape} and {y.shape}")
    x = common_kind("histogram2d", x, y)
    if _has_items(bins) and len(bins) != 2:
        bins = [bins, bins]
    hist, edges = histogramdd(dpt.stack((x, y), axis=1), bins, range, density, weights)
    return hist, *edges
