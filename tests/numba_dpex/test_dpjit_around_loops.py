"""Statements around loops: variables of other types, exceptions, match statements, and functions without source."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.exceptions import UnsupportedError


@dpjit
def with_a_list(x):
    history = []
    for k in range(3):
        for i in prange(x.size):
            x[i] = x[i] + k
        history.append(x.sum())
    return [float(each) for each in history]


@dpjit
def with_other_objects(x, how="sum"):
    numbers, names, kind, part, queue = range(3), {"a": 1}, x.dtype, slice(0, 2), x.sycl_queue
    for i in prange(x.size):
        x[i] = i
    found = x.sum() if how == "sum" else x.max()
    return float(found) + len(numbers) + names["a"] + float(x[part].sum()), dpnp.zeros(1, dtype=kind, sycl_queue=queue)


def test_variables_that_a_loop_does_not_mention_have_any_type():
    assert with_a_list(dpnp.zeros(3)) == [0, 3, 9]
    for how, expected in (("sum", 6 + 3 + 1 + 1), ("max", 3 + 3 + 1 + 1)):
        found, zeros = with_other_objects(dpnp.zeros(4), how)
        assert found == expected and zeros.dtype == np.float64


@dpjit
def in_all_blocks(x, fails):
    t = 1.0
    try:
        for i in prange(x.size):
            t = i * 2.0
            x[i] = t
        if fails:
            raise ValueError("text")
    except ValueError:
        for i in prange(x.size):
            x[i] += 10
    else:
        for i in prange(x.size):
            x[i] += 20
    finally:
        for i in prange(x.size):
            x[i] += 100
    return x


@dpjit
def variables_in_handlers(x, limit):
    last = -1
    n = 0
    try:
        for i in range(x.size):
            last = i
            if x[i] > limit:
                break
        n = last + 1
        x[n]
        last = 50
    except IndexError as error:
        return last, n, type(error).__name__
    return last, n, ""


@dpjit
def returned_through_finally(x):
    total = 0.0
    try:
        for i in range(x.size):
            total += x[i]
        return total
    finally:
        for i in range(x.size):
            x[i] = total


def test_loops_in_try():
    assert in_all_blocks(dpnp.zeros(3), False).tolist() == [120, 122, 124]
    assert in_all_blocks(dpnp.zeros(3), True).tolist() == [110, 112, 114]
    assert variables_in_handlers(dpnp.arange(5.0), 2) == (50, 4, "")
    assert variables_in_handlers(dpnp.arange(5.0), 9) == (4, 5, "IndexError")
    x = dpnp.arange(4.0)
    assert returned_through_finally(x) == 6 and x.tolist() == [6] * 4


@dpjit
def by_mode(x, mode):
    match mode:
        case 0:
            for i in prange(x.size):
                x[i] = 5
        case [first, *rest] if len(rest) == 1:
            for i in range(x.size):
                x[i] = first + i
            return rest[0]
        case {"add": value, **others}:
            for i in prange(x.size):
                x[i] += value
            return len(others)
        case _:
            x += 1
    return -1


def test_loops_in_match():
    for mode, expected, returned in (
        (0, [5, 5, 5], -1),
        ([2, 7], [2, 3, 4], 7),
        ({"add": 4, "b": 1}, [4, 4, 4], 1),
        ("x", [1, 1, 1], -1),
    ):
        x = dpnp.zeros(3)
        assert by_mode(x, mode) == returned and x.tolist() == expected


WITHOUT_SOURCE = """
from numba_dpex import dpjit, prange

@dpjit
def doubled(x, out):
    for i in prange(x.size):
        if x[i] < 0:
            continue
        out[i] = x[i] * 2

@dpjit
def total(x):
    s = 0.0
    for i in prange(x.size):
        s += x[i]
    return s

@dpjit
def whole_arrays(x):
    for k in range(2):
        x = sorted_copy(x)
    return x
"""


def test_functions_without_source():
    space = {"sorted_copy": dpnp.sort}
    exec(WITHOUT_SOURCE, space)
    x, out = dpnp.asarray([1.0, -2.0, 3.0]), dpnp.zeros(3)
    space["doubled"](x, out)
    assert out.tolist() == [2, 0, 6] and space["total"](x) == 2
    with pytest.raises(UnsupportedError, match="'whole_arrays', whose source is not to be found"):
        space["whole_arrays"](x)
