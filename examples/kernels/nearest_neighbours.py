"""k nearest neighbours: each work-item keeps the nearest points of one query so far, sorted, in private memory."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi


def make_kernel(k: int):
    """Return a kernel for k neighbours. Private arrays have constant shapes, so k is a constant of the kernel."""

    @ndx.kernel
    def search(item: kapi.Item, data, queries, indices, distances):
        q = item.get_id(0)
        best = kapi.PrivateArray(k, data.dtype)
        neighbour = kapi.PrivateArray(k, indices.dtype)
        for i in range(data.shape[0]):
            distance = data.dtype.type(0)
            for d in range(data.shape[1]):
                difference = data[i, d] - queries[q, d]
                distance += difference * difference
            position = min(i, k - 1)
            if i < k or distance < best[position]:
                while position > 0 and best[position - 1] > distance:
                    best[position] = best[position - 1]
                    neighbour[position] = neighbour[position - 1]
                    position -= 1
                best[position] = distance
                neighbour[position] = i
        for j in range(k):
            indices[q, j] = neighbour[j]
            distances[q, j] = best[j]

    return search


def nearest_neighbours(data: dpnp.ndarray, queries: dpnp.ndarray, k: int) -> tuple[dpnp.ndarray, dpnp.ndarray]:
    """Return indices of the k rows of `data` nearest to each row of `queries`, nearest first, and squared distances."""
    if not 1 <= k <= data.shape[0]:
        raise ValueError(f"nearest_neighbours: k is {k}, expected 1 to {data.shape[0]}, the number of rows of data")
    shape = (queries.shape[0], k)
    indices = dpnp.empty(shape, dtype="i8", sycl_queue=data.sycl_queue)
    distances = dpnp.empty(shape, dtype=data.dtype, sycl_queue=data.sycl_queue)
    ndx.call_kernel(make_kernel(k), ndx.Range(shape[0]), data, queries, indices, distances)
    return indices, distances


if __name__ == "__main__":
    grid = dpnp.asarray([[float(x), float(y)] for x in range(10) for y in range(10)])
    indices, distances = nearest_neighbours(grid, dpnp.asarray([[2.1, 3.2], [9.0, 9.0]]), 3)
    print(f"indices in the grid:\n{indices}\nsquared distances:\n{distances}")
