"""Matrices and arrays in compressed rows (CSR) and compressed columns (CSC), which are the transposes of CSR."""

from __future__ import annotations

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse import _rows
from dpnp.scipy.sparse._arguments import (
    as_array,
    check_indices,
    checked_shape,
    index_from,
    is_dense,
    is_scipy,
    values,
)  # fmt: skip
from dpnp.scipy.sparse._base import Sparse, sparray, spmatrix
from dpnp.scipy.sparse._rows import Rows

__all__ = ["csc_array", "csc_matrix", "csr_array", "csr_matrix"]


class _Compressed(Sparse):
    """A matrix whose rows, or for CSC columns, are compressed.

    Parameters
    ----------
    arg1 : array, sparse matrix, tuple
        A dense array with two axes, a sparse matrix of dpnp or SciPy, a shape (m, n), (data, (row, col)) with
        duplicates added, or (data, indices, indptr). Indices are checked, which waits for them.
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

    _major: int  # the axis that is compressed
    indptr: dpnp_ndarray
    indices: dpnp_ndarray

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
            arg1 = arg1.asformat(self.format)
            arg1, shape = (arg1.data, arg1.indices, arg1.indptr), arg1.shape if shape is None else shape
        if isinstance(arg1, Sparse):
            made = arg1.asformat(self.format, copy=copy)
            made = made if dtype is None else made.astype(dtype, copy=False)
            self._set(made._own_rows(), made.shape if shape is None else checked_shape(name, shape))
            if self.shape != made.shape:
                raise ValueError(f"{name}: shape {self.shape} does not match that of the matrix, {made.shape}")
            self._sorted, self._canonical = made._sorted, made._canonical
        elif isinstance(arg1, tuple) and len(arg1) == 3 and not all(isinstance(n, int) for n in arg1):
            self._from_arrays(name, arg1, shape, dtype, copy, place)
        elif (
            isinstance(arg1, tuple)
            and len(arg1) == 2
            and all(hasattr(n, "__index__") and not is_dense(n) for n in arg1)
        ):
            self._set_empty(checked_shape(name, arg1), dtype, place)
        else:
            from dpnp.scipy.sparse._coo import coo_array

            made = coo_array(arg1, shape, dtype, copy, **place)
            self._set(_own(made, self._major), made.shape)
            self._sorted = self._canonical = True

    def _set(self, rows: Rows, shape: tuple[int, int]) -> None:
        self.indptr, self.indices, self.data, _ = rows
        self.shape = shape
        self._sorted = self._canonical = None  # whether they are known to be so, or not

    @classmethod
    def _from_rows(cls, rows: Rows, shape: tuple[int, int]) -> _Compressed:
        made = cls.__new__(cls)
        made._set(rows, shape)
        return made

    def _set_empty(self, shape: tuple[int, int], dtype: object, place: dict) -> None:
        data = values(type(self).__name__, dpnp.zeros(0, dtype=dtype, **place), place)
        index = _rows.index_dtype(max(shape))
        indptr = dpnp.zeros(shape[self._major] + 1, dtype=index, **place)
        self._set(Rows(indptr, dpnp.zeros(0, dtype=index, **place), data, shape[1 - self._major]), shape)
        self._sorted = self._canonical = True

    def _from_arrays(self, name: str, arrays: tuple, shape: object, dtype: object, copy: bool, place: dict) -> None:
        for x in arrays:
            if is_dense(x):
                place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
                break
        data = values(name, arrays[0], place, dtype)
        indices, indptr = (as_array(x, place) for x in arrays[1:])
        for label, x in (("data", data), ("indices", indices), ("indptr", indptr)):
            if x.ndim != 1:
                raise ValueError(f"{name}: data, indices, and indptr should be 1-D, got {label} of shape {x.shape}")
        for label, x in (("indices", indices), ("indptr", indptr)):
            if x.dtype.kind not in "iu" and x.size:
                raise TypeError(f"{name}: {label} must be integers, got {x.dtype}")
        if indices.size != data.size:
            raise ValueError(f"{name}: indices and data should have the same size, got {indices.size} and {data.size}")
        if indptr.size < 1:
            raise ValueError(f"{name}: index pointer size 0 should be at least 1")
        rows = indptr.size - 1
        if shape is None:
            minor = int(dpnp.max(indices)) + 1 if indices.size else 0
            shape = (rows, minor) if self._major == 0 else (minor, rows)
        shape = checked_shape(name, shape)
        major, minor = shape[self._major], shape[1 - self._major]
        if rows != major:
            raise ValueError(f"{name}: index pointer size {rows + 1} should be {major + 1}")
        if int(indptr[0]) != 0:
            raise ValueError(f"{name}: index pointer should start with 0")
        if int(indptr[-1]) > data.size:
            raise ValueError(
                f"{name}: Last value of index pointer should be less than the size of index and data arrays"
            )
        if rows and bool((indptr[1:] < indptr[:-1]).any()):
            raise ValueError(f"{name}: index pointer values must not decrease")
        elements = int(indptr[-1])
        data, indices = data[:elements], indices[:elements]
        check_indices(name, indices, minor, 1 - self._major)
        index = _rows.index_dtype(max(*shape, elements))
        indices, indptr = (x.astype(index, copy=copy) for x in (indices, indptr))
        self._set(Rows(indptr, indices, data.copy() if copy else data, minor), shape)

    # --- what the base class asks for

    def _own_rows(self) -> Rows:
        """The matrix in compressed rows; for CSC its transpose."""
        return Rows(self.indptr, self.indices, self.data, self.shape[1 - self._major])

    def _csr_rows(self) -> Rows:
        rows = self._own_rows()
        return rows if self._major == 0 else _rows.transposed(rows)

    def _summed_own_rows(self) -> Rows:
        """The matrix in compressed rows, or for CSC its transpose, in order and without duplicates."""
        rows = self._own_rows()
        return rows if self.has_canonical_format else _rows.summed(rows)

    def _summed_rows(self) -> Rows:
        rows = self._summed_own_rows()
        return rows if self._major == 0 else _rows.transposed(rows)

    def _with_data(self, data: dpnp_ndarray) -> _Compressed:
        made = self._from_rows(Rows(self.indptr, self.indices, data, 0), self.shape)
        made._sorted, made._canonical = self._sorted, self._canonical
        return made

    def _product(self, x: dpnp_ndarray) -> dpnp_ndarray:
        rows = self._own_rows()
        return _rows.multiply(rows, x) if self._major == 0 else _rows.multiply_transposed(rows, x)

    def _sums(self, axis: int) -> dpnp_ndarray:
        rows = self._own_rows()
        return _rows.multiply(rows, None) if axis != self._major else _rows.multiply_transposed(rows, None)

    def copy(self) -> Sparse:
        made = self._with_data(self.data.copy())
        made.indptr, made.indices = self.indptr.copy(), self.indices.copy()
        return made

    # --- conversions

    def tocsr(self, copy: bool = False) -> Sparse:
        """Return the matrix in compressed rows: itself if it is, without `copy`."""
        if self._major == 0:
            return self.copy() if copy else self
        made = self._as_csr(self._csr_rows())
        made._sorted, made._canonical = True, self._canonical or None
        return made

    def tocsc(self, copy: bool = False) -> Sparse:
        """Return the matrix in compressed columns: itself if it is, without `copy`."""
        if self._major == 1:
            return self.copy() if copy else self
        made = self._made("csc", _rows.transposed(self._own_rows()), self.shape)
        made._sorted, made._canonical = True, self._canonical or None
        return made

    def tocoo(self, copy: bool = True) -> Sparse:
        """Return the matrix as rows, columns and values of elements."""
        rows = self._own_rows()
        major = _rows.row_numbers(rows)
        minor, data = (rows.indices.copy(), rows.data.copy()) if copy else (rows.indices, rows.data)
        row, col = (major, minor) if self._major == 0 else (minor, major)
        return self._coordinates(data, row, col, self.shape)

    def toarray(self, order: str | None = None, out: dpnp_ndarray | None = None) -> dpnp_ndarray:
        if self._major == 0 or out is not None or order == "C":
            return super().toarray(order, out)
        made = _rows.dense(self._own_rows()).T
        return made if order == "F" else dpnp.ascontiguousarray(made)

    def get(self) -> object:
        """Return a copy as SciPy's matrix or array of this format."""
        import scipy.sparse

        made = getattr(scipy.sparse, type(self).__name__)
        return made(tuple(dpnp.asnumpy(x) for x in (self.data, self.indices, self.indptr)), shape=self.shape)

    def transpose(self, axes: object = None, copy: bool = False) -> Sparse:
        """Return the transpose, in the other format, which shares memory unless it is a copy."""
        if axes is not None and tuple(axes) != (1, 0):
            raise ValueError("Sparse arrays do not support an 'axes' parameter other than (1, 0)")
        rows = self._own_rows()
        if copy:
            rows = Rows(*(x.copy() for x in rows[:3]), rows.columns)
        made = self._made("csc" if self._major == 0 else "csr", rows, self.shape[::-1])
        made._sorted, made._canonical = self._sorted, self._canonical
        return made

    # --- the order of elements

    def _find_order(self) -> None:
        if self._sorted is None or self._canonical is None:
            self._sorted, different = _rows.order(self._own_rows())
            self._canonical = self._sorted and different == self.data.size

    @property
    def has_sorted_indices(self) -> bool:
        """Whether the indices of each row (CSC: column) are in order."""
        self._find_order()
        return self._sorted

    @property
    def has_canonical_format(self) -> bool:
        """Whether the indices of each row (CSC: column) are in order and different."""
        self._find_order()
        return self._canonical

    def sort_indices(self) -> None:
        """Order the indices of each row (CSC: column). `indices` and `data` become other arrays."""
        if not self.has_sorted_indices:
            self.indptr, self.indices, self.data, _ = _rows.sorted_rows(self._own_rows())
            self._sorted, self._canonical = True, None

    def sorted_indices(self) -> Sparse:
        """Return a copy with indices in order."""
        made = self.copy()
        made.sort_indices()
        return made

    def sum_duplicates(self) -> None:
        """Add elements of the same row and column, and order the indices."""
        if not self.has_canonical_format:
            self.indptr, self.indices, self.data, _ = _rows.summed(self._own_rows())
            self._sorted = self._canonical = True

    def eliminate_zeros(self) -> None:
        """Remove stored zeros."""
        mask = self.data != 0
        if not bool(mask.all()):
            self.indptr, self.indices, self.data, _ = _rows.kept(self._own_rows(), mask)

    def setdiag(self, values: object, k: int = 0) -> None:
        """Set the elements of a diagonal to a number or to the elements of an array, as many as there are."""
        from dpnp.scipy.sparse._coo import with_diagonal

        made = with_diagonal(self.tocoo(), values, k).asformat(self.format)
        self._set(made._own_rows(), self.shape)

    # --- indexing

    def __getitem__(self, key: object) -> object:
        if isinstance(key, Sparse):
            raise NotImplementedError("indexing by sparse matrices of bools is not supported; use A.multiply(mask)")
        key = key if isinstance(key, tuple) else (key,)
        if len(key) > 2 and Ellipsis not in key:
            raise IndexError("too many indices for sparse matrix")
        key = tuple(k for k in key if k is not Ellipsis)
        row, col = (*key, slice(None), slice(None))[:2]
        row, col = (_component(k, n, self._place) for k, n in zip((row, col), self.shape, strict=True))
        if isinstance(row, int) and isinstance(col, int):
            at = [dpnp.asarray([i], **self._place) for i in (row, col)]
            return _values_at(self, *at)[0]
        if is_dense(row) and is_dense(col):
            if row.ndim == 1 and col.ndim == 1:
                made = _values_at(self, *dpnp.broadcast_arrays(row, col))
                return self._axis_result(made, 0)
            if row.ndim == 2 and col.ndim == 2 and row.shape[1] == 1 and col.shape[0] == 1:
                row, col = row.reshape(-1), col.reshape(-1)
            else:
                raise IndexError(f"arrays of indices of shapes {row.shape} and {col.shape} are not supported")
        major, minor = (row, col) if self._major == 0 else (col, row)
        made = _selected(self, major)
        if not (isinstance(minor, slice) and minor == slice(None)):
            made = _selected_minor(made, minor)
        return made


