"""A sum in one pass: work-items add several elements each, groups add these sums, an atomic adds those of groups."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi

GROUP = 128
ELEMENTS = 32  # for each work-item


@ndx.kernel
def add_up(item: kapi.NdItem, values, total):
    group = item.get_group()
    first = group.get_group_id(0) * GROUP * ELEMENTS + item.get_local_id(0)
    mine = total.dtype.type(0)
    for k in range(ELEMENTS):
        i = first + k * GROUP  # adjacent work-items read adjacent elements
        if i < values.size:
            mine += values[i]
    sum_of_group = kapi.reduce_over_group(group, mine, kapi.plus)
    if group.leader:
        kapi.AtomicRef(total, 0).fetch_add(sum_of_group)


def reduction(values: dpnp.ndarray) -> dpnp.ndarray:
    """Return the sum of a vector, as an array of one element."""
    total = dpnp.zeros(1, dtype=values.dtype, sycl_queue=values.sycl_queue)
    groups = max(1, -(-values.size // (GROUP * ELEMENTS)))
    ndx.call_kernel(add_up, ndx.NdRange((groups * GROUP,), (GROUP,)), values, total)
    return total


if __name__ == "__main__":
    print(f"1 + 2 + … + 100,000 = {reduction(dpnp.arange(100_001))[0]}")
