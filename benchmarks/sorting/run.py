"""Sorting and partitions: dpctl.tensor and dpnp compared with NumPy.

    python benchmarks/sorting/run.py [--repetitions N]

Rows of 10 to 10,000,000 random elements, and 10,000 rows of 1,000 along both axes. Partitions are at the middle.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Callable

import dpctl.tensor as dpt
import dpnp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave

DTYPES = ["int8", "int32", "int64", "float32", "float64", "complex128"]
FUNCTIONS: dict[str, tuple[Callable, Callable]] = {
    "sort": (dpt.sort, np.sort),
    "argsort": (dpt.argsort, np.argsort),
    "partition": (
        lambda x, axis: dpnp.partition(x, x.shape[axis] // 2, axis),
        lambda x, axis: np.partition(x, x.shape[axis] // 2, axis),
    ),
    "argpartition": (
        lambda x, axis: dpnp.argpartition(x, x.shape[axis] // 2, axis),
        lambda x, axis: np.argpartition(x, x.shape[axis] // 2, axis),
    ),
}


def add_row(table: RatioTable, title: str, x: np.ndarray, axis: int, name: str, repetitions: int) -> None:
    ours, theirs = FUNCTIONS[name]
    y = dpt.asarray(x)
    calls = max(1, 100_000 // x.size)

    def run_ours() -> None:
        for _ in range(calls):
            result = ours(y, axis=axis)
        result.sycl_queue.wait()

    def run_theirs() -> None:
        for _ in range(calls):
            theirs(x, axis=axis)

    table.row(title, interleave({"dpctl": run_ours, "NumPy": run_theirs}, repetitions))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    random = np.random.default_rng(1)
    for name in FUNCTIONS:
        print(f"\n{name}, median ms (arrays of fewer than 100,000 elements: of 100,000 / elements calls)")
        table = RatioTable(name, {"dpctl": ["dpctl"], "NumPy": ["NumPy"]}, {"dpctl/NumPy": ("dpctl", "NumPy")})
        for elements in (10, 1000, 100_000, 1_000_000, 10_000_000):
            for dtype in DTYPES:
                x = random.normal(0, 1e6, elements).astype(dtype)
                add_row(table, f"{elements} {dtype}", x, -1, name, options.repetitions)
        for axis in (0, 1):
            add_row(table, f"rows, axis {axis}", random.normal(size=(10_000, 1000)), axis, name, options.repetitions)
        table.close()


if __name__ == "__main__":
    main()
