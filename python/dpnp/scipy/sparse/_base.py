"""What sparse matrices and arrays of all formats have: attributes, conversions, and the classes of both kinds."""

from __future__ import annotations

import operator

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse import _rows
from dpnp.scipy.sparse._arguments import axis_from, index_from, is_dense, is_scalar, refused
from dpnp.scipy.sparse._arithmetic import Arithmetic
from dpnp.scipy.sparse._reductions import Reductions
from dpnp.scipy.sparse._rows import Rows, value_dtype

__all__ = ["Sparse", "issparse", "isspmatrix", "sparray", "spmatrix"]

_NAMES = {"csr": "Compressed Sparse Row", "csc": "Compressed Sparse Column", "coo": "COOrdinate"}


class Sparse(Arithmetic, Reductions):
    """The base class of sparse matrices and arrays on devices, which have two axes."""

    __array_ufunc__ = None  # operators of NumPy's arrays leave these to this class
    __array_priority__ = 10.1
    __hash__ = None
    format: str
    shape: tuple[int, int]
    data: dpnp_ndarray
    ndim = 2
    _is_array: bool

    # --- what each format defines

    def _csr_rows(self) -> Rows:
        """The matrix in compressed rows."""
        raise NotImplementedError

    def _summed_rows(self) -> Rows:
        """The matrix in compressed rows, in order and without duplicates."""
        raise NotImplementedError

    def _with_data(self, data: dpnp_ndarray) -> Sparse:
        """The same positions, in the same arrays, with other elements."""
        raise NotImplementedError

    # --- other formats and classes of the same kind, matrices or arrays

    def _made(self, format: str, rows: Rows, shape: tuple[int, int], canonical: bool = False) -> Sparse:
        """A matrix of that format with compressed rows, for CSC compressed columns."""
        from dpnp.scipy.sparse import _compressed

        made = _compressed.class_of(format, self._is_array)._from_rows(rows, shape)
        if canonical:
            made._sorted = made._canonical = True
        return made

    def _as_csr(self, rows: Rows, canonical: bool = False) -> Sparse:
        return self._made("csr", rows, (rows.count, rows.columns), canonical)

    def _coordinates(self, data: dpnp_ndarray, row: dpnp_ndarray, col: dpnp_ndarray, shape: tuple[int, int]) -> Sparse:
        from dpnp.scipy.sparse import _coo

        return _coo.class_of(self._is_array)._from_elements(data, row, col, shape)

    # --- attributes

    @property
    def dtype(self) -> numpy.dtype:
        """The dtype of elements."""
        return self.data.dtype

    @property
    def nnz(self) -> int:
        """The number of stored elements, zeros and duplicates included."""
        return self.data.size

    @property
    def size(self) -> int:
        """The number of stored elements."""
        return self.data.size

    @property
    def T(self) -> Sparse:
        """The transpose, which shares memory."""
        return self.transpose()

    @property
    def mT(self) -> Sparse:
        """The transpose, which shares memory."""
        return self.transpose()

    @property
    def H(self) -> Sparse:
        """The conjugate transpose."""
        return self.conj().transpose()

    @property
    def real(self) -> Sparse:
        """The real parts."""
        return self._with_data(self.data.real.copy())

    @property
    def imag(self) -> Sparse:
        """The imaginary parts."""
        return self._with_data(dpnp.imag(self.data).copy())

    @property
    def sycl_queue(self) -> object:
        """The queue of all arrays of the matrix."""
        return self.data.sycl_queue

    @property
    def sycl_device(self) -> object:
        """The device of the queue."""
        return self.data.sycl_device

    @property
    def device(self) -> object:
        """The device, as of dpnp's arrays."""
        return self.data.device

    @property
    def usm_type(self) -> str:
        """The kind of memory of the elements."""
        return self.data.usm_type

    @property
    def _place(self) -> dict:
        return {"usm_type": self.usm_type, "sycl_queue": self.sycl_queue}

    def getnnz(self, axis: int | None = None) -> int | dpnp_ndarray:
        """Return the number of stored elements, in all or in each column (axis 0) or row (axis 1)."""
        if axis is None:
            return self.nnz
        ones = self._with_data(dpnp.ones_like(self.data, dtype=numpy.int32))
        counted = ones.tocsr() if axis_from("getnnz", axis) else ones.tocsr().transpose().tocsr()
        return dpnp.diff(counted.indptr)

    def count_nonzero(self, axis: int | None = None) -> int | dpnp_ndarray:
        """Return the number of elements that are not zero, in all or in each column (axis 0) or row (axis 1)."""
        made = self.tocsr(copy=True)
        made.eliminate_zeros()
        return made.getnnz(axis)

    def __len__(self) -> int:
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self) -> bool:
        if self.shape == (1, 1):
            return bool(self.toarray()[0, 0] != 0)
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use count_nonzero() instead."
        )

    def __iter__(self):
        made = self.tocsr()
        return (made[i] for i in range(self.shape[0]))

    def __repr__(self) -> str:
        kind = "array" if self._is_array else "matrix"
        return (
            f"<{_NAMES[self.format]} sparse {kind} of dtype '{self.dtype}'\n"
            f"\twith {self.nnz} stored elements and shape {self.shape}>"
        )

    def __str__(self) -> str:
        return f"{self!r}\n{self.get()}".partition("\n\t")[0] + "\n\t" + str(self.get()).partition("\n\t")[2]

    # --- conversions

    def toarray(self, order: str | None = None, out: dpnp_ndarray | None = None) -> dpnp_ndarray:
        """Return the matrix as a dense array; `out` gets it where given."""
        made = _rows.dense(self._csr_rows())
        if out is not None:
            if out.shape != self.shape or out.dtype != self.dtype:
                raise ValueError(f"toarray: out must have shape {self.shape} and dtype {self.dtype}")
            out[...] = made
            return out
        return dpnp.asfortranarray(made) if order == "F" else made

    def todense(self, order: str | None = None, out: dpnp_ndarray | None = None) -> dpnp_ndarray:
        """Return the matrix as a dense array."""
        return self.toarray(order, out)

    def asformat(self, format: str | None, copy: bool = False) -> Sparse:
        """Return the matrix in the format 'csr', 'csc' or 'coo'."""
        if format is None or format == self.format:
            return self.copy() if copy else self
        if format not in _NAMES:
            raise ValueError(f"Format {format} is unknown: sparse matrices on devices are csr, csc or coo")
        return getattr(self, f"to{format}")(copy=copy)

    def tocsr(self, copy: bool = False) -> Sparse:
        """Return the matrix in compressed rows, in order of columns and without duplicates if it was COO."""
        return self._as_csr(self._csr_rows())

    def tocsc(self, copy: bool = False) -> Sparse:
        """Return the matrix in compressed columns."""
        return self._made("csc", _rows.transposed(self._csr_rows()), self.shape)

    def tocoo(self, copy: bool = False) -> Sparse:
        """Return the matrix as rows, columns and values of elements."""
        rows = self._csr_rows()
        data = rows.data.copy() if copy else rows.data
        return self._coordinates(data, _rows.row_numbers(rows), rows.indices, self.shape)

    def astype(self, dtype: object, casting: str = "unsafe", copy: bool = True) -> Sparse:
        """Return the matrix with elements of another dtype."""
        dtype = value_dtype("astype", dtype)
        if dtype == self.dtype:
            return self.copy() if copy else self
        return self._with_data(self.data.astype(dtype, casting=casting))

    def copy(self) -> Sparse:
        """Return a copy, which shares no array."""
        raise NotImplementedError

    def conj(self, copy: bool = True) -> Sparse:
        """Return the matrix with conjugate elements."""
        if self.dtype.kind != "c":
            return self.copy() if copy else self
        return self._with_data(self.data.conj())

    def conjugate(self, copy: bool = True) -> Sparse:
        """Return the matrix with conjugate elements."""
        return self.conj(copy)

    def reshape(self, *shape: object, order: str = "C", copy: bool = False) -> Sparse:
        """Return the matrix with the same elements, in the given order, in another shape of two axes."""
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        wanted, (m, n) = [int(k) for k in shape], self.shape
        if len(wanted) != 2:
            raise ValueError(f"reshape: sparse matrices and arrays on devices have 2 axes, got shape {tuple(wanted)}")
        if wanted.count(-1) == 1:
            wanted[wanted.index(-1)] = m * n // max(wanted[0] * wanted[1] * -1, 1)
        if min(wanted) < 0 or wanted[0] * wanted[1] != m * n:
            raise ValueError(f"cannot reshape array of size {m * n} into shape {tuple(shape)}")
        if order == "F":
            return self.transpose().reshape(wanted[1], wanted[0]).transpose().asformat(self.format)
        coo = self.tocoo()
        at = coo.row.astype("int64") * n + coo.col
        index = _rows.index_dtype(max(wanted))
        columns = max(wanted[1], 1)
        row, col = (at // columns).astype(index), (at % columns).astype(index)
        return self._coordinates(coo.data, row, col, tuple(wanted)).asformat(self.format)

    # --- rows and columns

    def getrow(self, i: int) -> Sparse:
        """Return a row as a CSR matrix of one row."""
        return self.tocsr()[index_from(i, self.shape[0]) : index_from(i, self.shape[0]) + 1]

    def getcol(self, j: int) -> Sparse:
        """Return a column as a CSR matrix of one column."""
        return self.tocsr()[:, index_from(j, self.shape[1]) : index_from(j, self.shape[1]) + 1]

    def __setitem__(self, key: object, value: object) -> None:
        raise NotImplementedError(
            "sparse matrices on devices do not support assignment of elements; make a new one, or change A.data"
        )


class spmatrix:
    """The base class of sparse matrices, whose operators * and ** are those of matrices."""

    _is_array = False

    def __mul__(self, other: object) -> object:
        return self._scaled(other) if is_scalar(other) else self @ other

    def __rmul__(self, other: object) -> object:
        return self._scaled(other) if is_scalar(other) else self.__rmatmul__(other)

    def __pow__(self, n: object) -> Sparse:
        if self.shape[0] != self.shape[1]:
            raise TypeError("sparse matrix is not square")
        n = operator.index(n)
        if n < 0:
            raise ValueError("exponent must be >= 0")
        from dpnp.scipy.sparse._construct import identity

        made, factor = None, self
        while n:
            if n % 2:
                made = factor if made is None else made @ factor
            n //= 2
            if n:
                factor = factor @ factor
        if made is None:
            return identity(self.shape[0], dtype=self.dtype, format=self.format, **self._place)
        return made.copy() if made is self else made

    def getformat(self) -> str:
        """Return the format."""
        return self.format

    def get_shape(self) -> tuple[int, int]:
        """Return the shape."""
        return self.shape

    def getH(self) -> Sparse:
        """Return the conjugate transpose."""
        return self.H


class sparray:
    """The base class of sparse arrays, whose operators * and ** are those of elements."""

    _is_array = True

    def __mul__(self, other: object) -> object:
        if not is_scalar(other) and not isinstance(other, Sparse) and not is_dense(other):
            return refused(other)
        return self.multiply(other)

    def __rmul__(self, other: object) -> object:
        return self.__mul__(other)

    def __pow__(self, n: object) -> Sparse:
        return self.power(n)


def issparse(x: object) -> bool:
    """Whether this is a sparse matrix or array on a device.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.issparse(sparse.eye(3))
    True
    """
    return isinstance(x, Sparse)


def isspmatrix(x: object) -> bool:
    """Whether this is a sparse matrix on a device, not a sparse array.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.isspmatrix(sparse.eye_array(3))
    False
    """
    return isinstance(x, spmatrix)
