"""Peaks of signals: local maxima, and their heights, distances, prominences and widths.

All peaks are computed together. Elements that are the first of their kind beside a peak are found by doubling: of the
extremes of 1, 2, 4, … neighbouring elements, the longest block that can be passed is passed first, then half of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, checked_array

import dpnp
from dpnp._support import as_numbers, default_float_type

__all__ = ["find_peaks", "peak_prominences", "peak_widths"]

# The number of elements above which walks of different lengths are apart.
_MANY = 1 << 15

_Properties = dict[str, dpnp_ndarray]


def _place(x: dpnp_ndarray) -> dict[str, object]:
    return {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}


def _local_maxima(x: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The first and the last positions of runs of equal elements between lower ones."""
    if x.size < 3:
        none = dpnp.empty(0, dtype="i8", **_place(x))
        return none, none
    rises, falls = x[1:] > x[:-1], x[1:] < x[:-1]
    if bool(bound.all(rises | falls)):
        at = dpnp.nonzero(rises[:-1] & falls[1:])[0] + 1
        return at, at
    starts = dpnp.nonzero(x[1:] != x[:-1])[0]  # each is the position before a run, and before the end of the last one
    if starts.size < 2:
        none = dpnp.empty(0, dtype="i8", **_place(x))
        return none, none
    is_peak = rises[starts[:-1]] & falls[starts[1:]]
    return starts[:-1][is_peak] + 1, starts[1:][is_peak]


class _Blocks:
    """The extremes of blocks of 1, 2, 4, … elements, up to `reach` elements: the levels.

    Of many elements, only blocks that start at a multiple of their length are in the levels.
    """

    def __init__(self, y: dpnp_ndarray, reach: int, fold: Callable[..., dpnp_ndarray]) -> None:
        self.levels, self.is_aligned, length = [y], y.size > _MANY, 1
        while 2 * length <= min(reach, y.size):
            last = self.levels[-1]
            if self.is_aligned:
                even = last.size - last.size % 2
                self.levels.append(fold(last[:even:2], last[1:even:2]))
            else:
                self.levels.append(fold(last[:-length], last[length:]))
            length *= 2

    def before(self, at: dpnp_ndarray, k: int) -> dpnp_ndarray:
        """The extremes of the 2^k elements before positions."""
        index = (at >> k) - 1 if self.is_aligned else at - (1 << k)
        return self.levels[k][bound.maximum(index, 0)]


class _Walk:
    """Walks from positions towards 0 over all elements up to `highest`, or over those above `above`.

    `at` are the positions that are reached, not below `least`, and `minima` the least elements of `lowest` on the way.
    """

    def __init__(
        self, blocks: _Blocks, start: dpnp_ndarray, least: dpnp_ndarray, highest: dpnp_ndarray | None,
        above: dpnp_ndarray | None = None, lowest: _Blocks | None = None,
    ) -> None:  # fmt: skip
        self.blocks, self.lowest, self.least = blocks, lowest, least
        self.bounds, self.is_below = (above, False) if highest is None else (highest, True)
        self.at, self.minima = start, self.bounds
        if blocks.is_aligned:
            self._walk_apart()
        else:
            self._walk_together()

    def _passes(self, extremes: dpnp_ndarray, bounds: dpnp_ndarray) -> dpnp_ndarray:
        return extremes <= bounds if self.is_below else extremes > bounds

    def _walk_together(self) -> None:
        """From the longest block to the shortest, step over those that can be passed."""
        for k in reversed(range(len(self.blocks.levels))):
            first = self.at - (1 << k)
            can_pass = (first >= self.least) & self._passes(self.blocks.before(self.at, k), self.bounds)
            if self.lowest is not None:
                lower = bound.minimum(self.minima, self.lowest.before(self.at, k))
                self.minima = dpnp.where(can_pass, lower, self.minima)
            self.at = dpnp.where(can_pass, first, self.at)

    def _walk_apart(self) -> None:
        """Step over longer and longer blocks, until one cannot be passed, and then over shorter ones.

        Most walks are short, and take part in few steps.
        """
        self.at, self.minima = dpnp.copy(self.at), dpnp.copy(self.minima)
        count = len(self.blocks.levels)
        ended: list[dpnp_ndarray] = []
        walking = dpnp.arange(self.at.size, **_place(self.at))
        for k in range(count):
            if not walking.size:
                break
            # Only at odd multiples of 2^k is a step needed, after which the position is an even one.
            is_odd = (self.at[walking] >> k) & 1 == 1
            odd = walking[is_odd]
            can_pass = self._step(odd, k)
            ended.append(odd[~can_pass])
            walking = dpnp.concatenate((walking[~is_odd], odd[can_pass]))
        if walking.size:
            ended.append(walking)
        walking = dpnp.empty(0, dtype=self.at.dtype, **_place(self.at))
        for k in reversed(range(len(ended))):
            if k < count and walking.size:
                self._step(walking, k)
            walking = dpnp.concatenate((walking, ended[k])) if ended[k].size else walking

    def _step(self, walking: dpnp_ndarray, k: int) -> dpnp_ndarray:
        """Step over 2^k elements where all can be passed, and return where."""
        at = self.at[walking]
        can_pass = (at - (1 << k) >= self.least[walking]) & self._passes(
            self.blocks.before(at, k), self.bounds[walking])  # fmt: skip
        moved, at = walking[can_pass], at[can_pass]
        if moved.size:
            self.at[moved] = at - (1 << k)
            if self.lowest is not None:
                self.minima[moved] = bound.minimum(self.minima[moved], self.lowest.before(at, k))
        return can_pass


