"""Morphology: erosion, dilation and what is composed of them, for bools and for numbers."""

from __future__ import annotations

import operator

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, filtered

import dpnp
from dpnp._support import host_array
from dpnp.scipy.ndimage._arguments import (
    axes_of,
    before_of,
    border_of,
    delivered,
    input_array,
    output_type,
    per_axis,
)
from dpnp.scipy.ndimage._labels import joined, runs_of
from dpnp.scipy.ndimage._order_filters import Window, checked, exact, extreme

__all__ = [
    "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes", "binary_hit_or_miss", "binary_opening",
    "binary_propagation", "black_tophat", "generate_binary_structure", "grey_closing", "grey_dilation", "grey_erosion",
    "grey_opening", "iterate_structure", "morphological_gradient", "morphological_laplace", "white_tophat",
]  # fmt: skip

_ROUNDS = 8  # repetitions between tests whether anything changes


def _structure(rank: int, connectivity: int) -> numpy.ndarray:
    if rank < 1:
        return numpy.array(True)
    distances = numpy.abs(numpy.indices([3] * rank) - 1).sum(0)
    return distances <= max(connectivity, 1)


def generate_binary_structure(rank: int, connectivity: int) -> dpnp_ndarray:
    """Return the structure of an element and its neighbours, an array of 3 bools along each of `rank` axes.

    Neighbours differ from the element by one along at most `connectivity` axes.

    >>> import dpnp as np
    >>> np.scipy.ndimage.generate_binary_structure(2, 1).astype("i4")
    array([[0, 1, 0],
           [1, 1, 1],
           [0, 1, 0]], dtype=int32)
    """
    return dpnp.asarray(_structure(operator.index(rank), operator.index(connectivity)))


