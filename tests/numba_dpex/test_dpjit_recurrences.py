"""Sequential loops whose iterations take minima and maxima of the value of the one before, compared with Python."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit


def edit_distance(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            t[i, j] = min(t[i - 1, j] + 1, t[i, j - 1] + 1, t[i - 1, j - 1] + cost)


def edit_distance_of_ifs(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            best = t[i - 1, j - 1]
            if a[i - 1] != b[j - 1]:
                best += 1
            if t[i - 1, j] + 1 < best:
                best = t[i - 1, j] + 1
            if t[i, j - 1] + 1 < best:
                best = t[i, j - 1] + 1
            t[i, j] = best


def local_alignment(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            s = 2 if a[i - 1] == b[j - 1] else -1
            t[i, j] = max(0, t[i - 1, j - 1] + s, t[i - 1, j] - 1, t[i, j - 1] - 1)


def cheapest_path(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = (3 * a[i - 1] + b[j - 1]) % 7 + min(min(t[i, j - 1], t[i - 1, j]), t[i - 1, j - 1])


def two_steps_back(a, b, t):
    """Two operands of the minimum depend on iterations before."""
    for i in range(t.shape[0]):
        for j in range(2, t.shape[1]):
            t[i, j] = min(t[i, j - 1] + b[j - 2], t[i, j - 2] + 2, a[(i + j) % a.size] + 5)


def minima_of_maxima(a, b, t):
    for i in range(t.shape[0]):
        x = i
        for j in range(t.shape[1]):
            x = min(max(x - 1, a[(i + j) % a.size], b[(i * j) % b.size]), x + 2, b[j % b.size] + 3)
            t[i, j] = x


def several_variables(a, b, t):
    for i in range(t.shape[0]):
        least, level, other = 100, 0, i
        for j in range(t.shape[1]):
            least = min(least, b[j % b.size] + i)
            level = max(0, min(level + a[(i + j) % a.size] - 2, 9))
            other = max(other - 3, b[j % b.size], a[(i + j) % a.size] + level)
            t[i, j] = 10000 * least + 100 * level + other


PROGRAMS = [
    edit_distance,
    edit_distance_of_ifs,
    local_alignment,
    cheapest_path,
    two_steps_back,
    minima_of_maxima,
    several_variables,
]


def arguments(rows, columns, dtype):
    random = np.random.default_rng(rows * columns)
    table = np.zeros((rows + 1, columns + 1), dtype)
    table[:, 0], table[0] = np.arange(rows + 1), np.arange(columns + 1)
    return random.integers(0, 5, rows).astype(dtype), random.integers(0, 5, columns).astype(dtype), table


@pytest.mark.parametrize("dtype", ["i8", "i4", "i2"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_agrees_with_python(function, dtype):
    compiled = dpjit(function)
    for rows, columns in [(1, 1), (2, 5), (7, 8), (13, 33), (40, 67)]:
        a, b, table = arguments(rows, columns, dtype)
        ours = [dpnp.asarray(each) for each in (a, b, table)]
        compiled(*ours)
        exact = a.astype("i8"), b.astype("i8"), table.astype("i8")
        function(*exact)
        assert (dpnp.asnumpy(ours[2]) == exact[2].astype(dtype)).all()


def test_unsigned_minima():
    @dpjit
    def cheapest(x, y):
        for j in range(1, x.size):
            y[j] = min(y[j - 1] + np.uint64(1), x[j], x[j - 1] + np.uint64(3))

    values = np.array([1 << 63, 5, (1 << 64) - 9, 7, 1 << 40, 2, 1 << 63, 3, 1, 0, 9, 9], "u8")
    expected = values.copy()
    for j in range(1, values.size):
        expected[j] = min(int(expected[j - 1]) + 1, int(values[j]), (int(values[j - 1]) + 3) % 2**64)
    y = dpnp.asarray(values)
    cheapest(dpnp.asarray(values), y)
    assert (dpnp.asnumpy(y) == expected).all()
