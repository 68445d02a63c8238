"""`stencil` and `guvectorize`, compared with loops in Python on NumPy's arrays."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex.core.exceptions import TypingError, UnsupportedError


def plus(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


def lopsided(a, b, factor):
    x = a[-2, 0] * factor
    if x > b[0, 1]:
        return x
    y = 0.0
    for k in range(3):
        y += b[1, 0] * k
    return y


def cube(a):
    return a[0, 0, 0] - a[-1, 0, 1] + a[0, 2, 0]


def line(a):
    return a[-3] + 2 * a[0]


class Neighbours:
    """An array as the plain function sees it at an element."""

    def __init__(self, array, at):
        self.array, self.at = array, at

    def __getitem__(self, offset):
        offset = offset if isinstance(offset, tuple) else (offset,)
        return self.array[tuple(x + y for x, y in zip(self.at, offset, strict=True))]


def reference(function, extents, arrays, more=(), cval=0, dtype=None):
    first = arrays[0]
    out = np.full(first.shape, cval, dtype or first.dtype)
    for at in np.ndindex(first.shape):
        inside = all(x + low >= 0 and x + high < n for x, (low, high), n in zip(at, extents, first.shape, strict=True))
        if inside:
            out[at] = function(*[Neighbours(each, at) for each in arrays], *more)
    return out


CASES = [
    (plus, [(-1, 1), (-1, 1)], 1, ()),
    (lopsided, [(-2, 1), (0, 1)], 2, (1.5,)),
    (cube, [(-1, 0), (0, 2), (0, 1)], 1, ()),
    (line, [(-3, 0)], 1, ()),
]


@pytest.mark.parametrize(("function", "extents", "arrays", "more"), CASES, ids=lambda x: getattr(x, "__name__", ""))
@pytest.mark.parametrize("length", [1, 3, 20])
@pytest.mark.parametrize("package", [dpnp, dpt])
def test_stencils(function, extents, arrays, more, length, package):
    shape = tuple(length + d for d in range(len(extents)))
    given = [np.random.default_rng(k).normal(size=shape) for k in range(arrays)]
    ours = ndx.stencil(cval=7)(function)(*map(package.asarray, given), *more)
    assert isinstance(ours, package.ndarray if package is dpnp else dpt.usm_ndarray)
    np.testing.assert_allclose(package.asnumpy(ours), reference(function, extents, given, more, 7))


def test_options():
    def window(a, w):
        total = 0
        for k in range(-2, 3):
            total += a[k] * w[k + 2]
        return total

    a, w = np.arange(12.0), np.array([1.0, 2, 3, 2, 1])
    made = ndx.stencil(neighborhood=((-2, 2),), standard_indexing=("w",))(window)
    out = dpnp.zeros(12)
    assert made(dpnp.asarray(a), dpnp.asarray(w), out=out) is out
    np.testing.assert_allclose(dpnp.asnumpy(out)[2:-2], np.convolve(a, w, "valid"))
    integers = ndx.stencil(line)(dpnp.arange(10, dtype="i4"))
    assert integers.dtype == np.int32
    np.testing.assert_array_equal(dpnp.asnumpy(integers), reference(line, [(-3, 0)], [np.arange(10, dtype="i4")]))
    assert made.__name__ == "window"


def returns_nothing(a):
    a[0, 0] + 1


def variable_index(a):
    return a[0, int(a[0, 0])]


def assigns(a):
    a[0, 0] = 1
    return a[0, 1]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda x: ndx.stencil(colour=1), TypeError, "unknown options colour"),
        (lambda x: ndx.stencil("wrap"), NotImplementedError, "'wrap'"),
        (lambda x: ndx.stencil(3), TypeError, "expected a function"),
        (lambda x: ndx.stencil(standard_indexing=["z"])(plus), ValueError, "which are not parameters"),
        (lambda x: ndx.stencil(plus)(3), TypeError, "no argument is an array"),
        (lambda x: ndx.stencil(plus)(x, x), TypeError, "takes 1 arguments, got 2"),
        (lambda x: ndx.stencil(plus)(x[0]), IndexError, "2 indices for an array of 1"),
        (lambda x: ndx.stencil(lopsided)(x, x[:2], 1), ValueError, "must be equal"),
        (lambda x: ndx.stencil(plus)(x, out=x[0]), ValueError, "out must be an array of shape"),
        (lambda x: ndx.stencil(variable_index)(x), ValueError, "is not a constant"),
        (lambda x: ndx.stencil(returns_nothing)(x), UnsupportedError, "must return a number"),
        (lambda x: ndx.stencil(assigns)(x), UnsupportedError, "must not assign"),
        (lambda x: ndx.stencil(cval=1.5)(line)(dpnp.arange(9)), ValueError, "cval 1.5 cannot be cast"),
        (lambda x: ndx.guvectorize("(n)->(n)", colour=1), TypeError, "unknown options"),
        (lambda x: ndx.guvectorize(3), TypeError, "takes signatures and a layout"),
        (lambda x: ndx.guvectorize("(n)->(n)")(lambda a, b: None), TypeError, "got a lambda expression"),
        (lambda x: ndx.guvectorize("(n)")(shifted), ValueError, "must be of the form"),
        (lambda x: ndx.guvectorize("(n),n),()->(n)")(shifted), ValueError, "must be of the form"),
        (lambda x: ndx.guvectorize("(n),(n,)->(n)")(shifted), ValueError, "must be of the form"),
        (lambda x: ndx.guvectorize("(n),()-(n)")(shifted), ValueError, "must be of the form"),
        (lambda x: ndx.guvectorize("(n),()->(m)")(shifted), ValueError, "'m' is not an axis of an input"),
        (lambda x: ndx.guvectorize(["void(f8[:])"], "(n),()->(n)")(shifted), ValueError, "1 types for 3"),
        (lambda x: ndx.guvectorize(["void(text[:])"], "(n),()->(n)"), TypeError, "is not a type"),
        (lambda x: ndx.guvectorize("(n),()->(n)")(shifted)(x), TypeError, "takes 2 inputs"),
        (lambda x: ndx.guvectorize("(n),()->(n)")(shifted)(1, 2), TypeError, "no argument is"),
        (lambda x: ndx.guvectorize("(n),()->(n)")(shifted)(x[0, 0], x), ValueError, "needs 1"),
        (lambda x: ndx.guvectorize("(n),()->(n)")(shifted)(x, np.ones(3)), TypeError, "NumPy array"),
        (lambda x: ndx.guvectorize("(n),(n)->()")(dots)(x, x[:, 1:]), ValueError, "axis n has the lengths"),
    ],
)
def test_wrong_use(make, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(")):
        make(dpnp.ones((4, 5)))


def test_errors_of_the_compiler_name_the_line():
    def wrong(a):
        return a[0] + "text"

    out = dpnp.zeros(3)
    with pytest.raises(TypingError, match="operator") as raised:
        ndx.stencil(wrong)(dpnp.ones(3), out=out)
    assert raised.value.lineno == wrong.__code__.co_firstlineno + 1


# --- guvectorize


def shifted(x, y, result):
    for i in range(x.size):
        result[i] = x[i] + y


def dots(x, y, result):
    result[0] = 0
    for i in range(x.size):
        result[0] += x[i] * y[i]


def products(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def extremes(x, low, high):
    low[0] = x[0]
    high[0] = x[0]
    for each in x:
        low[0] = min(low[0], each)
        high[0] = max(high[0], each)


@pytest.mark.parametrize("shape", [(7,), (3, 20), (2, 4, 5), (0, 3)])
@pytest.mark.parametrize("package", [dpnp, dpt])
def test_guvectorize(shape, package):
    x = np.random.default_rng(3).normal(size=shape)
    y = np.random.default_rng(4).normal(size=shape[:-1])
    a = package.asarray(x)
    result = ndx.guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->(n)")(shifted)(a, package.asarray(y))
    np.testing.assert_allclose(package.asnumpy(result), x + y[..., None])
    result = ndx.guvectorize("(n),(n)->()")(dots)(a, package.flip(a, axis=-1))
    np.testing.assert_allclose(package.asnumpy(result), np.sum(x * x[..., ::-1], -1), atol=1e-12)
    low, high = ndx.guvectorize("(n)->(),()")(extremes)(a)
    np.testing.assert_array_equal(package.asnumpy(low), x.min(-1))
    np.testing.assert_array_equal(package.asnumpy(high), x.max(-1))


def test_broadcasting_and_outputs():
    a, b = np.random.default_rng(5).normal(size=(6, 1, 3, 4)), np.random.default_rng(6).normal(size=(5, 4, 2))
    product = ndx.guvectorize(["void(f8[:,:], f8[:,:], f8[:,:])"], "(m,n),(n,p)->(m,p)")(products)
    np.testing.assert_allclose(dpnp.asnumpy(product(dpnp.asarray(a), dpnp.asarray(b))), a @ b)
    out = dpnp.zeros((6, 5, 3, 2), order="F")
    assert product(dpnp.asarray(a), dpnp.asarray(b), out=out) is out
    np.testing.assert_allclose(dpnp.asnumpy(out), a @ b)
    assert product(dpnp.asarray(a), dpnp.asarray(b), out) is out


def test_signatures_choose_types():
    add = ndx.guvectorize(["(int64[:], int64, int64[:])", "(float64[:], float64, float64[:])"], "(n),()->(n)")(shifted)
    assert add(dpnp.arange(3, dtype="i4"), 2).dtype == np.int64
    assert add(dpnp.arange(3, dtype="f4"), 2).dtype == np.float64
    with pytest.raises(TypeError, match="no signature matches"):
        add(dpnp.ones(3, dtype="c16"), 1)
