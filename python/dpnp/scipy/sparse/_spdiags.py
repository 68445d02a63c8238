"""Sparse matrices from diagonals that are aligned by columns."""

from __future__ import annotations

import operator

import dpnp
from dpnp._support import host_array
from dpnp.scipy.sparse import _rows
from dpnp.scipy.sparse._arguments import as_array, checked_shape
from dpnp.scipy.sparse._base import Sparse
from dpnp.scipy.sparse._construct import _place
from dpnp.scipy.sparse._coo import class_of
from dpnp.scipy.sparse._rows import value_dtype

__all__ = ["spdiags"]


def spdiags(
    data: object,
    diags: object,
    m: int | tuple[int, int] | None = None,
    n: int | None = None,
    format: str | None = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return a sparse matrix from its diagonals, whose elements are at the indices of their columns.

    Parameters
    ----------
    data : ndarray or array_like
        The diagonals, one in each row. Elements of columns beyond the matrix are not used.
    diags : int or sequence of ints
        The diagonals: 0 is the main one, positive ones are above it.
    m, n : int, optional
        The numbers of rows and of columns, or `m` both; by default both are the length of the diagonals.
    format : {'csr', 'csc', 'coo'}, optional
        The format, 'csr' by default.
    device, usm_type, sycl_queue : optional
        Where the matrix is created, if the diagonals are not on a device.

    Returns
    -------
    csr_matrix, csc_matrix or coo_matrix
        The matrix, without zeros.

    Raises
    ------
    ValueError
        When there is not one diagonal for each row of `data`, and for a diagonal that is given twice.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.spdiags(np.array([[1, 2, 3], [4, 5, 6]]), [0, 1], 3, 3).toarray()
    array([[1, 5, 0],
           [0, 2, 6],
           [0, 0, 3]])
    """
    x = dpnp.atleast_2d(as_array(data, _place(device, usm_type, sycl_queue)))
    if x.ndim != 2:
        raise ValueError(f"spdiags: data must have at most two axes, got shape {x.shape}")
    if m is None and n is None:
        m = n = x.shape[1]
    elif n is None:
        m, n = m  # type: ignore[misc]
    m, n = checked_shape("spdiags", (m, n))
    offsets = [operator.index(k) for k in host_array(diags).reshape(-1).tolist()]
    if len(offsets) != x.shape[0]:
        raise ValueError(
            f"spdiags: number of diagonals ({x.shape[0]}) does not match the number of offsets ({len(offsets)})"
        )
    if len(set(offsets)) != len(offsets):
        raise ValueError("spdiags: offset array contains duplicate values")
    x = x.astype(value_dtype("spdiags", x.dtype), copy=False)
    place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
    columns = dpnp.arange(x.shape[1], dtype=_rows.index_dtype(max(m, n)), **place)[None, :]
    rows = columns - dpnp.asarray(offsets, dtype=columns.dtype, **place)[:, None]
    used = (rows >= 0) & (rows < m) & (columns < n) & (x != 0)
    columns = dpnp.broadcast_to(columns, rows.shape)
    return class_of(False)._from_elements(x[used], rows[used], columns[used], (m, n)).asformat(format or "csr")
