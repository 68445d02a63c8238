# ruff: noqa: B007, F821, F841
"""Variables of dpjit functions that a loop may leave without a value, or as None; compared with Python."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
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


def one_behind(x, limit):
    total = 0.0
    for i in range(x.size):
        if x[i] > limit:
            total += before
        before = x[i]
    return total


def inner_counter(x, limit):
    total = 0
    for i in range(x.size):
        for k in range(int(x[i])):
            total += 1
        total += k
    return total


UNSET = (
    last_element, last_counter, position, first_by_while, kept_number, last_row, previous, one_behind, inner_counter,
)  # fmt: skip


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


def test_else_assigns_none():
    def assigned_at_the_end(x):
        for i in range(x.size):
            if x[i] > 5:
                found = i
                break
        else:
            found = None
        return found

    def only_none(x):
        for i in range(x.size):
            pass
        else:
            found = None
        return found

    for size in (0, 3, 10):
        check(assigned_at_the_end, np.arange(float(size)))
        check(only_none, np.arange(float(size)))


def test_none_is_copied():
    def copies(x):
        best = other = None
        count = 0
        for i in range(x.size):
            other = best
            if x[i] != best:
                count += 1
            if i == 2:
                best = x[i]
        return best, other, count

    for size in (0, 1, 3, 10):
        check(copies, np.arange(float(size)), warns=True)


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


def first_and_last(x, limit):
    first = last = None
    for i in range(x.size):
        if x[i] > limit:
            if first is None:
                first = i
            last = i
    return first, last


def largest(x, limit):
    best = None
    for i in range(x.size):
        if best is None or x[i] > best:
            best = x[i]
    return best


def changes(x, limit):
    count, previous = 0, None
    for i in range(x.size):
        if previous is not None and x[i] > limit and previous != x[i]:
            count += 1
        previous = x[i]
    return count, previous


def lengths(x, limit):
    start = None
    total = 0
    for i in range(x.size):
        if x[i] > limit and start is None:
            start = i
        elif x[i] <= limit and start is not None:
            total += i - start
            start = None
    return total, start


def until_found(x, limit):
    i, found = 0, None
    while found is None and i < x.size:
        if x[i] > limit:
            found = i
        i += 1
    return found


def never_assigned(x, limit):
    weight = None if limit > 2 else 3
    other = None
    total = 0.0
    for i in range(x.size):
        if weight is not None and weight > x[i]:
            total += weight
        if other is None or other < 3:
            total += 1
    return total, weight, other


def none_in_an_inner_loop(x, limit):
    total = 0.0
    for i in range(x.size):
        best = None
        for k in range(i % 4):
            if best is None or x[i - k] > best:
                best = x[i - k]
        if best is not None:
            total += best
    return total


def none_at_the_end(x, limit):
    i = 0
    while True:
        found = None
        if i < x.size and x[i] > limit:
            found = i
        i += 1
        if found is not None or i >= x.size:
            break
    return found


def pairs(x, limit):
    best = None
    for i in range(x.size):
        if best is None or x[i] > best[0]:
            best = (x[i], i)
    return best


NONE = (
    found_or_none, pair_or_none, tuple_or_none, first_and_last, largest, changes, lengths, until_found, never_assigned,
    none_in_an_inner_loop,
)  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("limit", [-1.0, 1.5, 4.5])
@pytest.mark.parametrize("function", NONE)
def test_none_stays_none_until_the_loop_assigns_a_number(function, limit, size):
    check(function, np.arange(size) % 5.0, limit)


@pytest.mark.parametrize("size", [0, 1, 10, 1000])
@pytest.mark.parametrize("limit", [-1.0, 1.5, 4.5])
@pytest.mark.parametrize("function", [none_at_the_end, pairs])
def test_python_executes_other_loops_with_none(function, limit, size):
    check(function, np.arange(size) % 5.0, limit, warns=True)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float32"])
def test_a_read_before_the_first_assignment_in_the_code_has_no_influence_on_types(dtype):
    x = np.asarray([0, 1, 1, 0, 1], dtype)
    check(largest, x, 0)
    result = dpjit(largest)(to_device(x), 0)
    assert type(result) is type(x[0].item())


def test_none_as_a_number_is_refused():
    def total_from_none(x):
        total = None
        for i in range(x.size):
            total += x[i]
        return total

    check(total_from_none, np.ones(0))
    with pytest.raises(TypeError, match="'total' is None: the loop has not assigned it yet"):
        dpjit(total_from_none)(dpnp.ones(3))


def smallest_of_rows(x, result):
    for i in prange(x.shape[0]):
        best = None
        for j in range(x.shape[1]):
            if best is None or x[i, j] < best:
                best = x[i, j]
        result[i] = best


@pytest.mark.parametrize("size", [10, 30_000])
def test_none_in_parallel_loops(size):
    x = np.random.default_rng(3).normal(size=(size, 7))
    check(smallest_of_rows, x, np.zeros(size))


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
