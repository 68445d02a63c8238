"""Sums and updates of elements where work-items share loops: integers in any order, floats as the program allows."""

from __future__ import annotations

import ast

import dpctl
import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.dpjit.rewrite import HostFunction
from shared_loops import as_on_gpus, form_of, forms_of, matrix
from test_dpjit import check


def counted(x, counts, rows):
    for i in range(x.size):
        k = x[i] % counts.size
        counts[k] += 1
        for j in range(rows.shape[1]):
            rows[k, j] -= i * j


def summed(x, sums):
    for i in range(x.size):
        sums[int(x[i]) % sums.size] += x[i] / 3


def rows_with_sums(a, out):
    for i in prange(a.shape[0]):
        total = 0.5
        most = a[i, 0]
        for j in range(a.shape[1]):
            total += a[i, j]
            most = max(most, a[i, j])
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / total + most


def rows_with_counts(a, out):
    for i in prange(a.shape[0]):
        n = 0
        bits = 0
        product = 1
        for j in range(a.shape[0]):
            if a[i, 0] < a[j, 1]:
                n -= 1
            bits ^= j * i
            product *= 2 if j < 20 else 1
        out[i, 0] = n
        out[i, 1] = bits
        out[i, 2] = product


def test_integers_are_added_in_any_order():
    for size in (10, 5000):
        x, counts, rows = matrix(1, size, "i8")[0], np.zeros(7, "i8"), np.zeros((7, 5), "i8")
        check(counted, x, counts, rows)
    check(rows_with_counts, matrix(300, 300, "i8"), np.zeros((300, 3), "i8"))
    made = HostFunction(counted, {"debug": False, "fastmath": frozenset()})
    (loop,) = (each for each in made._tree.body if isinstance(each, ast.For))
    assert form_of(made, loop, None)["integers"] == ["counts", "rows"]


def exact(function, *arguments):
    copies = [each.copy() for each in arguments]
    ours = [dpnp.asarray(each) for each in arguments]
    function(*copies)
    as_on_gpus(dpjit(function), *ours)
    assert all((mine.asnumpy() == theirs).all() for mine, theirs in zip(ours, copies, strict=True))


def test_floats_are_added_in_order():
    """They are, to the last bit; also if an array of integers is updated by floats."""
    exact(summed, np.random.default_rng(1).random(4000) * 100, np.zeros(5))
    exact(summed, np.random.default_rng(2).normal(size=4000) * 100, np.zeros(5, "i8"))
    exact(rows_with_sums, np.random.default_rng(3).random((20, 700)), np.zeros((20, 700)))


def test_floats_with_fastmath():
    check(summed, np.random.default_rng(1).random(4000) * 100, np.zeros(5), compiled=dpjit(fastmath=True)(summed))
    a = np.random.default_rng(3).random((20, 700))
    check(rows_with_sums, a, np.zeros((20, 700)), compiled=dpjit(fastmath=True)(rows_with_sums))
    assert forms_of(rows_with_sums) == ["groups", "groups", "grid"]


def sums(x, y):
    total = 1.0
    most = x[0]
    for i in range(x.size):
        t = x[i] - y[i]
        total += t * t
        most = max(most, t)
    count = 0
    for i in range(1, x.size, 3):
        if x[i] > y[i]:
            count += 1
    return total, most, count


def sum_of_squares(a, k):
    s = a[k, k]
    for j in range(k):
        s -= a[k, j] * a[k, j]
    return s


def changed_in_place(a):
    s = 0.0
    for i in range(a.shape[0]):
        row = a[i // 2]
        row += 1
        s += a[i, 0]
    return s


def test_sums_of_sequential_loops():
    """With fastmath, GPUs add up in parallel; without, in order."""
    for size in (1, 5, 3000):
        x, y = np.random.default_rng(size).random((2, size))
        check(sums, x, y, compiled=dpjit(fastmath=True)(sums))
        copies = dpnp.asarray(x), dpnp.asarray(y)
        assert as_on_gpus(dpjit(sums), *copies)[0] == pytest.approx(sums(x, y)[0], rel=1e-15)
    check(sum_of_squares, matrix(), 60, compiled=dpjit(fastmath=True)(sum_of_squares))
    check(changed_in_place, matrix(40, 6), compiled=dpjit(fastmath=True)(changed_in_place))


def test_sequential_sums_run_in_parallel():
    function = dpjit(fastmath=True)(sum_of_squares)
    as_on_gpus(function, dpnp.asarray(matrix()), 60)
    made = [each for each in function._host.loops if each.inspect_code()]
    assert len(made) == 1 and made[0].is_parallel
    function(dpnp.asarray(matrix()), 60)
    in_both_forms = dpctl.SyclDevice().is_cpu
    assert sum(bool(each.inspect_code()) for each in function._host.loops) == 1 + in_both_forms
