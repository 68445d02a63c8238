# ruff: noqa: F821, F823, F841, RUF059, SIM115
"""Kernels with wrong types, names, operators and calls."""

from __future__ import annotations

import math

import numpy as np
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import TypingError, UndefinedNameError, UnsupportedError
from wrong_programs import GROUPS, LINE, wrong

CONSTANTS = np.arange(4.0)
NUMBER = 3
PAIR = (1, 2)


# Keywords that a function does not have.


@wrong(TypingError, "'local_id'", GROUPS)
def unknown_keyword_of_a_group_function(item, a):
    a[0] = kapi.select_from_group(item.get_group(), a[0], local_id=1)  # wrong


# Work-items.


@wrong(TypingError, "get_global_id")
def nd_item_method_of_an_item(item, a):
    a[item.get_global_id(0)] = 1  # wrong


@wrong(TypingError, "get_id", GROUPS)
def item_method_of_an_nd_item(item, a):
    a[0] = 1
    a[item.get_id(0)] = 1  # wrong


@wrong(TypingError, "get_group")
def group_without_groups(item, a):
    kapi.group_barrier(item.get_group())  # wrong


@wrong(TypingError, "get_ids")
def unknown_item_method(item, a):
    i = item.get_ids(0)  # wrong
    a[i] = 1


@wrong(TypingError, "get_id")
def item_method_without_dimension(item, a):
    a[item.get_id()] = 1  # wrong


@wrong(TypingError, "get_id")
def item_method_with_two_dimensions(item, a):
    a[item.get_id(0, 1)] = 1  # wrong


@wrong(TypingError, "get_id")
def dimension_that_is_a_string(item, a):
    a[item.get_id("x")] = 1  # wrong


@wrong((TypingError, IndexError), "dimension")
def dimension_that_is_not_there(item, a):
    a[0] = 2
    a[item.get_id(1)] = 1  # wrong


@wrong((TypingError, IndexError), "dimension", GROUPS)
def dimension_of_a_group_that_is_not_there(item, a):
    a[item.get_group().get_group_id(3)] = 1  # wrong


@wrong(TypingError, "get_group_size", GROUPS)
def unknown_group_method(item, a):
    g = item.get_group()
    a[0] = g.get_group_size(0)  # wrong


@wrong((TypingError, UnsupportedError), "", LINE)
def attribute_of_an_item_is_set(item, a):
    item.x = 3  # wrong


# Arrays.


@wrong(TypingError, "foo")
def unknown_array_attribute(item, a):
    a[0] = a.foo  # wrong


@wrong(TypingError, "index")
def index_that_is_a_float(item, a):
    a[1.5] = 1  # wrong


@wrong(TypingError, "")
def index_that_is_a_string(item, a):
    a["x"] = 1  # wrong


@wrong((TypingError, IndexError), "")
def too_many_indices(item, a):
    i = item.get_id(0)
    a[i, 0] = 1  # wrong


@wrong(TypingError, "")
def array_stored_in_an_element(item, a):
    a[0] = a  # wrong


@wrong(TypingError, "")
def arithmetic_on_a_whole_array(item, a):
    a[0] = (a + 1)[0]  # wrong


@wrong(TypingError, "")
def array_as_a_condition(item, a):
    if a:  # wrong
        a[0] = 1


@wrong(TypingError, "complex")
def complex_stored_in_a_float(item, a):
    a[0] = 1j  # wrong


@wrong(TypingError, "")
def tuple_stored_in_an_element(item, a):
    a[item.get_id(0)] = (1, 2)  # wrong


@wrong(TypingError, "")
def scalar_is_indexed(item, a):
    x = a[0]
    a[0] = x[1]  # wrong


@wrong(TypingError, "")
def shape_is_set(item, a):
    a.shape = 3  # wrong


@wrong(TypingError, "")
def array_is_called(item, a):
    a[0] = a(0)  # wrong


@wrong(TypingError, "len")
def length_of_a_number(item, a):
    a[0] = len(3)  # wrong


# Names and variables.


@wrong(UndefinedNameError, "missing_function")
def undefined_function(item, a):
    a[0] = missing_function(a[0])  # wrong


@wrong(UndefinedNameError, "missing_value")
def undefined_value(item, a):
    a[0] = missing_value  # wrong


