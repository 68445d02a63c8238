"""Functions that loops and kernels call, with parameters that may be None."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from dpep import _kernel
from numba_dpex import Range, call_kernel, dpjit, kernel, prange
from numba_dpex.core.exceptions import TypingError
from numba_dpex.kernel_api import Item
from test_dpjit import values


def by_statement(v, w=None):
    if w is None:
        w = 1.0
    return v * w


def by_expression(v, w=None):
    w = 1.0 if w is None else w
    return v * w


def by_or(v, w=None):
    w = w or 2
    return v * w


def by_truth(v, w=None):
    if not w:
        w = 4.0
    return v - w


def in_a_chain(v, w=None, *, k=None):
    if w is None and k is None:
        w = 3.0
        k = 2
    elif k is None:
        k = 5
    total = 0.0
    for _ in range(k):
        total += v * w
    return total


def with_a_value_of_another_name(v, w=None):
    first = v * 2 if w is None else w
    if w is None:
        w = first
    return w + first


def after_a_return(v, w=None):
    if v > 0.5:
        return 0.0
    if w is None:
        w = 1
    while w < 5:
        w += 1
    return v * w


FUNCTIONS = [by_statement, by_expression, by_or, by_truth, in_a_chain, with_a_value_of_another_name, after_a_return]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("loop", [range, prange])
@pytest.mark.parametrize("as_on_gpus", [False, True])
def test_functions(function, loop, as_on_gpus):
    called = dpjit(function)
    iterations = loop

    def f(x, result):
        for i in iterations(x.size):
            result[i] = called(x[i])
            result[i] += called(x[i], 3.0) + called(x[i], w=None) + called(x[i], 2)

    def plain(x, result):
        for i in range(x.size):
            result[i] = function(x[i]) + function(x[i], 3.0) + function(x[i], w=None) + function(x[i], 2)

    x = values(300)
    result, wanted = dpnp.zeros(300), np.zeros(300)
    plain(x, wanted)
    before = _kernel.set_loops_as_on_gpus(as_on_gpus)
    try:
        dpjit(f)(dpnp.asarray(x), result)
    finally:
        _kernel.set_loops_as_on_gpus(before)
    np.testing.assert_allclose(dpnp.asnumpy(result), wanted, rtol=1e-12)


@dpjit
def update(out, j, other, into=None):
    if into is None:
        into = other
    into[j] += 1.0


def updates(x, y, n):
    for i in prange(n):
        update(y, i % 3, x)
        update(y, 0, x, y)


def test_updates_of_arrays_are_atomic():
    x, y = dpnp.zeros(3), dpnp.zeros(3)
    dpjit(updates)(x, y, 30_000)
    assert x.tolist() == [10_000.0] * 3
    assert y.tolist() == [30_000.0, 0.0, 0.0]


@kernel
def fill(item: Item, a, w=None):
    if w is None:
        w = 2.0
    a[item.get_id(0)] = w


@kernel
def fill_without_annotations(item, a, w=None):
    if w is None:
        w = 2.0
    a[item.get_id(0)] = w


@pytest.mark.parametrize("fill", [fill, fill_without_annotations])
def test_kernels(fill):
    a = dpnp.zeros(3)
    call_kernel(fill, Range(3), a)
    assert a.tolist() == [2.0] * 3
    call_kernel(fill, Range(3), a, None)
    assert a.tolist() == [2.0] * 3
    call_kernel(fill, Range(3), a, 5)
    assert a.tolist() == [5.0] * 3


def test_assignments_under_conditions_that_are_not_known():
    @dpjit
    def sometimes(v, w=None):
        if v > 2:
            w = 1.0
        return v if w is None else w

    @dpjit
    def f(x):
        for i in prange(x.size):
            x[i] = sometimes(x[i])

    with pytest.raises(TypingError, match="'w' is None, and is assigned float where that depends on a condition"):
        f(dpnp.ones(3))


def test_arithmetic_with_none():
    @dpjit
    def f(a, b=None):
        for i in prange(a.size):
            a[i] = a[i] + b

    with pytest.raises(TypingError, match="'b' is None here"):
        f(dpnp.ones(3))


def test_none_or_a_number_as_a_result():
    @dpjit
    def g(v):
        if v > 0.5:
            return None
        return v

    @dpjit
    def f(x):
        for i in prange(x.size):
            r = g(x[i])
            x[i] = r

    with pytest.raises(TypingError, match=r"'g' returns float64 here and None elsewhere: .*such as nan or -1"):
        f(dpnp.ones(3))
