"""dpnp.scipy.sparse: MINRES, LSQR and matrices from diagonals, against SciPy."""

from __future__ import annotations

import dpnp
import dpnp.scipy.sparse as sparse
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

RANDOM = np.random.default_rng(3)


def symmetric(n: int = 40) -> scipy.sparse.csr_matrix:
    """An indefinite matrix, of which few steps are needed, so that rounding errors stay small."""
    a = scipy.sparse.random(n, n, 0.1, format="csr", random_state=0)
    return (0.1 * (a + a.T) + scipy.sparse.diags(np.where(np.arange(n) % 3, 2.0, -1.0))).tocsr()


@pytest.mark.parametrize("code", "fdFD")
def test_minres(code):
    a = symmetric()
    if code in "FD":
        lower = scipy.sparse.tril(a, -1)
        a = a + 0.5j * (lower - lower.T)
    a = a.astype(code)
    b = (RANDOM.standard_normal(40) * (1 + (1j if code in "FD" else 0))).astype(code)
    calls = []
    found, info = sparse.linalg.minres(sparse.csr_matrix(a), dpnp.array(b), rtol=1e-5, callback=calls.append)
    assert (info, found.dtype) == (0, code)
    residual = np.linalg.norm(a @ found.asnumpy() - b)
    assert residual <= 3e-5 * np.linalg.norm(a.toarray()) * np.linalg.norm(found.asnumpy())
    assert len(calls) < 120


@pytest.mark.parametrize("options", [{}, {"rtol": 1e-9}, {"shift": 0.3}, {"maxiter": 5}, {"check": True}], ids=str)
def test_minres_takes_the_steps_of_scipy(options):
    a, b = symmetric(), RANDOM.standard_normal(40)
    for first in (None, RANDOM.standard_normal(40)):
        counts = [], []
        expected, reason = scipy.sparse.linalg.minres(a, b, first, callback=counts[0].append, **options)
        x0 = None if first is None else dpnp.array(first)
        found, info = sparse.linalg.minres(
            sparse.csr_matrix(a), dpnp.array(b), x0, callback=counts[1].append, **options
        )
        assert info == reason
        assert len(counts[0]) == len(counts[1])
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_minres_with_a_preconditioner():
    a = scipy.sparse.diags([-1.0, 2.5, -1.0], [-1, 0, 1], (60, 60)) @ scipy.sparse.diags(np.linspace(1, 3, 60))
    a = ((a + a.T) / 2).tocsr()
    b = RANDOM.standard_normal(60)
    m = scipy.sparse.diags(1 / a.diagonal()).tocsr()
    expected, _ = scipy.sparse.linalg.minres(a, b, M=m, rtol=1e-10)
    found, info = sparse.linalg.minres(sparse.csr_matrix(a), dpnp.array(b), M=sparse.csr_matrix(m), rtol=1e-10)
    assert info == 0
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6, atol=1e-8)


def test_minres_of_special_right_sides():
    a = sparse.csr_matrix(symmetric())
    found, info = sparse.linalg.minres(a, dpnp.zeros(40))
    assert info == 0 and not found.asnumpy().any()
    found, info = sparse.linalg.minres(sparse.eye(3, format="csr") * 2.0, dpnp.ones(3))
    assert info == 0
    np.testing.assert_allclose(found.asnumpy(), 0.5)


