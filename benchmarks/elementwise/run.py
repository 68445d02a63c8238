"""One operation on 10,000,000 float64 elements: dpctl.tensor compared with NumPy, numexpr, PyTorch and a copy.

    python benchmarks/elementwise/run.py [--only WORD] [--repetitions N] [--elements N]

The last two columns are for operations limited by memory bandwidth: bytes moved (operands and result, once each) per
second, and its ratio to a memcpy by all cores between arrays of the same size, timed in the same turns. Peers that are
not installed are left out. Results are compared with NumPy's.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import ctypes
import importlib.util
import os
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import Timing, interleave, record  # noqa: E402


@dataclass
class Row:
    name: str
    code: Callable  # (module, arrays by name)
    moved: float | None = None  # bytes for each element, if limited by memory bandwidth
    numexpr: str | None = None


ROWS = [
    Row("a + b", lambda xp, a: a["a"] + a["b"], 24, "a+b"),
    Row("a * b + c", lambda xp, a: a["a"] * a["b"] + a["c"], 32, "a*b+c"),
    Row("exp(a)", lambda xp, a: xp.exp(a["a"]), 16, "exp(a)"),
    Row("sin(a)", lambda xp, a: xp.sin(a["a"]), 16, "sin(a)"),
    Row("sqrt(a)", lambda xp, a: xp.sqrt(a["a"]), 16, "sqrt(a)"),
    Row("sum(a)", lambda xp, a: xp.sum(a["a"]), 8),
    Row("sum(m, axis=0)", lambda xp, a: xp.sum(a["m"], axis=0), 8),
    Row("sum(m, axis=1)", lambda xp, a: xp.sum(a["m"], axis=1), 8),
    Row("max(a)", lambda xp, a: xp.max(a["a"]), 8),
    Row("argmax(a)", lambda xp, a: xp.argmax(a["a"]), 8),
    Row("cumsum(a)", lambda xp, a: cumulative_sum(xp, a["a"]), 16),
    Row("a[::2] + b[::2]", lambda xp, a: a["a"][::2] + a["b"][::2]),
    Row("m + m.T", lambda xp, a: a["s"] + a["s"].T, 24),
    Row("m + row", lambda xp, a: a["m"] + a["row"], 16),
    Row("m + column", lambda xp, a: a["m"] + a["column"], 16),
    Row("float32 + float64", lambda xp, a: a["f"] + a["a"], 20),
    Row("int32 * float64", lambda xp, a: a["i"] * a["a"], 20),
    Row("a > b", lambda xp, a: a["a"] > a["b"], 17, "a>b"),
    Row("where(a > b, a, b)", lambda xp, a: xp.where(a["a"] > a["b"], a["a"], a["b"]), 24, "where(a>b,a,b)"),
    Row("astype(float32)", lambda xp, a: astype(xp, a["a"]), 12),
]


def cumulative_sum(xp, x):
    if hasattr(xp, "cumulative_sum"):
        return xp.cumulative_sum(x)
    return xp.cumsum(x, 0) if xp.__name__ == "torch" else xp.cumsum(x)


def astype(xp, x):
    return x.to(xp.float32) if xp.__name__ == "torch" else xp.astype(x, xp.float32)


class Torch:
    """torch with the keywords of the Array API standard."""

    __name__ = "torch"

    def __getattr__(self, name: str):
        import torch

        return getattr(torch, name)

    def sum(self, x, axis=None):
        import torch

        return torch.sum(x) if axis is None else torch.sum(x, dim=axis)


def arrays(n: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    side = int(n**0.5)
    rows = n // 1000
    base = {name: random.random(n) + 0.5 for name in "abc"}
    return base | {
        "m": random.random((rows, 1000)),
        "s": random.random((side, side)),
        "row": random.random(1000),
        "column": random.random((rows, 1)),
        "f": base["b"].astype(np.float32),
        "i": random.integers(-1000, 1000, n).astype(np.int32),
    }


def parallel_copy(n: int) -> Callable[[], None]:
    """A memcpy of `n` float64 by all cores; ctypes releases the GIL."""
    cores = len(os.sched_getaffinity(0))
    pool = concurrent.futures.ThreadPoolExecutor(cores)
    source, target = np.ones(n), np.zeros(n)
    part = source.nbytes // cores

    def copy(i: int) -> None:
        ctypes.memmove(target.ctypes.data + i * part, source.ctypes.data + i * part, part)

    return lambda: list(pool.map(copy, range(cores)))


def installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def host(result) -> np.ndarray:
    if hasattr(result, "usm_data"):
        import dpctl.tensor as dpt

        return dpt.asnumpy(result)
    return np.asarray(result)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run only operations whose name contains this text")
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--elements", type=int, default=10_000_000)
    options = parser.parse_args()

    import dpctl.tensor as dpt

    n = options.elements
    numpy_arrays = arrays(n)
    ours = {name: dpt.asarray(a) for name, a in numpy_arrays.items()}
    libraries: dict[str, Callable[[Row], Callable | None]] = {
        "dpctl.tensor": lambda row: lambda: (r := row.code(dpt, ours), r.sycl_queue.wait())[0],
        "NumPy": lambda row: lambda: row.code(np, numpy_arrays),
    }
    if installed("numexpr"):
        import numexpr

        few = {name: numpy_arrays[name] for name in "abc"}
        libraries["numexpr"] = lambda row: row.numexpr and (lambda: numexpr.evaluate(row.numexpr, few))
    if installed("torch"):
        import torch

        tensors = {name: torch.from_numpy(a) for name, a in numpy_arrays.items()}
        libraries["torch"] = lambda row: lambda: row.code(Torch(), tensors)
    copy = parallel_copy(n)

    print(f"\n{n} elements, float64, median ms")
    print(
        f"  {'':20}" + "".join(f"{name:>14}" for name in libraries) + f"{'to best peer':>14}{'GB/s':>8}{'of copy':>9}"
    )
    for row in ROWS:
        if options.only not in row.name:
            continue
        runs = {name: run for name, make in libraries.items() if (run := make(row))}
        reference = host(runs["NumPy"]())
        for name, run in runs.items():
            np.testing.assert_allclose(host(run()), reference, rtol=1e-6, err_msg=f"{row.name}, {name}")
        timings: dict[str, Timing] = interleave(runs | {"copy": copy}, options.repetitions)
        for name, timing in timings.items():
            record(row.name, name, timing.median)
        mine = timings["dpctl.tensor"].median
        peer = min(t.median for name, t in timings.items() if name not in ("dpctl.tensor", "copy"))
        line = f"  {row.name:20}"
        line += "".join(f"{timings[name].median:>14.2f}" if name in timings else f"{'':14}" for name in libraries)
        line += f"{mine / peer:>14.2f}"
        if row.moved:
            moved = row.moved * n / mine * 1e-6
            line += f"{moved:>8.1f}{moved / (16 * n / timings['copy'].median * 1e-6):>9.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
