"""Prefix sums of any length: groups scan parts, the sums of the parts are scanned and then added to the parts."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi

GROUP = 256


@ndx.kernel
def scan_parts(item: kapi.NdItem, values, sums):
    i = item.get_global_id(0)
    group = item.get_group()
    zero = values.dtype.type(0)
    mine = values[i] if i < values.size else zero
    scanned = kapi.inclusive_scan_over_group(group, mine, kapi.plus)
    if i < values.size:
        values[i] = scanned
    if item.get_local_id(0) == GROUP - 1:
        sums[group.get_group_id(0)] = scanned


@ndx.kernel
def add_preceding_sums(item: kapi.Item, values, sums):
    i = item.get_id(0)
    part = i // GROUP
    if part > 0:
        values[i] += sums[part - 1]


def scan(values: dpnp.ndarray) -> dpnp.ndarray:
    """Replace a vector by its prefix sums and return it."""
    parts = -(-values.size // GROUP)
    sums = dpnp.empty(parts, dtype=values.dtype, sycl_queue=values.sycl_queue)
    ndx.call_kernel(scan_parts, ndx.NdRange((parts * GROUP,), (GROUP,)), values, sums)
    if parts > 1:
        scan(sums)
        ndx.call_kernel(add_preceding_sums, ndx.Range(values.size), values, sums)
    return values


if __name__ == "__main__":
    print(f"{scan(dpnp.ones(1000, dtype='i8'))[::100]}, …")
