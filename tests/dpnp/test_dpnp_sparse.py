"""dpnp.scipy.sparse against scipy.sparse: construction, conversions, products and reductions."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
import scipy.sparse
from dpnp.scipy import sparse
from sparse_matrices import CODES, FORMATS, SHAPES, check_structure, matrix, on_device, same, values


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("code", CODES)
def test_conversions(code, format, shape):
    a = matrix(code, shape, format)
    x = on_device(a)
    assert (x.shape, x.dtype, x.nnz, x.ndim, x.format) == (a.shape, a.dtype, a.nnz, 2, format)
    same(x, a)
    for to in FORMATS:
        same(x.asformat(to), a.asformat(to))
        same(getattr(x, f"to{to}")(copy=True), a.asformat(to))
    same(x.toarray(), a.toarray())
    same(x.todense(), a.toarray())
    assert x.toarray(order="F").flags.f_contiguous
    same(x.T, a.T)
    same(x.copy(), a)
    same(x.conj(), a.conj())
    same(type(x)(dpnp.asarray(a.toarray())), a)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", ["matrix", "array"])
@pytest.mark.parametrize("rows", [5, 2000])
def test_duplicates_are_added(format, kind, rows):
    rng = np.random.default_rng(3)
    count = rows * 30
    row, col, data = rng.integers(0, rows, count), rng.integers(0, 7, count), rng.standard_normal(count)
    name = f"{format}_{kind}"
    expected = getattr(scipy.sparse, name)((data, (row, col)), shape=(rows, 7))
    found = getattr(sparse, name)((dpnp.asarray(data), (dpnp.asarray(row), dpnp.asarray(col))), shape=(rows, 7))
    same(found, expected, 500)
    if format == "coo":
        assert found.nnz == count
        found.sum_duplicates()
        assert found.nnz == expected.tocsr().nnz
    else:
        assert found.has_canonical_format
        assert found.nnz == expected.nnz


def test_lists_and_host_arrays():
    expected = scipy.sparse.csr_matrix(([1.0, 2.0, 3.0], [0, 2, 1], [0, 2, 2, 3]))
    for found in (
        sparse.csr_matrix(([1.0, 2.0, 3.0], [0, 2, 1], [0, 2, 2, 3])),
        sparse.csr_matrix((np.array([1.0, 2.0, 3.0]), np.array([0, 2, 1]), np.array([0, 2, 2, 3]))),
        sparse.csr_matrix([[1.0, 0, 2.0], [0, 0, 0], [0, 3.0, 0]]),
    ):
        same(found, expected)
    same(
        sparse.coo_matrix(([1, 2], ([0, 1], [1, 0])), dtype="f"),
        scipy.sparse.coo_matrix(([1, 2], ([0, 1], [1, 0])), dtype="f"),
    )
    assert sparse.csr_matrix((3, 4)).shape == (3, 4)
    assert sparse.csc_array((3, 4), dtype="i").dtype == np.int32
    assert sparse.csr_matrix((3, 4)).nnz == 0


def test_unsorted_indices():
    data, indices, indptr = np.arange(1.0, 8.0), np.array([3, 0, 1, 2, 1, 1, 0]), np.array([0, 3, 3, 7])
    a = scipy.sparse.csr_matrix((data, indices, indptr), shape=(3, 4))
    x = sparse.csr_matrix((data, indices, indptr), shape=(3, 4))
    assert not x.has_sorted_indices
    assert not x.has_canonical_format
    same(x.toarray(), a.toarray())
    same(x @ dpnp.arange(4.0), a @ np.arange(4.0))
    same(x + x.T.T, a + a)
    x.sort_indices()
    a.sort_indices()
    assert x.has_sorted_indices
    np.testing.assert_array_equal(dpnp.asnumpy(x.indices), a.indices)
    x.sum_duplicates()
    a.sum_duplicates()
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(dpnp.asnumpy(getattr(x, name)), getattr(a, name))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("code", CODES)
def test_products_with_dense_operands(code, format, shape):
    a = matrix(code, shape, format)
    x = on_device(a)
    rng = np.random.default_rng(2)
    m, n = shape
    for other in "?ldF" if code in "id" else code:
        for columns in ((), (1,), (3,), (16,), (23,)):
            right, left = values(other, (n, *columns), rng), values(other, (*columns, m), rng)
            same(x @ dpnp.asarray(right), a @ right, 500)
            same(dpnp.asarray(left) @ x, left @ a, 500)
    right = values(code, (n, 6), rng)
    same(x @ dpnp.asarray(right.T.copy()).T, a @ right, 500)
    same(x @ dpnp.asarray(right)[:, ::2], a @ right[:, ::2], 500)
    same(x.dot(dpnp.asarray(right)), a.dot(right), 500)


@pytest.mark.parametrize(
    "shapes", [((30, 20), (20, 40)), ((1, 300), (300, 1)), ((5, 0), (0, 4)), ((300, 300), (300, 200))]
)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("code", CODES)
def test_products_of_sparse_matrices(code, format, shapes):
    a, b = matrix(code, shapes[0], format), matrix(code, shapes[1], "csr", 2)
    same(on_device(a) @ on_device(b), a @ b, 500)
    same(on_device(a) @ on_device(b.tocsc()), a @ b.tocsc(), 500)
    same(on_device(a) * on_device(b), a * b, 500)


def test_powers_of_matrices():
    a = matrix("d", (30, 30))
    for n in (1, 2, 5):
        same(on_device(a) ** n, a**n, 5000)
    same((on_device(a) ** 0).toarray(), np.eye(30))
    b = scipy.sparse.csr_array(a)
    same(on_device(b) ** 2, b**2)


@pytest.mark.parametrize("shape", [s for s in SHAPES if 0 not in s])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_reductions(kind, code, format, shape):
    a = matrix(code, shape, format, kind=kind)
    x = on_device(a)
    for axis in (None, 0, 1, -1, -2):
        same(x.sum(axis=axis), a.sum(axis=axis), 500)
        same(x.mean(axis=axis), a.mean(axis=axis), 500)
        if code not in "FD":
            for name in ("max", "min"):
                found, expected = getattr(x, name)(axis=axis), getattr(a, name)(axis=axis)
                if kind == "array" and axis is not None:
                    expected = expected.toarray()
                same(found, expected)
    if code not in "FD":
        same(x.sum(axis=0, dtype="d"), a.astype("d").sum(axis=0), 500)
    for k in (0, 1, -2, shape[1], -shape[0]):
        same(x.diagonal(k), a.diagonal(k))
    for found, expected in zip(x.nonzero(), a.nonzero()):
        assert sorted(dpnp.asnumpy(found).tolist()) == sorted(expected.tolist())
    assert x.count_nonzero() == a.count_nonzero()
    for axis in (0, 1):
        np.testing.assert_array_equal(dpnp.asnumpy(x.getnnz(axis)), scipy.sparse.csr_matrix(a).getnnz(axis))
    same(x.trace(), a.trace(), 500)


def test_explicit_extremes():
    data, indices, indptr = np.array([-3.0, -1.0, 4.0]), np.array([0, 2, 1]), np.array([0, 2, 2, 3])
    a = scipy.sparse.csr_matrix((data, indices, indptr), shape=(3, 3))
    same(sparse.csr_matrix(a).max(explicit=True), a.max(explicit=True))
    same(sparse.csr_matrix(a).max(axis=1), a.max(axis=1))


def large(rows: int, each: int, seed: int) -> scipy.sparse.csr_matrix:
    rng = np.random.default_rng(seed)
    count = rows * each
    row, col = rng.integers(0, rows, count), (rows * rng.random(count) ** 2).astype(int)  # some columns are long
    return scipy.sparse.coo_matrix((rng.standard_normal(count), (row, col)), shape=(rows, rows)).tocsr()


def test_large_matrices():
    n = 100_000
    a = large(n, 10, 1)
    x = sparse.csr_matrix(a)
    rng = np.random.default_rng(2)
    v, w = rng.standard_normal(n), rng.standard_normal((n, 5))
    same(x @ dpnp.asarray(v), a @ v, 500)
    same(x @ dpnp.asarray(w), a @ w, 500)
    same(x.T @ dpnp.asarray(v), a.T @ v, 500)
    same(x.T @ dpnp.asarray(w), a.T @ w, 500)
    for axis in (None, 0, 1):
        same(x.sum(axis=axis), a.sum(axis=axis), 5000)
    coo = a.tocoo()
    order = rng.permutation(coo.nnz)
    shuffled = sparse.coo_matrix((coo.data[order], (coo.row[order], coo.col[order])), shape=coo.shape).tocsr()
    for found, expected in ((shuffled, a), (x.tocsc(), a.tocsc()), (x.T.tocsr(), a.T.tocsr())):
        for name in ("data", "indices", "indptr"):
            np.testing.assert_array_equal(dpnp.asnumpy(getattr(found, name)), getattr(expected, name))
    b = large(n, 4, 3)
    y = sparse.csr_matrix(b)
    for found, expected in ((x + y, a + b), (x.multiply(y), a.multiply(b)), (x @ y[:, :50], a @ b[:, :50])):
        check_structure(found)
        assert found.nnz == expected.nnz
        difference = abs(found.get() - expected)
        assert difference.nnz == 0 or difference.max() < 1e-12


def test_long_rows_among_short_ones():
    rows = np.r_[np.zeros(200_000, int), np.arange(1, 1001)]
    cols = np.r_[np.random.default_rng(1).permutation(300_000)[:200_000], np.arange(1000)]
    a = scipy.sparse.coo_matrix((np.ones(rows.size), (rows, cols)), shape=(1001, 300_000)).tocsr()
    x = sparse.coo_matrix((np.ones(rows.size), (rows, cols)), shape=(1001, 300_000)).tocsr()
    np.testing.assert_array_equal(dpnp.asnumpy(x.indices), a.indices)
    v = np.random.default_rng(2).random(300_000)
    same(x @ dpnp.asarray(v), a @ v, 5000)
    same(x.sum(axis=1), a.sum(axis=1))
    same(x.T @ dpnp.asarray(v[:1001]), a.T @ v[:1001])


BAD = {
    "three axes": (lambda s, p: s.csr_matrix(p.zeros((2, 2, 2))), ValueError),
    "diagonal outside": (lambda s, p: s.eye(2, 2, k=5), ValueError),
    "negative shape": (lambda s, p: s.csr_matrix((-1, 2)), ValueError),
    "index out of range": (lambda s, p: s.coo_matrix(([1.0], ([5], [0])), shape=(2, 2)), ValueError),
    "negative index": (lambda s, p: s.coo_matrix(([1.0], ([-1], [0])), shape=(2, 2)), ValueError),
    "lengths": (lambda s, p: s.csr_matrix(([1.0, 2.0], [0], [0, 1])), ValueError),
    "start": (lambda s, p: s.csr_matrix(([1.0], [0], [1, 1]), shape=(1, 3)), ValueError),
    "number of starts": (lambda s, p: s.csr_matrix(([1.0], [0], [0, 1]), shape=(2, 3)), ValueError),
    "nothing": (lambda s, p: s.coo_matrix(([], ([], []))), ValueError),
    "vector's length": (lambda s, p: s.eye(3, format="csr") @ p.ones(4), ValueError),
    "number": (lambda s, p: s.eye(3, format="csr") @ 2, ValueError),
    "inner lengths": (lambda s, p: s.eye(3, format="csr") @ s.eye(4, format="csr"), ValueError),
    "sum of shapes": (lambda s, p: s.eye(3, format="csr") + s.eye(4, format="csr"), ValueError),
    "nonzero number": (lambda s, p: s.eye(3, format="csr") + 1, NotImplementedError),
    "len": (lambda s, p: len(s.eye(3, format="csr")), TypeError),
    "bool": (lambda s, p: bool(s.eye(3, format="csr")), ValueError),
    "power of rectangle": (lambda s, p: s.eye(3, 4, format="csr") ** 2, TypeError),
    "axis": (lambda s, p: s.eye(3, format="csr").sum(axis=2), ValueError),
    "row": (lambda s, p: s.eye(3, format="csr")[3], IndexError),
    "column": (lambda s, p: s.eye(3, format="csr")[0, -4], IndexError),
    "rows": (lambda s, p: s.eye(3, format="csr")[[0, 3]], IndexError),
    "mask": (lambda s, p: s.eye(3, format="csr")[np.array([True, False])], IndexError),
    "reshape": (lambda s, p: s.eye(3, format="csr").reshape(2, 3), ValueError),
    "diagonal twice": (lambda s, p: s.diags([[1.0], [2.0]], [0, 0], shape=(1, 1)), ValueError),
    "diagonal's length": (lambda s, p: s.diags([[1.0, 2.0, 3.0], [1.0]], [0, 5]), ValueError),
    "density": (lambda s, p: s.random(3, 3, 1.5), ValueError),
    "blocks": (lambda s, p: s.hstack([s.eye(2), s.eye(3)]), ValueError),
    "format": (lambda s, p: s.eye(3).asformat("xyz"), ValueError),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_have_scipys_types(name):
    call, kind = BAD[name]
    with pytest.raises(kind):
        call(scipy.sparse, np)
    with pytest.raises(kind) as raised:
        call(sparse, dpnp)
    assert str(raised.value)


REFUSED = {
    "dtype": (lambda: sparse.csr_matrix((3, 3), dtype="int8"), TypeError, "int8"),
    "host operand": (lambda: sparse.eye(3) @ np.ones(3), TypeError, "dpnp.asarray"),
    "SciPy's operand": (lambda: sparse.eye(3) + scipy.sparse.eye(3), TypeError, "csr_matrix"),
    "assignment": (lambda: sparse.eye(3).__setitem__((0, 0), 1.0), NotImplementedError, "assignment"),
    "shape of three axes": (lambda: sparse.coo_array(dpnp.ones((1, 2, 3))), ValueError, "2 axes"),
    "text": (lambda: sparse.csr_matrix("text"), TypeError, "str"),
    "decreasing starts": (lambda: sparse.csr_matrix(([1.0], [0], [0, 1, 0, 1])), ValueError, "decrease"),
    "column out of range": (lambda: sparse.csr_matrix(([1.0], [5], [0, 1]), shape=(1, 3)), ValueError, "exceeds"),
    "factorisation": (lambda: sparse.linalg.spsolve, AttributeError, "cg, gmres or bicgstab"),
    "eigenvalues": (lambda: sparse.linalg.eigs, AttributeError, "SciPy on a.get"),
    "other formats": (lambda: sparse.dia_matrix, AttributeError, "CSR, CSC and COO"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_devices_refuse(name):
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=text):
        call()


@pytest.mark.parametrize(("ours", "theirs"), [(sparse, scipy.sparse), (sparse.linalg, scipy.sparse.linalg)])
def test_every_name_of_scipy_exists_or_is_refused(ours, theirs):
    refused = {name for names in ours._UNAVAILABLE.values() for name in names.split()}
    assert not refused & set(ours.__all__)
    assert set(theirs.__all__) - {"matrix_transpose"} <= refused | set(ours.__all__)  # SciPy 1.18 has that one, too


def test_placement():
    x = sparse.csr_matrix(dpnp.eye(3, usm_type="shared"))
    assert x.usm_type == "shared"
    assert x.sycl_queue == dpnp.eye(3).sycl_queue
    assert (x @ dpnp.ones(3, usm_type="shared")).usm_type == "shared"
    assert sparse.eye(3, usm_type="host").usm_type == "host"
    assert sparse.random(5, 5, 0.5, usm_type="shared").data.usm_type == "shared"


def test_other_arrays_and_queues():
    import dpctl
    import dpctl.tensor as dpt

    a = matrix("d", (30, 20))
    x = on_device(a)
    same(x @ dpt.ones(20), a @ np.ones(20))
    same(x @ dpnp.ones(20, dtype="i4"), a @ np.ones(20, dtype="i4"))
    made = sparse.csr_matrix((dpt.asarray(a.data), dpt.asarray(a.indices), dpt.asarray(a.indptr)), shape=a.shape)
    same(made, a)
    other = dpctl.SyclQueue()
    moved = sparse.csr_matrix(a, sycl_queue=other)
    assert moved.sycl_queue == other
    for call in (lambda: x @ dpnp.ones(20, sycl_queue=other), lambda: x + moved, lambda: x @ moved.T):
        with pytest.raises(dpctl.utils.ExecutionPlacementError):
            call()


def test_many_columns():
    rng = np.random.default_rng(5)
    row, col = rng.integers(0, 300, 5000), rng.integers(0, 3_000_000, 5000)
    a = scipy.sparse.coo_matrix((rng.random(5000), (row, col)), shape=(300, 3_000_000)).tocsr()
    b = scipy.sparse.random(400, 300, 0.1, format="csr", rng=rng)
    x, y = sparse.csr_matrix(a), sparse.csr_matrix(b)
    found, expected = y @ x, b @ a
    assert found.nnz == expected.nnz
    assert abs(found.get() - expected).max() < 1e-12


def test_indices_of_64_bits():
    n = 2**31 + 5
    given = ([1.0, 2.0, 4.0, 8.0], ([1, 0, 1, 1], [n - 1, 7, 3, 3]))
    a, x = (s.coo_matrix(given, shape=(2, n)).tocsr() for s in (scipy.sparse, sparse))
    assert x.indices.dtype == np.int64
    for found, expected in ((x, a), (x + x * 3, a + a * 3), (x.multiply(x), a.multiply(a)), (x[1], a[1])):
        for name in ("data", "indices", "indptr"):
            np.testing.assert_array_equal(dpnp.asnumpy(getattr(found, name)), getattr(expected, name))
    same(x.sum(axis=1), a.sum(axis=1))
    same(x.max(axis=1), a.max(axis=1))
    same(sparse.eye(2) @ x[:, n - 2 :], scipy.sparse.eye(2).tocsr() @ a[:, n - 2 :])
    assert float(x[1, n - 1]) == 1
