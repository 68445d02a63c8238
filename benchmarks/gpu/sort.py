"""Sorts on a GPU compared with CuPy and PyTorch, in one process: one long row, many rows, and positions.

    python benchmarks/gpu/sort.py [--elements N] [--repetitions N]

Times are medians of turns in which every library runs once and waits for the GPU. The results are compared with
NumPy's. Libraries that are not installed are left out.
"""

from __future__ import annotations

import argparse

import dpctl.tensor as dpt
import numpy as np
from arrays import Library, libraries, waited
from report import interleave, table


def on_host(library: Library, a) -> np.ndarray:
    if library.name == "dpctl.tensor":
        return dpt.asnumpy(a)
    return a.cpu().numpy() if library.name == "PyTorch" else library.functions.asnumpy(a)


def sorter(library: Library, function: str):
    """The library's function; all of them are stable."""
    if library.name == "PyTorch":
        torch = library.functions
        if function == "argsort":
            return lambda a: torch.argsort(a, dim=-1, stable=True)
        return lambda a: torch.sort(a, dim=-1, stable=True).values
    return getattr(library, function)


def keys(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    random = np.random.default_rng(0)
    if np.dtype(dtype).kind == "i":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, shape, dtype)
    return random.standard_normal(shape, dtype)


def compare(all_libraries: list[Library], function: str, shape: tuple[int, ...], dtype: str, repetitions: int) -> None:
    host = keys(shape, dtype)
    runs = {}
    for library in all_libraries:
        a, run = library.put(host), sorter(library, function)
        sample = on_host(library, run(a)).reshape(-1, shape[-1])[-1]
        last_row = host.reshape(-1, shape[-1])[-1]
        expected = np.sort(last_row) if function == "sort" else np.argsort(last_row, kind="stable")
        assert np.array_equal(sample, expected), f"{library.name}: {function} of {dtype} {shape} differs from NumPy's"
        runs[library.name] = waited(library, lambda a=a, run=run: run(a))
    timings = interleave(runs, repetitions)
    table(f"{function} of {' x '.join(map(str, shape))} {dtype}", timings, "dpctl.tensor")
    speeds = (f"{name} {host.size / timing.median / 1e6:.1f}" for name, timing in timings.items())
    print("  1e9 keys/s: " + ", ".join(speeds), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=100_000_000)
    parser.add_argument("--repetitions", type=int, default=10)
    options = parser.parse_args()
    found = libraries()
    rows = max(int(options.elements**0.5), 1)
    for dtype in ("int32", "float32", "float64"):
        compare(found, "sort", (options.elements,), dtype, options.repetitions)
    compare(found, "argsort", (options.elements,), "int32", options.repetitions)
    for dtype in ("int32", "float32"):
        compare(found, "sort", (rows, rows), dtype, options.repetitions)
    compare(found, "sort", (options.elements // 100, 100), "float32", options.repetitions)


if __name__ == "__main__":
    main()
