"""Random sparse matrices of SciPy, and comparisons with those of dpnp.scipy.sparse."""

from __future__ import annotations

import dpnp
import numpy as np
import scipy.sparse
from dpnp.scipy import sparse

CODES = "?ilfdFD"
FORMATS = ("csr", "csc", "coo")
# tall, wide, with empty rows, of one element, empty
SHAPES = [(30, 20), (7, 50), (1, 1), (1, 40), (40, 1), (0, 5), (5, 0), (0, 0), (300, 200)]


def matrix(code: str, shape: tuple[int, int], format: str = "csr", seed: int = 1, density: float = 0.15, kind="matrix"):
    """A sparse matrix of SciPy, of which some rows are empty."""
    rng = np.random.default_rng(seed)
    m, n = shape
    count = round(m * n * density)
    at = rng.choice(m * n, count, replace=False) if count else np.zeros(0, int)
    row, col = (at // max(n, 1)).astype(np.int32), (at % max(n, 1)).astype(np.int32)
    kept = row % 5 != 3
    data = values(code, count, rng)
    make = getattr(scipy.sparse, f"coo_{kind}")
    return make((data[kept], (row[kept], col[kept])), shape=shape).asformat(format)


def values(code: str, shape: object, rng: np.random.Generator) -> np.ndarray:
    if code == "?":
        return rng.random(shape) < 0.8
    if code in "il":
        return rng.integers(-9, 10, shape).astype(code)
    real = rng.standard_normal(shape)
    return (real + 1j * rng.standard_normal(shape)).astype(code) if code in "FD" else real.astype(code)


def on_device(a: object) -> sparse.csr_matrix:
    """The matrix or array of the same class on a device."""
    return getattr(sparse, type(a).__name__)(a)


def same(found: object, expected: object, tolerance: float = 50) -> None:
    """The same class, shape, dtype and elements, up to the precision of the dtype."""
    if isinstance(found, dpnp.ndarray):
        got, wanted = dpnp.asnumpy(found), np.asarray(expected)
    else:
        assert sparse.issparse(found)
        if scipy.sparse.issparse(expected):
            assert type(found).__name__ == type(expected).__name__
            expected = expected.toarray()
        check_structure(found)
        got, wanted = found.get().toarray(), np.asarray(expected)
    assert got.shape == wanted.shape
    assert got.dtype == wanted.dtype
    if got.dtype.kind in "fc":
        scale = max(1.0, float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0)))
        np.testing.assert_allclose(got, wanted, rtol=0, atol=tolerance * scale * np.finfo(got.dtype).eps)
    else:
        np.testing.assert_array_equal(got, wanted)


def check_structure(a: object) -> None:
    """The arrays of a matrix fit each other."""
    if a.format == "coo":
        assert a.data.shape == a.row.shape == a.col.shape
        assert a.row.dtype == a.col.dtype
        return
    assert a.indptr.size == a.shape[a.format == "csc"] + 1
    assert a.indptr.dtype == a.indices.dtype
    assert a.indices.size == a.data.size == int(a.indptr[-1])
