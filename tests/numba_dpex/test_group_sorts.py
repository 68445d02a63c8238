"""Sorts by groups, and copies between memory and private arrays, beside NumPy and the simulation."""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import TypingError

DTYPES = ["i1", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
GROUPS = [1, 3, 16, 37, 64, 100, 256]


def numbers(count, dtype):
    random = np.random.default_rng(count)
    x = (random.normal(size=count) * 50).astype("f8")
    if np.dtype(dtype).kind in "iu":
        return np.abs(x).astype(dtype) if dtype[0] == "u" else x.astype(dtype)
    x[:: max(count // 4, 2)] = np.nan
    return x.astype(dtype)


def descending_order(x):
    known = x[x == x]
    return np.concatenate([np.sort(known)[::-1], x[x != x]])


@ndx.kernel
def sorts_values(item: kapi.NdItem, x, up, down):
    i = item.get_global_id(0)
    up[i] = kapi.sort_over_group(item.get_group(), x[i])
    down[i] = kapi.sort_over_group(item.get_group(), x[i], descending=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("group", GROUPS)
def test_sort_over_group(group, dtype):
    if group > dpnp.empty(1).sycl_device.max_work_group_size:
        pytest.skip("the device has no work-groups of this size")
    x = numbers(3 * group, dtype)
    up, down = dpnp.empty(3 * group, dtype=dtype), dpnp.empty(3 * group, dtype=dtype)
    ndx.call_kernel(sorts_values, ndx.NdRange((3 * group,), (group,)), dpnp.asarray(x), up, down)
    for g in range(3):
        part = slice(g * group, (g + 1) * group)
        np.testing.assert_array_equal(dpnp.asnumpy(up)[part], np.sort(x[part]))
        np.testing.assert_array_equal(dpnp.asnumpy(down)[part], descending_order(x[part]))


@ndx.kernel
def sorts_in_sub_groups(item: kapi.NdItem, x, result, sizes):
    i = item.get_global_id(0)
    group = item.get_sub_group()
    result[i] = kapi.sort_over_group(group, x[i])
    sizes[i] = group.get_local_linear_range()


def test_sort_over_sub_groups():
    x = numbers(192, "f4")
    result, sizes = dpnp.empty(192, dtype="f4"), dpnp.empty(192, dtype="i4")
    ndx.call_kernel(sorts_in_sub_groups, ndx.NdRange((192,), (64,)), dpnp.asarray(x), result, sizes)
    start = 0
    while start < 192:
        part = slice(start, start + int(sizes[start]))
        np.testing.assert_array_equal(dpnp.asnumpy(result)[part], np.sort(x[part]))
        start = part.stop


@ndx.kernel
def sorts_rows(item: kapi.NdItem, x):
    kapi.joint_sort(item.get_group(), x[item.get_group().get_group_id(0)])


@ndx.kernel
def sorts_rows_down(item: kapi.NdItem, x):
    kapi.joint_sort(item.get_group(), x[item.get_group().get_group_id(0)], descending=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("length", "group"), [(1, 8), (2, 1), (5, 16), (100, 37), (1000, 64), (4097, 128), (0, 4)])
def test_joint_sort(length, group, dtype):
    x = numbers(3 * length, dtype).reshape(3, length)
    up, down = dpnp.asarray(x), dpnp.asarray(x)
    ndx.call_kernel(sorts_rows, ndx.NdRange((3 * group,), (group,)), up)
    ndx.call_kernel(sorts_rows_down, ndx.NdRange((3 * group,), (group,)), down)
    np.testing.assert_array_equal(dpnp.asnumpy(up), np.sort(x, axis=1))
    for mine, row in zip(dpnp.asnumpy(down), x, strict=True):
        np.testing.assert_array_equal(mine, descending_order(row))


@ndx.kernel
def medians(item: kapi.NdItem, x, result, tile):
    i, g = item.get_local_id(0), item.get_group().get_group_id(0)
    tile[i] = x[item.get_global_id(0)]
    kapi.joint_sort(item.get_group(), tile)
    if i == 0:
        result[g] = tile[tile.size // 2]


def test_joint_sort_of_local_memory():
    x, result = numbers(500, "i4"), dpnp.empty(10, dtype="i4")
    ndx.call_kernel(medians, ndx.NdRange((500,), (50,)), dpnp.asarray(x), result, kapi.LocalAccessor(50, "i4"))
    np.testing.assert_array_equal(dpnp.asnumpy(result), np.sort(x.reshape(10, 50), axis=1)[:, 25])


@ndx.kernel
def reverses_blocks(item: kapi.NdItem, x, y):
    group, own = item.get_group(), kapi.PrivateArray(4, x.dtype)
    start = group.get_group_id(0) * group.get_local_linear_range() * 4
    kapi.group_load(group, x[start:], own)
    for k in range(2):
        own[k], own[3 - k] = own[3 - k], own[k]
    kapi.group_store(group, own, y[start:])


@ndx.kernel
def to_stripes(item: kapi.NdItem, x, y):
    group, own = item.get_group(), kapi.PrivateArray(3, "f8")
    start = group.get_group_id(0) * group.get_local_linear_range() * 3
    kapi.group_load(group, x[start:], own, striped=True)
    for k in range(3):
        own[k] += k
    kapi.group_store(group, own, y[start:], False)


@pytest.mark.parametrize("dtype", ["i2", "i4", "f4", "c8"])
@pytest.mark.parametrize("groups", [1, 5])
def test_loads_and_stores(groups, dtype):
    n = groups * 32
    x = np.arange(4 * n).astype(dtype)
    y = dpnp.zeros(4 * n, dtype=dtype)
    ndx.call_kernel(reverses_blocks, ndx.NdRange((n,), (32,)), dpnp.asarray(x), y)
    np.testing.assert_array_equal(dpnp.asnumpy(y), x.reshape(-1, 4)[:, ::-1].ravel())
    if dtype == "c8":
        return
    x = np.arange(3 * n).astype(dtype)
    y = dpnp.zeros(3 * n)
    ndx.call_kernel(to_stripes, ndx.NdRange((n,), (32,)), dpnp.asarray(x), y)
    wanted = (x.reshape(groups, 3, 32) + np.arange(3)[:, None]).transpose(0, 2, 1)
    np.testing.assert_array_equal(dpnp.asnumpy(y), wanted.ravel())


def all_of_them(item: kapi.NdItem, x, y, sorted_values):
    group, own = item.get_group(), kapi.PrivateArray(2, "i8")
    kapi.joint_sort(group, x, True)
    kapi.group_load(group, x, own, striped=True)
    own[0] *= 10
    kapi.group_store(group, own, y)
    i = item.get_local_id(0)
    sorted_values[i] = kapi.sort_over_group(group, (i * 7) % 10)


def test_simulation():
    results = []
    for run in kapi.call_kernel, lambda f, *given: ndx.call_kernel(ndx.kernel(f), *given):
        given = dpnp.asarray(numbers(20, "i8")), dpnp.zeros(20, dtype="i8"), dpnp.zeros(10, dtype="i8")
        run(all_of_them, ndx.NdRange((10,), (10,)), *given)
        results.append([dpnp.asnumpy(each) for each in given])
    for simulated, compiled in zip(*results, strict=True):
        np.testing.assert_array_equal(simulated, compiled)


def sorts_numbers(item: kapi.NdItem, x):
    kapi.joint_sort(item.get_group(), x[0])


def sorts_complex(item: kapi.NdItem, x):
    kapi.sort_over_group(item.get_group(), 1j)


def sorts_by_a_variable(item: kapi.NdItem, x):
    kapi.joint_sort(item.get_group(), x, x[0] > 1)


def loads_into_memory(item: kapi.NdItem, x):
    kapi.group_load(item.get_group(), x, x)


def unknown_keyword(item: kapi.NdItem, x):
    kapi.joint_sort(item.get_group(), x, reverse=True)


@pytest.mark.parametrize(
    ("function", "phrase"),
    [
        (sorts_numbers, "takes an array of one dimension, got float64"),
        (sorts_complex, "complex numbers have no order"),
        (sorts_by_a_variable, "descending must be a constant"),
        (loads_into_memory, "takes a PrivateArray as its third argument"),
        (unknown_keyword, "has no argument 'reverse'"),
    ],
)
def test_wrong_calls(function, phrase):
    with pytest.raises(TypingError) as raised:
        ndx.call_kernel(ndx.kernel(function), ndx.NdRange((4,), (4,)), dpnp.ones(4))
    assert phrase in str(raised.value)
    assert raised.value.lineno == function.__code__.co_firstlineno + 1
