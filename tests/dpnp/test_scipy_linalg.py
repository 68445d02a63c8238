"""dpnp.scipy.linalg against scipy.linalg: results, batches, dtypes, keywords and errors."""

from __future__ import annotations

import math

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
import scipy.linalg
from reference import values

ours = dpnp.scipy.linalg
KINDS = "fdFD"
BATCHES = [(), (3,), (2, 3)]


def square(code: str, n: int = 5, batch: tuple[int, ...] = (), seed: int = 0) -> np.ndarray:
    return values(code, (*batch, n, n), seed)


def positive(code: str, n: int = 5, batch: tuple[int, ...] = ()) -> np.ndarray:
    a = square(code, n, batch)
    return a @ a.conj().mT + np.eye(n, dtype=code)


def close(found: dpnp.ndarray, expected: object, size: float = 500) -> None:
    """Equal types, shapes and dtypes, and values up to the precision of the dtype."""
    assert type(found) is dpnp.ndarray
    got, expected = found.asnumpy(), np.asarray(expected)
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    if got.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, expected)
        return
    scale = max(1.0, float(np.abs(expected).max(initial=0)))
    np.testing.assert_allclose(got, expected, rtol=0, atol=size * scale * np.finfo(got.dtype).eps)


# Shapes of matrices: square, tall, wide, large enough for the library's threads, and empty.
@pytest.mark.parametrize("shape", [(5, 5), (7, 4), (4, 7), (1, 1), (230, 230), (0, 0), (3, 0), (2, 3, 6, 5), (0, 3, 3)])
@pytest.mark.parametrize("code", KINDS)
def test_lu(code, shape):
    a = values(code, shape)
    x = dpnp.array(a)
    p, lower, upper = ours.lu(x)
    *batch, m, n = shape
    assert (p.shape, lower.shape, upper.shape) == ((*batch, m, m), (*batch, m, min(m, n)), (*batch, min(m, n), n))
    permuted, again = ours.lu(x, permute_l=True)
    rows, lower, upper = ours.lu(x, p_indices=True)
    close(permuted @ again, a)
    if a.size:  # SciPy's results of no elements have other shapes
        for found, expected in zip((lower, upper), scipy.linalg.lu(a)[1:]):
            close(found, expected)
        np.testing.assert_array_equal(p.asnumpy(), scipy.linalg.lu(a)[0])
        for found, expected in zip((permuted, again), scipy.linalg.lu(a, permute_l=True)):
            close(found, expected)
        np.testing.assert_array_equal(rows.asnumpy(), scipy.linalg.lu(a, p_indices=True)[0])
    ordered = np.take_along_axis(lower.asnumpy(), rows.asnumpy()[..., None].astype(int), -2)
    close(dpnp.array(ordered) @ upper, a)


@pytest.mark.parametrize("shape", [(5, 5), (7, 4), (4, 7), (230, 230), (2, 3, 5, 5), (9, 2, 2)])
@pytest.mark.parametrize("code", KINDS)
def test_lu_factor(code, shape):
    a = values(code, shape)
    x = dpnp.array(a)
    factors, pivots = ours.lu_factor(x)
    assert pivots.dtype == "i4"
    for at in np.ndindex(shape[:-2]):
        made, exchanged = factors.asnumpy()[at], pivots.asnumpy()[at]
        few = min(shape[-2:])
        lower, upper = np.tril(made[:, :few], -1) + np.eye(shape[-2], few, dtype=code), np.triu(made[:few])
        rows = np.arange(shape[-2])
        for k, other in enumerate(exchanged):
            rows[[k, other]] = rows[[other, k]]
        close(dpnp.array(lower @ upper), a[at][rows])
        assert np.abs(lower).max() <= math.sqrt(2) + 1e-3
        if code in "fd" or not x.sycl_device.is_gpu:  # cuBLAS compares moduli of pivots, LAPACK the sums of their parts
            expected, order = scipy.linalg.lu_factor(a[at])
            close(dpnp.array(made), expected)
            np.testing.assert_array_equal(exchanged, order)


@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("code", KINDS)
def test_lu_solve(code, batch, trans):
    a = square(code, 5, batch)
    factors = ours.lu_factor(dpnp.array(a))
    op = {0: a, 1: a.mT, 2: a.conj().mT}["NTC".index(trans) if isinstance(trans, str) else trans]
    for b in (values(code, (*batch, 5, 3), 1), values(code, (*batch, 5, 1), 2), values(code, (5,), 3)):
        right = b[:, None] if b.ndim == 1 else b
        expected = np.linalg.solve(op, np.broadcast_to(right, (*batch, *right.shape[-2:])))
        close(ours.lu_solve(factors, dpnp.array(b), trans=trans), expected[..., 0] if b.ndim == 1 else expected, 2e4)