def _component(key: object, length: int, place: dict) -> int | slice | dpnp_ndarray:
    """An index from 0, a slice, or an array of indices from 0."""
    if isinstance(key, slice):
        return slice(None) if key == slice(None) else key
    if hasattr(key, "__index__") and not is_dense(key) and not isinstance(key, numpy.ndarray):
        return index_from(key, length)
    if key is None or isinstance(key, (str, float)):
        raise IndexError(f"Index dimension must be 1 or 2: expected integers, slices or arrays, got {key!r}")
    at = as_array(key, place)
    if at.dtype == bool:
        if at.shape != (length,):
            raise IndexError(f"boolean index shape {at.shape} does not match the axis of length {length}")
        return dpnp.nonzero(at)[0]
    if at.size == 0:
        at = at.astype("int64")
    if at.dtype.kind not in "iu":
        raise IndexError(f"expected indices that are integers or bools, got {at.dtype}")
    if at.ndim == 0:
        return index_from(int(at), length)
    if at.ndim > 2:
        raise IndexError("Index dimension must be 1 or 2")
    if at.size:
        least, greatest = int(dpnp.min(at)), int(dpnp.max(at))
        if least < -length or greatest >= length:
            raise IndexError(f"index ({greatest if greatest >= length else least}) out of range")
        at = dpnp.where(at < 0, at + length, at) if least < 0 else at
    return at.astype("int64", copy=False)


