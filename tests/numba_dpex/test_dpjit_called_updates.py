"""Updates of elements in functions that parallel loops of dpjit functions call: atomic where iterations share them."""

from __future__ import annotations

import ast

import dpnp
import numpy as np
import pytest
from numba_dpex import device_func, dpjit, prange
from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.shared_updates import mark_shared_updates

THREE = 3


@device_func
def add_at(total, i, x):
    total[i] += x


@device_func
def add_to_row(row, x):
    row[1] += x


@device_func
def add_to_first(total, x):
    total[0] += x


@device_func
def add_with_offset(total, i, x):
    total[i + 1] += x


@device_func
def add_twice(total, i, x):
    add_at(total, i, x)
    add_at(total, i, x=x)


@device_func
def add_to_three(total, i, x):
    for k in range(THREE):
        total[i, k] += x


@device_func
def add_through_a_view(total, i, x):
    row = total[i]
    row[0] += x


@device_func
def reads_only(total, i):
    s = 0.0
    for k in range(3):
        s += total[i + k]
    return s


@device_func
def moved(total, i, x):
    total = total[1:]
    total[i] += x


@device_func
def counts_up(total, i, x):
    i += 1
    total[i] += x


@device_func
def add_to_all_rows(total, x):
    for row in total:
        row += x


@device_func
def add_to_rows_by_a_tuple(total, x):
    row, other = total[0], total[1]
    row += x
    other += x


@device_func
def counts_in_variables(total, i, x):
    n: int = 0
    m, k = 1, 2
    for j in range(3):
        j += 1
        n += j
        m += k
    total[i] += x + n + m


DECORATED = (
    add_to_all_rows,
    add_to_rows_by_a_tuple,
    counts_in_variables,
    add_at,
    add_to_row,
    add_to_first,
    add_with_offset,
    add_twice,
    add_to_three,
    add_through_a_view,
    reads_only,
    moved,
    counts_up,
)
FUNCTIONS = {each.__name__: each for each in DECORATED}
OWN = [
    "add_at(a, i, 1)",
    "add_at(a, 2 * i, 1); add_at(a, 2 * i + 1, 1)",
    "add_at(i=i, x=1, total=a)",
    "add_at(a[i], k, 1)",
    "add_to_row(a[i], 1)",
    "row = a[i]; add_to_row(row, 1)",
    "add_with_offset(a, i, 1)",
    "add_twice(a, i, 1)",
    "add_to_three(a, i, 1)",
    "add_through_a_view(a, i, 1)",
    "x = reads_only(a, i)",
    "counts_in_variables(a, i, 1)",
    "tmp = zeros(3); add_at(tmp, k, 1)",
    "a[i] += 1; add_at(a, i, 1)",
]
SHARED = [
    "add_at(a, b[i], 1)",
    "add_at(a, i // 2, 1)",
    "add_to_row(a[b[i]], 1)",
    "row = a[b[i]]; add_to_row(row, 1)",
    "add_to_first(a, 1)",
    "add_twice(a, b[i], 1)",
    "add_to_three(a, b[i], 1)",
    "add_at(a, i, 1); add_with_offset(a, i, 1)",
    "add_through_a_view(a, b[i], 1)",
    "moved(a, i, 1)",
    "add_to_all_rows(a, 1)",
    "add_to_rows_by_a_tuple(a, 1)",
    "counts_in_variables(a, b[i], 1)",
    "counts_up(a, i, 1)",
    "add_at(*b)",
    "add_at(**b)",
]


def marks(source):
    body = ast.parse(source).body
    nest = loops.Nest(
        [ast.Name("i", ast.Store())], [(ast.Constant(0), ast.Name("n", ast.Load()), ast.Constant(1))], body
    )
    mark_shared_updates(
        nest,
        lambda node: isinstance(node, ast.Call) and ast.unparse(node.func) == "range",
        lambda node: FUNCTIONS.get(ast.unparse(node)),
    )
    calls = [each for s in body for each in ast.walk(s) if isinstance(each, ast.Call)]
    return {hasattr(each, "shared") for each in calls if ast.unparse(each.func) in FUNCTIONS}


@pytest.mark.parametrize("source", OWN)
def test_functions_update_elements_of_one_iteration_without_atomics(source):
    assert marks(source) == {False}


@pytest.mark.parametrize("source", SHARED)
def test_functions_update_elements_of_several_iterations_atomically(source):
    assert marks(source) == {True}


@dpjit
def count(labels, counts):
    for i in prange(labels.size):
        add_at(counts, labels[i], 1)
        add_to_first(counts, 1)


@dpjit
def add_point(sums, label, point):
    for k in range(point.size):
        sums[label, k] += point[k]
    row = sums[label]
    row += point


@dpjit
def sums_of_clusters(points, labels, sums):
    for i in prange(points.shape[0]):
        add_point(sums, labels[i], points[i])


@dpjit
def own_elements(points, result):
    for i in prange(points.shape[0]):
        for k in range(points.shape[1]):
            add_at(result[i], k, points[i, k])


@dpjit
def private(labels, result):
    for i in prange(labels.size):
        seen = dpnp.zeros(5)
        add_at(seen, labels[i], 2)
        add_twice(seen, 0, 1)
        result[i] = seen[labels[i]] + seen[0]


@pytest.mark.parametrize("n", [1, 7, 1000, 100_003])
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_elements_that_iterations_share(n: int, dtype: str) -> None:
    random = np.random.default_rng(n)
    labels = random.integers(0, 5, n)
    points = random.integers(0, 10, (n, 3)).astype(dtype)
    for _ in range(3):
        counts = dpnp.zeros(5, dtype=dtype)
        count(dpnp.asarray(labels), counts)
        wanted = np.bincount(labels, minlength=5)
        wanted[0] += n
        np.testing.assert_array_equal(dpnp.asnumpy(counts), wanted)
        sums, wanted = dpnp.zeros((5, 3), dtype=dtype), np.zeros((5, 3), dtype)
        sums_of_clusters(dpnp.asarray(points), dpnp.asarray(labels), sums)
        np.add.at(wanted, labels, points)
        np.testing.assert_array_equal(dpnp.asnumpy(sums), 2 * wanted)
        result = dpnp.ones((n, 3), dtype=dtype)
        own_elements(dpnp.asarray(points), result)
        np.testing.assert_array_equal(dpnp.asnumpy(result), 1 + points)
        result = dpnp.zeros(n)
        private(dpnp.asarray(labels), result)
        np.testing.assert_array_equal(dpnp.asnumpy(result), np.where(labels == 0, 8, 4))


def test_rows_that_functions_change_in_place():
    @dpjit
    def add_to_rows(n, sums):
        for _ in prange(n):
            add_to_all_rows(sums, 1)
            add_to_rows_by_a_tuple(sums, 2)

    n = 100_003
    for _ in range(3):
        sums = dpnp.zeros((2, 3), dtype="i8")
        add_to_rows(n, sums)
        assert (sums.asnumpy() == 3 * n).all()
