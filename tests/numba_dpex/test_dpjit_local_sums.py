"""Sums in elements of small arrays, which work-groups of GPUs add up in local memory."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from shared_loops import as_on_gpus


def histogram(x, counts):
    for i in prange(x.size):
        counts[x[i]] += 1


def histogram_of_rows(image, counts):
    n, m = image.shape
    for i in prange(n):
        for j in range(m):
            counts[image[i, j]] += 1


def histogram_of_blocks(image, counts):
    n, m = image.shape
    for i in prange(n):
        for j in prange(m):
            if image[i, j] == 3:
                continue
            counts[image[i, j] % 4, i % 3, -1 - j % 5] -= 2


def weighted(x, weights, sums):
    for i in prange(2, x.size, 3):
        sums[x[i]] += weights[i]


def weighted_in_order(x, weights, sums):
    for i in range(x.size):
        sums[x[i]] += weights[i]


def clusters(points, labels, sums, counts):
    for i in range(points.shape[0]):
        c = labels[i]
        counts[c] += 1
        for k in range(points.shape[1]):
            sums[c, k] += points[i, k]


def sums_of_words(x, counts):
    for i in prange(x.size):
        counts[x[i]] += 3
        counts[0] -= 1


def by_halves(x, counts):
    for i in prange(x.size):
        counts[x[i]] += 0.5


def read_too(x, counts, seen):
    for i in prange(x.size):
        counts[x[i]] += 1
        seen[i] = counts.size + counts[0] * 0


def numbers(n, below, low=0, dtype="i8"):
    return np.random.default_rng(n).integers(low, below, n).astype(dtype)


def forms_used(function):
    """For each loop of a function, how often it was compiled to add up in local memory."""
    return [sum("#lanes" in str(each) for each in loop.inspect_types()) for loop in function._host.loops]


def check(function, *arguments, uses, fastmath=False, tolerance=1e-9):
    """Compare a function with Python's execution of it, and the forms of its loops with what is expected."""
    ours = [dpnp.asarray(each) for each in arguments]
    mine = dpjit(fastmath=fastmath)(function)
    as_on_gpus(mine, *ours)
    function(*arguments)
    for found, wanted in zip(ours, arguments, strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=tolerance, atol=tolerance)
    assert any(forms_used(mine)) == uses


@pytest.mark.parametrize("dtype", ["i4", "i8", "u4", "u8", "f4", "f8"])
@pytest.mark.parametrize("of", ["u1", "i2", "i8"])
def test_histograms(dtype, of):
    check(histogram, numbers(30_011, 100, dtype=of), np.ones(100, dtype), uses=True)


def test_small_loops_and_large_arrays_are_added_to_directly():
    check(histogram, numbers(100, 50), np.zeros(50, "i8"), uses=False)
    check(histogram, numbers(30_011, 5000), np.zeros(5000, "i8"), uses=False)
    check(histogram, numbers(30_011, 100), np.zeros(100, "i2"), uses=False)
    check(histogram, numbers(0, 9), np.zeros(9, "i8"), uses=False)
    check(read_too, numbers(20_000, 9), np.zeros(9, "i8"), np.zeros(20_000, "i8"), uses=False)


@pytest.mark.parametrize("shape", [(10, 3001), (301, 99), (9001, 3), (1, 20_000)])
def test_images(shape):
    image = numbers(shape[0] * shape[1], 256, dtype="u1").reshape(shape)
    check(histogram_of_rows, image, np.zeros(256, "i8"), uses=True)
    check(histogram_of_blocks, image, np.zeros((4, 3, 6), "i8"), uses=True)


def test_views_and_negative_indices():
    image, counts = numbers(40_000, 100, -100).reshape(200, 200), np.zeros((100, 2), "i8")
    ours = dpnp.asarray(counts)
    as_on_gpus(dpjit(histogram_of_rows), dpnp.asarray(image), ours[::-1, 1])
    histogram_of_rows(image, counts[::-1, 1])
    assert (ours.asnumpy() == counts).all()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_of_floats(dtype):
    x, weights = numbers(50_000, 300, -7), np.random.default_rng(3).random(50_000).astype(dtype)
    tolerance = 1e-3 if dtype == "f4" else 1e-9
    check(weighted, x, weights, np.zeros(300, dtype), uses=True, tolerance=tolerance)
    check(weighted_in_order, x, weights, np.zeros(300, dtype), uses=True, fastmath=True, tolerance=tolerance)
    check(weighted_in_order, x, weights, np.zeros(300, dtype), uses=False)
    check(by_halves, x, np.zeros(300, "i8"), uses=False)  # the order matters


@pytest.mark.parametrize("dimensions", [1, 2, 7, 40])
def test_sums_of_clusters(dimensions):
    points = np.random.default_rng(4).random((9000, dimensions))
    sums, counts = np.zeros((8, dimensions)), np.zeros(8, "i8")
    check(clusters, points, numbers(9000, 8), sums, counts, uses=True, fastmath=True)
    check(sums_of_words, numbers(9000, 8), counts, uses=True)
