"""dpjit on one NVIDIA GPU beside numba-cuda, CuPy and jax.jit: the same programs on the same data.

    python benchmarks/dpjit/gpu.py [parts of names] [--peers numba-cuda cupy jax] [--small] [--limit S] [--rows FILE]

Compares the results, and prints the median time of a call, that of the best peer divided by ours, and the first
call's. All arguments are on the GPU before a call, and all work is complete after it. Packages that are not installed
are left out; errors are printed. With --rows each program's row is appended to a file, and those in it are not run
again: after a failure of the driver a new process goes on.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import time
import warnings
from pathlib import Path

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import comparison
import numpy as np
import peers
import programs

SIZES = {
    "pairwise distance, loops": 6000,
    "pairwise distance, arrays": 6000,
    "k-means step": 400_000,
    "k nearest neighbours": 16_000,
    "Black-Scholes": 16_000_000,
    "Monte Carlo": 800_000,
    "norms of rows": 400_000,
    "Rambo": 1_600_000,
    "DBSCAN counts": 32_000,
    "principal axes": 3_200_000,
    "weighted pairs": 20_000,
    "heat": 4000,
    "Mandelbrot": 4000,
    "N-body": 32_000,
    "logistic regression": 800_000,
    "moving average": 16_000_000,
    "Sobel": 6000,
    "game of life": 4000,
    "shortest paths": 1600,
    "LU": 2000,
    "edit distance": 2000,
    "Cholesky": 2000,
    "prime sieve": 8_000_000,
    "ray marching": 4000,
    "statistics": 64_000_000,
    "Gaussian process": 2400,
}


class OnGpu:
    """Copies arguments on the GPU: the data is transferred once for each program and package."""

    def prepare(self, given):
        if not hasattr(self, "originals"):
            self.originals = [self.to_gpu(each) if isinstance(each, np.ndarray) else each for each in given]
        arguments = [self.copy(each) if isinstance(to, np.ndarray) else each for each, to in zip(self.originals, given)]
        self.wait(arguments)
        return arguments


class Dpjit(OnGpu, peers.Dpjit):
    def to_gpu(self, array):
        return self.dpnp.asarray(array, device="cuda:gpu")

    def copy(self, array):
        return array.copy()

    def wait(self, arguments):
        for each in arguments:
            if isinstance(each, self.dpnp.ndarray):
                self.dpnp.synchronize_array_data(each)


class NumbaCuda(OnGpu, peers.Peer):
    def compile(self, function):
        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack  # NumPy 2.4 removed it, and numba-cuda names it
        self.cuda = importlib.import_module("numba.cuda")
        found = importlib.import_module("numba_cuda_programs")
        if self.name in found.MISSING:
            raise NotImplementedError("the package has no such function of linear algebra")
        return getattr(found, function.__name__)

    def to_gpu(self, array):
        return self.cuda.to_device(array)

    def copy(self, array):
        copied = self.cuda.device_array_like(array)
        copied.copy_to_device(array)
        return copied

    def wait(self, arguments):
        self.cuda.synchronize()

    def call(self, arguments):
        returned = self.function(*arguments)
        self.cuda.synchronize()
        return returned

    def to_numpy(self, value):
        return value.copy_to_host() if hasattr(value, "copy_to_host") else np.asarray(value)


class Cupy(OnGpu, peers.Peer):
    def compile(self, function):
        self.cupy = importlib.import_module("cupy")
        return getattr(importlib.import_module("cupy_programs"), function.__name__)

    def to_gpu(self, array):
        return self.cupy.asarray(array)

    def copy(self, array):
        return array.copy()

    def wait(self, arguments):
        self.cupy.cuda.get_current_stream().synchronize()

    def call(self, arguments):
        returned = self.function(*arguments)
        self.cupy.cuda.get_current_stream().synchronize()
        return returned

    def to_numpy(self, value):
        return self.cupy.asnumpy(value)


class Jax(peers.Jax):
    def prepare(self, given):
        if not hasattr(self, "originals"):
            self.originals = self.programs.arguments(self.name, given)
        copies = [self.jax.numpy.copy(each) if hasattr(each, "devices") else each for each in self.originals]
        return self.jax.block_until_ready(copies)


PEERS = {"numba-cuda": (NumbaCuda, "numba.cuda"), "cupy": (Cupy, "cupy"), "jax": (Jax, "jax")}


def rows_of(path: Path | None) -> tuple[list[comparison.Row], set[str]]:
    """The rows that an earlier process wrote, and the names of all programs that it started."""
    rows, started = [], set()
    if path and path.exists():
        for text in path.read_text().splitlines():
            found = json.loads(text)
            started.add(found["name"])
            if "median" in found:
                rows.append(comparison.Row.from_dict(found))
    return rows, started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", help="parts of the programs' names")
    parser.add_argument("--peers", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--small", action="store_true", help="the small sizes of run.py, where calls cost the most")
    parser.add_argument("--cpu-sizes", action="store_true", help="the large sizes of run.py")
    parser.add_argument("--seconds", type=float, default=0.15, help="for each program and package")
    parser.add_argument("--limit", type=float, default=1e9, help="start no further program after so many seconds")
    parser.add_argument("--rows", type=Path)
    options = parser.parse_args()

    warnings.simplefilter("ignore")
    start = time.perf_counter()
    modules = peers.installed([PEERS[name][1] for name in options.peers])
    names = [name for name in options.peers if PEERS[name][1] in modules]
    makers = {"dpjit": Dpjit} | {name: PEERS[name][0] for name in names}
    rows, started = rows_of(options.rows)
    print(comparison.header(list(makers)))
    for name, (_function, make, sizes) in programs.PROGRAMS.items():
        if name in started or (options.only and not any(each in name for each in options.only)):
            continue
        if time.perf_counter() - start > options.limit:
            print(f"{name}: not run, out of time")
            continue

        def write(line: dict) -> None:
            if options.rows:
                with options.rows.open("a") as file:
                    print(json.dumps(line), file=file)

        write({"name": name})
        size = sizes[0] if options.small else sizes[1] if options.cpu_sizes else SIZES[name]
        rows.append(comparison.measure(name, makers, make(size), options.seconds, keep_going=True, pause=0.0))
        write(rows[-1].as_dict())
        print(comparison.line(rows[-1], list(makers)), flush=True)
    print(comparison.summary(rows, names))


if __name__ == "__main__":
    main()