def _bases(highest: _Blocks, lowest: _Blocks, peaks: dpnp_ndarray, reach: int) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The position of the least element before each peak, the nearest of equal ones, and that element.

    Elements before a higher element than the peak, and those more than `reach` before the peak, do not count.
    """
    heights = lowest.levels[0][peaks]
    walk = _Walk(highest, peaks, bound.maximum(peaks - reach, 0), heights, lowest=lowest)
    nearest = _Walk(lowest, peaks, walk.at, None, above=walk.minima).at - 1
    return dpnp.where(walk.minima < heights, nearest, peaks), walk.minima


class _Flanks:
    """One side of peaks: the elements before them.

    `x` is the signal. `at` are the positions of its elements that searches look at: all of them, or those where it
    changes its direction. `peaks` are the peaks' indices into `at`.
    """

    def __init__(self, x: dpnp_ndarray, at: dpnp_ndarray | None, peaks: dpnp_ndarray, reach: int) -> None:
        self.x, self.at, self.peaks = x, at, peaks
        y = x if at is None else x[at]
        y = dpnp.where(bound.isnan(y), math.inf, y)  # searches for lower elements end at NaN
        self.lowest = _Blocks(y, reach, bound.minimum)
        self.bases, self.minima = _bases(_Blocks(y, reach, bound.maximum), self.lowest, peaks, reach)

    def kept(self, keep: dpnp_ndarray) -> None:
        self.peaks, self.bases, self.minima = self.peaks[keep], self.bases[keep], self.minima[keep]

    def positions(self, indices: dpnp_ndarray) -> dpnp_ndarray:
        return indices if self.at is None else self.at[indices]

    def crossings(self, positions: dpnp_ndarray, heights: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        """The last positions that are not above heights, or the bases, and the parts of a step to the crossings."""
        at = _Walk(self.lowest, self.peaks, self.bases, None, above=heights).at
        below = bound.maximum(at - 1, self.bases)
        above = bound.minimum(below + 1, self.peaks)
        low, high = self.positions(below), self.positions(above)
        # Between two changes of direction, elements increase: `low` becomes the last one that is not above the height.
        for _ in range(0 if self.at is None or not low.size else int(bound.max(high - low)).bit_length()):
            middle = (low + high) // 2
            is_above = self.x[middle] > heights
            low, high = dpnp.where(is_above, low, middle), dpnp.where(is_above, middle, high)
        found = dpnp.where(heights < self.x[positions], low, positions)
        values = self.x[found]
        after = self.x[bound.minimum(found + 1, self.x.size - 1)]
        return found, dpnp.where(values < heights, (heights - values) / (after - values), 0.0)


def _directions(x: dpnp_ndarray) -> dpnp_ndarray:
    """The first and the last positions of all runs of equal elements where the signal changes its direction or ends."""
    filled = dpnp.where(bound.isnan(x), math.inf, x)
    starts = dpnp.nonzero(filled[1:] != filled[:-1])[0] + 1
    rises = filled[starts] > filled[starts - 1]
    turns = rises[1:] != rises[:-1]
    zero, last = (dpnp.full(1, i, dtype="i8", **_place(x)) for i in (0, x.size - 1))
    firsts = dpnp.concatenate((zero, starts[:-1][turns], starts[-1:]))
    ends = dpnp.concatenate((starts[:1] - 1, starts[1:][turns] - 1, last))
    return dpnp.ravel(dpnp.stack((firsts, ends), axis=-1))


class _Prominences:
    """Prominences of peaks, and widths at a part of them."""

    def __init__(self, x: dpnp_ndarray, peaks: dpnp_ndarray, wlen: object, are_maxima: bool = True) -> None:
        self.x, self.n = x, x.size
        if wlen is None and are_maxima:
            at = _directions(x)
            # The run of a peak starts at an even index.
            index = 2 * (dpnp.searchsorted(at[::2], peaks, side="right") - 1)
            self.left = _Flanks(x, at, index, at.size)
            self.right = _Flanks(x[::-1], (self.n - 1) - at[::-1], at.size - 2 - index, at.size)
        else:
            reach = self.n if wlen is None else max(math.ceil(wlen) // 2, 1)
            self.left = _Flanks(x, None, peaks, reach)
            self.right = _Flanks(x[::-1], None, (self.n - 1) - peaks, reach)
        self.peaks = peaks
        self.heights = x[peaks]
        self.values = self.heights - bound.maximum(self.left.minima, self.right.minima)

    def kept(self, keep: dpnp_ndarray) -> None:
        self.left.kept(keep), self.right.kept(keep)
        self.peaks, self.heights, self.values = self.peaks[keep], self.heights[keep], self.values[keep]

    def properties(self) -> _Properties:
        left = self.left.positions(self.left.bases)
        right = (self.n - 1) - self.right.positions(self.right.bases)
        at_peak = self.left.bases == self.left.peaks, self.right.bases == self.right.peaks
        left, right = (dpnp.where(a, self.peaks, b) for a, b in zip(at_peak, (left, right), strict=True))
        return {"prominences": self.values, "left_bases": left, "right_bases": right}

    def widths(self, part: float) -> _Properties:
        heights = self.heights - self.values * part
        at, part_of_step = self.left.crossings(self.peaks, heights)
        left = at + part_of_step
        at, part_of_step = self.right.crossings((self.n - 1) - self.peaks, heights)
        right = (self.n - 1) - at - part_of_step
        return {"widths": right - left, "width_heights": heights, "left_ips": left, "right_ips": right}


def _bounds(x: dpnp_ndarray, interval: object, peaks: dpnp_ndarray) -> list[object]:
    """The lower and the upper bound of peaks, each a number, one for each peak, or None."""
    try:
        lower, upper = interval  # type: ignore[misc]
    except (TypeError, ValueError):
        lower, upper = interval, None
    made = []
    for what, bounds in (("lower", lower), ("upper", upper)):
        value = bounds
        if isinstance(bounds, (array_base, numpy.ndarray, list, tuple)) and numpy.ndim(bounds):
            value = dpnp.asarray(bounds, **_place(x)) if not isinstance(bounds, array_base) else as_dpnp(bounds)
            if value.size != x.size:
                raise ValueError(
                    f"find_peaks: an array of {what} bounds must have the length {x.size} of x, got {value.size}"
                )
            value = dpnp.ravel(value)[peaks]
        made.append(as_numbers(value))
    return made


def _between(least: dpnp_ndarray, greatest: dpnp_ndarray, bounds: list[object]) -> dpnp_ndarray:
    """Where values are within bounds."""
    keep = dpnp.ones(least.shape, dtype=bool, **_place(least))
    if bounds[0] is not None:
        keep = keep & (least >= bounds[0])
    if bounds[1] is not None:
        keep = keep & (greatest <= bounds[1])
    return keep


def _block_maxima(y: dpnp_ndarray, longest: int) -> list[dpnp_ndarray]:
    """The maxima of all blocks of 1, 2, 4, … elements, up to the longest, at the blocks' first positions."""
    made, length = [y], 1
    while 2 * length <= min(longest, y.size):
        made.append(bound.maximum(made[-1][:-length], made[-1][length:]))
        length *= 2
    return made


