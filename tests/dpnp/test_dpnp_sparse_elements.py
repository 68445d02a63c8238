"""dpnp.scipy.sparse against scipy.sparse: arithmetic with elements, indexing, constructors and solvers."""

from __future__ import annotations

import warnings

import dpnp
import numpy as np
import pytest
import scipy.sparse
from dpnp.scipy import sparse
from sparse_matrices import CODES, FORMATS, SHAPES, matrix, on_device, same, values

KINDS = ["matrix", "array"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("code", CODES)
def test_two_sparse_matrices(code, format, shape):
    a, b = matrix(code, shape, format), matrix(code, shape, "csr", 2)
    x, y = on_device(a), on_device(b)
    same(x + y, a + b)
    same(x.multiply(y), a.multiply(b))
    same(x != y, a != b)
    if code != "?":
        same(x - y, a - b)
    if code not in "FD":
        same(x.maximum(y), a.maximum(b))
        same(x.minimum(y), a.minimum(b))
        same(x > y, a > b)
        same(x < y, a < b)
    c = matrix("F", shape, "coo", 3)
    same(x + on_device(c), a + c)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("code", CODES)
def test_numbers(code, format, kind):
    a = matrix(code, (30, 20), format, kind=kind)
    x = on_device(a)
    number = 2 if code in "?il" else 2.5
    if code != "?":
        same(x * number, a * number)
        same(number * x, number * a)
        same(x.multiply(number), a.multiply(number))
        same(-x, -a)
        same(x.power(2), a.power(2))
        same(x / number, a / number)
    same(x + 0, a + 0)
    same(abs(x), abs(a))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy warns of dense results
        for other in (0, 1):
            same(x != other, (a != other).tocsr() if format == "coo" else a != other)
            if code not in "?FD":
                same(x > other, (a > other).tocsr() if format != "csc" else a > other)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_dense_operands(format, kind):
    a = matrix("d", (30, 20), format, kind=kind)
    x = on_device(a)
    rng = np.random.default_rng(4)
    dense = rng.random((30, 20)) + 0.5
    same(x + dpnp.asarray(dense), a + dense)
    same(dpnp.asarray(dense) - x, dense - a)
    for other in (dense, dense[:1], dense[:, :1]):
        same(x.multiply(dpnp.asarray(other)), a.multiply(other).tocoo())
        same(x / dpnp.asarray(other), (a / other).tocoo())
    if kind == "array":
        same(x * dpnp.asarray(dense), (a * dense).tocoo())
    row = matrix("d", (1, 20), "csr", 5, 0.5, kind=kind)
    same(x.multiply(on_device(row)).toarray(), a.multiply(row).toarray())


@pytest.mark.parametrize(
    "name",
    ["sqrt", "sin", "tan", "arcsin", "arctan", "sinh", "tanh", "expm1", "log1p", "floor", "ceil", "rint", "sign"],
)
@pytest.mark.parametrize("format", FORMATS)
def test_element_functions(format, name):
    a = matrix("d", (30, 20), format)
    a.data = np.random.default_rng(1).random(a.data.size)
    same(getattr(on_device(a), name)(), getattr(a, name)())


@pytest.mark.parametrize("to", CODES)
@pytest.mark.parametrize("code", "?id")
def test_astype(code, to):
    a = matrix(code, (30, 20))
    same(on_device(a).astype(to), a.astype(to))


KEYS = [
    3, -1, (2, 5), (-1, -1), slice(2, 9), slice(None), slice(20, 3), slice(None, None, 2), slice(None, None, -1),
    [3, 0, 0, -2], (slice(2, 9), slice(3, 12)), (slice(None), slice(3, 12)), (slice(None), [4, 4, 1]),
    (3, slice(1, 9)), (slice(1, 9), 3), (slice(2, 20, 3), slice(None, None, -2)), ([1, 2], slice(0, 4)),
    ([1, 5, 7], [0, 2, 3]), (np.array([[1], [3]]), np.array([[2, 4, 5]])), np.arange(30) % 3 == 0, [],
]  # fmt: skip


@pytest.mark.parametrize("key", range(len(KEYS)))
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_indexing(format, key):
    key = KEYS[key]
    a = matrix("d", (30, 20), format, density=0.3)
    x = on_device(a)
    if isinstance(key, np.ndarray) and key.dtype == bool:
        same(x[dpnp.asarray(key)], a[key])
    same(x[key], a[key])


def test_rows_and_columns():
    a = matrix("d", (30, 20), density=0.3)
    x = on_device(a)
    same(x.getrow(3), a.getrow(3))
    same(x.getcol(-1), a.getcol(-1))
    assert len(list(x)) == 30
    same(x.reshape(20, 30), a.reshape(20, 30).tocsr())
    same(x.reshape(-1, 10, order="F").toarray(), a.reshape(60, 10, order="F").toarray())
    for k in (0, 2, -3):
        for new in (7.0, np.arange(1.0, 6.0)):
            b, y = a.tolil(), x.copy()
            b.setdiag(new, k)
            y.setdiag(new if isinstance(new, float) else dpnp.asarray(new), k)
            same(y, b.tocsr())


def test_zeros_are_eliminated():
    a = scipy.sparse.csr_matrix(([0.0, 1.0, 0.0, 2.0], [0, 1, 2, 0], [0, 2, 3, 4]), shape=(3, 3))
    for format in FORMATS:
        b, y = a.copy().asformat(format), on_device(a.copy().asformat(format))
        assert y.nnz == 4
        b.eliminate_zeros()
        y.eliminate_zeros()
        assert y.nnz == 2
        same(y, b)


CONSTRUCTORS = {
    "eye": lambda s, a: s.eye(4, 5, k=1, format="csr"),
    "eye below": lambda s, a: s.eye(4, 3, k=-2, dtype="f", format="csc"),
    "eye at the end": lambda s, a: s.eye(2, 2, k=2, format="csr"),
    "eye_array": lambda s, a: s.eye_array(4, k=-1, format="csr"),
    "identity": lambda s, a: s.identity(4, dtype="i", format="csr"),
    "diags": lambda s, a: s.diags([[1.0, 2, 3], [4.0, 5]], [0, 1], format="csr"),
    "diags of one": lambda s, a: s.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(6, 7), format="csr"),
    "diags of a vector": lambda s, a: s.diags([1.0, 2, 3], format="csr"),
    "diags_array": lambda s, a: s.diags_array([[1.0, 2, 3], [4.0, 5]], offsets=[0, -1], format="csc"),
    "kron": lambda s, a: s.kron(a, a[:3, :2], format="csr"),
    "kronsum": lambda s, a: s.kronsum(a[:4, :4], a[4:8, 4:8], format="csr"),
    "hstack": lambda s, a: s.hstack([a, a]),
    "vstack": lambda s, a: s.vstack([a, a]),
    "vstack of formats": lambda s, a: s.vstack([a, a.tocoo()], format="csr"),
    "bmat": lambda s, a: s.bmat([[a, None], [None, a.T]], format="csr"),
    "block_array": lambda s, a: s.block_array([[s.csr_array(a), None], [None, a.T]], format="csr"),
    "block_diag": lambda s, a: s.block_diag([a, a[:2]], format="csr"),
    "tril": lambda s, a: s.tril(a, 1, format="csr"),
    "triu": lambda s, a: s.triu(a, -1, format="csr"),
}


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_constructors(name):
    a = matrix("d", (30, 20), density=0.2)
    same(CONSTRUCTORS[name](sparse, on_device(a)), CONSTRUCTORS[name](scipy.sparse, a))


