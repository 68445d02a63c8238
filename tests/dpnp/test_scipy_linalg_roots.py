"""dpnp.scipy.linalg: roots and logarithms of matrices and systems with band matrices, against SciPy."""

from __future__ import annotations

import warnings

import dpnp
import numpy as np
import pytest
import scipy.linalg

ours = dpnp.scipy.linalg
RANDOM = np.random.default_rng(5)


def _general(n: int) -> np.ndarray:
    return RANDOM.standard_normal((n, n))


MATRICES = {
    "random": _general(6),
    "far from singular": _general(8) + 6 * np.eye(8),
    "positive": (lambda a: a @ a.T)(_general(5)),
    "indefinite": (lambda a: a + a.T)(_general(5)),
    "semidefinite": np.ones((4, 4)),
    "triangular": np.triu(np.abs(_general(5))) + np.eye(5),
    "Jordan block": np.eye(4) + np.eye(4, k=1),
    "rotation": np.array([[0.0, -1], [1, 0]]),
    "negative eigenvalues": np.array([[-1.0, 1], [0, -2]]),
    "of several sizes": np.array([[1e6, 1, 2], [0, 1, 3], [0, 0, 1e-4]]),
    "complex": _general(5) + 1j * _general(5),
    "Hermitian": (lambda a: a @ a.conj().T)(_general(5) + 1j * _general(5)),
    "complex triangular": np.triu(_general(4) + 1j * _general(4)) - 2 * np.eye(4),
    "batch": _general(24).reshape(6, 4, 24)[..., :4] + 4 * np.eye(4),
    "batch with negative eigenvalues": np.stack([np.diag([1.0, 2, 3]), np.diag([-1.0, 2, 3])]) + np.eye(3, k=1),
    "integers": np.array([[5, 2], [1, 4]]),
    "one": np.array([[-4.0]]),
}


def compare(found: dpnp.ndarray, expected: np.ndarray, tolerance: float) -> None:
    got = found.asnumpy()
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance * max(1, np.abs(expected).max(initial=0)))


