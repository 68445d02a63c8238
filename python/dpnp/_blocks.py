"""Arrays made of blocks: block, r_ and c_."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, placed_like, placement_of

from dpnp._creation import asarray
from dpnp._ranges import arange, linspace

__all__ = ["AxisConcatenator", "block", "c_", "r_"]


def _depth(blocks: object, path: str = "arrays") -> int:
    """The depth of nested lists, which must be that of each list."""
    if isinstance(blocks, tuple):
        raise TypeError(f"block: {path} is a tuple; only lists can be used to arrange blocks")
    if not isinstance(blocks, list):
        return 0
    if not blocks:
        raise ValueError(f"block: list depths are mismatched or {path} is empty")
    depths = {_depth(x, f"{path}[{i}]") for i, x in enumerate(blocks)}
    if len(depths) > 1:
        raise ValueError(f"block: list depths are mismatched in {path}: {sorted(d + 1 for d in depths)}")
    return depths.pop() + 1


def _leaves(blocks: object) -> list[object]:
    return [leaf for x in blocks for leaf in _leaves(x)] if isinstance(blocks, list) else [blocks]


def _with_axes(x: dpnp_ndarray, ndim: int) -> dpnp_ndarray:
    return dpt.reshape(x, (1,) * (ndim - x.ndim) + x.shape) if x.ndim < ndim else x


# The least number of elements of which each is stored once, at its place in the result. Below, joining the blocks of
# each level is faster, which copies an element once for each level.
_LARGE = 1 << 16


def _placed(blocks: object, like: dpnp_ndarray, ndim: int) -> object:
    """The nested lists with arrays of `ndim` axes as leaves."""
    if isinstance(blocks, list):
        return [_placed(x, like, ndim) for x in blocks]
    return _with_axes(placed_like(blocks, like), ndim)


def _joined_shape(blocks: object, level: int) -> tuple[int, ...] | None:
    """The shape of the joined blocks; None if theirs do not match."""
    if not isinstance(blocks, list):
        return blocks.shape
    shapes = [_joined_shape(x, level - 1) for x in blocks]
    if None in shapes:
        return None
    axis = len(shapes[0]) - level
    if any(s[:axis] + s[axis + 1 :] != shapes[0][:axis] + shapes[0][axis + 1 :] for s in shapes):
        return None
    return (*shapes[0][:axis], sum(s[axis] for s in shapes), *shapes[0][axis + 1 :])


def _store(to: dpnp_ndarray, blocks: object, level: int) -> None:
    """Store blocks, whose shapes match, at their places in an array."""
    if not isinstance(blocks, list):
        to[...] = blocks
        return
    axis, start = to.ndim - level, 0
    for x in blocks:
        stop = start + _joined_shape(x, level - 1)[axis]
        _store(to[(slice(None),) * axis + (slice(start, stop),)], x, level - 1)
        start = stop


def block(arrays: object) -> dpnp_ndarray:
    """Return an array that is made of blocks, which nested lists arrange.

    Blocks in the innermost lists are joined along the last axis, these along the second last, and so on.

    Parameters
    ----------
    arrays : nested list of ndarray, usm_ndarray or number
        The blocks, of which at least one is an array. They get new axes in front, up to the depth of the lists.

    Raises
    ------
    TypeError
        For tuples, and when no block is an array.
    ValueError
        For lists of different depths, empty lists and shapes that do not match.

    Examples
    --------
    >>> import dpnp as np
    >>> np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [1., 1., 1.]])
    """
    depth, leaves = _depth(arrays), _leaves(arrays)
    like = next((x for x in leaves if isinstance(x, array_base)), None)
    if like is None:
        raise TypeError("block: expected at least one array, got only numbers")
    placement_of("block", *leaves)
    ndim = max(depth, *(numpy.ndim(x) if not isinstance(x, array_base) else x.ndim for x in leaves))

    def joined(blocks: object, level: int) -> dpnp_ndarray:
        if not isinstance(blocks, list):
            return _with_axes(placed_like(blocks, like), ndim)
        return dpt.concat([joined(x, level - 1) for x in blocks], axis=-level)

    if depth > 1 and sum(x.size for x in leaves if isinstance(x, array_base)) >= _LARGE:
        tree = _placed(arrays, like, ndim)
        shape = _joined_shape(tree, depth)
        if shape is not None:
            parts = _leaves(tree)
            place = {"usm_type": parts[0].usm_type, "sycl_queue": parts[0].sycl_queue}
            made = as_dpnp(dpt.empty(shape, dtype=dpt.result_type(*parts), **place))
            _store(made, tree, depth)
            return made
    made = joined(arrays, depth)
    return dpt.copy(made) if depth == 0 else made


class AxisConcatenator:
    """The type of `r_` and `c_`: indexing joins arrays, numbers and ranges that are written as slices.

    A str as the first item names the axis, and optionally the least number of axes and the axis of arrays with fewer
    axes that is their first, as in NumPy.

    >>> import dpnp as np
    >>> np.r_[np.array([1, 2]), 0, 4:6]
    array([1, 2, 0, 4, 5])
    >>> np.c_[np.array([1, 2]), np.array([3, 4])]
    array([[1, 3],
           [2, 4]])
    """

    def __init__(self, axis: int = 0, ndmin: int = 1, trans1d: int = -1) -> None:
        self._axis, self._ndmin, self._trans1d = axis, ndmin, trans1d

    def _part(self, x: object, place: dict[str, object], ndmin: int, first: int) -> dpnp_ndarray:
        """A slice's range, or an array, with at least `ndmin` axes."""
        if isinstance(x, slice):
            start, step = 0 if x.start is None else x.start, 1 if x.step is None else x.step
            if isinstance(step, complex):
                part = linspace(start, x.stop, int(abs(step)), **place)
            else:
                part = arange(start, x.stop, step, **place)
            part = _with_axes(part, ndmin)
            return dpt.swapaxes(part, -1, first) if ndmin > 1 and first != -1 else part
        part = as_dpnp(x) if isinstance(x, array_base) else asarray(x, **place)
        missing = ndmin - part.ndim
        if missing <= 0:
            return part
        part = _with_axes(part, ndmin)
        if first == -1:
            return part
        at, axes = first + missing + 1 if first < 0 else first, list(range(ndmin))
        return dpt.permute_dims(part, axes[:at] + axes[missing:] + axes[at:missing])

    def _joined(self, items: tuple[object, ...], axis: int, ndmin: int, first: int) -> dpnp_ndarray:
        if not items:
            raise ValueError("r_: need at least one array to concatenate")
        place = placement_of("r_", *items)
        numbers = [x for x in items if isinstance(x, (bool, int, float, complex))]
        if len(numbers) in (0, len(items)):
            return dpt.concat([self._part(x, place, ndmin, first) for x in items], axis=axis)
        # Numbers have no dtype of their own beside arrays.
        parts = [x if isinstance(x, (bool, int, float, complex)) else self._part(x, place, ndmin, first) for x in items]
        dtype, one = dpt.result_type(*parts), (1,) * ndmin
        for i, x in enumerate(parts):
            if isinstance(x, array_base):
                parts[i] = dpt.astype(x, dtype, copy=False)
            else:
                parts[i] = dpt.full(one, x, dtype=dtype, **place)
        return as_dpnp(dpt.concat(parts, axis=axis))

    def __getitem__(self, key: object) -> dpnp_ndarray:
        items = key if isinstance(key, tuple) else (key,)
        axis, ndmin, first = self._axis, self._ndmin, self._trans1d
        if items and isinstance(items[0], str):
            directive, items = items[0], items[1:]
            if directive in ("r", "c"):
                raise NotImplementedError(f"r_: {directive!r} makes a matrix, which dpnp does not have")
            try:
                numbers = [int(n) for n in directive.split(",")]
            except ValueError:
                raise ValueError(f"r_: unknown special directive {directive!r}") from None
            axis, ndmin, first = (*numbers, *(axis, ndmin, first)[len(numbers) :])
        if any(isinstance(x, str) for x in items):
            raise ValueError("r_: special directives must be the first entry")
        return self._joined(items, axis, ndmin, first)

    def __len__(self) -> int:
        return 0


r_ = AxisConcatenator()
c_ = AxisConcatenator(-1, 2, 0)
