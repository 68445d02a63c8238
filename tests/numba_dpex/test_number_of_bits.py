"""The number of one bits, written with masks as in C: LLVM recognises it."""

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi


@ndx.kernel
def ones_of_64(item: kapi.Item, numbers, counts):
    i = item.get_id(0)
    x = numbers[i]
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    counts[i] = (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@ndx.kernel
def ones_of_32(item: kapi.Item, numbers, counts):
    i = item.get_id(0)
    v = numbers[i]
    v -= (v >> np.uint32(1)) & np.uint32(0x55555555)
    v = (v & np.uint32(0x33333333)) + ((v >> np.uint32(2)) & np.uint32(0x33333333))
    counts[i] = (((v + (v >> np.uint32(4))) & np.uint32(0xF0F0F0F)) * np.uint32(0x1010101)) >> np.uint32(24)


@pytest.mark.parametrize(("kernel", "dtype"), [(ones_of_64, "u8"), (ones_of_32, "u4")])
def test_number_of_one_bits(kernel, dtype):
    random = np.random.default_rng(5)
    info = np.iinfo(dtype)
    numbers = np.append(random.integers(0, info.max, 1000, dtype=dtype), np.array([0, 1, info.max], dtype))
    counts = dpnp.zeros(numbers.size, dtype="i4")
    ndx.call_kernel(kernel, ndx.Range(numbers.size), dpnp.asarray(numbers), counts)
    np.testing.assert_array_equal(dpnp.asnumpy(counts), np.bitwise_count(numbers))
    assert all("ctpop" in text for text in kernel.inspect_ir().values())
