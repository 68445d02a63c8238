"""Norms of sparse matrices."""

from __future__ import annotations

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse._arguments import axis_from
from dpnp.scipy.sparse._base import Sparse

__all__ = ["norm"]


def norm(x: Sparse, ord: object = None, axis: object = None) -> dpnp_ndarray:
    """Return a norm of a sparse matrix, or of its rows or columns.

    Parameters
    ----------
    x : sparse matrix or array
        The matrix.
    ord : {None, 'fro', 1, -1, inf, -inf, 0 or another number}, optional
        Of matrices: the Frobenius norm by default, the largest or smallest sum of a column (1, -1) or of a row
        (inf, -inf). Of vectors: the sum of powers of that order, for 0 the number of elements that are not zero.
    axis : int, optional
        0 for norms of columns, 1 for those of rows.

    Raises
    ------
    TypeError
        For objects that are no sparse matrices.
    NotImplementedError
        For norms of matrices that need singular values.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.linalg.norm(sparse.diags([3.0, 4.0]))
    array(5.)
    """
    if not isinstance(x, Sparse):
        raise TypeError("input is not sparse. use dpnp.linalg.norm")
    x = x.tocsr()
    if x.dtype.kind in "bi":
        x = x.astype(dpnp.default_float_type(sycl_queue=x.sycl_queue))
    if isinstance(axis, tuple):
        if len(axis) == 1:
            axis = axis[0]
        elif sorted(axis_from("norm", a) for a in axis) == [0, 1]:
            axis = None
        else:
            raise ValueError(f"Invalid axis {axis!r} for an array with shape {x.shape!r}")
    x.sum_duplicates()
    if axis is None:
        if ord in (None, "fro", "f"):
            return dpnp.linalg.norm(x.data)
        if ord in (2, -2, "nuc"):
            raise NotImplementedError(
                f"norm: ord={ord!r} needs singular values, which sparse matrices do not have here"
            )
        if ord in (1, -1, numpy.inf, -numpy.inf):
            sums = abs(x).sum(axis=0 if ord in (1, -1) else 1)
            return dpnp.max(sums) if ord > 0 else dpnp.min(sums)
        raise ValueError("Invalid norm order for matrices.")
    axis = axis_from("norm", axis)
    if ord == numpy.inf or ord == -numpy.inf:
        made = abs(x).max(axis) if ord > 0 else abs(x).min(axis)
        return made.toarray().reshape(-1) if isinstance(made, Sparse) else made
    if ord == 0:
        return x.count_nonzero(axis).astype("int64")
    if ord == 1:
        return abs(x).sum(axis).reshape(-1)
    if ord in (2, None):
        return dpnp.sqrt(abs(x).power(2).sum(axis).reshape(-1))
    if isinstance(ord, str):
        raise ValueError("Invalid norm order for vectors.")
    return abs(x).power(ord).sum(axis).reshape(-1) ** (1 / ord)
