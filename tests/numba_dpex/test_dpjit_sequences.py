"""dpjit: loops over zip, reversed and enumerate, and comprehensions, beside the same code in Python."""

from __future__ import annotations

from collections import namedtuple

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from test_dpjit import check, to_device, values


def zips(x, y):
    t = 0.0
    for a, b in zip(x, y):
        t = 0.5 * t + a * b
    return t


def enumerates_zips(x, y):
    t = 0.0
    for k, (a, b, i) in enumerate(zip(x, y, range(3, 1000, 2)), 5):
        t = 0.5 * t + a * b + i * k
    return t


def strict(x, y):
    t = 0.0
    for a, b in zip(x, y, strict=True):
        t += a * b
    return t


def reverses(x, y):
    t = 0.0
    for a in reversed(x):
        t = t / 2 + a
    for i in reversed(range(1, x.size, 3)):
        t = t / 2 + y[i]
    for i in reversed(range(10, -5, -4)):
        t = t / 2 + i
    return t


def enumerates(x, y):
    t = 0.0
    for i, v in enumerate(reversed(x)):
        t = t / 2 + v * i
    for i, j in enumerate(range(2, x.size, 7), start=3):
        t = t / 2 + y[j] * i
    for i, (a, b) in enumerate(zip(x, reversed(y))):
        y[i] = a - b
    return t


def tuples(x, y):
    t = 0.0
    for a, w in zip(x, (1, 2.5, 3)):
        t += a * w
    for w in reversed((1, 2.5, 3)):
        t = t / 2 + w
    for a, w in zip((1, 2, 3, 4), (1, 2.5, 3)):
        t += a * w
    for i, (a, w) in enumerate(zip((1, 2, 3), y)):
        t += i * a * w
    return t


def in_parallel(x, y):
    for i in prange(x.size):
        s = 0.0
        for a, (j, b) in zip(x[:5], enumerate(y)):
            s += a * b * j
            if j == 3:
                break
        y[i] += 0 * s


def rows(x, y):
    t = 0.0
    column = x.reshape(-1, 1)
    for a, b in zip(column, y):
        t += a[0] * b
    return t


@pytest.mark.parametrize("dtype", ["i4", "f8"])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 8, 300])
def test_sequences(size, dtype):
    for function in zips, enumerates_zips, strict, reverses, enumerates, tuples, rows:
        check(function, values(size, dtype), values(size, dtype) + 1)
    check(in_parallel, values(size), values(size) + 1)


def test_lengths_that_differ():
    x = values(300)
    check(zips, x, x[:100])
    check(zips, x[:100], x)
    with pytest.raises(ValueError, match="different lengths"):
        dpjit(strict)(dpnp.asarray(x), dpnp.asarray(x[:5]))


def comprehensions(x):
    doubled = [v * 2 for v in x]
    listed = [x[i] for i in range(x.size)]
    products = sum(v * w for v, w in zip(x, doubled))
    names = [type(v).__name__ for v in x]
    return sum(x), products, max(x), min(v for v in x), doubled[0], listed[-1], sorted(x)[1], names[0]


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
def test_elements_in_comprehensions_are_numbers(dtype):
    x = values(20, dtype)
    result, wanted = dpjit(comprehensions)(dpnp.asarray(x)), comprehensions(x)
    assert result[-1] == wanted[-1]
    np.testing.assert_allclose(result[:-1], wanted[:-1], rtol=1e-5)
    assert all(type(each) in (int, float) for each in result[:-1])


def reductions_of_rows(x, y, out):
    for i in prange(x.shape[0]):
        out[i, 0] = dpnp.argmax(x[i])
        out[i, 1] = x[i].argmin()
        out[i, 2] = dpnp.linalg.norm(x[i] - y[0])
        out[i, 3] = x[i] @ y[0]
        out[i, 4] = dpnp.var(x[i])
        out[i, 5] = (x[i] + 1).std()
        out[i, 6] = dpnp.ptp(x[i])
        out[i, 7] = dpnp.vdot(x[i], y[0]) + dpnp.inner(y[0], x[i])


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (100, 17), (300, 200)])
def test_reductions_of_rows(shape, dtype):
    x, y = values(shape[0] * shape[1], dtype).reshape(shape), values(3 * shape[1], dtype).reshape(3, -1)
    check(reductions_of_rows, x, y, np.zeros((shape[0], 8)), rtol=1e-4 if dtype == "f4" else 1e-9)
    if dtype[0] == "f":
        x[0, 0] = np.nan
        check(reductions_of_rows, x, y, np.zeros((shape[0], 8)), rtol=1e-4 if dtype == "f4" else 1e-9)


def builtins_of_rows(x, out):
    for i in prange(x.shape[0]):
        out[i, 0] = sum(x[i])
        out[i, 1] = min(x[i])
        out[i, 2] = max(x[i] * 2)


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (300, 40)])
def test_builtins_of_rows(shape, dtype):
    x = values(shape[0] * shape[1], dtype).reshape(shape)
    check(builtins_of_rows, x, np.zeros((shape[0], 3)), rtol=1e-4 if dtype == "f4" else 1e-9)
    if dtype[0] == "f":
        x[0, 0] = x[-1, -1] = np.nan
        check(builtins_of_rows, x, np.zeros((shape[0], 3)), rtol=1e-4 if dtype == "f4" else 1e-9)


# --- named tuples that loops assign and return

Extreme = namedtuple("Extreme", ["position", "value"])
NONE_YET = Extreme(0, 1e300)


def last_named(x):
    for i in range(x.size):
        last = Extreme(i, x[i])
    return last.value - last.position, last


def largest_named(x):
    best = Extreme(0, 0.0)
    for i in range(x.size):
        if x[i] > best.value:
            best = Extreme(value=x[i], position=i)
    return best


def returned_named(x):
    for i in range(x.size):
        if x[i] > 1:
            return Extreme(i, x[i])
    return Extreme(-1, 0.0)


def changed_argument(x, least=NONE_YET):
    for i in range(x.size):
        if x[i] < least.value:
            least = Extreme(i, x[i])
    return least, least.position


@pytest.mark.parametrize("size", [10, 300_000])
@pytest.mark.parametrize("function", [last_named, largest_named, returned_named, changed_argument])
def test_named_tuples_keep_their_class(function, size):
    x = values(size)
    check(function, x)
    result = dpjit(function)(to_device(x))
    named = next(each for each in (result, *result) if isinstance(each, tuple) and hasattr(each, "_fields"))
    assert type(named) is Extreme
    assert [type(each) for each in named] == [int, float]


def test_python_functions_of_array_libraries_return_their_named_tuples():
    result = dpjit(lambda x: dpnp.linalg.eigh(x))(dpnp.eye(3))
    np.testing.assert_allclose(dpnp.asnumpy(result.eigenvalues), 1)
