"""Searches in sorted arrays, and sets: dpctl.tensor compared with NumPy.

    python benchmarks/searching/run.py [--repetitions N] [--elements N]

10,000,000 elements, random and sorted, are searched for in 1,000 to 10,000,000 others. Sets have 10 to 10,000,000
elements, of which few or all are different.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Callable

import dpctl.tensor as dpt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave


def add_row(table: RatioTable, title: str, name: str, arrays: list[np.ndarray], repetitions: int, **keywords) -> None:
    ours, theirs = getattr(dpt, name), getattr(np, name)
    on_device = [dpt.asarray(a) for a in arrays]
    calls = max(1, 100_000 // max(a.size for a in arrays))

    def run(function: Callable, arguments: list) -> None:
        for _ in range(calls):
            result = function(*arguments, **keywords)
        for part in result if isinstance(result, tuple) else (result,):
            if hasattr(part, "sycl_queue"):
                dpt.asnumpy(part[:1])  # computes pending results
                part.sycl_queue.wait()

    compared = {"dpctl": lambda: run(ours, on_device), "NumPy": lambda: run(theirs, arrays)}
    table.row(title, interleave(compared, repetitions))


def new_table(title: str) -> RatioTable:
    print(f"\n{title}, median ms (arrays of fewer than 100,000 elements: of 100,000 / elements calls)")
    return RatioTable(title, {"dpctl": ["dpctl"], "NumPy": ["NumPy"]}, {"dpctl/NumPy": ("dpctl", "NumPy")})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--elements", type=int, default=10_000_000)
    options = parser.parse_args()
    random = np.random.default_rng(1)
    most = options.elements

    table = new_table("searchsorted")
    for dtype in ("float64", "int32"):
        for length, count in ((1000, 10), (1000, 1000), (1000, most), (most // 10, most), (most, most)):
            a, v = (random.uniform(-1e9, 1e9, n).astype(dtype) for n in (length, count))
            a.sort()
            add_row(table, f"{count} random {dtype} in {length}", "searchsorted", [a, v], options.repetitions)
            v.sort()
            add_row(table, f"{count} sorted {dtype} in {length}", "searchsorted", [a, v], options.repetitions)
    table.close()

    for name in ("unique_values", "unique_counts", "unique_inverse", "unique_all"):
        table = new_table(name)
        for dtype in ("float64", "int32"):
            for count in (10, 1000, 100_000, most):
                for different in sorted({min(1000, count), count}):
                    a = random.integers(0, different, count).astype(dtype)
                    add_row(table, f"{count} {dtype}, to {different}", name, [a], options.repetitions)
        table.close()

    table = new_table("isin")
    for dtype in ("float64", "int32"):
        for count, tests in ((10, 3), (1000, 100), (most, 3), (most, 1000), (most, most // 10)):
            a, t = (
                random.integers(0, 2 * tests, count).astype(dtype),
                random.integers(0, 2 * tests, tests).astype(dtype),
            )
            add_row(table, f"{count} {dtype} in {tests}", "isin", [a, t], options.repetitions)
    table.close()


if __name__ == "__main__":
    main()