@pytest.mark.parametrize("unit_diagonal", [False, True])
@pytest.mark.parametrize("trans", [0, 1, 2])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("code", KINDS)
def test_solve_triangular(code, lower, trans, unit_diagonal):
    for n, batch in ((5, ()), (5, (3,)), (1, ()), (210, ())):
        a = square(code, n, batch) / n + np.eye(n, dtype=code) * 3
        x = dpnp.array(a)  # the other triangle is not zero, and is not read
        triangle = np.tril(a) if lower else np.triu(a)
        if unit_diagonal:
            triangle = triangle - triangle * np.eye(n) + np.eye(n)
        op = {0: triangle, 1: triangle.mT, 2: triangle.conj().mT}[trans].astype(code)
        for b in (values(code, (*batch, n, 3), 1), values(code, (n,), 3)):
            right = np.broadcast_to(b[:, None] if b.ndim == 1 else b, (*batch, n, 1 if b.ndim == 1 else 3))
            expected = np.linalg.solve(op, right)
            found = ours.solve_triangular(x, dpnp.array(b), trans, lower, unit_diagonal)
            close(found, expected[..., 0] if b.ndim == 1 else expected, 5e3)


def test_solve_triangular_is_scipys():
    a, b = square("d"), values("d", (5, 2), 1)
    for options in ({}, {"lower": True}, {"trans": "T"}, {"trans": 2, "lower": True}, {"unit_diagonal": True}):
        expected = scipy.linalg.solve_triangular(a, b, **options)
        close(ours.solve_triangular(dpnp.array(a), dpnp.array(b), **options), expected, 1e5)


def test_layouts_and_mixed_dtypes():
    a, b = square("d", 8), values("f", (8, 2), 1)
    views = [(a[::2, ::2], dpnp.array(a)[::2, ::2]), (a[:4, :4].T, dpnp.array(a)[:4, :4].T)]
    for numpys, x in views:
        for found, expected in zip(ours.lu(x), scipy.linalg.lu(numpys)):
            close(found, expected)
        expected = scipy.linalg.solve_triangular(numpys, b[:4])
        close(ours.solve_triangular(x, dpnp.array(b[:4])), expected, 1e5)


def test_integers_and_float16():
    a = np.array([[4, 2], [2, 3]])
    close(ours.lu(dpnp.array(a))[2], scipy.linalg.lu(a)[2])
    close(ours.solve_triangular(dpnp.array(a), dpnp.array([8, 3])), scipy.linalg.solve_triangular(a, [8, 3]))
    close(ours.expm(dpnp.array(a)), scipy.linalg.expm(a))
    with pytest.raises(TypeError, match="lu_factor: float16"):
        ours.lu_factor(dpnp.array(a, dtype="f2"))


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("code", KINDS)
def test_cholesky(code, batch, lower):
    a = positive(code, 5, batch)
    expected = np.linalg.cholesky(a) if lower else np.linalg.cholesky(a, upper=True)
    close(ours.cholesky(dpnp.array(a), lower=lower), expected)
    c, flag = ours.cho_factor(dpnp.array(a), lower)
    assert flag is lower
    for b in (values(code, (*batch, 5, 3), 1), values(code, (5,), 3)):
        right = np.broadcast_to(b[:, None] if b.ndim == 1 else b, (*batch, 5, 1 if b.ndim == 1 else 3))
        expected = np.linalg.solve(a, right)
        found = ours.cho_solve((c, flag), dpnp.array(b))
        close(found, expected[..., 0] if b.ndim == 1 else expected, 1e5)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("assume_a", [None, "gen", "general", "sym", "her", "pos", "diagonal", "tridiagonal", "banded",
                                      "upper triangular", "lower triangular", "positive definite"])  # fmt: skip
