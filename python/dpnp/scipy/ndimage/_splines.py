"""Splines through equally spaced samples: coefficients, weights, and indices of elements beyond the borders.

M. Unser, A. Aldroubi and M. Eden, B-Spline Signal Processing, IEEE Transactions on Signal Processing 41 (1993). The
coefficients are the samples filtered by a recurrence in both directions. Its impulse response decays by the poles, so
it is a correlation with the weights that are not negligible in float64, at most 119, which has no recurrence.
"""

from __future__ import annotations

import functools
import math

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, filtered

from dpnp.scipy.ndimage._arguments import line, of_parts

MODES = ("reflect", "grid-mirror", "constant", "grid-constant", "nearest", "mirror", "wrap", "grid-wrap")
# The borders of samples whose coefficients are the same beyond the ends.
_BORDERS = {"reflect": "reflect", "grid-mirror": "reflect", "nearest": "reflect", "grid-wrap": "wrap"}
# Elements by which samples are extended before coefficients are computed, in modes whose borders splines do not have.
PADDING = 12


def checked_order(name: str, order: int) -> int:
    """The order of splines, 0 to 5."""
    if order not in range(6):
        raise RuntimeError(f"{name}: spline order {order!r} is not supported; orders are 0 to 5")
    return int(order)


def checked_mode(name: str, mode: str) -> str:
    """The mode, one of SciPy's for coordinates beyond the borders."""
    if mode not in MODES:
        raise RuntimeError(f"{name}: boundary mode {mode!r} is not supported; the modes are {', '.join(MODES)}")
    return mode


@functools.lru_cache
def _response(order: int) -> tuple[float, ...]:
    """The weights of the samples in a coefficient."""
    root = math.sqrt
    poles = {
        2: [root(8) - 3],
        3: [root(3) - 2],
        4: [root(664 - root(438976)) + root(304) - 19, root(664 + root(438976)) - root(304) - 19],
        5: [root(67.5 - root(4436.25)) + root(26.25) - 6.5, root(67.5 + root(4436.25)) - root(26.25) - 6.5],
    }[order]
    response = numpy.ones(1)
    for z in poles:
        radius = math.ceil(math.log(1e-18) / math.log(abs(z)))
        powers = z ** numpy.abs(numpy.arange(-radius, radius + 1)).astype("f8")
        response = numpy.convolve(response, powers * ((1 - z) / (1 + z)))
    return tuple(response.tolist())


def coefficients(x: dpnp_ndarray, order: int, axes: list[int], mode: str) -> dpnp_ndarray:
    """The coefficients of splines along the axes."""
    if order < 2:
        return x
    weights = _response(order)
    half = len(weights) // 2
    taps, opposites = [half, *range(half)], [half, *range(2 * half, half, -1)]
    values = [weights[k] for k in taps]
    for axis in axes:
        if x.shape[axis] > 1:
            before = [half if i == axis else 0 for i in range(x.ndim)]
            window, border = line(x.ndim, axis, len(weights)), _BORDERS.get(mode, "mirror")
            x = of_parts(x, 0, lambda part, _, w=window, b=before, m=border: filtered(
                part, "sum", w, b, m, 0.0, taps, values, opposites, False, 0))  # fmt: skip
    return x


def weights_of(u: object, order: int) -> list[object]:
    """The weights of order + 1 coefficients, for distances u in [0, 1) behind a knot.

    The values b[m] of the spline at u + m follow from those of the order below.
    """
    b = [None]  # None: 1
    for k in range(1, order + 1):
        made = []
        for m in range(k + 1):
            parts = []
            if m < k:
                parts.append(u + m if b[m] is None else (u + m) * b[m])
            if m > 0:
                parts.append((k + 1 - m) - u if b[m - 1] is None else ((k + 1 - m) - u) * b[m - 1])
            total = parts[0] if len(parts) == 1 else parts[0] + parts[1]
            made.append(total / k if k > 1 else total)
        b = made
    return b[::-1]


# The period of the coefficients beyond the borders of an axis of length n.
_PERIODS = {"mirror": lambda n: 2 * n - 2, "reflect": lambda n: 2 * n, "grid-mirror": lambda n: 2 * n,
            "grid-wrap": lambda n: n}  # fmt: skip
_SHORT = 8  # up to this length, taps may be several periods beyond


def mapped(c: object, n: int, mode: str, xp: object) -> object:
    """The coordinates in the first period, or, in the mode 'wrap', in the array."""
    if mode in _PERIODS and n > _SHORT:
        period = _PERIODS[mode](n)
        return c - xp.floor(c / period) * period
    if mode == "wrap":
        if n <= 1:
            return c * 0
        low = c + (n - 1) * (xp.trunc(-c / (n - 1)) + 1)
        high = c - (n - 1) * xp.trunc(c / (n - 1))
        return xp.where(c < 0, low, xp.where(c > n - 1, high, c))
    return c


def index_of(i: object, n: int, mode: str, xp: object) -> object:
    """The indices in [0, n) of the coefficients at the indices i, which may be beyond."""
    if n == 1:
        return i * 0
    if mode in ("nearest", "grid-constant"):
        return xp.clip(i, 0, n - 1)
    if n > _SHORT:  # the taps of coordinates in the first period
        if mode == "grid-wrap":
            return xp.where(i < 0, i + n, xp.where(i >= n, i - n, i))
        if mode in ("reflect", "grid-mirror"):
            i = xp.where(i < 0, -1 - i, i)
            i = xp.where(i >= n, 2 * n - 1 - i, i)
            return xp.where(i < 0, -1 - i, i)
        return xp.clip(xp.abs((n - 1) - xp.abs((n - 1) - xp.abs(i))), 0, n - 1)
    if mode == "grid-wrap":
        return xp.remainder(i, n)
    if mode in ("reflect", "grid-mirror"):
        k = xp.remainder(i, 2 * n)
        return xp.minimum(k, 2 * n - 1 - k)
    k = xp.remainder(i, 2 * n - 2)
    return xp.minimum(k, 2 * n - 2 - k)


class Taps:
    """The coefficients that a spline has at coordinates c along an axis of length n."""

    def __init__(self, c: object, n: int, order: int, mode: str, xp: object) -> None:
        self.outside = None  # where the value is `cval`
        if mode == "constant":
            self.outside = (c < 0) | (c > n - 1)
        c = mapped(c, n, mode, xp)
        knot = xp.floor(c) if order % 2 else xp.floor(c + 0.5)
        self.weights = weights_of(c - knot if order % 2 else c - knot + 0.5, order) if order else [None]
        # Coordinates that are no numbers, or too large for integers, are outside of all arrays.
        first = xp.astype(xp.clip(knot, -(2.0**40), 2.0**40), "i8") - order // 2
        raw = [first + k for k in range(order + 1)]
        self.beyond = [(i < 0) | (i > n - 1) for i in raw] if mode == "grid-constant" else None
        self.indices = [index_of(i, n, mode, xp) for i in raw]


def padded(x: dpnp_ndarray, axes: list[int], mode: str, cval: object) -> tuple[dpnp_ndarray, int]:
    """The samples, extended in the modes whose borders splines do not have, and the elements before each axis."""
    if mode not in ("nearest", "grid-constant"):
        return x, 0
    from dpep._array.dpnp import extended

    widths = [PADDING if a in axes else 0 for a in range(x.ndim)]
    border = "nearest" if mode == "nearest" else "constant"
    made = of_parts(x, cval, lambda part, number: extended(part, widths, widths, border, number, part.dtype))
    return as_dpnp(dpt.asarray(made)), PADDING
