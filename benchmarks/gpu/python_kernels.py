"""Kernels in Python on a GPU: launches, the KDE of gpu_bench.cpp, and first uses, one line each.

    python benchmarks/gpu/python_kernels.py [cold | disk]

`cold` and `disk` time only the first use, in a process of its own: with an empty cache, and with a full one.
"""

from __future__ import annotations

import math
import sys
import time

import dpctl
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi

N, D, M, H = 1_000_000, 7, 17, 0.05
GROUPS, SIZE = 528, 256


@ndx.kernel
def add(item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


def kde_of(dtype):
    """Each work-item processes many samples and keeps the sums of all points, as in hand_kde.cu."""
    number = np.dtype(dtype).type

    @ndx.kernel
    def kde(item, samples, points, density, exponent, scale):
        total = kapi.PrivateArray(M, number, fill_zeros=True)
        x = kapi.PrivateArray(D, number)
        group = item.get_group()
        for i in range(item.get_global_id(0), samples.shape[0], GROUPS * SIZE):
            for k in range(D):
                x[k] = samples[i, k]
            for j in range(M):
                distance = number(0)
                for k in range(D):
                    difference = x[k] - points[j, k]
                    distance += difference * difference
                total[j] += math.exp(distance * exponent)
        for j in range(M):
            whole = kapi.reduce_over_group(group, total[j], kapi.plus)
            if group.leader:
                kapi.AtomicRef(density, j).fetch_add(scale * whole)

    return kde


def put(q, value: np.ndarray):
    array = dpt.usm_ndarray(value.shape, value.dtype, buffer="device", buffer_ctor_kwargs={"queue": q})
    q.memcpy(array.usm_data, value.tobytes(), value.nbytes)
    return array


def median_of(run, times: int = 30) -> float:
    for _ in range(3):
        run()
    all_times = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        all_times.append(time.perf_counter() - start)
    return sorted(all_times)[times // 2]


def first_use(q) -> None:
    a, b, c = (put(q, np.ones(1000)) for _ in range(3))
    for what, kernel, arguments in (
        ("a + b", add, (ndx.Range(1000), a, b, c)),
        ("kde float32", kde_of("f4"), kde_arguments(q, "f4")),
        ("kde float64", kde_of("f8"), kde_arguments(q, "f8")),
    ):
        start = time.perf_counter()
        ndx.call_kernel(kernel, *arguments)
        print(f"first call of {what}: {1e3 * (time.perf_counter() - start):.1f} ms")


def kde_arguments(q, dtype):
    random = np.random.default_rng(0)
    samples, points = random.random((N, D)).astype(dtype), random.random((M, D)).astype(dtype)
    number = np.dtype(dtype).type
    scale = number(1 / ((2 * np.pi) ** (D / 2) * H**D * N))
    space = ndx.NdRange(ndx.Range(GROUPS * SIZE), ndx.Range(SIZE))
    return (
        space, put(q, samples), put(q, points), put(q, np.zeros(M, dtype)), number(-0.5 / H**2), scale
    )  # fmt: skip


def main() -> None:
    q = dpctl.SyclQueue("gpu")
    print("device:", q.name)
    if len(sys.argv) > 1:
        return first_use(q)
    a, b, c = (put(q, np.ones(10)) for _ in range(3))
    space = ndx.Range(10)
    ndx.call_kernel(add, space, a, b, c)

    def burst(times):  # fewer launches than fill the driver's queue, which would block the submission
        start = time.perf_counter()
        for _ in range(times):
            ndx.call_kernel_async(add, space, (), a, b, c)
        submitted = time.perf_counter()
        q.wait()
        return (submitted - start) / times, (time.perf_counter() - start) / times

    print(f"launch with three arrays, submitted: {1e6 * sorted(burst(200)[0] for _ in range(30))[15]:.2f} us")
    print(f"launch with three arrays, sustained: {1e6 * burst(5000)[1]:.2f} us")
    waited = median_of(lambda: ndx.call_kernel(add, space, a, b, c), 500)
    print(f"launch with three arrays and wait: {1e6 * waited:.2f} us")
    for dtype in ("f4", "f8"):
        space, samples, points, density, exponent, scale = kde_arguments(q, dtype)
        kernel = kde_of(dtype)

        def run(kernel=kernel, space=space, arguments=(samples, points, density, exponent, scale)):
            arguments[2][...] = 0
            ndx.call_kernel(kernel, space, *arguments)

        run()
        content = bytearray(density.nbytes)
        q.memcpy(content, density.usm_data, len(content))
        host = np.random.default_rng(0)
        x, y = host.random((N, D)).astype(dtype).astype("f8"), host.random((M, D)).astype(dtype).astype("f8")
        expected = [float(scale) * np.exp(float(exponent) * ((x - p) ** 2).sum(1)).sum() for p in y]
        error = np.abs(np.frombuffer(content, dtype) / expected - 1).max()
        whole = median_of(run)
        print(f"kde {dtype}: {1e3 * whole:.4f} ms with clearing, error {error:.1e}")


if __name__ == "__main__":
    main()