def iterate_structure(
    structure: object, iterations: int, origin: int | tuple[int, ...] | None = None
) -> dpnp_ndarray | tuple[dpnp_ndarray, list[int]]:
    """Return the structure of several dilations by a structure; with `origin`, also the origin of that structure.

    >>> import dpnp as np
    >>> from dpnp.scipy import ndimage
    >>> ndimage.iterate_structure(ndimage.generate_binary_structure(1, 1), 2).astype("i4")
    array([1, 1, 1, 1, 1], dtype=int32)
    """
    host = host_array(structure).astype(bool)
    repeats = operator.index(iterations) - 1
    if repeats < 1:
        made = dpnp.asarray(host)
    else:
        widths = [n + repeats * (n - 1) for n in host.shape]
        at = tuple(slice(repeats * (n // 2), repeats * (n // 2) + n) for n in host.shape)
        start = numpy.zeros(widths, bool)
        start[at] = host
        made = binary_dilation(dpnp.asarray(start), host, iterations=repeats)
    if origin is None:
        return made
    origins = per_axis("iterate_structure", "origin", origin, host.ndim)
    return made, [max(iterations, 1) * operator.index(o) for o in origins]


def _change(
    name: str, input: object, structure: object, iterations: int, mask: object, output: object, border_value: int,
    origin: object, axes: object, kind: str,
) -> dpnp_ndarray:  # fmt: skip
    """The repeated erosion ('least') or dilation ('greatest') of bools."""
    x = input_array(name, input)
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: complex numbers are not supported, got {x.dtype}")
    where = axes_of(name, axes, x.ndim)
    used = _structure(len(where), 1) if structure is None else host_array(structure).astype(bool)
    if used.ndim != len(where):
        raise RuntimeError(f"{name}: the structure must have {len(where)} axes, got shape {used.shape}")
    if used.size < 1:
        raise RuntimeError(f"{name}: the structure must not be empty, got shape {used.shape}")
    origins = [operator.index(o) for o in per_axis(name, "origin", origin, len(where))]
    if kind == "greatest":
        used = used[(slice(None, None, -1),) * used.ndim]
        origins = [-o - (n % 2 == 0) for o, n in zip(origins, used.shape, strict=True)]
    window, before = [1] * x.ndim, [0] * x.ndim
    for axis, n, o in zip(where, used.shape, origins, strict=True):
        window[axis], before[axis] = n, before_of(name, n, o)
    taps = numpy.flatnonzero(used.transpose(numpy.argsort(where)).ravel()).tolist()
    state = x if x.dtype.kind == "b" else as_dpnp(x != 0)
    whole = None if mask is None else as_dpnp(dpt.astype(input_array(name, mask), "?", copy=False))
    beyond = float(bool(border_value))

    def once(x: dpnp_ndarray) -> dpnp_ndarray:
        if not taps:  # the extreme of no elements
            return dpnp.full_like(x, kind == "least")
        made = filtered(x, kind, window, before, "constant", beyond, taps, [], [], False, 0)
        return made if whole is None else dpnp.where(whole, made, x)

    iterations = operator.index(iterations)
    if iterations > 0:
        for _ in range(iterations):
            state = once(state)
    else:
        while True:
            last = state
            for _ in range(_ROUNDS):
                state = once(state)
            if bool(bound.all(last == state)):
                break
    return delivered(name, state, output, numpy.dtype(bool) if output is None else output_type(name, state, output))


def binary_erosion(
    input: object,
    structure: object = None,
    iterations: int = 1,
    mask: object = None,
    output: object = None,
    border_value: int = 0,
    origin: int | tuple[int, ...] = 0,
    brute_force: bool = False,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return where all elements of a structure around a position are true.

    Parameters
    ----------
    input : ndarray
        The array; numbers are true unless they are zero.
    structure : ndarray or array_like of bool, optional
        The structure; by default an element and its nearest neighbours.
    iterations : int, optional
        How often the erosion is repeated; less than one: until nothing changes.
    mask : ndarray, optional
        Where elements may change.
    output : ndarray or dtype, optional
        An array for the result, or its dtype.
    border_value : int, optional
        Whether elements beyond the borders are true.
    origin : int or tuple of int, optional
        As of `correlate`.
    brute_force : bool, optional
        Has no effect.
    axes : tuple of int, optional
        The axes of the structure; by default all.

    Returns
    -------
    ndarray
        The eroded array, of bools.

    Raises
    ------
    RuntimeError
        For a structure that is empty or has other axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.binary_erosion(np.array([0, 1, 1, 1, 0]))
    array([False, False,  True, False, False])
    """
    return _change("binary_erosion", input, structure, iterations, mask, output, border_value, origin, axes, "least")


def binary_dilation(
    input: object,
    structure: object = None,
    iterations: int = 1,
    mask: object = None,
    output: object = None,
    border_value: int = 0,
    origin: int | tuple[int, ...] = 0,
    brute_force: bool = False,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return where an element of a structure around a position is true.

    The arguments are those of `binary_erosion`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.binary_dilation(np.array([0, 0, 1, 0, 0]))
    array([False,  True,  True,  True, False])
    """
    return _change("binary_dilation", input, structure, iterations, mask, output, border_value, origin, axes,
                   "greatest")  # fmt: skip


def binary_opening(
    input: object,
    structure: object = None,
    iterations: int = 1,
    output: object = None,
    origin: int | tuple[int, ...] = 0,
    mask: object = None,
    border_value: int = 0,
    brute_force: bool = False,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the dilation of an erosion, which removes what is smaller than the structure.

    The arguments are those of `binary_erosion`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.binary_opening(np.array([0, 1, 1, 1, 0, 1, 0]))
    array([False,  True,  True,  True, False, False, False])
    """
    part = binary_erosion(input, structure, iterations, mask, None, border_value, origin, axes=axes)
    return binary_dilation(part, structure, iterations, mask, output, border_value, origin, axes=axes)


def binary_closing(
    input: object,
    structure: object = None,
    iterations: int = 1,
    output: object = None,
    origin: int | tuple[int, ...] = 0,
    mask: object = None,
    border_value: int = 0,
    brute_force: bool = False,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the erosion of a dilation, which fills holes that are smaller than the structure.

    The arguments are those of `binary_erosion`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.binary_closing(np.array([0, 1, 0, 1, 0, 0]))
    array([False,  True,  True,  True, False, False])
    """
    part = binary_dilation(input, structure, iterations, mask, None, border_value, origin, axes=axes)
    return binary_erosion(part, structure, iterations, mask, output, border_value, origin, axes=axes)


def binary_propagation(
    input: object,
    structure: object = None,
    mask: object = None,
    output: object = None,
    border_value: int = 0,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the dilation that is repeated until nothing changes, within a mask.

    The arguments are those of `binary_erosion`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.binary_propagation(np.array([0, 1, 0, 0]), mask=np.array([1, 1, 1, 0]))
    array([ True,  True,  True, False])
    """
    return binary_dilation(input, structure, -1, mask, output, border_value, origin, axes=axes)


def _joins_neighbours(structure: numpy.ndarray, ndim: int) -> bool:
    """Whether a structure is that of the connected regions of `label`, which contains the element itself."""
    return (
        ndim > 0
        and structure.shape == (3,) * ndim
        and bool(structure[(1,) * ndim])
        and bool((structure == numpy.flip(structure)).all())
    )


def _without_holes(outside: dpnp_ndarray, structure: numpy.ndarray) -> dpnp_ndarray:
    """Where elements are not in a region of `outside` that reaches the borders. The region of these has the number 0.

    Repeated dilations would take as many passes as the longest path in a region has elements.
    """
    numbers, pairs, count = runs_of(outside, structure)
    inner = dpnp.where(outside, numbers, 0)
    faces = []
    for axis in range(outside.ndim):
        if numpy.take(structure, 0, axis).any():  # a neighbour is beyond the border
            at = (slice(None),) * axis
            faces += [dpnp.ravel(inner[(*at, 0)]), dpnp.ravel(inner[(*at, -1)])]
    if faces:
        touching = dpnp.concatenate(faces)
        border = [touching, dpnp.zeros_like(touching)]
        pairs = [dpnp.concatenate(each) for each in zip(pairs, border, strict=True)] if pairs else border
    is_reached = joined(pairs, count + 1, numbers) == 0
    return as_dpnp(dpt.logical_not(outside & dpnp.take(is_reached, numbers)))


def binary_fill_holes(
    input: object,
    structure: object = None,
    output: object = None,
    origin: int | tuple[int, ...] = 0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return an array in which regions of false elements that do not reach the borders are true.

    The arguments are those of `binary_erosion`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.binary_fill_holes(np.array([0, 1, 0, 1, 0]))
    array([False,  True,  True,  True, False])
    """
    name = "binary_fill_holes"
    x = input_array(name, input)
    outside = as_dpnp(dpt.logical_not(x))
    used = _structure(x.ndim, 1) if structure is None else host_array(structure).astype(bool)
    origins = [operator.index(o) for o in per_axis(name, "origin", origin, used.ndim)]
    if axes is None and not any(origins) and x.size and _joins_neighbours(used, x.ndim):
        made = _without_holes(outside, used)
        return delivered(name, made, output, output_type(name, made, output))
    reached = binary_dilation(dpnp.zeros_like(outside), structure, -1, outside, None, 1, origin, axes=axes)
    return delivered(name, as_dpnp(dpt.logical_not(reached)), output, output_type(name, reached, output))


def binary_hit_or_miss(
    input: object,
    structure1: object = None,
    structure2: object = None,
    output: object = None,
    origin1: int | tuple[int, ...] = 0,
    origin2: int | tuple[int, ...] | None = None,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return where all elements of one structure are true and all elements of another are false.

    By default, the second structure is the complement of the first. The other arguments are those of `binary_erosion`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.binary_hit_or_miss(np.array([0, 1, 0, 1, 1]), [0, 1, 0], [1, 0, 1])
    array([False,  True, False, False, False])
    """
    name = "binary_hit_or_miss"
    x = input_array(name, input)
    count = len(axes_of(name, axes, x.ndim))
    first = _structure(count, 1) if structure1 is None else host_array(structure1).astype(bool)
    second = ~first if structure2 is None else host_array(structure2)
    hit = binary_erosion(x, first, 1, None, None, 0, origin1, axes=axes)
    touched = binary_dilation(x, second[(slice(None, None, -1),) * second.ndim], 1, None, None, 0,
                              _opposite(name, origin1 if origin2 is None else origin2, second), axes=axes)  # fmt: skip
    return delivered(name, hit & ~touched, output, output_type(name, hit, output))


def _opposite(name: str, origin: object, structure: numpy.ndarray) -> tuple[int, ...]:
    """The origin of a dilation by the mirrored structure that is as that of an erosion."""
    origins = per_axis(name, "origin", origin, structure.ndim)
    return tuple(-operator.index(o) - (n % 2 == 0) for o, n in zip(origins, structure.shape, strict=True))


def _grey(
    name: str, input: object, size: object, footprint: object, structure: object, output: object, mode: object,
    cval: float, origin: object, axes: object, kind: str,
) -> dpnp_ndarray:  # fmt: skip
    """The erosion ('least') or dilation ('greatest') of numbers."""
    if size is None and footprint is None and structure is None:
        raise ValueError(f"{name}: size, footprint or structure must be specified")
    x = checked(name, input)
    w = Window(name, x, size, footprint, structure, origin, axes, kind == "greatest")
    dtype = output_type(name, x, output)
    if w.weights:
        border = border_of(name, mode)
        sign = -1 if kind == "least" else 1
        w.weights = [sign * v for v in w.weights]
        made = w.apply(exact(x, border, cval), kind, border, cval)
    else:
        made = extreme(name, x, kind, w, mode, cval)
    return delivered(name, as_dpnp(dpt.copy(x)) if made is x else made, output, dtype)


_GREY = """Return {text}.

    Parameters
    ----------
    input : ndarray
        The array, of real numbers.
    size : int or tuple of int, optional
        The lengths of the window along the axes.
    footprint : ndarray or array_like of bool, optional
        The elements of the window that are used, instead of `size`.
    structure : ndarray or array_like, optional
        Numbers that are added to the elements for maxima, and subtracted for minima, in the shape of the window.
    output, mode, cval, origin, axes : optional
        As of `minimum_filter`.

    Raises
    ------
    ValueError
        Without `size`, `footprint` and `structure`.
    TypeError
        For complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.{name}(np.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    {result}
    """


def _make(name: str, text: str, result: str, compute: object) -> object:
    def function(
        input: object,
        size: int | tuple[int, ...] | None = None,
        footprint: object = None,
        structure: object = None,
        output: object = None,
        mode: str | tuple[str, ...] = "reflect",
        cval: float = 0.0,
        origin: int | tuple[int, ...] = 0,
        *,
        axes: tuple[int, ...] | None = None,
    ) -> dpnp_ndarray:
        def extremes(x: object, kind: str, last: bool = False) -> dpnp_ndarray:
            return _grey(name, x, size, footprint, structure, dtype if last else None, mode, cval, origin, axes, kind)

        x = checked(name, input)
        dtype = output_type(name, x, output)
        return delivered(name, compute(x, extremes), output, dtype)

    return dpnp._support.named(function, name, _GREY.format(name=name, text=text, result=result))


def _difference(x: dpnp_ndarray, y: dpnp_ndarray) -> dpnp_ndarray:
    return x ^ y if x.dtype.kind == "b" else x - y


grey_erosion = _make(
    "grey_erosion",
    "the minima of elements in windows",
    "array([2, 0, 0, 0, 1, 1, 0, 0])",
    lambda x, f: f(x, "least", True),
)
grey_dilation = _make(
    "grey_dilation", "the maxima of elements in mirrored windows", "array([8, 8, 8, 4, 9, 9, 9, 9])",
    lambda x, f: f(x, "greatest", True),
)  # fmt: skip
grey_opening = _make(
    "grey_opening", "the maxima of minima, without peaks that are smaller than the window",
    "array([2, 2, 0, 1, 1, 1, 1, 0])", lambda x, f: f(f(x, "least"), "greatest", True),
)  # fmt: skip
grey_closing = _make(
    "grey_closing", "the minima of maxima, without valleys that are smaller than the window",
    "array([8, 8, 4, 4, 4, 9, 9, 9])", lambda x, f: f(f(x, "greatest"), "least", True),
)  # fmt: skip
morphological_gradient = _make(
    "morphological_gradient", "the differences of maxima and minima", "array([6, 8, 8, 4, 8, 8, 9, 9])",
    lambda x, f: _difference(f(x, "greatest"), f(x, "least")),
)  # fmt: skip
morphological_laplace = _make(
    "morphological_laplace", "the sums of maxima and minima, less twice the elements",
    "array([ 6, -8,  8, -4,  8, -8, -9,  9])", lambda x, f: f(x, "greatest") + f(x, "least") - x - x,
)  # fmt: skip
white_tophat = _make(
    "white_tophat", "the elements less their opening: peaks that are smaller than the window",
    "array([0, 6, 0, 3, 0, 8, 8, 0])", lambda x, f: _difference(x, f(f(x, "least"), "greatest")),
)  # fmt: skip
black_tophat = _make(
    "black_tophat", "the closing less the elements: valleys that are smaller than the window",
    "array([6, 0, 4, 0, 3, 0, 0, 9])", lambda x, f: _difference(f(f(x, "greatest"), "least"), x),
)  # fmt: skip