@wrong((UndefinedNameError, TypingError), "later")
def variable_before_its_assignment(item, a):
    a[0] = later  # wrong
    later = 3


@wrong(TypingError, "x")
def variable_of_two_types(item, a):
    x = 1
    if a[0] > 0:
        x = (1, 2)  # wrong
    a[0] = 1


@wrong(TypingError, "x")
def variable_that_is_an_array_and_a_number(item, a):
    x = a
    x = 1  # wrong
    a[0] = x


@wrong((UndefinedNameError, TypingError, UnsupportedError), "NUMBER")
def global_constant_is_changed(item, a):
    NUMBER += 1  # wrong
    a[0] = NUMBER


@wrong((UnsupportedError, TypingError), "CONSTANTS")
def captured_array_is_written(item, a):
    a[0] = 1
    CONSTANTS[0] = 1  # wrong


@wrong((UnsupportedError, TypingError), "")
def captured_tuple_is_written(item, a):
    PAIR[0] = 1  # wrong


@wrong(UnsupportedError, "global")
def global_statement(item, a):
    global NUMBER  # wrong
    NUMBER = 4


@wrong(UnsupportedError, "del")
def variable_is_deleted(item, a):
    x = 1
    del x  # wrong


# Operators.


@wrong(TypingError, "")
def complex_numbers_in_order(item, a):
    if complex(a[0], 2.0) > 1j:  # wrong
        a[0] = 1


@wrong(TypingError, "")
def complex_floor_division(item, a):
    z = complex(a[0], 1.0) // 2  # wrong


@wrong(TypingError, "")
def bits_of_floats(item, a):
    a[0] = a[1] & 2  # wrong


@wrong(TypingError, "")
def shifted_float(item, a):
    a[0] = a[1] << 2  # wrong


@wrong(TypingError, "")
def inverted_float(item, a):
    a[0] = ~a[1]  # wrong


@wrong(TypingError, "")
def float_augmented_with_bits(item, a):
    a[0] |= 1  # wrong


@wrong(TypingError, "")
def string_and_number(item, a):
    a[0] = "a" + 1  # wrong


@wrong(TypingError, "")
def none_and_number(item, a):
    a[0] = None + 1  # wrong


@wrong(TypingError, "")
def tuple_and_number(item, a):
    a[0] = (1, 2) * a[0]  # wrong


@wrong((TypingError, UnsupportedError), "")
def matrix_product(item, a):
    a[0] = a @ a  # wrong


@wrong((TypingError, UnsupportedError), "")
def membership(item, a):
    if a[0] in a:  # wrong
        a[0] = 1


# Calls.


@wrong(TypingError, "")
def number_is_called(item, a):
    x = 1.0
    a[0] = x()  # wrong


@wrong(TypingError, "sqrt")
def root_of_a_string(item, a):
    a[0] = math.sqrt("x")  # wrong


@wrong(TypingError, "sqrt")
def root_without_an_argument(item, a):
    a[0] = math.sqrt()  # wrong


@wrong(TypingError, "sqrt")
def real_root_of_a_complex_number(item, a):
    z = math.sqrt(1j)  # wrong


@wrong((TypingError, UnsupportedError, UndefinedNameError), "squirt")
def unknown_function_of_a_module(item, a):
    a[0] = math.squirt(2.0)  # wrong


@wrong((TypingError, UnsupportedError), "")
def array_function_of_numpy(item, a):
    b = np.zeros(3)  # wrong


@wrong((TypingError, UnsupportedError), "")
def linear_algebra(item, a):
    a[0] = np.linalg.norm(a)  # wrong


@wrong(TypingError, "")
def integer_of_a_complex_number(item, a):
    a[0] = int(1j)  # wrong


@wrong(TypingError, "")
def range_of_a_float(item, a):
    for k in range(1.5):  # wrong
        a[k] = 1


@wrong(TypingError, "")
def range_without_an_argument(item, a):
    for k in range():  # wrong
        a[k] = 1


@wrong(TypingError, "")
def loop_over_a_number(item, a):
    for k in 3:  # wrong
        a[k] = 1


@wrong(TypingError, "min")
def least_of_nothing(item, a):
    a[0] = min()  # wrong


