"""Selection by masks, and scatters: dpctl.tensor compared with NumPy.

    python benchmarks/masks/run.py [--repetitions N] [--elements N]

The first table has one call for many elements, the second 500 calls for 10.
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


def assign(x: object, key: object, value: object) -> None:
    x[key] = value


def compare(title: str, elements: int, calls: int, repetitions: int) -> None:
    random = np.random.default_rng(1)
    a = random.standard_normal(elements)
    mask, at, values = a > 0, random.integers(0, elements, max(elements // 10, 1)), a[: max(elements // 10, 1)].copy()
    x, ours_mask, ours_at, ours_values = map(dpt.asarray, (a, mask, at, values))
    rows: dict[str, tuple[Callable, Callable]] = {
        "x[x > 0]": (lambda: x[x > 0], lambda: a[a > 0]),
        "x[mask]": (lambda: x[ours_mask], lambda: a[mask]),
        "x[mask] = 0": (lambda: assign(x, ours_mask, 0), lambda: assign(a, mask, 0)),
        "put of 1/10": (lambda: dpt.put(x, ours_at, ours_values), lambda: np.put(a, at, values)),
        "x[i] = values": (lambda: assign(x, ours_at, ours_values), lambda: assign(a, at, values)),
        "nonzero": (lambda: dpt.nonzero(ours_mask), lambda: np.nonzero(mask)),
    }
    print(f"\n{title}, median ms of {calls} call(s)")
    table = RatioTable(title, {"dpctl": ["dpctl"], "NumPy": ["NumPy"]}, {"dpctl/NumPy": ("dpctl", "NumPy")})

    for name, (ours, theirs) in rows.items():

        def run_ours(code: Callable = ours) -> None:
            for _ in range(calls):
                code()
            x.sycl_queue.wait()

        def run_theirs(code: Callable = theirs) -> None:
            for _ in range(calls):
                code()

        table.row(name, interleave({"dpctl": run_ours, "NumPy": run_theirs}, repetitions))
    table.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--elements", type=int, default=10_000_000)
    options = parser.parse_args()
    compare(f"{options.elements} elements", options.elements, 1, options.repetitions)
    compare("10 elements", 10, 500, options.repetitions)


if __name__ == "__main__":
    main()
