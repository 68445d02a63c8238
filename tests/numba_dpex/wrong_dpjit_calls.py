# ruff: noqa: F401
"""Wrong dpjit functions: calls and methods."""

from __future__ import annotations

import math

import dpnp
from numba_dpex import device_func, prange
from numba_dpex.core.exceptions import TypingError, UndefinedNameError, UnsupportedError
from wrong_functions import VECTOR, wrong


def undecorated(x):
    return x


@device_func
def twice(x):
    return 2 * x


@device_func
def adds_text(x):
    return x + "text"


@device_func
def endless(x):
    return endless(x)


@device_func
def of_positive(x):
    if x > 0:
        return 2 * x


@wrong(TypeError, "of_positive() ended without returning a value, and its result is", VECTOR)
def result_of_a_function_without_one(a):
    for i in prange(2):
        a[i] = of_positive(a[i] - 100)


@wrong(TypingError, "i is int, which cannot be called", VECTOR, has_line=True)
def calls_a_number(a):
    for i in prange(2):
        a[i] = i(3)


@wrong(TypingError, "a is a 1-dimensional array of float64, which cannot be calle", VECTOR, has_line=True)
def calls_an_array(a):
    for i in prange(2):
        a[i] = a(3)


@wrong(TypingError, "undecorated is a Python function that is not decorated with ", VECTOR, has_line=True)
def undecorated_function(a):
    for i in prange(2):
        a[i] = undecorated(a[i])


@wrong(UnsupportedError, "float64 has no method 'sqrt' in kernels", VECTOR, has_line=True)
def method_of_a_number(a):
    for i in prange(2):
        a[i] = a[i].sqrt()


@wrong(UndefinedNameError, "int has no attribute 'nothing' in kernels", VECTOR, has_line=True)
def attribute_of_a_number(a):
    for i in prange(2):
        a[i] = i.nothing


@wrong(AttributeError, "'dpnp.ndarray' object has no attribute 'nothing'", VECTOR)
def method_of_an_array(a):
    for i in prange(2):
        a[i] = a.nothing()


@wrong(TypingError, "math.sqrt() takes no keywords in kernels, got 'x': pass the ", VECTOR, has_line=True)
def keyword_of_sqrt(a):
    for i in prange(2):
        a[i] = math.sqrt(x=a[i])


@wrong(TypingError, "twice() is missing its argument 'x'", VECTOR, has_line=True)
def device_function_too_few(a):
    for i in prange(2):
        a[i] = twice()


@wrong(TypingError, "twice() takes 1 arguments, got 2", VECTOR, has_line=True)
def device_function_too_many(a):
    for i in prange(2):
        a[i] = twice(1, 2)


@wrong(TypingError, "twice() has no parameter 'y'", VECTOR, has_line=True)
def device_function_unknown_keyword(a):
    for i in prange(2):
        a[i] = twice(y=1)


@wrong(TypingError, "twice() got two values for 'x'", VECTOR, has_line=True)
def device_function_given_twice(a):
    for i in prange(2):
        a[i] = twice(1, x=1)


@wrong(TypingError, "operator + is not defined for float64 and str", VECTOR)
def wrong_in_a_device_function(a):
    for i in prange(2):
        a[i] = adds_text(a[i])


@wrong(UnsupportedError, "'endless' calls itself: kernels have no recursion; write a l", VECTOR)
def recursion(a):
    for i in prange(2):
        a[i] = endless(a[i])


@device_func
def scaled(x, y=2, *, by=3, minus):
    return (x + y) * by - minus


@wrong(TypingError, "scaled() is missing its argument 'minus'", VECTOR, has_line=True)
def without_a_keyword(a):
    for i in prange(2):
        a[i] = scaled(1, by=2)


@wrong(TypingError, "scaled() takes 2 positional arguments, got 3", VECTOR, has_line=True)
def keyword_by_position(a):
    for i in prange(2):
        a[i] = scaled(1, 2, 3, minus=1)
