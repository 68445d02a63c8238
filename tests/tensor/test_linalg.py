"""dpctl.tensor.linalg against NumPy: dtypes, batches, memory layouts, empty arrays, and errors."""

from __future__ import annotations

import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import FLOATS, assert_same, values

linalg = dpt.linalg
KINDS = [c for c in FLOATS if c != "e"]
BATCHES = [(), (3,), (2, 3), (0,), (2, 0)]
# arrays with the same elements and other strides
LAYOUTS = {
    "columns": lambda a, np: np.asarray(a.mT, copy=True, order="C").mT,
    "steps": lambda a, np: np.repeat(a, 2, axis=-1)[..., ::2],
    "backwards": lambda a, np: np.flip(a, axis=-1)[..., ::-1],
    "batch last": lambda a, np: np.moveaxis(np.asarray(np.moveaxis(a, 0, -1), copy=True, order="C"), -1, 0),
}


def matrices(code: str, m: int, n: int, batch: tuple[int, ...] = (), seed: object = 0) -> np.ndarray:
    """Matrices with singular values away from zero."""
    return values(code, (*batch, m, n), seed) + np.eye(m, n, dtype=code) * 4 * max(1, min(m, n)) ** 0.5


def definite(code: str, n: int, batch: tuple[int, ...] = ()) -> np.ndarray:
    a = values(code, (*batch, n, n))
    return (a @ a.conj().mT + np.eye(n) * n).astype(code)


def hermitian(code: str, n: int, batch: tuple[int, ...] = ()) -> np.ndarray:
    a = values(code, (*batch, n, n))
    return a + a.conj().mT


def adjoint(a: np.ndarray) -> np.ndarray:
    return a.conj().mT


def close(found, wanted, size: int = 1, scale: float | None = None) -> None:
    """Equal shapes and dtypes, and values up to the precision of the dtype times the size of the problem."""
    got, wanted = dpt.asnumpy(found), np.asarray(wanted)
    assert got.shape == wanted.shape
    assert got.dtype == wanted.dtype
    if scale is None:
        scale = np.abs(wanted).max(initial=1)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=100 * size * scale * np.finfo(got.dtype).eps)


def expect_units(x: np.ndarray) -> None:
    """The matrices are unit matrices."""
    close(dpt.asarray(x), np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape), x.shape[-1])


