"""Functions that join and split arrays."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, checked_array, placed_like, store_result

from dpnp._shapes import atleast_3d, ravel
from dpnp._support import as_numbers

__all__ = [
    "append", "array_split", "column_stack", "concat", "concatenate", "dsplit", "dstack", "hsplit", "hstack",
    "row_stack", "split", "stack", "unstack", "vsplit", "vstack",
]  # fmt: skip

_Arrays = Sequence[object]


def _listed(name: str, arrays: _Arrays) -> list[dpnp_ndarray]:
    if not hasattr(arrays, "__getitem__"):
        raise TypeError(
            f"{name}: arrays to stack must be a sequence such as a list or a tuple, got {type(arrays).__name__}"
        )
    parts = [checked_array(name, a) for a in arrays]
    if not parts:
        raise ValueError(f"{name}: need at least one array, got none")
    return parts


def _are_columns(arrays: list[dpnp_ndarray], axis: int) -> bool:
    """Whether arrays whose first axes vary fastest can be joined along the axis."""
    n = arrays[0].ndim
    if n < 2 or not -n <= axis < n or any(a.ndim != n or a.flags.c_contiguous for a in arrays):
        return False
    steps = ([abs(step) for step, m in zip(a.strides, a.shape, strict=True) if m != 1] for a in arrays)
    if any(few >= many for given in steps for few, many in itertools.pairwise(given)):
        return False
    return len({tuple(m for i, m in enumerate(a.shape) if i != axis % n) for a in arrays}) == 1


def _joined(
    name: str, join: object, arrays: list[dpnp_ndarray], axis: int | None, out: object, dtype: object, casting: str
) -> dpnp_ndarray:
    if dtype is not None and out is not None:
        raise TypeError(f"{name}: either out or dtype can be given, not both")
    if join is dpt.concat and isinstance(axis, int) and _are_columns(arrays, axis):  # so is the result, as NumPy's
        result = join([a.T for a in arrays], axis=-1 - axis).T
    else:
        result = join(arrays, axis=axis)
    if dtype is not None:
        return dpt.astype(result, dtype, casting=casting, copy=False)
    return result if out is None else store_result(name, result, out, casting)


def concatenate(
    arrays: _Arrays,
    /,
    axis: int | None = 0,
    out: object = None,
    *,
    dtype: object = None,
    casting: str = "same_kind",
) -> dpnp_ndarray:
    """Join arrays along an existing axis.

    Parameters
    ----------
    arrays : sequence of ndarray or usm_ndarray
        Arrays with equal lengths of all other axes.
    axis : int, optional
        The axis; the flattened arrays when None.
    out : ndarray or usm_ndarray, optional
        Output array for the result.
    dtype : dtype, optional
        Data type of the result.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        The rule for casts to `dtype` or `out`; TypeError for casts that it does not allow.

    Examples
    --------
    >>> import dpnp as np
    >>> np.concatenate([np.arange(2), np.ones(1)])
    array([0., 1., 1.])
    """
    return _joined("concatenate", dpt.concat, _listed("concatenate", arrays), axis, out, dtype, casting)


concat = concatenate


def stack(
    arrays: _Arrays,
    axis: int = 0,
    out: object = None,
    *,
    dtype: object = None,
    casting: str = "same_kind",
) -> dpnp_ndarray:
    """Join arrays of equal shape along a new axis. The arguments are those of `concatenate`.

    >>> import dpnp as np
    >>> np.stack([np.arange(2), np.arange(2)], axis=1)
    array([[0, 0],
           [1, 1]])
    """
    return _joined("stack", dpt.stack, _listed("stack", arrays), axis, out, dtype, casting)


def hstack(tup: _Arrays, *, dtype: object = None, casting: str = "same_kind") -> dpnp_ndarray:
    """Join arrays horizontally: along the second axis, 1-d arrays along the first. Keywords as in `concatenate`.

    >>> import dpnp as np
    >>> np.hstack([np.arange(2), np.arange(2)])
    array([0, 1, 0, 1])
    """
    arrays = [a if a.ndim else dpt.reshape(a, (1,)) for a in _listed("hstack", tup)]
    return _joined("hstack", dpt.concat, arrays, 0 if arrays[0].ndim == 1 else 1, None, dtype, casting)


def vstack(tup: _Arrays, *, dtype: object = None, casting: str = "same_kind") -> dpnp_ndarray:
    """Join arrays vertically: along the first axis, 1-d arrays as rows. Keywords as in `concatenate`.

    >>> import dpnp as np
    >>> np.vstack([np.arange(2), np.arange(2)])
    array([[0, 1],
           [0, 1]])
    """
    arrays = [a if a.ndim > 1 else dpt.reshape(a, (1, a.size)) for a in _listed("vstack", tup)]
    return _joined("vstack", dpt.concat, arrays, 0, None, dtype, casting)


row_stack = vstack


def dstack(tup: _Arrays) -> dpnp_ndarray:
    """Join arrays along the third axis.

    >>> import dpnp as np
    >>> np.dstack([np.arange(2), np.arange(2)]).shape
    (1, 2, 2)
    """
    arrays = [a if a.ndim > 2 else atleast_3d(a) for a in _listed("dstack", tup)]
    return _joined("dstack", dpt.concat, arrays, 2, None, None, "same_kind")


def column_stack(tup: _Arrays) -> dpnp_ndarray:
    """Join 1-d arrays, as columns, and matrices along the second axis.

    >>> import dpnp as np
    >>> np.column_stack([np.arange(2), np.arange(2)])
    array([[0, 0],
           [1, 1]])
    """
    columns = [a if a.ndim > 1 else dpt.reshape(a, (a.size, 1)) for a in _listed("column_stack", tup)]
    return _joined("column_stack", dpt.concat, columns, 1, None, None, "same_kind")


def append(arr: object, values: object, axis: int | None = None) -> dpnp_ndarray:
    """Return a new array with values appended along an axis; both flattened when `axis` is None.

    >>> import dpnp as np
    >>> np.append(np.arange(2), [7, 8])
    array([0, 1, 7, 8])
    """
    arr = checked_array("append", arr)
    values = as_dpnp(placed_like(values, arr))
    if axis is None:
        arr, values, axis = ravel(arr), ravel(values), 0
    return _joined("append", dpt.concat, [arr, values], axis, None, None, "same_kind")


def array_split(ary: object, indices_or_sections: object, axis: int = 0) -> list[dpnp_ndarray]:
    """Split an array along an axis into views.

    Parameters
    ----------
    ary : ndarray or usm_ndarray
        The array.
    indices_or_sections : int or sequence of int
        The number of parts, of which the first ones are longer by one where the length is not divisible; or the indices
        at which all parts but the first begin.
    axis : int, optional
        The axis.

    Examples
    --------
    >>> import dpnp as np
    >>> np.array_split(np.arange(5), 2)
    [array([0, 1, 2]), array([3, 4])]
    """
    ary = checked_array("array_split", ary)
    total = ary.shape[axis]
    if isinstance(indices_or_sections, array_base):
        if indices_or_sections.ndim > 1:
            raise ValueError(f"array_split: indices must have one axis, got {indices_or_sections.ndim}")
        indices_or_sections = dpt.asnumpy(indices_or_sections).tolist()
    try:
        edges = [0, *(operator.index(i) for i in indices_or_sections), total]
    except TypeError:
        if isinstance(indices_or_sections, str):
            raise
        count = int(indices_or_sections)
        if count <= 0:
            raise ValueError(f"array_split: the number of parts must be positive, got {count}") from None
        each, longer = divmod(total, count)
        edges = [i * each + min(i, longer) for i in range(count + 1)]
    lead = (slice(None),) * (axis % ary.ndim)
    return [ary[(*lead, slice(start, stop))] for start, stop in itertools.pairwise(edges)]


def split(ary: object, indices_or_sections: object, axis: int = 0) -> list[dpnp_ndarray]:
    """Split an array along an axis into views, as `array_split`. ValueError for a number of parts of unequal lengths.

    >>> import dpnp as np
    >>> np.split(np.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    check_arrays("split", ary)
    indices_or_sections = as_numbers(indices_or_sections)
    if ary.ndim <= axis:
        raise IndexError(f"split: axis {axis} is out of range for an array of {ary.ndim} axes")
    if numpy.ndim(indices_or_sections) == 0 and ary.shape[axis] % indices_or_sections:
        raise ValueError(
            f"split: an axis of length {ary.shape[axis]} does not split into {indices_or_sections} parts of equal "
            "length; array_split allows parts of different lengths"
        )
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary: object, indices_or_sections: object) -> list[dpnp_ndarray]:
    """Split an array horizontally: along the second axis, a 1-d array along the first. As `split`.

    >>> import dpnp as np
    >>> [x.shape for x in np.hsplit(np.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    check_arrays("hsplit", ary)
    if ary.ndim == 0:
        raise ValueError("hsplit: the array must have at least one axis")
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary: object, indices_or_sections: object) -> list[dpnp_ndarray]:
    """Split an array of at least two axes vertically: along the first axis. As `split`.

    >>> import dpnp as np
    >>> [x.shape for x in np.vsplit(np.ones((4, 2)), 2)]
    [(2, 2), (2, 2)]
    """
    check_arrays("vsplit", ary)
    if ary.ndim < 2:
        raise ValueError(f"vsplit: the array must have at least two axes, got {ary.ndim}")
    return split(ary, indices_or_sections, 0)


def dsplit(ary: object, indices_or_sections: object) -> list[dpnp_ndarray]:
    """Split an array along the third axis. As `split`.

    >>> import dpnp as np
    >>> [x.shape for x in np.dsplit(np.ones((1, 1, 4)), 2)]
    [(1, 1, 2), (1, 1, 2)]
    """
    check_arrays("dsplit", ary)
    if ary.ndim < 3:
        raise ValueError(f"dsplit: the array must have at least three axes, got {ary.ndim}")
    return split(ary, indices_or_sections, 2)


def unstack(x: object, /, *, axis: int = 0) -> tuple[dpnp_ndarray, ...]:
    """Return a view for each index along an axis.

    >>> import dpnp as np
    >>> np.unstack(np.array([[1, 2], [3, 4]]))
    (array([1, 2]), array([3, 4]))
    """
    check_arrays("unstack", x)
    if x.ndim == 0:
        raise ValueError("unstack: the array must have at least one axis")
    return dpt.unstack(as_dpnp(x), axis=axis)
