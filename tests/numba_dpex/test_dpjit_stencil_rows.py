"""Parallel loops over rows whose iterations read the same elements, beside the same functions in Python.

On CPUs, two rows are executed together where that is allowed.
"""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange

SHAPES = [(1, 9), (2, 2), (3, 3), (4, 17), (5, 40), (37, 5), (40, 64), (600, 33), (1030, 70)]
DTYPES = ["i4", "u1", "f4", "f8"]


def sobel(a, out):
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            x = (
                a[i - 1, j + 1]
                + 2 * a[i, j + 1]
                + a[i + 1, j + 1]
                - a[i - 1, j - 1]
                - 2 * a[i, j - 1]
                - a[i + 1, j - 1]
            )
            y = (
                a[i + 1, j - 1]
                + 2 * a[i + 1, j]
                + a[i + 1, j + 1]
                - a[i - 1, j - 1]
                - 2 * a[i - 1, j]
                - a[i - 1, j + 1]
            )
            out[i, j] = x * x + y * y


def by_rows(a, out):
    n, m = a.shape
    for i in prange(2, n - 2):
        above, here, below = a[i - 1], a[i], a[i + 1]
        to = out[i]
        for j in range(m):
            to[j] = above[j] + here[j] + below[j] + a[i + 2, j] - a[i - 2, j]


def differences_of_rows(a, out):
    for i in prange(a.shape[0] - 1):
        for j in range(a.shape[1]):
            d = a[i + 1, j] - a[i, j]
            out[i, j] = d if d > 0 else -d


def backwards(a, out):
    for i in prange(a.shape[0] - 2, 0, -1):
        for j in range(1, a.shape[1]):
            out[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j]


def two_results(a, out):
    n, m = a.shape
    for i in prange(1, n // 2):
        for j in range(m):
            out[i, j] = a[i - 1, j] + a[i, j]
            out[n // 2 + i, j] = a[i + 1, j] - a[i, j]


def odd_rows_from_even_rows(a, out):
    """In one array: rows that iterations store are read by none."""
    n = out.shape[0]
    for i in range(n):
        for j in range(out.shape[1]):
            out[i, j] = a[i, j]
    for i in prange((n - 1) // 2):
        for j in range(out.shape[1]):
            out[2 * i + 1, j] = out[2 * i, j] + out[2 * i + 2, j]


def along_the_row(a, out):
    """Each iteration reads what it has stored before."""
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1]):
            out[i, j] = a[i - 1, j] + a[i, j] + a[i + 1, j] + out[i, j - 1] // 2


def from_the_columns_start(a, out):
    n = a.shape[0]
    for i in prange(n):
        for j in range(i % 3, a.shape[1]):
            out[i, j] = a[(i + 1) % n, j] + a[i, j] + a[i - 1, j]


def totals_in_memory(a, out):
    """Each iteration changes one element again and again, beside those of its row."""
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1]):
            s = a[i - 1, j] + a[i, j] + a[i + 1, j]
            out[i, 0] += s % 3
            out[i, j] = s


def some_rows(a, out):
    for i in prange(1, a.shape[0] - 1):
        if i % 3 != 0:
            for j in range(1, a.shape[1] - 1):
                out[i, j] = a[i - 1, j] + a[i, j] + a[i + 1, j]


def all_rows_but_one(a, out):
    k = a.shape[0] // 2
    for i in prange(1, a.shape[0] - 1):
        if i == k:
            continue
        for j in range(a.shape[1]):
            out[i, j] = a[i - 1, j] - a[i + 1, j] + a[i, j]


