"""Products, arithmetic with each element and comparisons of sparse matrices and arrays of all formats."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse import _rows
from dpnp.scipy.sparse._arguments import computed, is_dense, is_scalar, refused, supported
from dpnp.scipy.sparse._rows import value_dtype

if TYPE_CHECKING:
    from dpnp.scipy.sparse._base import Sparse

__all__ = ["Arithmetic"]

_OPERATORS = {
    "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
}  # fmt: skip
_UNEQUAL_SHAPES = {"equal": False, "not_equal": True}


class Arithmetic:
    """Operators and functions of elements, of which sparse matrices are made up."""

    # --- products

    def dot(self, other: object) -> object:
        """Return the product, or for a number each element times it."""
        return self * other if is_scalar(other) else self @ other

    def _product(self, x: dpnp_ndarray) -> dpnp_ndarray:
        """The product with a vector or matrix of the same dtype."""
        return _rows.multiply(self._csr_rows(), x)

    def __matmul__(self, other: object) -> object:
        if isinstance(other, Arithmetic):
            return self._times(other)
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if not is_dense(other):
            return refused(other)
        k = self.shape[1]
        if other.ndim not in (1, 2) or other.shape[0] != k:
            raise ValueError(f"matmul: shapes {self.shape} and {other.shape} do not match")
        dtype = dpnp.result_type(self.dtype, other.dtype)
        made, x = computed(dtype), dpnp.asarray(other)
        result = self.astype(made, copy=False)._product(x if x.dtype == made else x.astype(made))
        return result if made == dtype else result.astype(dtype)

    def __rmatmul__(self, other: object) -> object:
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if not is_dense(other):
            return refused(other)
        if other.ndim not in (1, 2) or other.shape[-1] != self.shape[0]:
            raise ValueError(f"matmul: shapes {other.shape} and {self.shape} do not match")
        return (self.transpose() @ other.T).T

    def _times(self, other: Sparse) -> Sparse:
        """The product of two sparse matrices, in this one's format, or CSR."""
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"matmul: shapes {self.shape} and {other.shape} do not match")
        dtype = numpy.result_type(self.dtype, other.dtype)
        if self.format == "csc":
            return other.transpose().tocsr().astype(dtype, copy=False)._times(self.transpose()).transpose()
        a, b = (x.astype(dtype, copy=False)._csr_rows() for x in (self, other))
        return self._as_csr(_rows.product(a, b))

    # --- arithmetic with each element

    def _merged(self, other: Sparse, function, intersection: bool = False) -> Sparse:
        """The function of the elements of both matrices, which is zero for zeros, or with `intersection` for any."""
        if self.shape != other.shape:
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        dtype = numpy.result_type(self.dtype, other.dtype)
        if self.format == "csc":
            return self.transpose()._merged(other.transpose(), function, intersection).transpose()
        a, b = (x.astype(dtype, copy=False)._summed_rows() for x in (self, other))
        if a.indices is b.indices and a.indptr is b.indptr:  # as of a matrix and its multiple
            rows, second = a, b.data
        else:
            rows, second = _rows.merged(a, b, intersection)
        data = function(rows.data, second)
        return _without_zeros(self._as_csr(rows._replace(data=data), True))

    def __add__(self, other: object) -> object:
        if isinstance(other, Arithmetic):
            return self._merged(other, dpnp.add)
        return self._plus_dense(other, dpnp.add)

    def __sub__(self, other: object) -> object:
        if isinstance(other, Arithmetic):
            return self._merged(other, dpnp.subtract)
        return self._plus_dense(other, dpnp.subtract)

    def __radd__(self, other: object) -> object:
        return self._plus_dense(other, lambda a, b: b + a)

    def __rsub__(self, other: object) -> object:
        return self._plus_dense(other, lambda a, b: b - a) if not is_scalar(other) or other != 0 else -self

    def _plus_dense(self, other: object, function) -> object:
        if is_scalar(other):
            if other == 0:
                return self.copy()
            raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
        if not is_dense(other):
            return refused(other)
        return function(self.toarray(), other)

    def _scaled(self, number: object) -> Sparse:
        return self._with_data(supported(self.data * number))

    def multiply(self, other: object) -> object:
        """Return each element times that of another matrix, sparse or dense, or times a number: a sparse matrix."""
        if is_scalar(other):
            return self._scaled(other)
        if isinstance(other, Arithmetic):
            if self.shape == other.shape:
                return self._merged(other, dpnp.multiply, True)
            m, n = self.shape
            if other.shape in ((m, 1), (1, n), (1, 1)):
                return self._times_dense(other.toarray(), dpnp.multiply).tocsr()
            if self.shape in ((other.shape[0], 1), (1, other.shape[1]), (1, 1)):
                return other._times_dense(self.toarray(), lambda a, b: b * a).tocsr()
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        if not is_dense(other):
            refused(other)
        return self._times_dense(other, dpnp.multiply)

    def _times_dense(self, other: dpnp_ndarray, function) -> Sparse:
        """The function, which is zero for zeros of this matrix, of elements and those of a dense array."""
        other = dpnp.asarray(other)
        shape = numpy.broadcast_shapes(self.shape, other.shape)
        if shape != self.shape:
            if len(shape) != 2:
                raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
            made = self.toarray()
            return self._coordinates(made, made, made, shape) if False else self._from_dense(function(made, other))
        coo = self.tocoo()
        other = dpnp.broadcast_to(other, shape)
        data = function(coo.data, other[coo.row, coo.col])
        return self._coordinates(supported(data), coo.row, coo.col, shape)

    def _from_dense(self, x: dpnp_ndarray) -> Sparse:
        from dpnp.scipy.sparse import _coo

        return _coo.class_of(self._is_array)(x)

    def __truediv__(self, other: object) -> object:
        if is_scalar(other):  # as in SciPy, real numbers are divided in the default precision
            real = dpnp.default_float_type(sycl_queue=self.sycl_queue)
            data = self.data if self.dtype.kind == "c" else self.data.astype(real)
            return self._with_data(supported(data / other))
        if isinstance(other, Arithmetic):
            if self.shape != other.shape:
                raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
            return self.toarray() / other.toarray()
        if not is_dense(other):
            return refused(other)
        return self._times_dense(other, dpnp.divide)

    def __rtruediv__(self, other: object) -> object:
        return NotImplemented

    def __neg__(self) -> Sparse:
        if self.dtype == bool:
            raise NotImplementedError("negating a boolean sparse array is not supported")
        return self._with_data(-self.data)

    def __abs__(self) -> Sparse:
        return self._with_data(dpnp.abs(self.data))

    def __round__(self, digits: int = 0) -> Sparse:
        return self._with_data(dpnp.round(self.data, digits))

    def power(self, n: object, dtype: object = None) -> Sparse:
        """Return each element to a power that is a number other than 0."""
        if not is_scalar(n):
            raise NotImplementedError("power: the exponent must be a number")
        if n == 0:
            raise NotImplementedError("power: zero power is not supported, as it would make a dense matrix")
        data = self.data if dtype is None else self.data.astype(value_dtype("power", dtype))
        return self._with_data(supported(data**n))

    def maximum(self, other: object) -> Sparse:
        """Return the larger of each two elements of sparse matrices, or of each element and a number."""
        return self._extremes("maximum", other)

    def minimum(self, other: object) -> Sparse:
        """Return the smaller of each two elements of sparse matrices, or of each element and a number."""
        return self._extremes("minimum", other)

    def _extremes(self, name: str, other: object) -> Sparse:
        function = getattr(dpnp, name)
        if isinstance(other, Arithmetic):
            return self._merged(other, function)
        if is_scalar(other):
            if getattr(numpy, name)(0, other) == 0:
                return _without_zeros(self._summed()._with_data(function(self._summed().data, other)))
            return self._from_dense(function(self.toarray(), other)).asformat(self.format)
        if not is_dense(other):
            return refused(other)
        return function(self.toarray(), other)

    def _compared(self, other: object, name: str) -> object:
        function, compare = getattr(dpnp, name), getattr(operator, _OPERATORS[name])
        if isinstance(other, Arithmetic):
            if self.shape != other.shape:
                if name in _UNEQUAL_SHAPES:
                    return _UNEQUAL_SHAPES[name]
                raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
            if not compare(0, 0):
                return self._merged(other, function)
            made = self._from_dense(function(self.toarray(), other.toarray()))
            return made.asformat("csc" if self.format == "csc" else "csr")
        if is_scalar(other):
            if not compare(0, other):
                made = self._summed()
                return _without_zeros(made._with_data(function(made.data, other)))
            return self._from_dense(function(self.toarray(), other)).asformat("csc" if self.format == "csc" else "csr")
        if not is_dense(other):
            return NotImplemented
        return function(self.toarray(), other)

    def __eq__(self, other: object) -> object:
        return self._compared(other, "equal")

    def __ne__(self, other: object) -> object:
        return self._compared(other, "not_equal")

    def __lt__(self, other: object) -> object:
        return self._compared(other, "less")

    def __le__(self, other: object) -> object:
        return self._compared(other, "less_equal")

    def __gt__(self, other: object) -> object:
        return self._compared(other, "greater")

    def __ge__(self, other: object) -> object:
        return self._compared(other, "greater_equal")


def _without_zeros(a: Sparse) -> Sparse:
    a.eliminate_zeros()
    return a


def _element_function(name: str):
    def method(self: Sparse) -> Sparse:
        made = self._summed()
        made = made._with_data(supported(getattr(dpnp, name)(made.data)))
        return made.asformat(self.format)

    method.__name__ = name
    method.__doc__ = f"Return the matrix with dpnp.{name} of each element, which is 0 for 0."
    return method


for _name in [
    "arcsin", "arcsinh", "arctan", "arctanh", "ceil", "deg2rad", "expm1", "floor", "log1p", "rad2deg", "rint", "sign",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
]:  # fmt: skip
    setattr(Arithmetic, _name, _element_function(_name))
