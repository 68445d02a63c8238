"""poly1d, compared with NumPy's."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

DTYPES = ["int64", "float64", "complex128"]


def close(ours: object, expected: object) -> None:
    if isinstance(expected, tuple):
        for found, wanted in zip(ours, expected, strict=True):
            close(found, wanted)
        return
    assert isinstance(ours, dpnp.poly1d)
    found, wanted = dpnp.asnumpy(ours.coeffs), expected.coeffs
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def pair(dtype: str, *coefficients: float) -> tuple[dpnp.poly1d, np.poly1d]:
    a = np.array(coefficients).astype(dtype)
    return dpnp.poly1d(dpnp.asarray(a)), np.poly1d(a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_operators(dtype):
    (p, a), (q, b) = pair(dtype, 1, 2, 3), pair(dtype, 2, -1)
    for operation in (
        lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / y, lambda x, y: -x,
        lambda x, y: +x, lambda x, y: x**3, lambda x, y: x**0, lambda x, y: x + 1, lambda x, y: 1 - x,
        lambda x, y: 2 * x, lambda x, y: x / 2, lambda x, y: x.deriv(), lambda x, y: x.deriv(2),
        lambda x, y: x.integ(2, [1, 2]), lambda x, y: x(y),
    ):  # fmt: skip
        close(operation(p, q), operation(a, b))


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_and_attributes(dtype):
    p, a = pair(dtype, 0, 0, 1, -3, 2)
    x = np.linspace(-1, 1, 7)
    np.testing.assert_allclose(dpnp.asnumpy(p(dpnp.asarray(x))), a(x))
    assert complex(p(3)) == a(3)
    assert (p.order, p.o, len(p), p.variable) == (a.order, a.o, len(a), a.variable)
    np.testing.assert_allclose(np.sort_complex(dpnp.asnumpy(p.roots)), np.sort_complex(a.roots))
    assert [complex(p[k]) for k in (0, 1, 2, 5, -1)] == [a[k] for k in (0, 1, 2, 5, -1)]
    p[4], a[4] = 7, 7
    close(p, a)
    assert str(p) == str(a)
    assert p == dpnp.poly1d(p) and p != p + 1


def test_construction():
    for given, keywords in (
        ([1, 2, 3], {}),
        ([1, 2], {"r": True}),
        (5, {}),
        ([], {}),
        ([0, 0], {}),
        ([1], {"variable": "z"}),
    ):
        close(dpnp.poly1d(given, **keywords), np.poly1d(given, **keywords))
    close(dpnp.poly1d(np.poly1d([1, 2], variable="y")), np.poly1d([1, 2]))
    assert dpnp.poly1d(np.poly1d([1, 2], variable="y")).variable == "y"
    assert repr(dpnp.poly1d([1, 2])) == repr(np.poly1d([1, 2]))
    with pytest.raises(ValueError, match="one axis"):
        dpnp.poly1d(dpnp.ones((2, 2)))
    with pytest.raises(ValueError, match="non-negative"):
        dpnp.poly1d([1, 2]) ** -1
    with pytest.raises(TypeError):
        np.asarray(dpnp.poly1d([1, 2]))


def test_functions_of_polynomials_take_and_return_them():
    (p, a), (q, b) = pair("float64", 1, 2, 3), pair("float64", 2, -1)
    for name in ("polyadd", "polysub", "polymul", "polydiv"):
        close(getattr(dpnp, name)(p, q), getattr(np, name)(a, b))
        close(getattr(dpnp, name)(p, q.coeffs), getattr(np, name)(a, b.coeffs))
    close(dpnp.polyder(p), np.polyder(a))
    close(dpnp.polyint(p, 2), np.polyint(a, 2))
    close(dpnp.polyval(p, q), np.polyval(a, b))
    np.testing.assert_allclose(dpnp.asnumpy(dpnp.polyval(p, dpnp.arange(3.0))), np.polyval(a, np.arange(3.0)))
    np.testing.assert_allclose(np.sort_complex(dpnp.asnumpy(dpnp.roots(p))), np.sort_complex(np.roots(a)))
