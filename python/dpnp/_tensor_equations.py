"""Products of several matrices, and linear equations of arrays."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import dpnp_ndarray
from dpep._array import linalg as bound
from dpep._array.dpnp import as_dpnp, check_arrays, checked_array, store_result

import dpnp
from dpnp._support import common_kind

__all__ = ["multi_dot", "tensorinv", "tensorsolve"]


def multi_dot(arrays: Sequence[object], *, out: object = None) -> dpnp_ndarray:
    """Return the product of several matrices, computed in the order that takes the fewest operations.

    Parameters
    ----------
    arrays : sequence of ndarray or usm_ndarray
        At least two matrices. The first and the last one may be vectors.
    out : ndarray, optional
        The array to store the result in.

    Examples
    --------
    >>> import dpnp as np
    >>> a = np.array([[1, 1], [0, 1]])
    >>> np.linalg.multi_dot([a, a, np.array([1, 2])])
    array([5, 2])
    """
    if len(arrays) < 2:
        raise ValueError(f"multi_dot: expected at least two arrays, got {len(arrays)}")
    check_arrays("multi_dot", *arrays)
    chain = [as_dpnp(a) for a in arrays]
    row, column = chain[0].ndim == 1, chain[-1].ndim == 1
    if row:
        chain[0] = dpt.expand_dims(chain[0], axis=0)
    if column:
        chain[-1] = dpt.expand_dims(chain[-1], axis=1)
    for a in chain:
        if a.ndim != 2:
            raise numpy.linalg.LinAlgError(f"multi_dot: expected matrices, got an array of {a.ndim} dimensions")
    result = _product(chain, _best_splits([a.shape[0] for a in chain] + [chain[-1].shape[1]]), 0, len(chain) - 1)
    if row:
        result = result[0]
    if column:
        result = result[..., 0]
    return store_result("multi_dot", result, out, "same_kind")


def _best_splits(lengths: list[int]) -> dict[tuple[int, int], int]:
    """For each part of the chain, first and last matrix, the last matrix of its left factor in the cheapest order."""
    count = len(lengths) - 1
    cost = {(i, i): 0 for i in range(count)}
    split = {}
    for size in range(1, count):
        for i in range(count - size):
            j = i + size
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + lengths[i] * lengths[k + 1] * lengths[j + 1], k) for k in range(i, j)
            )
    return split


def _product(chain: list[dpnp_ndarray], split: dict[tuple[int, int], int], i: int, j: int) -> dpnp_ndarray:
    if i == j:
        return chain[i]
    k = split[i, j]
    return dpnp.matmul(_product(chain, split, i, k), _product(chain, split, k + 1, j))


def tensorinv(a: object, ind: int = 2) -> dpnp_ndarray:
    """Return the inverse of an array as a linear map from its last axes to its first `ind` axes.

    >>> import dpnp as np
    >>> a = np.eye(6).reshape(6, 2, 3)
    >>> np.linalg.tensorinv(a, ind=1).shape
    (2, 3, 6)
    """
    a = checked_array("tensorinv", a)
    if operator.index(ind) <= 0:
        raise ValueError(f"tensorinv: ind must be positive, got {ind}")
    rows, columns = a.shape[:ind], a.shape[ind:]
    made = bound.inv(dpt.reshape(a, (math.prod(rows), math.prod(columns))))
    return dpt.reshape(made, columns + rows)


def tensorsolve(a: object, b: object, axes: Sequence[int] | None = None) -> dpnp_ndarray:
    """Return the x for which the sum of products of `a` and x over all axes of x is `b`.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        An array whose first axes are those of `b`; the others are those of x.
    b : ndarray or usm_ndarray
        The right side.
    axes : sequence of int, optional
        Axes of `a` that are moved to its end first.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.tensorsolve(np.eye(6).reshape(2, 3, 2, 3), np.ones((2, 3))).shape
    (2, 3)
    """
    check_arrays("tensorsolve", a, b)
    a, b = common_kind("tensorsolve", a, b), as_dpnp(b)
    if axes is not None:
        axes = normalize_axis_tuple(axes, a.ndim)
        a = dpt.permute_dims(a, tuple(i for i in range(a.ndim) if i not in axes) + tuple(axes))
    shape = a.shape[b.ndim - a.ndim :] if a.ndim > b.ndim else ()
    count = math.prod(shape)
    if a.size != count**2:
        raise numpy.linalg.LinAlgError(
            f"tensorsolve: arrays of shapes {a.shape} and {b.shape} are no square system of equations"
        )
    return dpt.reshape(bound.solve(dpt.reshape(a, (-1, count)), dpt.reshape(b, (-1,))), shape)
