"""Matrix product in tiles: a work-group copies a tile of each factor to local memory and multiplies the two there.

Each element of the factors is then read from main memory once for every TILE elements of the result.
"""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi

TILE = 16


@ndx.kernel
def multiply(item: kapi.NdItem, a, b, c, a_tile, b_tile):
    i, j = item.get_global_id(0), item.get_global_id(1)
    row, column = item.get_local_id(0), item.get_local_id(1)
    group = item.get_group()
    total = c.dtype.type(0)
    for start in range(0, a.shape[1], TILE):
        # Tiles extend beyond matrices whose sizes are no multiple of TILE; the elements there are zeros.
        a_tile[row, column] = a[i, start + column] if i < a.shape[0] and start + column < a.shape[1] else 0
        b_tile[row, column] = b[start + row, j] if start + row < b.shape[0] and j < b.shape[1] else 0
        kapi.group_barrier(group)
        for k in range(TILE):
            total += a_tile[row, k] * b_tile[k, column]
        kapi.group_barrier(group)  # the tiles are overwritten in the next round
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


def matrix_multiply(a: dpnp.ndarray, b: dpnp.ndarray) -> dpnp.ndarray:
    """Return the matrix product of a, of shape (n, m), and b, of shape (m, p)."""
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"matrix_multiply: shapes {a.shape} and {b.shape} do not match")
    c = dpnp.empty((a.shape[0], b.shape[1]), dtype=a.dtype, sycl_queue=a.sycl_queue)
    whole = [-(-extent // TILE) * TILE for extent in c.shape]
    tiles = [kapi.LocalAccessor((TILE, TILE), a.dtype) for _ in range(2)]
    ndx.call_kernel(multiply, ndx.NdRange(whole, (TILE, TILE)), a, b, c, *tiles)
    return c


if __name__ == "__main__":
    a = dpnp.reshape(dpnp.arange(6.0), (2, 3))
    print(matrix_multiply(a, dpnp.ones((3, 4))))
