"""Linear algebra: dpctl.tensor.linalg compared with numpy.linalg.

    python benchmarks/linear_algebra/linalg.py [--repetitions N] [--function NAME]

Single float64 matrices of 10 x 10 to 1000 x 1000, and batches of 10,000 small ones.
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

FUNCTIONS: dict[str, Callable] = {
    "solve": lambda linalg, a, b: linalg.solve(a, b),
    "inv": lambda linalg, a, b: linalg.inv(a),
    "det": lambda linalg, a, b: linalg.det(a),
    "cholesky": lambda linalg, a, b: linalg.cholesky(a),
    "svd": lambda linalg, a, b: linalg.svd(a),
    "eigh": lambda linalg, a, b: linalg.eigh(a),
    "qr": lambda linalg, a, b: linalg.qr(a),
}
SHAPES = [(10, 10), (100, 100), (1000, 1000), (10_000, 4, 4), (10_000, 16, 16), (1000, 32, 32)]
COST = {"svd": 20, "eigh": 9, "qr": 2}  # relative to the others


def add_row(table: RatioTable, name: str, shape: tuple[int, ...], repetitions: int) -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=shape)
    a = x @ x.mT + shape[-1] * np.eye(shape[-1])
    b = random.normal(size=(*shape[:-1], 1))
    ours, ours_b = dpt.asarray(a), dpt.asarray(b)
    function = FUNCTIONS[name]
    calls = max(1, 2000 // (a.size * (shape[-1] + 40) // 500 * COST.get(name, 1) + 1))

    def run_ours() -> None:
        for _ in range(calls):
            function(dpt.linalg, ours, ours_b)
        ours.sycl_queue.wait()

    def run_theirs() -> None:
        for _ in range(calls):
            function(np.linalg, a, b)

    title = " x ".join(map(str, shape)) + (f", {calls} calls" if calls > 1 else "")
    table.row(title, interleave({"dpctl": run_ours, "NumPy": run_theirs}, repetitions))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--function", choices=FUNCTIONS)
    options = parser.parse_args()
    for name in [options.function] if options.function else FUNCTIONS:
        print(f"\n{name}, median ms")
        table = RatioTable(name, {"dpctl": ["dpctl"], "NumPy": ["NumPy"]}, {"dpctl/NumPy": ("dpctl", "NumPy")})
        for shape in SHAPES:
            add_row(table, name, shape, options.repetitions)
        table.close()


if __name__ == "__main__":
    main()