def _as_array(which: int | slice | dpnp_ndarray, length: int, place: dict) -> dpnp_ndarray:
    if isinstance(which, int):
        which = slice(which, which + 1)
    if isinstance(which, slice):
        return dpnp.arange(*which.indices(length), dtype="int64", **place)
    return which.reshape(-1)


def _shape_of(a: _Compressed, rows: Rows) -> tuple[int, int]:
    return (rows.count, rows.columns) if a._major == 0 else (rows.columns, rows.count)


def _selected(a: _Compressed, which: int | slice | dpnp_ndarray) -> _Compressed:
    """Rows of CSR, columns of CSC."""
    rows, length = a._own_rows(), a.shape[a._major]
    if isinstance(which, slice) and which == slice(None):
        made = rows
    elif isinstance(which, int) or (isinstance(which, slice) and which.step in (None, 1)):
        first, last, _ = which.indices(length) if isinstance(which, slice) else (which, which + 1, 1)
        last = max(first, last)
        begin, end = int(rows.indptr[first]), int(rows.indptr[last])
        indptr = rows.indptr[first : last + 1] - begin
        made = Rows(
            indptr.astype(rows.indptr.dtype), rows.indices[begin:end].copy(), rows.data[begin:end].copy(), rows.columns
        )
    else:
        made = _rows.taken(rows, _as_array(which, length, a._place))
    result = a._from_rows(made, _shape_of(a, made))
    result._sorted, result._canonical = a._sorted or None, a._canonical or None
    return result


