"""Functions that apply other functions along axes, outer, Kronecker and cross products, select and piecewise."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable, Sequence

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index, normalize_axis_tuple
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import (
    as_dpnp,
    check_arrays,
    check_operands,
    checked_array,
    placed_like,
    placement_of,
    store_result,
)

from dpnp._creation import asarray
from dpnp._shapes import ravel
from dpnp._support import supported_dtype

__all__ = ["apply_along_axis", "apply_over_axes", "cross", "kron", "outer", "piecewise", "select"]


def apply_along_axis(
    func1d: Callable[..., object], axis: int, arr: object, *args: object, **kwargs: object
) -> dpnp_ndarray:
    """Return the results of a function applied to the 1-d slices of an array along an axis.

    Parameters
    ----------
    func1d : callable
        Called with each slice, a 1-d array, and `args` and `kwargs`. Returns arrays of equal shape, or numbers.
    axis : int
        The axis.
    arr : ndarray or usm_ndarray
        The array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.apply_along_axis(np.sum, 0, np.array([[1, 2], [3, 4]]))
    array([4, 6])
    """
    arr = checked_array("apply_along_axis", arr)
    axis = normalize_axis_index(axis, arr.ndim)
    rows = dpt.moveaxis(arr, axis, -1)
    lead = rows.shape[:-1]
    if 0 in lead:
        raise ValueError(f"apply_along_axis: an array of shape {arr.shape} has no slices to apply the function to")
    results = [
        asarray(func1d(rows[index], *args, **kwargs), usm_type=arr.usm_type, sycl_queue=arr.sycl_queue)
        for index in numpy.ndindex(*lead)
    ]
    inner = results[0].shape
    made = dpt.reshape(dpt.stack(results), lead + inner)
    return dpt.moveaxis(made, tuple(range(len(lead), made.ndim)), tuple(range(axis, axis + len(inner))))


def apply_over_axes(func: Callable[..., object], a: object, axes: int | Sequence[int]) -> dpnp_ndarray:
    """Return the result of a function applied along one axis after another.

    Parameters
    ----------
    func : callable
        Called with an array and an axis. Returns an array of as many axes, or one fewer.
    a : ndarray or usm_ndarray
        The array.
    axes : int or sequence of int
        The axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.apply_over_axes(np.sum, np.ones((2, 3, 4)), (0, 2)).shape
    (1, 3, 1)
    """
    a = checked_array("apply_over_axes", a)
    for axis in normalize_axis_tuple(axes, a.ndim):
        made = func(a, axis)
        if made.ndim == a.ndim - 1:
            made = dpt.expand_dims(made, axis=axis)
        if made.ndim != a.ndim:
            raise ValueError(
                f"apply_over_axes: the function must return {a.ndim} or {a.ndim - 1} axes, got {made.ndim}"
            )
        a = as_dpnp(made)
    return a


def outer(a: object, b: object, out: object = None) -> dpnp_ndarray:
    """Return the outer product of two flattened arrays: the matrix of products of all pairs of elements.

    >>> import dpnp as np
    >>> np.outer(np.array([1, 2]), np.array([3, 4]))
    array([[3, 4],
           [6, 8]])
    """
    check_operands("outer", a, b)
    placement_of("outer", a, b)
    if isinstance(out, array_base):  # before anything is computed
        dtype = dpt.result_type(a, b)
        if not numpy.can_cast(dtype, out.dtype, "same_kind"):
            raise TypeError(f"outer: {dtype} cannot be cast to {out.dtype} with casting='same_kind'")
    like = a if isinstance(a, array_base) else b
    a, b = ravel(placed_like(a, like)), ravel(placed_like(b, like))
    return store_result("outer", bound.multiply(dpt.reshape(a, (-1, 1)), b), out, "same_kind")


def kron(a: object, b: object) -> dpnp_ndarray:
    """Return the Kronecker product of arrays: blocks of `b`, each multiplied by an element of `a`.

    >>> import dpnp as np
    >>> np.kron(np.array([1, 10]), np.array([2, 3]))
    array([ 2,  3, 20, 30])
    """
    check_operands("kron", a, b)
    if not isinstance(a, array_base) and not isinstance(b, array_base):
        raise TypeError("kron: expected at least one array, got only numbers")
    a, b = placed_like(a, b), placed_like(b, a)  # as in NumPy, numbers become arrays of their default types
    n = max(a.ndim, b.ndim)
    a = dpt.reshape(a, (1,) * (n - a.ndim) + a.shape)
    b = dpt.reshape(b, (1,) * (n - b.ndim) + b.shape)
    spread = dpt.expand_dims(a, axis=tuple(range(1, 2 * n, 2))) * dpt.expand_dims(b, axis=tuple(range(0, 2 * n, 2)))
    return dpt.reshape(spread, tuple(i * j for i, j in zip(a.shape, b.shape)))


def cross(
    a: object, b: object, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> dpnp_ndarray:
    """Return the cross products of vectors of 2 or 3 elements.

    Parameters
    ----------
    a, b : ndarray or usm_ndarray
        The vectors. Their other axes are broadcast. Vectors of two elements have a third element 0.
    axisa, axisb, axisc : int, optional
        The axes of the vectors in `a`, `b` and the result; the result of vectors of two elements has none.
    axis : int, optional
        The axis for all three.

    Examples
    --------
    >>> import dpnp as np
    >>> np.cross(np.array([1, 0, 0]), np.array([0, 1, 0]))
    array([0, 0, 1])
    """
    check_arrays("cross", a, b)
    placement_of("cross", a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_dpnp(a), as_dpnp(b)
    if a.dtype.kind == b.dtype.kind == "b":
        raise TypeError("cross: not defined for bools")
    a = dpt.moveaxis(a, normalize_axis_index(axisa, a.ndim, "axisa"), -1)
    b = dpt.moveaxis(b, normalize_axis_index(axisb, b.ndim, "axisb"), -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError(f"cross: vectors must have 2 or 3 elements, got {a.shape[-1]} and {b.shape[-1]}")
    last = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    if a.shape[-1] == b.shape[-1] == 2:
        return last
    if a.shape[-1] == 2:
        first, second = a[..., 1] * b[..., 2], -(a[..., 0] * b[..., 2])
    elif b.shape[-1] == 2:
        first, second = -(a[..., 2] * b[..., 1]), a[..., 2] * b[..., 0]
    else:
        first = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
        second = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    made = dpt.stack([first, second, last], axis=-1)
    return dpt.moveaxis(made, -1, normalize_axis_index(axisc, made.ndim, "axisc"))


def select(condlist: Sequence[object], choicelist: Sequence[object], default: object = 0) -> dpnp_ndarray:
    """Return, for each position, the element of the first choice whose condition is true there.

    Parameters
    ----------
    condlist : sequence of ndarray or usm_ndarray of bool
        The conditions.
    choicelist : sequence of ndarray, usm_ndarray or number
        The choices.
    default : number or ndarray, optional
        The value where no condition is true.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(5)
    >>> np.select([x < 2, x > 3], [x, x * 10], -1)
    array([ 0,  1, -1, -1, 40])
    """
    if not condlist or len(condlist) != len(choicelist):
        raise ValueError(
            f"select: expected as many conditions as choices, at least one, got {len(condlist)} and {len(choicelist)}"
        )
    check_arrays("select", *condlist)
    check_arrays("select", *(choice for choice in choicelist if not isinstance(choice, numbers.Number)))
    placement_of("select", *condlist, *choicelist, default)
    for condition in condlist:
        if condition.dtype.kind != "b":
            raise TypeError(f"select: conditions must be arrays of bool, got dtype {condition.dtype}")
    operands = (*choicelist, default)
    if all(isinstance(x, numbers.Number) for x in operands):
        dtype = supported_dtype(numpy.result_type(*operands), condlist[0].sycl_device)
    else:
        dtype = dpt.result_type(*operands)
    *choices, result = (dpt.astype(placed_like(x, condlist[0], dtype), dtype, copy=False) for x in operands)
    for condition, choice in zip(reversed(condlist), reversed(choices)):
        result = dpt.where(as_dpnp(condition), choice, result)
    return result


def piecewise(x: object, condlist: object, funclist: Sequence[object], *args: object, **kw: object) -> dpnp_ndarray:
    """Return the values of a function that is defined by conditions.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The arguments.
    condlist : sequence of ndarray or usm_ndarray of bool, or one of them
        Where each function applies, in the shape of `x`. The last condition that is true counts.
    funclist : sequence of callable or number
        A function or a constant for each condition, and optionally one more, for elements without a true condition.
        A function is called with the elements that its condition is true for.
    *args, **kw
        Further arguments of the functions.

    Returns
    -------
    ndarray
        Values in the dtype of `x`, to which the functions' results are cast.

    Raises
    ------
    TypeError
        When `x` or a condition is not an array.
    ValueError
        When the numbers of conditions and functions do not match.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([-2.0, 1.0, 3.0])
    >>> np.piecewise(x, [x < 0, x > 2], [abs, lambda y: y * 10, 0])
    array([ 2.,  0., 30.])
    """
    x = checked_array("piecewise", x)
    given = [condlist] if isinstance(condlist, array_base) and condlist.ndim == x.ndim else list(condlist)
    check_arrays("piecewise", *given)
    placement_of("piecewise", x, *given)
    conditions = [dpt.astype(as_dpnp(c), bool, copy=False) for c in given]
    if len(funclist) == len(conditions) + 1:
        found = functools.reduce(bound.logical_or, conditions)
        conditions.append(bound.logical_not(found))
    elif len(funclist) != len(conditions):
        raise ValueError(
            f"piecewise: with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} "
            f"functions are expected, got {len(funclist)}"
        )
    result = dpt.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if not callable(function):
            result[condition] = function
            continue
        elements = x[condition]
        if elements.size:
            result[condition] = function(elements, *args, **kw)
    return result