@pytest.mark.parametrize("code", KINDS)
@pytest.mark.parametrize("n", [1, 2, 5, 33, 70])
@pytest.mark.parametrize("batch", BATCHES)
class TestSquareMatrices:
    def test_inv(self, code, n, batch):
        a = matrices(code, n, n, batch)
        close(linalg.inv(dpt.asarray(a)), np.linalg.inv(a), n)

    def test_det(self, code, n, batch):
        a = matrices(code, n, n, batch) / (4 * n**0.5)
        close(linalg.det(dpt.asarray(a)), np.linalg.det(a), n)

    def test_slogdet(self, code, n, batch):
        a = matrices(code, n, n, batch)
        found, wanted = linalg.slogdet(dpt.asarray(a)), np.linalg.slogdet(a)
        close(found.sign, wanted.sign, n)
        close(found.logabsdet, wanted.logabsdet, n)

    def test_solve_with_matrices(self, code, n, batch):
        a, b = matrices(code, n, n, batch), values(code, (*batch, n, 3), "b")
        close(linalg.solve(dpt.asarray(a), dpt.asarray(b)), np.linalg.solve(a, b), n)

    def test_solve_with_a_vector(self, code, n, batch):
        a, b = matrices(code, n, n, batch), values(code, (n,), "b")
        close(linalg.solve(dpt.asarray(a), dpt.asarray(b)), np.linalg.solve(a, b), n)

    @pytest.mark.parametrize("upper", [False, True])
    def test_cholesky(self, code, n, batch, upper):
        a = definite(code, n, batch)
        found = dpt.asnumpy(linalg.cholesky(dpt.asarray(a), upper=upper))
        assert found.dtype == a.dtype
        close(dpt.asarray(found), np.linalg.cholesky(a, upper=upper), n)
        assert (np.tril(found, -1) if upper else np.triu(found, 1)).any() == np.False_

    @pytest.mark.parametrize("uplo", ["L", "U"])
    def test_eigh(self, code, n, batch, uplo):
        a = hermitian(code, n, batch)
        other = a.copy()  # the other triangle is not read
        other[..., *(np.triu_indices(n, 1) if uplo == "L" else np.tril_indices(n, -1))] = np.nan
        found = linalg.eigh(dpt.asarray(other), UPLO=uplo)
        close(found.eigenvalues, np.linalg.eigvalsh(a), n)
        w, v = dpt.asnumpy(found.eigenvalues), dpt.asnumpy(found.eigenvectors)
        assert v.dtype == a.dtype
        close(dpt.asarray((v * w[..., None, :]) @ adjoint(v)), a, n)
        expect_units(adjoint(v) @ v)
        close(linalg.eigvalsh(dpt.asarray(other), UPLO=uplo), np.linalg.eigvalsh(a), n)

    def test_eig(self, code, n, batch):
        a = matrices(code, n, n, batch)
        found = linalg.eig(dpt.asarray(a))
        w, v = dpt.asnumpy(found.eigenvalues), dpt.asnumpy(found.eigenvectors)
        assert w.dtype == v.dtype == ("F" if code in "fF" else "D")
        close(dpt.asarray(a.astype(v.dtype) @ v), v * w[..., None, :], n, np.abs(a).max(initial=1))
        values_alone = dpt.asnumpy(linalg.eigvals(dpt.asarray(a)))
        order = np.lexsort((w.imag.round(3), w.real.round(3)))
        other = np.lexsort((values_alone.imag.round(3), values_alone.real.round(3)))
        close(
            dpt.asarray(np.take_along_axis(values_alone, other, -1)), np.take_along_axis(w, order, -1), n,
            np.abs(a).max(initial=1) * n,
        )  # fmt: skip


SHAPES = [(1, 1), (5, 3), (3, 5), (4, 4), (40, 7), (7, 40), (64, 64)]


@pytest.mark.parametrize("code", KINDS)
@pytest.mark.parametrize("m, n", SHAPES)
@pytest.mark.parametrize("batch", BATCHES)
class TestFactorisations:
    @pytest.mark.parametrize("mode", ["reduced", "complete"])
    def test_qr(self, code, m, n, batch, mode):
        a = values(code, (*batch, m, n))
        found = linalg.qr(dpt.asarray(a), mode=mode)
        q, r = dpt.asnumpy(found.Q), dpt.asnumpy(found.R)
        columns = m if mode == "complete" else min(m, n)
        assert q.dtype == r.dtype == a.dtype
        assert q.shape == (*batch, m, columns)
        assert r.shape == (*batch, columns, n)
        close(dpt.asarray(q @ r), a, m + n)
        expect_units(adjoint(q) @ q)
        assert not np.tril(r, -1).any()

    def test_r_and_raw(self, code, m, n, batch):
        a = values(code, (*batch, m, n))
        close(linalg.qr(dpt.asarray(a), mode="r"), np.linalg.qr(a, mode="r"), m + n)
        found, wanted = linalg.qr(dpt.asarray(a), mode="raw"), np.linalg.qr(a, mode="raw")
        close(found[0], wanted[0], m + n)
        close(found[1], wanted[1], m + n)

    @pytest.mark.parametrize("full", [False, True])
    def test_svd(self, code, m, n, batch, full):
        a = values(code, (*batch, m, n))
        found = linalg.svd(dpt.asarray(a), full_matrices=full)
        u, s, vh = map(dpt.asnumpy, found)
        k = min(m, n)
        assert u.shape == (*batch, m, m if full else k)
        assert vh.shape == (*batch, n if full else k, n)
        assert u.dtype == vh.dtype == a.dtype
        close(found.S, np.linalg.svd(a, compute_uv=False), m + n)
        close(dpt.asarray((u[..., :k] * s[..., None, :]) @ vh[..., :k, :]), a, m + n)
        close(
            dpt.asarray(adjoint(u) @ u),
            np.broadcast_to(np.eye(u.shape[-1], dtype=code), (*batch, *u.shape[-1:] * 2)),
            m,
        )
        close(
            dpt.asarray(vh @ adjoint(vh)),
            np.broadcast_to(np.eye(vh.shape[-2], dtype=code), (*batch, *vh.shape[-2:-1] * 2)),
            n,
        )
        close(linalg.svdvals(dpt.asarray(a)), np.linalg.svd(a, compute_uv=False), m + n)


