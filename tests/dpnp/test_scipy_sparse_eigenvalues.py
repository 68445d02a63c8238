"""dpnp.scipy.sparse.linalg: eigsh and svds against SciPy and NumPy."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg as theirs
from dpnp.scipy import sparse
from dpnp.scipy.sparse import linalg as ours

TOLERANCES = {"f4": 1e-4, "f8": 1e-9, "c8": 1e-4, "c16": 1e-9}


def random_matrix(shape: tuple[int, int], dtype: str, density: float) -> scipy.sparse.csr_matrix:
    random = np.random.default_rng(3)
    a = random.standard_normal(shape) * (random.random(shape) < density)
    if dtype[0] == "c":
        a = a + 1j * random.standard_normal(shape) * (random.random(shape) < density)
    return scipy.sparse.csr_matrix(a.astype(dtype))


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("which", ["LM", "LA", "SA", "BE"])
@pytest.mark.parametrize("n", [10, 40, 600])
def test_eigsh(n, which, dtype):
    a = random_matrix((n, n), dtype, 0.3 if n < 100 else 0.02)
    a = (a + a.conj().T).tocsr()
    values = np.linalg.eigvalsh(a.toarray())
    order = {"LM": np.argsort(-np.abs(values)), "LA": np.argsort(-values), "SA": np.argsort(values)}
    wanted = values[[0, 1, -1, -2]] if which == "BE" else values[order[which][:4]]
    x = sparse.csr_matrix(a)
    w, v = ours.eigsh(x, 4, which=which)
    assert w.dtype == values.dtype and v.dtype == a.dtype and v.shape == (n, 4)
    w, v = dpnp.asnumpy(w), dpnp.asnumpy(v)
    scale, tolerance = np.abs(values).max(), TOLERANCES[dtype]
    np.testing.assert_allclose(w, np.sort(wanted), rtol=0, atol=tolerance * scale)
    np.testing.assert_allclose(a @ v, v * w, rtol=0, atol=10 * tolerance * scale)
    np.testing.assert_allclose(v.conj().T @ v, np.eye(4), rtol=0, atol=tolerance)
    only = ours.eigsh(x, 4, which=which, return_eigenvectors=False, v0=dpnp.ones(n, dtype=dtype))
    np.testing.assert_allclose(dpnp.asnumpy(only), w, rtol=0, atol=tolerance * scale)


def test_close_eigenvalues():
    laplacian = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(300, 300)).tocsr()
    for which in ("LA", "SA"):
        found = ours.eigsh(sparse.csr_array(laplacian), 4, which=which, return_eigenvectors=False)
        expected = np.sort(theirs.eigsh(laplacian, 4, which=which, return_eigenvectors=False))
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=0, atol=1e-11)


def test_repeated_eigenvalues_and_invariant_spaces():
    eye = sparse.eye(50, format="csr")
    np.testing.assert_allclose(dpnp.asnumpy(ours.eigsh(eye, 3)[0]), 1)
    np.testing.assert_allclose(dpnp.asnumpy(ours.eigsh(eye * 0.0, 3)[0]), 0)
    np.testing.assert_allclose(
        dpnp.asnumpy(ours.svds(sparse.csr_matrix(dpnp.ones((8, 6))), 2)[1]), [0, 48**0.5], atol=1e-7
    )


def test_operators_and_dense_matrices():
    a = np.random.default_rng(1).standard_normal((80, 80))
    a = a + a.T
    x = dpnp.asarray(a)
    expected = np.sort(np.linalg.eigvalsh(a)[-5:])
    operator = ours.LinearOperator(a.shape, matvec=lambda v: x @ v, dtype=a.dtype)
    for given in (x, operator):
        found = ours.eigsh(given, 5, which="LA", return_eigenvectors=False)
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=1e-10)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("shape", [(50, 30), (30, 50), (900, 200)])
def test_svds(shape, dtype):
    a = random_matrix(shape, dtype, 0.2)
    u, s, vh = (dpnp.asnumpy(part) for part in ours.svds(sparse.csr_matrix(a), 5))
    left, values, right = np.linalg.svd(a.toarray(), full_matrices=False)
    tolerance = TOLERANCES[dtype]
    assert u.dtype == vh.dtype == a.dtype and s.dtype == values.dtype
    np.testing.assert_allclose(s, values[4::-1], rtol=tolerance)
    np.testing.assert_allclose(
        (u * s) @ vh, (left[:, :5] * values[:5]) @ right[:5], rtol=0, atol=10 * tolerance * s[-1]
    )
    np.testing.assert_allclose(u.conj().T @ u, np.eye(5), rtol=0, atol=10 * tolerance)
    x = sparse.csr_matrix(a)
    only = ours.svds(x, 5, return_singular_vectors=False)
    np.testing.assert_allclose(dpnp.asnumpy(only), values[4::-1], rtol=tolerance)
    assert ours.svds(x, 2, return_singular_vectors="u")[2] is None
    assert ours.svds(x, 2, return_singular_vectors="vh")[0] is None


def test_no_convergence():
    laplacian = sparse.diags([[-1.0] * 999, [2.0] * 1000, [-1.0] * 999], [-1, 0, 1])
    with pytest.raises(ours.ArpackNoConvergence, match="of 4 eigenvalues converged") as raised:
        ours.eigsh(laplacian, 4, which="LA", maxiter=1)
    assert raised.value.eigenvectors.shape == (1000, raised.value.eigenvalues.size)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: ours.eigsh(x, 0), ValueError),
        (lambda x: ours.eigsh(x, 20), TypeError),
        (lambda x: ours.eigsh(x, 3, which="LR"), ValueError),
        (lambda x: ours.eigsh(x, 3, ncv=3), ValueError),
        (lambda x: ours.eigsh(x, 3, ncv=21), ValueError),
        (lambda x: ours.eigsh(x, 3, v0=dpnp.ones(3)), ValueError),
        (lambda x: ours.eigsh(x, 3, sigma=0.0), NotImplementedError),
        (lambda x: ours.eigsh(x, 3, M=x), NotImplementedError),
        (lambda x: ours.eigsh(x[:5], 3), ValueError),
        (lambda x: ours.svds(x, 20), TypeError),
        (lambda x: ours.svds(x, 3, which="LA"), ValueError),
        (lambda x: ours.svds(x, 3, return_singular_vectors="v"), ValueError),
    ],
)
def test_bad_arguments(call, error):
    with pytest.raises(error):
        call(sparse.eye(20, format="csr"))
