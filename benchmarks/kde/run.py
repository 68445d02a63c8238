"""The headline, KDE of 1,000,000 samples in 7 dimensions at 17 points: arrays and SYCL beside Numba, NumPy, C++.

    python benchmarks/kde/run.py [--native FILE.cpp] [--numpy]

The bound is a hand-written OpenMP program, compiled here with g++; it lies beside the repository
(shared/bench/kde_native.cpp) or is given with --native, and is left out, saying so, when there is none.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numba
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(ROOT / "examples" / "kde")]

from report import Timing, interleave, table  # noqa: E402

N, D, M, H = 1_000_000, 7, 17, 0.05


@numba.njit(parallel=True, fastmath=True)
def kde_numba(samples, points, exponent, scale, density):
    """One parallel loop over samples with a private sum a point, as Numba's users write it."""
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
    """A parallel loop over samples inside a loop over points: a scalar reduction, which Numba vectorises better."""
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


def native(source: pathlib.Path, dtype: np.dtype) -> Timing | None:
    """Compile and run the hand-written bound; its own median and minimum."""
    compiler = shutil.which("g++")
    if not source.is_file() or compiler is None:
        print(f"no hand-written bound: {source.name if compiler else 'g++'} not found (--native gives the file)")
        return None
    flags = "-O3 -march=native -mprefer-vector-width=512 -fno-math-errno -fno-trapping-math -ffp-contract=fast -fopenmp"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "native"
        real = "double" if dtype == np.float64 else "float"
        subprocess.run([compiler, *flags.split(), f"-DREAL={real}", str(source), "-o", str(program)], check=True)
        result = json.loads(subprocess.run([program], check=True, capture_output=True).stdout)
    return Timing([result["min_ms"], result["median_ms"], result["median_ms"]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", type=pathlib.Path, default=ROOT.parent / "shared" / "bench" / "kde_native.cpp")
    parser.add_argument("--numpy", action="store_true", help="NumPy, too (slow, and gigabytes of temporaries)")
    parser.add_argument("--repetitions", type=int, default=15)
    options = parser.parse_args()

    import demo
    import dpctl
    from build_extension import build

    sys.path.insert(0, str(build(ROOT / "examples" / "kde" / "build")))
    import kde_sycl

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
        timings = interleave(runs, options.repetitions)
        bound = native(options.native, dtype)
        if bound:
            timings["hand-written C++"] = bound
        title = f"KDE, {N} samples, {D} dimensions, {M} points, {dtype.name}"
        table(title, timings, "Numba, points" if not bound else "hand-written C++")
        best = min(timings["SYCL, atomics"].median, timings["SYCL, group reduction"].median)
        peer = min(timings["Numba, samples"].median, timings["Numba, points"].median)
        print(f"  best SYCL kernel / best Numba: {best / peer:.3f}")


if __name__ == "__main__":
    main()
