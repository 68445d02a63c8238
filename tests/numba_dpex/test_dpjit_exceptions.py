"""Exceptions that compiled loops raise: their classes and arguments are those of Python."""

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange


class WithCode(Exception):
    def __init__(self, code):
        super().__init__("code", code)


class Plain(Exception):
    pass


def two_arguments(x):
    for i in range(x.size):
        if i == 3:
            raise ValueError(i, "at")


def own_class(x):
    for i in range(x.size):
        if i == 3:
            raise WithCode(i + 4)


def f_string(x):
    for i in range(x.size):
        if i == 3:
            raise ValueError(f"element {i} of {x.size} {{}}")


def negative(x):
    for i in range(x.size):
        if i == 3:
            raise RuntimeError(f"{i - 10}")


def number(x):
    for i in range(x.size):
        if i == 3:
            raise KeyError(i)


def texts(x):
    for i in range(x.size):
        if i == 3:
            raise Plain("x (in y, z)", "it's {} \\ \n", i)


def braces(x):
    for i in range(x.size):
        if i == 3:
            raise ValueError("{0} {}: (in a, b)")


def class_alone(x):
    for i in range(x.size):
        if i == 3:
            raise IndexError


def assertion(x):
    for i in range(x.size):
        assert i < 3, f"element {i}"


def assertion_of_element(x):
    for i in range(x.size):
        assert i < 3, f"element {x[i]:.2f}"


MESSAGE = "the message of the module {}"


def global_text(x):
    for i in range(x.size):
        if i == 3:
            raise ValueError(MESSAGE)


def assertion_with_global_text(x):
    for i in range(x.size):
        assert i < 3, MESSAGE


def control_characters(x):
    for i in range(x.size):
        if i == 3:
            raise ValueError("a\rb\t'\x7f", i)


def long_text(x):
    for i in range(x.size):
        if i == 3:
            raise ValueError(
                "0123456789012345678901234567890123456789012345678901234567890123456789", "of seventy characters"
            )


def in_parallel(x):
    for i in prange(x.size):
        if x[i] == 3:
            raise ValueError(f"at {i}", i)


FUNCTIONS = [
    two_arguments,
    own_class,
    f_string,
    negative,
    number,
    texts,
    braces,
    class_alone,
    assertion,
    assertion_of_element,
    global_text,
    assertion_with_global_text,
    control_characters,
    long_text,
    in_parallel,
]


def raised_by(function, x):
    with pytest.raises(Exception) as raised:
        function(x)
    # pytest adds the condition to the messages of this file's assertions.
    args = (each.split("\nassert")[0] if isinstance(each, str) else each for each in raised.value.args)
    return type(raised.value), tuple(args)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_as_python(function):
    assert raised_by(dpjit(function), dpnp.arange(6.0)) == raised_by(function, np.arange(6.0))


def test_arguments_that_a_kernel_does_not_have_are_left_out():
    @dpjit
    def function(x):
        for i in range(x.size):
            if x[i] > 2:
                raise ValueError("at %g" % x[i])  # noqa: UP031

    assert raised_by(function, dpnp.arange(6.0)) == (ValueError, ())

    @dpjit
    def with_text(x):
        for i in range(x.size):
            if x[i] > 2:
                raise ValueError("large", x[i])

    assert raised_by(with_text, dpnp.arange(6.0)) == (ValueError, ("large",))
