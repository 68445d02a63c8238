"""Loops on GPUs of which each work-item executes one iteration, compared with Python, and where it cannot."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from shared_loops import as_on_gpus


def scaled(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            y[i, j] = x[i, j] * 2 + j


def inner_part(x, y):
    for i in prange(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = x[i - 1, j] + x[i + 1, j] - x[i, j - 1] * x[i, j + 1]


def two_ranges(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            y[i, j] = x[i, j] + 1
        for j in range(m - 2):
            y[i, j] += x[i, j + 2]


def with_continue(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            if x[i, j] > 4:
                continue
            y[i, j] = x[i, (j + 1) % m]


def under_a_condition(x, y):
    n, m = x.shape
    for i in prange(n):
        if i % 2 == 0:
            for j in range(m):
                y[i, j] = x[i, j]


def half(x, y):
    n, m = x.shape[0], x.shape[1] // 2
    for i in prange(n):
        for j in range(m):
            y[i, 2 * j] = x[i, j]


def stores_on_both_sides(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            if x[i, j] > 4:
                y[i, j] = 1 if x[i, (j + 1) % m] > 2 else 5
            else:
                y[i, j] = 3 if x[(i + n - 1) % n, j] > 2 else 7


PROGRAMS = [scaled, inner_part, two_ranges, with_continue, under_a_condition, half, stores_on_both_sides]


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.parametrize("dtype", ["i8", "f4"])
def test_agrees_with_python(function, dtype):
    compiled = dpjit(function)
    for shape in [(1, 1), (3, 2), (4, 0), (7, 33), (130, 257), (600, 90)]:
        x = np.random.default_rng(sum(shape)).integers(0, 9, shape).astype(dtype)
        y = np.zeros(shape, dtype)
        ours = dpnp.asarray(x), dpnp.asarray(y)
        for _ in range(2):
            as_on_gpus(compiled, *ours)
        for _ in range(2):
            function(x, y)
        np.testing.assert_array_equal(dpnp.asnumpy(ours[1]), y)


def to_row(x, y, m):
    for i in prange(x.shape[0]):
        for j in range(m):
            y[i, j - 3] = x[i, j] + j


@pytest.mark.parametrize("m", [0, 3, 4, 40, 43])
def test_rows_that_are_longer_than_those_of_other_arrays(m):
    """The stores of j and of j + 40 are to the same element if y has 40 columns: the last one counts."""
    x = np.arange(6 * 43).reshape(6, 43)
    y = np.zeros((6, 40), "i8")
    ours = dpnp.asarray(x), dpnp.asarray(y)
    as_on_gpus(dpjit(to_row), *ours, m)
    to_row(x, y, m)
    np.testing.assert_array_equal(dpnp.asnumpy(ours[1]), y)


VIEWS = {
    "every third column": lambda a: (a[::2, ::3], a[1::2, 1::3]),
    "reversed": lambda a: (a[:20, ::-1], a[-1:-21:-1]),
    "in place": lambda a: (a, a),
    "transposed": lambda a: (a[:20].T, a[20:].T),
}


@pytest.mark.parametrize("view", VIEWS)
def test_views(view):
    expected = np.random.default_rng(1).integers(0, 9, (40, 96))
    given = dpnp.asarray(expected)
    scaled(*VIEWS[view](expected))
    as_on_gpus(dpjit(scaled), *VIEWS[view](given))
    np.testing.assert_array_equal(dpnp.asnumpy(given), expected)
