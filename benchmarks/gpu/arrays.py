"""Arrays on a GPU compared with CuPy and PyTorch, in one process: large arrays, a density estimate, small arrays.

    python benchmarks/gpu/arrays.py [--elements N] [--repetitions N]

Times are medians of turns in which every library runs once and waits for the GPU. Bandwidth counts the bytes that an
operation has to read and write, and is compared with PyTorch's copy within the GPU's memory. Libraries that are not
installed are left out.
"""

from __future__ import annotations

import argparse
import importlib
import pathlib
import sys
import time
from collections.abc import Callable

import dpctl
import dpctl.tensor as dpt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from report import interleave, table

N, D, M, H = 1_000_000, 7, 17, 0.05
SCALE = 1 / ((2 * np.pi) ** (D / 2) * H**D * N)


class Library:
    """One array library; its functions are called by dpctl.tensor's names."""

    def __init__(self, name: str, functions, put: Callable, wait: Callable[[], None]) -> None:
        self.name, self.functions, self.put, self.wait = name, functions, put, wait

    def __getattr__(self, function: str):
        return getattr(self.functions, function)


def libraries() -> list[Library]:
    q = dpctl.SyclQueue("gpu")
    found = [Library("dpctl.tensor", dpt, lambda a: dpt.asarray(a, sycl_queue=q), q.wait)]
    try:
        cupy = importlib.import_module("cupy")
        found.append(Library("CuPy", cupy, cupy.asarray, cupy.cuda.get_current_stream().synchronize))
    except ImportError:
        print("CuPy is not installed")
    try:
        torch = importlib.import_module("torch")
        found.append(Library("PyTorch", torch, lambda a: torch.as_tensor(a, device="cuda"), torch.cuda.synchronize))
    except ImportError:
        print("PyTorch is not installed")
    return found


def cast(library: Library, a, to: str):
    if library.name == "PyTorch":
        return a.to(getattr(library.functions, to))
    return library.functions.astype(a, to) if library.name == "dpctl.tensor" else a.astype(to)


def transposed_copy(library: Library, m):
    if library.name == "PyTorch":
        return m.T.contiguous()
    return library.functions.copy(m.T, order="C")


def running_sum(library: Library, a):
    return library.functions.cumulative_sum(a) if library.name == "dpctl.tensor" else library.functions.cumsum(a, 0)


# name: a function of (library, a, b, matrix), and the number of arrays of the operands' size that it reads and writes
OPERATIONS: dict[str, tuple[Callable, float]] = {
    "a + b": (lambda lib, a, b, m: lib.add(a, b), 3),
    "exp(a)": (lambda lib, a, b, m: lib.exp(a), 2),
    "a * b + a": (lambda lib, a, b, m: a * b + a, 3),
    "sum": (lambda lib, a, b, m: lib.sum(a), 1),
    "sum(m, axis=0)": (lambda lib, a, b, m: lib.sum(m, 0) if lib.name == "PyTorch" else lib.sum(m, axis=0), 1),
    "sum(m, axis=1)": (lambda lib, a, b, m: lib.sum(m, 1) if lib.name == "PyTorch" else lib.sum(m, axis=1), 1),
    "max": (lambda lib, a, b, m: lib.max(a), 1),
    "argmax": (lambda lib, a, b, m: lib.argmax(a), 1),
    "cumulative_sum": (lambda lib, a, b, m: running_sum(lib, a), 2),
    "transposed copy": (lambda lib, a, b, m: transposed_copy(lib, m), 2),
}


def waited(library: Library, run: Callable[[], object]) -> Callable[[], None]:
    def whole() -> None:
        result = run()  # noqa: F841 - kept alive: an unreachable result is not computed
        library.wait()

    return whole


