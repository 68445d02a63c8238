"""Functions composed of others: diff and meshgrid."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Literal

from dpep._array import array_base, check_same_queue, tensor

from dpctl.tensor._numpy_helper import normalize_axis_index

if TYPE_CHECKING:
    from dpctl.tensor import usm_ndarray


def _beside(x: usm_ndarray, extra: object, axis: int, name: str) -> usm_ndarray:
    """`prepend` or `append` as an array that can be joined with x along the axis."""
    from dpctl.tensor import asarray

    if isinstance(extra, array_base):
        check_same_queue(x.sycl_queue, extra.sycl_queue, "diff")
    else:
        weak = isinstance(extra, (bool, int, float, complex))
        if not weak and not hasattr(extra, "dtype"):
            try:
                memoryview(extra)
            except TypeError:
                raise ValueError(f"diff: {name} must be an array or a number, got {type(extra).__name__}") from None
        extra = asarray(
            extra, dtype=tensor.result_type(x, extra) if weak else None, usm_type=x.usm_type, sycl_queue=x.sycl_queue
        )
    if extra.ndim == 0:
        return tensor.broadcast_to(extra, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
    others = [length for i, length in enumerate(extra.shape) if i != axis]
    if extra.ndim != x.ndim or others != [length for i, length in enumerate(x.shape) if i != axis]:
        raise ValueError(
            f"diff: shape {extra.shape} of {name} is invalid: expected x's shape {x.shape} except along axis {axis}"
        )
    return extra


def diff(
    x: usm_ndarray,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: usm_ndarray | complex | None = None,
    append: usm_ndarray | complex | None = None,
) -> usm_ndarray:
    """Return the n-th differences of neighbours along an axis: x[i + 1] - x[i]; for bools, whether they differ.

    Parameters
    ----------
    x : usm_ndarray
        The array.
    axis : int, optional
        The axis.
    n : int, optional
        Number of times differences are taken.
    prepend, append : usm_ndarray or number, optional
        Values to put before and after `x` along the axis first.

    Raises
    ------
    TypeError
        When `x` is not an array, or `n` or `axis` is not an int.
    ValueError
        When `n` is negative, or the shapes do not match.
    numpy.exceptions.AxisError
        For an axis that `x` does not have.
    ExecutionPlacementError
        When arrays are on different queues.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> dpt.diff(dpt.asarray([1, 4, 9]), prepend=0)
    usm_ndarray([1, 3, 5])
    """
    if not isinstance(x, array_base):
        raise TypeError(f"diff: Expecting dpctl.tensor.usm_ndarray type, got {type(x).__name__} for x")
    axis, n = normalize_axis_index(axis, x.ndim), operator.index(n)
    if n < 0:
        raise ValueError(f"diff: n must be positive or 0, got {n}")
    parts = [
        *([] if prepend is None else [_beside(x, prepend, axis, "prepend")]),
        x,
        *([] if append is None else [_beside(x, append, axis, "append")]),
    ]
    if len(parts) > 1:
        x = tensor.concat(parts, axis=axis)
    whole = (slice(None),) * axis
    subtract = tensor.not_equal if x.dtype.kind == "b" else tensor.subtract
    for _ in range(n):
        x = subtract(x[(*whole, slice(1, None))], x[(*whole, slice(None, -1))])
    return x


def meshgrid(*arrays: usm_ndarray, indexing: Literal["xy", "ij"] = "xy") -> list[usm_ndarray]:
    """Return coordinate arrays of the points of a grid, given the coordinates along each axis.

    Parameters
    ----------
    *arrays : usm_ndarray
        The coordinates along each axis: 1-d arrays of the same dtype.
    indexing : str, optional
        'ij': array i varies along axis i. 'xy': the first two axes are swapped.

    Returns
    -------
    list of usm_ndarray
        For each array, an array of the grid's shape.

    Raises
    ------
    TypeError
        When an argument is not an array.
    ValueError
        For arrays that are not 1-d or of different dtypes, and for another `indexing`.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> x, y = dpt.meshgrid(dpt.arange(3), dpt.arange(2))
    >>> y
    usm_ndarray([[0, 0, 0],
                 [1, 1, 1]])
    """
    from dpctl.tensor import usm_ndarray

    for a in arrays:
        if not isinstance(a, usm_ndarray):
            raise TypeError(f"meshgrid: arrays must be a usm_ndarray each, got {type(a).__name__}")
        if a.ndim != 1:
            raise ValueError(f"meshgrid: arrays must have one dimension, got shape {a.shape}")
        if a.dtype != arrays[0].dtype:
            raise ValueError(f"meshgrid: arrays must have the same dtype, got {arrays[0].dtype} and {a.dtype}")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', got {indexing!r}")
    if not arrays:
        return []
    places = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        places[:2] = 1, 0
    grid = [
        tensor.reshape(a, [-1 if i == place else 1 for i in range(len(arrays))], copy=True)
        for a, place in zip(arrays, places)
    ]
    return list(tensor.broadcast_arrays(*grid))
