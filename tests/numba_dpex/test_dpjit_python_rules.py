"""Rules of Python and NumPy that loops of dpjit functions keep: steps of ranges, casts in place, integers of sums."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from test_dpjit import check

SIZES = [10, 300_000]


# --- a step of zero


def variable_step(x, step):
    for i in range(0, x.size, step):
        x[i] += 1


def step_in_a_parallel_loop(x, step):
    for i in prange(4):
        for k in range(i, x.size, step * i):
            x[k] = 1


def step_of_a_total(x, step):
    total = 0.0
    for i in prange(x.size):
        for k in range(0, 3, step):
            total += x[i] * k
    return total


def step_of_an_enumerated_range(x, step):
    for i, k in enumerate(range(0, x.size, step)):
        x[k] = i


@device_func
def marks(x, step):
    for k in range(0, x.size, step):
        x[k] = 2


def step_in_a_called_function(x, step):
    for _ in range(1):
        marks(x, step)


ZERO_STEPS = variable_step, step_of_a_total, step_of_an_enumerated_range, step_in_a_called_function


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("function", [*ZERO_STEPS, step_in_a_parallel_loop])
def test_a_step_of_zero_is_refused(function, size):
    compiled = dpjit(function)
    x = dpnp.ones(size)
    if function is not step_in_a_parallel_loop:
        compiled(x, 3)
        x.sycl_queue.wait()
    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero"):
        compiled(x, 0)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", [1, 3, -2])
def test_other_steps(size, step):
    x = dpnp.ones(size)
    dpjit(variable_step)(x, step)
    wanted = np.ones(size)
    variable_step(wanted, step)
    np.testing.assert_array_equal(dpnp.asnumpy(x), wanted)


# --- changes in place


def slice_by_element(total, p):
    for i in range(p.size):
        total[0, 1:3] += p[i]


def row_by_element(total, p):
    for i in prange(p.size):
        total[i % 2] -= p[i]


def row_by_row(total, p):
    for i in prange(1):
        total[i] += p[:4]


def view_by_element(total, p):
    for i in range(p.size):
        row = total[0]
        row *= p[i]


def reduction(total, p):
    for i in prange(p.size):
        total += p[i]


def quotient(total, p):
    for _ in range(p.size):
        total[:, 1] /= 2


@device_func
def adds(row, x):
    row[1:] += x


def called(total, p):
    for i in prange(p.size):
        adds(total[0], p[i])


CHANGES = slice_by_element, row_by_element, row_by_row, view_by_element, reduction, called
CASTS = [("int64", "float64"), ("int32", "float32"), ("bool", "int64"), ("uint8", "int8"), ("float32", "complex64")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("dtype", "other"), CASTS)
@pytest.mark.parametrize("function", CHANGES)
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_changes_by_wider_kinds_are_refused(function, dtype, other, size):
    total = dpnp.ones((2, 4), dtype=dtype)
    with pytest.raises((TypeError, ValueError), match=r"cannot be cast|does not compute"):
        dpjit(function)(total, dpnp.ones(size, dtype=other))
    np.testing.assert_array_equal(dpnp.asnumpy(total), np.ones((2, 4), dtype))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_quotients_of_integers_are_refused(size):
    with pytest.raises((TypeError, ValueError), match=r"cannot be cast|does not compute"):
        dpjit(quotient)(dpnp.ones((2, 4), dtype="int64"), dpnp.ones(size))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("dtype", "other"), [("float32", "float64"), ("float64", "int64"), ("int8", "uint8"), ("int32", "int64")]
)
@pytest.mark.parametrize("function", [slice_by_element, row_by_element, reduction, called])
def test_changes_of_the_same_kind(function, dtype, other, size):
    p = (np.arange(size) % 2).astype(other)
    total, wanted = dpnp.ones((2, 4), dtype=dtype), np.ones((2, 4), dtype)
    dpjit(function)(total, dpnp.asarray(p))
    step = p.sum(dtype="int64").astype(dtype)
    if function is slice_by_element:
        wanted[0, 1:3] += step
    elif function is row_by_element:
        wanted[1] -= step
    elif function is reduction:
        wanted += step
    else:
        wanted[0, 1:] += step
    np.testing.assert_array_equal(dpnp.asnumpy(total), wanted)


# --- sums that begin with an integer of Python


def sum_in_order(x):
    total = 0
    for i in range(x.size):
        total += x[i]
    return total


def sum_in_parallel(x):
    total = 0
    for i in prange(x.size):
        total += x[i]
    return total


def sum_of_squares(x):
    total = 0
    for i in prange(x.size):
        total += x[i] * x[i]
    return total


def sum_of_a_function(x):
    result = dpnp.zeros(1, dtype="int64")
    for i in prange(1):
        result[i] = sum(x)
    return result[0]


def sum_of_each_row(x):
    result = dpnp.zeros(2, dtype="int64")
    for i in prange(2):
        total = 0
        for k in range(i, x.size, 2):
            total += x[k]
        result[i] = total
    return result[0] + result[1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("function", [sum_in_order, sum_in_parallel, sum_of_a_function, sum_of_each_row])
def test_sums_have_64_bits(function, dtype, size):
    most = np.iinfo(dtype).max // 2 if np.dtype(dtype).itemsize < 8 else np.iinfo("int64").max // size
    x = np.full(size, most, dtype)
    assert dpjit(function)(dpnp.asarray(x)) == int(x[0]) * size


def test_products_of_elements_keep_their_type():
    x = np.full(100, 100, "int8")
    assert dpjit(sum_of_squares)(dpnp.asarray(x)) == 100 * int(np.int8(10000 % 256))


def sum_of_its_own_type(x):
    total = dpnp.int8(0)
    for i in prange(x.size):
        total += x[i]
    return total


def test_sums_of_a_declared_type_wrap():
    x = np.full(1000, 100, "int8")
    assert dpjit(sum_of_its_own_type)(dpnp.asarray(x)) == x.sum(dtype="int8")


# --- comparisons and conditions of conditional expressions


def chained(x, least):
    found = False
    for i in range(x.size):
        found = -2 < (5 if found else x[i]) <= least + 9
    return found


def chained_floats(x, least):
    for i in range(x.size):
        found = least < (1.5 if x[i] > 2 else x[i]) < (2.5 if i == 1 else 3) < 70
    return found


def inverted(x, least):
    count = 0
    for i in prange(x.size):
        inside = least < (x[i] if i > 3 else -x[i]) <= 5
        count += 3 if ~inside != -2 else 0  # -2: ~True, which Python 3.12 warns of
    return count


def conditions(x, least):
    for i in range(x.size):
        found = (x[i] > least and (x[i] < 3 if i == 2 else x[i] < 5)) or (x[i] == 8 if i > 4 else x[i] == 9)
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("least", [-1, 2.5])
@pytest.mark.parametrize("function", [chained, chained_floats, inverted, conditions])
def test_comparisons_with_conditional_expressions_are_bools(function, least, size):
    x = np.arange(size) % 7
    with np.errstate(all="ignore"):
        wanted = function(x, least)
    result = dpjit(function)(dpnp.asarray(x), least)
    assert result == wanted
    assert isinstance(result, bool | np.bool_) == (function is not inverted)


@device_func
def checked(x):
    if x > 5:
        raise ValueError("too large")
    assert x >= 0, "negative"
    return x + 1


@dpjit
def each_checked(a):
    for i in prange(a.size):
        a[i] = checked(a[i])


@dpjit
def checked_in_order(a):
    for i in range(a.size):
        a[i] = checked(a[i])


@pytest.mark.parametrize("function", [each_checked, checked_in_order])
def test_exceptions_of_device_functions_arrive_at_the_call(function):
    with pytest.raises(ValueError, match="too large"):
        function(dpnp.arange(10.0))
    with pytest.raises(AssertionError, match="negative"):
        function(dpnp.arange(-3.0, 3.0))
    a = dpnp.arange(5.0)
    function(a)
    assert a.asnumpy().tolist() == [1, 2, 3, 4, 5]


# --- returns of numbers and of None


def returns_without_value(x):
    for i in range(x.size):
        if x[i] > 2:
            return x[i]
        if x[i] < -2:
            return
    return 0.5


def returns_none(x):
    for i in range(x.size):
        if x[i] > 2:
            return i
        if x[i] < -2:
            return None
    return -1


def returns_a_pair_or_none(x):
    for i, value in enumerate(x):
        if value > 2:
            return i, value
        if value < -2:
            return None
    return None


def returns_none_from_while(x):
    i = 0
    while True:
        if i == x.size:
            return None
        if x[i] > 2:
            return i
        i += 1


def returns_none_only(x):
    for i in range(x.size):
        if x[i] > 2:
            return None
    return x.size


@pytest.mark.parametrize("given", [[1, 1, 1], [1, 3, 1], [1, -3, 3], []])
@pytest.mark.parametrize(
    "function",
    [returns_without_value, returns_none, returns_a_pair_or_none, returns_none_from_while, returns_none_only],
)
def test_returns_of_none(function, given):
    check(function, np.asarray(given, dtype="f8"))
