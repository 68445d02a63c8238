"""Assignments to repeated indices: as in NumPy, the last value stays."""

from __future__ import annotations

import dpctl.tensor as dpt
import numpy as np
import pytest


def skip_unless_cpu(x):
    if not x.sycl_device.is_cpu:
        pytest.skip("GPUs store one of the values")


TARGETS = {
    "numbers": ((50,), ()),
    "many numbers": ((100_000,), ()),
    "rows": ((50, 8), (8,)),
    "long rows": ((7, 300), (300,)),
    "one row": ((1, 5), (5,)),
}


@pytest.mark.parametrize("view", [slice(None), slice(None, None, -1), slice(None, None, 3)], ids=str)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("count", [1, 300, 70_001])
def test_last_value_stays(target, view, count):
    shape, row = TARGETS[target]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        expected, found = np.zeros(shape, "f4")[view], dpt.zeros(shape, dtype="f4")[view]
        skip_unless_cpu(found)
        indices = rng.integers(-expected.shape[0], expected.shape[0], count)
        values = rng.random((count, *row), dtype="f4")
        expected[indices] = values
        found[dpt.asarray(indices)] = dpt.asarray(values)
        np.testing.assert_array_equal(dpt.asnumpy(found), expected)


def test_pairs_of_indices():
    rng = np.random.default_rng(1)
    rows, columns, values = rng.integers(0, 40, 200_000), rng.integers(0, 30, 200_000), rng.random(200_000)
    expected, found = np.zeros((40, 30)), dpt.zeros((40, 30))
    skip_unless_cpu(found)
    expected[rows, columns] = values
    found[dpt.asarray(rows), dpt.asarray(columns)] = dpt.asarray(values)
    np.testing.assert_array_equal(dpt.asnumpy(found), expected)


def test_values_that_repeat():
    """`put` repeats values that are fewer than the indices."""
    rng = np.random.default_rng(1)
    indices = rng.integers(0, 100, 100_000)
    for count in (1, 3, 999):
        values = rng.random(count)
        expected, found = np.zeros(100), dpt.zeros(100)
        skip_unless_cpu(found)
        np.put(expected, indices, values)
        dpt.put(found, dpt.asarray(indices), dpt.asarray(np.resize(values, indices.size)))
        np.testing.assert_array_equal(dpt.asnumpy(found), expected)