def _far_apart(peaks: dpnp_ndarray, heights: dpnp_ndarray, distance: int) -> dpnp_ndarray:
    """Whether to keep each peak, so that none is nearer than `distance` to a higher one that is kept.

    In each round, peaks that are higher than all undecided ones near them are kept, and those near them are not. Of
    equal heights, the later peak counts as the higher one.
    """
    count = peaks.size
    ranks = dpnp.empty(count, dtype="i8", **_place(peaks))
    numbers = dpnp.arange(count, **_place(peaks))
    ranks[dpnp.argsort(heights, stable=True)] = numbers
    keep = dpnp.zeros(count, dtype=bool, **_place(peaks))
    undecided = numbers
    while undecided.size:
        at, rank = peaks[undecided], ranks[undecided]
        first = dpnp.searchsorted(at, at - distance, side="right")
        after = dpnp.searchsorted(at, at + distance, side="left")
        lengths = after - first
        levels = _block_maxima(rank, int(bound.max(lengths)))
        # Two blocks of the greatest power of two that is not longer than the neighbourhood cover it.
        power = dpnp.astype(dpnp.frexp(dpnp.astype(lengths, default_float_type()))[1], "i8") - 1
        highest = rank
        for k, level in enumerate(levels):
            ends = bound.minimum(bound.maximum(first, after - (1 << k)), level.size - 1)
            starts = bound.minimum(first, level.size - 1)
            highest = dpnp.where(power == k, bound.maximum(level[starts], level[ends]), highest)
        is_kept = highest == rank
        keep[undecided[is_kept]] = True
        kept = at[is_kept]
        # The nearest kept peaks before and after each undecided one.
        index = dpnp.searchsorted(kept, at)
        before = at - kept[bound.maximum(index - 1, 0)]
        following = kept[bound.minimum(index, kept.size - 1)] - at
        is_near = ((index > 0) & (before < distance)) | ((index < kept.size) & (following < distance)) | is_kept
        undecided = undecided[~is_near]
    return keep


