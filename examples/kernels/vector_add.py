"""Vector addition: one work-item for each element."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi


@ndx.kernel
def add(item: kapi.Item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


def vector_add(a: dpnp.ndarray, b: dpnp.ndarray) -> dpnp.ndarray:
    """Return a + b, for two vectors of one length and dtype."""
    c = dpnp.empty_like(a)
    ndx.call_kernel(add, ndx.Range(a.size), a, b, c)
    return c


if __name__ == "__main__":
    a, b = dpnp.arange(8.0), dpnp.full(8, 0.5)
    print(f"{a} + {b}\n= {vector_add(a, b)}")
