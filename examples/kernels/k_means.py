"""k-means: points join their nearest centre and centres move to their mean, until no point changes its centre."""

import dpnp
import numba_dpex as ndx
from numba_dpex import kernel_api as kapi


@ndx.kernel
def assign(item: kapi.Item, points, centres, label, sums, counts, changes):
    i = item.get_id(0)
    best, best_distance = 0, points.dtype.type(0)
    for c in range(centres.shape[0]):
        distance = points.dtype.type(0)
        for k in range(points.shape[1]):
            difference = points[i, k] - centres[c, k]
            distance += difference * difference
        if c == 0 or distance < best_distance:
            best, best_distance = c, distance
    if label[i] != best:
        label[i] = best
        kapi.AtomicRef(changes, 0).fetch_add(changes.dtype.type(1))
    for k in range(points.shape[1]):
        kapi.AtomicRef(sums, (best, k)).fetch_add(points[i, k])
    kapi.AtomicRef(counts, best).fetch_add(counts.dtype.type(1))


@ndx.kernel
def move_centres(item: kapi.Item, centres, sums, counts):
    c, k = item.get_id(0), item.get_id(1)
    if counts[c] > 0:  # a centre without points does not move
        centres[c, k] = sums[c, k] / counts[c]


def k_means(points: dpnp.ndarray, centres: dpnp.ndarray, rounds: int = 100) -> tuple[dpnp.ndarray, dpnp.ndarray]:
    """Return the centres, of shape (k, d), and the label of each of the points, of shape (n, d), after up to `rounds`.

    `centres` are the initial ones.
    """
    queue = points.sycl_queue
    centres = centres.copy()
    label = dpnp.full(points.shape[0], -1, dtype="i4", sycl_queue=queue)
    for _ in range(rounds):
        sums = dpnp.zeros_like(centres)
        counts = dpnp.zeros(centres.shape[0], dtype="i4", sycl_queue=queue)
        changes = dpnp.zeros(1, dtype="i4", sycl_queue=queue)
        ndx.call_kernel(assign, ndx.Range(points.shape[0]), points, centres, label, sums, counts, changes)
        if int(changes[0]) == 0:
            break
        ndx.call_kernel(move_centres, ndx.Range(*centres.shape), centres, sums, counts)
    return centres, label


if __name__ == "__main__":
    import numpy

    random = numpy.random.default_rng(1)
    points = numpy.concatenate([random.normal(at, 0.3, (1000, 2)) for at in ([0, 0], [3, 1], [1, 4])])
    centres, label = k_means(dpnp.asarray(points), dpnp.asarray(points[::1100]))
    print(f"centres:\n{centres}\npoints of each: {numpy.bincount(dpnp.asnumpy(label))}")
