"""Sums, means, extremes and diagonals of sparse matrices and arrays of all formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse import _rows
from dpnp.scipy.sparse._arguments import axis_from, computed

if TYPE_CHECKING:
    from dpnp.scipy.sparse._base import Sparse

__all__ = ["Reductions"]


class Reductions:
    """Reductions, of which sparse matrices are made up."""

    def _summed(self) -> Sparse:
        """The matrix in compressed form, in order and without duplicates."""
        made = self.tocsr() if self.format == "coo" else self
        return self._made(made.format, made._summed_own_rows(), self.shape, True)

    def _axis_result(self, made: dpnp_ndarray, axis: int) -> dpnp_ndarray:
        """A dense result along an axis: of one axis for arrays, as a row or column for matrices."""
        return made if self._is_array else dpnp.expand_dims(made, axis)

    def sum(self, axis: int | None = None, dtype: object = None, out: dpnp_ndarray | None = None) -> dpnp_ndarray:
        """Return the sum of all elements, or of those of each column (axis 0) or row (axis 1)."""
        wide = numpy.dtype("int64") if self.dtype.kind in "bi" else self.dtype
        wanted = wide if dtype is None else numpy.dtype(dtype)
        if isinstance(axis, tuple):
            axes = sorted({axis_from("sum", a) for a in axis})
            axis = axes[0] if len(axes) == 1 else None
        if axis is None:
            made = dpnp.sum(self.data, dtype=wanted)
        else:
            axis = axis_from("sum", axis)
            at = computed(wanted if wanted.kind in "fc" or wide.kind in "fc" else wide)
            made = self._axis_result(self.astype(at, copy=False)._sums(axis), axis)
            made = made if made.dtype == wanted else made.astype(wanted)
        if out is None:
            return made
        if out.shape != made.shape:
            raise ValueError(f"sum: out must have shape {made.shape}, got {out.shape}")
        out[...] = made
        return out

    def _sums(self, axis: int) -> dpnp_ndarray:
        rows = self._csr_rows()
        return _rows.multiply(rows, None) if axis else _rows.multiply_transposed(rows, None)

    def mean(self, axis: int | None = None, dtype: object = None, out: dpnp_ndarray | None = None) -> dpnp_ndarray:
        """Return the mean of all elements, or of those of each column (axis 0) or row (axis 1)."""
        real = dpnp.default_float_type(sycl_queue=self.sycl_queue)
        wanted = numpy.dtype(dtype) if dtype is not None else real if self.dtype.kind in "bi" else self.dtype
        m, n = self.shape
        count = m * n if axis is None else (m, n)[axis_from("mean", axis)]
        made = (self.sum(axis, dtype=numpy.result_type(wanted, self.dtype)) / count).astype(wanted)
        if out is None:
            return made
        out[...] = made
        return out

    def trace(self, offset: int = 0) -> dpnp_ndarray:
        """Return the sum of a diagonal."""
        return dpnp.sum(self.diagonal(offset))

    def diagonal(self, k: int = 0) -> dpnp_ndarray:
        """Return the elements of a diagonal."""
        m, n = self.shape
        if k <= -m or k >= n:
            return dpnp.zeros(0, dtype=self.dtype, **self._place)
        return _rows.diagonal(self._csr_rows(), k)

    def max(self, axis: int | None = None, out: None = None, *, explicit: bool = False) -> object:
        """Return the largest element, or for each column (axis 0) or row (axis 1) a sparse matrix of them.

        Of arrays, the result along an axis is dense, with one axis. With `explicit`, only stored elements count.
        """
        return self._largest("max", axis, out, explicit)

    def min(self, axis: int | None = None, out: None = None, *, explicit: bool = False) -> object:
        """Return the smallest element, as max() returns the largest."""
        return self._largest("min", axis, out, explicit)

    def _largest(self, name: str, axis: int | None, out: None, explicit: bool) -> object:
        if out is not None:
            raise ValueError("Sparse arrays do not support an 'out' parameter.")
        if self.dtype.kind == "c":
            raise TypeError(f"{name}: complex numbers have no order")
        function = dpnp.maximum if name == "max" else dpnp.minimum
        if axis is None:
            if 0 in self.shape:
                raise ValueError("zero-size array to reduction operation")
            made = self._summed()
            if made.nnz == 0:
                return dpnp.zeros((), dtype=self.dtype, **self._place)
            found = getattr(dpnp, name)(made.data)
            full = made.nnz == self.shape[0] * self.shape[1]
            return found if full or explicit else function(found, dpnp.zeros_like(found))
        axis = axis_from(name, axis)
        if self.shape[axis] == 0:
            raise ValueError("zero-size array to reduction operation")
        made = _rows.extremes((self if axis else self.transpose())._summed_rows(), name == "max", explicit)
        if self._is_array:
            return made
        return self._from_dense(dpnp.expand_dims(made, axis))

    def argmax(self, axis: int | None = None, out: None = None, *, explicit: bool = False) -> dpnp_ndarray:
        """Return the position of the first largest element, or for each column (axis 0) or row (axis 1) its index.

        Without an axis, the position in row-major order. With `explicit`, only stored elements count; rows without any
        have index 0. Complex numbers have no order.
        """
        return self._first_extreme("argmax", axis, out, explicit)

    def argmin(self, axis: int | None = None, out: None = None, *, explicit: bool = False) -> dpnp_ndarray:
        """Return the position of the first smallest element, as argmax() returns that of the largest."""
        return self._first_extreme("argmin", axis, out, explicit)

    def _first_extreme(self, name: str, axis: int | None, out: None, explicit: bool) -> dpnp_ndarray:
        if out is not None:
            raise ValueError(f"{name}: sparse arrays have no 'out' parameter")
        if self.dtype.kind == "c":
            raise TypeError(f"{name}: complex numbers have no order")
        largest = name == "argmax"
        if axis is None:
            if 0 in self.shape:
                raise ValueError(f"{name}: an array without elements has no {name[3:]}imum")
            rows = self._summed_rows()
            if explicit:
                if rows.data.size == 0:
                    return dpnp.zeros((), dtype="i8", **self._place)
                first = getattr(dpnp, name)(rows.data)
                return _rows.row_numbers(rows)[first].astype("i8") * self.shape[1] + rows.indices[first]
            row = getattr(dpnp, name)(_rows.extremes(rows, largest, False))
            return row * self.shape[1] + _rows.first_extremes(rows, largest, False)[row]
        axis = axis_from(name, axis)
        if self.shape[axis] == 0:
            raise ValueError(f"{name}: an axis without elements has no {name[3:]}imum")
        rows = (self if axis else self.transpose())._summed_rows()
        return self._axis_result(_rows.first_extremes(rows, largest, explicit), axis)

    def nonzero(self) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        """Return the rows and columns of the elements that are not zero; those of CSC matrices in row-major order."""
        coo = self.tocoo()
        mask = coo.data != 0
        rows, columns = coo.row[mask], coo.col[mask]
        if self.format != "csc":
            return rows, columns
        order = dpnp.argsort(rows, kind="stable")
        return rows[order], columns[order]
