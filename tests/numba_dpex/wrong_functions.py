# ruff: noqa: B007, F821, F841
"""Wrong dpjit functions, each with its exception, a part of the message, and whether it names the line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import dpnp
import numba_dpex.kernel_api as kapi
import numpy as np
from numba_dpex import prange
from numba_dpex.core.exceptions import TypingError, UndefinedNameError, UnsupportedError, UnsupportedKernelArgumentError


class Wrong(NamedTuple):
    """A function, its arguments, and what must be raised. has_line: the exception names a line of it."""

    function: Callable
    arguments: tuple
    error: type
    phrase: str
    has_line: bool


ROWS: list[Wrong] = []
VECTOR = "vector"  # dpnp.arange(5.0)
MATRIX = "matrix"  # dpnp.ones((4, 3))


def wrong(error: type, phrase: str, *arguments, has_line: bool = False):
    """Add the decorated function. Names of arrays stand for new ones."""

    def add(function):
        ROWS.append(Wrong(function, arguments, error, phrase, has_line))
        return function

    return add


@wrong(TypingError, "'tuple' object cannot be interpreted as an integ", VECTOR)
def bounds_are_a_tuple(a):
    for i in prange(a.shape):
        a[i] = 1


@wrong(TypingError, "'float' object cannot be interpreted as an integ", VECTOR)
def bounds_are_a_float(a):
    for i in prange(2.5):
        a[0] = 1


@wrong(TypingError, "'str' object cannot be interpreted as an integer", VECTOR)
def bounds_are_text(a):
    for i in prange("3"):
        a[0] = 1


@wrong(TypingError, "range expected at least 1 argument, got 0", VECTOR)
def no_bounds(a):
    for i in prange():
        a[0] = 1


@wrong(TypingError, "range expected at most 3 arguments, got 4", VECTOR)
def four_bounds(a):
    for i in prange(1, 2, 3, 4):
        a[0] = 1


@wrong(TypingError, "prange() got an unexpected keyword argument 'sto", VECTOR)
def bounds_by_keyword(a):
    for i in prange(stop=3):
        a[0] = 1


@wrong(TypingError, "int cannot be unpacked: only tuples can be", VECTOR, has_line=True)
def two_counters(a):
    for i, j in prange(3):
        a[i] = 1


@wrong(TypingError, "a is int, whose elements cannot be assigned to", VECTOR, has_line=True)
def counter_has_the_name_of_an_array(a):
    for a in prange(3):
        a[0] = 1


@wrong(TypingError, "an element of type float64 cannot be assigned tu", VECTOR, has_line=True)
def assigns_a_list(a):
    for i in prange(3):
        a[i] = [1, 2]


@wrong(TypingError, "an element of type float64 cannot be assigned st", VECTOR, has_line=True)
def assigns_text(a):
    for i in prange(3):
        a[i] = "x"


@wrong(TypingError, "an element of type float64 cannot be assigned No", VECTOR, has_line=True)
def assigns_none(a):
    for i in prange(3):
        a[i] = None


@wrong(UnsupportedError, "a.b cannot be assigned to: kernels assign to var", VECTOR, has_line=True)
def assigns_an_attribute(a):
    for i in prange(3):
        a.b = 1


@wrong(UndefinedNameError, "arrays have no attribute 'nothing' in kernels: s", VECTOR, has_line=True)
def unknown_attribute(a):
    for i in prange(3):
        a[i] = a.nothing


@wrong(TypingError, "math.sqrt() takes numbers in kernels, got str", VECTOR, has_line=True)
def text_as_a_number(a):
    for i in prange(3):
        a[i] = math.sqrt("2")


@wrong(UndefinedNameError, "math has no attribute 'nothing' that kernels can", VECTOR, has_line=True)
def unknown_function_of_a_module(a):
    for i in prange(3):
        a[i] = math.nothing(2)


@wrong(TypingError, "sqrt() takes 1 argument, got 3", VECTOR, has_line=True)
def too_many_arguments(a):
    for i in prange(3):
        a[i] = math.sqrt(1, 2, 3)


@wrong(UnsupportedError, "kernels have no matrix multiplication: write the", VECTOR, has_line=True)
def matrix_product_of_numbers(a):
    for i in prange(3):
        a[i] @ a[i]


@wrong(IndexError, "3 indices for an array of 2 dimensions", MATRIX, has_line=True)
def too_many_indices_of_a_matrix(a):
    for i in prange(3):
        a[i, 0, 0] = 1


@wrong(TypingError, "an index must be an integer, got float: convert ", MATRIX, has_line=True)
def index_is_a_float(a):
    for i in prange(3):
        a[i, 2.5] = 1


@wrong(UnsupportedError, "Dict is not part of the kernel language: pass va", VECTOR, has_line=True)
def dictionary(a):
    for i in prange(3):
        a[i] = {1: 2}[1]


@wrong(TypingError, "'dpnp.ndarray' object does not support the conte", VECTOR)
def with_statement(a):
    for i in prange(3):
        with a:
            pass


@wrong(TypingError, "a conditional expression's values must be of one", VECTOR, has_line=True)
def values_of_two_types(a):
    for i in prange(3):
        a[i] = 1 if a[i] else "x"


@wrong(TypingError, "'y' is a 1-dimensional array of float64 here and", VECTOR, has_line=True)
def variable_of_two_types(a):
    for i in prange(3):
        y = 1
        y = a


@wrong(TypingError, "'f' is assigned two different functions, types o", VECTOR, has_line=True)
def variable_is_two_functions(a):
    for i in prange(3):
        f = math.sin
        f = math.cos
        a[i] = f(1)


@wrong(UnsupportedError, "kernels do not support lists: use a tuple, or a ", VECTOR, has_line=True)
def sum_of_a_list(a):
    for i in prange(3):
        a[i] = sum([1, 2])


@wrong(UndefinedNameError, "name 'undefined' is not defined", VECTOR, has_line=True)
def undefined_name(a):
    for i in prange(3):
        print(undefined)


@wrong(UnboundLocalError, "cannot access local variable 'a' where it is not", VECTOR)
def deletes_an_array(a):
    for i in prange(3):
        del a


@wrong(TypingError, "missing_argument() missing 1 required positional argument: 'b", VECTOR)
def missing_argument(a, b):
    return a


@wrong(TypingError, "superfluous_argument() takes 1 positional argument but 2 were giv", VECTOR, 1)
def superfluous_argument(a):
    return a


@wrong(UnsupportedKernelArgumentError, "'a' is a numpy.ndarray: compiled loops take", np.ones(3))
def numpy_array(a):
    for i in prange(3):
        a[i] = 1


@wrong(UnsupportedKernelArgumentError, "'a' is a list: compiled loops take", [1, 2, 3])
def list_as_an_array(a):
    for i in prange(3):
        a[i] = 1


@wrong(UnsupportedKernelArgumentError, "'a' is a str: compiled loops take ", "abc")
def text_as_an_argument(a):
    s = 0
    for i in prange(3):
        s += a
    return s


@wrong(UnsupportedKernelArgumentError, "'s' is a str: compiled loops take ", VECTOR)
def text_is_reduced(a):
    s = "a"
    for i in prange(3):
        s += "b"
    return s


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to t", VECTOR, has_line=True)
def doubles_itself(a):
    s = 0
    for i in prange(a.size):
        s = s + s
    return s


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to t", VECTOR, has_line=True)
def alternating_sum(a):
    s = 0
    for i in prange(a.size):
        s = a[i] - s
    return s


@wrong(UnsupportedError, "'s' is carried from one iteration of prange to t", VECTOR, has_line=True)
def reads_the_sum(a):
    s = 0
    for i in prange(a.size):
        if s < 3:
            s += 1
    return s


@wrong(TypingError, "operator | is not defined for float and int: it ", VECTOR, has_line=True)
def bits_of_a_float(a):
    s = 0.5
    for i in prange(a.size):
        s |= 1
    return s


@wrong(UnsupportedError, "group_barrier needs work-groups: launch the kern", VECTOR, has_line=True)
def barrier(a):
    for i in prange(a.size):
        kapi.group_barrier(a)


@wrong(ValueError, "The truth value of an array with more than one e", VECTOR)
def truth_of_an_array(a):
    while a:
        pass


@wrong(TypingError, "unsupported operand type(s) for +: 'dpnp.ndarray", VECTOR)
def array_and_text(a):
    return a + "x"


@wrong(AttributeError, "module 'dpnp' has no attribute 'nothing'", VECTOR)
def unknown_function(a):
    return dpnp.nothing(a)


@wrong(ValueError, "matmul: the last axis of x1 and the only axis of", VECTOR, MATRIX)
def shapes_do_not_match(a, b):
    return dpnp.dot(b, a)


@wrong(IndexError, "index 10 is out of bounds for axis 0 with size 5", VECTOR)
def index_beyond_the_end(a):
    return a[10]


@wrong(IndexError, "index: 2 indices for an array of 1 dimension(s)", VECTOR)
def two_indices_of_a_vector(a):
    a[0, 0] = 1


@wrong(UnsupportedError, "dpjit functions do not support global statements", VECTOR)
def global_statement(a):
    global q
    q = 1


@wrong(UnsupportedError, "dpjit functions do not support coroutines", VECTOR, has_line=True)
def coroutine(a):
    async def f():
        pass


@wrong(ValueError, "reshape: shape (5,) has 5 elements, but shape (2", VECTOR)
def shape_of_another_size(a):
    return a.reshape(2, 7)


@wrong(OverflowError, "int too big to convert", VECTOR)
def bounds_beyond_64_bits(a):
    for i in prange(10**30):
        a[0] = 1


@wrong(UndefinedNameError, "name 'x2' is not defined", VECTOR, has_line=True)
def undefined_array(a):
    for i in prange(3):
        a[i] = x2[i]


@wrong(UnsupportedError, "break cannot leave a loop over prange, whose ite", VECTOR, has_line=True)
def break_of_an_inner_parallel_loop(a):
    for i in prange(3):
        for j in prange(3):
            break
