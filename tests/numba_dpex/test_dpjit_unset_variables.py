# ruff: noqa: B007
"""Variables of dpjit functions that a loop may leave without a value, or as None; compared with Python."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.exceptions import NumbaDpexPerformanceWarning
from test_dpjit import check, in_numpy, to_device

SIZES = [0, 1, 10, 300_000]


# --- after sequential loops


def last_element(x, limit):
    for i in range(x.size):
        last = x[i]
    return last


def last_counter(x, limit):
    for i in range(x.size):
        pass
    return i


def position(x, limit):
    for i in range(x.size):
        if x[i] > limit:
            found = i
    return found


def first_by_while(x, limit):
    i = 0
    while i < x.size:
        if x[i] > limit:
            found = x[i], i
            break
        i += 1
    return found


def kept_number(x, limit):
    if limit > 4:
        found = -1
    for i in range(x.size):
        if x[i] > limit:
            found = i
    return found


def last_row(x, limit):
    for i in range(x.size):
        row = x[i : i + 2]
    return row.sum()


def previous(x, limit):
    total = 0.0
    for i in range(x.size):
        if x[i] > limit:
            value = x[i]
        if i > 4:
            total += value
    return total


def inner_counter(x, limit):
    total = 0
    for i in range(x.size):
        for k in range(int(x[i])):
            total += 1
        total += k
    return total


UNSET = last_element, last_counter, position, first_by_while, kept_number, last_row, previous, inner_counter


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("limit", [-1.0, 1.5, 4.5])
@pytest.mark.parametrize("function", UNSET)
def test_reading_a_variable_without_a_value_raises(function, limit, size):
    x = np.arange(size) % 5.0
    try:
        in_numpy(function)(x, limit)
    except UnboundLocalError as error:
        compiled = dpjit(function)
        for _ in range(2):
            with pytest.raises(UnboundLocalError) as raised:
                compiled(to_device(x), limit)
            assert str(raised.value) == str(error)
    else:
        check(function, x, limit)


def test_a_value_that_is_never_read_needs_no_loop():
    def some(x, n):
        for i in range(n):
            first, second = i, x[i] > 0
        return (first, second) if n > 0 else (-1, False)

    for n in (0, 1, 3):
        check(some, np.ones(3), n)


# --- None


def found_or_none(x, limit):
    found = None
    for i in range(x.size):
        if x[i] > limit:
            found = i
            break
    return found


def pair_or_none(x, limit):
    found = largest = None
    for i in range(x.size):
        if x[i] > limit:
            found, largest = i, x[i]
    return found, largest


def tuple_or_none(x, limit):
    found = None
    for i in range(x.size):
        if x[i] > limit:
            found = (i, x[i])
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("limit", [-1.0, 1.5, 4.5])
@pytest.mark.parametrize("function", [found_or_none, pair_or_none, tuple_or_none])
def test_none_stays_none_unless_the_loop_assigns_a_number(function, limit, size):
    check(function, np.arange(size) % 5.0, limit)


def test_python_executes_loops_that_compare_a_number_with_none():
    def largest(x):
        best = None
        for i in range(x.size):
            if i == 3:
                best = x[i]
            if best is None or x[i] > best:
                best = x[i]
        return best

    x = np.arange(10.0)
    with pytest.warns(NumbaDpexPerformanceWarning, match="'best' is None before the loop"):
        assert dpjit(largest)(to_device(x)) == 9
    check(largest, x, warns=True)


# --- parallel loops


def rounds(x, most, result):
    for i in prange(x.size):
        z = 0.0
        for k in range(most):
            z = z * z + x[i]
            if z > 2:
                break
        result[i] = k


def rounds_of_rows(x, most, result):
    for i in prange(1):
        for j in prange(x.size):
            z = 0.0
            for k in range(most):
                z = z * z + x[j]
                if z > 2:
                    break
            result[j] = k + i


def last_product(x, most, result):
    for i in prange(x.size):
        for k in range(most):
            product = x[i] * k
        result[i] = product


def total_of_rounds(x, most, result):
    total = 0
    for i in prange(x.size):
        for k in range(most):
            if x[i] * k > 1:
                break
        total += k
    result[:1] = total


PRIVATE = rounds, rounds_of_rows, last_product, total_of_rounds


@pytest.mark.parametrize("size", [10, 300_000])
@pytest.mark.parametrize("function", PRIVATE)
def test_a_variable_of_an_inner_loop_is_private(function, size):
    x = np.linspace(0, 0.5, size)
    compiled = dpjit(function)
    check(function, x, 7, np.zeros(size), compiled=compiled)
    with pytest.raises(UnboundLocalError, match=r"cannot access local variable '(k|product)'"):
        compiled(to_device(x), 0, dpnp.zeros(size))
    check(function, x, 3, np.zeros(size), compiled=compiled)


def test_a_variable_from_before_the_parallel_loop_is_refused():
    def carried(x, most, result):
        k = 0
        for i in prange(x.size):
            for k in range(most):
                pass
            result[i] = k

    with pytest.raises(NotImplementedError, match="'k' is carried from one iteration of prange to the next"):
        dpjit(carried)(dpnp.ones(3), 2, dpnp.ones(3))
