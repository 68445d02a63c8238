"""Variables of dpjit functions around loops: after exceptions, in closures, and where they may have no value."""

from contextlib import suppress

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange

# ruff: noqa: B007, B023, E731, F811, F821, F841, SIM105


def raised_in_try(x):
    s = 0
    try:
        for i in range(x.size):
            s = i
            if x[i] > 2:
                raise ValueError
    except ValueError:
        pass
    return s


def counter_in_handler(x):
    try:
        for i in range(x.size):
            if x[i] > 2:
                raise ValueError
    except ValueError:
        return i


def suppressed(x):
    m = 0
    with suppress(ValueError):
        while True:
            m += 1
            if m > 4:
                raise ValueError
    return m


def failed_assertion(x):
    m = 0
    try:
        for i in range(x.size):
            m += 2
            assert x[i] < 2
    except AssertionError:
        pass
    return m


@dpjit
def fails(v):
    if v > 2:
        raise ValueError
    return v


def raised_by_a_function(x):
    n = 0
    try:
        for i in range(x.size):
            n += 1
            fails(x[i])
    except ValueError:
        pass
    return n


def wrong_shape(x):
    m = 0
    try:
        for i in range(3):
            m = i
            x[0:2] = x[0 : i + 2]
    except ValueError:
        return m, 7
    return m, -1


def else_of_for(x):
    for j in range(3):
        if x[j] > 1:
            break
    else:
        z = 1
    for i in range(x.size):
        z = i
    return z


def else_of_while(x):
    j = 0
    while j < 3:
        if x[j] > 1:
            break
        j += 1
    else:
        z = 1
    for i in range(x.size):
        z = i
    return z


def in_a_suppressing_with(x):
    with suppress(ValueError):
        int("a")
        z = 1
    for i in range(x.size):
        z = i
    return z


def annotated(x):
    z: int
    for i in range(x.size):
        z = i
    return z


def in_a_condition(x):
    x.size > 9 and (z := 3)
    for i in range(x.size):
        z = i
    return z


def in_a_conditional_expression(x):
    w = (z := 3) if x.size > 9 else 0
    for i in range(x.size):
        z = i
    return z


def deleted(x):
    z = 1
    del z
    for i in range(x.size):
        z = i
    return z


def name_of_exception(x):
    z = 0
    try:
        int("a")
    except ValueError as z:
        pass
    for i in range(x.size):
        z = i
    return z


def in_try_star(x):
    try:
        int("a")
        z = 1
    except* ValueError:
        pass
    for i in range(x.size):
        z = i
    return z


def deleted_module(x):
    import math as z

    del z
    for i in range(x.size):
        z = i
    return z


def read_after_deletion(x):
    a = 1
    del a
    found = []
    for i in range(x.size):
        found.append(i)
    return a


def continue_in_else(x):
    found = []
    for i in range(x.size):
        for j in range(3):
            if x[i] + j > 4:
                break
        else:
            continue
        found.append(i)
    return found


def break_in_else(x):
    found = []
    for i in range(x.size):
        j = 0
        while j < 3:
            if x[i] + j > 4:
                break
            j += 1
        else:
            if x[i] > 1:
                break
        found.append(i)
    return found


def lambda_in_list(x):
    y = 0
    fs = [lambda: y]
    for i in range(x.size):
        y += i
    return fs[0]()


def other_name_of_lambda(x):
    y = 0
    g = lambda: y
    h = g
    for i in range(x.size):
        y += i
    return h()


def generator(x):
    y = 1
    g = (y * k for k in range(3))
    for i in range(x.size):
        y += i
    return list(g)


def lambdas_made_in_loop(x):
    out = []
    n = 0
    for k in range(3):
        out.append(lambda: n)
        for i in range(x.size):
            n += 1
    return [f() for f in out]


def counter_in_function(x):
    def g():
        return y

    for y in range(x.size):
        pass
    return g()


def comprehension_in_index(x):
    k = 0
    for i in range(x.size):
        k += i
    x[sum(1 for k in range(2))] = 1.0
    return k


def assignment_in_index(x):
    k = 0
    for i in range(x.size):
        k += i
    x[(k := 1) if x[0] > 7 else 0] = 3.0
    return k, float(x[0])


FUNCTIONS = [
    raised_in_try,
    counter_in_handler,
    suppressed,
    failed_assertion,
    raised_by_a_function,
    wrong_shape,
    else_of_for,
    else_of_while,
    in_a_suppressing_with,
    annotated,
    in_a_condition,
    in_a_conditional_expression,
    deleted,
    name_of_exception,
    in_try_star,
    deleted_module,
    read_after_deletion,
    continue_in_else,
    break_in_else,
    lambda_in_list,
    other_name_of_lambda,
    generator,
    lambdas_made_in_loop,
    counter_in_function,
    comprehension_in_index,
    assignment_in_index,
]


def outcome(function, x):
    try:
        return function(x)
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_as_python(function):
    assert outcome(dpjit(function), dpnp.arange(5.0)) == outcome(function, np.arange(5.0))


@dpjit
def sum_in_try(x):
    total = 0.0
    try:
        for i in prange(x.size):
            total += fails(x[i])
    except ValueError:
        total = -1.0
    return total


def test_parallel_loops_in_try_are_compiled():
    assert sum_in_try(dpnp.full(1000, 2.0)) == 2000
    assert len(sum_in_try.inspect_llvm()) > 0
    assert sum_in_try(dpnp.full(1000, 3.0)) == -1


# --- loops that use lists and dictionaries


def appended(x):
    found = []
    for i in range(x.size):
        for k in range(3):
            found.append(i * k)
    return sum(found), len(found)


def counted(x):
    counts = {}
    for i in range(x.size):
        for k in range(2):
            key = int(x[i]) % 3
            counts[key] = counts.get(key, 0) + k
    return sorted(counts.items())


def list_that_becomes_an_array(x):
    y = [1.0, 2.0]
    total = 0.0
    for _ in range(2):
        y = x + 1
        for i in range(x.size):
            total += y[i]
    return total


def characters(x):
    seen = ""
    for i in range(x.size):
        for c in "abc":
            if c == "b" and i > 1:
                seen += c
    return seen


@pytest.mark.parametrize("function", [appended, counted, list_that_becomes_an_array, characters])
@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_loops_that_use_containers(function):
    compiled = dpjit(function)
    for _ in range(2):
        assert compiled(dpnp.arange(5.0)) == function(np.arange(5.0))


@dpjit
def filled(a, b):
    for i in range(b.size):
        for k in range(2):
            a[i] += b[i] * k
    return a


@pytest.mark.filterwarnings("ignore::numba_dpex.core.exceptions.NumbaDpexPerformanceWarning")
def test_a_list_in_one_call_and_an_array_in_the_next():
    b = dpnp.arange(3.0)
    for _ in range(2):
        assert [float(each) for each in filled([0.0, 1.0, 2.0], b)] == [0.0, 2.0, 4.0]
        assert filled(dpnp.arange(3.0), b).asnumpy().tolist() == [0.0, 2.0, 4.0]
