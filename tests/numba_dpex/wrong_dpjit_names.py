# ruff: noqa: B007, F401, F821, F841
"""Wrong dpjit functions: names, types and whole programs."""

from __future__ import annotations

import math

import dpnp
import numpy as np
from numba_dpex import device_func, prange
from numba_dpex.core.exceptions import TypingError, UnsupportedError
from wrong_functions import MATRIX, VECTOR, wrong

GREETING = "hello"
NUMBERS = [1, 2]
SETTINGS = {"x": 1}


@device_func
def twice(x):
    return 2 * x


@wrong(TypingError, "an element of type float64 cannot be assigned str", VECTOR, has_line=True)
def global_text(a):
    for i in prange(2):
        a[i] = GREETING


@wrong(TypingError, "NUMBERS is a list, which kernels cannot use: pass arrays and", VECTOR, has_line=True)
def global_list(a):
    for i in prange(2):
        a[i] = NUMBERS[0]


@wrong(TypingError, "SETTINGS is a dict, which kernels cannot use: pass arrays an", VECTOR, has_line=True)
def global_dictionary(a):
    for i in prange(2):
        a[i] = SETTINGS["x"]


@wrong(TypingError, "an element of type float64 cannot be assigned a function, ty", VECTOR, has_line=True)
def module_as_a_number(a):
    for i in prange(2):
        a[i] = math


@wrong(TypingError, "an element of type float64 cannot be assigned a function, ty", VECTOR, has_line=True)
def function_as_a_number(a):
    for i in prange(2):
        a[i] = math.sqrt


@wrong(TypingError, "an element of type float64 cannot be assigned a function, ty", VECTOR, has_line=True)
def type_as_a_number(a):
    for i in prange(2):
        a[i] = float


@wrong(TypingError, "int and str cannot be compared with ==", VECTOR, has_line=True)
def compares_with_text(a):
    for i in prange(2):
        a[i] = i == "x"


@wrong(UnsupportedError, "operator 'in' takes a tuple on its right side, got int: writ", VECTOR, has_line=True)
def chained_in(a):
    for i in prange(2):
        a[i] = 3 in 4


@wrong(UnsupportedError, "range() is available only in for loops: write `for i in rang", VECTOR, has_line=True)
def prange_inside_expression(a):
    for i in prange(2):
        a[i] = len(prange(3))


@wrong(UnsupportedError, "a.shape cannot be assigned to: kernels assign to variables a", VECTOR, has_line=True)
def shape_assigned(a):
    for i in prange(2):
        a.shape = (5,)


@wrong(UnsupportedError, "a.x cannot be assigned to: kernels assign to variables and e", VECTOR, has_line=True)
def augmented_attribute(a):
    for i in prange(2):
        a.x += 1


@wrong(TypingError, "twice is a function, type or module, which cannot be indexed", VECTOR, has_line=True)
def index_of_a_function(a):
    for i in prange(2):
        a[i] = twice[0]


@wrong(ModuleNotFoundError, "No module named 'nothing_at_all'", VECTOR)
def imports_in_a_loop(a):
    for i in prange(2):
        import nothing_at_all

        a[i] = 1


@wrong(np.exceptions.AxisError, "sum: axis 5 is out of bounds for an array of 2 dimensions", MATRIX)
def wrong_axis(a):
    return dpnp.sum(a, axis=5)


@wrong(ValueError, "reshape: shape (4, 3) has 12 elements, but shape (5, 5) has ", MATRIX)
def wrong_reshape_in_call(a):
    return dpnp.reshape(a, (5, 5))


@wrong(AttributeError, "'int' object has no attribute 'nothing'", VECTOR)
def number_method(a):
    return (3).nothing()


@wrong(TypingError, "unsupported operand type(s) for /: 'dpnp.ndarray' and 'NoneT", VECTOR)
def division_of_none(a):
    x = None
    return a / x


@wrong(NameError, "name 'nothing_here' is not defined", VECTOR)
def missing_global(a):
    return nothing_here + a


@wrong(UnboundLocalError, "cannot access local variable 'x' where it is not associated ", VECTOR)
def before_assignment(a):
    y = x + 1
    x = 2
    return y