@pytest.mark.parametrize("code", "dD")
def test_solve(code, assume_a, transposed):
    a, b = positive(code), values(code, (5, 2), 1)
    if assume_a == "sym":
        a = a + a.T
    if assume_a == "diagonal":
        a = np.diag(np.diag(a))
    if assume_a in ("tridiagonal", "banded"):
        a = np.triu(np.tril(a, 1), -1)
    options = {"assume_a": assume_a, "transposed": transposed}
    if code == "D" and transposed and assume_a in ("sym", "her", "pos", "positive definite"):
        with pytest.raises(NotImplementedError, match="transposed"):
            ours.solve(dpnp.array(a), dpnp.array(b), **options)
        return
    if code == "D" and transposed:  # SciPy has none of these
        triangle = {"upper triangular": np.triu, "lower triangular": np.tril}.get(assume_a, np.asarray)
        expected = np.linalg.solve(triangle(a).T, b)
    else:
        expected = scipy.linalg.solve(a, b, **options)
    close(ours.solve(dpnp.array(a), dpnp.array(b), **options), expected, 1e6)


@pytest.mark.parametrize("name", ["sym", "her", "pos"])
def test_solve_reads_one_triangle(name):
    a, b = positive("D"), values("D", (5,), 1)
    if name == "sym":
        a = a + a.T
    for lower in (False, True):
        half = np.tril(a) if lower else np.triu(a)
        expected = np.linalg.solve(a, b)
        close(ours.solve(dpnp.array(half), dpnp.array(b), lower=lower, assume_a=name), expected, 1e6)


ALIKE = {
    "inv": lambda la, a: la.inv(a),
    "det": lambda la, a: la.det(a),
    "pinv": lambda la, a: la.pinv(a),
    "pinvh": lambda la, a: la.pinvh(a + a.conj().T),
    "norm": lambda la, a: la.norm(a),
    "norm 1": lambda la, a: la.norm(a, 1),
    "svdvals": lambda la, a: la.svdvals(a),
    "svd values": lambda la, a: la.svd(a, compute_uv=False),
    "eigvalsh": lambda la, a: la.eigvalsh(a + a.conj().T),
    "eigvalsh upper": lambda la, a: la.eigvalsh(a, lower=False),
    "eigh subset": lambda la, a: la.eigh(a, subset_by_index=[1, 3], eigvals_only=True),
    "eigh values": lambda la, a: la.eigh(a, subset_by_value=(-1.0, 4.0), eigvals_only=True),
    "lstsq": lambda la, a: la.lstsq(a[:, :3], a[:, 3:])[0],
    "expm": lambda la, a: la.expm(a),
    "cosm": lambda la, a: la.cosm(a),
    "sinm": lambda la, a: la.sinm(a),
    "tanm": lambda la, a: la.tanm(a / 4),
    "coshm": lambda la, a: la.coshm(a),
    "sinhm": lambda la, a: la.sinhm(a),
    "tanhm": lambda la, a: la.tanhm(a / 4),
    "polar": lambda la, a: la.polar(a)[1],
    "polar left": lambda la, a: la.polar(a, side="left")[1],
    "circulant": lambda la, a: la.circulant(a[0]),
    "toeplitz": lambda la, a: la.toeplitz(a[0]),
    "toeplitz row": lambda la, a: la.toeplitz(a[0], a[1][:3]),
    "hankel": lambda la, a: la.hankel(a[0]),
    "hankel row": lambda la, a: la.hankel(a[0], a[1][:3]),
    "companion": lambda la, a: la.companion(a[0]),
    "block_diag": lambda la, a: la.block_diag(a, a[0], a[:2]),
    "khatri_rao": lambda la, a: la.khatri_rao(a[:2], a),
}


@pytest.mark.parametrize("code", KINDS)
@pytest.mark.parametrize("name", ALIKE)
def test_functions_of_a_matrix(name, code):
    a = square(code)
    with np.errstate(all="ignore"):
        expected = np.asarray(ALIKE[name](scipy.linalg, a))
    if name in ("det", "norm 1"):  # which SciPy returns in double precision
        expected = expected.astype(code if name == "det" else code.lower())
    close(ALIKE[name](ours, dpnp.array(a)), expected, 1e5)


@pytest.mark.parametrize("scale", [0, 1e-3, 1, 30])
@pytest.mark.parametrize("code", KINDS)
def test_expm_of_batches(code, scale):
    a = square(code, 4, (2, 3)) * np.array([1, 0.1, 2], dtype=code)[:, None, None]
    a = (a * (scale / 10)).astype(code)
    expected = scipy.linalg.expm(a.astype("D" if code in "FD" else "d")).astype(code)
    found = ours.expm(dpnp.array(a)).asnumpy()
    for at in np.ndindex(2, 3):
        size = np.abs(expected[at]).max()
        np.testing.assert_allclose(found[at], expected[at], rtol=0, atol=3e3 * size * np.finfo(code).eps)


