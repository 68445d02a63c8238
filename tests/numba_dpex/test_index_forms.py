"""Indices of all integer types, also negative ones, in all code forms of the compiler; and fastmath."""

from __future__ import annotations

import math

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

SIGNED = ["i1", "i2", "i4", "i8"]


@ndx.kernel
def take(item, values, where, result):
    i = item.get_id(0)
    result[i] = values[where[i]]


@ndx.kernel
def take_2d(item, values, rows, columns, result):
    i = item.get_id(0)
    result[i] = values[rows[i], columns[i]]


@ndx.kernel
def put(item, values, where, result):
    i = item.get_id(0)
    result[where[i]] = values[i]


@pytest.mark.parametrize("dtype", [*SIGNED, "u1", "u2", "u4", "u8"])
def test_elements_are_taken_at_indices_of_any_type(dtype):
    values = np.arange(100, dtype="f4")
    where = np.random.default_rng(1).integers(-100 if dtype in SIGNED else 0, 100, 333).astype(dtype)
    result = dpt.empty(333, dtype="f4")
    ndx.call_kernel(take, ndx.Range(333), dpt.asarray(values), dpt.asarray(where), result)
    np.testing.assert_array_equal(dpt.asnumpy(result), values[where])


@pytest.mark.parametrize("order", ["C", "F", "A"])
@pytest.mark.parametrize("dtype", SIGNED)
def test_each_axis_counts_negative_indices_from_its_own_end(dtype, order):
    base = np.arange(30 * 50, dtype="i8").reshape(30, 50)
    values = {"C": base, "F": np.asfortranarray(base), "A": base}[order]
    on_device = dpt.asarray(values, order="F" if order == "F" else "C")
    if order == "A":
        values, on_device = values[::2, ::-3], on_device[::2, ::-3]
    random = np.random.default_rng(2)
    rows, columns = (random.integers(-n, n, 200).astype(dtype) for n in values.shape)
    result = dpt.empty(200, dtype="i8")
    ndx.call_kernel(take_2d, ndx.Range(200), on_device, dpt.asarray(rows), dpt.asarray(columns), result)
    np.testing.assert_array_equal(dpt.asnumpy(result), values[rows, columns])


@pytest.mark.parametrize("dtype", SIGNED)
def test_elements_are_stored_at_negative_indices(dtype):
    where = (np.random.default_rng(3).permutation(100) - 50).astype(dtype)
    expected = np.empty(100, "i4")
    expected[where] = np.arange(100)
    result = dpt.empty(100, dtype="i4")
    ndx.call_kernel(put, ndx.Range(100), dpt.arange(100, dtype="i4"), dpt.asarray(where), result)
    np.testing.assert_array_equal(dpt.asnumpy(result), expected)


@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_arrays_of_more_elements_than_32_bits_count(dtype):
    many = 2**31 + 10
    values = dpt.broadcast_to(dpt.asarray([7], dtype="u1"), (many,))
    where = np.asarray([0, -1, -(2**31), 5], dtype)
    result = dpt.zeros(4, dtype="u1")
    ndx.call_kernel(take, ndx.Range(4), values, dpt.asarray(where), result)
    assert dpt.asnumpy(result).tolist() == [7, 7, 7, 7]
    assert len(take.specialisations) >= 1


def windows(item, values, starts, stops, result):
    i = item.get_id(0)
    total = 0
    for k in range(starts[i], stops[i]):
        total += (k + 1000) * values[k]
    result[i] = total


def windows_by_two(item, values, starts, stops, result):
    i = item.get_id(0)
    total = 0
    for k in range(starts[i], stops[i], 2):
        total += (k + 1000) * values[k] + values[k - 1]
    result[i] = total


