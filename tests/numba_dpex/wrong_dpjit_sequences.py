# ruff: noqa: B007, F401, F841, RUF059
"""Wrong dpjit functions: loops over sequences, and tuples."""

from __future__ import annotations

import dpnp
from numba_dpex import prange
from numba_dpex.core.exceptions import TypingError
from wrong_functions import VECTOR, wrong


@wrong(TypingError, "'int' object is not iterable", VECTOR)
def zip_of_a_number(a):
    for x, y in zip(a, 3):
        a[0] = x


@wrong(TypingError, "zip() takes a sequence, got 0 arguments", VECTOR, has_line=True)
def zip_of_nothing(a):
    s = 0
    for i in prange(2):
        for x in zip():
            a[0] = x


@wrong(ValueError, "2 values cannot be unpacked into 3 targets: use as many name", VECTOR, has_line=True)
def zip_unpacked_into_three(a):
    for i in prange(2):
        for x, y, z in zip(a, a):
            a[0] = x


@wrong(TypingError, "the result of zip() cannot be reversed: reverse its argument", VECTOR, has_line=True)
def reversed_zip(a):
    for i in prange(2):
        for x, y in reversed(zip(a, a)):
            a[0] = x


@wrong(TypingError, "int cannot be iterated over: use range, a tuple or an array", VECTOR, has_line=True)
def reversed_number(a):
    for i in prange(2):
        for x in reversed(7):
            a[0] = x


@wrong(TypingError, "range's stop must be an integer, got float: convert it with ", VECTOR, has_line=True)
def enumerate_with_a_float_range(a):
    for i in prange(2):
        for k, x in enumerate(range(2.5)):
            a[0] = x


@wrong(TypingError, "enumerate() has no argument 'begin'", VECTOR, has_line=True)
def enumerate_keyword(a):
    for i in prange(2):
        for k, x in enumerate(a, begin=2):
            a[0] = x


@wrong(TypingError, "zip() has no argument 'exact'", VECTOR, has_line=True)
def zip_keyword(a):
    for i in prange(2):
        for x, y in zip(a, a, exact=True):
            a[0] = x


@wrong(TypingError, "None cannot be iterated over: use range, a tuple or an array", VECTOR, has_line=True)
def iterates_over_none(a):
    for i in prange(2):
        for x in None:
            a[0] = x


@wrong(TypingError, "float cannot be iterated over: use range, a tuple or an arra", VECTOR, has_line=True)
def iterates_over_a_float(a):
    for i in prange(2):
        for x in 2.5:
            a[0] = x


@wrong(TypingError, "float64 cannot be iterated over: use range, a tuple or an ar", VECTOR, has_line=True)
def iterates_over_an_element(a):
    for i in prange(2):
        for x in a[i]:
            a[0] = x


@wrong(TypingError, "range's stop must be an integer, got str", VECTOR, has_line=True)
def range_of_text(a):
    for i in prange(2):
        for x in range("3"):
            a[0] = x


@wrong(ValueError, "range's step must not be zero", VECTOR, has_line=True)
def range_step_zero(a):
    for i in prange(2):
        for x in range(0, 3, 0):
            a[0] = x


@wrong(TypingError, 'can only concatenate tuple (not "dpnp.ndarray") to tuple', VECTOR)
def sum_of_a_tuple_and_an_array(a):
    t = (1, 2)
    for i in prange(2):
        a[i] = t + a


@wrong(IndexError, "index 2 is out of range for a tuple of length 2", VECTOR, has_line=True)
def tuple_index_out_of_range(a):
    t = (1, 2)
    for i in prange(2):
        a[i] = t[2]


@wrong(TypingError, "t is tuple(int, int), whose elements cannot be assigned to: ", VECTOR, has_line=True)
def tuple_element_assigned(a):
    t = (1, 2)
    for i in prange(2):
        t[0] = a[i]


@wrong(TypingError, "'t' is tuple(int, int, int) here and tuple(int, int) elsewhe", VECTOR, has_line=True)
def tuple_of_two_lengths(a):
    for i in prange(2):
        t = (1, 2)
        if i:
            t = (1, 2, 3)
        a[i] = t[0]


@wrong(TypingError, "float64 cannot be unpacked: only tuples can be", VECTOR, has_line=True)
def unpacks_a_number(a):
    for i in prange(2):
        x, y = a[i]
        a[i] = x


@wrong(ValueError, "3 values cannot be unpacked into 2 targets: use as many name", VECTOR, has_line=True)
def unpacks_too_many(a):
    for i in prange(2):
        x, y = 1, 2, 3
        a[i] = x