def _signal(name: str, x: object) -> dpnp_ndarray:
    """The signal in the widest dtype of floats."""
    x = as_dpnp(checked_array(name, x))
    if x.ndim != 1:
        raise ValueError(f"{name}: x must have one axis, got shape {x.shape}")
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: x must be real, got {x.dtype}")
    return dpnp.astype(x, default_float_type(sycl_queue=x.sycl_queue), copy=False)


def _check_shape_options(name: str, wlen: object, rel_height: object) -> None:
    if wlen is not None and not wlen > 1:
        raise ValueError(f"{name}: wlen must be larger than 1, got {wlen}")
    if rel_height < 0:
        raise ValueError(f"{name}: rel_height must be greater or equal to 0, got {rel_height}")


def find_peaks(
    x: object,
    height: object = None,
    threshold: object = None,
    distance: float | None = None,
    prominence: object = None,
    width: object = None,
    wlen: float | None = None,
    rel_height: float = 0.5,
    plateau_size: object = None,
) -> tuple[dpnp_ndarray, _Properties]:
    """Return the positions of peaks of a signal, and their properties.

    A peak is an element that is higher than both neighbours; of equal elements between lower ones, the middle one. Each
    condition is a number or an array of the length of `x`, the lower bound; or a pair of a lower and an upper bound,
    either of which may be None.

    Parameters
    ----------
    x : ndarray
        The signal.
    height : number, ndarray or pair of these, optional
        Bounds of the elements.
    threshold : number, ndarray or pair of these, optional
        Bounds of the differences to both neighbours.
    distance : float, optional
        The least distance of peaks. Of nearer ones, the highest are kept.
    prominence : number, ndarray or pair of these, optional
        Bounds of prominences: of the height above the higher one of the lowest elements on both sides that are not
        behind a higher peak.
    width : number, ndarray or pair of these, optional
        Bounds of the widths.
    wlen : float, optional
        The number of elements around a peak that its prominence depends on.
    rel_height : float, optional
        The part of the prominence below the peak at which the width is measured.
    plateau_size : number, ndarray or pair of these, optional
        Bounds of the numbers of equal elements.

    Returns
    -------
    peaks : ndarray
        The positions.
    properties : dict of ndarray
        For each condition that is given, the properties of peaks that SciPy's function returns: 'peak_heights';
        'left_thresholds' and 'right_thresholds'; 'prominences', 'left_bases' and 'right_bases'; 'widths',
        'width_heights', 'left_ips' and 'right_ips'; 'plateau_sizes', 'left_edges' and 'right_edges'.

    Raises
    ------
    ValueError
        For a signal with other than one axis, a distance below 1, a `wlen` that is not above 1, a negative
        `rel_height`, and arrays of bounds of another length.
    TypeError
        When `x` is not an array, and for complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([0.0, 2.0, 1.0, 5.0, 0.0, 3.0, 3.0, 0.0])
    >>> peaks, properties = np.scipy.signal.find_peaks(x, prominence=2)
    >>> peaks, properties["prominences"]
    (array([3, 5]), array([5., 3.]))
    """
    x = _signal("find_peaks", x)
    distance, wlen, rel_height = as_numbers(distance), as_numbers(wlen), as_numbers(rel_height)
    if distance is not None and distance < 1:
        raise ValueError(f"find_peaks: distance must be greater or equal to 1, got {distance}")
    first, last = _local_maxima(x)
    peaks = (first + last) // 2
    properties: _Properties = {}

    def select(keep: dpnp_ndarray) -> dpnp_ndarray:
        properties.update({name: value[keep] for name, value in properties.items()})
        return peaks[keep]

    if plateau_size is not None:
        sizes = last - first + 1
        properties |= {"plateau_sizes": sizes, "left_edges": first, "right_edges": last}
        peaks = select(_between(sizes, sizes, _bounds(x, plateau_size, peaks)))
    if height is not None:
        heights = properties["peak_heights"] = x[peaks]
        peaks = select(_between(heights, heights, _bounds(x, height, peaks)))
    if threshold is not None:
        left, right = x[peaks] - x[peaks - 1], x[peaks] - x[peaks + 1]
        properties |= {"left_thresholds": left, "right_thresholds": right}
        bounds = _bounds(x, threshold, peaks)
        peaks = select(_between(bound.minimum(left, right), bound.maximum(left, right), bounds))
    if distance is not None:
        peaks = select(_far_apart(peaks, x[peaks], math.ceil(distance)))
    if prominence is not None or width is not None:
        peaks = _selected_by_shape(x, peaks, properties, prominence, width, wlen, rel_height)
    return peaks, properties


