"""Measurements of labelled regions: sums, means, extremes and centres of the elements that have a label."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, positions_by_keys

import dpnp
from dpnp._support import host_array
from dpnp.scipy.ndimage._arguments import input_array, real_of

__all__ = [
    "center_of_mass", "extrema", "maximum", "maximum_position", "mean", "median", "minimum", "minimum_position",
    "standard_deviation", "sum", "sum_labels", "variance",
]  # fmt: skip


class _Regions:
    """The elements by the label that they have: `bins` has the position of their label, or `count` for none."""

    def __init__(self, name: str, input: object, labels: object, index: object) -> None:
        self.name = name
        x = input_array(name, input)
        self.input_shape, self.shape = x.shape, ()
        place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
        if labels is None:
            if index is not None:
                raise ValueError(f"{name}: index without labels")
            self.bins, self.count = None, 1
            self.x = dpnp.ravel(x)
            return
        labels = as_dpnp(labels) if isinstance(labels, array_base) else as_dpnp(dpt.asarray(labels, **place))
        if labels.dtype.kind not in "biu":
            raise TypeError(f"{name}: labels must be integers or bools, got {labels.dtype}")
        x, labels = dpnp.broadcast_arrays(x, labels)
        self.input_shape = x.shape
        self.x, labels = dpnp.ravel(x), dpnp.ravel(labels)
        if index is None:
            self.count = 1
            self.bins = dpnp.where(labels > 0, 0, 1)
            return
        wanted = host_array(index)
        self.shape, self.count = wanted.shape, max(wanted.size, 1)
        unique, self.inverse = numpy.unique(wanted.ravel(), return_inverse=True)
        self.count = len(unique)
        known = as_dpnp(dpt.asarray(unique.astype("i8"), **place))
        labels = dpnp.astype(labels, "i8", copy=False)
        if len(unique) and unique[-1] - unique[0] == len(unique) - 1:  # consecutive labels need no search
            at = labels - int(unique[0])
            self.bins = dpnp.where((at >= 0) & (at < self.count), at, self.count)
        else:
            at = as_dpnp(dpt.searchsorted(known, labels))
            found = as_dpnp(dpt.take(known, dpnp.minimum(at, max(self.count - 1, 0)))) == labels
            self.bins = dpnp.where(found, at, self.count)

    def totals(self, values: object) -> dpnp_ndarray:
        """The sum of the values of each label; of None, the number of its elements."""
        if self.bins is None:
            n = self.x.size
            return dpnp.full(1, n, dtype=real_of(self.x), usm_type=self.x.usm_type, sycl_queue=self.x.sycl_queue) \
                if values is None else dpnp.reshape(bound.sum(values, dtype=_sum_type(values)), (1,))  # fmt: skip
        if values is not None and values.dtype.kind != "c":
            values = dpnp.astype(values, real_of(values), copy=False)
        made = bound.bincount(self.bins, values, self.count + 1)
        return made[: self.count]

    def spread(self, values: dpnp_ndarray) -> dpnp_ndarray:
        """The value of each element's label, one for each label."""
        if self.bins is None:
            return values
        return as_dpnp(dpt.take(values, dpnp.minimum(self.bins, self.count - 1)))

    def result(self, values: dpnp_ndarray) -> dpnp_ndarray:
        """The values of the labels in the order and shape of `index`."""
        if not self.shape:
            return dpnp.reshape(values, ())
        order = dpt.asarray(self.inverse.astype("i8"), usm_type=values.usm_type, sycl_queue=values.sycl_queue)
        return dpnp.reshape(as_dpnp(dpt.take(values, order)), self.shape)

    @functools.cached_property
    def sorted(self) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
        """The positions of elements in the order of labels and values, and where each label begins and ends."""
        bins = dpnp.zeros_like(self.x, dtype="i8") if self.bins is None else dpnp.astype(self.bins, "i8", copy=False)
        order = as_dpnp(positions_by_keys([self.x, bins], 0))
        limits = dpnp.arange(self.count + 1, usm_type=bins.usm_type, sycl_queue=bins.sycl_queue)
        starts = as_dpnp(dpt.searchsorted(as_dpnp(dpt.take(bins, order)), limits))
        return order, starts[:-1], starts[1:]

    @functools.cached_property
    def selected(self) -> tuple[dpnp_ndarray, dpnp_ndarray | None]:
        """The elements of the only label and their positions, or None for all. Only without an array of labels."""
        if self.bins is None:
            elements, positions = self.x, None
        else:
            positions = dpnp.flatnonzero(self.bins == 0)
            elements = as_dpnp(dpt.take(self.x, positions))
        if elements.size == 0:
            raise ValueError(f"{self.name}: no element has the label, at least one is needed")
        return elements, positions


