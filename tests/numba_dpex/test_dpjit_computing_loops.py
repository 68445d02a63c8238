"""Reductions of prange whose iterations contain loops without arrays, as random walks, compared with CPython."""

from __future__ import annotations

import math
import platform

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange


def collatz(n, x):
    most = 0
    for i in prange(1, n):
        number = i
        steps = 0
        while number != 1:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            steps += 1
        most = max(most, steps)
    return most


def area_of_mandelbrot_set(n, x):
    inside = 0
    for p in prange(n):
        a = -2.0 + 3.0 * (p % 37) / 37
        b = -1.2 + 2.4 * (p // 37) / 31
        u = 0.0
        v = 0.0
        k = 0
        while k < 40 and u * u + v * v < 4.0:
            u, v = u * u - v * v + a, 2 * u * v + b
            k += 1
        inside += k == 40
    return inside


def random_walks(n, x):
    far = 0
    for i in prange(n):
        state = i * 7919 + 1
        a = 0
        b = 0
        for _ in range(50):
            state = (state * 1103515245 + 12345) % 2147483648
            direction = state // 65536 % 4
            if direction == 0:
                a += 1
            elif direction == 1:
                a -= 1
            elif direction == 2:
                b += 1
            else:
                b -= 1
        if a * a + b * b > 60:
            far += 1
    return far


def integral(n, x):
    total = 1.0
    for i in prange(n):
        part = 0.0
        for k in range(33):
            t = (i + (k + 0.5) / 33) / n
            part += 4.0 / (1.0 + t * t)
        total += part / 33
    return total


def square_roots(n, x):
    total = 0.0
    product = 1.0
    for i in prange(n):
        y = x[i] + 1.0
        for _ in range(60):
            y = 0.5 * (y + (x[i % n] + 1.0) / y)
        total += y
        product *= 1.0 + 1e-3 * y
    return total, product


def left_early(n, x):
    total = 0.0
    worst = 0
    for i in prange(n):
        y = x[i]
        rounds = 0
        for k in range(100):
            rounds = k
            if y > 50.0:
                break
            if k == 7:
                continue
            y = y * 1.25 + 0.01
        total -= y
        worst = max(worst, rounds)
    return total, worst


def functions(n, x):
    total = 0.0
    for i in prange(n):
        y = x[i]
        for _ in range(20):
            y = math.exp(-y) + 0.1 * math.sin(y)
        total = total + y
    return total


FUNCTIONS = [
    collatz, area_of_mandelbrot_set, random_walks, integral, square_roots, left_early, functions,
]  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 7, 255, 256, 1000, 3001])
@pytest.mark.parametrize("fastmath", [False, True])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_results(function, fastmath, n):
    x = np.random.default_rng(n).random(n)
    found = dpjit(fastmath=fastmath)(function)(n, dpnp.asarray(x))
    np.testing.assert_allclose(found, function(n, x), rtol=1e-10)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="looks for an instruction of x86")
def test_divisions_of_several_iterations_are_vectors():
    compiled = dpjit(integral)
    x = dpnp.ones(1)
    if not x.sycl_device.is_cpu:
        pytest.skip("looks for an instruction of CPUs")
    compiled(2000, x)
    assert any("divpd" in each for each in compiled.inspect_asm())


def test_sums_without_fastmath_are_in_any_order():
    """Numbers of very different sizes: the sum is within the error bound of a sum in any order."""

    def total(x):
        s = 100.0
        for i in prange(x.size):
            s += x[i]
        return s

    rng = np.random.default_rng(3)
    for n in (1, 5, 100, 4097, 300_001):
        x = rng.standard_normal(n) * 10.0 ** rng.integers(-8, 8, n)
        bound = np.finfo("f8").eps * n * (np.abs(x).sum() + 100)
        assert abs(dpjit(total)(dpnp.asarray(x)) - (math.fsum(x) + 100.0)) <= bound


def strike(n, x, start, step):
    """Indices that are products: the first ones are negative, or the step is."""
    for j in range(start * start - 30, n, step):
        x[j] = j


@pytest.mark.parametrize("start", [1, 3, 5, 6, 40])
@pytest.mark.parametrize("step", [1, 3, 7])
def test_indices_that_start_at_a_product(start, step):
    x, y = np.zeros(50), dpnp.zeros(50)
    strike(50, x, start, step)
    dpjit(strike)(50, y, start, step)
    np.testing.assert_array_equal(y.asnumpy(), x)


def sieve(n, x):
    i = 2
    while i * i < n:
        if x[i]:
            for j in range(i * i, n, i):
                x[j] = False
        i += 1


def downwards(n, x):
    for i in range(3, n):
        for j in range(i * 2, -i, -i):
            x[j % n] = x[j // n]
        for j in range(-i, i * i // n, i):
            x[j] = True


@pytest.mark.parametrize("n", [3, 4, 50, 1000])
@pytest.mark.parametrize("function", [sieve, downwards])
def test_indices_that_advance_by_variables(function, n):
    x = np.arange(n) % 3 > 0
    y = dpnp.asarray(x)
    function(n, x)
    dpjit(function)(n, y)
    np.testing.assert_array_equal(y.asnumpy(), x)
