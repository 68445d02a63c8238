"""Arrays that iterations create: by full(), of lists of numbers, and as copies of expressions of rows."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from dpep import _kernel
from numba_dpex import dpjit, prange
from numba_dpex.core.exceptions import TypingError
from test_dpjit import check, values

SIZES = [1, 5, 16, 17, 300]


# --- full() of a length that is known before the loop


def of_integers(x, result, n, w):
    for i in prange(x.shape[0]):
        t = dpnp.full(n, -1)
        t[i % n] = 7
        result[i] = t.sum() / 2 + t[0] // 2


def of_infinity(x, result, n, w):
    for i in prange(x.shape[0]):
        t = dpnp.full(n, dpnp.inf)
        u = dpnp.full((n, 2), -dpnp.inf)
        t[0], u[n - 1, 1] = i, 2 * i
        result[i] = t[0] + u[n - 1, 1] + (1 if t[n - 1] > 1e300 else 0) + (1 if u[0, 0] < 0 else 0)


def of_elements(x, result, n, w):
    for i in prange(x.shape[0]):
        t = dpnp.full(n, x[0, 0])
        u = dpnp.full(n, x[i, 0] * 2)
        v = dpnp.full(n, fill_value=i)
        t[0] = 0.1
        result[i] = t[0] + t[n - 1] + u[n - 1] + v[0] // 2


def of_parameters(x, result, n, w):
    for i in prange(x.shape[0]):
        t = dpnp.full(n, w)
        u = dpnp.full(n, -w + 1)
        t[0] += i
        result[i] = t[n - 1] + u[0] + t[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
@pytest.mark.parametrize("w", [2.5, 3])
@pytest.mark.parametrize("function", [of_integers, of_infinity, of_elements, of_parameters])
def test_full(function, size, dtype, w):
    check(function, values(size * 3, dtype).reshape(size, 3), np.zeros(size), size, w, rtol=1e-6)


def of_a_number_of_the_loop(x, result, n):
    for i in prange(x.shape[0]):
        y = x[i, 0] * 2
        t = dpnp.full(n, y)
        result[i] = t[n - 1]


def test_full_of_an_unknown_type():
    check(of_a_number_of_the_loop, values(30).reshape(10, 3), np.zeros(10), 4, warns=True)
    with pytest.warns(match="of other shapes that are known before the loop if it gets a dtype"):
        dpjit(of_a_number_of_the_loop)(dpnp.ones((10, 3)), dpnp.zeros(10), 4)


# --- lists


def points(x, result):
    for i in prange(x.size):
        v = dpnp.array([x[i], 1, 2.5])
        m = dpnp.asarray([[1, 2], (i, 4)], dtype=dpnp.float32)
        v[1] += m[1, 0] * m[0, 1] + m.shape[0]
        result[i] = v.sum() + v[1] * v.size


def integers(x, result):
    for i in range(x.size):
        v = dpnp.array((i, 2, 3))
        w = v * 2
        v[:] = [1, i, 3]
        result[i] = v[1] // 2 + w[0] / 2 + (v * w).sum()


def of_numpy(x, result):
    for i in prange(x.size):
        v = np.array([x[i], x[0]])
        total = 0.0
        for each in v:
            total += each
        result[i] = total + np.array([True, False])[i % 2]


def in_rows(x, result):
    rows = x.reshape(x.size, 1)
    for i in prange(x.size):
        rows[i, :1] = [result[i] + i]
        result[i] = rows[i, 0]


def in_shared_loops(x, result):
    for i in prange(x.size):
        v = dpnp.array([1.0, 2.0, 3.0])
        v[1] = i
        for j in range(200):
            result[i] += v[j % 3]


@pytest.mark.parametrize("size", [1, 7, 300])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
@pytest.mark.parametrize("function", [points, integers, of_numpy, in_rows, in_shared_loops])
def test_lists(function, size, dtype):
    check(function, values(size, dtype), np.zeros(size), rtol=1e-5)


def test_lists_of_different_lengths():
    @dpjit
    def f(x):
        for i in prange(x.size):
            x[i] = dpnp.array([[1, 2], [3]])[0, 0]

    with pytest.raises(ValueError, match="lists of different lengths"):
        f(dpnp.ones(3))


# --- expressions of rows


def copies(a, result, w):
    for i in prange(a.shape[0]):
        t = a[i] * 2
        t[0] = 9
        t[a.shape[1] // 2 :] += 1
        result[i] = t


def of_two_arrays(a, result, w):
    b = a[0] + 1
    for i in prange(a.shape[0]):
        t = dpnp.sqrt(a[i] * a[i] + b * w) - i
        t[0] = t[a.shape[1] - 1]
        if i % 2:
            u = -a[i - 1]
            u[0] = 3
            t[0] += u[a.shape[1] - 1] + u[0]
        result[i] = t


def changed_twice(a, result, w):
    for i in prange(a.shape[0]):
        t = a[i] * 2
        t[0] = 9
        t = t * 3
        result[i] = t


@pytest.mark.parametrize("length", SIZES)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("function", [copies, of_two_arrays])
def test_expressions(function, length, dtype):
    a = values(6 * length, dtype).reshape(6, length)
    check(function, a, np.zeros((6, length)), 2.5, rtol=1e-5)


def test_expressions_that_python_executes():
    a = values(6 * 40).reshape(6, 40)
    check(changed_twice, a, np.zeros((6, 40)), 2.5, warns=True)


def of_numbers(x, result):
    for i in prange(x.size):
        t = x[i] * 2
        t += 1
        result[i] = t


def test_numbers():
    check(of_numbers, values(100), np.zeros(100))


# --- indices and targets


def first_and_rest(x, result):
    for i in prange(x.size):
        first, *rest = x[0], x[i], i
        *begin, last = (i, 2.0)
        a, *middle, b = (1, x[i])
        result[i] = first + rest[0] * rest[1] + len(rest) + begin[0] + last + a + b + len(middle) + sum(rest)


def bools_as_indices(x, result):
    for i in range(x.size):
        result[i > 1] = x[i]
    return result[True].sum()


def without_axes(x, result):
    scale = dpnp.asarray(2.0)
    for i in prange(x.size):
        result[i] = scale[()] * x[i] + scale[...]
    total = dpnp.zeros(())
    for i in range(x.size):
        total[()] += x[i]
    return total


@pytest.mark.parametrize("size", [1, 7, 50])
@pytest.mark.parametrize("function", [first_and_rest, bools_as_indices, without_axes])
def test_indices_and_targets(function, size):
    check(function, values(size), np.zeros(size))


@pytest.mark.parametrize("as_on_gpus", [False, True])
def test_shapes_that_do_not_match(as_on_gpus):
    @dpjit
    def sums(a, b):
        for i in prange(a.shape[0]):
            a[i] = a[i] + b

    @dpjit
    def slices(a, b):
        for i in prange(a.shape[0]):
            a[i, :2] = b[:3]

    @dpjit
    def products(a, b):
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i] @ b
        return total

    before = _kernel.set_loops_as_on_gpus(as_on_gpus)
    try:
        for function in (sums, slices, products):
            a = dpnp.ones((3, 40))
            with pytest.raises(ValueError, match="shapes do not match"):
                function(a, dpnp.ones(50))
                a.sycl_queue.wait_and_throw() if hasattr(a.sycl_queue, "wait_and_throw") else a.sycl_queue.wait()
    finally:
        _kernel.set_loops_as_on_gpus(before)


def test_types_in_messages():
    @dpjit
    def f(a, result):
        for i in prange(a.shape[0]):
            t = a[i]
            t = t + 1
            result[i] = t

    with pytest.warns(match="'t' is an expression of arrays, a 1-dim.* here and a 1-dimensional array of float64 else"):
        f(dpnp.ones((3, 40)), dpnp.zeros((3, 40)))


def test_elements_of_tuples_are_constant():
    @dpjit
    def f(x):
        for i in prange(x.size):
            first, *rest = (1, 2, 3)
            rest[0] = 2
            x[i] = first

    with pytest.raises(TypingError, match="tuples are constant"):
        f(dpnp.ones(3))


# --- lengths that are computed in the loop


def of_shape_of_the_loop(x, result):
    for i in prange(x.shape[0]):
        n = x.shape[1]
        t = dpnp.empty(n)
        u = dpnp.zeros(n, dtype=x.dtype)
        for k in range(n):
            t[k] = x[i, k]
            u[n - 1 - k] += x[i, k]
        result[i] = t[0] + 2 * t[n - 1] + 3 * u[0]


def of_computed_length(x, result):
    for i in prange(x.shape[0]):
        rows, n = x.shape
        m, half = n + 1, n // 2
        t = dpnp.full((m, 2), 0.5)
        t[half, 1] += x[i, half] + min(rows, 3)
        result[i] = t.sum()


def of_length_of_row(x, result):
    for i in prange(x.shape[0]):
        row = x[i]
        n = row.shape[0]
        t, u, v = dpnp.zeros(row.size), dpnp.zeros(len(row) + row.ndim), 0
        w = dpnp.ones(n, dtype=row.dtype)
        for k in range(n):
            t[k] = row[n - 1 - k]
            w[k] += row[k]
        result[i] = t[0] + w[n - 1] + u.sum() + v


def of_row_like(x, result):
    for i in prange(x.shape[0]):
        row = x[i]
        t = dpnp.zeros_like(row)
        u = dpnp.full_like(x[i], 2)
        v = dpnp.empty_like(row, dtype="f8")
        for k in range(row.size):
            t[k] = 2 * row[k]
            u[k] += t[k]
            v[k] = u[k] / 2
        result[i] = v.sum()


def of_copies(x, result):
    for i in prange(x.shape[0]):
        row = x[i]
        t = x[i].copy()
        u = row.copy()
        v = dpnp.copy(row)
        t[0], u[-1], v[0] = u[-1], t[0], 3
        result[i] = t[0] + u[u.size - 1] + v.sum()


def of_copied_array(x, result):
    first = x[0]
    for i in prange(x.shape[0]):
        t = first.copy()
        t[i % t.size] = x[i, 0]
        result[i] = t.sum()


def of_length_in_branch(x, result):
    for i in prange(x.shape[0]):
        if i % 2 == 0:
            n = x.shape[1] - 1
            t = dpnp.zeros(n)
            t[n - 1] = x[i, n]
            result[i] = t.sum()


LENGTHS = [
    of_shape_of_the_loop,
    of_computed_length,
    of_length_of_row,
    of_row_like,
    of_copies,
    of_copied_array,
    of_length_in_branch,
]


@pytest.mark.parametrize("shape", [(1, 2), (7, 17), (300, 40), (5, 2000)])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
@pytest.mark.parametrize("function", LENGTHS)
def test_lengths_of_the_loop(function, shape, dtype):
    check(function, values(shape[0] * shape[1], dtype).reshape(shape), np.zeros(shape[0]), rtol=1e-5)


def of_varying_length(x, result):
    for i in prange(x.shape[0]):
        n = x.shape[1]
        n = n + i
        t = dpnp.zeros(n)
        t[n - 1] = x[i, 0]
        result[i] = t.sum()


def of_varying_row(x, result):
    for i in prange(x.shape[0]):
        row = x[i, i:]
        t = dpnp.zeros(row.size)
        t[0] = row[0]
        result[i] = t.sum()


@pytest.mark.parametrize("function", [of_varying_length, of_varying_row])
def test_lengths_that_vary(function):
    check(function, values(70 * 70).reshape(70, 70), np.zeros(70), warns=True)


# --- functions of short integers


def short_integers(x, result):
    for i in prange(x.size):
        result[i] = dpnp.sqrt(x[i]) + np.arctan2(x[i], x[i]) + dpnp.deg2rad(x[i]) + dpnp.log1p(x[i])


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u8"])
def test_functions_of_short_integers(dtype):
    x = np.arange(1, 90).astype(dtype)
    check(short_integers, x, np.zeros(89), rtol=2e-3 if dtype in ("i1", "u1") else 1e-6)


def exact_square_roots(x, result):
    for i in prange(x.size):
        result[i] = dpnp.sqrt(x[i])


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u8", "?"])
def test_square_roots(dtype):
    check(exact_square_roots, np.arange(100).astype(dtype), np.zeros(100), rtol=0)
