"""KDE of 1,000,000 samples in 7 dimensions at 17 points: arrays and SYCL compared with Numba, NumPy and C++.

    python benchmarks/kde/run.py [--native FILE.cpp] [--numpy]

The reference is a hand-written OpenMP program, compiled here with g++. Its source is beside the repository
(shared/bench/kde_native.cpp) or given with --native; without a source it is left out, with a message.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

import numba
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(ROOT / "examples" / "kde")]

from report import Timing, measure, table  # noqa: E402

N, D, M, H = 1_000_000, 7, 17, 0.05
REFERENCE = "hand-written C++"
FLAGS = "-O3 -march=native -mprefer-vector-width=512 -fno-math-errno -fno-trapping-math -ffp-contract=fast -fopenmp"


@numba.njit(parallel=True, fastmath=True)
def kde_numba(samples, points, exponent, scale, density):
    """One parallel loop over samples with a private sum for each point, as Numba's users write it."""
    n, d = samples.shape
    total = np.zeros_like(density)
    for i in numba.prange(n):
        mine = np.zeros_like(density)
        for j in range(points.shape[0]):
            distance = samples.dtype.type(0)
            for k in range(d):
                difference = samples[i, k] - points[j, k]
                distance += difference * difference
            mine[j] = np.exp(exponent * distance)
        total += mine
    density[:] = total * scale


@numba.njit(parallel=True, fastmath=True)
def kde_numba_points(samples, points, exponent, scale, density):
    """A parallel loop over samples in a loop over points: a scalar reduction, which Numba vectorises better."""
    n, d = samples.shape
    for j in range(points.shape[0]):
        total = samples.dtype.type(0)
        for i in numba.prange(n):
            distance = samples.dtype.type(0)
            for k in range(d):
                difference = samples[i, k] - points[j, k]
                distance += difference * difference
            total += np.exp(exponent * distance)
        density[j] = total * scale


class Native:
    """The compiled reference. A call runs it, with its own warm-up and repetitions, and returns its median in ms."""

    def __init__(self, source: pathlib.Path, dtype: np.dtype, folder: pathlib.Path) -> None:
        self.program = folder / f"native_{dtype.name}"
        real = "double" if dtype == np.float64 else "float"
        subprocess.run(["g++", *FLAGS.split(), f"-DREAL={real}", str(source), "-o", str(self.program)], check=True)

    def __call__(self) -> float:
        return json.loads(subprocess.run([self.program], check=True, capture_output=True).stdout)["median_ms"]


def in_turns(runs: dict[str, Callable[[], object]], reference: Native | None, turns: int) -> dict[str, Timing]:
    """Medians of turns in which each candidate runs several times in a row, as the reference does: its data are in the
    caches then, and no other candidate's threads are still spinning."""
    medians: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(turns):
        for name, run in runs.items():
            medians[name].append(measure(run, 10).median)
        if reference:
            medians.setdefault(REFERENCE, []).append(reference())
    return {name: Timing(m) for name, m in medians.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", type=pathlib.Path, default=ROOT.parent / "shared" / "bench" / "kde_native.cpp")
    parser.add_argument("--numpy", action="store_true", help="include NumPy (slow, gigabytes of temporaries)")
    parser.add_argument("--turns", type=int, default=7, help="number of turns, each of ten runs by every candidate")
    options = parser.parse_args()

    import demo
    import dpctl
    from build_extension import build

    sys.path.insert(0, str(build(ROOT / "examples" / "kde" / "build")))
    import kde_sycl

    can_compile = options.native.is_file() and shutil.which("g++") is not None
    if not can_compile:
        print(
            f"kde: without the hand-written reference: it needs g++ and {options.native.name} (--native gives the file)"
        )

    queue = dpctl.SyclQueue()
    random = np.random.default_rng(0)
    x, y = random.random((N, D)), random.random((M, D))
    for dtype in (np.dtype("f4"), np.dtype("f8")):
        samples, points = x.astype(dtype), y.astype(dtype)
        exponent = dtype.type(-0.5 / H**2)
        scale = dtype.type((2 * np.pi * H * H) ** (-D / 2) / N)
        density = np.empty(M, dtype)
        atomics = demo.Estimator(samples, points, H, queue, kde_sycl.Method.ATOMICS)
        group = demo.Estimator(samples, points, H, queue, kde_sycl.Method.GROUP_REDUCTION)
        arrays = demo.ArrayCode(samples, points, H, queue)
        runs = {
            "dpctl.tensor, plain code": arrays.run,
            "Numba, samples": lambda: kde_numba(samples, points, exponent, scale, density),  # noqa: B023
            "Numba, points": lambda: kde_numba_points(samples, points, exponent, scale, density),  # noqa: B023
            "SYCL, atomics": atomics.run,
            "SYCL, group reduction": group.run,
        }
        if options.numpy:
            runs["NumPy"] = lambda: demo.kde_numpy(samples, points, H)  # noqa: B023
        with tempfile.TemporaryDirectory() as folder:
            reference = Native(options.native, dtype, pathlib.Path(folder)) if can_compile else None
            timings = in_turns(runs, reference, options.turns)
        title = f"KDE, {N} samples, {D} dimensions, {M} points, {dtype.name}"
        table(title, timings, REFERENCE if reference else "Numba, points")
        best = min(timings["SYCL, atomics"].median, timings["SYCL, group reduction"].median)
        peer = min(timings["Numba, samples"].median, timings["Numba, points"].median)
        print(f"  best SYCL kernel / best Numba: {best / peer:.3f}")


if __name__ == "__main__":
    main()