def reference(name: str, a: np.ndarray) -> np.ndarray:
    """SciPy's result, without warnings of its precision."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(scipy.linalg, name)(a)


@pytest.mark.parametrize("name", MATRICES)
def test_square_roots(name):
    a = MATRICES[name]
    expected = reference("sqrtm", a)
    found = ours.sqrtm(dpnp.array(a))
    compare(found, expected, 1e-7 if name == "semidefinite" else 1e-10)
    np.testing.assert_allclose((found @ found).asnumpy(), a, atol=1e-10 * np.abs(a).max())


@pytest.mark.parametrize("name", [n for n in MATRICES if n != "semidefinite"])
def test_logarithms(name):
    a = MATRICES[name]
    expected = reference("logm", a)
    found = ours.logm(dpnp.array(a))
    compare(found, expected, 1e-9)
    again = ours.expm(found).asnumpy()
    np.testing.assert_allclose(again, a, atol=1e-9 * np.abs(a).max())


@pytest.mark.parametrize("code", "fF")
def test_single_precision(code):
    a = (MATRICES["far from singular"] + (0.1j * _general(8) if code == "F" else 0)).astype(code)
    compare(ours.sqrtm(dpnp.array(a)), reference("sqrtm", a), 1e-5)
    # SciPy's results have imaginary parts of the size of float32's rounding errors
    expected = reference("logm", a)
    compare(ours.logm(dpnp.array(a)), expected if code == "F" else expected.real, 1e-5)


def test_empty_matrices():
    for name in ("sqrtm", "logm"):
        assert getattr(ours, name)(dpnp.zeros((0, 0))).shape == (0, 0)


def _band(code: str, lower: int, upper: int, n: int, dominant: bool) -> np.ndarray:
    ab = RANDOM.standard_normal((lower + upper + 1, n))
    if code in "FD":
        ab = ab + 1j * RANDOM.standard_normal(ab.shape)
    if dominant:
        ab[upper] += 3 * (lower + upper)
    return ab.astype(code)


@pytest.mark.parametrize("code", "fdFD")
@pytest.mark.parametrize("diagonals", [(0, 0), (1, 0), (0, 2), (1, 1), (2, 1), (3, 4), (5, 5), (9, 2)])
def test_band_matrices(diagonals, code):
    lower, upper = diagonals
    for n in (1, 2, 3, 10, 97, 100, 256, 1000):
        if max(lower, upper) >= n:
            continue
        ab = _band(code, lower, upper, n, True)
        for shape in ((n,), (n, 3)):
            b = RANDOM.standard_normal(shape).astype(code)
            expected = scipy.linalg.solve_banded(diagonals, ab, b)
            compare(
                ours.solve_banded(diagonals, dpnp.array(ab), dpnp.array(b)), expected, 1e-5 if code in "fF" else 1e-13
            )


def test_band_matrices_that_need_pivots():
    for n in (50, 400):
        ab = np.ones((3, n))
        ab[1] = 0
        b = RANDOM.standard_normal(n)
        expected = scipy.linalg.solve_banded((1, 1), ab, b)
        compare(ours.solve_banded((1, 1), dpnp.array(ab), dpnp.array(b)), expected, 1e-11)
        ab = _band("d", 2, 3, n, False)
        matrix = sum(np.diag(ab[3 - k, max(k, 0) : n + min(k, 0)], k) for k in range(-2, 4))
        found = ours.solve_banded((2, 3), dpnp.array(ab), dpnp.array(b)).asnumpy()
        assert np.abs(matrix @ found - b).max() <= 1e-12 * np.abs(found).max()


def test_elements_beyond_the_matrix_and_integers():
    ab = np.array([[9e300, 1, 1, 1], [4, 4, 4, 4], [1, 1, 1, -9e300]])
    b = np.arange(4)
    compare(ours.solve_banded((1, 1), dpnp.array(ab), dpnp.array(b)), scipy.linalg.solve_banded((1, 1), ab, b), 1e-14)
    ab = np.array([[0, 1, 1], [4, 4, 4]])
    expected = scipy.linalg.solve_banded((0, 1), ab, b[:3])
    compare(ours.solve_banded((0, 1), dpnp.array(ab), dpnp.array(b[:3])), expected, 1e-14)
    assert ours.solve_banded((1, 1), dpnp.ones((3, 4)) + dpnp.array([[0], [5], [0]]), dpnp.ones((4, 0))).shape == (4, 0)


AB, B = dpnp.array([[0.0, 1, 1], [4, 4, 4], [1, 1, 0]]), dpnp.ones(3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: ours.sqrtm(dpnp.ones((2, 3))), ours.LinAlgError, "sqrtm: expected square matrices"),
        (lambda: ours.sqrtm([[1.0]]), TypeError, "sqrtm"),
        (lambda: ours.sqrtm(dpnp.array([[np.nan]])), ValueError, "sqrtm: the array must not contain infinities or NaN"),
        (lambda: ours.sqrtm(dpnp.array([[0.0, 1], [0, 0]])), ours.LinAlgError, "sqrtm: the matrix is singular"),
        (lambda: ours.logm(dpnp.ones(3)), ours.LinAlgError, "logm: expected square matrices"),
        (lambda: ours.logm(dpnp.array([[np.inf]])), ValueError, "logm: the array must not contain infinities or NaN"),
        (lambda: ours.logm(dpnp.zeros((2, 2))), ours.LinAlgError, "logm: singular matrix"),
        (lambda: ours.logm(dpnp.array([[1.0, 1], [0, 0]])), ours.LinAlgError, "logm: the matrix is singular"),
        (lambda: ours.solve_banded((1, 1), AB[:2], B), ValueError, "solve_banded: invalid values for the number"),
        (lambda: ours.solve_banded((1, 1), AB, B[:2]), ValueError, "solve_banded: shapes of ab .* are not compatible"),
        (lambda: ours.solve_banded((1, 1), AB[None], B), ValueError, "solve_banded: ab must have two axes"),
        (lambda: ours.solve_banded((-1, 3), AB, B), ValueError, "solve_banded: the numbers of diagonals"),
        (lambda: ours.solve_banded((1, 1), AB * np.inf, B), ValueError, "solve_banded: .* infinities or NaN"),
        (lambda: ours.solve_banded((1, 1), 0 * AB, B), ours.LinAlgError, "ingular"),
        (lambda: ours.solve_banded((0, 0), 0 * AB[:1], B), ours.LinAlgError, "solve_banded: singular matrix"),
        (lambda: ours.solve_banded((1, 1), [[1.0]], B), TypeError, "solve_banded"),
        (lambda: ours.schur, AttributeError, "not on devices yet"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call()
