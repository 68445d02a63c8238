"""Products of matrices and vectors: dpctl.tensor compared with NumPy.

    python benchmarks/linear_algebra/run.py [--repetitions N] [--only TEXT]

Square matrices of several sizes and data types, transposed operands, matrices and vectors, batches of small matrices,
and vectors.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time
from collections.abc import Callable

import dpctl.tensor as dpt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, Timing, measure

DTYPES = ["float32", "float64", "complex64", "complex128", "float16", "int8", "int32", "int64", "bool"]
FLOATS = ["float32", "float64"]


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.random(shape) < 0.1
    if dtype.startswith("int"):
        return random.integers(-9, 9, shape).astype(dtype)
    real = random.normal(size=shape)
    return (real + 1j * random.normal(size=shape) if dtype.startswith("complex") else real).astype(dtype)


def cases() -> list[tuple[str, str, np.ndarray, np.ndarray, Callable, Callable]]:
    """Titles, data types, operands, and functions of dpctl and of NumPy."""
    found = []

    def add(title: str, dtype: str, first: tuple[int, ...], second: tuple[int, ...], function: str = "matmul") -> None:
        found.append(
            (title, dtype, numbers(first, dtype, 1), numbers(second, dtype, 2), getattr(dpt, function),
             getattr(np, function))
        )  # fmt: skip

    for n in (4, 30, 100, 300, 1000, 2000):
        for dtype in FLOATS:
            add(f"{n} x {n}", dtype, (n, n), (n, n))
    for dtype in DTYPES[2:]:
        for n in (30, 300, 1000) if dtype.startswith("complex") else (30, 300):
            add(f"{n} x {n}", dtype, (n, n), (n, n))
    for dtype in FLOATS:
        add("1000 x 1000, left transposed", dtype, (1000, 1000), (1000, 1000))
        x, y = found[-1][2:4]
        found[-1] = (*found[-1][:2], x.T, y, *found[-1][4:])
        add("1000 x 1000, right transposed", dtype, (1000, 1000), (1000, 1000))
        x, y = found[-1][2:4]
        found[-1] = (*found[-1][:2], x, y.T, *found[-1][4:])
        add("4000 x 4000 and vector", dtype, (4000, 4000), (4000,))
        add("vector and 4000 x 4000", dtype, (4000,), (4000, 4000))
        add("100 x 100 and vector", dtype, (100, 100), (100,))
        add("1000000 x 10 and vector", dtype, (1_000_000, 10), (10,))
        add("10 x 1000000 and its transpose", dtype, (10, 1_000_000), (1_000_000, 10))
        add("1000 x 8 and 8 x 1000", dtype, (1000, 8), (8, 1000))
        add("8 x 1000 and 1000 x 1000", dtype, (8, 1000), (1000, 1000))
        add("100000 of 4 x 4", dtype, (100_000, 4, 4), (100_000, 4, 4))
        add("1000 of 50 x 50", dtype, (1000, 50, 50), (1000, 50, 50))
        for n in (10, 1000, 1_000_000):
            add(f"vectors of {n}", dtype, (n,), (n,))
        add("vecdot of 100000 x 10", dtype, (100_000, 10), (100_000, 10), "vecdot")
    return found


def in_turns(runs: dict[str, Callable[[], None]], repetitions: int) -> dict[str, Timing]:
    """As report.interleave, with a pause before each run: the threads of NumPy's BLAS wait busily after a product."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(repetitions + 1):
        for name, run in runs.items():
            time.sleep(0.05)
            found = measure(run, 2, 0).times
            if turn:
                times[name] += found
    return {name: Timing(t) for name, t in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--only", default="", help="only rows whose title contains this text")
    options = parser.parse_args()
    x = dpt.ones((50, 50))
    start = time.perf_counter()
    dpt.matmul(x, x).sycl_queue.wait()
    print(f"first call: {1e3 * (time.perf_counter() - start):.1f} ms")
    print("\nmedian ms (short calls: of as many as take 1 ms)")
    table = RatioTable("product", {"dpctl": ["dpctl"], "NumPy": ["NumPy"]}, {"dpctl/NumPy": ("dpctl", "NumPy")})
    for title, dtype, first, second, ours, theirs in cases():
        name = f"{title} {dtype}"
        if options.only not in name:
            continue
        a, b = (dpt.asarray(m.T).T if not m.flags.c_contiguous else dpt.asarray(m) for m in (first, second))
        begin = time.perf_counter()
        theirs(first, second)
        calls = max(1, int(1e-3 / (time.perf_counter() - begin)))

        def run_ours(ours: Callable = ours, a: object = a, b: object = b, calls: int = calls) -> None:
            for _ in range(calls):
                result = ours(a, b)
                if calls < 100:  # a value that is never read is not computed
                    result.sycl_queue.wait()

        def run_theirs(theirs: Callable = theirs, x: object = first, y: object = second, calls: int = calls) -> None:
            for _ in range(calls):
                theirs(x, y)

        table.row(name, in_turns({"dpctl": run_ours, "NumPy": run_theirs}, options.repetitions))
    table.close()


if __name__ == "__main__":
    main()
