"""Operations on compressed rows, composed of sorts, scans and gathers, for devices without the engine's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpep._array import dpnp_ndarray
from dpep._array import sparse as engine

import dpnp

if TYPE_CHECKING:
    from dpnp.scipy.sparse._rows import Rows

__all__ = [
    "dense", "diagonal", "extremes", "group", "merge", "order", "product", "row_numbers", "sort", "starts_of",
    "sum_duplicates", "take_rows",
]  # fmt: skip

_Arrays = tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]


def _numbers(count: int, like: dpnp_ndarray, dtype: object = "int64") -> dpnp_ndarray:
    return dpnp.arange(count, dtype=dtype, usm_type=like.usm_type, sycl_queue=like.sycl_queue)


def _starts(counts: dpnp_ndarray) -> dpnp_ndarray:
    """The sums of the counts before each, and of all."""
    return dpnp.concatenate([dpnp.zeros_like(counts, shape=1, dtype="int64"), dpnp.cumsum(counts, dtype="int64")])


def starts_of(rows: dpnp_ndarray, count: int, dtype: object) -> dpnp_ndarray:
    """Return the starts of rows, from the row of each element, in order."""
    return dpnp.searchsorted(rows, _numbers(count + 1, rows, rows.dtype)).astype(dtype)


def row_numbers(indptr: dpnp_ndarray, elements: int) -> dpnp_ndarray:
    """Return the row of each element."""
    positions = _numbers(elements, indptr, indptr.dtype)
    return (dpnp.searchsorted(indptr, positions, side="right") - 1).astype(indptr.dtype)


def group(row: dpnp_ndarray, col: dpnp_ndarray, data: dpnp_ndarray, rows: int) -> _Arrays:
    """Return compressed rows of elements in any order. Those of a row keep their order."""
    positions = dpnp.argsort(row, kind="stable")
    return starts_of(row[positions], rows, row.dtype), col[positions], data[positions]


def _keys(a: Rows) -> dpnp_ndarray:
    return row_numbers(a.indptr, a.indices.size).astype("int64") * a.columns + a.indices


def order(a: Rows) -> tuple[bool, int]:
    """Return whether columns are in order, and the number of different ones, -1 if they are not."""
    if a.indices.size == 0:
        return True, 0
    distances = dpnp.diff(_keys(a))
    if bool((distances < 0).any()):
        return False, -1
    return True, int(dpnp.count_nonzero(distances)) + 1


def sort(a: Rows) -> _Arrays:
    """Return the matrix with columns in order."""
    positions = dpnp.argsort(_keys(a), kind="stable")
    return a.indptr, a.indices[positions], a.data[positions]


def sum_duplicates(a: Rows) -> _Arrays:
    """Return the matrix with elements of the same column added. The columns must be in order."""
    keys = _keys(a)
    starts = dpnp.nonzero(dpnp.diff(keys) != 0)[0] + 1
    starts = dpnp.concatenate([dpnp.zeros_like(starts, shape=1), starts])
    ends = dpnp.concatenate([starts, dpnp.full_like(starts, a.indices.size, shape=1)]).astype(a.indptr.dtype)
    data = engine.multiply(ends, a.indices, a.data, 1, None)
    rows = row_numbers(a.indptr, a.indices.size)[starts]
    return starts_of(rows, a.count, a.indptr.dtype), a.indices[starts], data


def merge(a: Rows, b: Rows, intersection: bool) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return the columns of either matrix, or of both, and the values of each there, or zeros."""
    left, right = _keys(a), _keys(b)
    if intersection:
        positions = dpnp.searchsorted(right, left)
        if right.size == 0 or left.size == 0:
            found = dpnp.zeros_like(left, dtype=bool)
            keys, first, second = left[found], a.data[found], a.data[found]
        else:
            positions = dpnp.minimum(positions, right.size - 1)
            found = right[positions] == left
            keys, first, second = left[found], a.data[found], b.data[positions[found]]
    else:
        keys = dpnp.unique(dpnp.concatenate([left, right]))
        first, second = dpnp.zeros_like(a.data, shape=keys.size), dpnp.zeros_like(b.data, shape=keys.size)
        first[dpnp.searchsorted(keys, left)] = a.data
        second[dpnp.searchsorted(keys, right)] = b.data
    dtype = dpnp.result_type(a.indptr, b.indptr)
    columns = max(a.columns, 1)
    return starts_of(keys // columns, a.count, dtype), (keys % columns).astype(dtype), first, second


def take_rows(a: Rows, rows: dpnp_ndarray) -> _Arrays:
    """Return the rows with these numbers, from 0."""
    first = a.indptr[rows]
    starts = _starts(a.indptr[rows + 1] - first)
    elements = int(starts[-1])
    owners = row_numbers(starts, elements)
    positions = _numbers(elements, a.indptr) - starts[owners] + first[owners]
    dtype = a.indptr.dtype if elements < 2**31 else "int64"
    return starts.astype(dtype), a.indices[positions].astype(dtype), a.data[positions]


def product(a: Rows, b: Rows) -> _Arrays:
    """Return the product of two matrices: all products of elements, sorted, and those of one element added."""
    first = b.indptr[a.indices]
    starts = _starts(b.indptr[a.indices + 1] - first)
    products = int(starts[-1])
    left = row_numbers(starts, products)
    right = _numbers(products, a.indptr) - starts[left] + first[left]
    rows = row_numbers(a.indptr, a.indices.size)[left].astype("int64")
    keys = rows * b.columns + b.indices[right]
    positions = dpnp.argsort(keys, kind="stable")
    keys, data = keys[positions], (a.data[left] * b.data[right])[positions]
    columns = max(b.columns, 1)
    dtype = "int64" if products >= 2**31 else dpnp.result_type(a.indptr, b.indptr)
    made = a._replace(
        indptr=starts_of(keys // columns, a.count, dtype),
        indices=(keys % columns).astype(dtype),
        data=data,
        columns=b.columns,
    )
    return made[:3] if products == 0 else sum_duplicates(made)


def dense(a: Rows) -> dpnp_ndarray:
    """Return the row-major matrix. There must be no duplicates."""
    made = dpnp.zeros_like(a.data, shape=a.count * a.columns)
    made[_keys(a)] = a.data
    return made.reshape(a.count, a.columns)


def extremes(a: Rows, maximum: bool, only_stored: bool) -> dpnp_ndarray:
    """Return the smallest or largest element of each row. There must be no duplicates."""
    function = dpnp.maximum if maximum else dpnp.minimum
    counts = dpnp.diff(a.indptr)
    which = dpnp.nonzero(counts)[0]
    made = dpnp.zeros_like(a.data, shape=a.count)
    if which.size == 0:
        return made
    data = a.data.astype("int32") if a.data.dtype == bool else a.data
    found = function.reduceat(data, a.indptr[which]).astype(a.data.dtype)
    if not only_stored:
        found = dpnp.where(counts[which] < a.columns, function(found, dpnp.zeros_like(found)), found)
    made[which] = found
    return made


def diagonal(a: Rows, offset: int) -> dpnp_ndarray:
    """Return the elements of a diagonal. There must be no duplicates."""
    rows = row_numbers(a.indptr, a.indices.size)
    on = a.indices.astype("int64") - rows == offset
    made = dpnp.zeros_like(a.data, shape=min(a.count + min(offset, 0), a.columns - max(offset, 0)))
    made[rows[on] + min(offset, 0)] = a.data[on]
    return made
