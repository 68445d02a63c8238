"""Periodic indices, (i + 1) % n and similar, whose divisions the compiler removes where i is below n."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from shared_loops import as_on_gpus


@dpjit
def neighbours(a, out, k):
    n, m = a.shape
    for i in prange(n):
        for j in range(m):
            near = a[(i + 1) % n, (j - 1) % m] + 10 * a[(i - 1) % n, (j + 1) % m]
            out[i, j] = near + 100 * a[(i + k) % n, (j + 2) % m] + 1000 * a[i % n, j % m]


@dpjit
def named_neighbours(a, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            below, left = (i + 1) % n, (j - 1) % m
            out[i, j] = a[below, left] if (i + j) % 2 == 0 else a[(i - 1) % n, (j + 1) % m]


@dpjit
def neighbours_on_a_ring(x, out):
    n = x.size
    for i in prange(n):
        out[i] = x[(i + 1) % n] + 10 * x[(i - 1) % n] + 100 * x[(i - 2) % n]


@dpjit
def within_a_part(a, out, d):
    n, m = a.shape
    for i in prange(n):
        for j in range(m):
            out[i, j] = a[(i + 1) % d, (j - 1) % d]


@dpjit
def remainders(out, n, d):
    for i in prange(n):
        out[0, i] = (i - 1) % n
        out[1, i] = (i + 1) % -d
        out[2, i] = (i - d) % d
        out[3, i] = i % d


def call(function, on_gpus, *arguments):
    return as_on_gpus(function, *arguments) if on_gpus else function(*arguments)


@pytest.mark.parametrize("on_gpus", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 2), (3, 7), (64, 65), (301, 257)])
def test_neighbours(shape, on_gpus):
    n, m = shape
    a = np.arange(n * m).reshape(n, m) % 1013
    ours = dpnp.asarray(a)
    i, j = np.ogrid[:n, :m]
    for k in (-3, 0, 1, 2, 5):
        out = dpnp.zeros(shape, dtype="i8")
        call(neighbours, on_gpus, ours, out, k)
        near = a[(i + 1) % n, (j - 1) % m] + 10 * a[(i - 1) % n, (j + 1) % m]
        assert (out.asnumpy() == near + 100 * a[(i + k) % n, (j + 2) % m] + 1000 * a).all()
    out = dpnp.zeros(shape, dtype="i8")
    call(named_neighbours, on_gpus, ours, out)
    expected = np.where((i + j) % 2 == 0, a[(i + 1) % n, (j - 1) % m], a[(i - 1) % n, (j + 1) % m])
    assert (out.asnumpy() == expected).all()
    for d in {1, min(2, n, m), min(n, m)}:
        call(within_a_part, on_gpus, ours, out, d)
        assert (out.asnumpy() == a[(i + 1) % d, (j - 1) % d]).all()


@pytest.mark.parametrize("on_gpus", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 100, 70_001])
def test_rings_and_remainders(n, on_gpus):
    x, out, i = np.arange(n) % 977, dpnp.zeros(n, dtype="i8"), np.arange(n)
    call(neighbours_on_a_ring, on_gpus, dpnp.asarray(x), out)
    assert (out.asnumpy() == x[(i + 1) % n] + 10 * x[(i - 1) % n] + 100 * x[(i - 2) % n]).all()
    for d in (1, 2, n, n + 1):
        out = dpnp.zeros((4, n), dtype="i8")
        call(remainders, on_gpus, out, n, d)
        assert (out.asnumpy() == [(i - 1) % n, (i + 1) % -d, (i - d) % d, i % d]).all()
