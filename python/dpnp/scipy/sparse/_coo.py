"""Matrices and arrays as rows, columns and values of elements (COO)."""

from __future__ import annotations

from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse import _rows
from dpnp.scipy.sparse._arguments import (
    as_array,
    check_indices,
    checked_shape,
    is_dense,
    is_scalar,
    is_scipy,
    values,
)  # fmt: skip
from dpnp.scipy.sparse._base import Sparse, sparray, spmatrix
from dpnp.scipy.sparse._rows import Rows

__all__ = ["coo_array", "coo_matrix", "with_diagonal"]


class _Coordinates(Sparse):
    """A matrix as rows, columns and values of elements.

    Parameters
    ----------
    arg1 : array, sparse matrix, tuple
        A dense array with two axes, a sparse matrix of dpnp or SciPy, a shape (m, n), or (data, (row, col)). Indices
        are checked, which waits for them.
    shape : tuple of two ints, optional
        The shape, derived from the indices by default.
    dtype : dtype, optional
        The dtype of elements: bool, int32, int64, float32, float64, complex64 or complex128.
    copy : bool, optional
        Whether arrays are copied even where they could be used as they are.
    device, usm_type, sycl_queue : optional
        Where arrays are created, if the argument is not on a device.

    Raises
    ------
    TypeError
        For dtypes that sparse matrices do not support, and other arguments.
    ValueError
        When arrays do not match in length or shape, and for indices outside of the shape.
    """

    format = "coo"
    row: dpnp_ndarray
    col: dpnp_ndarray
    has_canonical_format = False

    def __init__(
        self,
        arg1: object,
        shape: object = None,
        dtype: object = None,
        copy: bool = False,
        *,
        device: object = None,
        usm_type: str | None = None,
        sycl_queue: object = None,
    ):
        name = type(self).__name__
        place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
        place = {key: value for key, value in place.items() if value is not None}
        if is_scipy(arg1):
            arg1 = arg1.tocoo()
            arg1, shape = (arg1.data, (arg1.row, arg1.col)), arg1.shape if shape is None else shape
        if isinstance(arg1, Sparse):
            made = arg1.tocoo(copy=copy)
            made = made if dtype is None else made.astype(dtype, copy=False)
            if shape is not None and checked_shape(name, shape) != made.shape:
                raise ValueError(f"{name}: shape {tuple(shape)} does not match that of the matrix, {made.shape}")
            self._set(made.data, made.row, made.col, made.shape)
        elif (
            isinstance(arg1, tuple)
            and len(arg1) == 2
            and all(hasattr(n, "__index__") and not is_dense(n) for n in arg1)
        ):
            wanted = checked_shape(name, arg1)
            data = values(name, dpnp.zeros(0, dtype=dtype, **place), place)
            nothing = dpnp.zeros(0, dtype=_rows.index_dtype(max(wanted)), **place)
            self._set(data, nothing, nothing, wanted)
        elif isinstance(arg1, tuple) and len(arg1) == 2 and isinstance(arg1[1], (tuple, list)):
            self._from_arrays(name, arg1, shape, dtype, copy, place)
        else:
            self._from_dense_array(name, arg1, shape, dtype, place)

    def _set(self, data: dpnp_ndarray, row: dpnp_ndarray, col: dpnp_ndarray, shape: tuple[int, int]) -> None:
        self.data, self.row, self.col, self.shape = data, row, col, shape

    @classmethod
    def _from_elements(
        cls, data: dpnp_ndarray, row: dpnp_ndarray, col: dpnp_ndarray, shape: tuple[int, int]
    ) -> _Coordinates:
        made = cls.__new__(cls)
        made._set(data, row, col, shape)
        return made

    def _from_arrays(self, name: str, given: tuple, shape: object, dtype: object, copy: bool, place: dict) -> None:
        data, coordinates = given
        if len(coordinates) != 2:
            raise ValueError(f"{name}: expected row and column of each element, got {len(coordinates)} arrays")
        for x in (data, *coordinates):
            if is_dense(x):
                place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
                break
        data = values(name, data, place, dtype)
        row, col = (as_array(x, place) for x in coordinates)
        for x in (row, col):
            if x.size and x.dtype.kind not in "iu":
                raise TypeError(f"{name}: rows and columns must be integers, got {x.dtype}")
        if not (data.ndim == row.ndim == col.ndim == 1):
            raise ValueError(f"{name}: data, rows and columns must have one axis")
        if not data.size == row.size == col.size:
            raise ValueError(
                f"{name}: data, rows and columns must have one length, got {data.size}, {row.size} and {col.size}"
            )
        if shape is None:
            if data.size == 0:
                raise ValueError("cannot infer dimensions from zero sized index arrays")
            shape = (int(dpnp.max(row)) + 1, int(dpnp.max(col)) + 1)
        shape = checked_shape(name, shape)
        check_indices(name, row, shape[0], 0)
        check_indices(name, col, shape[1], 1)
        index = _rows.index_dtype(max(*shape, data.size))
        row, col = (x.astype(index, copy=copy) for x in (row, col))
        self._set(data.copy() if copy else data, row, col, shape)

    def _from_dense_array(self, name: str, x: object, shape: object, dtype: object, place: dict) -> None:
        if isinstance(x, (str, bytes, dict, set)) or x is None:
            raise TypeError(f"{name}: expected an array, a sparse matrix or a tuple, got {type(x).__name__}")
        x = values(name, x, place, dtype)
        if x.ndim > 2:
            raise ValueError(f"{name}: expected an array with 2 axes, got shape {x.shape}")
        x = dpnp.atleast_2d(x)
        if shape is not None and checked_shape(name, shape) != x.shape:
            raise ValueError(f"{name}: inconsistent shapes: {x.shape} != {tuple(shape)}")
        mask = x != 0
        row, col = dpnp.nonzero(mask)
        index = _rows.index_dtype(max(x.shape))
        self._set(x[mask], row.astype(index), col.astype(index), x.shape)

    # --- what the base class asks for

    def _csr_rows(self) -> Rows:
        return _rows.grouped(self.row, self.col, self.data, *self.shape)

    _summed_rows = _csr_rows

    def _with_data(self, data: dpnp_ndarray) -> _Coordinates:
        return self._from_elements(data, self.row, self.col, self.shape)

    def tocsr(self, copy: bool = False) -> Sparse:
        return self._as_csr(self._csr_rows(), True)

    def tocsc(self, copy: bool = False) -> Sparse:
        """Return the matrix in compressed columns, in order of rows and without duplicates."""
        rows = _rows.grouped(self.col, self.row, self.data, *self.shape[::-1])
        return self._made("csc", rows, self.shape, True)

    def copy(self) -> Sparse:
        return self._from_elements(self.data.copy(), self.row.copy(), self.col.copy(), self.shape)

    def tocoo(self, copy: bool = False) -> Sparse:
        """Return the matrix itself, or a copy."""
        return self.copy() if copy else self

    @property
    def coords(self) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        """The rows and columns of elements."""
        return self.row, self.col

    def get(self) -> object:
        """Return a copy as SciPy's matrix or array of this format."""
        import scipy.sparse

        made = getattr(scipy.sparse, type(self).__name__)
        data, row, col = (dpnp.asnumpy(x) for x in (self.data, self.row, self.col))
        return made((data, (row, col)), shape=self.shape)

    def transpose(self, axes: object = None, copy: bool = False) -> Sparse:
        """Return the transpose, which shares memory unless it is a copy."""
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError("Sparse arrays do not support an 'axes' parameter other than (1, 0)")
        made = self._from_elements(self.data, self.col, self.row, self.shape[::-1])
        return made.copy() if copy else made

    def sum_duplicates(self) -> None:
        """Add elements of the same row and column, and order them by row."""
        rows = self._csr_rows()
        self._set(rows.data, _rows.row_numbers(rows), rows.indices, self.shape)

    def eliminate_zeros(self) -> None:
        """Remove stored zeros."""
        mask = self.data != 0
        if not bool(mask.all()):
            self._set(self.data[mask], self.row[mask], self.col[mask], self.shape)

    def setdiag(self, values: object, k: int = 0) -> None:
        """Set the elements of a diagonal to a number or to the elements of an array, as many as there are."""
        made = with_diagonal(self, values, k)
        self._set(made.data, made.row, made.col, self.shape)

    def __getitem__(self, key: object) -> object:
        return self.tocsr()[key]