def _selected_minor(a: _Compressed, which: int | slice | dpnp_ndarray) -> _Compressed:
    """Columns of CSR, rows of CSC."""
    rows, length = a._own_rows(), a.shape[1 - a._major]
    if isinstance(which, int) or (isinstance(which, slice) and which.step in (None, 1)):
        first, last, _ = which.indices(length) if isinstance(which, slice) else (which, which + 1, 1)
        last = max(first, last)
        made = _rows.column_range(rows, first, last)
    else:
        chosen = _rows.taken(_rows.transposed(rows), _as_array(which, length, a._place))
        made = _rows.transposed(chosen)
    return a._from_rows(made, _shape_of(a, made))


def _values_at(a: _Compressed, row: dpnp_ndarray, col: dpnp_ndarray) -> dpnp_ndarray:
    """The elements at rows and columns, by a binary search."""
    if row.size == 1 and a.data.size:  # only one row is read
        a = _selected(a, int((row, col)[a._major][0]))
        row, col = (dpnp.zeros_like(row), col) if a._major == 0 else (row, dpnp.zeros_like(col))
    rows = _rows.summed(a._own_rows())
    if rows.data.size == 0:
        return dpnp.zeros(row.size, dtype=a.dtype, **a._place)
    keys = _rows.row_numbers(rows).astype("int64") * rows.columns + rows.indices
    major, minor = (row, col) if a._major == 0 else (col, row)
    wanted = major * rows.columns + minor
    at = dpnp.minimum(dpnp.searchsorted(keys, wanted), keys.size - 1)
    found = rows.data[at]
    return dpnp.where(keys[at] == wanted, found, dpnp.zeros_like(found))


def _own(coo: Sparse, major: int) -> Rows:
    """Compressed rows, or columns, of COO, with duplicates added."""
    row, col = (coo.row, coo.col) if major == 0 else (coo.col, coo.row)
    return _rows.grouped(row, col, coo.data, coo.shape[major], coo.shape[1 - major])


class csr_matrix(_Compressed, spmatrix):
    __doc__ = (
        (_Compressed.__doc__ or "").replace("A matrix whose rows, or for CSC columns,", "A matrix whose rows")
        + """
    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.csr_matrix(np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]]))
    >>> a @ np.array([1.0, 1.0, 1.0])
    array([3., 3.])
    """
    )
    format, _major = "csr", 0


class csr_array(_Compressed, sparray):
    __doc__ = (
        (_Compressed.__doc__ or "").replace("A matrix whose rows, or for CSC columns,", "An array whose rows")
        + """
    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> a = sparse.csr_array(np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]]))
    >>> (a * a).toarray()
    array([[1., 0., 4.],
           [0., 0., 9.]])
    """
    )
    format, _major = "csr", 0


class csc_matrix(_Compressed, spmatrix):
    __doc__ = (
        (_Compressed.__doc__ or "").replace("A matrix whose rows, or for CSC columns,", "A matrix whose columns")
        + """
    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.csc_matrix(np.array([[1.0, 0.0], [2.0, 3.0]])).indices
    array([0, 1, 1], dtype=int32)
    """
    )
    format, _major = "csc", 1


class csc_array(_Compressed, sparray):
    __doc__ = (
        (_Compressed.__doc__ or "").replace("A matrix whose rows, or for CSC columns,", "An array whose columns")
        + """
    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.csc_array(np.array([[1.0, 0.0], [2.0, 3.0]])).data
    array([1., 2., 3.])
    """
    )
    format, _major = "csc", 1


_CLASSES = {("csr", False): csr_matrix, ("csr", True): csr_array, ("csc", False): csc_matrix, ("csc", True): csc_array}


def class_of(format: str, is_array: bool) -> type[_Compressed]:
    """Return the class of a format."""
    return _CLASSES[format, is_array]
