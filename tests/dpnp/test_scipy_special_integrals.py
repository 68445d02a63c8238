"""dpnp.scipy.special: elliptic integrals, the incomplete beta function and Bessel functions K, against SciPy."""

from __future__ import annotations

import dpnp
import mpmath as mp
import numpy as np
import pytest
import scipy.special

ours = dpnp.scipy.special
RANDOM = np.random.default_rng(2)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1.5, np.inf, -np.inf, np.nan]


def compare(name: str, *operands: np.ndarray, rtol: float) -> None:
    with np.errstate(all="ignore"):
        expected = getattr(scipy.special, name)(*operands)
    found = getattr(ours, name)(*map(dpnp.array, operands)).asnumpy()
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    # SciPy returns 0 and infinity for some of the largest and the smallest numbers
    finite = ~(((expected == 0) & (np.abs(found) < 1e-290)) | (np.isinf(expected) & (np.abs(found) > 1e290)))
    np.testing.assert_allclose(found[finite], expected[finite], rtol=rtol, atol=0)


def powers(low: float, high: float, count: int = 500) -> np.ndarray:
    return 10 ** RANDOM.uniform(low, high, count)


def test_elliptic_integrals():
    m = np.concatenate([RANDOM.uniform(-3, 1, 500), 1 - powers(-16, 0), -powers(-5, 300), SPECIAL])
    compare("ellipk", m, rtol=2e-15)
    compare("ellipe", m, rtol=1e-13)
    compare("ellipkm1", np.concatenate([powers(-300, 5), [0, 1, np.inf, np.nan, -1]]), rtol=2e-15)


@pytest.mark.parametrize(("low", "high", "rtol"), [(-3, 1, 1e-12), (0, 2, 1e-13), (1, 4, 1e-11), (3, 6, 1e-10)])
def test_the_incomplete_beta_function(low, high, rtol):
    a, b = powers(low, high), powers(low, high)
    x = np.clip(RANDOM.beta(a, b), 1e-12, 1 - 1e-12)
    compare("betainc", a, b, x, rtol=rtol)
    compare("betaincc", a, b, x, rtol=rtol)


def test_special_numbers_of_the_incomplete_beta_function():
    for a in (0.5, 2.0, 0.0, -1.0, np.inf, np.nan):
        for b in (0.5, 2.0, 0.0, -1.0, np.inf, np.nan):
            if (a, b) in ((0, np.inf), (np.inf, 0)):
                continue
            for name in ("betainc", "betaincc"):
                x = np.array([0.25, 0.75, -0.5, 1.5, np.nan])
                if a > 0 and b > 0:
                    x = np.append(x, [0, 1])
                compare(name, np.full(x.size, a), np.full(x.size, b), x, rtol=1e-13)


@pytest.mark.parametrize(
    ("orders", "arguments"),
    [((-5, 0), (-3, 3)), ((0, 2), (-3, 3)), ((-5, 1), (-250, -3)), ((1, 3), (0, 4)), ((-9, -1), (-20, 0))],
)  # fmt: skip
def test_bessel_functions(orders, arguments):
    v, z = powers(*orders), powers(*arguments)
    compare("kve", v, z, rtol=1e-12)
    compare("kv", -v, z, rtol=1e-12)


def test_bessel_functions_of_fixed_orders():
    z = np.concatenate([powers(-12, 2.8), SPECIAL])
    for name in ("k0", "k0e", "k1", "k1e"):
        compare(name, z, rtol=1e-13)
    for order in (0.0, 1.0, 2.5, -0.5):
        compare("kv", np.full(z.size, order), z, rtol=1e-12)
    n = RANDOM.integers(0, 20, 100)
    found = ours.kn(dpnp.array(n), dpnp.array(powers(-1, 2, 100))).asnumpy()
    assert found.dtype == "d"
    np.testing.assert_allclose(
        ours.kn(3, dpnp.array([0.5, 2.0])).asnumpy(), scipy.special.kn(3, [0.5, 2.0]), rtol=1e-13
    )


def test_values_of_mpmath():
    for v, z in ((35.25, 1e-3), (500.0, 700.0), (0.3, 1e-5), (0.0, 1e-9), (0.005, 1e-9), (0.94, 9e-9), (150.0, 3.0)):
        expected = mp.besselk(v, z) * mp.exp(z)
        assert float(ours.kve(v, dpnp.array(z))) == pytest.approx(float(expected), rel=2e-13)
    for a, b, x in ((957775.3, 1270.0, 0.99863), (573.6, 10.8, 0.98), (0.0045, 1.45, 0.205)):
        expected = mp.betainc(a, b, 0, x, regularized=True)
        assert float(ours.betainc(a, b, dpnp.array(x))) == pytest.approx(float(expected), rel=1e-11)


@pytest.mark.parametrize(("name", "count"), [("ellipk", 1), ("ellipe", 1), ("betainc", 3), ("kv", 2)])
def test_dtypes_and_shapes(name, count):
    function, reference = getattr(ours, name), getattr(scipy.special, name)
    for code in "fdil?":
        a = np.array([0, 1]).astype(code) if code in "il?" else np.array([0.25, 0.75], code)
        with np.errstate(all="ignore"):
            expected = reference(*[a] * count)
        found = function(*[dpnp.array(a)] * count)
        assert found.dtype == ("f4" if code == "f" else "f8")
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5 if code in "f?" else 1e-13)
    assert float(function(*[0.5] * count)) == pytest.approx(float(reference(*[0.5] * count)))
    assert function(*[dpnp.zeros((0, 3))] * count).shape == (0, 3)
    if count > 1:
        shapes = [dpnp.ones((2, 1)) / 2, *[dpnp.ones(3) / 2] * (count - 1)]
        assert function(*shapes).shape == (2, 3)
    with pytest.raises(TypeError, match=f"{name}: expected real numbers, got complex128"):
        function(*[dpnp.ones(2, dtype="D")] * count)
    with pytest.raises(TypeError, match=name):
        function(*[[0.5]] * count)
    with pytest.raises(TypeError):
        function()
