"""Fourier transforms: dpctl.tensor.fft compared with numpy.fft, and with scipy.fft and torch.fft if installed.

    python benchmarks/fft/run.py [--repetitions N] [--only TEXT]

Lines of several lengths, batches of lines, transforms along other axes than the last, and of several axes. SciPy and
torch use as many threads as there are CPUs.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import time
from collections.abc import Callable

import dpctl.tensor as dpt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, interleave

try:
    import scipy.fft as scipy_fft
except ImportError:
    scipy_fft = None
try:
    import torch
except ImportError:
    torch = None

THREADS = os.cpu_count() or 1
# title, function, dtype, shape, keywords
CASES = [
    *((f"{n}", "fft", "c16", (n,), {}) for n in (10, 100, 1000, 2**10, 2**12, 2**14, 2**16, 2**18, 2**20, 10**6)),
    *((f"{n}", "fft", "c8", (n,), {}) for n in (2**10, 2**14, 2**20)),
    *((f"{n}", "rfft", "f8", (n,), {}) for n in (10, 2**10, 2**14, 2**20)),
    *((f"{n}", "irfft", "c16", (n // 2 + 1,), {}) for n in (2**10, 2**14, 2**20)),
    *((f"prime {n}", "fft", "c16", (n,), {}) for n in (61, 1009, 10007, 999983)),
    *((f"{n}", "fft", "c16", (n,), {}) for n in (3**7, 5**5, 3**12, 1155, 2310 * 13)),
    ("1000 of 1024", "fft", "c16", (1000, 1024), {}),
    ("1000 of 1024", "fft", "c8", (1000, 1024), {}),
    ("1000 of 1024", "rfft", "f8", (1000, 1024), {}),
    ("1000 of 1024", "rfft", "f4", (1000, 1024), {}),
    ("100000 of 16", "fft", "c16", (100_000, 16), {}),
    ("10000 of 100", "fft", "c16", (10_000, 100), {}),
    ("1024 along axis 0 of 1000", "fft", "c16", (1024, 1000), {"axis": 0}),
    ("1000 x 1000", "fftn", "c16", (1000, 1000), {}),
    ("1024 x 1024", "rfftn", "f8", (1024, 1024), {}),
    ("100 x 100 x 100", "fftn", "c16", (100, 100, 100), {}),
]


def numbers(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    random = np.random.default_rng(1)
    real = random.normal(size=shape)
    return (real + 1j * random.normal(size=shape) if dtype.startswith("c") else real).astype(dtype)


def add_row(table: RatioTable, case: tuple, repetitions: int) -> None:
    title, function, dtype, shape, keywords = case
    a = numbers(dtype, shape)
    x = dpt.asarray(a)
    ours, theirs = getattr(dpt.fft, function), getattr(np.fft, function)
    begin = time.perf_counter()
    theirs(a, **keywords)
    calls = max(1, int(2e-3 / (time.perf_counter() - begin)))
    wanted = theirs(a, **keywords)
    error = np.linalg.norm((dpt.asnumpy(ours(x, **keywords)) - wanted).ravel()) / np.linalg.norm(wanted.ravel())
    if error > 20 * np.finfo(wanted.dtype).eps:
        raise SystemExit(f"{function} {title} {dtype}: the results differ by {error:.1e}")

    def repeated(call: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(calls):
                call()

        return run

    def run_ours() -> None:
        for _ in range(calls):
            made = ours(x, **keywords)
            if a.size > 1000:
                made.sycl_queue.wait()

    runs = {"dpctl": run_ours, "NumPy": repeated(lambda: theirs(a, **keywords))}
    if scipy_fft:
        runs["SciPy"] = repeated(lambda: getattr(scipy_fft, function)(a, workers=THREADS, **keywords))
    if torch:
        tensor = torch.from_numpy(a)
        names = {"dim" if name == "axis" else name: value for name, value in keywords.items()}
        runs["torch"] = repeated(lambda: getattr(torch.fft, function)(tensor, **names))
    table.row(f"{function} {title} {dtype}" + (f", {calls} calls" if calls > 1 else ""), interleave(runs, repetitions))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--only", default="", help="only rows whose function and title contain this text")
    options = parser.parse_args()
    names = ["dpctl", "NumPy"] + ["SciPy"] * bool(scipy_fft) + ["torch"] * bool(torch)
    for name, package in (("SciPy", scipy_fft), ("torch", torch)):
        if not package:
            print(f"{name} is not installed and left out")
    print("median ms")
    table = RatioTable(
        "transform", {name: [name] for name in names}, {f"dpctl/{name}": ("dpctl", name) for name in names[1:]}
    )
    for case in CASES:
        if options.only in f"{case[1]} {case[0]} {case[2]}":
            add_row(table, case, options.repetitions)
    table.close()


if __name__ == "__main__":
    main()
