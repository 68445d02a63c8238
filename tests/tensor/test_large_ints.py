"""Ints of more than 64 bits and ranges beyond int64, as in NumPy."""

from __future__ import annotations

import math

import dpctl.tensor as dpt
import numpy as np
import pytest

CALLS = [
    lambda xp: xp.ones(3) * 10**20, lambda xp: xp.ones(2) / math.factorial(25), lambda xp: xp.arange(3) < 10**20,
    lambda xp: xp.arange(3) >= -(10**20), lambda xp: xp.full(2, 2**70, dtype=xp.float64), lambda xp: xp.full(2, 2**63),
    lambda xp: xp.asarray(2**70, dtype=xp.float64), lambda xp: xp.arange(2**63, 2**63 + 3, dtype=xp.uint64),
    lambda xp: xp.arange(2**64 - 5, 2**64 - 1, dtype=xp.uint64), lambda xp: xp.arange(2**63, 2**63 + 3),
    lambda xp: xp.arange(2**63 + 9, 2**63, -4, dtype=xp.uint64), lambda xp: xp.arange(np.int8(3)),
    lambda xp: xp.arange(np.float32(0), np.float32(1), np.float32(0.25)),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(CALLS)))
def test_as_numpy(row):
    expected, found = CALLS[row](np), dpt.asnumpy(CALLS[row](dpt))
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_assignment():
    x = dpt.ones(3)
    x[0], x[1:] = 10**20, -(2**70)
    assert dpt.asnumpy(x).tolist() == [1e20, -(2.0**70), -(2.0**70)]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: dpt.arange(3) + 10**20, OverflowError),
        (lambda: dpt.ones(3) * 10**400, OverflowError),
        (lambda: dpt.full(2, 2**70), OverflowError),
        (lambda: dpt.arange(0.0, math.nan), ValueError),
        (lambda: dpt.arange(2**63, 2**63 + 3, dtype="i8"), OverflowError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()
