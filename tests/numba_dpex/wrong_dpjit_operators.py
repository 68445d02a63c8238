"""Wrong dpjit functions: operators and functions of numbers."""

from __future__ import annotations

from numba_dpex import prange
from numba_dpex.core.exceptions import TypingError
from wrong_functions import VECTOR, wrong


@wrong(TypingError, "a complex number (complex) cannot be converted to float64: u", VECTOR, has_line=True)
def complex_into_real(a):
    for i in prange(2):
        a[i] = 1j


@wrong(TypingError, "complex numbers cannot be ordered: compare abs(z) or z.real", VECTOR, has_line=True)
def complex_order(a):
    for i in prange(2):
        a[i] = 1 if 1j < 2 else 0


@wrong(TypingError, "operator * is not defined for str and int", VECTOR, has_line=True)
def text_and_number(a):
    for i in prange(2):
        a[i] = "a" * 2


@wrong(TypingError, "operator + is not defined for None and int", VECTOR, has_line=True)
def none_and_number(a):
    for i in prange(2):
        a[i] = None + 1


@wrong(TypingError, "operator << is not defined for float64 and int: it takes int", VECTOR, has_line=True)
def shift_of_a_float(a):
    for i in prange(2):
        a[i] = a[i] << 1


@wrong(TypingError, "operator ~ is not defined for float64", VECTOR, has_line=True)
def invert_a_float(a):
    for i in prange(2):
        a[i] = ~a[i]


@wrong(TypingError, "operator - is not defined for str", VECTOR, has_line=True)
def negative_of_text(a):
    for i in prange(2):
        a[i] = -"x"


@wrong(TypingError, "operator // is not defined for complex numbers: use the real", VECTOR, has_line=True)
def divmod_of_complex(a):
    for i in prange(2):
        a[i] = divmod(1j, 2)[0]


@wrong(TypingError, "min() takes real numbers, got complex and int", VECTOR, has_line=True)
def min_of_complex(a):
    for i in prange(2):
        a[i] = min(1j, 2)


@wrong(TypingError, "min() takes two or more numbers, or a tuple of them", VECTOR, has_line=True)
def min_of_one_number(a):
    for i in prange(2):
        a[i] = min(a[i])


@wrong(TypingError, "int() takes a number, got str", VECTOR, has_line=True)
def int_of_text(a):
    for i in prange(2):
        a[i] = int("3")


@wrong(TypingError, "len() takes an array or a tuple, got int", VECTOR, has_line=True)
def len_of_a_number(a):
    for i in prange(2):
        a[i] = len(i)


@wrong(TypingError, "abs() takes 1 argument, got 2", VECTOR, has_line=True)
def abs_of_two(a):
    for i in prange(2):
        a[i] = abs(1, 2)


@wrong(TypingError, "round() takes an integer as its number of digits, got str", VECTOR, has_line=True)
def round_to_text(a):
    for i in prange(2):
        a[i] = round(a[i], "x")
