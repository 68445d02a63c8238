"""Divisions of integers that are known to be short: counters, lengths, local ids, and what is computed from them."""

from __future__ import annotations

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex import prange
from test_dpjit import check

SIZE = 18


def counters(out, divisor):
    for i in prange(out.shape[0]):
        for k in range(3, 700, 5):
            a, b = k // SIZE, k % SIZE
            out[i, 0] += a * 100 + b
            out[i, 1] += (a // 3) * 10 + b % 5 + a % 1
            out[i, 2] += k // divisor + k % divisor
        for k in range(out.shape[0]):
            out[i, 3] += k // out.shape[1] + k % out.size + len(out) // 2
        for k in range(400, -400, -7):
            out[i, 4] += k // SIZE * 3 + k % SIZE


def changed_counters(out, divisor):
    for i in prange(out.shape[0]):
        for k in range(0, 300, 3):
            wide = k
            wide += 5_000_000_000
            out[i, 0] += wide // SIZE + wide % SIZE
            small = np.int8(k % 120 - 60)
            out[i, 1] += int(small) // 7 + int(small) % 7
            k -= 150
            out[i, 2] += k // SIZE + k % SIZE
            half = k if k > 0 else 7 * divisor
            out[i, 3] += half // 5 + half % 5
        last = 2**31 - 1
        out[i, 4] += last // SIZE + (last + i) // SIZE + (last * 4) % SIZE


@pytest.mark.parametrize("divisor", [1, 7, -7, 2**40, -(2**40)])
@pytest.mark.parametrize("rows", [1, 9, 300])
def test_counters(rows, divisor):
    check(counters, np.zeros((rows, 5), "i8"), divisor)
    with np.errstate(all="ignore"):
        check(changed_counters, np.zeros((rows, 5), "i8"), divisor)


@ndx.kernel
def local_ids(item: kapi.NdItem, out, zero):
    i, n = item.get_local_id(0), item.get_local_range(0)
    out[item.get_global_id(0), 0] = i // 7 * 100 + i % 7
    out[item.get_global_id(0), 1] = (n - i) // 7 * 100 + (i - n) // 7
    out[item.get_global_id(0), 2] = (i // (zero + 3)) + i % n + i // n
    out[item.get_global_id(0), 3] = item.get_group().get_local_linear_id() // 16 + n // (i // 4) + n % (i // 4)


@pytest.mark.parametrize("group", [1, 8, 50, 256])
def test_local_ids(group):
    out = dpnp.zeros((3 * group, 4), dtype="i8")
    ndx.call_kernel(local_ids, ndx.NdRange((3 * group,), (group,)), out, 0)
    i, n = np.arange(group), group
    with np.errstate(divide="ignore"):
        rest = np.where(i // 4 == 0, 0, n // (i // 4) + n % (i // 4))
    wanted = np.stack(
        [i // 7 * 100 + i % 7, (n - i) // 7 * 100 + (i - n) // 7, i // 3 + i % n + i // n, i // 16 + rest], axis=1
    )
    np.testing.assert_array_equal(dpnp.asnumpy(out), np.concatenate([wanted] * 3))
