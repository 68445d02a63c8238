"""Distances between all pairs of points: one work-item for each pair."""

import math

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi


@ndx.kernel
def measure(item: kapi.Item, points, distances):
    i, j = item.get_id(0), item.get_id(1)
    total = points.dtype.type(0)
    for k in range(points.shape[1]):
        difference = points[i, k] - points[j, k]
        total += difference * difference
    distances[i, j] = math.sqrt(total)


def pairwise_distance(points: dpnp.ndarray) -> dpnp.ndarray:
    """Return the Euclidean distances of points of shape (n, d), as a matrix of shape (n, n)."""
    n = points.shape[0]
    distances = dpnp.empty((n, n), dtype=points.dtype, sycl_queue=points.sycl_queue)
    ndx.call_kernel(measure, ndx.Range(n, n), points, distances)
    return distances


if __name__ == "__main__":
    print(pairwise_distance(dpnp.asarray([[0.0, 0], [3, 4], [6, 8]])))