def _sum_type(values: dpnp_ndarray) -> numpy.dtype:
    return values.dtype if values.dtype.kind == "c" else real_of(values)


_TEXT = """Return {text} of the elements that have a label.

    Parameters
    ----------
    input : ndarray
        The array.
    labels : ndarray of int, optional
        The labels of its elements, in a shape that is broadcast to that of `input`.
    index : int or sequence of int, optional
        The labels to measure; by default all elements that have a positive label, or all if there are no labels.

    Returns
    -------
    ndarray
        One number for each label, in the shape of `index`.{more}

    Raises
    ------
    TypeError
        When `input` is not an array, and for labels that are no integers.
    ValueError
        For an index without labels.{error}

    Examples
    --------
    >>> import dpnp as np
    >>> x, labels = np.array([1.0, 5.0, 3.0, 8.0]), np.array([1, 1, 2, 2])
    >>> np.scipy.ndimage.{name}(x, labels, [1, 2])
    {result}
    """


def _make(
    name: str, text: str, result: str, compute: Callable[[_Regions], object], more: str = "", error: str = ""
) -> object:
    def function(input: object, labels: object = None, index: object = None) -> dpnp_ndarray:
        return compute(_Regions(name, input, labels, index))

    documentation = _TEXT.format(name=name, text=text, result=result, more=more, error=error)
    return dpnp._support.named(function, name, documentation)


def _variance(r: _Regions) -> dpnp_ndarray:
    n = r.totals(None)
    apart = dpnp.astype(r.x, _sum_type(r.x), copy=False) - r.spread(r.totals(r.x) / n)
    return r.totals(apart * apart) / n


def _at(r: _Regions, order: dpnp_ndarray, positions: dpnp_ndarray) -> dpnp_ndarray:
    """The elements at positions in the order."""
    return as_dpnp(dpt.take(r.x, as_dpnp(dpt.take(order, positions, mode="clip"))))


def _known(r: _Regions, values: dpnp_ndarray, starts: dpnp_ndarray, ends: dpnp_ndarray) -> dpnp_ndarray:
    """The values of labels that elements have; of others zero."""
    return dpnp.where(ends > starts, values, dpnp.zeros_like(values))


def _least(r: _Regions) -> dpnp_ndarray:
    if not r.shape:
        return bound.min(r.selected[0])
    order, starts, ends = r.sorted
    return r.result(_known(r, _at(r, order, starts), starts, ends))


def _greatest(r: _Regions) -> dpnp_ndarray:
    if not r.shape:
        return bound.max(r.selected[0])
    order, starts, ends = r.sorted
    return r.result(_known(r, _at(r, order, ends - 1), starts, ends))


def _median(r: _Regions) -> dpnp_ndarray:
    """The medians; of labels that no element has, and of elements with NaN, NaN."""
    order, starts, ends = r.sorted
    low, high = (starts + ends - 1) // 2, (starts + ends) // 2
    pair = [dpnp.astype(_at(r, order, k), real_of(r.x), copy=False) for k in (low, high)]
    found = dpnp.where(ends > starts, (pair[0] + pair[1]) / 2, numpy.nan)
    if not r.shape and r.x.dtype.kind == "f":
        found = dpnp.where(bound.isnan(_at(r, order, ends - 1)), numpy.nan, found)  # NaN are the last
    return r.result(found)


