"""Whether objects are sparse matrices of a format."""

from __future__ import annotations

from dpnp.scipy.sparse._compressed import csc_matrix, csr_matrix
from dpnp.scipy.sparse._coo import coo_matrix

__all__ = ["isspmatrix_coo", "isspmatrix_csc", "isspmatrix_csr"]


def isspmatrix_csr(x: object) -> bool:
    """Whether this is a csr_matrix.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.isspmatrix_csr(sparse.eye(2))
    True
    """
    return isinstance(x, csr_matrix)


def isspmatrix_csc(x: object) -> bool:
    """Whether this is a csc_matrix.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.isspmatrix_csc(sparse.eye(2))
    False
    """
    return isinstance(x, csc_matrix)


def isspmatrix_coo(x: object) -> bool:
    """Whether this is a coo_matrix.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.isspmatrix_coo(sparse.eye(2, format="coo"))
    True
    """
    return isinstance(x, coo_matrix)