@pytest.mark.parametrize("code", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("batch", [(), (3,)])
def test_memory_layouts(code, layout, batch):
    make = LAYOUTS[layout]
    host = make(matrices(code, 4, 4, batch), np)
    ours = make(dpt.asarray(matrices(code, 4, 4, batch)), dpt)
    close(linalg.inv(ours), np.linalg.inv(host), 4)
    close(linalg.det(ours), np.linalg.det(host), 4)
    close(linalg.svdvals(ours), np.linalg.svd(host, compute_uv=False), 4)
    close(linalg.solve(ours, ours), np.linalg.solve(host, host), 4)
    close(linalg.qr(ours, mode="r"), np.linalg.qr(host, mode="r"), 4)


@pytest.mark.parametrize("code", "?bBhHiIlL")
def test_integers_are_computed_as_floats(code):
    a = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], dtype=code)
    x = dpt.asarray(a)
    close(linalg.det(x), np.linalg.det(a.astype(float)))
    close(linalg.inv(x), np.linalg.inv(a.astype(float)))
    close(linalg.solve(x, x), np.eye(3))
    close(linalg.svdvals(x), np.linalg.svd(a.astype(float), compute_uv=False))
    close(linalg.cholesky(dpt.eye(2, dtype=code)), np.eye(2))


def test_mixed_dtypes_are_promoted():
    a, b = matrices("f", 3, 3), values("d", (3, 2))
    close(linalg.solve(dpt.asarray(a), dpt.asarray(b)), np.linalg.solve(a, b), 3, 1e7)
    assert linalg.solve(dpt.asarray(a), dpt.asarray(b.astype("F"))).dtype == "F"
    assert linalg.solve(dpt.asarray(a), dpt.asarray([1, 2, 3])).dtype == "d"


def test_batches_of_right_sides_broadcast():
    a, b = matrices("d", 4, 4, (3, 1)), values("d", (2, 4, 5))
    close(linalg.solve(dpt.asarray(a), dpt.asarray(b)), np.linalg.solve(a, b), 4)
    a, b = matrices("d", 4, 4), values("d", (2, 4, 5))
    close(linalg.solve(dpt.asarray(a), dpt.asarray(b)), np.linalg.solve(a, b), 4)


@pytest.mark.parametrize("code", KINDS)
def test_large_matrices_use_the_librarys_threads(code):
    n = 300
    a = matrices(code, n, n, (2,))
    close(linalg.inv(dpt.asarray(a)), np.linalg.inv(a), n)
    close(linalg.svdvals(dpt.asarray(a)), np.linalg.svd(a, compute_uv=False), n)
    close(linalg.cholesky(dpt.asarray(definite(code, n))), np.linalg.cholesky(definite(code, n)), n)


