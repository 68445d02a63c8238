"""Sequential loops whose iterations swap two arrays; most are compiled as a whole, two iterations at a time."""

from __future__ import annotations

import math

import dpnp
import pytest
from numba_dpex import dpjit, prange
from test_dpjit import check, values


def edit_distance(x, n):
    old = dpnp.arange(x.size + 1)
    new = dpnp.zeros(x.size + 1, dtype=old.dtype)
    for i in range(n):
        new[0] = i + 1
        for j in range(x.size):
            cost = 0 if math.floor(x[j]) == i % 3 else 1
            new[j + 1] = min(old[j + 1] + 1, new[j] + 1, old[j] + cost)
        old, new = new, old
    return old


def relaxed(x, n):
    y = x.copy()
    for _ in range(n):
        for i in range(1, x.size - 1):
            y[i] = (x[i - 1] + x[i + 1]) / 2
        x, y = y, x
    for _ in range(1, n):
        for i in range(1, x.size - 1):
            y[i] = x[i] * 0.5 + x[i - 1]
        y, x = x, y
    return x, y


def swapped_in_the_middle(x, n):
    y = dpnp.zeros(x.size, dtype="f4")
    total = 0.0
    for i in range(-2, n):
        for j in range(len(x)):
            y[j] = x[j] + i
        x, y = y, x
        total += x[0] * i - y[x.size - 1]
        y[0] += 1
    return x, y, total


def in_other_statements(x, n):
    y = dpnp.zeros_like(x)
    for k in range(3):
        if k != 1:
            for i in range(k, n):
                for j in range(x.shape[0]):
                    y[j] = x[j] * 0.5 + i * k
                x, y = y, x
        y[0] = k
    return x, y


def of_numbers(x, n):
    a, b = 1, 2
    for i in range(n):
        a = a + i
        a, b = b, a
    return a, b


def reads_the_counter(x, n):
    y = dpnp.zeros_like(x)
    i = -1
    for i in range(n):  # noqa: B007
        y[0] = x[0] + 1
        x, y = y, x
    return x, i


def nested(x, n):
    y, u, v = x.copy(), x.copy(), x.copy()
    i = -1
    for i in range(n):
        for j in range(n + 1):
            u[0] = v[0] + i + j
            u, v = v, u
        x[0] = y[0] + 1
        x, y = y, x
    return x, y, u, v, i


def breaks(x, n):
    y = dpnp.zeros_like(x)
    for _ in range(n):
        y[0] = x[0] + 1
        if y[0] > 3:
            break
        x, y = y, x
    return x, y


def sums_arrays(x, n):
    y = dpnp.zeros_like(x)
    for _ in range(n):
        y[:] = x * 0.5
        y[0] = dpnp.sum(x)
        x, y = y, x
    return x, y


def parallel(x, n):
    y = dpnp.zeros_like(x)
    for _ in range(n):
        for i in prange(x.size):
            y[i] = x[i] * 0.5 + 1
        x, y = y, x
    return x, y


PROGRAMS = [
    edit_distance,
    relaxed,
    swapped_in_the_middle,
    in_other_statements,
    of_numbers,
    reads_the_counter,
    nested,
    breaks,
    sums_arrays,
    parallel,
]


@pytest.mark.parametrize("size", [1, 3, 64, 1000])
@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("function", PROGRAMS)
def test_swaps(function, n, size):
    compiled = dpjit(function)
    for _ in range(2):
        check(function, values(size), n, compiled=compiled, rtol=1e-5)


def test_the_loop_is_compiled_as_a_whole():
    compiled = dpjit(edit_distance)
    compiled(dpnp.ones(20), 5)
    assert len(compiled.inspect_llvm()) == 1


@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_a_float_as_bound():
    with pytest.raises(TypeError, match="integer"):
        dpjit(edit_distance)(dpnp.ones(3), 2.5)
