"""Copies between rows, columns and groups of few elements, at sizes that end within a vector and beyond one."""

from __future__ import annotations

import dpctl.tensor as dpt
import numpy as np
import pytest

DTYPES = ["u1", "i2", "f4", "f8", "c16"]
LENGTHS = [1, 7, 63, 64, 65, 1000, 50_001]


def numbers(shape, dtype):
    return (np.random.default_rng(0).random(shape) * 100).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", LENGTHS)
def test_elements_are_written_at_equal_distances(dtype, length):
    values = numbers(length, dtype)
    for step in (2, 3, 4, 5):
        for first in (1, step - 1):
            there = np.full(length * step + 3, 7, dtype)
            ours = dpt.asarray(there)
            part = slice(first, first + length * step, step)
            there[part] = values * 2
            ours[part] = dpt.asarray(values) * 2
            np.testing.assert_array_equal(dpt.asnumpy(ours), there)
            np.testing.assert_array_equal(dpt.asnumpy(dpt.asarray(ours[part], copy=True)), there[part])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("group", [2, 3, 4, 5, 8, 13])
def test_groups_are_separated_and_joined(dtype, length, group):
    groups, lines = numbers((length, group), dtype), numbers((group, length), dtype)
    x, y = dpt.asarray(groups), dpt.asarray(lines)
    np.testing.assert_array_equal(dpt.asnumpy(dpt.asarray(x.T, copy=True, order="C")), groups.T)
    np.testing.assert_array_equal(dpt.asnumpy(dpt.asarray(y.T, copy=True, order="C")), lines.T)
    np.testing.assert_array_equal(dpt.asnumpy(dpt.asarray(x[:, -1], copy=True)), groups[:, -1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("group", [1, 2, 3, 4, 5, 8, 13, 16, 33])
def test_short_rows_are_written_into_longer_ones(dtype, length, group):
    values = numbers((length, group), dtype)
    there = np.full((length, 2 * group + 1), 7, dtype)
    ours, x = dpt.asarray(there), dpt.asarray(values)
    there[:, 1 : group + 1], ours[:, 1 : group + 1] = values, x
    there[:, group : 2 * group], ours[:, group : 2 * group] = values * 3, x * 3
    np.testing.assert_array_equal(dpt.asnumpy(ours), there)
    there[:, :group], ours[:, :group] = there[:, group : 2 * group], ours[:, group : 2 * group]
    np.testing.assert_array_equal(dpt.asnumpy(ours), there)
