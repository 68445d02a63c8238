"""Expressions of whole arrays in compiled loops of dpjit functions, compared with Python on NumPy's arrays."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from test_dpjit import check, values


def rows(a, b, c):
    for i in prange(a.shape[0]):
        c[i, :] = a[i, :] + 2 * b[i]
        c[i] += 1
        c[i, 1:] *= a[i, 1:] - 0.5


def functions(a, b, c):
    for i in prange(a.shape[0]):
        c[i] = dpnp.sqrt(dpnp.abs(a[i])) + dpnp.maximum(a[i], b[0]) - dpnp.where(a[i] > b[i], a[i], 0.25)
        c[i, ::2] = -abs(b[i, ::2])


def broadcasts(a, b, c):
    for i in prange(a.shape[0]):
        c[i] = a[i, :1] + b[i] * b[0, -1]


def whole_matrices(a, b, c):
    for i in range(3):
        c[:, :] = a + b * i
        c += a.T.T
        c[0] = 3


def sums(a, b, c):
    for i in prange(a.shape[0]):
        c[i, 0] = dpnp.sum(a[i] * b[i]) + a[i].sum()
        c[i, 1] = dpnp.dot(a[i], b[i]) - dpnp.mean(a[i])
        c[i, 2] = dpnp.min(a[i]) + b[i].max() + dpnp.prod(a[i, :3])
        c[i, 3] = dpnp.any(a[i] > 1.5) + 2 * dpnp.all(a[i] > -1.5)


def named(a, b, c):
    for i in prange(a.shape[0]):
        least = 1e9
        for j in range(b.shape[0]):
            d = a[i] - b[j]
            e = d * d
            distance = dpnp.sqrt(dpnp.sum(e))
            least = min(least, distance)
        c[i, 0] = least


def row_names(a, b, c):
    for i in prange(a.shape[0]):
        x = a[i]
        y = c[i]
        y[:] = x * 2
        y += b[i]
        c[i, 0] = x[0] + len(x * 2) + (x + y).size + (x + y).shape[0]


def accumulates(a, b, c):
    total = dpnp.zeros_like(a[0])
    for i in range(a.shape[0]):
        total += a[i] * b[i]
        c[i] = total
    return total


def changes_operands(a, b, c):
    for i in prange(a.shape[0]):
        d = a[i] * 2
        a[i, 0] = 100.0
        c[i] = d


def conditional(a, b, c):
    for i in prange(a.shape[0]):
        d = a[i] * 3
        if a[i, 0] > 0:
            d = a[i] * 2
        c[i] = d


def time_steps(a, b, c):
    for t in range(a.shape[0] - 1):
        a[t + 1, 1:-1] = a[t, :-2] + a[t, 2:]
        b[0, 1:] = b[0, :-1] * 0.5


def private_arrays(a, b, c):
    for i in prange(a.shape[0]):
        point = dpnp.zeros(4)
        weights = dpnp.full(4, 0.5)
        point += a[i, :4]
        point[1:] -= weights[1:]
        ones = np.ones((2, 2), dtype=np.float32)
        c[i, :4] = point * weights + ones[1, 1]


def helper(x, y):
    return dpnp.sum((x - y) ** 2)


squared_distance = dpjit(helper)


def other_rows(a, b, c):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k:] -= 0.01 * b[i, 0] * a[k, k:]
        c[k + 1, 1:] = a[k, 1:] + c[k, 1:]
        c[k, :] = c[k, :] * 2 - c[k + 1]


def unpacks(a, b, c):
    for i in prange(a.shape[0]):
        x, y, z, w = a[i, :4]
        c[i, 0] = x * w - y * z
        first, second = b[i, 1:3]
        c[i, 1] = first - second


FUNCTIONS = [
    rows, functions, broadcasts, whole_matrices, sums, named, row_names, accumulates, changes_operands, conditional,
    time_steps, private_arrays, other_rows, unpacks,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shape", [(5, 4), (7, 16), (6, 17), (300, 33)])
def test_expressions(function, shape):
    size = shape[0] * shape[1]
    given = [values(size).reshape(shape), values(size + 1)[1:].reshape(shape), np.zeros(shape)]
    if function is time_steps:
        given[0] /= 2.0 ** np.arange(shape[0])[:, None]
    check(function, *given, warns=function in (changes_operands, conditional))


def test_functions_of_rows():
    def calls(a, b, c):
        for i in prange(a.shape[0]):
            for j in range(b.shape[0]):
                c[i, j] = squared_distance(a[i], b[j])

    a, b = values(60 * 30).reshape(60, 30), values(330).reshape(11, 30)
    c = dpnp.zeros((60, 11))
    dpjit(calls)(dpnp.asarray(a), dpnp.asarray(b), c)
    np.testing.assert_allclose(dpnp.asnumpy(c), ((a[:, None] - b) ** 2).sum(-1))


@pytest.mark.parametrize("dtype", ["f4", "i4", "c16", "bool"])
def test_dtypes(dtype):
    def arithmetic(a, b, c, d):
        for i in prange(a.shape[0]):
            c[i] = a[i] + b[i]
            d[i] = dpnp.sum(a[i])

    a = values(60, "i4" if dtype == "bool" else dtype).reshape(6, 10)
    if dtype == "bool":
        a = a % 3 == 0
    b = a[::-1].copy()
    check(arithmetic, a, b, np.zeros_like(a), np.zeros(6, np.sum(a).dtype), rtol=1e-6)


@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_errors():
    def lengths(a, b):
        for i in prange(a.shape[0]):
            a[i] = a[i, 1:] + b[i]

    with pytest.raises(Exception, match=r"broadcast|shape"):
        dpjit(lengths)(dpnp.ones((3, 40)), dpnp.ones((3, 40)))
        dpnp.synchronize_array_data(dpnp.ones(1))

    def empty(a):
        for i in prange(a.shape[0]):
            a[i] = dpnp.max(a[i, 2:2])

    with pytest.raises(Exception, match="empty"):
        x = dpnp.ones((3, 40))
        dpjit(empty)(x)
        x.asnumpy()
        x.sycl_queue.wait()
