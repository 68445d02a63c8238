"""Wrong dpjit functions: creation of arrays, functions of arrays, truth values."""

from __future__ import annotations

import dpnp
import numba_dpex.kernel_api as kapi
import numpy as np
from numba_dpex import prange
from numba_dpex.core.exceptions import TypingError, UndefinedNameError, UnsupportedError
from wrong_functions import MATRIX, VECTOR, wrong


@wrong(ValueError, "empty: shape must not be negative, got -3", VECTOR)
def creates_negative(a):
    n = -3
    for i in prange(2):
        t = dpnp.zeros(n)
        a[i] = t[0]


@wrong(TypingError, "'str' object cannot be interpreted as an integer", VECTOR)
def creates_text(a):
    for i in prange(2):
        t = dpnp.zeros("x")
        a[i] = t[0]


@wrong(TypingError, "'float7' is not a dtype", VECTOR, has_line=True)
def creates_unknown_dtype(a):
    for i in prange(2):
        t = dpnp.zeros(3, dtype="float7")
        a[i] = t[0]


@wrong(TypingError, "zeros() has no argument 'colour'", VECTOR, has_line=True)
def creates_with_keyword(a):
    for i in prange(2):
        t = dpnp.zeros(3, colour=2)
        a[i] = t[0]


@wrong(IndexError, "index 3 is out of range for axis 0 of length 3", VECTOR, has_line=True)
def creates_beyond_end(a):
    for i in prange(2):
        t = dpnp.zeros(3)
        a[i] = t[3]


@wrong(TypingError, "argmax: a must be a usm_ndarray, got float64", VECTOR)
def argmax_of_a_number(a):
    for i in prange(2):
        a[i] = dpnp.argmax(a[i])


@wrong(TypingError, "norm: An array must be any of supported type, but got str; s", VECTOR)
def norm_of_text(a):
    for i in prange(2):
        a[i] = dpnp.linalg.norm("x")


@wrong(ValueError, "operands of lengths 2 and 3 cannot be broadcast together", MATRIX, has_line=True)
def dot_of_two_lengths(a):
    for i in prange(2):
        a[i, 0] = dpnp.dot(a[i, :2], a[i])


@wrong(ValueError, "ValueError: minimum and maximum of an empty array are not de", VECTOR)
def max_of_empty(a):
    for i in prange(2):
        a[i] = dpnp.max(a[:0])


@wrong(UndefinedNameError, "np has no attribute 'float7' that kernels can use", VECTOR, has_line=True)
def unknown_dtype_call(a):
    for i in prange(2):
        a[i] = np.float7(i)


@wrong(TypingError, "AtomicRef() takes an array, got int", VECTOR, has_line=True)
def atomic_of_a_number(a):
    for i in prange(2):
        kapi.AtomicRef(i, 0).fetch_add(1)


@wrong(UnsupportedError, "kapi.LocalAccessor cannot be called in a kernel: call functi", VECTOR, has_line=True)
def local_memory(a):
    for i in prange(2):
        t = kapi.LocalAccessor(3, "f4")
        a[i] = t[0]


@wrong(TypingError, "a PrivateArray's shape must be a constant integer, got int t", VECTOR, has_line=True)
def private_of_variable_size(a):
    for i in prange(2):
        t = kapi.PrivateArray(i, "f4")
        a[i] = t[0]


@wrong(ValueError, "The truth value of an array with more than one element is am", VECTOR)
def while_of_an_array(a):
    for i in prange(2):
        while a:
            a[i] = 0


@wrong(ValueError, "The truth value of an array with more than one element is am", MATRIX)
def if_of_a_row(a):
    for i in prange(2):
        if a[i] > 0:
            a[i, 0] = 0


@wrong(TypingError, "a conditional expression's values must be of one type, got a", MATRIX, has_line=True)
def ternary_of_row_and_number(a):
    for i in prange(2):
        x = a[i] if i else 3
        a[i, 0] = x
