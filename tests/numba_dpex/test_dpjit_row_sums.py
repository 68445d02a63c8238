"""Loops in which each iteration of prange adds to elements of its own row."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from shared_loops import as_on_gpus


def histograms(x, counts):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            counts[i, x[i, j]] += 1


def cleared_and_read(x, counts):
    for i in prange(x.shape[0]):
        for b in range(counts.shape[1]):
            counts[i, b] = 0
        for j in range(1, x.shape[1], 3):
            if x[i, j] > 2:
                counts[i, x[i, j]] += j
            else:
                counts[i, -1] -= 1
        for b in range(1, counts.shape[1]):
            counts[i, b] += counts[i, b - 1]


def several_arrays(x, counts, weights):
    for row in prange(x.shape[0]):
        for j in range(x.shape[1]):
            k = x[row, j]
            counts[row, k] += 1
            weights[row, k // 2] += 0.25 * j


def twice(x, counts):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            counts[i, x[i, j]] += 1
        for j in range(x.shape[1]):
            counts[i, x[i, j] - 1] += counts.shape[1]


def of_other_rows(x, counts):
    """Not a row of the iteration's own: atomic additions."""
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            counts[i // 2, x[i, j]] += 1


def integers(rows, columns, bins, least=0):
    return np.random.default_rng(rows + columns).integers(least, bins, (rows, columns))


def check(function, *arguments):
    wanted = [each.copy() for each in arguments]
    ours = [dpnp.asarray(each) for each in arguments]
    compiled = dpjit(fastmath=True)(function)
    as_on_gpus(compiled, *ours)
    with np.errstate(over="ignore"):
        function(*wanted)
    for mine, theirs in zip(ours, wanted, strict=True):
        assert np.allclose(mine.asnumpy(), theirs, rtol=1e-6 if theirs.dtype == "f4" else 1e-12)
    return compiled


@pytest.mark.parametrize("function", [histograms, cleared_and_read, twice, of_other_rows])
@pytest.mark.parametrize("columns", [0, 1, 127, 128, 1000, 5003])
@pytest.mark.parametrize("bins, dtype", [(1, "i8"), (12, "i8"), (12, "i4"), (12, "f8"), (16, "u8"), (300, "i8")])
def test_integers(function, columns, bins, dtype):
    check(function, integers(9, columns, bins), np.ones((9, bins), dtype))


@pytest.mark.parametrize("dtype", ["i1", "i2", "f4", "c16"])
def test_other_types(dtype):
    check(histograms, integers(5, 700, 12), np.ones((5, 12), dtype))


def test_negative_indices_and_views():
    check(histograms, integers(5, 2000, 12, least=-12), np.ones((5, 12), "i8"))
    ours = dpnp.ones((12, 10), dtype="i8")
    theirs = np.ones((12, 10), "i8")
    x = integers(5, 2000, 12)
    as_on_gpus(dpjit(histograms), dpnp.asarray(x), ours.T[::-2])
    histograms(x, theirs.T[::-2])
    assert (ours.asnumpy() == theirs).all()


@pytest.mark.parametrize("columns", [5, 900, 4000])
def test_several_arrays(columns):
    check(several_arrays, integers(7, columns, 20), np.zeros((7, 20), "i8"), np.zeros((7, 10)))
    check(several_arrays, integers(7, columns, 20), np.zeros((7, 20), "i4"), np.zeros((7, 10), "f4"))


def test_floats_are_added_in_order_without_fastmath():
    x = integers(6, 3000, 12)
    arguments = x, np.zeros((6, 12), "i8"), np.random.default_rng(1).random((6, 12))
    wanted = [each.copy() for each in arguments]
    ours = [dpnp.asarray(each) for each in arguments]
    as_on_gpus(dpjit(several_arrays), *ours)
    several_arrays(*wanted)
    assert all((mine.asnumpy() == theirs).all() for mine, theirs in zip(ours, wanted, strict=True))


def test_groups_have_copies_of_rows():
    compiled = check(histograms, integers(400, 600, 12), np.zeros((400, 12), "i8"))
    (loop,) = compiled._host.loops
    (code,) = loop.inspect_code()
    assert "dpep_sub_group_reduce_add_int64" in code