def _selected_by_shape(
    x: dpnp_ndarray, peaks: dpnp_ndarray, properties: _Properties, prominence: object, width: object, wlen: object,
    rel_height: float,
) -> dpnp_ndarray:  # fmt: skip
    """The peaks of given prominences and widths, whose properties are added."""
    _check_shape_options("find_peaks", wlen, rel_height if width is not None else 0)
    if not peaks.size:
        none = dpnp.empty(0, dtype=x.dtype, **_place(x))
        properties |= {"prominences": none, "left_bases": peaks, "right_bases": peaks}
        if width is not None:
            properties |= dict.fromkeys(("widths", "width_heights", "left_ips", "right_ips"), none)
        return peaks
    found = _Prominences(x, peaks, wlen)
    properties |= found.properties()
    if prominence is not None:
        keep = _between(found.values, found.values, _bounds(x, prominence, peaks))
        properties.update({name: value[keep] for name, value in properties.items()})
        peaks = peaks[keep]
        found.kept(keep)
    if width is not None:
        made = found.widths(rel_height)
        properties |= made
        keep = _between(made["widths"], made["widths"], _bounds(x, width, peaks))
        properties.update({name: value[keep] for name, value in properties.items()})
        peaks = peaks[keep]
    return peaks


def _given_peaks(name: str, x: dpnp_ndarray, peaks: object) -> dpnp_ndarray:
    """The positions of peaks, which must be in the signal."""
    peaks = as_dpnp(checked_array(name, peaks))
    if peaks.size == 0:
        return dpnp.empty(0, dtype="i8", **_place(x))
    if peaks.ndim != 1:
        raise ValueError(f"{name}: peaks must have one axis, got shape {peaks.shape}")
    if peaks.dtype.kind not in "iu":
        raise TypeError(f"{name}: peaks must be integers, got {peaks.dtype}")
    peaks = dpnp.astype(peaks, "i8", copy=False)
    if bool(bound.any((peaks < 0) | (peaks >= x.size))):
        raise ValueError(f"{name}: each peak must be a valid index for x, of {x.size} elements")
    return peaks