@wrong(TypingError, "abs")
def absolute_string(item, a):
    a[0] = abs("x")  # wrong


@wrong((TypingError, IndexError), "")
def tuple_index_that_is_not_there(item, a):
    t = (1, 2)
    a[0] = t[5]  # wrong


@wrong(ValueError, "unpack")
def more_names_than_values(item, a):
    x, y, z = (1, 2)  # wrong


@wrong(TypingError, "")
def number_is_unpacked(item, a):
    x, y = 3  # wrong


@wrong((TypingError, UnsupportedError), "")
def builtin_of_the_host(item, a):
    a[0] = open("file")  # wrong


@wrong((TypingError, UnsupportedError), "")
def conversion_of_a_string(item, a):
    a[0] = float("1.5")  # wrong


# kernel_api.


@wrong(TypingError, "constant")
def private_array_of_variable_size(item, a):
    p = kapi.PrivateArray(item.get_id(0), a.dtype)  # wrong


@wrong(TypingError, "")
def private_array_of_no_type(item, a):
    p = kapi.PrivateArray(4, "rubbish")  # wrong


@wrong(TypingError, "AtomicRef")
def reference_to_a_number(item, a):
    v = kapi.AtomicRef(a[0], 0)  # wrong


@wrong(TypingError, "fetch_add")
def atomic_with_another_type(item, a):
    v = kapi.AtomicRef(a, 0)
    v.fetch_add(np.int32(1))  # wrong


@wrong(TypingError, "fetch_and")
def atomic_bits_of_floats(item, a):
    v = kapi.AtomicRef(a, 0)
    v.fetch_and(a[1])  # wrong


@wrong(TypingError, "fetch_mul")
def unknown_atomic(item, a):
    kapi.AtomicRef(a, 0).fetch_mul(a[1])  # wrong


@wrong(TypingError, "")
def local_reference_to_global_memory(item, a):
    v = kapi.AtomicRef(a, 0, address_space=kapi.AddressSpace.LOCAL)  # wrong
    v.fetch_add(a[1])


@wrong(TypingError, "group_barrier", GROUPS)
def barrier_of_a_work_item(item, a):
    kapi.group_barrier(item)  # wrong


@wrong(TypingError, "group_barrier", GROUPS)
def barrier_of_nothing(item, a):
    kapi.group_barrier()  # wrong


@wrong(TypingError, "", GROUPS)
def reduction_with_no_operation(item, a):
    a[0] = kapi.reduce_over_group(item.get_group(), a[0], "sum")  # wrong


@wrong(TypingError, "", GROUPS)
def reduction_of_an_array(item, a):
    a[0] = kapi.reduce_over_group(item.get_group(), a, kapi.plus)  # wrong


@wrong(TypingError, "atomic_fence() takes 2 arguments, got 0")
def fence_of_no_order(item, a):
    kapi.atomic_fence()  # wrong


@wrong(TypingError, "a conditional expression's values must be of one type")
def chosen_tuple_or_number(item, a):
    x = (1, 2) if a[0] > 0 else 3  # wrong
    a[0] = x


@wrong(TypingError, "must be an integer", GROUPS)
def broadcast_from_a_float(item, a):
    a[0] = kapi.group_broadcast(item.get_group(), a[0], 1.5)  # wrong


@wrong(TypingError, "an index must be an integer")
def index_that_is_an_item(item, a):
    a[item] = 1  # wrong


@wrong(ValueError, "step must not be zero")
def slice_that_goes_nowhere(item, a):
    b = a[::0]  # wrong
    a[0] = b[0]


@wrong(IndexError, "out of range")
def extent_that_is_not_there(item, a):
    a[0] = a.shape[1]  # wrong


@wrong(ValueError, "must not be negative")
def private_array_of_less_than_nothing(item, a):
    own = kapi.PrivateArray(-4, np.float32)  # wrong
    a[0] = own[0]


@wrong(ValueError, "64 bits")
def literal_that_is_too_large(item, a):
    a[0] = 99999999999999999999999  # wrong


@wrong(TypingError, "round() takes an integer")
def rounded_to_complex_digits(item, a):
    a[0] = round(a[1], 1j)  # wrong


@wrong(UnsupportedError, "no method 'sum'")
def array_is_summed(item, a):
    a[0] = a.sum()  # wrong
