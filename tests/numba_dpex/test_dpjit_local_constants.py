"""Functions, types and modules that dpjit functions name themselves, and functions that are defined in them."""

from __future__ import annotations

import math

import dpnp
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from numba_dpex.core.exceptions import UnsupportedError, UnsupportedKernelArgumentError
from test_dpjit import check, values

SIZES = [1, 7, 1000]
offset = 3.0


# --- other names, and imports


def other_names(x, result):
    sqrt = math.sqrt
    single = dpnp.float32
    lowest = min
    absolute = dpnp.abs
    for i in prange(x.size):
        result[i] = sqrt(absolute(x[i]))
        result[i] += single(x[i])
    total = 0.0
    for i in range(x.size):
        total += lowest(x[i], 0.5)
    return total


def other_names_of_loops(x, result):
    in_parallel = prange
    counts = range
    for i in in_parallel(x.size):
        for _ in counts(3):
            result[i] += x[i]
    return len(counts(3))


def imports(x, result):
    import cmath
    import math as m
    from math import pi
    from math import sqrt as root

    import numpy

    for i in prange(x.size):
        result[i] = root(abs(x[i])) + m.sin(x[i]) + pi + numpy.cos(x[i]) + cmath.exp(x[i]).real


def types_of_arrays(x, result):
    kind = x.dtype
    number = result.dtype.type
    total = number(0)
    for i in prange(x.size):
        t = dpnp.zeros(2, dtype=kind)
        t[0] = 0.1
        result[i] = number(x[i]) + t[0] + t[1].dtype.itemsize
        total += number(2) * t[0]
    return total, kind.itemsize, dpnp.ones(1, kind).dtype.itemsize


def minimum_by_another_name(x, result):
    lower = min
    least = 10.0
    for i in prange(x.size):
        least = lower(least, x[i])
    result[0] = least


def used_by_python_too(x, result):
    root = dpnp.sqrt
    result[:] = root(x * x)
    for i in range(2):
        result[i % x.size] = root(4.0)
    for i in prange(x.size):
        result[i] += root(x[i] * x[i])
    return float(root(16.0))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_types_of_arrays(size, dtype):
    check(types_of_arrays, values(size, dtype), np.zeros(size), rtol=1e-5)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "function", [other_names, other_names_of_loops, imports, minimum_by_another_name, used_by_python_too]
)
def test_names(function, size):
    check(function, values(size), np.zeros(size))


# --- functions


def defined_inside(x, result):
    def line(v, slope=2.0, *, start=1):
        return v * slope + start + offset

    total = 0.0
    for i in prange(x.size):
        result[i] = line(x[i]) + line(x[i], 3.0, start=2)
        total += line(x[i])
    return total


def lambdas(x, result):
    square = lambda v: v * v  # noqa: E731
    power = square
    larger = lambda v, w=0.5: v if v > w else power(w)  # noqa: E731
    for i in range(x.size):
        result[i] = larger(x[i]) + larger(x[i], w=0.1)


def of_variables(x, result):
    scale, n = 2.0, x.size

    def scaled(v):
        return v * scale / n

    for i in prange(n):
        result[i] = scaled(x[i])
    scale = 5.0
    for i in prange(n):
        result[i] += scaled(x[i])


def of_variables_of_the_loop(x, result):
    k = 0

    def plus(v):
        return v + k

    for k in range(3):  # noqa: B007  plus() reads it
        for i in prange(x.size):
            result[i] += plus(x[i])


def of_arrays(x, result):
    def before(j):
        total = 0.0
        for k in range(j % 20):
            total += x[k]
        return total

    def twice(j):
        return before(j) + before(j=j)

    for i in prange(x.size):
        result[i] = twice(i)


def updates(x, result):
    def add(j, v):
        result[j] += v

    for i in prange(x.size):
        add(i % 5 % x.size, 1.0)
        add(0, x[i])


def early_returns(x, result):
    def f(v):
        if v < 0:
            return 0.0
        elif v > 1:
            return 1.0
        return v

    for i in prange(x.size):
        result[i] = f(x[i])
    return [f(each) for each in (-1.0, 0.5, 2.0)] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "function",
    [defined_inside, lambdas, of_variables, of_variables_of_the_loop, of_arrays, updates, early_returns],
)
def test_functions(function, size):
    check(function, values(size), np.zeros(size))


def test_decorated_functions():
    @dpjit
    def f(x):
        n = x.size

        @dpjit
        def half(v):
            return v / 2

        @device_func
        def part(v):
            return half(v) / n

        for i in prange(n):
            x[i] = part(x[i])

    x = dpnp.ones(4)
    f(x)
    assert x.tolist() == [0.125] * 4


def test_a_sum_of_many_iterations_is_atomic():
    @dpjit
    def f(x, n):
        def add(j):
            x[j] += 1

        for i in prange(n):
            add(i % 3)

    x = dpnp.zeros(3, "i8")
    f(x, 300_000)
    assert x.tolist() == [100_000] * 3


def test_a_variable_of_the_same_name_elsewhere():
    def f(x, result):
        k = 10.0

        def plus(v):
            return v + k

        def other(v, k):
            return v * k

        result[1] = sum([plus(k) for k in (1.0, 2.0)])
        for i in prange(1):
            result[0] = other(x[i], 2.0)

    check(f, np.ones(3), np.zeros(3))


# --- what stays a variable


def chosen(x, sine):
    f = math.sin if sine else math.cos
    for i in prange(x.size):
        x[i] = f(x[i])


def of_a_default(x, scale):
    def f(v, w=scale):
        return v * w

    for i in prange(x.size):
        x[i] = f(x[i])


@pytest.mark.parametrize("function", [chosen, of_a_default])
def test_refusals_say_what_to_do(function):
    with pytest.raises(UnsupportedKernelArgumentError, match=r"'f' is a .*function is a constant of the loop if it is"):
        dpjit(function)(dpnp.ones(3), 2.0)


def test_a_function_that_calls_itself():
    @dpjit
    def f(x):
        def factorial(n):
            return 1 if n < 2 else n * factorial(n - 1)

        for i in prange(x.size):
            x[i] = factorial(i)

    with pytest.raises(UnsupportedError, match="'factorial' calls itself"):
        f(dpnp.ones(3))


def test_an_import_that_fails():
    @dpjit
    def f(x):
        from math import nothing_of_this_name

        for i in prange(x.size):
            x[i] = nothing_of_this_name(x[i])

    with pytest.raises(ImportError, match="nothing_of_this_name"):
        f(dpnp.ones(3))
