"""Indices that wrap around at the ends of axes, as (i + 1) % n, or are limited there, compared with Python."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange


def life(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            around = 0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    if a != 0 or b != 0:
                        around += x[(i + a) % n, (j + b) % m]
            y[i, j] = around


def written_out(x, y):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            left, right = x[i, (j - 1) % x.shape[1]], x[i, (j + 1) % x.shape[1]]
            y[i, j] = 2 * x[i, j % x.shape[1]] - left - 10 * right


def other_distances(x, y):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[(i + 2) % x.shape[0], (j - 2) % x.shape[1]] - x[i - 1, (j + 3) % x.shape[1]]


def other_ranges(x, y):
    """The remainders are of counters that start later, advance by 2, count down, or go beyond the divisor."""
    n, m = x.shape
    for i in range(n):
        for j in range(1, m):
            y[i, j] = x[i, (j + 1) % m] + 3 * x[i, (j - 1) % m]
        for j in range(0, m, 2):
            y[i, j] += 5 * x[i, (j + 1) % m]
        for j in range(m - 1, -1, -1):
            y[i, j] += 7 * x[i, (j - 1) % m]
        for j in range(2 * m):
            y[i, j % m] += 11 * x[i, (j + 1) % m]


def other_divisors(x, y):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            y[i, j] = x[(j + 1) % n, j] + 3 * x[i, (i + j) % m] + 5 * ((j - 1) % (m + 1)) + 7 * ((j + 1) % -m)


def while_loop(x, y):
    n, m = x.shape
    for i in range(n):
        j = 0
        while j < m:
            y[i, j] = x[i, (j + 1) % m] - x[i, (j - 1) % m]
            j += 1


def with_break(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            if x[i, (j + 1) % m] == 3:
                break
            y[i, j] = x[i, (j - 1) % m]


def plus_the_length(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            y[i, j] = (
                x[(i + n - 1) % n, (j + m - 1) % m] + 3 * x[(n + i + 1) % n, (m + j + 1) % m] - x[i, (m - 1 + j) % m]
            )


def in_branches(x, y):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            if x[i, j] > 4:
                y[i, j] = x[(i + 1) % n, (j + 1) % m]
            elif x[i, j] > 2:
                continue
            else:
                y[i, j] += x[i, (j - 1) % m]


def carried(x, y):
    """Each element depends on the one before it, and on results of the row above."""
    n, m = x.shape
    for i in range(n):
        total = 0
        for j in range(m):
            total = (total + x[i, (j + 1) % m] * (i + 1)) % 100
            y[i, j] = total + y[(i + 1) % n, (j - 1) % m]


def last_counters(x, y):
    """What loops compute is used after them."""
    n, m = x.shape
    for i in range(n):
        left = right = 0
        for j in range(m):
            left, right = (j - 1) % m, (j + 1) % m
            y[i, left] = x[i, right]
        y[i, 0] += 10 * left + 100 * right + 1000 * ((i + 1) % n)


def with_conditions(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            left = j - 1 if j > 0 else m - 1
            right = j + 1 if j < m - 1 else 0
            up = i - 1 if i > 0 else n - 1
            y[i, j] = x[i, left] + 3 * x[i, right] + 5 * x[up, j]


def clamped(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            y[i, j] = x[i, max(j - 1, 0)] + 3 * x[i, min(j + 1, m - 1)] + 5 * x[min(i + 1, n - 1), max(0, j - 1)]


def mirrored(x, y):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            left, right = abs(j - 1), j + 1
            if right == m:
                right = max(m - 2, 0)
            y[i, j] = x[i, min(left, m - 1)] - x[i, right] + (7 if j == 0 else 9 if j >= m - 1 else 11)


def skipped_borders(x, y):
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            if i == 0 or j == 0 or i == n - 1 or j == m - 1:
                y[i, j] = x[i, j]
            else:
                y[i, j] = x[i - 1, j] + 3 * x[i + 1, j] + 5 * x[i, j - 1] + 7 * x[i, j + 1]


def first_of_all(x, y):
    """The first iterations of both loops start sums."""
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            if j == 0:
                total = x[i, 0]
            else:
                total += x[i, j - 1]
            if j + 1 < m:
                total += x[i, j + 1]
            y[i, j] = total


PROGRAMS = [life, written_out, other_distances, other_ranges, other_divisors, while_loop, with_break]
PROGRAMS += [plus_the_length, in_branches, carried, last_counters]
PROGRAMS += [with_conditions, clamped, mirrored, skipped_borders, first_of_all]


@pytest.mark.parametrize("dtype", ["i8", "i4", "f8"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_agrees_with_python(function, dtype):
    compiled = dpjit(function)
    for shape in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 5), (8, 16), (17, 33), (5, 100)]:
        x = np.random.default_rng(sum(shape)).integers(0, 9, shape).astype(dtype)
        y = np.zeros(shape, dtype)
        ours = dpnp.asarray(x), dpnp.asarray(y)
        for _ in range(2):
            compiled(*ours)
            function(x, y)
        np.testing.assert_array_equal(dpnp.asnumpy(ours[1]), y)


def sums(count, divisor, y):
    for j in range(count):
        y[j] = (j + 1) % divisor + 1000 * ((j - 1) % divisor) + 1_000_000 * (j % divisor)


@pytest.mark.parametrize("divisor", [1, 2, 5, 6, 7, 8, 100, -1, -6, -7])
@pytest.mark.parametrize("count", [0, 1, 5, 6, 7, 8])
def test_counts_and_divisors(count, divisor):
    compiled = dpjit(sums)
    y, expected = dpnp.zeros(10, dtype="i8"), np.zeros(10, "i8")
    compiled(count, divisor, y)
    sums(count, divisor, expected)
    np.testing.assert_array_equal(dpnp.asnumpy(y), expected)


def same_number(m, y):
    for j in range(m):
        y[j] = (j + 1) % m + 1000 * ((j - 1) % m) + 1_000_000 * (j % m)


@pytest.mark.parametrize("m", [-2, -1, 0, 1, 2, 3, 9])
def test_counter_and_divisor_are_the_same_number(m):
    compiled = dpjit(same_number)
    y, expected = dpnp.zeros(10, dtype="i8"), np.zeros(10, "i8")
    compiled(m, y)
    same_number(m, expected)
    np.testing.assert_array_equal(dpnp.asnumpy(y), expected)
