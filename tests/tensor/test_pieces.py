"""Operations on 1,000 to 4,096 elements that the calling thread casts, or whose numbers it repeats, in pieces."""

from __future__ import annotations

import operator

import dpctl.tensor as dpt
import numpy as np
import pytest

SIZES = [1, 1023, 1024, 1025, 2400, 4096, 4097]
CODES = ["?", "i4", "i8", "f4", "f8", "c8", "c16"]


def elements(code: str, size: int, seed: int = 1) -> np.ndarray:
    numbers = np.random.default_rng(seed).integers(0, 5, size)
    return (numbers > 2) if code == "?" else numbers.astype(code)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("code", CODES)
def test_where_with_numbers_and_casts(code, size):
    condition, a, b = elements("?", size, 2), elements(code, size), elements("i4", size, 3)
    c, x, y = map(dpt.asarray, (condition, a, b))
    for ours, theirs in [
        (dpt.where(c, x, x + x), np.where(condition, a, a + a)),
        (dpt.where(c, x, y), np.where(condition, a, b)),
        (dpt.where(c, x, 0), np.where(condition, a, np.zeros((), a.dtype))),
        (dpt.where(c, 0, x), np.where(condition, np.zeros((), a.dtype), a)),
        (dpt.where(c, x, dpt.asarray(b[0])), np.where(condition, a, b[0])),
    ]:
        np.testing.assert_array_equal(dpt.asnumpy(ours), theirs)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("code", CODES)
def test_casts(code, size):
    for other in CODES:
        if code == other == "?":
            continue
        a, b = elements(code, size), elements(other, size, 4)
        x, y = dpt.asarray(a), dpt.asarray(b)
        for function in (operator.add, operator.mul, operator.eq):
            found, expected = function(x, y), function(a, b)
            np.testing.assert_array_equal(dpt.asnumpy(found), expected)
        if np.can_cast(other, code, "same_kind") and np.can_cast(np.result_type(a, b), code, "same_kind"):
            x += y
            a += b
            np.testing.assert_array_equal(dpt.asnumpy(x), a)


@pytest.mark.parametrize("size", SIZES)
def test_functions_without_a_form_for_numbers(size):
    a = elements("f8", size)
    x = dpt.asarray(a)
    np.testing.assert_allclose(dpt.asnumpy(dpt.atan2(x, 2.5)), np.arctan2(a, 2.5), rtol=1e-15)
    np.testing.assert_allclose(dpt.asnumpy(dpt.hypot(x, dpt.asarray(3.0))), np.hypot(a, 3.0), rtol=1e-15)
    np.testing.assert_array_equal(dpt.asnumpy(dpt.clip(x, dpt.asarray(1.0), 3.0)), np.clip(a, 1.0, 3.0))


def test_an_update_whose_operand_is_the_same_memory():
    a = np.arange(3000, dtype="i8")
    x = dpt.asarray(a)
    x += dpt.asarray(a, dtype="i4")
    view = x[:1500]
    x[1500:] += view
    np.testing.assert_array_equal(dpt.asnumpy(x), np.concatenate((2 * a[:1500], 2 * a[1500:] + 2 * a[:1500])))
    out = dpt.asarray(a, copy=True)
    dpt.add(out, 1.5, out=dpt.empty(3000, dtype="f8"))
    np.testing.assert_array_equal(dpt.asnumpy(out), a)


@pytest.mark.parametrize("code", ["i1", "i2", "f4", "f8", "c16"])
@pytest.mark.parametrize("columns", range(1, 10))
def test_stores_of_short_rows(columns, code):
    a = np.arange(20_000 * columns).reshape(-1, columns).astype(code)
    x = dpt.asarray(a)
    for wide in (columns, columns + 1, 2 * columns):
        found, expected = dpt.zeros((20_000, wide), dtype=code), np.zeros((20_000, wide), code)
        found[:, wide - columns :] = x
        expected[:, wide - columns :] = a
        np.testing.assert_array_equal(dpt.asnumpy(found), expected)
    np.testing.assert_array_equal(dpt.asnumpy(dpt.concat((x, x + x), axis=1)), np.concatenate((a, a + a), axis=1))
