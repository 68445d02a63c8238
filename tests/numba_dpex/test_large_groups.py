"""Work-groups of more work-items than the CPU device recommends."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi

pytestmark = pytest.mark.skipif(
    not dpctl.select_default_device().is_cpu, reason="other devices have their work-items at once"
)


@ndx.kernel
def reverse_and_sum(item: kapi.NdItem, x, sums, tile):
    i, n = item.get_local_linear_id(), item.get_local_linear_range()
    g = item.get_group().get_group_linear_id()
    own = kapi.PrivateArray(2, x.dtype, fill_zeros=True)
    own[i % 2] = x[g * n + i]
    tile[i] = own[0] + own[1]
    kapi.group_barrier(item.get_group())
    x[g * n + i] = tile[n - 1 - i]
    total = kapi.reduce_over_group(item.get_group(), x[g * n + i], kapi.plus)
    if i == 0:
        sums[g] = total


@pytest.mark.parametrize("local", [(4097,), (8192,), (32768,), (128, 128), (16, 40, 25), (5000, 2)], ids=str)
def test_work_groups_above_4096_work_items(local):
    groups, size = 3, int(np.prod(local))
    space = ndx.NdRange((groups * local[0], *local[1:]), local)
    start = np.arange(groups * size, dtype="i4")
    x, sums = dpt.asarray(start), dpt.zeros(groups, dtype="i8")
    ndx.call_kernel(reverse_and_sum, space, x, sums, kapi.LocalAccessor(size, x.dtype))
    per_group = start.reshape(groups, size)
    np.testing.assert_array_equal(dpt.asnumpy(x), per_group[:, ::-1].ravel())
    np.testing.assert_array_equal(dpt.asnumpy(sums), per_group.sum(axis=1, dtype="i4"))


def test_older_kernels_run_in_large_groups():
    @ndx.kernel
    def fill(a):
        i = ndx.get_global_id(0)
        a[i] = ndx.get_local_id(0) + ndx.get_group_id(0) * ndx.get_local_size(0)

    a = dpt.zeros(2 * 100_000, dtype="i8")
    fill[2 * 100_000, 100_000](a)
    np.testing.assert_array_equal(dpt.asnumpy(a), np.arange(200_000))


def test_an_unsupported_group_size_is_an_error_that_names_the_kernel():
    @ndx.kernel
    def fill(item, a):
        a[item.get_global_id(0)] = 1

    size = (1 << 21,)
    with pytest.raises(ValueError, match="1048576") as raised:
        ndx.call_kernel(fill, ndx.NdRange(size, size), dpt.zeros(1))
    assert dpctl.select_default_device().name in str(raised.value)
