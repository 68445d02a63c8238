"""Unsupported calls of dpnp raise NumPy's exception types at once; operands and pending work are unchanged."""

from __future__ import annotations

import dpctl
import dpnp
import numpy as np
import pytest
from dpctl.utils import ExecutionPlacementError
from dpep import _array
from numpy.exceptions import AxisError

SHAPE = (30, 40)
QUEUE, ELSEWHERE = dpctl.SyclQueue(), dpctl.SyclQueue()


class Arrays:
    """Operands of the calls below."""

    def __init__(self) -> None:
        self.x = dpnp.asarray(np.arange(1200.0).reshape(SHAPE), sycl_queue=QUEUE) * 2 + 1
        self.narrow = dpnp.ones((30, 2), sycl_queue=QUEUE)
        self.whole = dpnp.ones(SHAPE, dtype="i4", sycl_queue=QUEUE)
        self.complex = dpnp.ones(SHAPE, dtype="c8", sycl_queue=QUEUE)
        self.foreign = dpnp.ones(SHAPE, sycl_queue=ELSEWHERE)
        self.host = np.ones(SHAPE)


OPERANDS = [
    (lambda a: dpnp.add(a.x, [1]), TypeError, "add: operands must be arrays or numbers, got list"),
    (lambda a: dpnp.add(1, "2"), TypeError, "add: operands must be arrays or numbers, got str"),
    (lambda a: a.x + a.host, TypeError, "add: An array must be any of supported type, but got ndarray"),
    (lambda a: a.host + a.x, TypeError, "numpy.add: An array must be any of supported type, but got ndarray"),
    (lambda a: dpnp.subtract(a.x > 0, a.x > 0), TypeError, "subtract: not defined for bools"),
    (lambda a: dpnp.fmod(a.complex, a.complex), ValueError, "fmod: input types .complex64, complex64"),
    (lambda a: dpnp.heaviside(a.complex, 1.0), ValueError, "heaviside: input types .complex64"),
    (lambda a: dpnp.bitwise_count(a.x), ValueError, "bitwise_count: input types .float64"),
    (lambda a: dpnp.logsumexp(a.complex), ValueError, "logsumexp: expected real numbers, got complex64"),
    (lambda a: dpnp.sum([1]), TypeError, "sum: a must be a"),
    (lambda a: dpnp.nanmax([1.0]), TypeError, "nanmax: An array must be any of supported type, but got list"),
    (lambda a: dpnp.array([1], dtype="O"), TypeError, "is not supported by arrays"),
    (lambda a: a.x.astype("i4", casting="safe"), TypeError, "astype: float64 cannot be cast to int32"),
    (lambda a: dpnp.copyto(a.whole, a.x), TypeError, "copyto: float64 cannot be cast to int32"),
    (lambda a: a.x.__setattr__("imag", 1), TypeError, "imag: an array of real numbers"),
    (lambda a: np.isnat(a.x), TypeError, "numpy.isnat: dpnp has no such function"),
    (lambda a: dpnp.var(a.x, ddof="one"), TypeError, "var: ddof must be a real number, got str"),
    (lambda a: dpnp.nanstd([1.0]), TypeError, "nanstd: An array must be any of supported type, but got list"),
    (lambda a: dpnp.where(a.x > 0, "x", a.x), TypeError, "where: An array must be .* or a number, but got str"),
    (lambda a: dpnp.where([True], a.x, a.x), TypeError, "where: An array must be any of supported type, but got list"),
    (lambda a: dpnp.vstack((a.x, [1])), TypeError, "vstack: An array must be any of supported type, but got list"),
    (lambda a: dpnp.hstack(1), TypeError, "hstack: arrays to stack must be a sequence"),
    (lambda a: dpnp.hstack([]), ValueError, "hstack: need at least one array"),
    (lambda a: dpnp.concatenate(()), ValueError, "concatenate: need at least one array"),
    (lambda a: dpnp.stack([]), ValueError, "stack: need at least one array"),
    (lambda a: dpnp.kron(1, 2), TypeError, "kron: expected at least one array, got only numbers"),
    (lambda a: dpnp.tril(a.x, 1.5), TypeError, "tril: k must be an int, got float"),
    (lambda a: dpnp.byte_bounds(1), TypeError, "byte_bounds: An array must be"),
    (lambda a: dpnp.trim_zeros(a.x[0], "q"), ValueError, "trim_zeros: .* 'q'"),
]

