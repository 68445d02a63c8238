"""A histogram: each work-group counts in local memory, where atomics are cheap, and adds its counts at the end."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi

GROUP = 128
VALUES = 64  # for each work-item


@ndx.kernel
def count(item: kapi.NdItem, values, low, high, counts, mine):
    group = item.get_group()
    local = item.get_local_id(0)
    bins = counts.size
    for b in range(local, bins, GROUP):
        mine[b] = 0
    kapi.group_barrier(group)
    first = group.get_group_id(0) * GROUP * VALUES + local
    for k in range(VALUES):
        i = first + k * GROUP
        if i < values.size and low <= values[i] <= high:
            b = min(int((values[i] - low) / (high - low) * bins), bins - 1)  # the last bin includes its upper edge
            kapi.AtomicRef(mine, b).fetch_add(counts.dtype.type(1))
    kapi.group_barrier(group)
    for b in range(local, bins, GROUP):
        kapi.AtomicRef(counts, b).fetch_add(mine[b])


def histogram(values: dpnp.ndarray, bins: int, low: float, high: float) -> dpnp.ndarray:
    """Return the number of values in each of `bins` equal intervals of [low, high]."""
    if bins < 1 or not low < high:
        raise ValueError(f"histogram: {bins} bins of [{low}, {high}]")
    counts = dpnp.zeros(bins, dtype="i4", sycl_queue=values.sycl_queue)
    groups = max(1, -(-values.size // (GROUP * VALUES)))
    space = ndx.NdRange((groups * GROUP,), (GROUP,))
    ndx.call_kernel(count, space, values, low, high, counts, kapi.LocalAccessor(bins, "i4"))
    return counts


if __name__ == "__main__":
    import numpy

    values = dpnp.asarray(numpy.random.default_rng(1).normal(size=100_000))
    for i, number in enumerate(dpnp.asnumpy(histogram(values, 16, -4.0, 4.0))):
        print(f"{i / 2 - 4:5.1f} {'#' * (number // 400)}")