def peak_prominences(
    x: object, peaks: object, wlen: float | None = None
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return the prominences of peaks of a signal.

    Parameters
    ----------
    x : ndarray
        The signal.
    peaks : ndarray
        The positions of peaks. The prominence of an element that is not a local maximum is 0.
    wlen : float, optional
        The number of elements around a peak that its prominence depends on.

    Returns
    -------
    prominences, left_bases, right_bases : ndarray
        The prominences, and the positions of the lowest elements on both sides.

    Raises
    ------
    ValueError
        For a signal with other than one axis, positions that are not in the signal, and a `wlen` that is not above 1.
    TypeError
        When `x` or `peaks` is not an array, for complex numbers, and positions that are not integers.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([0.0, 2.0, 1.0, 5.0, 0.0])
    >>> np.scipy.signal.peak_prominences(x, np.array([1, 3]))
    (array([1., 5.]), array([0, 0]), array([2, 4]))
    """
    x, wlen = _signal("peak_prominences", x), as_numbers(wlen)
    peaks = _given_peaks("peak_prominences", x, peaks)
    _check_shape_options("peak_prominences", wlen, 0)
    if not peaks.size:
        return dpnp.empty(0, dtype=x.dtype, **_place(x)), peaks, peaks
    made = _Prominences(x, peaks, wlen, False).properties()
    return made["prominences"], made["left_bases"], made["right_bases"]


def peak_widths(
    x: object,
    peaks: object,
    rel_height: float = 0.5,
    prominence_data: tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray] | None = None,
    wlen: float | None = None,
) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return the widths of peaks of a signal.

    Parameters
    ----------
    x, peaks, wlen
        As of `peak_prominences`.
    rel_height : float, optional
        The part of the prominence below the peak at which the width is measured.
    prominence_data : tuple of three ndarrays, optional
        The results of `peak_prominences`, if they are known.

    Returns
    -------
    widths, width_heights, left_ips, right_ips : ndarray
        The widths, the heights at which they are measured, and the interpolated positions there on both sides.

    Raises
    ------
    ValueError, TypeError
        As of `peak_prominences`, and a ValueError for a negative `rel_height` and bases that are not around the peaks.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([0.0, 2.0, 1.0, 5.0, 0.0])
    >>> np.scipy.signal.peak_widths(x, np.array([3]))[0]
    array([1.125])
    """
    name = "peak_widths"
    x, wlen, rel_height = _signal(name, x), as_numbers(wlen), as_numbers(rel_height)
    peaks = _given_peaks(name, x, peaks)
    _check_shape_options(name, wlen, rel_height)
    if not peaks.size:
        none = dpnp.empty(0, dtype=x.dtype, **_place(x))
        return none, none, none, none
    found = _Prominences(x, peaks, wlen, False)
    if prominence_data is not None:
        values, left, right = (as_dpnp(checked_array(name, a)) for a in prominence_data)
        if bool(bound.any((left < 0) | (left > peaks) | (right < peaks) | (right >= x.size))):
            raise ValueError(f"{name}: prominence data is invalid: bases must be around the peaks, in the signal")
        found.values, found.left.bases, found.right.bases = values, left, (x.size - 1) - right
    made = found.widths(rel_height)
    return made["widths"], made["width_heights"], made["left_ips"], made["right_ips"]
