"""dpnp.linalg against numpy.linalg: results, namedtuples, keywords and errors."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import values

linalg = dpnp.linalg
KINDS = "fdFD"


def square(code: str, n: int = 4, batch: tuple[int, ...] = ()) -> np.ndarray:
    return values(code, (*batch, n, n)) + np.eye(n, dtype=code) * 4


def close(found, wanted, size: float = 100) -> None:
    """Equal types, shapes and dtypes, and values up to the precision of the dtype."""
    assert type(found) is dpnp.ndarray
    got, wanted = found.asnumpy(), np.asarray(wanted)
    assert got.shape == wanted.shape
    assert got.dtype == wanted.dtype
    scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=1))
    precision = np.finfo(got.dtype).eps if got.dtype.kind in "fc" else 0
    np.testing.assert_allclose(got, wanted, rtol=0, atol=size * scale * precision)


# name, arguments: matrices of a dtype are passed to both packages
ALIKE = {
    "det": lambda la, x: la.det(x),
    "inv": lambda la, x: la.inv(x),
    "slogdet": lambda la, x: la.slogdet(x),
    "svd values": lambda la, x: la.svd(x, compute_uv=False),
    "svdvals": lambda la, x: la.svdvals(x),
    "eigvalsh": lambda la, x: la.eigvalsh(x),
    "eigvalsh upper": lambda la, x: la.eigvalsh(x, "U"),
    "eigh values": lambda la, x: la.eigh(x)[0],
    "hermitian svd values": lambda la, x: la.svd(x + x.conj().mT, compute_uv=False, hermitian=True),
    "qr r": lambda la, x: la.qr(x, "r"),
    "qr raw": lambda la, x: la.qr(x, mode="raw"),
    "norm": lambda la, x: la.norm(x),
    "norm of rows": lambda la, x: la.norm(x, axis=-1),
    "norm 1 of columns": lambda la, x: la.norm(x, 1, -2, keepdims=True),
    "norm 3": lambda la, x: la.norm(x, 3, -1),
    "norm inf": lambda la, x: la.norm(x, np.inf, axis=-1),
    "norm -inf": lambda la, x: la.norm(x, -np.inf, axis=-1),
    "norm 0": lambda la, x: la.norm(x, 0, axis=-1),
    "norm of matrices": lambda la, x: la.norm(x, axis=(-2, -1)),
    "norm fro": lambda la, x: la.norm(x, "fro", axis=(-2, -1), keepdims=True),
    "norm nuc": lambda la, x: la.norm(x, "nuc", axis=(-1, -2)),
    "norm 2 of matrices": lambda la, x: la.norm(x, 2, axis=(-2, -1)),
    "norm -2 of matrices": lambda la, x: la.norm(x, -2, axis=(-2, -1)),
    "norm 1 of matrices": lambda la, x: la.norm(x, 1, axis=(-2, -1)),
    "norm -1 of matrices": lambda la, x: la.norm(x, -1, axis=(-2, -1)),
    "norm inf of matrices": lambda la, x: la.norm(x, np.inf, axis=(-2, -1)),
    "norm -inf of matrices": lambda la, x: la.norm(x, -np.inf, axis=(-2, -1), keepdims=True),
    "vector_norm": lambda la, x: la.vector_norm(x, axis=-1, ord=2),
    "vector_norm of all": lambda la, x: la.vector_norm(x),
    "matrix_norm": lambda la, x: la.matrix_norm(x, ord="nuc", keepdims=True),
    "cond": lambda la, x: la.cond(x),
    "cond -2": lambda la, x: la.cond(x, -2),
    "cond 1": lambda la, x: la.cond(x, 1),
    "cond fro": lambda la, x: la.cond(x, "fro"),
    "matrix_rank": lambda la, x: la.matrix_rank(x),
    "matrix_rank with tol": lambda la, x: la.matrix_rank(x, 4.5),
    "matrix_rank with rtol": lambda la, x: la.matrix_rank(x, rtol=0.7),
    "hermitian matrix_rank": lambda la, x: la.matrix_rank(x + x.conj().mT, hermitian=True),
    "pinv": lambda la, x: la.pinv(x),
    "pinv with rcond": lambda la, x: la.pinv(x, 0.6),
    "pinv of rows": lambda la, x: la.pinv(x[..., :2, :]),
    "hermitian pinv": lambda la, x: la.pinv(x + x.conj().mT, hermitian=True),
    "matrix_power 3": lambda la, x: la.matrix_power(x, 3),
    "matrix_power 0": lambda la, x: la.matrix_power(x, 0),
    "matrix_power -2": lambda la, x: la.matrix_power(x, -2),
    "trace": lambda la, x: la.trace(x, offset=1),
    "diagonal": lambda la, x: la.diagonal(x, offset=-1),
    "matrix_transpose": lambda la, x: la.matrix_transpose(x),
    "solve": lambda la, x: la.solve(x, x),
    "solve with a vector": lambda la, x: la.solve(x, x[..., 0] if x.ndim == 2 else x[0, :, 0]),
    "cross": lambda la, x: la.cross(x[..., :3], x[..., 1:]),
    "outer": lambda la, x: la.outer(x.reshape(-1)[:5], x.reshape(-1)[3:10]),
    "tensorinv": lambda la, x: la.tensorinv(x.reshape(-1)[:16].reshape(2, 2, 4), 2),
    "tensorsolve": lambda la, x: la.tensorsolve(x.reshape(-1)[:16].reshape(2, 2, 4), x.reshape(-1)[:4].reshape(2, 2)),
    "multi_dot": lambda la, x: la.multi_dot([x.reshape(-1)[:4], *[x.reshape(-1, 4)[:4]] * 4, x.reshape(-1)[:4]]),
    "multi_dot of shapes": lambda la, x: la.multi_dot(
        [x.reshape(-1)[:10].reshape(5, 2), x.reshape(-1)[:2].reshape(2, 1), x.reshape(-1)[:6].reshape(1, 6)]
    ),
}


@pytest.mark.parametrize("code", KINDS)
@pytest.mark.parametrize("batch", [(), (3,)])
@pytest.mark.parametrize("name", ALIKE)
def test_functions(name, batch, code):
    a = square(code, 4, batch)
    found, wanted = ALIKE[name](linalg, dpnp.asarray(a)), ALIKE[name](np.linalg, a)
    if isinstance(wanted, tuple):
        assert getattr(found, "_fields", None) == getattr(wanted, "_fields", None)
        for x, y in zip(found, wanted, strict=True):
            close(x, y, 1e3)
    else:
        close(found, wanted, 1e3)


@pytest.mark.parametrize("code", "bBiLd")
def test_integers_are_computed_as_floats(code):
    a = np.array([[2, 1], [1, 3]], dtype=code)
    x = dpnp.asarray(a)
    close(linalg.inv(x), np.linalg.inv(a))
    close(linalg.norm(x), np.linalg.norm(a))
    close(linalg.cholesky(x), np.linalg.cholesky(a))
    close(linalg.matrix_power(x, 4), np.linalg.matrix_power(a, 4))
    close(linalg.cond(x), np.linalg.cond(a))


@pytest.mark.parametrize("code", KINDS)
@pytest.mark.parametrize("batch", [(), (3,)])
class TestFactorisations:
    def test_svd(self, code, batch):
        a = values(code, (*batch, 5, 3))
        for full in (True, False):
            found, wanted = linalg.svd(dpnp.asarray(a), full), np.linalg.svd(a, full)
            assert found._fields == wanted._fields
            assert [x.shape for x in found] == [x.shape for x in wanted]
            u, s, vh = (x.asnumpy() for x in found)
            close(dpnp.asarray((u[..., :3] * s[..., None, :]) @ vh), a)

    def test_hermitian_svd(self, code, batch):
        a = square(code, 4, batch) - np.eye(4, dtype=code) * 5
        a = a + a.conj().mT
        found = linalg.svd(dpnp.asarray(a), hermitian=True)
        u, s, vh = (x.asnumpy() for x in found)
        close(found.S, np.linalg.svd(a, compute_uv=False))
        close(dpnp.asarray((u * s[..., None, :]) @ vh), a)

    def test_qr(self, code, batch):
        a = values(code, (*batch, 5, 3))
        for mode in ("reduced", "complete"):
            found, wanted = linalg.qr(dpnp.asarray(a), mode), np.linalg.qr(a, mode)
            assert found._fields == wanted._fields
            assert [x.shape for x in found] == [x.shape for x in wanted]
            close(dpnp.asarray(found.Q.asnumpy() @ found.R.asnumpy()), a)

    def test_eigh(self, code, batch):
        a = square(code, 4, batch)
        a = a + a.conj().mT
        found = linalg.eigh(dpnp.asarray(a))
        assert found._fields == ("eigenvalues", "eigenvectors")
        w, v = (x.asnumpy() for x in found)
        close(dpnp.asarray((v * w[..., None, :]) @ v.conj().mT), a)

    def test_eig(self, code, batch):
        a = square(code, 4, batch)
        found = linalg.eig(dpnp.asarray(a))
        assert found._fields == ("eigenvalues", "eigenvectors")
        w, v = (x.asnumpy() for x in found)
        np.testing.assert_allclose(a @ v, v * w[..., None, :], atol=1e-4 if code in "fF" else 1e-12)
        alone = linalg.eigvals(dpnp.asarray(a)).asnumpy()
        np.testing.assert_allclose(np.sort(np.abs(alone)), np.sort(np.abs(w)), rtol=1e-4 if code in "fF" else 1e-12)

    def test_cholesky(self, code, batch):
        a = square(code, 4, batch)
        a = a @ a.conj().mT
        close(linalg.cholesky(dpnp.asarray(a)), np.linalg.cholesky(a))
        close(linalg.cholesky(dpnp.asarray(a), upper=True), np.linalg.cholesky(a, upper=True))


@pytest.mark.parametrize("code", "fd")
def test_real_eigenvalues_are_real(code):
    symmetric = np.array([[2, 1], [1, 3]], dtype=code)
    assert linalg.eig(dpnp.asarray(symmetric)).eigenvectors.dtype == code
    assert linalg.eigvals(dpnp.asarray(symmetric)).dtype == code
    rotation = np.array([[0, 1], [-1, 0]], dtype=code)
    assert linalg.eigvals(dpnp.asarray(rotation)).dtype == code.upper()


class TestLeastSquares:
    @pytest.mark.parametrize("code", KINDS)
    @pytest.mark.parametrize("m, n", [(6, 3), (3, 6), (4, 4), (1, 1), (40, 20)])
    @pytest.mark.parametrize("columns", [None, 1, 3])
    def test_solutions(self, code, m, n, columns):
        a, b = values(code, (m, n)), values(code, (m,) if columns is None else (m, columns), "b")
        found, wanted = linalg.lstsq(dpnp.asarray(a), dpnp.asarray(b)), np.linalg.lstsq(a, b, rcond=None)
        assert found[2] == wanted[2]
        for k in (0, 1, 3):
            close(found[k], wanted[k], 1e4)

    @pytest.mark.parametrize("rcond", [None, -1, 0.1, 0.5])
    def test_of_lower_rank(self, rcond):
        a = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.2], [1.0, 1.0, 0.2]])
        b = np.arange(4.0)
        found, wanted = linalg.lstsq(dpnp.asarray(a), dpnp.asarray(b), rcond), np.linalg.lstsq(a, b, rcond)
        if rcond != -1:
            assert found[2] == wanted[2]
            close(found[0], wanted[0], 1e4)
            assert found[1].shape == wanted[1].shape

    @pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
    def test_empty(self, shape):
        a, b = np.ones(shape), np.ones(shape[0])
        found, wanted = linalg.lstsq(dpnp.asarray(a), dpnp.asarray(b)), np.linalg.lstsq(a, b, rcond=None)
        assert found[2] == wanted[2]
        for k in (0, 1, 3):
            close(found[k], wanted[k])

    def test_errors(self):
        with pytest.raises(linalg.LinAlgError, match=r"lstsq: a of shape .* have 3 and 2 rows"):
            linalg.lstsq(dpnp.ones((3, 2)), dpnp.ones(2))
        with pytest.raises(linalg.LinAlgError, match="lstsq: expected matrices"):
            linalg.lstsq(dpnp.ones((2, 3, 2)), dpnp.ones(3))


class TestConditionNumbers:
    @pytest.mark.parametrize("p", [None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"])
    def test_singular_matrices(self, p):
        a = np.stack([np.eye(2), np.zeros((2, 2)), [[1, 2], [2, 4]], np.full((2, 2), np.nan)])
        if p is None or p in (2, -2):
            a = a[:3]  # LAPACK's iteration does not converge for NaN
        elif p == "nuc":
            a = a[:1]
        found = linalg.cond(dpnp.asarray(a), p).asnumpy()
        wanted = np.linalg.cond(a, p)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
        if p != -2:  # infinite or large for singular matrices; -2 is the reciprocal of that
            found, wanted = 1 / found, 1 / wanted
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)

    def test_empty_matrices(self):
        with pytest.raises(linalg.LinAlgError, match="cond: not defined for empty matrices"):
            linalg.cond(dpnp.ones((0, 0)))


class TestErrors:
    def test_the_error_is_numpys(self):
        assert linalg.LinAlgError is np.linalg.LinAlgError

    @pytest.mark.parametrize("call", [linalg.inv, lambda x: linalg.solve(x, x), linalg.cholesky, linalg.tensorinv])
    def test_singular_matrices(self, call):
        x = dpnp.zeros((2, 2) if call is not linalg.tensorinv else (1, 2, 2))
        with pytest.raises(linalg.LinAlgError):
            call(x)

    @pytest.mark.parametrize("name", ["inv", "det", "cholesky", "eigh", "eigvalsh", "eig", "eigvals", "slogdet"])
    def test_matrices_that_are_not_square(self, name):
        with pytest.raises(linalg.LinAlgError, match=name):
            getattr(linalg, name)(dpnp.ones((2, 3)))

    @pytest.mark.parametrize("name", ["inv", "det", "svd", "qr", "norm", "cond", "eig", "pinv", "matrix_rank"])
    def test_host_arrays(self, name):
        with pytest.raises(TypeError, match=f"{name}"):
            getattr(linalg, name)(np.eye(2))

    def test_norms_that_do_not_exist(self):
        x = dpnp.ones((2, 3, 4))
        with pytest.raises(ValueError, match="ord"):
            linalg.norm(x, "fro", axis=0)
        with pytest.raises(ValueError, match="ord"):
            linalg.norm(x, 3, axis=(0, 1))
        with pytest.raises(ValueError, match="3 axes"):
            linalg.norm(x, 2)
        with pytest.raises(np.exceptions.AxisError):
            linalg.norm(x, axis=5)

    def test_contradicting_limits(self):
        with pytest.raises(ValueError, match="tol and rtol"):
            linalg.matrix_rank(dpnp.eye(2), 1, rtol=1)
        with pytest.raises(ValueError, match="rcond and rtol"):
            linalg.pinv(dpnp.eye(2), 1, rtol=1)

    def test_powers(self):
        with pytest.raises(TypeError, match="exponent must be an int"):
            linalg.matrix_power(dpnp.eye(2), 1.5)
        with pytest.raises(linalg.LinAlgError, match="square"):
            linalg.matrix_power(dpnp.ones((2, 3)), 2)

    def test_products_of_too_few_matrices(self):
        with pytest.raises(ValueError, match="at least two"):
            linalg.multi_dot([dpnp.eye(2)])
        with pytest.raises(linalg.LinAlgError, match="3 dimensions"):
            linalg.multi_dot([dpnp.eye(2), dpnp.ones((1, 2, 2)), dpnp.eye(2)])

    def test_tensor_equations(self):
        with pytest.raises(ValueError, match="ind must be positive"):
            linalg.tensorinv(dpnp.eye(2), 0)
        with pytest.raises(linalg.LinAlgError, match="no square system"):
            linalg.tensorsolve(dpnp.ones((2, 3)), dpnp.ones(2))

    def test_matrix_rank_of_vectors(self):
        assert int(linalg.matrix_rank(dpnp.zeros(3))) == 0
        assert int(linalg.matrix_rank(dpnp.ones(3))) == 1


def test_numpys_functions_dispatch_to_dpnp():
    a = square("d")
    x = dpnp.asarray(a)
    close(np.linalg.inv(x), np.linalg.inv(a))
    close(np.linalg.norm(x, 1), np.linalg.norm(a, 1))
    assert type(np.linalg.svd(x)) is linalg.svd(x).__class__
    close(np.linalg.solve(x, x), np.eye(4))


def test_arrays_of_dpctl_are_taken():
    a = square("d")
    close(linalg.inv(dpt.asarray(a)), np.linalg.inv(a))
    close(linalg.solve(dpt.asarray(a), dpnp.asarray(a)), np.eye(4))
    close(linalg.norm(dpt.asarray(a)), np.linalg.norm(a))


def test_public_names_are_those_of_numpy():
    missing = set(np.linalg.__all__) - set(linalg.__all__)
    assert not missing
    for name in linalg.__all__:
        assert callable(getattr(linalg, name))


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (0, 0), (3, 0, 2), (0, 2, 3)])
def test_norms_of_no_elements(shape):
    a = np.empty(shape)
    x = dpnp.asarray(a)
    for order in ("fro", "nuc", 1, 2, np.inf):
        found, expected = dpnp.linalg.matrix_norm(x, ord=order), np.linalg.matrix_norm(a, ord=order)
        np.testing.assert_array_equal(dpnp.asnumpy(found), expected)
    for order in (None, 0, 1, 2, np.inf):
        found, expected = dpnp.linalg.vector_norm(x, ord=order), np.linalg.vector_norm(a, ord=order)
        np.testing.assert_array_equal(dpnp.asnumpy(found), expected)
    for code in "if":
        found, expected = dpnp.linalg.pinv(x.astype(code)), np.linalg.pinv(a.astype(code))
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)


@pytest.mark.parametrize("kinds", [("device", "shared"), ("shared", "device"), ("host", "device"), ("host", "shared")])
def test_results_are_in_the_memory_of_both_operands(kinds):
    first, second = kinds
    a, b = dpnp.eye(3, usm_type=first), dpnp.ones(3, usm_type=second)
    kind = (a[0] + b).usm_type
    results = {
        "solve": dpnp.linalg.solve(a, b),
        "lstsq": dpnp.linalg.lstsq(a, b)[0],
        "interp": dpnp.interp(a[0], dpnp.arange(3.0, usm_type=second), b),
        "extract": dpnp.extract(b, a[0]),
        "histogram": dpnp.histogram(a[0], weights=b)[0],
        "histogram2d": dpnp.histogram2d(a[0], b)[0],
    }
    assert {name: x.usm_type for name, x in results.items()} == dict.fromkeys(results, kind)
