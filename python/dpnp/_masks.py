"""Selection of elements by masks, and assignment to selected elements."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import check_safe_cast, checked_array, integer_indices, placed_like

from dpnp._shapes import moveaxis, ravel, resize
from dpnp._support import also_named, common_kind, get_result_array

__all__ = [
    "argwhere", "choose", "compress", "extract", "flatnonzero", "nonzero", "place", "put", "put_along_axis", "putmask",
]  # fmt: skip


def nonzero(a: object) -> tuple[dpnp_ndarray, ...]:
    """Return the indices of the elements that are not zero: an array for each axis.

    >>> import dpnp as np
    >>> np.nonzero(np.array([0, 7, 0, 9]))
    (array([1, 3]),)
    """
    return dpt.nonzero(checked_array("nonzero", a))


def flatnonzero(a: object) -> dpnp_ndarray:
    """Return the indices, in the flattened array, of the elements that are not zero.

    >>> import dpnp as np
    >>> np.flatnonzero(np.array([[0, 7], [0, 9]]))
    array([1, 3])
    """
    return nonzero(ravel(checked_array("flatnonzero", a)))[0]


def argwhere(a: object) -> dpnp_ndarray:
    """Return the indices of the elements that are not zero: a row for each element.

    >>> import dpnp as np
    >>> np.argwhere(np.array([[0, 7], [0, 9]]))
    array([[0, 1],
           [1, 1]])
    """
    a = checked_array("argwhere", a)
    if a.ndim == 0:
        return argwhere(dpt.reshape(a, (1,)))[:, :0]
    return dpt.stack(nonzero(a), axis=1)


@also_named(a="arr")
def extract(condition: object, arr: object) -> dpnp_ndarray:
    """Return the elements where a condition is true, in row-major order.

    Parameters
    ----------
    condition : ndarray, usm_ndarray or array_like
        The condition. Numbers are true if they are not 0. It is false for elements beyond its end.
    arr : ndarray or usm_ndarray
        Input array.

    >>> import dpnp as np
    >>> x = np.arange(5)
    >>> np.extract(x > 2, x)
    array([3, 4])
    """
    a = common_kind("extract", checked_array("extract", arr), condition)
    condition = placed_like(condition, a)
    if condition.size == a.size:
        return dpt.extract(ravel(condition), ravel(a))
    flat, condition = ravel(a), ravel(condition)
    beyond = condition[a.size :]
    if beyond.size and bool(dpt.any(beyond)):
        raise IndexError(f"extract: the condition is true beyond the {a.size} elements")
    return flat[nonzero(condition)[0]]


@also_named(a="arr")
def place(arr: object, mask: object, vals: object) -> None:
    """Set the elements where a mask is true, in row-major order, to values of a list, which is repeated as needed.

    >>> import dpnp as np
    >>> x = np.arange(5)
    >>> np.place(x, x > 1, [8, 9])
    >>> x
    array([0, 1, 8, 9, 8])
    """
    a = checked_array("place", arr)
    mask = placed_like(mask, a)
    if mask.size != a.size:
        raise ValueError(f"place: expected a mask of {a.size} elements, got {mask.size}")
    mask = dpt.reshape(dpt.astype(mask, dpt.bool, copy=False), a.shape)
    if isinstance(vals, array_base):
        check_safe_cast("place", vals, a)
    dpt.place(a, mask, ravel(placed_like(vals, a, a.dtype)))


def putmask(x1: object, mask: object, values: object) -> None:
    """Set the elements where a mask is true to the values at the same positions, which are repeated as needed.

    >>> import dpnp as np
    >>> x = np.arange(6).reshape(2, 3)
    >>> np.putmask(x, x > 2, x**2)
    >>> x
    array([[ 0,  1,  2],
           [ 9, 16, 25]])
    """
    a = checked_array("putmask", x1)
    mask, values = placed_like(mask, a), placed_like(values, a, a.dtype)
    if mask.size != a.size:
        raise ValueError(f"putmask: expected a mask of {a.size} elements, got {mask.size}")
    if values.size == 0:
        return
    if values.shape != a.shape:
        values = resize(values, a.shape)
    mask = dpt.reshape(dpt.astype(mask, dpt.bool, copy=False), a.shape)
    a[...] = dpt.where(mask, dpt.astype(values, a.dtype, casting="same_kind"), a)


def put(a: object, ind: object, v: object, *, axis: int | None = None, mode: str = "wrap") -> None:
    """Set the elements at indices along an axis, or of the flattened array.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        Array to write to.
    ind : array_like of int
        The indices, which are flattened.
    v : array_like
        Values. Fewer than indices are repeated; along an axis they are broadcast to the shape of the elements.
    axis : int, optional
        The axis; by default, the array is flattened.
    mode : {'wrap', 'clip'}, optional
        'wrap' limits indices to [-n, n), where negative ones count from the end; 'clip' limits them to [0, n).

    >>> import dpnp as np
    >>> x = np.arange(5)
    >>> np.put(x, [0, 2], [-44, -55])
    >>> x
    array([-44,   1, -55,   3,   4])
    """
    a = checked_array("put", a)
    ind, v = integer_indices("put", ravel(placed_like(ind, a))), placed_like(v, a, a.dtype)
    if v.size == 0:
        return None
    if axis is None and 1 < v.size < ind.size:
        v = resize(v, ind.size)
    if axis is not None or a.ndim == 1:
        return dpt.put(a, ind, v, axis=axis, mode=mode)
    flat = ravel(a)
    dpt.put(flat, ind, v, mode=mode)
    if not a.flags.c_contiguous:
        a[...] = dpt.reshape(flat, a.shape)
    return None


@also_named(a="arr", ind="indices")
def put_along_axis(arr: object, indices: object, values: object, axis: int | None, mode: str = "wrap") -> None:
    """Set the elements at indices along an axis, with indices for each row. `mode` as for `put`.

    >>> import dpnp as np
    >>> x = np.array([[10, 30, 20], [60, 40, 50]])
    >>> np.put_along_axis(x, np.argmax(x, axis=1, keepdims=True), 99, axis=1)
    >>> x
    array([[10, 99, 20],
           [99, 40, 50]])
    """
    a, ind = checked_array("put_along_axis", arr), checked_array("put_along_axis", indices)
    if axis is None:
        if ind.ndim != 1:
            raise ValueError(f"put_along_axis: without an axis, indices must have one axis, got shape {ind.shape}")
        return put(a, ind, ravel(placed_like(values, a, a.dtype)), mode=mode)
    return dpt.put_along_axis(a, ind, placed_like(values, a, a.dtype), axis=axis, mode=mode)


def compress(condition: object, a: object, axis: int | None = None, out: object = None) -> dpnp_ndarray:
    """Return the slices of an array along an axis for which a condition is true.

    Parameters
    ----------
    condition : array_like of bool
        The condition: a 1-d array with a value for each slice; false for slices beyond its end.
    a : ndarray or usm_ndarray
        Input array.
    axis : int, optional
        The axis; by default, the array is flattened.
    out : ndarray or usm_ndarray, optional
        Output array for the result.

    >>> import dpnp as np
    >>> np.compress([False, True], np.array([[1, 2], [3, 4]]), axis=1)
    array([[2],
           [4]])
    """
    a = common_kind("compress", checked_array("compress", a), condition)
    condition = placed_like(condition, a)
    if condition.ndim != 1:
        raise ValueError(f"compress: expected a condition with one axis, got shape {condition.shape}")
    if axis is None:
        a, axis = ravel(a), 0
    front = moveaxis(a, axis, 0)
    count, given = front.shape[0], condition.shape[0]
    condition = dpt.astype(condition, dpt.bool, copy=False)
    if given > count and bool(dpt.any(condition[count:])):
        raise IndexError(f"compress: the condition is true beyond the {count} elements along axis {axis}")
    result = moveaxis(front[:given][condition[:count]], 0, axis)
    return get_result_array(result, out)


@also_named(x="a")
def choose(a: object, choices: object, out: object = None, mode: str = "wrap") -> dpnp_ndarray:
    """Return an array with elements of several arrays: `a` has, for each position, the number of the array.

    Parameters
    ----------
    a : ndarray or usm_ndarray of int
        The number of a choice for each position.
    choices : sequence of ndarray or usm_ndarray, or one array
        The choices, which are broadcast together with `a`; of one array, those along its first axis.
    out : ndarray or usm_ndarray, optional
        Output array for the result.
    mode : {'wrap', 'clip'}, optional
        As for `put`.

    >>> import dpnp as np
    >>> np.choose(np.array([1, 0, 1]), [np.array([1, 2, 3]), np.array([10, 20, 30])])
    array([10,  2, 30])
    """
    x = checked_array("choose", a)
    if mode not in ("wrap", "clip"):
        raise ValueError(f"choose: mode must be 'wrap' or 'clip', got {mode!r}")
    if x.dtype.kind not in "biu":
        raise TypeError(f"choose: expected numbers of an integer dtype, got {x.dtype}")
    if not isinstance(choices, array_base | list | tuple):
        raise TypeError(f"choose: choices must be an array or a sequence of arrays, got {type(choices).__name__}")
    if isinstance(choices, array_base):
        choices = list(checked_array("choose", choices))
    all_choices = [placed_like(c, x) for c in choices]
    n = len(all_choices)
    if n == 0:
        raise ValueError("choose: expected at least one choice")
    x = dpt.clip(dpt.astype(x, dpt.int64, copy=False), -n if mode == "wrap" else 0, n - 1)
    x = dpt.where(x < 0, x + n, x)
    result = dpt.astype(all_choices[-1], dpt.result_type(*all_choices), copy=False)
    for number in range(n - 1):
        result = dpt.where(x == number, all_choices[number], result)
    if n == 1:
        result = dpt.copy(dpt.broadcast_to(result, dpt.broadcast_arrays(x, result)[0].shape))
    return get_result_array(result, out)
