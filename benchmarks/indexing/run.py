"""Elements at arrays of indices: dpctl.tensor compared with NumPy in the same run.

    python benchmarks/indexing/run.py [--elements N] [--repetitions N]

Times are medians in turns with NumPy. Results are waited for and compared.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import dpctl.tensor as dpt
import numpy as np


def cases(n: int) -> dict[str, tuple[list[np.ndarray], Callable, int]]:
    """For each name: arguments, the function of them, and the calls to time at once."""
    numbers = np.random.default_rng(0)
    a, order = numbers.random(n), numbers.integers(0, n, n)
    rows = numbers.random((n // 16, 16))
    row_order = numbers.integers(0, n // 16, n // 16)
    few, ten = np.arange(10.0), np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3])
    return {
        "random": ([a, order], lambda a, i: a[i], 1),
        "sorted": ([a, np.sort(order)], lambda a, i: a[i], 1),
        "random, * 2 + a": ([a, order], lambda a, i: a[i] * 2 + a, 1),
        "rows of 16": ([rows, row_order], lambda a, i: a[i], 1),
        "10 of 10": ([few, ten], lambda a, i: a[i], 2000),
    }


def seconds(call: Callable, arguments: list, times: int, waits: bool) -> float:
    start = time.perf_counter()
    for _ in range(times):
        result = call(*arguments)
        if waits:
            result.sycl_queue.wait()
    return (time.perf_counter() - start) / times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=10_000_000)
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args()
    print(f"{'':20} {'NumPy':>12} {'dpep':>12} {'ratio':>7}")
    for name, (arrays, call, times) in cases(options.elements).items():
        on_device = [dpt.asarray(a) for a in arrays]
        assert np.array_equal(dpt.asnumpy(call(*on_device)), call(*arrays))
        pairs = [
            (seconds(call, arrays, times, False), seconds(call, on_device, times, True))
            for _ in range(options.repetitions)
        ]
        theirs, ours = (statistics.median(p[k] for p in pairs) for k in (0, 1))
        print(f"{name:20} {theirs * 1e6:9.2f} µs {ours * 1e6:9.2f} µs {ours / theirs:7.2f}")


if __name__ == "__main__":
    main()