@pytest.mark.parametrize("shape", [(50, 20), (20, 50), (30, 30)])
@pytest.mark.parametrize(
    "options",
    [{}, {"damp": 0.5}, {"atol": 1e-12, "btol": 1e-12}, {"iter_lim": 4}, {"calc_var": True}, {"conlim": 3},
     {"damp": 0.1, "calc_var": True}],
    ids=str,
)  # fmt: skip
def test_lsqr(shape, options):
    a = (0.5 * scipy.sparse.random(*shape, 0.2, random_state=1) + 3 * scipy.sparse.eye(*shape)).tocsr()
    b = RANDOM.standard_normal(shape[0])
    for first in (None, RANDOM.standard_normal(shape[1])):
        expected = scipy.sparse.linalg.lsqr(a, b, x0=first, **options)
        x0 = None if first is None else dpnp.array(first)
        found = sparse.linalg.lsqr(sparse.csr_matrix(a), dpnp.array(b), x0=x0, **options)
        assert found[1:3] == expected[1:3]
        np.testing.assert_allclose(found[0].asnumpy(), expected[0], rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(found[3:7] + found[8:9], expected[3:7] + expected[8:9], rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(found[9].asnumpy(), expected[9], rtol=1e-6, atol=1e-9)


def test_lsqr_of_complex_matrices_operators_and_zeros():
    a = RANDOM.standard_normal((9, 4)) + 1j * RANDOM.standard_normal((9, 4))
    b = RANDOM.standard_normal(9) + 0j
    found = sparse.linalg.lsqr(sparse.csr_matrix(a), dpnp.array(b), atol=1e-13, btol=1e-13)
    np.testing.assert_allclose(found[0].asnumpy(), np.linalg.lstsq(a, b, rcond=None)[0], rtol=1e-9)
    assert sparse.linalg.lsqr(sparse.csr_matrix(a), dpnp.zeros(9))[1:3] == (0, 0)


@pytest.mark.parametrize("data", [np.arange(1, 13).reshape(3, 4), np.array([[0.0, 1, 2], [3, 0, 4]]), np.arange(4)])
@pytest.mark.parametrize("shape", [(4, 4), (3, 6), (6, 3), (2, 2), (1, 9)])
@pytest.mark.parametrize("format", [None, "csr", "csc", "coo"])
def test_matrices_from_diagonals(data, shape, format):
    offsets = [0, -2, 1][: len(data)] if data.ndim == 2 else 1
    expected = scipy.sparse.spdiags(data, offsets, *shape, format=format or "csr")
    for given in (data, dpnp.array(data)):
        found = sparse.spdiags(given, offsets, *shape, format=format)
        assert (found.format, found.dtype, found.nnz) == (expected.format, expected.dtype, expected.nnz)
        np.testing.assert_array_equal(found.toarray().asnumpy(), expected.toarray())
    np.testing.assert_array_equal(sparse.spdiags(data, offsets, shape).toarray().asnumpy(), expected.toarray())


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda a: sparse.linalg.minres(a[:3], dpnp.ones(5)), ValueError, "square"),
        (lambda a: sparse.linalg.minres(a, dpnp.ones(4)), ValueError, "minres: shapes of A"),
        (lambda a: sparse.linalg.minres(a, np.ones(5)), TypeError, "minres: b must be an array on a device"),
        (lambda a: sparse.linalg.minres(a, dpnp.ones(5), M=-1 * a), ValueError, "minres: indefinite preconditioner"),
        (lambda a: sparse.linalg.minres(sparse.tril(a + 3 * sparse.eye(5, k=-1)), dpnp.ones(5), check=True), ValueError,
         "minres: non-symmetric matrix"),
        (lambda a: sparse.linalg.minres(a, dpnp.ones(5), show=True), NotImplementedError, "minres: .*show"),
        (lambda a: sparse.linalg.lsqr(a, dpnp.ones(5), show=True), NotImplementedError, "lsqr: .*show"),
        (lambda a: sparse.linalg.lsqr(a, dpnp.ones(4)), ValueError, "lsqr: shapes of A"),
        (lambda a: sparse.linalg.lsqr(a, dpnp.ones(5), x0=dpnp.ones(4)), ValueError, "lsqr: shapes of A .* and x0"),
        (lambda a: sparse.linalg.lsqr(a, np.ones(5)), TypeError, "lsqr: b must be an array on a device"),
        (lambda a: sparse.spdiags(np.ones((2, 3)), [0], 3, 3), ValueError, "spdiags: number of diagonals .2. does"),
        (lambda a: sparse.spdiags(np.ones((2, 3)), [1, 1], 3, 3), ValueError, "spdiags: offset array contains dup"),
        (lambda a: sparse.spdiags(np.ones((1, 2, 3)), [1], 3, 3), ValueError, "spdiags: data must have at most two"),
    ],
)  # fmt: skip
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call(sparse.csr_matrix(dpnp.diag(dpnp.array([1.0, 2.0, 3.0, 4.0, 5.0]))))
