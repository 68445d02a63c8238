# ruff: noqa: B007, F401, B016, F821, F841, RUF059
"""More wrong dpjit functions, each with its exception, a part of the message, and whether it names the line."""

from __future__ import annotations

import math

import dpep
import dpnp
import numba_dpex.kernel_api as kapi
import numpy as np
from numba_dpex import device_func, prange
from numba_dpex.core.exceptions import TypingError, UndefinedNameError, UnsupportedError
from wrong_functions import MATRIX, VECTOR, wrong

GREETING = "hello"
NUMBERS = [1, 2]
SETTINGS = {"x": 1}


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


@wrong(TypingError, "an index must be an integer, got str", VECTOR, has_line=True)
def index_is_text(a):
    for i in prange(2):
        a["x"] = 1


@wrong(ValueError, "assign: shape (1, 5) cannot be broadcast to ()", VECTOR)
def index_is_none_value(a):
    for i in prange(2):
        a[i] = a[i] + a[None]


@wrong(TypingError, "an index must be an integer, got complex: convert it with in", VECTOR, has_line=True)
def index_is_complex(a):
    for i in prange(2):
        a[1j] = 1


@wrong(IndexError, "index: arrays used as indices must be of integers or bools, ", VECTOR)
def index_is_an_array(a):
    for i in prange(2):
        a[i] = a[a]


@wrong(ValueError, "a slice's step must not be zero", VECTOR, has_line=True)
def slice_step_zero(a):
    for i in prange(2):
        a[::0] = 1


@wrong(TypingError, "a slice's bound must be an integer, got float: convert it wi", VECTOR, has_line=True)
def slice_bound_is_a_float(a):
    for i in prange(2):
        a[:2.5] = 1


@wrong(IndexError, "an index can contain only one ellipsis (...)", MATRIX, has_line=True)
def two_ellipses(a):
    for i in prange(2):
        a[..., ...] = 1


@wrong(ValueError, "assign: shape (3,) cannot be broadcast to (2,)", VECTOR)
def slices_of_two_lengths(a):
    for i in prange(2):
        a[:2] = a[:3] * 2


@wrong(dpep.Error, "ValueError: a tuple is assigned to a slice of another length", VECTOR)
def tuple_into_a_slice(a):
    for i in prange(2):
        a[:2] = (1, 2, 3)


@wrong(ValueError, "operands of lengths 2 and 3 cannot be broadcast together", MATRIX, has_line=True)
def rows_of_two_lengths(a):
    for i in prange(2):
        a[i] = a[i, :2] + a[i, :3]


@wrong(ValueError, "a 2-dimensional array of float64 cannot be assigned to a 1-d", MATRIX, has_line=True)
def matrix_into_a_row(a):
    for i in prange(2):
        a[i] = a * 2


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


@wrong(UnsupportedError, "Set is not part of the kernel language: use tuples", VECTOR, has_line=True)
def set_display(a):
    for i in prange(2):
        a[i] = len({1, 2})


@wrong(UnsupportedError, "ListComp is not part of the kernel language: write a loop th", VECTOR, has_line=True)
def comprehension(a):
    for i in prange(2):
        a[i] = sum([x for x in a])


@wrong(UnsupportedError, "GeneratorExp is not part of the kernel language: write a loo", VECTOR, has_line=True)
def generator_expression(a):
    for i in prange(2):
        a[i] = sum(x for x in a)


@wrong(UnsupportedError, "JoinedStr is not part of the kernel language: print the part", VECTOR, has_line=True)
def f_string(a):
    for i in prange(2):
        a[i] = f"{i}"


@wrong(UnsupportedError, "*y cannot be assigned to: kernels assign to variables and el", VECTOR, has_line=True)
def starred_target(a):
    for i in prange(2):
        x, *y = a
        a[i] = x


@wrong(UnsupportedError, "'y' is carried from one iteration of prange to the next, and", VECTOR, has_line=True)
def walrus(a):
    for i in prange(2):
        a[i] = (y := 3) + y


@wrong(UnsupportedError, 'raise takes an exception by its name, such as ValueError("te', VECTOR, has_line=True)
def raises_a_number(a):
    for i in prange(2):
        raise 3


@wrong(UndefinedNameError, "name 'Unknown' is not defined", VECTOR, has_line=True)
def raises_unknown(a):
    for i in prange(2):
        raise Unknown("x")


@wrong(AssertionError, "too far", VECTOR)
def asserts_false(a):
    for i in prange(2):
        assert i < 1, "too far"


@wrong(OverflowError, "value", VECTOR)
def raises_in_range(a):
    for i in range(3):
        if a[i] > 1:
            raise OverflowError("value")


@wrong(TypingError, "index: elements of an array cannot be deleted", VECTOR)
def deletes_an_element(a):
    for i in prange(2):
        del a[i]


@wrong(UnsupportedError, "dpjit functions do not support generators", VECTOR, has_line=True)
def yield_in_a_loop(a):
    for i in prange(2):
        yield a[i]


@wrong(UnsupportedError, "dpjit functions do not support classes", VECTOR, has_line=True)
def class_in_a_function(a):
    x = 1

    class C:
        pass

    return x


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


@wrong(UndefinedNameError, "'s' is used before it is assigned: assign it on every path t", VECTOR, has_line=True)
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


@wrong(dpep.Error, "ValueError: minimum and maximum of an empty array are not de", VECTOR)
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
