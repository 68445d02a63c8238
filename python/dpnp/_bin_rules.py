"""Numbers of bins of histograms by the rules that NumPy's argument `bins` names.

Each rule estimates a bin's width from the elements; the sources of the formulas are those of NumPy's documentation.
"""

from __future__ import annotations

import math

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import count_in_bins, equal_edges

from dpnp._quantiles import percentile
from dpnp._reductions import std

__all__ = ["number_of_bins"]


def _extent(x: dpnp_ndarray) -> float:
    return float(bound.max(x)) - float(bound.min(x))


def _sqrt(x: dpnp_ndarray) -> float:
    return _extent(x) / math.sqrt(x.size)


def _sturges(x: dpnp_ndarray) -> float:
    """Sturges (1926)."""
    return _extent(x) / (math.log2(x.size) + 1)


def _rice(x: dpnp_ndarray) -> float:
    return _extent(x) / (2 * x.size ** (1 / 3))


def _scott(x: dpnp_ndarray) -> float:
    """Scott (1979): the best width for normally distributed elements."""
    return float(std(x)) * (24 * math.sqrt(math.pi) / x.size) ** (1 / 3)


def _doane(x: dpnp_ndarray) -> float:
    """Doane (1976): Sturges' rule with the skewness."""
    n, spread = x.size, float(std(x)) if x.size > 2 else 0.0
    if spread == 0:
        return 0.0
    skewness = float(bound.mean(((x - bound.mean(x)) / spread) ** 3))
    error = math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    return _extent(x) / (1 + math.log2(n) + math.log2(1 + abs(skewness) / error))


def _freedman_diaconis(x: dpnp_ndarray) -> float:
    """Freedman and Diaconis (1981): by the interquartile range."""
    lower, upper = percentile(x, 25), percentile(x, 75)
    return 2 * (float(upper) - float(lower)) / x.size ** (1 / 3)


def _stone(x: dpnp_ndarray, bounds: tuple[float, float] | None) -> float:
    """Stone (1984): the number of bins with the least leave-one-out estimate of the error."""
    n, extent = x.size, _extent(x)
    if n <= 1 or extent == 0:
        return 0.0

    def error(bins: int) -> float:
        shares = count_in_bins([x], [equal_edges(x, bins, bounds)], None) / n
        return bins * (2 - (n + 1) * float(bound.sum(shares * shares)))

    return extent / min(range(1, max(100, math.isqrt(n)) + 1), key=error)


def _auto(x: dpnp_ndarray) -> float:
    """The smaller of Sturges' and of Freedman's and Diaconis' widths; of the latter at least half of `sqrt`'s."""
    sturges = _sturges(x)
    return min(max(_freedman_diaconis(x), _sqrt(x) / 2), sturges) if sturges else 0.0


_RULES = {
    "auto": _auto, "doane": _doane, "fd": _freedman_diaconis, "rice": _rice, "scott": _scott, "sqrt": _sqrt,
    "sturges": _sturges,
}  # fmt: skip


def number_of_bins(name: str, a: dpnp_ndarray, bounds: tuple[float, float] | None) -> int:
    """The number of bins of equal width by a rule, between the bounds or the smallest and the largest element."""
    if name != "stone" and name not in _RULES:
        raise ValueError(f"histogram: bins must be one of {', '.join(map(repr, _RULES))}, 'stone', got {name!r}")
    if a.dtype.kind == "c":
        raise TypeError(f"histogram: the rule {name!r} of bins takes real numbers, got {a.dtype}")
    x = a.ravel()
    if bounds is not None:
        x = x[bound.logical_and(x >= bounds[0], x <= bounds[1])]
    if x.size == 0:
        return 1
    whole = a.dtype.kind in "iub"
    if whole:
        x = dpt.astype(x, dpt.result_type(x, numpy.float32))
    width = _stone(x, bounds) if name == "stone" else _RULES[name](x)
    if whole and 0 < width < 1:  # bins narrower than the distance of integers would be empty
        width = 1.0
    first, last = bounds if bounds is not None else (float(bound.min(x)), float(bound.max(x)))
    if first == last:  # as for a given number of bins, the range is widened
        first, last = first - 0.5, last + 0.5
    return max(1, math.ceil((last - first) / width)) if width > 0 else 1
