"""Kernels with loops along rows of arrays of many lengths, layouts and types, and along rows that overlap."""

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

ROWS = 203
LENGTHS = [0, 1, 3, 4, 5, 8, 16, 19, 64]


@ndx.kernel
def sums(item: kapi.Item, a, out):
    i = item.get_id(0)
    total = out[i] * 0
    for k in range(a.shape[1]):
        total += a[i, k]
    out[i] = total


@ndx.kernel
def products(item: kapi.Item, a, x, out):
    i = item.get_id(0)
    total = out[i] * 0
    for k in range(a.shape[1]):
        total += a[i, k] * x[k]
    out[i] = total


@ndx.kernel
def looked_up(item: kapi.Item, a, at, x, out):
    i = item.get_id(0)
    total = out[i] * 0
    for k in range(a.shape[1]):
        total += a[i, k] * x[at[i, k]]
    out[i] = total


@ndx.kernel
def distances(item: kapi.Item, a, b, out):
    i, j = item.get_id(0), item.get_id(1)
    total = out[i, j] * 0
    for k in range(a.shape[1]):
        t = a[i, k] - b[j, k]
        total += t * t
    out[i, j] = total


@ndx.kernel
def doubled(item: kapi.Item, a, out):
    i = item.get_id(0)
    for k in range(a.shape[1]):
        out[i, k] = a[i, k] * 2


@ndx.kernel
def both_ways(item: kapi.Item, a, b):
    i = item.get_id(0)
    for k in range(a.shape[1]):
        t = a[i, k]
        a[i, k] = b[i, k] + 1
        b[i, k] = t * 2


@ndx.kernel
def running(item: kapi.Item, a, out):
    i = item.get_id(0)
    total = a[i, 0] * 0
    for k in range(a.shape[1]):
        total += a[i, k]
        out[i, k] = total


def launched(kernel, shape, *arrays):
    given = [dpnp.asarray(each) for each in arrays]
    ndx.call_kernel(kernel, ndx.Range(*shape), *given)
    return [each.asnumpy() for each in given]


def numbers(*shape, dtype="f8", seed=1):
    return np.random.default_rng(seed).integers(0, 9, shape).astype(dtype)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "u1", "c8"])
def test_reductions(dtype, length):
    a, x = numbers(ROWS, length, dtype=dtype), numbers(length, dtype=dtype, seed=2)
    out = np.zeros(ROWS, dtype)
    at = np.random.default_rng(3).integers(-length, max(length, 1), (ROWS, length))
    np.testing.assert_array_equal(launched(sums, (ROWS,), a, out)[-1], a.sum(1, dtype=dtype))
    np.testing.assert_array_equal(launched(products, (ROWS,), a, x, out)[-1], (a * x).sum(1, dtype=dtype))
    np.testing.assert_array_equal(launched(looked_up, (ROWS,), a, at, x, out)[-1], (a * x[at]).sum(1, dtype=dtype))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_distances(dtype, length):
    a, b = numbers(61, length, dtype=dtype), numbers(37, length, dtype=dtype, seed=2)
    wanted = ((a[:, None] - b) ** 2).sum(2, dtype=dtype)
    np.testing.assert_array_equal(launched(distances, wanted.shape, a, b, np.zeros_like(wanted))[-1], wanted)


@pytest.mark.parametrize("length", LENGTHS[1:])
@pytest.mark.parametrize("wider", [0, 3])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i2"])
def test_stores(dtype, wider, length):
    a, out = numbers(ROWS, length, dtype=dtype), np.zeros((ROWS, length + wider), dtype)
    for kernel, wanted in ((doubled, a * 2), (running, a.cumsum(1, dtype=dtype))):
        stored = launched(kernel, (ROWS,), a, out)[-1]
        np.testing.assert_array_equal(stored[:, :length], wanted)
        assert not stored[:, length:].any()
    first, second = launched(both_ways, (ROWS,), a, a + 5)
    np.testing.assert_array_equal(first, a + 6)
    np.testing.assert_array_equal(second, a * 2)


VIEWS = {
    "the array itself": (np.s_[:, :-1], np.s_[:, :-1]),
    "one to the right": (np.s_[:, :-1], np.s_[:, 1:]),
    "one to the left": (np.s_[:, 1:], np.s_[:, :-1]),
    "two to the right": (np.s_[:, :-2], np.s_[:, 2:]),
    "other rows": (np.s_[:100, :], np.s_[101:201, :]),
    "reversed": (np.s_[:, ::-1], np.s_[:, ::-1]),
    "every second element": (np.s_[:, ::2], np.s_[:, ::2]),
}


@pytest.mark.parametrize("views", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("kernel", [doubled, running, both_ways], ids=lambda kernel: kernel.__name__)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_overlapping_views(dtype, kernel, views):
    a = np.random.default_rng(5).random((ROWS, 21)).astype(dtype)
    on_device, on_host = dpnp.asarray(a), a.copy()
    given, host = [on_device[each] for each in views], [on_host[each] for each in views]
    ndx.call_kernel(kernel, ndx.Range(given[0].shape[0]), *given)

    class Item:
        def __init__(self, row):
            self.row = row

        def get_id(self, _):
            return self.row

    for row in range(host[0].shape[0]):
        kernel.py_func(Item(row), *host)
    np.testing.assert_allclose(on_device.asnumpy(), on_host, rtol=1e-5)


def test_columns_are_no_rows():
    a = numbers(20, ROWS, dtype="f4")
    given, out = dpnp.asarray(a), dpnp.zeros(ROWS, dtype="f4")
    ndx.call_kernel(sums, ndx.Range(ROWS), given.T, out)
    np.testing.assert_array_equal(out.asnumpy(), a.sum(0))