KEYWORDS = [
    (lambda a: dpnp.add(a.x, a.x, where=a.x), TypeError, "add: where must be a bool or an array of bools"),
    (lambda a: dpnp.nansum(a.x, initial=[1]), TypeError, "nansum: initial must be a number, got list"),
    (lambda a: dpnp.nanmin(a.x, where=False), ValueError, "min: where needs an initial value"),
    (lambda a: dpnp.ones_like(a.x, subok=True), NotImplementedError, "ones_like: subok=True is not supported"),
    (lambda a: dpnp.sinc([1.0]), TypeError, "sinc: x must be a usm_ndarray, got list"),
    (lambda a: dpnp.ptp(3), TypeError, "ptp: An array must be"),
    (lambda a: dpnp.zeros(2, like=a.x), NotImplementedError, "zeros: like=an array is not supported, only None"),
    (lambda a: dpnp.add(a.x, a.x, extra=1), NotImplementedError, "add: the keyword extra is not supported"),
    (lambda a: dpnp.sin(a.x, order="Z"), ValueError, "order must be one of 'C', 'F', 'A', 'K', got 'Z'"),
    (lambda a: dpnp.var(a.x, ddof=1, correction=1), ValueError, "simultaneously"),
]

SHAPES = [
    (lambda a: dpnp.multiply(a.x, a.narrow), ValueError, r"multiply: shapes \(30, 40\), \(30, 2\)"),
    (
        lambda a: a.x.reshape(7, 7),
        ValueError,
        r"reshape: shape \(30, 40\) has 1200 elements, but shape \(7, 7\) has 49",
    ),
    (lambda a: dpnp.concatenate((a.x, a.narrow), axis=0), ValueError, "concat: array 0 has shape .* array 1"),
    (lambda a: dpnp.stack((a.x, a.narrow)), ValueError, "stack: .* expected the same shape"),
    (lambda a: dpnp.split(a.x, 7), ValueError, "split: an axis of length 30 does not split into 7"),
    (lambda a: dpnp.array_split(a.x, dpnp.ones((2, 2), dtype="i4")), ValueError, "array_split: indices must have one"),
    (lambda a: dpnp.max(dpnp.ones((0, 3)), axis=0), ValueError, "max: shape .0, 3. has no elements"),
    (lambda a: dpnp.cross(dpnp.ones(4), dpnp.ones(4)), ValueError, "cross: vectors must have 2 or 3 elements, got 4"),
    (lambda a: dpnp.gradient(dpnp.ones(1)), ValueError, "gradient: an axis of length 1 is too short"),
    (lambda a: dpnp.vander(a.x), ValueError, "vander: x must have one axis, got 2"),
    (lambda a: dpnp.identity(-1), ValueError, "identity: n must not be negative, got -1"),
    (lambda a: a.x.fill(a.narrow), ValueError, r"fill: .* got shape \(30, 2\)"),
    (lambda a: a.x.item(), ValueError, "item: only arrays with one element .* this one has 1200"),
    (lambda a: a.x.item(1200), IndexError, "item: index 1200 is out of range for 1200 elements"),
    (lambda a: dpnp.trace(a.x[0]), ValueError, "trace: the array must have at least two axes, got 1"),
    (lambda a: dpnp.average(a.x, weights=dpnp.ones(2, sycl_queue=QUEUE)), TypeError, "average: an axis must be given"),
]

AXES = [
    (lambda a: dpnp.sum(a.x, axis=5), AxisError, "sum: axis 5 is out of bounds for an array of 2"),
    (lambda a: a.x.cumsum(axis=-3), AxisError, "cumsum: axis -3"),
    (lambda a: dpnp.nansum(a.x, axis=(0, 0)), ValueError, "nansum: axis 0 is named twice"),
    (lambda a: dpnp.nancumprod(a.x, axis=2), AxisError, "nancumprod: axis 2"),
    (lambda a: a.x.transpose(0), ValueError, "transpose: 1 axes for an array of 2"),
    (lambda a: dpnp.rot90(a.x, axes=(0,)), ValueError, "rot90: axes must be two"),
    (lambda a: dpnp.delete(a.x, 30, axis=0), IndexError, "delete: index 30 is out of bounds for axis 0 with size 30"),
    (lambda a: a.x.flat[1200], IndexError, "flat: index 1200 is out of range for 1200"),
]

