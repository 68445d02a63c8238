"""Wrong dpjit functions: each gets an exception that names what is wrong, and its line."""

from __future__ import annotations

import importlib
import traceback

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.exceptions import TypingError
from wrong_functions import MATRIX, ROWS, VECTOR

KINDS = "arrays", "calls", "indices", "names", "operators", "reductions", "sequences", "statements"
for kind in KINDS:
    importlib.import_module(f"wrong_dpjit_{kind}")  # adds to ROWS


def scaled(x):
    y = dpnp.empty_like(x)
    for i in prange(x.size):
        y[i] = 2 * x[i]
    return y


def carried(x):
    s = 0.0
    for i in prange(x.size):
        s = 0.5 * s + x[i]
    return s


def two_operations(x):
    s = 1.0
    for i in prange(x.size):
        s += x[i]
        s *= 2
    return s


def truth_of_numbers(x):
    s = 5
    for i in prange(x.size):
        s = s and x[i] > 1
    return s


def read_in_loop(x):
    s = 0.0
    for i in prange(x.size):
        s += x[i]
        x[i] = s
    return s


def read_after(x):
    for i in prange(x.size):
        y = x[i]
    return y


def counter_after(x):
    for i in prange(x.size):
        x[i] = 0
    return i


def breaks(x):
    for i in prange(x.size):
        if x[i] > 1:
            break


def returns(x):
    for i in prange(x.size):
        if x[i] > 1:
            return i


def has_else(x):
    for i in prange(x.size):
        x[i] = 1
    else:
        x[0] = 2


def generator(x):
    yield x


def undefined(x):
    for i in prange(x.size):
        x[i] = unknown_function(x[i])  # noqa: F821


def wrong_operands(x):
    for i in prange(x.size):
        x[i] = x[i] + "text"


def zero_step(x):
    for i in prange(0, x.size, 0):
        x[i] = 1


def too_many_indices(x):
    for i in prange(x.size):
        x[i, 0] = 1


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (carried, TypingError, "'s' is carried from one iteration"),
        (two_operations, TypingError, "'s' is carried"),
        (truth_of_numbers, TypingError, "must be a bool"),
        (read_in_loop, TypingError, "'s' is carried"),
        (read_after, TypingError, "'y' is assigned by the iterations"),
        (counter_after, TypingError, "'i' is assigned by the iterations"),
        (breaks, TypingError, "break cannot leave"),
        (returns, TypingError, "return cannot leave"),
        (has_else, TypingError, "no else"),
        (generator, TypingError, "generators"),
        (undefined, NameError, "unknown_function"),
        (wrong_operands, TypingError, "operator"),
        (zero_step, ValueError, "step must not be zero"),
        (too_many_indices, IndexError, "2 indices for an array of 1"),
    ],
)
def test_wrong_programs(function, error, message):
    with pytest.raises(error, match=message) as raised:
        dpjit(function)(dpnp.ones(5))
    first = function.__code__.co_firstlineno
    if hasattr(raised.value, "lineno"):
        assert first < raised.value.lineno <= first + 5
        assert raised.value.filename == __file__


def test_type_errors_are_typing_errors():
    with pytest.raises(TypingError):
        dpjit(scaled)(np.ones(4))
    with pytest.raises(TypingError):
        dpjit(scaled)()


def calls_a_number(x):
    n = x.size
    return n(x)


def adds_to_none(x):
    y = None
    for i in range(3):
        x[i] = y + 1


def unpacks_a_number(x):
    for i in range(3):
        first, _ = x[i]
        x[i] = first


def has_a_float_as_bound(x):
    x[0] = 2
    for i in prange(2.5):
        x[i] = 1


@pytest.mark.parametrize("function", [calls_a_number, adds_to_none, unpacks_a_number, has_a_float_as_bound])
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_tracebacks_of_typing_errors_end_at_the_line(function):
    with pytest.raises(TypingError) as raised:
        dpjit(function)(dpnp.ones(3))
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert last.filename == __file__
    assert last.lineno == function.__code__.co_firstlineno + (3 if function is adds_to_none else 2)


def test_an_unassigned_variable():
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'nothing'"):
        dpjit(reads_nothing)(dpnp.ones(3))


def reads_nothing(x):
    for i in range(x.size):
        x[i] = nothing  # noqa: F821
        nothing = 2  # noqa: F841


class OutOfBounds(Exception):
    pass


def raises_own(x):
    for i in range(x.size):
        if x[i] > 2:
            raise OutOfBounds("too large")


def raises_value_error(x):
    for i in prange(x.size):
        if x[i] == 3:
            raise ValueError("three")


def asserts(x):
    total = 0
    for i in prange(x.size):
        total += i
        assert x[i] < 3, "not small"
    return total


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (raises_own, OutOfBounds, "too large"),
        (raises_value_error, ValueError, "three"),
        (asserts, AssertionError, "not small"),
    ],
)
def test_exceptions_of_loops_are_raised(function, error, message):
    with pytest.raises(error, match=message):
        dpjit(function)(dpnp.arange(5.0))
    x = dpnp.arange(2.0)
    dpjit(function)(x)
    x.sycl_queue.wait()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.function.__name__)
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_rows(row):
    arrays = {VECTOR: dpnp.arange(5.0), MATRIX: dpnp.ones((4, 3))}
    given = [arrays.get(each, each) if isinstance(each, str) else each for each in row.arguments]
    with pytest.raises(row.error) as raised:
        dpjit(row.function)(*given)
        given[0].sycl_queue.wait()  # errors of loops that nothing waits for
    assert row.phrase in str(raised.value)
    if row.has_line:
        lines = {line for _, _, line in row.function.__code__.co_lines() if line}
        assert raised.value.lineno in lines
        assert raised.value.filename == row.function.__code__.co_filename