def test_large_batches():
    a = matrices("d", 4, 4, (5000,))
    x = dpt.asarray(a)
    close(linalg.inv(x), np.linalg.inv(a), 4)
    close(linalg.det(x), np.linalg.det(a), 4)
    close(linalg.solve(x, x), np.broadcast_to(np.eye(4), a.shape), 4)
    close(linalg.svdvals(x), np.linalg.svd(a, compute_uv=False), 4)


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 3, 3), (0, 0, 0)])
def test_empty_square_matrices(shape):
    a = np.empty(shape)
    x = dpt.asarray(a)
    for name in ("det", "inv", "cholesky", "eigvalsh"):
        close(getattr(linalg, name)(x), getattr(np.linalg, name)(a))
    close(linalg.solve(x, x), np.linalg.solve(a, a))
    found, wanted = linalg.slogdet(x), np.linalg.slogdet(a)
    close(found.sign, wanted.sign)
    close(found.logabsdet, wanted.logabsdet)
    assert linalg.eigh(x).eigenvectors.shape == a.shape
    assert linalg.eig(x).eigenvectors.shape == a.shape


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 3), (2, 3, 0), (0, 2, 3), (0, 0)])
def test_empty_matrices(shape):
    a = np.empty(shape)
    x = dpt.asarray(a)
    for full in (False, True):
        for found, wanted in zip(linalg.svd(x, full_matrices=full), np.linalg.svd(a, full_matrices=full), strict=True):
            close(found, wanted)
    for mode in ("reduced", "complete"):
        for found, wanted in zip(linalg.qr(x, mode=mode), np.linalg.qr(a, mode=mode), strict=True):
            close(found, wanted)
    close(linalg.qr(x, mode="r"), np.linalg.qr(a, mode="r"))


def test_no_columns_on_the_right():
    a = matrices("d", 3, 3)
    close(linalg.solve(dpt.asarray(a), dpt.empty((3, 0))), np.empty((3, 0)))


@pytest.mark.parametrize("code", KINDS)
def test_determinants_of_extreme_matrices(code):
    big = np.diag(np.array([1e30, 1e30, 1e-30, 1e-30, 2], dtype=code))
    close(linalg.det(dpt.asarray(big)), np.array(2, dtype=code))
    assert complex(linalg.det(dpt.zeros((3, 3), dtype=code))) == 0
    found = linalg.slogdet(dpt.zeros((3, 3), dtype=code))
    assert complex(found.sign) == 0
    assert float(found.logabsdet) == -np.inf
    assert np.isnan(complex(linalg.det(dpt.full((2, 2), dpt.nan, dtype=code))).real)


class TestErrors:
    @pytest.mark.parametrize("name", ["inv", "cholesky"])
    @pytest.mark.parametrize("batch", [(), (3,)])
    def test_singular_matrices(self, name, batch):
        a = np.zeros((*batch, 3, 3))
        if batch:
            a[:2] = np.eye(3)
        with pytest.raises(np.linalg.LinAlgError, match=f"{name}: (Singular matrix|Matrix is not positive definite)"):
            getattr(linalg, name)(dpt.asarray(a))

    @pytest.mark.parametrize("code", KINDS)
    def test_singular_systems(self, code):
        a = dpt.asarray(np.array([[1, 2], [2, 4]], dtype=code))
        with pytest.raises(np.linalg.LinAlgError, match="solve: Singular matrix"):
            linalg.solve(a, a)

    def test_the_queue_works_after_an_error(self):
        with pytest.raises(np.linalg.LinAlgError):
            linalg.inv(dpt.zeros((2, 2)))
        close(linalg.inv(dpt.eye(2)), np.eye(2))

    @pytest.mark.parametrize("name", ["inv", "det", "slogdet", "cholesky", "eigh", "eigvalsh", "eig", "eigvals"])
    @pytest.mark.parametrize("shape", [(2, 3), (2, 3, 2), (3,), ()])
    def test_matrices_that_are_not_square(self, name, shape):
        with pytest.raises(np.linalg.LinAlgError, match=f"{name}: expected .*got shape"):
            getattr(linalg, name)(dpt.ones(shape))

    @pytest.mark.parametrize("name", ["qr", "svd", "svdvals"])
    def test_arrays_without_matrices(self, name):
        with pytest.raises(np.linalg.LinAlgError, match=rf"{name[:2]}.*: expected an array of at least two dim"):
            getattr(linalg, name)(dpt.ones(3))

    @pytest.mark.parametrize("name", ["inv", "det", "cholesky", "eigh", "svd", "qr"])
    def test_float16(self, name):
        with pytest.raises(TypeError, match=f"{name}: float16 is not supported"):
            getattr(linalg, name)(dpt.eye(2, dtype="f2"))

    @pytest.mark.parametrize("name", ["inv", "det", "slogdet", "cholesky", "eigh", "eig", "svd", "svdvals", "qr"])
    def test_other_objects(self, name):
        with pytest.raises(TypeError, match=f"{name}: x must be a usm_ndarray, got list"):
            getattr(linalg, name)([[1.0]])

    def test_right_sides_of_the_wrong_shape(self):
        a = dpt.eye(3)
        with pytest.raises(ValueError, match=r"solve: .*\(3, 3\) .*\(2,\): 3 and 2 rows"):
            linalg.solve(a, dpt.ones(2))
        with pytest.raises(ValueError, match="solve"):
            linalg.solve(a, dpt.ones((4, 2)))
        with pytest.raises(np.linalg.LinAlgError, match="0-d array"):
            linalg.solve(a, dpt.asarray(1.0))
        with pytest.raises(ValueError, match="broadcast"):
            linalg.solve(dpt.ones((2, 3, 3)), dpt.ones((4, 3, 1)))

    def test_unknown_modes(self):
        with pytest.raises(ValueError, match="qr: mode must be"):
            linalg.qr(dpt.eye(2), mode="full")
        with pytest.raises(ValueError, match="eigh: UPLO must be"):
            linalg.eigh(dpt.eye(2), UPLO="X")

    def test_two_queues(self):
        import dpctl

        other = dpt.ones((2, 2), sycl_queue=dpctl.SyclQueue())
        with pytest.raises(dpctl.utils.ExecutionPlacementError):
            linalg.solve(dpt.eye(2), other)


