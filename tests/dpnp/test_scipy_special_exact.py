"""Exact combinations and factorials, and sums of exponentials of complex numbers."""

from __future__ import annotations

import dpnp
import dpnp.scipy.special as ours
import numpy as np
import pytest
import scipy.special as theirs


@pytest.mark.parametrize("n", [0, 1, 5, 10, 60])
@pytest.mark.parametrize("k", [0, 1, 3, 10, 61])
def test_integers_of_python(n, k):
    for name in ("comb", "perm"):
        found, expected = getattr(ours, name)(n, k, exact=True), getattr(theirs, name)(n, k, exact=True)
        assert found == expected and type(found) is int
    assert ours.factorial(n, exact=True) == theirs.factorial(n, exact=True)
    if n:
        assert ours.comb(n, k, exact=True, repetition=True) == theirs.comb(n, k, exact=True, repetition=True)


def test_factorials_of_arrays():
    n = np.array([[0, 1, 5], [20, 3, -2]])
    found = ours.factorial(dpnp.asarray(n), exact=True)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(dpnp.asnumpy(found), theirs.factorial(n, exact=True))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ours.comb(2.5, 1, exact=True), TypeError),
        (lambda: ours.perm(dpnp.arange(3), 1, exact=True), TypeError),
        (lambda: ours.factorial(dpnp.array([21]), exact=True), OverflowError),
        (lambda: ours.factorial(dpnp.array([1.5]), exact=True), TypeError),
        (lambda: ours.factorial(1.5, exact=True), TypeError),
    ],
)
def test_bad_arguments(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("shape", [(3, 5), (400, 500)])
def test_complex_exponentials(dtype, axis, shape):
    random = np.random.default_rng(1)
    z = (random.uniform(-300, 30, shape) + 1j * random.uniform(-3, 3, shape)).astype(dtype)
    x, tolerance = dpnp.asarray(z), 1e-4 if dtype == "c8" else 1e-10
    for name in ("logsumexp", "softmax", "log_softmax"):
        found, expected = getattr(ours, name)(x, axis=axis), getattr(theirs, name)(z, axis=axis)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        # logarithms are compared by their exponentials: imaginary parts may differ by 2 pi
        if name != "softmax":
            np.testing.assert_allclose(dpnp.asnumpy(found).real, expected.real, rtol=tolerance, atol=tolerance)
            found, expected = dpnp.exp(1j * found.imag), np.exp(1j * expected.imag)
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=tolerance, atol=tolerance)
    found, sign = ours.logsumexp(x, axis=axis, return_sign=True)
    expected, wanted = theirs.logsumexp(z, axis=axis, return_sign=True)
    np.testing.assert_allclose(dpnp.asnumpy(sign), wanted, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=tolerance, atol=tolerance)
