# ruff: noqa: B007, B016, F821, RUF059
"""Wrong dpjit functions: statements and expressions that loops do not have, and exceptions."""

from __future__ import annotations

from numba_dpex import prange
from numba_dpex.core.exceptions import TypingError, UndefinedNameError, UnsupportedError
from wrong_functions import VECTOR, wrong


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


@wrong(UnsupportedError, "prange takes one to three numbers, and no *arguments", VECTOR, has_line=True)
def starred_bounds(a):
    bounds = (0, 2)
    for i in prange(*bounds):
        a[i] = i


@wrong(UnsupportedError, "assignment expressions (:=) are not supported in prange: writ", VECTOR, has_line=True)
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
