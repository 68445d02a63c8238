"""Updates of elements in parallel loops of dpjit functions: those that iterations share are atomic, and right."""

from __future__ import annotations

import ast

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.dpjit import loops
from numba_dpex.core.dpjit.shared_updates import mark_shared_updates
from test_dpjit import check, values

OWN = [
    ("i", "a[i] += 1"),
    ("i", "a[2 * i + 1] += 1"),
    ("i", "a[-i - 1] += 1"),
    ("i", "a[i, b[i]] += 1"),
    ("i", "a[i, :] += 1"),
    ("i", "a[i, 0] += 1; a[i, 1] += 1"),
    ("i", "a[3 * i] += 1; a[3 * i + 1] += 1; a[3 * i + 2] += 1"),
    ("i", "a[n - i] += 1; b[i] += 1"),
    ("i", "for k in range(3): a[3 * i + k] += 1"),
    ("i", "for k in range(n): a[i * n + k] += 1; a[k + n * i] += 2"),
    ("i", "for k in range(x.shape[1]): a[(i + 1) * x.shape[1] + k] += 1"),
    ("i", "b = zeros(3); b[k] += 1"),
    ("i", "for k in range(5): a[k, i] += 1"),
    ("ij", "a[i, j] += 1"),
    ("ij", "a[j, i, 2] += 1; a[j, i, 1] += 1"),
    ("ij", "a[i * n + j] += 1"),
    ("ij", "for k in range(4): a[(i * n + j) * 4 + k] += 1"),
]
SHARED = [
    ("i", "a[0] += 1"),
    ("i", "a[b[i]] += 1"),
    ("i", "a[i // 2] += 1"),
    ("i", "a[i % 3] += 1"),
    ("i", "a[i] += 1; a[i + 1] += 1"),
    ("i", "a[i, 0] += 1; a[0, i] += 1"),
    ("i", "for k in range(3): a[i + k] += 1"),
    ("i", "for k in range(3): a[i - k] += 1"),
    ("i", "for k in range(3): a[2 * i + k] += 1"),
    ("i", "for k in range(-1, 2): a[3 * i + k] += 1"),
    ("i", "for k in range(m): a[i * n + k] += 1"),
    ("i", "for k in range(i): a[i * k] += 1"),
    ("i", "for k in range(3): a[3 * i + k] += 1\nk = 7"),
    ("i", "a[3 * i + 3] += 1; a[3 * i] += 1"),
    ("i", "k = b[i]; a[i + k] += 1"),
    ("ij", "a[i] += 1"),
    ("ij", "a[i + j] += 1"),
    ("ij", "a[i * m + j] += 1"),
]


def marks(counters, source):
    body = ast.parse(source).body
    bounds = {"i": "m", "j": "n"}
    nest = loops.Nest(
        [ast.Name(each, ast.Store()) for each in counters],
        [(ast.Constant(0), ast.Name(bounds[each], ast.Load()), ast.Constant(1)) for each in counters],
        body,
    )
    mark_shared_updates(nest, lambda node: isinstance(node, ast.Call) and ast.unparse(node.func) == "range")
    updates = [each for s in body for each in ast.walk(s) if isinstance(each, ast.AugAssign)]
    return {hasattr(each, "shared") for each in updates}


@pytest.mark.parametrize(("counters", "source"), OWN)
def test_elements_of_one_iteration_are_updated_without_atomics(counters, source):
    assert marks(counters, source) == {False}


@pytest.mark.parametrize(("counters", "source"), SHARED)
def test_elements_of_several_iterations_are_updated_atomically(counters, source):
    assert marks(counters, source) == {True}


def product_of_polynomials(x, y, result):
    for i in prange(x.size):
        for k in range(y.size):
            result[i + k] += x[i] * y[k]


def overlapping_frames(x, y, result):
    frames = x.size // 4
    for i in prange(frames):
        for k in range(y.size):
            result[i * 2 + k] += x[i] * y[k]