OUTPUTS = [
    (lambda a: dpnp.add(a.x, a.x, out=a.whole), ValueError, "float64 is needed, got int32 .add"),
    (lambda a: dpnp.add(a.x, a.x, out=a.whole, dtype="f4"), TypeError, "add: float32 cannot be cast to int32 of out"),
    (lambda a: dpnp.sum(a.x, axis=0, out=a.narrow), ValueError, r"sum: out has shape \(30, 2\), .* \(40,\)"),
    (lambda a: dpnp.argmax(a.x, out=dpnp.empty((), dtype="f4", sycl_queue=QUEUE)), TypeError, "argmax: out .* float32"),
    (lambda a: dpnp.nanmean(a.x, dtype="i4"), TypeError, "nanmean: for an array of floating-point numbers, .* int32"),
    (
        lambda a: dpnp.concatenate((a.x, a.x), out=dpnp.ones((60, 40), dtype="i4", sycl_queue=QUEUE)),
        TypeError,
        "concatenate: float64 cannot be cast to int32",
    ),
    (
        lambda a: dpnp.concatenate((a.x, a.x), out=dpnp.ones((60, 40), sycl_queue=ELSEWHERE)),
        ExecutionPlacementError,
        "concatenate: `out` is on another queue",
    ),
    (lambda a: dpnp.stack((a.x, a.x), out=a.x), ValueError, r"stack: out has shape \(30, 40\), .* \(2, 30, 40\)"),
    (lambda a: dpnp.nanprod(a.x, out=a.narrow), ValueError, r"nanprod: out has shape \(30, 2\)"),
    (lambda a: dpnp.outer(a.complex, a.complex, out=dpnp.ones((1200, 1200), sycl_queue=QUEUE)), TypeError, "outer: "),
]

QUEUES = [
    (lambda a: dpnp.add(a.x, a.foreign), ExecutionPlacementError, "add: the arrays are on different queues"),
    (lambda a: dpnp.divmod(a.x, a.foreign), ExecutionPlacementError, "different queues"),
    (lambda a: dpnp.concatenate((a.x, a.foreign)), ExecutionPlacementError, "different queues"),
    (lambda a: dpnp.clip(a.x, a.foreign, 1), ExecutionPlacementError, "different queues"),
    (lambda a: dpnp.sum(a.x, axis=0, out=a.foreign[0]), ExecutionPlacementError, "sum: `out` is on another queue"),
    (
        lambda a: dpnp.array_equal(a.x, a.foreign),
        ExecutionPlacementError,
        "array_equal: the arrays are on different queues",
    ),
    (lambda a: dpnp.logaddexp2(a.x, a.foreign), ExecutionPlacementError, "different queues"),
    (lambda a: dpnp.outer(a.x, a.foreign), ExecutionPlacementError, "outer: the arrays are on different queues"),
    (lambda a: dpnp.linspace(a.x, a.foreign), ExecutionPlacementError, "linspace: the arrays are on different queues"),
    (lambda a: dpnp.ediff1d(a.x, a.foreign), ExecutionPlacementError, "ediff1d: the arrays are on different queues"),
]

STATISTICS = [
    (lambda a: dpnp.median([1.0]), TypeError, "median: An array must be any of supported type, but got list"),
    (lambda a: dpnp.median(a.x, axis=2), AxisError, "median: axis 2 is out of bounds"),
    (lambda a: dpnp.nanmedian(a.x, axis=(0, 0)), ValueError, "nanmedian: axis 0 is named twice"),
    (lambda a: dpnp.median(a.x, axis=0, out=a.narrow), ValueError, r"median: out has shape \(30, 2\)"),
    (lambda a: dpnp.quantile(a.complex, 0.5), TypeError, "quantile: a must be an array of real numbers, got complex64"),
    (lambda a: dpnp.quantile(a.x > 0, 0.5), TypeError, "quantile: .* not defined for bools"),
    (lambda a: dpnp.quantile(a.x, 1.5), ValueError, r"quantile: Quantiles must be in the range \[0, 1\]"),
    (lambda a: dpnp.nanpercentile(a.x, [np.nan]), ValueError, "nanpercentile: Percentiles must be in .*100"),
    (
        lambda a: dpnp.quantile(a.x, 0.5, method="best"),
        ValueError,
        "quantile: 'best' is not a valid method; .*'linear'",
    ),
    (lambda a: dpnp.quantile(a.x, 1j), TypeError, "quantile: q must be real numbers, got complex128"),
    (lambda a: dpnp.percentile(a.x, np.ones((1, 1, 1))), ValueError, "percentile: q must be a scalar or 1d, got 3"),
    (
        lambda a: dpnp.quantile(a.x, 1, weights=a.x),
        ValueError,
        "quantile: only the method 'inverted_cdf' supports weights, got 'linear'",
    ),
]

