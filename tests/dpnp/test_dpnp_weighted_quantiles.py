"""Quantiles of weighted elements, compared with NumPy's."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

RANDOM = np.random.default_rng(8)
A = RANDOM.integers(-20, 20, (4, 5, 6)).astype(float)
W = RANDOM.integers(0, 5, A.shape).astype(float)
Q = [0.0, 0.1, 0.5, 0.77, 1.0]


def close(ours: object, expected: object) -> None:
    found, expected = dpnp.asnumpy(ours), np.asarray(expected)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("code", "ifd")
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (2, 0), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_axes(code, axis, keepdims):
    a = A.astype(code)
    for q in (0.3, Q):
        options = {"axis": axis, "method": "inverted_cdf", "keepdims": keepdims}
        ours = dpnp.quantile(dpnp.asarray(a), q, weights=dpnp.asarray(W), **options)
        close(ours, np.quantile(a, q, weights=W, **options))


def test_weights_along_axes():
    for axis, weights in ((1, W[0, :, 0]), ((0, 2), W[:, 0, :]), ((2, 0), W[:, 0, :].T)):
        options = {"axis": axis, "method": "inverted_cdf"}
        ours = dpnp.percentile(dpnp.asarray(A), [10, 60], weights=dpnp.asarray(weights), **options)
        close(ours, np.percentile(A, [10, 60], weights=weights, **options))


def test_nan():
    a = A.copy()
    a[1, 2, 3] = a[0, 0, 0] = np.nan
    for name in ("quantile", "nanquantile"):
        options = {"axis": 2, "method": "inverted_cdf"}
        ours = getattr(dpnp, name)(dpnp.asarray(a), Q, weights=dpnp.asarray(W + 1), **options)
        close(ours, getattr(np, name)(a, Q, weights=W + 1, **options))


def test_refusals():
    x, w = dpnp.asarray(A), dpnp.asarray(W)
    for arguments, error in (
        ({"weights": w}, ValueError),
        ({"weights": -w, "method": "inverted_cdf"}, ValueError),
        ({"weights": w[0], "method": "inverted_cdf"}, TypeError),
        ({"weights": w[0], "method": "inverted_cdf", "axis": 1}, ValueError),
    ):
        with pytest.raises(error):
            dpnp.quantile(x, 0.5, **arguments)