def antidiagonals(x, y, result):
    for i in prange(x.size):
        for k in prange(y.size):
            result[i + k] += x[i] + y[k]


def ends_of_edges(x, y, result):
    for i in prange(x.size):
        result[i] += 0.5 * x[i]
        result[i + 1] += 0.5 * x[i]


@pytest.mark.parametrize("function", [product_of_polynomials, overlapping_frames, antidiagonals, ends_of_edges])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
def test_overlapping_updates(function, dtype):
    for size, other in [(1, 1), (5, 3), (2000, 7), (300, 41)]:
        given = values(size, dtype), values(other, dtype), np.zeros(size + other, dtype)
        check(function, *given, rtol=1e-4 if dtype == "f4" else 1e-9)


def test_dpnp_arrays_that_the_function_makes():
    def histogram_of_sums(x, most):
        counts = dpnp.zeros(2 * most - 1, dtype=dpnp.int32)
        for i in prange(x.size):
            for k in range(x.size):
                counts[x[i] + x[k]] += 1
        return counts

    check(histogram_of_sums, values(301, "i4") % 50, 50)


@dpjit
def sums_of_clusters(points, labels, sums, counts):
    for i in prange(points.shape[0]):
        sums[labels[i]] += points[i]
        counts[labels[i]] += 1


@dpjit
def fixed_slices(total, n):
    for _ in prange(n):
        total[1:3] += 1
        total[:] -= 2


@dpjit
def through_views(points, labels, sums):
    for i in prange(points.shape[0]):
        row = sums[labels[i]]
        row[2] += points[i, 2]
        first = sums[0]
        first += 1


@dpjit
def expressions(points, labels, sums):
    for i in prange(points.shape[0]):
        sums[labels[i]] -= 2 * points[i] + 1


@dpjit
def halves(labels, counts):
    for i in prange(labels.size):
        counts[labels[i]] -= 0.5


@pytest.mark.parametrize("n", [1, 7, 1000, 100_003])
def test_rows_and_slices_that_iterations_share(n: int) -> None:
    random = np.random.default_rng(n)
    points = random.integers(0, 100, (n, 3)).astype("float64")
    labels = random.integers(0, 5, n)
    here, there = dpnp.asarray(points), dpnp.asarray(labels)
    wanted = np.zeros((5, 3))
    np.add.at(wanted, labels, points)
    for _ in range(3):
        sums, counts = dpnp.zeros((5, 3)), dpnp.zeros(5, dtype="int64")
        sums_of_clusters(here, there, sums, counts)
        np.testing.assert_array_equal(dpnp.asnumpy(sums), wanted)
        np.testing.assert_array_equal(dpnp.asnumpy(counts), np.bincount(labels, minlength=5))
        total = dpnp.zeros(4)
        fixed_slices(total, n)
        np.testing.assert_array_equal(dpnp.asnumpy(total), [-2.0 * n, -n, -n, -2.0 * n])
        sums = dpnp.zeros((5, 3))
        through_views(here, there, sums)
        thirds = np.zeros((5, 3))
        thirds[:, 2] = wanted[:, 2]
        thirds[0] += n
        np.testing.assert_array_equal(dpnp.asnumpy(sums), thirds)
        sums = dpnp.zeros((5, 3))
        expressions(here, there, sums)
        np.testing.assert_array_equal(
            dpnp.asnumpy(sums), -2 * wanted - np.bincount(labels, minlength=5)[:, None].astype(float)
        )


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_integers_changed_by_floats_take_the_sum(dtype: str) -> None:
    counts = dpnp.full(3, 100, dtype=dtype)
    labels = np.arange(150) % 3
    halves(dpnp.asarray(labels), counts)
    np.testing.assert_array_equal(dpnp.asnumpy(counts), [50, 50, 50])  # 99.5 is stored as 99