SIGNALS = [
    (lambda a: dpnp.convolve([1], a.x[0]), TypeError, "convolve: An array must be any of supported type, but got list"),
    (lambda a: dpnp.convolve(a.x, a.x), ValueError, r"convolve: expected arrays with one axis .* \(30, 40\)"),
    (lambda a: dpnp.correlate(a.x[0], a.x[0, :0]), ValueError, "correlate: .* at least one element"),
    (
        lambda a: dpnp.convolve(a.x[0], a.x[0], "half"),
        ValueError,
        "convolve: mode must be one of 'full', 'same', 'valid'",
    ),
    (lambda a: dpnp.convolve(a.x[0], a.foreign[0]), ExecutionPlacementError, "convolve: the arrays are on different"),
    (lambda a: dpnp.interp(np.ones(3), a.x[0], a.x[0]), TypeError, "interp: An array must be any of supported type"),
    (lambda a: dpnp.interp(a.x, a.x, a.x), ValueError, "interp: xp and fp must have one axis of the same length"),
    (lambda a: dpnp.interp(a.x, a.x[0, :0], a.x[0, :0]), ValueError, "interp: array of sample points is empty"),
    (lambda a: dpnp.interp(a.complex, a.x[0], a.x[0]), TypeError, "interp: x and xp must be real, got complex64"),
    (lambda a: dpnp.interp(a.x, a.x[0], a.x[0], period=0), ValueError, "interp: period must be a non-zero value"),
    (lambda a: dpnp.cov(a.x[None]), ValueError, "cov: m has more than 2 dimensions: 3"),
    (lambda a: dpnp.cov(a.x, ddof=1.5), ValueError, "cov: ddof must be integer, got 1.5"),
    (lambda a: dpnp.cov(a.x, fweights=a.x[0] / 7), TypeError, "cov: fweights must be integer, got float64"),
    (lambda a: dpnp.cov(a.x, aweights=a.x), RuntimeError, "cov: cannot handle multidimensional aweights"),
    (lambda a: dpnp.piecewise(a.x, [a.x > 0], [1, 2, 3]), ValueError, "piecewise: with 1 condition.* got 3"),
    (lambda a: dpnp.lexsort(()), TypeError, "lexsort: need sequence of keys"),
    (lambda a: dpnp.lexsort((a.x, a.narrow)), ValueError, "lexsort: all keys must have the same shape"),
    (lambda a: dpnp.lexsort((a.x, a.x), 2), AxisError, "lexsort: axis 2 is out of bounds"),
]

REFUSED = {
    "operand": OPERANDS, "keyword": KEYWORDS, "shape": SHAPES, "axis": AXES, "out": OUTPUTS, "queue": QUEUES,
    "statistics": STATISTICS, "signals": SIGNALS,
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [pytest.param(*row, id=f"{kind}-{i}") for kind, rows in REFUSED.items() for i, row in enumerate(rows)],
)
def test_refused_at_the_call(call, error, message):
    arrays = Arrays()
    pending = _array.pending_work(QUEUE)
    with pytest.raises(error, match=message):
        call(arrays)
    assert _array.pending_work(QUEUE) == pending
    assert np.array_equal(dpnp.asnumpy(arrays.x), np.arange(1200.0).reshape(SHAPE) * 2 + 1)
    for name in ("narrow", "whole", "complex", "foreign"):
        assert np.all(dpnp.asnumpy(getattr(arrays, name)) == 1), name
