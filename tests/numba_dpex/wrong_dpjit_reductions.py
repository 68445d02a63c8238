# ruff: noqa: B007, F841
"""Wrong dpjit functions: reductions, and exits of parallel loops."""

from __future__ import annotations

import dpnp
from numba_dpex import prange
from numba_dpex.core.exceptions import TypingError, UndefinedNameError, UnsupportedError
from wrong_functions import MATRIX, VECTOR, wrong


@wrong(UnsupportedError, "break cannot leave a loop over prange, whose iterations run ", VECTOR, has_line=True)
def inner_break(a):
    for i in prange(2):
        for j in range(2):
            pass
        else:
            break


@wrong(UnsupportedError, "return cannot leave a loop over prange, whose iterations run", VECTOR, has_line=True)
def return_in_inner(a):
    for i in prange(2):
        for j in range(2):
            return 3


@wrong(UnsupportedError, "'y' is assigned by the iterations of prange, which run in an", VECTOR, has_line=True)
def read_after_two(a):
    for i in prange(2):
        x, y = i, i + 1
    return y


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to the next, and", VECTOR, has_line=True)
def two_operations_of_min(a):
    s = 1.0
    for i in prange(2):
        s = min(s, a[i])
        s = max(s, a[i])
    return s


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to the next, and", VECTOR, has_line=True)
def reads_in_condition(a):
    s = 0.0
    for i in prange(2):
        if s > a[i]:
            s += a[i]
    return s


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to the next, and", VECTOR, has_line=True)
def power_reduction(a):
    s = 2.0
    for i in prange(2):
        s **= a[i]
    return s


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to the next, and", VECTOR, has_line=True)
def floor_reduction(a):
    s = 2.0
    for i in prange(2):
        s //= a[i]
    return s


@wrong(TypingError, "operator & is not defined for float and int: it takes intege", VECTOR, has_line=True)
def and_of_a_float(a):
    s = 1.0
    for i in prange(2):
        s &= 1
    return s


@wrong(UndefinedNameError, "'s' has no value before the loop, which reduces it: assign i", VECTOR, has_line=True)
def reduces_none(a):
    s = None
    for i in prange(2):
        s += a[i]
    return s


@wrong(ValueError, "axis 0 of length 3 cannot be assigned to a length of 2", MATRIX, has_line=True)
def reduces_rows_of_another_length(a):
    s = dpnp.zeros(2)
    for i in prange(2):
        s += a[i]
    return s


@wrong(ValueError, "a 2-dimensional array of float64 cannot be assigned to", MATRIX, has_line=True)
def reduces_a_matrix_into_a_row(a):
    s = dpnp.zeros(3)
    for i in prange(2):
        s += a
    return s


@wrong(ValueError, "The truth value of an array with more than one element is am", MATRIX)
def array_and_or(a):
    s = dpnp.zeros(3, dtype="?")
    for i in prange(2):
        s = s or a[i] > 0
    return s


@wrong(UnsupportedError, "'low' is carried from one iteration of prange to the next, an", VECTOR, has_line=True)
def extrema_of_each_other(a):
    low = high = 0.0
    for i in prange(2):
        low, high = min(low, a[i]), max(low, a[i])
    return low + high


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to the next, and", VECTOR, has_line=True)
def choice_of_a_third_value(a):
    s = 1.0
    for i in prange(2):
        s = a[i] if a[i] < s else 3.0
    return s
