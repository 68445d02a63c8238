"""k nearest neighbours: each work-item keeps the best so far of one query, in order, in private memory."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi


def make_kernel(k: int):
    """A kernel for k neighbours: private arrays have constant shapes, and k becomes a constant of the kernel."""

    @ndx.kernel
    def search(item: kapi.Item, data, queries, indices, distances):
        q = item.get_id(0)
        best = kapi.PrivateArray(k, data.dtype)
        who = kapi.PrivateArray(k, indices.dtype)
        for i in range(data.shape[0]):
            distance = data.dtype.type(0)
            for d in range(data.shape[1]):
                difference = data[i, d] - queries[q, d]
                distance += difference * difference
            place = min(i, k - 1)
            if i < k or distance < best[place]:
                while place > 0 and best[place - 1] > distance:
                    best[place] = best[place - 1]
                    who[place] = who[place - 1]
                    place -= 1
                best[place] = distance
                who[place] = i
        for j in range(k):
            indices[q, j] = who[j]
            distances[q, j] = best[j]

    return search


def nearest_neighbours(data: dpnp.ndarray, queries: dpnp.ndarray, k: int) -> tuple[dpnp.ndarray, dpnp.ndarray]:
    """Return indices of the k rows of `data` next to each row of `queries`, nearest first, and squared distances."""
    if not 1 <= k <= data.shape[0]:
        raise ValueError(f"nearest_neighbours: {k} of {data.shape[0]}")
    shape = (queries.shape[0], k)
    indices = dpnp.empty(shape, dtype="i8", sycl_queue=data.sycl_queue)
    distances = dpnp.empty(shape, dtype=data.dtype, sycl_queue=data.sycl_queue)
    ndx.call_kernel(make_kernel(k), ndx.Range(shape[0]), data, queries, indices, distances)
    return indices, distances


if __name__ == "__main__":
    grid = dpnp.asarray([[float(x), float(y)] for x in range(10) for y in range(10)])
    indices, distances = nearest_neighbours(grid, dpnp.asarray([[2.1, 3.2], [9.0, 9.0]]), 3)
    print(f"places in the grid:\n{indices}\nsquared distances:\n{distances}")
