"""Stacks along the last axis, whose parts alternate in memory, agree with NumPy."""

from __future__ import annotations

import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import CODES, assert_same, values


@pytest.mark.parametrize("size", [10, 30_000, 300_001])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("code", CODES)
def test_vectors(code, count, size):
    parts = [values(code, (size,), k) for k in range(count)]
    assert_same(dpt.stack([dpt.asarray(p) for p in parts], axis=1), np.stack(parts, axis=1), 0)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("code", "bfdD")
def test_parts_that_are_computed_not_aligned_or_the_same(code, count):
    parts = [values(code, (40_003,), k) for k in range(count)]
    ours = [dpt.asarray(p) for p in parts]
    for prepare in (lambda p: p + p, lambda p: p[1:], lambda p: p[::-1], lambda p: p[::2]):
        found = dpt.stack([prepare(p) for p in ours], axis=1)
        assert_same(found, np.stack([prepare(p) for p in parts], axis=1), 0)
    assert_same(dpt.stack([ours[0]] * count, axis=1), np.stack([parts[0]] * count, axis=1), 0)
    pending = ours[0] + ours[1]
    assert_same(dpt.stack([pending] * count, axis=1), np.stack([parts[0] + parts[1]] * count, axis=1), 0)
    whole = dpt.sum(ours[0]) - ours[0]  # a reduction and its operand
    reference = (np.sum(parts[0], dtype="i8") if code == "b" else np.sum(parts[0])) - parts[0]
    assert_same(dpt.stack([whole, whole], axis=1), np.stack([reference, reference], axis=1), 1e6)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("code", "hfdF")
def test_matrices(code, count):
    parts = [values(code, (151, 203), k) for k in range(count)]
    ours = [dpt.asarray(p) for p in parts]
    for prepare in (lambda p: p, lambda p: p.T, lambda p: p[::-1, 1:], lambda p: p[:, ::2]):
        found = dpt.stack([prepare(p) for p in ours], axis=2)
        assert_same(found, np.stack([prepare(p) for p in parts], axis=2), 0)
    mixed = [p.T if k % 2 else p for k, p in enumerate(p[:151, :151] for p in parts)]
    found = dpt.stack([p.T if k % 2 else p for k, p in enumerate(p[:151, :151] for p in ours)], axis=2)
    assert_same(found, np.stack(mixed, axis=2), 0)
