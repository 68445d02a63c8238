"""Linear operators: objects that multiply vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse._arguments import checked_shape, is_dense, is_scalar
from dpnp.scipy.sparse._base import Sparse

__all__ = ["LinearOperator", "aslinearoperator"]


class LinearOperator:
    """A linear operator, given by its products with vectors.

    Parameters
    ----------
    shape : tuple of two ints
        The shape.
    matvec : callable
        The product with a vector.
    rmatvec : callable, optional
        The product of the conjugate transpose with a vector.
    matmat : callable, optional
        The product with a matrix; by default, its columns are multiplied.
    dtype : dtype, optional
        The dtype of products with float64 vectors.
    rmatmat : callable, optional
        The product of the conjugate transpose with a matrix.

    Raises
    ------
    ValueError
        For a shape that is not one of two axes.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy.sparse.linalg import LinearOperator
    >>> twice = LinearOperator((2, 2), matvec=lambda x: 2 * x)
    >>> twice @ np.array([1.0, 2.0])
    array([2., 4.])
    """

    ndim = 2
    __array_ufunc__ = None

    def __init__(
        self,
        shape: tuple[int, int],
        matvec: Callable,
        rmatvec: Callable | None = None,
        matmat: Callable | None = None,
        dtype: object = None,
        rmatmat: Callable | None = None,
    ):
        self.shape = checked_shape("LinearOperator", shape)
        self.dtype = None if dtype is None else numpy.dtype(dtype)
        self._functions = matvec, rmatvec, matmat, rmatmat

    def __repr__(self) -> str:
        return f"<{self.shape[0]}x{self.shape[1]} {type(self).__name__} with dtype={self.dtype or 'unspecified'}>"

    def _vector_product(self, x: dpnp_ndarray, function: Callable | None, inner: int, outer: int) -> dpnp_ndarray:
        if x.shape not in ((inner,), (inner, 1)):
            raise ValueError(f"LinearOperator: expected a vector of {inner} elements, got shape {x.shape}")
        if function is None:
            raise NotImplementedError("LinearOperator: the product of the adjoint is not defined; give rmatvec")
        return function(x).reshape((outer,) if x.ndim == 1 else (outer, 1))

    def matvec(self, x: dpnp_ndarray) -> dpnp_ndarray:
        """Return the product with a vector."""
        return self._vector_product(x, self._functions[0], self.shape[1], self.shape[0])

    def rmatvec(self, x: dpnp_ndarray) -> dpnp_ndarray:
        """Return the product of the adjoint with a vector."""
        return self._vector_product(x, self._functions[1], *self.shape)

    def matmat(self, x: dpnp_ndarray) -> dpnp_ndarray:
        """Return the product with a matrix."""
        return _matrix_product(self._functions[2], self.matvec, x, self.shape[1])

    def rmatmat(self, x: dpnp_ndarray) -> dpnp_ndarray:
        """Return the product of the adjoint with a matrix."""
        return _matrix_product(self._functions[3], self.rmatvec, x, self.shape[0])

    def dot(self, x: object) -> object:
        """Return the product with a vector, a matrix, another operator or a number."""
        if isinstance(x, LinearOperator):
            if self.shape[1] != x.shape[0]:
                raise ValueError(f"LinearOperator: shapes {self.shape} and {x.shape} do not match")
            return LinearOperator(
                (self.shape[0], x.shape[1]),
                lambda v: self.matvec(x.matvec(v)),
                lambda v: x.rmatvec(self.rmatvec(v)),
                lambda v: self.matmat(x.matmat(v)),
                self.dtype,
            )
        if is_scalar(x):
            return LinearOperator(
                self.shape,
                lambda v: self.matvec(v) * x,
                lambda v: self.rmatvec(v) * numpy.conj(x),
                lambda v: self.matmat(v) * x,
                self.dtype,
            )
        if not is_dense(x):
            raise TypeError(f"LinearOperator: expected an array, an operator or a number, got {type(x).__name__}")
        return self.matvec(x) if x.ndim == 1 else self.matmat(x)

    def __matmul__(self, x: object) -> object:
        if is_scalar(x):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self.dot(x)

    __mul__ = __call__ = dot

    def __rmul__(self, x: object) -> object:
        return self.dot(x) if is_scalar(x) else NotImplemented

    def __neg__(self) -> LinearOperator:
        return self.dot(-1)

    def __add__(self, other: object) -> LinearOperator:
        if not isinstance(other, LinearOperator):
            return NotImplemented
        if self.shape != other.shape:
            raise ValueError(f"LinearOperator: shapes {self.shape} and {other.shape} do not match")
        return LinearOperator(
            self.shape,
            lambda v: self.matvec(v) + other.matvec(v),
            lambda v: self.rmatvec(v) + other.rmatvec(v),
            lambda v: self.matmat(v) + other.matmat(v),
            self.dtype,
        )

    def __sub__(self, other: object) -> LinearOperator:
        return self + (-other) if isinstance(other, LinearOperator) else NotImplemented

    def adjoint(self) -> LinearOperator:
        """Return the adjoint: its products are those of the conjugate transpose."""
        return LinearOperator(self.shape[::-1], self.rmatvec, self.matvec, self.rmatmat, self.dtype, self.matmat)

    def transpose(self) -> LinearOperator:
        """Return the transpose."""
        return LinearOperator(
            self.shape[::-1],
            lambda v: dpnp.conj(self.rmatvec(dpnp.conj(v))),
            lambda v: dpnp.conj(self.matvec(dpnp.conj(v))),
            dtype=self.dtype,
        )

    H = property(adjoint, doc="The adjoint.")
    T = property(transpose, doc="The transpose.")


def _matrix_product(function: Callable | None, by_column: Callable, x: dpnp_ndarray, inner: int) -> dpnp_ndarray:
    if x.ndim != 2 or x.shape[0] != inner:
        raise ValueError(f"LinearOperator: expected a matrix of {inner} rows, got shape {x.shape}")
    if function is not None:
        return function(x)
    return dpnp.stack([by_column(x[:, j]) for j in range(x.shape[1])], axis=1)


def aslinearoperator(A: object) -> LinearOperator:
    """Return a sparse or dense matrix as a LinearOperator; an operator itself.

    Raises
    ------
    TypeError
        For other objects.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.linalg.aslinearoperator(sparse.eye(3)).shape
    (3, 3)
    """
    if isinstance(A, LinearOperator):
        return A
    if isinstance(A, Sparse):
        adjoint = A.transpose()
        if A.dtype.kind == "c":
            adjoint = adjoint.conj()
    elif is_dense(A):
        A = dpnp.atleast_2d(dpnp.asarray(A))
        if A.ndim != 2:
            raise ValueError(f"aslinearoperator: expected an array with 2 axes, got shape {A.shape}")
        adjoint = dpnp.conj(A.T)
    elif hasattr(A, "shape") and hasattr(A, "matvec"):
        return LinearOperator(A.shape, A.matvec, getattr(A, "rmatvec", None), dtype=getattr(A, "dtype", None))
    else:
        raise TypeError(f"aslinearoperator: expected a matrix or a LinearOperator on a device, got {type(A).__name__}")

    def multiply(x: dpnp_ndarray) -> dpnp_ndarray:
        return A @ x

    def multiply_adjoint(x: dpnp_ndarray) -> dpnp_ndarray:
        return adjoint @ x

    return LinearOperator(A.shape, multiply, multiply_adjoint, multiply, A.dtype, multiply_adjoint)