def test_results_keep_the_queue_and_memory_of_the_operands():
    import dpctl

    queue = dpctl.SyclQueue()
    x = dpt.eye(3, usm_type="shared", sycl_queue=queue)
    for found in (linalg.inv(x), linalg.det(x), *linalg.svd(x), *linalg.qr(x), *linalg.eigh(x)):
        assert found.sycl_queue == queue
        assert found.usm_type == "shared"
        assert found.flags.c_contiguous


def test_operands_are_not_changed_and_may_change_afterwards():
    a = matrices("d", 60, 60, (50,))
    x = dpt.asarray(a)
    found = linalg.det(x)
    x[...] = 0
    close(found, np.linalg.det(a), 60)
    y = dpt.asarray(a)
    linalg.inv(y), linalg.svd(y), linalg.eigh(y), linalg.qr(y), linalg.solve(y, y)
    assert_same(y, a, 0)


def test_pending_operands():
    a = matrices("d", 200, 200)
    x = dpt.asarray(a)
    close(linalg.inv(x * 2 + 0), np.linalg.inv(a * 2), 200)
    close(linalg.det((x / 20).mT), np.linalg.det(a / 20), 200)


class TestDiagonals:
    @pytest.mark.parametrize("offset", [-9, -3, -1, 0, 1, 2, 5, 9])
    @pytest.mark.parametrize("shape", [(3, 4), (4, 3), (2, 3, 3), (0, 3), (3, 0)])
    def test_diagonal_and_trace(self, shape, offset):
        a = values("d", shape)
        x = dpt.asarray(a)
        assert_same(linalg.diagonal(x, offset=offset), np.linalg.diagonal(a, offset=offset))
        assert_same(linalg.trace(x, offset=offset), np.linalg.trace(a, offset=offset), 8, near_zero=True)

    def test_a_diagonal_is_a_view(self):
        x = dpt.zeros((3, 3))
        linalg.diagonal(x)[...] = 2
        assert_same(x, np.eye(3) * 2)
        y = dpt.ones((300, 300)) * 3  # pending
        assert_same(linalg.diagonal(y[::-1, ::2], offset=1), np.full(149, 3.0))

    def test_trace_of_small_integers(self):
        x = dpt.asarray([[100, 0], [0, 100]], dtype="i1")
        assert linalg.trace(x).dtype == "i8"
        assert int(linalg.trace(x)) == 200
        assert linalg.trace(x, dtype="f4").dtype == "f4"

    def test_too_few_dimensions(self):
        with pytest.raises(ValueError, match="diagonal: the array must have at least two axes"):
            linalg.diagonal(dpt.ones(3))
