"""Constructors of sparse matrices: identities, diagonals, random ones, Kronecker products, blocks and triangles."""

from __future__ import annotations

import operator

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse import _rows
from dpnp.scipy.sparse._arguments import as_array, checked_shape, is_dense, is_scalar
from dpnp.scipy.sparse._base import Sparse, sparray
from dpnp.scipy.sparse._coo import class_of, coo_array
from dpnp.scipy.sparse._rows import value_dtype

__all__ = [
    "block_array", "block_diag", "bmat", "diags", "diags_array", "eye", "eye_array", "find", "hstack", "identity",
    "kron", "kronsum", "rand", "random", "random_array", "tril", "triu", "vstack",
]  # fmt: skip


def _place(device: object, usm_type: str | None, sycl_queue: object) -> dict:
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    return {key: value for key, value in place.items() if value is not None}


def _diagonals(is_array, diagonals, offsets, shape, format, dtype, place) -> Sparse:
    name = "diags_array" if is_array else "diags"
    if is_scalar(offsets):
        first = diagonals if is_dense(diagonals) else numpy.asarray(diagonals)
        diagonals = [diagonals if first.ndim < 2 else diagonals[0]]
        offsets = [offsets]
    diagonals = [dpnp.atleast_1d(as_array(d, place)) for d in diagonals]
    offsets = [operator.index(k) for k in offsets]
    if len(diagonals) != len(offsets):
        raise ValueError(f"Different number of diagonals and offsets: {len(diagonals)} and {len(offsets)}.")
    if len(set(offsets)) != len(offsets):
        raise ValueError("offset array contains duplicate values")
    if shape is None:
        m = n = diagonals[0].size + abs(offsets[0])
    else:
        m, n = checked_shape(name, shape)
    dtype = value_dtype(name, dpnp.result_type(*(d.dtype for d in diagonals)) if dtype is None else dtype)
    index = _rows.index_dtype(max(m, n))
    data, rows, columns = [], [], []
    for d, k in zip(diagonals, offsets, strict=True):
        length = min(m + min(k, 0), n - max(k, 0))
        if length < 0 or (d.size != length and d.size != 1):
            raise ValueError(
                f"Diagonal length (index {k}: {d.size} at offset {k}) does not agree with array size ({m}, {n})."
            )
        at = dpnp.arange(length, dtype=index, usm_type=d.usm_type, sycl_queue=d.sycl_queue)
        data.append(dpnp.broadcast_to(d, (length,)).astype(dtype))
        rows.append((at + max(-k, 0)).astype(index))
        columns.append((at + max(k, 0)).astype(index))
    parts = (dpnp.concatenate(x) if x else dpnp.zeros(0, **place) for x in (data, rows, columns))
    return class_of(is_array)._from_elements(*parts, (m, n)).asformat(format or "csr")