@pytest.mark.parametrize(("function", "step"), [(windows, 1), (windows_by_two, 2)])
@pytest.mark.parametrize("dtype", SIGNED)
def test_loops_may_begin_at_negative_numbers(function, step, dtype):
    values = np.arange(1, 61, dtype="i8")
    random = np.random.default_rng(4)
    starts = random.integers(-40, 40, 100).astype(dtype)
    stops = (starts + random.integers(0, 15, 100)).astype(dtype)
    result = dpt.empty(100, dtype="i8")
    ndx.call_kernel(ndx.kernel(function), ndx.Range(100), dpt.asarray(values), dpt.asarray(starts),
                    dpt.asarray(stops), result)  # fmt: skip
    expected = [
        sum((k + 1000) * values[k] + (values[k - 1] if step == 2 else 0) for k in range(start, stop, step))
        for start, stop in zip(starts.tolist(), stops.tolist())
    ]
    assert dpt.asnumpy(result).tolist() == expected


@ndx.kernel
def guarded(item, values, result):
    i = item.get_id(0)
    if i > 0 and i < result.size - 1:
        result[i] = values[i + 1] - values[i - 1]
    else:
        result[i] = values[-1] - values[i - result.size]


def test_neighbours_and_the_other_end():
    values = np.arange(50, dtype="f8") ** 2
    result = dpt.empty(50, dtype="f8")
    ndx.call_kernel(guarded, ndx.Range(50), dpt.asarray(values), result)
    expected = values[-1] - values
    expected[1:-1] = values[2:] - values[:-2]
    np.testing.assert_array_equal(dpt.asnumpy(result), expected)


@ndx.kernel
def reverse(item: kapi.NdItem, values, scratch):
    i = item.get_local_id(0)
    scratch[1, i] = values[item.get_global_id(0)]
    kapi.group_barrier(item.get_group())
    values[item.get_global_id(0)] = scratch[-1, -1 - i]


@pytest.mark.parametrize("local", [8, 32])
def test_local_memory_of_several_shapes(local):
    values = np.arange(64, dtype="i4")
    result = dpt.asarray(values)
    ndx.call_kernel(reverse, ndx.NdRange((64,), (local,)), result, kapi.LocalAccessor((2, local), np.int32))
    np.testing.assert_array_equal(dpt.asnumpy(result), values.reshape(-1, local)[:, ::-1].ravel())


def total(item, values, result):
    i = item.get_id(0)
    s = np.float32(0)
    for k in range(values.shape[1]):
        s += values[i, k] / math.sqrt(values[i, k])
    result[i] = s


@pytest.mark.parametrize("option", [True, False, {"arcp", "reassoc"}])
def test_fastmath_computes_about_the_same(option):
    values = np.random.default_rng(5).uniform(1, 2, (40, 300)).astype("f4")
    kernel = ndx.kernel(fastmath=option)(total)
    result = dpt.empty(40, dtype="f4")
    ndx.call_kernel(kernel, ndx.Range(40), dpt.asarray(values), result)
    np.testing.assert_allclose(dpt.asnumpy(result), np.sqrt(values.astype("f8")).sum(1), rtol=1e-5)
    flags = next(iter(kernel.inspect_ir().values()))
    for flag in ("fast", "reassoc"):
        wanted = flag in option if isinstance(option, set) else option and flag == "fast"
        assert (f" {flag} " in flags) == wanted


def test_each_function_has_its_own_fastmath():
    @ndx.device_func(fastmath=True)
    def fast(x):
        return x / 3

    @ndx.kernel
    def strict(item, a):
        a[0] = fast(a[0]) - a[1]

    ndx.call_kernel(strict, ndx.Range(1), dpt.ones(2, dtype="f4"))
    (text,) = strict.inspect_ir().values()
    assert "fsub contract" in text
    assert "fsub fast" not in text
    assert " fast " in text


def test_wrong_fastmath_is_an_error():
    with pytest.raises(ValueError, match="quick"):
        ndx.kernel(fastmath={"quick"})(total)
    with pytest.raises(TypeError, match="fastmath must be"):
        ndx.kernel(fastmath=3)(total)