class coo_matrix(_Coordinates, spmatrix):
    __doc__ = (
        (_Coordinates.__doc__ or "")
        + """
    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.coo_matrix((np.array([1.0, 2.0, 3.0]), ([0, 1, 1], [0, 1, 1]))).toarray()
    array([[1., 0.],
           [0., 5.]])
    """
    )


class coo_array(_Coordinates, sparray):
    __doc__ = (
        (_Coordinates.__doc__ or "").replace("A matrix as", "An array as")
        + """
    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.coo_array((np.array([1.0, 2.0]), ([0, 1], [1, 0]))).sum(axis=0)
    array([2., 1.])
    """
    )


def class_of(is_array: bool) -> type[_Coordinates]:
    """Return the class of matrices or of arrays."""
    return coo_array if is_array else coo_matrix


def with_diagonal(a: _Coordinates, values: object, k: int) -> _Coordinates:
    """Return the matrix with other elements on a diagonal."""
    m, n = a.shape
    if (k > 0 and k >= n) or (k < 0 and -k >= m):
        raise ValueError("k exceeds array dimensions")
    length = min(m + min(k, 0), n - max(k, 0))
    if is_scalar(values):
        data = dpnp.full(length, values, dtype=a.dtype, **a._place)
    else:
        data = as_array(values, a._place).reshape(-1)[:length].astype(a.dtype)
    at = dpnp.arange(data.size, dtype=a.row.dtype, **a._place)
    first_row, first_column = max(-k, 0), max(k, 0)
    off = (a.col.astype("int64") - a.row != k) | (a.row >= first_row + data.size)
    return a._from_elements(
        dpnp.concatenate([a.data[off], data]),
        dpnp.concatenate([a.row[off], at + first_row]).astype(a.row.dtype),
        dpnp.concatenate([a.col[off], at + first_column]).astype(a.col.dtype),
        a.shape,
    )