def test_find():
    a = matrix("d", (30, 20), "coo")
    for found, expected in zip(sparse.find(on_device(a)), scipy.sparse.find(a.tocsr())):
        np.testing.assert_array_equal(np.sort(dpnp.asnumpy(found)), np.sort(expected))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("density", [0, 0.1, 0.9, 1])
def test_random_matrices(density, code):
    a = sparse.random(40, 50, density, "csr", code, rng=3)
    assert (a.shape, a.nnz, a.dtype) == ((40, 50), round(density * 2000), np.dtype(code))
    assert a.has_canonical_format
    b = sparse.random(40, 50, density, "csr", code, rng=3)
    np.testing.assert_array_equal(dpnp.asnumpy(a.data), dpnp.asnumpy(b.data))
    if density == 0.1:
        rows = dpnp.asnumpy(dpnp.diff(a.indptr))
        assert rows.min() < rows.max()


def test_random_positions_are_uniform():
    counts = np.zeros((20, 10))
    for seed in range(100):
        counts += sparse.random(20, 10, 0.2, dtype="f", rng=seed, data_rvs=lambda size: dpnp.ones(size)).get().toarray()
    assert counts.sum() == 4000
    assert ((counts - 20) ** 2 / 16).sum() < 300  # 200 expected, with a deviation of 20


def test_queries():
    a = sparse.eye(3, format="csc")
    assert sparse.issparse(a)
    assert not sparse.issparse(dpnp.eye(3))
    assert sparse.isspmatrix(a)
    assert not sparse.isspmatrix(sparse.eye_array(3))
    assert (sparse.isspmatrix_csr(a), sparse.isspmatrix_csc(a), sparse.isspmatrix_coo(a)) == (False, True, False)
    assert isinstance(sparse.eye_array(3), sparse.sparray)
    assert "3 stored elements and shape (3, 3)" in repr(a)
    assert "(2, 2)" in str(a)


# --- linalg


def poisson(n: int) -> scipy.sparse.csr_matrix:
    line = scipy.sparse.diags([[-1.0] * (n - 1), [2.0] * n, [-1.0] * (n - 1)], [-1, 0, 1])
    return scipy.sparse.kronsum(line, line, format="csr")