@pytest.mark.parametrize("mode", ["full", "r", "economic"])
@pytest.mark.parametrize("shape", [(5, 5), (7, 4), (4, 7)])
@pytest.mark.parametrize("code", KINDS)
def test_qr(code, shape, mode):
    a = values(code, shape)
    found, expected = ours.qr(dpnp.array(a), mode=mode), scipy.linalg.qr(a, mode=mode)
    assert [f.shape for f in found] == [e.shape for e in expected]
    for f, e in zip(found, expected):
        close(abs(f), abs(e))
    if mode != "r":
        close(found[0] @ found[1], a)


@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("code", "dD")
def test_generalised_eigenvalues(code, lower, kind):
    a, b = square(code), positive(code)
    a = a + a.conj().T
    w, v = ours.eigh(dpnp.array(a), dpnp.array(b), lower=lower, type=kind)
    close(w, scipy.linalg.eigh(a, b, lower=lower, type=kind, eigvals_only=True), 1e5)
    a, b = dpnp.array(a), dpnp.array(b)
    left, right = {1: (a @ v, b @ v * w), 2: (a @ (b @ v), v * w), 3: (b @ (a @ v), v * w)}[kind]
    close(left, right.asnumpy(), 1e6)


def test_eig_is_complex():
    a = np.array([[2.0, 1.0], [0.0, 3.0]])
    w, v = ours.eig(dpnp.array(a))
    assert w.dtype == "c16" and v.dtype == "f8"
    close(dpnp.array(np.sort(w.asnumpy())), np.sort(scipy.linalg.eigvals(a)))
    with pytest.raises(NotImplementedError, match="left"):
        ours.eig(dpnp.array(a), left=True)


def test_orth_and_null_space():
    a = values("d", (6, 2)) @ values("d", (2, 4), 1)
    assert ours.orth(dpnp.array(a)).shape == scipy.linalg.orth(a).shape
    kernel = ours.null_space(dpnp.array(a))
    assert kernel.shape == scipy.linalg.null_space(a).shape
    close(dpnp.array(a) @ kernel, np.zeros((6, 2)))


def test_pinv_limits():
    a = np.diag([4.0, 1e-3, 1e-9])
    for options in ({}, {"rtol": 1e-6}, {"atol": 0.1}, {"atol": 1e-5, "rtol": 1e-3}):
        found, rank = ours.pinv(dpnp.array(a), return_rank=True, **options)
        expected, wanted = scipy.linalg.pinv(a, return_rank=True, **options)
        close(found, expected)
        assert int(rank) == wanted


def test_matrices_by_size():
    close(ours.hilbert(4), scipy.linalg.hilbert(4))
    close(ours.hadamard(8), scipy.linalg.hadamard(8))
    for scale in (None, "sqrtn", "n"):
        close(ours.dft(6, scale), scipy.linalg.dft(6, scale))
    with pytest.raises(ValueError, match="hadamard: n must be a power of two"):
        ours.hadamard(6)


# -- Errors