def diags(
    diagonals: object,
    offsets: object = 0,
    shape: object = None,
    format: str | None = None,
    dtype: object = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return a sparse matrix from its diagonals.

    Parameters
    ----------
    diagonals : sequence of arrays
        The elements of each diagonal; one element is repeated if there is a shape.
    offsets : int or sequence of ints, optional
        The diagonals: 0 is the main one, positive ones are above it.
    shape : tuple of two ints, optional
        The shape, by default the square one in which the first diagonal fits.
    format : {'csr', 'csc', 'coo'}, optional
        The format, 'csr' by default.
    dtype : dtype, optional
        The dtype, by default that of the diagonals.
    device, usm_type, sycl_queue : optional
        Where the matrix is created, if the diagonals are not on a device.

    Raises
    ------
    ValueError
        For diagonals whose lengths do not fit, and for a diagonal that is given twice.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.diags([[1.0, 2.0], [3.0]], [0, 1]).toarray()
    array([[1., 3.],
           [0., 2.]])
    """
    return _diagonals(False, diagonals, offsets, shape, format, dtype, _place(device, usm_type, sycl_queue))


def diags_array(
    diagonals: object,
    /,
    *,
    offsets: object = 0,
    shape: object = None,
    format: str | None = None,
    dtype: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return a sparse array from its diagonals, as diags() does.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.diags_array([[1.0, 2.0]], offsets=[1]).toarray()
    array([[0., 1., 0.],
           [0., 0., 2.],
           [0., 0., 0.]])
    """
    return _diagonals(True, diagonals, offsets, shape, format, dtype, _place(device, usm_type, sycl_queue))


def _eye(is_array: bool, m: int, n: int | None, k: int, dtype: object, format: str | None, place: dict) -> Sparse:
    m, n = checked_shape("eye", (m, m if n is None else n))
    length = min(m + min(k, 0), n - max(k, 0))
    if length < 0:
        raise ValueError(f"Offset {k} (index 0) out of bounds")
    index = _rows.index_dtype(max(m, n))
    at = dpnp.arange(length, dtype=index, **place)
    data = dpnp.ones(length, dtype=value_dtype("eye", dtype), **place)
    row, col = (at + max(-k, 0)).astype(index), (at + max(k, 0)).astype(index)
    return class_of(is_array)._from_elements(data, row, col, (m, n)).asformat(format or "csr")


def eye(
    m: int,
    n: int | None = None,
    k: int = 0,
    dtype: object = float,
    format: str | None = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return a sparse matrix with ones on a diagonal, in CSR by default.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.eye(2).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    return _eye(False, m, n, k, dtype, format, _place(device, usm_type, sycl_queue))


def eye_array(
    m: int,
    n: int | None = None,
    *,
    k: int = 0,
    dtype: object = float,
    format: str | None = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return a sparse array with ones on a diagonal, in CSR by default.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.eye_array(2, k=1).toarray()
    array([[0., 1.],
           [0., 0.]])
    """
    return _eye(True, m, n, k, dtype, format, _place(device, usm_type, sycl_queue))


def identity(
    n: int,
    dtype: object = "d",
    format: str | None = None,
    *,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return the sparse identity matrix, in CSR by default.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.identity(2, dtype="int32").toarray()
    array([[1, 0],
           [0, 1]], dtype=int32)
    """
    return _eye(False, n, n, 0, dtype, format, _place(device, usm_type, sycl_queue))


def _different(generator: object, total: int, count: int, place: dict) -> dpnp_ndarray:
    """Different integers below `total`, in random order or in order."""
    if total <= 4 * count:
        return generator.permutation(total, **place)[:count]
    found = dpnp.zeros(0, dtype="int64", **place)
    while found.size < count:  # a drawn number that is known already is rejected
        drawn = generator.integers(0, total, size=count - found.size, **place)
        found = dpnp.unique(dpnp.concatenate([found, drawn]))
    return found


def _random(is_array, shape, density, format, dtype, rng, sampler, place) -> Sparse:
    name = "random_array" if is_array else "random"
    m, n = checked_shape(name, shape)
    if not 0 <= density <= 1:
        raise ValueError("density expected to be 0 <= density <= 1")
    if not isinstance(rng, dpnp.random.Generator):
        if isinstance(rng, numpy.random.Generator | numpy.random.RandomState | dpnp.random.RandomState):
            kind = f"{type(rng).__module__}.{type(rng).__name__}"
            raise TypeError(f"{name}: rng must be a dpnp.random.Generator or a seed, got {kind}")
        rng = dpnp.random.default_rng(rng)
    count = round(density * m * n)
    at = _different(rng, m * n, count, place)
    if dtype is None:
        dtype = dpnp.default_float_type(sycl_queue=at.sycl_queue)
    dtype, columns = value_dtype(name, dtype), max(n, 1)
    if sampler is not None:
        data = as_array(sampler(size=count), place).astype(dtype)
    elif dtype.kind == "c":
        data = (rng.random(count, **place) + 1j * rng.random(count, **place)).astype(dtype)
    elif dtype.kind == "i":
        limits = numpy.iinfo(dtype)
        data = rng.integers(limits.min, limits.max, size=count, dtype=dtype, **place)
    elif dtype.kind == "b":
        data = dpnp.ones(count, dtype=bool, **place)
    else:
        data = rng.random(count, **place).astype(dtype)
    index = _rows.index_dtype(max(m, n))
    row, col = (at // columns).astype(index), (at % columns).astype(index)
    return class_of(is_array)._from_elements(data, row, col, (m, n)).asformat(format)


def random(
    m: int,
    n: int,
    density: float = 0.01,
    format: str = "coo",
    dtype: object = None,
    rng: object = None,
    data_rvs: object = None,
    *,
    random_state: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return a sparse matrix with elements at random positions, by dpnp's generator on the device.

    Parameters
    ----------
    m, n : int
        The shape.
    density : float, optional
        The proportion of elements that are stored, from 0 to 1.
    format : {'coo', 'csr', 'csc'}, optional
        The format.
    dtype : dtype, optional
        The dtype, by default the device's floating-point one. Real numbers are from 0 to 1.
    rng, random_state : dpnp.random.Generator or int, optional
        The generator, or the seed of a new one.
    data_rvs : callable, optional
        A function of `size` that returns the elements.
    device, usm_type, sycl_queue : optional
        Where the matrix is created.

    Raises
    ------
    ValueError
        For a density outside of [0, 1].
    TypeError
        For a generator of NumPy, whose numbers are on the host.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.random(10, 20, 0.25, rng=1).nnz
    50
    """
    rng = random_state if rng is None else rng
    place = _place(device, usm_type, sycl_queue)
    return _random(False, (m, n), density, format, dtype, rng, data_rvs, place)


def random_array(
    shape: object,
    *,
    density: float = 0.01,
    format: str = "coo",
    dtype: object = None,
    rng: object = None,
    data_sampler: object = None,
    random_state: object = None,
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> Sparse:
    """Return a sparse array with elements at random positions, as random() does.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.random_array((10, 20), density=0.5, rng=1).shape
    (10, 20)
    """
    rng = random_state if rng is None else rng
    place = _place(device, usm_type, sycl_queue)
    return _random(True, shape, density, format, dtype, rng, data_sampler, place)


def rand(
    m: int,
    n: int,
    density: float = 0.01,
    format: str = "coo",
    dtype: object = None,
    rng: object = None,
    *,
    random_state: object = None,
) -> Sparse:
    """Return a sparse matrix with uniformly distributed elements at random positions, as random() does.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.rand(4, 5, 0.5, rng=1).nnz
    10
    """
    return random(m, n, density, format, dtype, rng, random_state=random_state)


def _is_any_array(*parts: object) -> bool:
    return any(isinstance(x, sparray) for x in parts)


def _as_coo(x: object) -> Sparse:
    return x.tocoo(copy=False) if isinstance(x, Sparse) else coo_array(x)


def kron(A: object, B: object, format: str | None = None) -> Sparse:
    """Return the Kronecker product of two matrices, in COO by default.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.kron(sparse.eye(2), np.array([[1.0, 2.0]])).toarray()
    array([[1., 2., 0., 0.],
           [0., 0., 1., 2.]])
    """
    a, b = _as_coo(A), _as_coo(B)
    (m, n), (p, q) = a.shape, b.shape
    index = _rows.index_dtype(max(m * p, n * q))

    def crossed(x: dpnp_ndarray, y: dpnp_ndarray, length: int) -> dpnp_ndarray:
        return (x.astype(index)[:, None] * length + y).reshape(-1).astype(index)

    data = (a.data[:, None] * b.data).reshape(-1)
    made = class_of(_is_any_array(A, B))._from_elements(
        data, crossed(a.row, b.row, p), crossed(a.col, b.col, q), (m * p, n * q)
    )
    return made.asformat(format or "coo")


def kronsum(A: object, B: object, format: str | None = None) -> Sparse:
    """Return the Kronecker sum of two square matrices, kron(I, A) + kron(B, I), in CSR by default.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.kronsum(sparse.eye(2), sparse.eye(2)).diagonal()
    array([2., 2., 2., 2.])
    """
    a, b = _as_coo(A), _as_coo(B)
    for x in (a, b):
        if x.shape[0] != x.shape[1]:
            raise ValueError(f"kronsum: expected square matrices, got shape {x.shape}")
    make = eye_array if _is_any_array(A, B) else eye
    left = kron(make(b.shape[0], dtype=a.dtype, **a._place), a)
    right = kron(b, make(a.shape[0], dtype=b.dtype, **b._place))
    return (left + right).asformat(format or "csr")


def _joined(rows: list[list[object]], format: str | None, dtype: object, name: str) -> Sparse:
    """A matrix of blocks; None is a block of zeros."""
    blocks = [[None if x is None else _as_coo(x) for x in row] for row in rows]
    width = len(blocks[0]) if blocks else 0
    if width == 0 or any(len(row) != width for row in blocks):
        raise ValueError("blocks must be 2-D")
    heights, widths = [None] * len(blocks), [None] * width
    for i, row in enumerate(blocks):
        for j, x in enumerate(row):
            if x is None:
                continue
            for lengths, at, axis in ((heights, i, 0), (widths, j, 1)):
                if lengths[at] is not None and lengths[at] != x.shape[axis]:
                    raise ValueError(
                        f"{name}: mismatching dimensions along axis {axis}: {lengths[at]} and {x.shape[axis]}"
                    )
                lengths[at] = x.shape[axis]
    for axis, lengths in ((0, heights), (1, widths)):
        if None in lengths:
            raise ValueError(f"blocks must have at least one matrix in each {'row' if axis == 0 else 'column'}")
    shape = sum(heights), sum(widths)
    index = _rows.index_dtype(max(shape))
    parts = [(i, j, x) for i, row in enumerate(blocks) for j, x in enumerate(row) if x is not None]
    if dtype is None:
        dtype = numpy.result_type(*(x.dtype for _, _, x in parts))
    dtype = value_dtype(name, dtype)
    data = dpnp.concatenate([x.data.astype(dtype, copy=False) for _, _, x in parts])
    row = dpnp.concatenate([(x.row + sum(heights[:i])).astype(index) for i, _, x in parts])
    col = dpnp.concatenate([(x.col + sum(widths[:j])).astype(index) for _, j, x in parts])
    is_array = _is_any_array(*(x for given in rows for x in given))
    return class_of(is_array)._from_elements(data, row, col, shape).asformat(format or "coo")


def _common_format(parts: list[object]) -> str | None:
    return "csr" if parts and all(isinstance(x, Sparse) and x.format == "csr" for x in parts) else None


def hstack(blocks: object, format: str | None = None, dtype: object = None) -> Sparse:
    """Return matrices beside each other, in CSR if all are, else in COO by default.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.hstack([sparse.eye(2), sparse.eye(2)]).toarray()
    array([[1., 0., 1., 0.],
           [0., 1., 0., 1.]])
    """
    parts = list(blocks)
    return _joined([parts], format or _common_format(parts), dtype, "hstack")


def vstack(blocks: object, format: str | None = None, dtype: object = None) -> Sparse:
    """Return matrices below each other, in CSR if all are, else in COO by default.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.vstack([sparse.eye(1, 2), sparse.eye(1, 2)]).toarray()
    array([[1., 0.],
           [1., 0.]])
    """
    parts = list(blocks)
    return _joined([[x] for x in parts], format or _common_format(parts), dtype, "vstack")


def bmat(blocks: object, format: str | None = None, dtype: object = None) -> Sparse:
    """Return a sparse matrix of blocks, of which None is one of zeros.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.bmat([[sparse.eye(1), None], [None, sparse.eye(1)]]).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    return _joined([list(row) for row in blocks], format, dtype, "bmat")


def block_array(blocks: object, *, format: str | None = None, dtype: object = None) -> Sparse:
    """Return a sparse array of blocks, of which None is one of zeros.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.block_array([[sparse.eye_array(1), sparse.eye_array(1)]]).toarray()
    array([[1., 1.]])
    """
    made = _joined([list(row) for row in blocks], None, dtype, "block_array")
    return coo_array(made).asformat(format or "coo")


def block_diag(mats: object, format: str | None = None, dtype: object = None) -> Sparse:
    """Return matrices along the diagonal of a sparse one, in COO by default.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.block_diag([sparse.eye(1), np.array([[2.0, 3.0]])]).toarray()
    array([[1., 0., 0.],
           [0., 2., 3.]])
    """
    parts = list(mats)
    rows = [[x if i == j else None for j in range(len(parts))] for i, x in enumerate(parts)]
    return _joined(rows, format, dtype, "block_diag")


def _triangle(a: object, k: int, format: str | None, upper: bool) -> Sparse:
    coo = a.tocoo(copy=False) if isinstance(a, Sparse) else class_of(False)(a)
    distance = coo.col.astype("int64") - coo.row
    mask = distance >= k if upper else distance <= k
    return coo._from_elements(coo.data[mask], coo.row[mask], coo.col[mask], coo.shape).asformat(format or "coo")


def tril(A: object, k: int = 0, format: str | None = None) -> Sparse:
    """Return the elements on and below a diagonal, in COO by default.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.tril(np.array([[1, 2], [3, 4]])).toarray()
    array([[1, 0],
           [3, 4]])
    """
    return _triangle(A, k, format, False)


def triu(A: object, k: int = 0, format: str | None = None) -> Sparse:
    """Return the elements on and above a diagonal, in COO by default.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.scipy import sparse
    >>> sparse.triu(np.array([[1, 2], [3, 4]])).toarray()
    array([[1, 2],
           [0, 4]])
    """
    return _triangle(A, k, format, True)


def find(A: object) -> tuple[dpnp_ndarray, dpnp_ndarray, dpnp_ndarray]:
    """Return rows, columns and values of the elements that are not zero.

    Examples
    --------
    >>> from dpnp.scipy import sparse
    >>> sparse.find(sparse.eye(2, k=1))
    (array([0], dtype=int32), array([1], dtype=int32), array([1.]))
    """
    made = _as_coo(A).copy()
    made.sum_duplicates()
    made.eliminate_zeros()
    return made.row, made.col, made.data