@pytest.mark.parametrize("name", ["cg", "gmres", "bicgstab"])
@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("preconditioned", [False, True])
def test_solvers(name, code, preconditioned):
    a = poisson(12).astype(code)
    if name != "cg":
        a = (a + scipy.sparse.eye(144, k=1) * 0.5).tocsr().astype(code)
    b = values(code, 144, np.random.default_rng(1))
    x = on_device(a)
    keywords = {"M": sparse.diags([1 / x.diagonal()], [0])} if preconditioned else {}
    calls = []
    found, info = getattr(sparse.linalg, name)(x, dpnp.asarray(b), rtol=1e-4, callback=calls.append, **keywords)
    assert info == 0
    assert calls
    assert found.dtype == code
    assert np.linalg.norm(a @ dpnp.asnumpy(found) - b) <= 1.2e-4 * np.linalg.norm(b)
    _, info = getattr(sparse.linalg, name)(x, dpnp.asarray(b), x0=found, rtol=1e-3)
    assert info == 0
    _, info = getattr(sparse.linalg, name)(
        x, dpnp.asarray(b), maxiter=1, rtol=1e-12, **({"restart": 2} if name == "gmres" else {})
    )
    assert info > 0


def test_solvers_of_zero_and_of_operators():
    a = sparse.csr_matrix(poisson(5))
    for name in ("cg", "gmres", "bicgstab"):
        solve = getattr(sparse.linalg, name)
        found, info = solve(a, dpnp.zeros(25))
        assert info == 0
        assert not dpnp.asnumpy(found).any()
        operator = sparse.linalg.LinearOperator((25, 25), matvec=lambda v: a @ v)
        found, info = solve(operator, dpnp.ones(25), rtol=1e-8)
        np.testing.assert_allclose(dpnp.asnumpy(a @ found), 1, atol=1e-6)
        with pytest.raises(ValueError, match="square"):
            solve(a[:5], dpnp.ones(25))
        with pytest.raises(ValueError, match="incompatible"):
            solve(a, dpnp.ones(24))
        with pytest.raises(TypeError, match="array on a device"):
            solve(a, np.ones(25))


@pytest.mark.parametrize("ord", [None, "fro", 1, -1, np.inf, -np.inf, 0, 2, 3])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("code", "idD")
def test_norms(code, axis, ord):
    a = matrix(code, (30, 20), density=0.5)
    if axis is None and ord in (0, 2, 3):
        with pytest.raises((NotImplementedError, ValueError)):
            sparse.linalg.norm(on_device(a), ord, axis)
        return
    if axis is not None and ord in ("fro", -1):
        return
    found = sparse.linalg.norm(on_device(a), ord, axis)
    wanted = np.asarray(scipy.sparse.linalg.norm(a, ord, axis))  # in some versions a matrix with one row
    np.testing.assert_allclose(dpnp.asnumpy(found), wanted.reshape(found.shape), rtol=1e-12)


def test_linear_operators():
    a = matrix("D", (7, 5), density=0.5)
    f = sparse.linalg.aslinearoperator(on_device(a))
    g = scipy.sparse.linalg.aslinearoperator(a)
    rng = np.random.default_rng(1)
    v, w, m = values("D", 5, rng), values("D", 7, rng), values("D", (5, 3), rng)
    same(f.matvec(dpnp.asarray(v)), g.matvec(v))
    same(f.rmatvec(dpnp.asarray(w)), g.rmatvec(w))
    same(f @ dpnp.asarray(m), g @ m)
    same(f.H @ dpnp.asarray(w), g.H @ w)
    same(f.T @ dpnp.asarray(w), g.T @ w)
    same((f + 2 * f) @ dpnp.asarray(v), (g + 2 * g) @ v)
    same((f.H * f) @ dpnp.asarray(v), (g.H * g) @ v)
    with pytest.raises(ValueError, match="5 elements"):
        f.matvec(dpnp.ones(4))
    with pytest.raises(TypeError, match="LinearOperator"):
        sparse.linalg.aslinearoperator("text")


PRODUCTS = {
    "matrix": (lambda s, a, x: x[:4] * s.csr_matrix(a)),
    "matrix in COO": (lambda s, a, x: x[:4] * s.coo_matrix(a)),
    "array": (lambda s, a, x: (x * s.csr_array(a)).toarray()),
    "array and rows": (lambda s, a, x: (x.reshape(1, 6) * s.csc_array(a)).toarray()),
    "dense matrix": (lambda s, a, x: x[:4].reshape(1, 4) * s.csr_matrix(a)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_dense_operands_on_the_left(name):
    a, x = np.arange(24.0).reshape(4, 6) % 5, np.arange(6.0)
    expected = PRODUCTS[name](scipy.sparse, a, x)
    got = PRODUCTS[name](sparse, dpnp.asarray(a), dpnp.asarray(x))
    np.testing.assert_allclose(dpnp.asnumpy(got), expected)


@pytest.mark.parametrize("make", [sparse.random, sparse.rand])
def test_seeds_and_generators_of_random_matrices(make):
    a, b = make(30, 20, 0.2, random_state=5), make(30, 20, 0.2, rng=dpnp.random.default_rng(5))
    np.testing.assert_array_equal(dpnp.asnumpy(a.toarray()), dpnp.asnumpy(b.toarray()))
    for generator in (np.random.default_rng(1), np.random.RandomState(1), dpnp.random.RandomState(1)):
        with pytest.raises(TypeError, match="rng must be a"):
            make(3, 3, rng=generator)