A, B, NAN = dpnp.eye(3), dpnp.ones(3), dpnp.full((3, 3), np.nan)
ERRORS = [
    ("lu_factor", lambda: ours.lu_factor(B), ours.LinAlgError, "lu_factor: expected an array of at least two"),
    ("solve_triangular", lambda: ours.solve_triangular(dpnp.ones((2, 3)), B), ours.LinAlgError, "square"),
    ("solve_triangular rows", lambda: ours.solve_triangular(A, dpnp.ones(4)), ValueError, "3 and 4 rows"),
    ("solve_triangular 0-d", lambda: ours.solve_triangular(A, dpnp.ones(())), ours.LinAlgError, "0-d"),
    ("singular", lambda: ours.solve_triangular(dpnp.diag(dpnp.array([1.0, 0, 2])), B), ours.LinAlgError,
     "element 1 of the diagonal is zero"),
    ("trans", lambda: ours.solve_triangular(A, B, trans=3), ValueError, "trans must be 0, 1, 2"),
    ("pivots", lambda: ours.lu_solve((A, dpnp.array([0, 1, 3])), B), ValueError, "pivots from 0 to 2, got 3"),
    ("negative pivots", lambda: ours.lu_solve((A, dpnp.array([0, -1, 2])), B), ValueError, "from 0 to 2, got -1"),
    ("pivots shape", lambda: ours.lu_solve((A, dpnp.array([0, 1])), B), ValueError, "do not match"),
    ("pivots dtype", lambda: ours.lu_solve((A, dpnp.ones(3)), B), TypeError, "integers as pivots"),
    ("cholesky", lambda: ours.cholesky(-A), ours.LinAlgError, "not positive definite"),
    ("solve pos", lambda: ours.solve(-A, B, assume_a="pos"), ours.LinAlgError, "not positive definite"),
    ("solve name", lambda: ours.solve(A, B, assume_a="round"), ValueError, "assume_a must be one of"),
    ("solve", lambda: ours.solve(dpnp.zeros((3, 3)), B), ours.LinAlgError, "[Ss]ingular"),
    ("inv", lambda: ours.inv(dpnp.zeros((3, 3))), ours.LinAlgError, "[Ss]ingular"),
    ("expm", lambda: ours.expm(B), ours.LinAlgError, "expm: expected square matrices"),
    ("expm infinite", lambda: ours.expm(A * np.inf), ValueError, "infinities or NaN"),
    ("qr", lambda: ours.qr(A, pivoting=True), NotImplementedError, "pivoting"),
    ("qr mode", lambda: ours.qr(A, mode="reduced"), ValueError, "economic"),
    ("eigh type", lambda: ours.eigh(A, A, type=4), ValueError, "type must be"),
    ("eigh subset", lambda: ours.eigh(A, subset_by_index=(2, 5)), ValueError, "subset_by_index"),
    ("companion", lambda: ours.companion(B[:1]), ValueError, "two coefficients"),
    ("no array", lambda: ours.lu([[1.0]]), TypeError, "lu"),
]  # fmt: skip


@pytest.mark.parametrize("call, error, text", [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("name", ["lu", "lu_factor", "cholesky", "cho_factor", "inv", "det", "qr", "svd", "svdvals",
                                  "eigh", "eigvalsh", "eig", "eigvals", "pinv", "norm", "orth"])  # fmt: skip
def test_infinities_and_nan_are_refused(name):
    with pytest.raises(ValueError, match=f"{'cholesky' if name == 'cho_factor' else name}: .* infinities or NaN"):
        getattr(ours, name)(NAN)


def test_check_finite_is_optional():
    lower = np.array([[1.0, np.nan], [2.0, 4.0]])
    found = ours.solve_triangular(dpnp.array(lower), dpnp.array([1.0, 4.0]), lower=True, check_finite=False)
    close(found, np.array([1.0, 0.5]))


def test_singular_matrices_are_a_warning():
    with pytest.warns(ours.LinAlgWarning, match="element 1 of the diagonal is zero"):
        factors, _ = ours.lu_factor(dpnp.array([[1.0, 2.0], [2.0, 4.0]]))
    assert float(factors[1, 1]) == 0
    assert issubclass(ours.LinAlgWarning, RuntimeWarning)


def test_names_that_are_refused_say_what_to_do():
    with pytest.raises(AttributeError, match="'schur': it is not on devices yet; use SciPy"):
        _ = ours.schur
    with pytest.raises(AttributeError, match="'stats': use SciPy"):
        _ = dpnp.scipy.stats
    refused = {name for names in ours._UNAVAILABLE.values() for name in names.split()}
    assert not refused & set(ours.__all__)


def test_operands_on_other_queues_are_refused():
    import dpctl

    other = dpnp.ones(3, sycl_queue=dpctl.SyclQueue())
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        ours.solve_triangular(A, other)


def test_usm_ndarrays_are_taken():
    assert isinstance(ours.lu_factor(dpt.eye(2))[0], dpnp.ndarray)


@pytest.mark.parametrize("columns", [(), (1,), (2,)], ids=str)
def test_residuals_of_least_squares(columns):
    for code in KINDS:
        a, b = values(code, (6, 3)), values(code, (6, *columns), 1)
        close(ours.lstsq(dpnp.asarray(a), dpnp.asarray(b))[1], scipy.linalg.lstsq(a, b)[1])
    for matrix in (np.ones((6, 3)), np.eye(6), np.eye(6, 9)):  # have none
        found = ours.lstsq(dpnp.asarray(matrix), dpnp.asarray(b.real))[1]
        assert found.shape == scipy.linalg.lstsq(matrix, b.real)[1].shape