def large(all_libraries: list[Library], elements: int, repetitions: int) -> None:
    side = int(elements**0.5)
    elements = side * side
    for dtype in ("float32", "float64"):
        size = np.dtype(dtype).itemsize
        host = np.random.default_rng(0).random(2 * elements, dtype=dtype)
        operands = {}
        for library in all_libraries:
            a, b = library.put(host[:elements]), library.put(host[elements:])
            operands[library.name] = (library, a, b, library.reshape(a, (side, side)))
        other = "float64" if dtype == "float32" else "float32"
        rows = dict(OPERATIONS)
        rows[f"to {other}"] = (
            lambda lib, a, b, m, other=other: cast(lib, a, other),
            1 + np.dtype(other).itemsize / size,
        )
        copied = copy_speed(all_libraries, elements, dtype, repetitions)
        print(f"\n{elements} elements, {dtype}, GB/s" + (f"; a copy: {copied:.0f}" if copied else ""))
        print(f"  {'':16}" + "".join(f"{library.name:>14}" for library in all_libraries) + f"{'of copy':>10}")
        for name, (operation, arrays) in rows.items():
            runs = {
                key: waited(on[0], lambda operation=operation, on=on: operation(*on)) for key, on in operands.items()
            }
            times = interleave(runs, repetitions)
            speeds = [arrays * size * elements / times[key].median / 1e6 for key in runs]
            ratio = f"{speeds[0] / copied:>10.2f}" if copied else ""
            print(f"  {name:16}" + "".join(f"{speed:>14.0f}" for speed in speeds) + ratio, flush=True)


def copy_speed(all_libraries: list[Library], elements: int, dtype: str, repetitions: int) -> float:
    torch = next((library for library in all_libraries if library.name == "PyTorch"), None)
    if torch is None:
        return 0
    a, b = (torch.functions.zeros(elements, dtype=getattr(torch.functions, dtype), device="cuda") for _ in range(2))
    times = interleave({"copy": waited(torch, lambda: b.copy_(a))}, repetitions)
    return 2 * np.dtype(dtype).itemsize * elements / times["copy"].median / 1e6


def density(all_libraries: list[Library], repetitions: int) -> None:
    """A kernel density estimate as plain array code."""
    for dtype in ("float32", "float64"):
        random = np.random.default_rng(0)
        samples, points = random.random((N, D)).astype(dtype), random.random((M, D)).astype(dtype)
        runs, results = {}, {}
        for library in all_libraries:
            x, y = library.put(samples), library.put(points)

            def estimate(library=library, x=x, y=y):
                return library.exp(((x[None] - y[:, None]) ** 2).sum(-1) * (-0.5 / H**2)).sum(1) * SCALE

            if library.name == "dpctl.tensor":

                def estimate(x=x, y=y):
                    squares = dpt.sum((x[None] - y[:, None]) ** 2, axis=-1)
                    return dpt.sum(dpt.exp(squares * (-0.5 / H**2)), axis=1) * SCALE

            runs[library.name] = waited(library, estimate)
            result = estimate()
            results[library.name] = dpt.asnumpy(result) if library.name == "dpctl.tensor" else result
        expected = np.exp(((samples[:, None].astype("f8") - points[:3].astype("f8")) ** 2).sum(-1) * (-0.5 / H**2))
        error = np.abs(results["dpctl.tensor"][:3] / (expected.sum(0) * SCALE) - 1).max()
        table(f"density, {N} samples, {dtype} (error {error:.0e})", interleave(runs, repetitions), "dpctl.tensor")


def small(all_libraries: list[Library], times: int = 2000) -> None:
    print("\na + b of 10 elements, us: submitted, and with waiting for each")
    for library in all_libraries:
        a, b = library.put(np.ones(10)), library.put(np.ones(10))
        for _ in range(100):
            a + b
        library.wait()
        bursts = []
        for _ in range(times // 200):  # fewer than fill the driver's queue, which would block the submission
            start = time.perf_counter()
            for _ in range(200):
                c = library.add(a, b)
            bursts.append((time.perf_counter() - start) / 200)
            library.wait()
        start = time.perf_counter()
        for _ in range(times):
            c = library.add(a, b)  # noqa: F841
            library.wait()
        alone = (time.perf_counter() - start) / times
        print(f"  {library.name:16}{1e6 * sorted(bursts)[len(bursts) // 2]:>8.2f}{1e6 * alone:>8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=100_000_000)
    parser.add_argument("--repetitions", type=int, default=11)
    options = parser.parse_args()
    all_libraries = libraries()
    print("device:", dpctl.SyclDevice("gpu").name)
    small(all_libraries)
    density(all_libraries, options.repetitions)
    large(all_libraries, options.elements, options.repetitions)


if __name__ == "__main__":
    main()
