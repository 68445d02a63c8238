"""Conditions with `and` and `or` in compiled loops: which ones are computed without branches, and their values."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.dpjit.conditions import without_branches
from test_dpjit import check, values

CHANGED = [
    ("x[i] > a and y[i] < b or y[i] < c", "(x[i] > a) & (y[i] < b) | (y[i] < c)"),
    ("(x[i] > a or y[i] < b) and y[i] > c", "((x[i] > a) | (y[i] < b)) & (y[i] > c)"),
    ("not (x[i] > a and x[i] < b) or x[i] == c", "(not (x[i] > a) & (x[i] < b)) | (x[i] == c)"),
    ("x[i] and not y[i] or x[i] != y[i]", "(x[i] != 0) & (not y[i] != 0) | (x[i] != y[i])"),
    ("a <= x[i] < b or x[i] > c and i % 2 == 0", "(a <= x[i]) & (x[i] < b) | (x[i] > c) & (i % 2 == 0)"),
]
KEPT = [
    "x[i] > a and y[i] < b",  # one operator
    "i < a and x[i] > b or i == c",  # an element that may not exist
    "x[i] > a and y[i + 1] < b or y[i] < c",
    "x[i] > a and t > b or x[i] < c",  # a variable that may have no value
    "x[i] > a and f(x[i]) or x[i] < c",
    "x[i] is None or x[i] > a and x[i] < b",
    "a == 'text' and x[i] > b or x[i] < c",
    "N == 1 and (x[i] > b or x[i] < c)",  # a constant
    "x[i] ** 2 > a and x[i] < b or x[i] < c",
]


def made_of(condition):
    loop = ast.parse(f"for i in range(n):\n    if {condition}:\n        t = x[i]\n").body[0]
    (made,) = without_branches([loop], loop, frozenset("nabcxy"))
    return made.body[0].test


@pytest.mark.parametrize(("condition", "wanted"), CHANGED)
def test_conditions_without_branches(condition, wanted):
    assert ast.dump(made_of(condition)) == ast.dump(ast.parse(wanted, mode="eval").body)


@pytest.mark.parametrize("condition", KEPT)
def test_conditions_that_keep_branches(condition):
    assert ast.dump(made_of(condition)) == ast.dump(ast.parse(condition, mode="eval").body)


def counts(x, y, z):
    n = 0
    for i in prange(x.size):
        if (x[i] > 0.5 and y[i] < 0.9) or y[i] < 0.1:
            n += 1
    return n


def sums(x, y, z):
    total = 0.0
    for i in prange(x.size):
        total += x[i] if (x[i] > 0 or y[i] < 0) and not (y[i] > 1 or -1 < x[i] < 1) else y[i]
    return total


def truth_of_elements(x, y, z):
    n = 0
    for i in prange(x.size):
        if (z[i, 0] and not z[i, 1]) or z[i, 0] != z[i, 1]:
            n += 1
    return n


def guarded(x, y, z):
    n = 0
    for i in range(x.size):
        if (i + 1 < x.size and (x[i + 1] > x[i] or y[i] > 0)) or i == 3:
            n += i
            y[i] = n
    return n


def in_while(x, y, z):
    i = 0
    while i < x.size and (x[i] > -1 or x[i] < -2 or i < 5):
        i += 1
    return i


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 100003])
@pytest.mark.parametrize("kind", ["?", "i4", "f8"])
@pytest.mark.parametrize("function", [counts, sums, truth_of_elements, guarded, in_while])
def test_values(function, size, kind):
    z = (np.arange(2 * size).reshape(size, 2) % 3 % 2).astype(kind)
    compiled = dpjit(function)
    for _ in range(2):
        check(function, values(size), values(size)[::-1].copy(), z, compiled=compiled)
