"""Linear algebra of matrices with NaN and infinities: NumPy's errors and results, and no uninitialised memory."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest

ERROR = np.linalg.LinAlgError

DPNP = {
    "eig": lambda xp, a: xp.linalg.eig(a)[0],
    "eigvals": lambda xp, a: xp.linalg.eigvals(a),
    "svd": lambda xp, a: xp.linalg.svd(a)[1],
    "svdvals": lambda xp, a: xp.linalg.svdvals(a),
    "pinv": lambda xp, a: xp.linalg.pinv(a),
    "matrix_rank": lambda xp, a: xp.linalg.matrix_rank(a),
    "cond": lambda xp, a: xp.linalg.cond(a),
    "norm": lambda xp, a: xp.linalg.norm(a, 2, axis=(-2, -1)),
    "nuclear norm": lambda xp, a: xp.linalg.norm(a, "nuc", axis=(-2, -1)),
    "lstsq": lambda xp, a: xp.linalg.lstsq(a, xp.ones(len(a), dtype=a.dtype))[0],
}
DPCTL = {
    "eigh": dpt.linalg.eigh,
    "eigvalsh": dpt.linalg.eigvalsh,
    "svd": lambda a: dpt.linalg.svd(a)[1],
    "svdvals": dpt.linalg.svdvals,
    "pinv": dpt.linalg.pinv,
    "matrix_rank": dpt.linalg.matrix_rank,
    "matrix_norm": lambda a: dpt.linalg.matrix_norm(a, ord=2),
}


def matrix(n: int, m: int, value: float, dtype: str, batched: bool) -> np.ndarray:
    """A well-conditioned matrix with one other element below the diagonal; batched, after a matrix without it."""
    good = np.eye(n, m, dtype=dtype) * 2
    bad = good.copy()
    bad[-1, 0] = value
    return np.stack([good, bad]) if batched else bad


def outcome(function, *arguments):
    """The result as a NumPy array, or ERROR."""
    try:
        result = function(*arguments)
    except ERROR:
        return ERROR
    return dpnp.asnumpy(result) if isinstance(result, dpnp.ndarray) else np.asarray(result)


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (12, 12), (5, 3), (3, 5)])
@pytest.mark.parametrize("name", DPNP)
def test_nan_as_in_numpy(name, shape, batched):
    if shape[0] != shape[1] and name in ("eig", "eigvals"):
        pytest.skip("eigenvalues are of square matrices")
    for dtype in "fdFD":
        a = matrix(*shape, np.nan, dtype, batched)
        expected, found = outcome(DPNP[name], np, a), outcome(DPNP[name], dpnp, dpnp.asarray(a))
        assert found is expected is ERROR


# NumPy's results, where its iterations end; for most matrices with infinities, those of svd do not.
INFINITY = {
    "eig": ERROR, "eigvals": ERROR, "lstsq": ERROR, "svd": np.nan, "svdvals": np.nan, "pinv": np.nan, "matrix_rank": 0,
    "cond": np.inf, "norm": np.nan, "nuclear norm": np.nan,
}  # fmt: skip


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("n", [3, 12])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("name", DPNP)
def test_infinity(name, value, n, batched):
    for dtype in "fdFD":
        a = dpnp.asarray(matrix(n, n, value, dtype, batched))
        found = outcome(DPNP[name], dpnp, a)
        if INFINITY[name] is ERROR or not a.sycl_device.is_cpu:  # GPUs refuse all that is not finite
            assert found is ERROR
        else:
            last = found[-1] if batched else found
            np.testing.assert_array_equal(last, np.full(last.shape, INFINITY[name]))
            assert not batched or np.isfinite(found[0]).all()


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("n", [2, 3, 12])
@pytest.mark.parametrize("name", DPCTL)
def test_nan_is_an_error_in_dpctl(name, n, batched):
    with pytest.raises(ERROR):
        DPCTL[name](dpt.asarray(matrix(n, n, np.nan, "d", batched)))


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("triangle", ["L", "U"])
def test_eigh_reads_one_triangle(value, triangle):
    a = matrix(4, 4, value, "d", False)
    a = a if triangle == "L" else a.T
    for function in (dpnp.linalg.eigh, dpnp.linalg.eigvalsh):
        with pytest.raises(ERROR):
            function(dpnp.asarray(a), UPLO=triangle)
    other = dpnp.linalg.eigvalsh(dpnp.asarray(a), UPLO="U" if triangle == "L" else "L")
    np.testing.assert_array_equal(dpnp.asnumpy(other), [2, 2, 2, 2])


def test_right_sides_of_lstsq_may_have_nan():
    found = dpnp.linalg.lstsq(dpnp.eye(2), dpnp.asarray([1.0, np.nan]))[0]
    assert np.isnan(dpnp.asnumpy(found)).any()


def test_nothing_is_printed(capfd):
    with pytest.raises(ERROR):
        dpnp.linalg.eigvals(dpnp.asarray(matrix(3, 3, np.nan, "d", False)))
    assert capfd.readouterr() == ("", "")
