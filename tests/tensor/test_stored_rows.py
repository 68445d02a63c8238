"""Assignments to rows at indices, x[i] = b, agree with NumPy, for rows of any length and alignment."""

from __future__ import annotations

import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import CODES, assert_same, values

WIDTHS = [1, 2, 3, 4, 5, 16, 17, 300, 1000]  # of rows: fractions of vectors, and more than a work-group


@pytest.mark.parametrize("rows", [10, 2500])
@pytest.mark.parametrize("code", CODES)
def test_rows(code, rows):
    random = np.random.default_rng(1)
    for width in WIDTHS:
        base, stored = values(code, (rows, width)), values(code, (rows, width), "stored")
        i = random.permutation(rows)
        for where, what in [(i, stored), (i[: rows // 2], stored[: rows // 2]), (i - rows, stored), (i, stored[0])]:
            expected, x = base.copy(), dpt.asarray(base, copy=True)
            expected[where] = what
            x[dpt.asarray(where)] = dpt.asarray(what)
            assert_same(x, expected, 0)


@pytest.mark.parametrize("code", "?hfdD")
def test_rows_that_are_not_aligned_or_in_reverse_order(code):
    base, stored = values(code, (2000, 8)), values(code, (2000, 8), "stored")
    i = np.random.default_rng(1).permutation(2000)
    for view in (lambda a: a[::-1], lambda a: a[:, 1:], lambda a: a[:, ::-1], lambda a: a[:, ::2]):
        expected, x = base.copy(), dpt.asarray(base, copy=True)
        view(expected)[i] = view(stored)
        view(x)[dpt.asarray(i)] = view(dpt.asarray(stored))
        assert_same(x, expected, 0)


@pytest.mark.parametrize("size", [10, 300_000])
@pytest.mark.parametrize("type_of_indices", ["i1", "u2", "i4", "u8", "i8"])
def test_elements(size, type_of_indices):
    most = min(size, np.iinfo(type_of_indices).max)
    i = np.random.default_rng(1).permutation(most).astype(type_of_indices)
    base, stored = values("d", (size,)), values("d", (most,), "stored")
    for what in (stored, np.asarray(2.5)):
        expected, x = base.copy(), dpt.asarray(base, copy=True)
        expected[i] = what
        x[dpt.asarray(i)] = dpt.asarray(what)
        assert_same(x, expected, 0)


@pytest.mark.parametrize("size", [10, 300_000])
def test_an_array_whose_elements_are_the_indices(size):
    i = np.random.default_rng(1).permutation(size)
    expected, x = i.copy(), dpt.asarray(i, copy=True)
    expected[i] = i * 2
    x[x] = dpt.asarray(i * 2)
    assert_same(x, expected, 0)


@pytest.mark.parametrize("size", [10, 300_000])
@pytest.mark.parametrize(("wrong", "shown"), [(-1, "-{1}"), (0, "{0}")])
def test_indices_beyond_the_axis(size, wrong, shown):
    i = np.arange(size)
    i[size // 2] = size if wrong == 0 else -size - 1
    x = dpt.zeros(size)
    with pytest.raises(IndexError, match=f"index {shown.format(size, size + 1)} is out of bounds for axis 0"):
        x[dpt.asarray(i)] = 1.0
    with pytest.raises(IndexError, match="is out of bounds for axis 0"):
        x[dpt.asarray(i)]
    assert not dpt.any(x)
