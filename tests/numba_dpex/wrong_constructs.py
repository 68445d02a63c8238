# ruff: noqa: F841, E731, B016
"""Kernels with unsupported constructs, and kernels that return values."""

from __future__ import annotations

import numba_dpex as ndx
from numba_dpex.core.exceptions import KernelHasReturnValueError, TypingError, UnsupportedError
from wrong_programs import wrong

# Device functions and kernels.


@ndx.device_func
def add_two(x, y):
    return x + y


@ndx.device_func
def endless(x):
    return endless(x - 1) + 1  # wrong in both


@ndx.device_func
def one(x):
    return two(x)


@ndx.device_func
def two(x):
    return one(x)


@ndx.kernel
def some_kernel(item, a):
    a[item.get_id(0)] = 1


@wrong(TypingError, "add_two")
def device_function_with_too_few_arguments(item, a):
    a[0] = add_two(1)  # wrong


@wrong(TypingError, "add_two")
def device_function_with_too_many_arguments(item, a):
    a[0] = add_two(1, 2, 3)  # wrong


@wrong(TypingError, "z")
def device_function_with_an_unknown_keyword(item, a):
    a[0] = add_two(1, z=3)  # wrong


@wrong((UnsupportedError, RecursionError), "recurs")
def recursion(item, a):
    a[0] = endless(a[0])


@wrong((UnsupportedError, RecursionError), "recurs")
def mutual_recursion(item, a):
    a[0] = one(a[0])


# Unsupported constructs.


@wrong(UnsupportedError, "list")
def list_of_values(item, a):
    x = [1, 2, 3]  # wrong


@wrong(UnsupportedError, "dict")
def dictionary(item, a):
    x = {1: 2}  # wrong


@wrong(UnsupportedError, "set")
def set_of_values(item, a):
    x = {1, 2}  # wrong


@wrong(UnsupportedError, "comprehension")
def list_comprehension(item, a):
    x = [k for k in range(3)]  # wrong


@wrong(UnsupportedError, "")
def generator_expression(item, a):
    a[0] = sum(k for k in range(3))  # wrong


@wrong(UnsupportedError, "lambda")
def lambda_in_a_kernel(item, a):
    f = lambda x: x  # wrong


@wrong(UnsupportedError, "")
def function_in_a_kernel(item, a):
    def inner(x):  # wrong
        return x

    a[0] = inner(1)


@wrong(UnsupportedError, "class")
def class_in_a_kernel(item, a):
    class Inner:  # wrong
        pass


@wrong(UnsupportedError, "try")
def caught_exception(item, a):
    try:  # wrong
        a[0] = 1
    except ValueError:
        a[0] = 2


@wrong(UnsupportedError, "with")
def with_statement(item, a):
    with a:  # wrong
        a[0] = 1


@wrong(UnsupportedError, "yield")
def generator(item, a):
    yield a[0]  # wrong


@wrong(UnsupportedError, "import")
def import_in_a_kernel(item, a):
    import math as m  # wrong

    a[0] = m.pi


@wrong(UnsupportedError, "")
def formatted_string(item, a):
    s = f"{a[0]}"  # wrong


@wrong(UnsupportedError, "match")
def match_statement(item, a):
    match a[0]:  # wrong
        case 1:
            a[0] = 2


@wrong((UnsupportedError, TypingError), "")
def raised_number(item, a):
    raise 3  # wrong


@wrong((UnsupportedError, TypingError), "print")
def printed_array(item, a):
    print(a)  # wrong


# Returned values.


@wrong(KernelHasReturnValueError, "return")
def returned_number(item, a):
    a[0] = 1
    return 1  # wrong


@wrong(KernelHasReturnValueError, "return")
def value_returned_in_a_branch(item, a):
    if a[0] > 3:
        return
    return a[0]  # wrong


@wrong(KernelHasReturnValueError, "return")
def returned_array(item, a):
    return a  # wrong