FUNCTIONS = [
    sobel,
    by_rows,
    differences_of_rows,
    backwards,
    two_results,
    odd_rows_from_even_rows,
    along_the_row,
    from_the_columns_start,
    totals_in_memory,
    some_rows,
    all_rows_but_one,
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_agrees_with_python(function, dtype, shape):
    if shape[0] * shape[1] > 10_000 and dtype == "i4":
        pytest.skip("Python takes long; other types have this shape")
    a = np.random.default_rng(7).integers(0, 9, shape).astype(dtype)
    wanted = np.ones(shape, dtype)
    with np.errstate(over="ignore"):
        function(a, wanted)
    compiled = dpjit(function)
    for _ in range(2):
        found = dpnp.ones(shape, dtype)
        compiled(dpnp.asarray(a), found)
        np.testing.assert_array_equal(dpnp.asnumpy(found), wanted)


def test_views_of_one_array():
    """The result is beside the array that is read, in every order, and rows are far apart."""

    @dpjit
    def smooth(a, out):
        for i in prange(1, a.shape[0] - 1):
            for j in range(a.shape[1]):
                out[i, j] = 2.0 * a[i, j] + a[i - 1, j] + a[i + 1, j]

    def wanted(a):
        made = np.zeros_like(a)
        made[1:-1] = 2 * a[1:-1] + a[:-2] + a[2:]
        return made

    a = np.random.default_rng(3).random((50, 40))
    for of_result in ((slice(0, 50), slice(0, 40)), (slice(0, 50), slice(41, 81)), (slice(51, 101), slice(3, 43))):
        both = dpnp.zeros((101, 83))
        from_rows, from_columns = (
            (slice(51, 101), slice(43, 83)) if of_result[0].start == 0 else (slice(0, 50), slice(0, 40))
        )
        both[from_rows, from_columns] = dpnp.asarray(a)
        smooth(both[from_rows, from_columns], both[of_result])
        np.testing.assert_array_equal(dpnp.asnumpy(both[of_result]), wanted(a))


def test_rows_that_overlap_their_result():
    """Iterations may read rows that they themselves store, one element after another."""

    @dpjit
    def spread(a):
        for i in prange(a.shape[0] // 2):
            for j in range(1, a.shape[1]):
                a[2 * i, j] = a[2 * i, j - 1] + a[2 * i + 1, j] + a[2 * i + 1, j - 1]

    a = np.random.default_rng(5).integers(0, 5, (64, 50)).astype("f8")
    wanted = a.copy()
    for j in range(1, 50):
        wanted[::2, j] = wanted[::2, j - 1] + wanted[1::2, j] + wanted[1::2, j - 1]
    found = dpnp.asarray(a)
    spread(found)
    np.testing.assert_array_equal(dpnp.asnumpy(found), wanted)


@pytest.mark.parametrize("operation", ["sum", "largest"])
def test_totals_of_rows_in_another_array(operation):
    """Of the compiled loops that change `totals`, one also stores rows that may overlap it."""

    @dpjit
    def total(a, out, totals):
        for i in prange(1, a.shape[0] - 1):
            for j in range(a.shape[1]):
                s = a[i - 1, j] + a[i, j] + a[i + 1, j]
                totals[i] += s
                out[i, j] = s * 2.0

    @dpjit
    def largest(a, out, totals):
        for i in prange(1, a.shape[0] - 1):
            for j in range(a.shape[1]):
                s = a[i - 1, j] + a[i, j] + a[i + 1, j]
                totals[i] = max(totals[i], s)
                out[i, j] = s * 2.0

    a = np.random.default_rng(2).integers(0, 9, (1030, 70)).astype("f8")
    sums = np.zeros_like(a)
    sums[1:-1] = a[:-2] + a[1:-1] + a[2:]
    for _ in range(2):
        out, totals = dpnp.zeros(a.shape), dpnp.zeros(1030)
        (total if operation == "sum" else largest)(dpnp.asarray(a), out, totals)
        np.testing.assert_array_equal(dpnp.asnumpy(out), 2 * sums)
        np.testing.assert_array_equal(dpnp.asnumpy(totals), sums.sum(1) if operation == "sum" else sums.max(1))


def test_rows_at_squares():
    """The result's rows are not evenly spaced."""

    @dpjit
    def spread(x, out):
        for i in prange(40, x.shape[0] - 1):
            for j in range(1, x.shape[1]):
                out[i * i + j] = x[i, j] + x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i - 1, j - 1]

    x = np.random.default_rng(4).integers(0, 9, (600, 70)).astype("f8")
    wanted = np.zeros(600 * 600)
    for i in range(40, 599):
        wanted[i * i + 1 : i * i + 70] = x[i, 1:] + x[i - 1, 1:] + x[i + 1, 1:] + x[i, :-1] + x[i - 1, :-1]
    out = dpnp.zeros(wanted.size)
    spread(dpnp.asarray(x), out)
    np.testing.assert_array_equal(dpnp.asnumpy(out), wanted)