def _position(r: _Regions, last: bool) -> object:
    if not r.shape:
        elements, positions = r.selected
        found = bound.argmax(elements) if last else bound.argmin(elements)
        return _coordinates(r, found if positions is None else positions[found])
    order, starts, ends = r.sorted
    positions = as_dpnp(dpt.take(order, ends - 1 if last else starts, mode="clip"))
    if last:  # of equal elements the first one
        value = r.spread(as_dpnp(dpt.take(r.x, positions)))
        other = r.x != value
        if r.x.dtype.kind == "f":
            other = dpnp.logical_and(other, ~(bound.isnan(r.x) & bound.isnan(value)))
        place = {"dtype": "i8", "usm_type": r.x.usm_type, "sycl_queue": r.x.sycl_queue}
        first = dpnp.full(r.count + 1, r.x.size, **place)
        dpnp.minimum.at(first, dpnp.where(other, r.count, r.bins), dpnp.arange(r.x.size, **place))
        positions = first[: r.count]
    return _coordinates(r, dpnp.where(ends > starts, positions, 0))


def _coordinates(r: _Regions, positions: dpnp_ndarray) -> object:
    host = numpy.unravel_index(dpnp.asnumpy(r.result(positions)), r.input_shape)
    return _listed(host, r.shape)


def _listed(host: tuple[numpy.ndarray, ...], shape: tuple[int, ...]) -> object:
    """A tuple with a number for each axis, or a list of such tuples."""
    rows = list(zip(*(h.ravel().tolist() for h in host), strict=True))
    return rows if shape else rows[0]


sum_labels = _make("sum_labels", "the sums", "array([ 6., 11.])", lambda r: r.result(r.totals(r.x)))
sum = _make("sum", "the sums", "array([ 6., 11.])", lambda r: r.result(r.totals(r.x)))
mean = _make("mean", "the means", "array([3. , 5.5])", lambda r: r.result(r.totals(r.x) / r.totals(None)))
variance = _make("variance", "the variances", "array([4.  , 6.25])", lambda r: r.result(_variance(r)))
standard_deviation = _make(
    "standard_deviation", "the standard deviations", "array([2. , 2.5])", lambda r: r.result(bound.sqrt(_variance(r)))
)
_NONE = " For one label, or none, that no element has."
minimum = _make("minimum", "the minima", "array([1., 3.])", _least, error=_NONE)
maximum = _make("maximum", "the maxima", "array([5., 8.])", _greatest, error=_NONE)
median = _make("median", "the medians", "array([3. , 5.5])", _median)
_TUPLES = " Here a tuple of int, or a list of tuples, on the host."
minimum_position = _make(
    "minimum_position", "the indices of the minima", "[(0,), (2,)]", lambda r: _position(r, False), _TUPLES, _NONE
)
maximum_position = _make(
    "maximum_position", "the indices of the maxima", "[(1,), (3,)]", lambda r: _position(r, True), _TUPLES, _NONE
)


def extrema(input: object, labels: object = None, index: object = None) -> tuple[object, object, object, object]:
    """Return the minima and the maxima of the elements that have a label, and their indices.

    The arguments and results are those of `minimum`, `maximum`, `minimum_position` and `maximum_position`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.extrema(np.array([4, 1, 7]))
    (array(1), array(7), (1,), (2,))
    """
    r = _Regions("extrema", input, labels, index)
    return _least(r), _greatest(r), _position(r, False), _position(r, True)


def center_of_mass(input: object, labels: object = None, index: object = None) -> object:
    """Return the centres of mass of the elements that have a label: a tuple of numbers, or a list of tuples.

    The arguments are those of `sum_labels`. The elements are the masses.

    >>> import dpnp as np
    >>> np.scipy.ndimage.center_of_mass(np.array([[0, 1], [0, 3]]))
    (0.75, 1.0)
    """
    r = _Regions("center_of_mass", input, labels, index)
    place = {"usm_type": r.x.usm_type, "sycl_queue": r.x.sycl_queue}
    mass = r.totals(r.x)
    real = real_of(r.x)
    centres = []
    for axis, n in enumerate(r.input_shape):
        shape = [n if i == axis else 1 for i in range(len(r.input_shape))]
        ramp = dpnp.reshape(dpnp.arange(n, dtype=real, **place), shape)
        weighted = dpnp.reshape(r.x, r.input_shape) * ramp
        centres.append(dpnp.asnumpy(r.result(r.totals(dpnp.ravel(weighted)) / mass)))
    return _listed(tuple(centres), r.shape)
