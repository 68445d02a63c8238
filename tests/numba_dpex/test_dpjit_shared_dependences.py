"""Dependences between iterations that are easily overlooked where work-items share loops."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from shared_loops import M, as_on_gpus, forms_of, matrix
from test_dpjit import check


def two_divisions(a, b):
    for _ in prange(1):
        for j in range(a.size):
            a[j] = j
        for j in range(a.size):
            a[j] *= 2
            if j < b.size:
                b[j] = a[j]


def bound_that_is_stored(a):
    for i in prange(a.shape[0]):
        for j in range(a[i, 0], a.shape[1]):
            a[i, j] = 7


def bound_of_one_vector(u, n):
    for j in range(u[0], n):
        u[j] = 5


def bounds_that_differ(u, a):
    for _ in range(3):
        for j in range(u[0], a.size):
            a[j] = a[j] * 2 + 1
        u[0] += 1
        for j in range(u[0], a.size):
            a[j] += 3


def mixed_updates(x, n):
    for _ in prange(1):
        for j in range(n):
            x[0] += j
            x[0] *= 2
        for j in range(n):
            x[1] |= j
            x[1] &= 3 * j
        for j in range(n):
            x[2 + j % 3] **= j % 3


def size_that_changes(a, b, c, n):
    for j in range(n):
        v = c if j % 2 == 0 else b
        a[j + v.size] = j


def narrow_bounds(s, e, out):
    for i in prange(s.shape[0]):
        for j in range(s[i], e[i]):
            out[i, j] = i + j


def narrow_step(s, out):
    for i in prange(s.shape[0]):
        for j in range(0, out.shape[1], s[i]):
            out[i, j] = i + 1


def flags(a, found, out):
    for i in prange(a.shape[0]):
        if found[0] == 0:
            for j in range(a.shape[1]):
                out[i, j] = a[i, j]
            if a[i, 0] > 1000:
                found[0] = 1


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (two_divisions, (np.zeros(300), np.zeros(10))),
        (bound_that_is_stored, (matrix(9, 500, "i8") % 5,)),
        (bound_of_one_vector, (matrix(1, 900, "i8")[0] % 3, 900)),
        (bounds_that_differ, (np.array([2]), matrix(1, 700, "i8")[0])),
        (mixed_updates, (np.ones(5, "i8"), 40)),
        (size_that_changes, (np.zeros(3000, "i8"), np.zeros(1), np.zeros(0), 2990)),
        (narrow_bounds, (np.array([0, 3, 100], "i1"), np.array([127, 50, 120], "i1"), np.zeros((3, 1000), "i8"))),
        (narrow_bounds, (np.array([0, 30000], "i2"), np.array([127, 32767], "i2"), np.zeros((2, 32767), "i8"))),
        (narrow_step, (np.array([1, 200, 7], "u1"), np.zeros((3, 5000), "i8"))),
        (narrow_step, (np.array([1, 1 << 20, 7], "i4"), np.zeros((3, 5000), "i8"))),
        (flags, (matrix(), np.zeros(1, "i8"), np.zeros((M, M)))),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_overlooked_dependences(function, arguments):
    check(function, *arguments)


def test_work_items_read_one_value_of_what_others_store():
    assert forms_of(flags)[0] is None


@device_func
def in_place(rows):
    for r in rows:
        r += 1
    return 0


@device_func
def in_place_by_a_tuple(rows):
    r, s = rows, rows
    r += 1
    return s.shape[0]


@device_func
def in_place_by_a_method(rows):
    r = rows.T
    r += 1
    return 0


@device_func
def counting(x):
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    return n


def with_in_place(a, rows):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = in_place(rows)


def with_a_tuple(a, rows):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = in_place_by_a_tuple(rows)


def with_a_method(a, rows):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = in_place_by_a_method(rows)


def with_counting(a):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = counting(a[i, j])


def test_functions_that_change_arrays_in_place_are_not_shared():
    for function in (with_in_place, with_a_tuple, with_a_method):
        assert forms_of(function) == [None, None]
    assert forms_of(with_counting) == ["grid", "grid"]
    check(with_counting, matrix())


@pytest.mark.parametrize("first, last", [(2**63 - 1, 40), (-(2**63), -(2**63) + 2), (2**62, 2**62)])
def test_large_bounds(first, last):
    def counted_from(x, first, last):
        for i in range(first, last):
            x[0] += i

    wanted, ours = np.zeros(4, "i8"), dpnp.zeros(4, "i8")
    with np.errstate(all="ignore"):
        counted_from(wanted, first, last)
    as_on_gpus(dpjit(counted_from), ours, first, last)
    assert (ours.asnumpy() == wanted).all()
