"""Sparse matrices in compressed rows, as the formats of dpnp.scipy.sparse use them.

Where the queue's device has the engine's operations (dpep._array.sparse), these compute; elsewhere they are composed of
sorts, scans and gathers (_composed.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy
from dpep._array import dpnp_ndarray
from dpep._array import sparse as engine

import dpnp
from dpnp.scipy.sparse import _composed as composed

__all__ = [
    "Rows", "column_range", "dense", "diagonal", "extremes", "first_extremes", "grouped", "index_dtype", "kept",
    "merged", "multiply", "multiply_transposed", "order", "product", "row_numbers", "sorted_rows", "summed", "taken",
    "transposed", "value_dtype",
]  # fmt: skip

_VALUES = [numpy.dtype(code) for code in "?ilfdFD"]


class Rows(NamedTuple):
    """The elements of row i are those from indptr[i] to indptr[i + 1], at the columns in indices."""

    indptr: dpnp_ndarray
    indices: dpnp_ndarray
    data: dpnp_ndarray
    columns: int

    @property
    def count(self) -> int:
        """The number of rows."""
        return self.indptr.size - 1


def _in_engine(x: dpnp_ndarray) -> bool:
    return engine.has_operations(x.sycl_queue)


def index_dtype(largest: int) -> numpy.dtype:
    """Return the dtype of indices up to that number."""
    return numpy.dtype(numpy.int32 if largest < 2**31 else numpy.int64)


def value_dtype(function: str, dtype: object) -> numpy.dtype:
    """Return a dtype that elements may have; TypeError for others."""
    dtype = numpy.dtype(dtype)
    if dtype not in _VALUES:
        names = ", ".join(d.name for d in _VALUES)
        raise TypeError(f"{function}: sparse matrices on devices have elements of {names}, got {dtype.name}")
    return dtype


def multiply(a: Rows, x: dpnp_ndarray | None) -> dpnp_ndarray:
    """Return the product with a dense vector or matrix of the same dtype; for None the sums of rows."""
    return engine.multiply(*a, x)


def multiply_transposed(a: Rows, x: dpnp_ndarray | None) -> dpnp_ndarray:
    """Return the product of the transpose; for None the sums of columns."""
    if _in_engine(a.data):
        return engine.multiply_transposed(*a, x)
    return engine.multiply(*transposed(a), x)


def product(a: Rows, b: Rows) -> Rows:
    """Return the product of two matrices of the same dtype, whose rows are in no order."""
    if _in_engine(a.data):
        return Rows(*engine.multiply_sparse(*a, *b), b.columns)
    return Rows(*composed.product(a, b), b.columns)


def row_numbers(a: Rows) -> dpnp_ndarray:
    """Return the row of each element."""
    if _in_engine(a.indices):
        return engine.row_numbers(a.indptr, a.indices.size)
    return composed.row_numbers(a.indptr, a.indices.size)


def grouped(row: dpnp_ndarray, col: dpnp_ndarray, data: dpnp_ndarray, rows: int, columns: int) -> Rows:
    """Return the matrix of elements in any order: columns are in order, and duplicates are added."""
    if not _in_engine(data):
        return summed(Rows(*composed.group(row, col, data, rows), columns))
    if row.size == 0 or bool((row[1:] >= row[:-1]).all()):  # elements stay where they are
        made = Rows(composed.starts_of(row, rows, row.dtype), col.copy(), data.copy(), columns)
    elif row.size < 16 * rows:
        made = Rows(*engine.group(row, col, data, rows, columns), columns)
    else:
        # Sorting by column, then by row, moves each element twice, less often than sorting long rows does.
        made = transposed(Rows(*engine.group(col, row, data, columns, rows), rows))
    in_order, different = order(made)
    if not in_order:
        engine.sort_rows(*made)
        different = order(made)[1]
    return made if different == data.size else Rows(*engine.sum_duplicates(*made), columns)


def transposed(a: Rows) -> Rows:
    """Return the transpose, whose columns are in order."""
    if _in_engine(a.data):
        return Rows(*engine.transpose(*a), a.count)
    return Rows(*composed.group(a.indices, row_numbers(a), a.data, a.columns), a.count)


def order(a: Rows) -> tuple[bool, int]:
    """Return whether columns are in order, and the number of different ones, -1 if they are not."""
    if _in_engine(a.data):
        return engine.column_order(*a)
    return composed.order(a)


def sorted_rows(a: Rows) -> Rows:
    """Return a copy whose columns are in order."""
    if not _in_engine(a.data):
        return Rows(*composed.sort(a), a.columns)
    made = Rows(a.indptr, a.indices.copy(), a.data.copy(), a.columns)
    engine.sort_rows(*made)
    return made


def summed(a: Rows) -> Rows:
    """Return the matrix with duplicates added and columns in order: the same arrays if it is so."""
    in_order, different = order(a)
    if not in_order:
        a = sorted_rows(a)
        different = order(a)[1]
    if different == a.data.size:
        return a
    if _in_engine(a.data):
        return Rows(*engine.sum_duplicates(*a), a.columns)
    return Rows(*composed.sum_duplicates(a), a.columns)


def merged(a: Rows, b: Rows, intersection: bool = False) -> tuple[Rows, dpnp_ndarray]:
    """Return the columns of either matrix, or of both, with the values of the first there, or zeros, and those of the
    second. Matrices have one dtype, and columns in order without duplicates."""
    if _in_engine(a.data):
        indptr, indices, first, second = engine.merge(*a[:3], *b[:3], a.columns, intersection)
    else:
        indptr, indices, first, second = composed.merge(a, b, intersection)
    return Rows(indptr, indices, first, a.columns), second


def taken(a: Rows, rows: dpnp_ndarray) -> Rows:
    """Return the rows with these numbers, from 0."""
    if _in_engine(a.data):
        return Rows(*engine.take_rows(*a, rows), a.columns)
    return Rows(*composed.take_rows(a, rows), a.columns)


def kept(a: Rows, mask: dpnp_ndarray) -> Rows:
    """Return the elements where the mask is true."""
    before = dpnp.cumsum(mask, dtype=a.indptr.dtype)
    before = dpnp.concatenate([dpnp.zeros_like(before, shape=1), before])
    return Rows(before[a.indptr], a.indices[mask], a.data[mask], a.columns)


def column_range(a: Rows, first: int, last: int) -> Rows:
    """Return the columns of a range, which become those from 0 on."""
    if _in_engine(a.data):
        return Rows(*engine.take_columns(*a, first, last), last - first)
    made = kept(a, (a.indices >= first) & (a.indices < last))
    return made._replace(indices=(made.indices - first).astype(a.indices.dtype), columns=last - first)


def extremes(a: Rows, maximum: bool, only_stored: bool) -> dpnp_ndarray:
    """Return the smallest or largest element of each row. There must be no duplicates."""
    if _in_engine(a.data):
        return engine.extremes(*a, maximum, only_stored)
    return composed.extremes(a, maximum, only_stored)


def first_extremes(a: Rows, maximum: bool, only_stored: bool) -> dpnp_ndarray:
    """Return the column of the first smallest or largest element of each row, in order and without duplicates."""
    rows, count, columns = row_numbers(a), a.count, a.columns
    values = extremes(a, maximum, only_stored)
    place = {"usm_type": a.data.usm_type, "sycl_queue": a.data.sycl_queue}

    def first(candidates: dpnp_ndarray, otherwise: int) -> dpnp_ndarray:
        """The smallest of each row."""
        made = dpnp.full(count, otherwise, dtype="i8", **place)
        dpnp.minimum.at(made, rows, candidates.astype("i8"))
        return made

    is_extreme = dpnp.logical_or(a.data == values[rows], dpnp.isnan(a.data))
    found = first(dpnp.where(is_extreme, a.indices, columns), columns)
    lengths = dpnp.diff(a.indptr)
    if only_stored:
        return dpnp.where(lengths > 0, found, 0)
    # the first column that is not stored is the position of the first element that is not in the column of its position
    position = dpnp.arange(a.indices.size, dtype="i8", **place) - a.indptr[rows]
    absent = first(dpnp.where(a.indices != position, position, columns), columns)
    absent = dpnp.where(lengths < columns, dpnp.minimum(absent, lengths), columns)
    return dpnp.where(values == 0, dpnp.minimum(found, absent), found)


def diagonal(a: Rows, offset: int) -> dpnp_ndarray:
    """Return the elements of a diagonal, of which there is at least one."""
    if _in_engine(a.data):
        return engine.diagonal(*a, offset)
    return composed.diagonal(summed(a), offset)


def dense(a: Rows) -> dpnp_ndarray:
    """Return the row-major matrix, with duplicates added."""
    if _in_engine(a.data):
        return engine.to_dense(*a)
    return composed.dense(summed(a))
