"""KDE of 1,000,000 samples in 7 dimensions at 17 points as a kernel in Python, compared with hand-written C++.

    python benchmarks/python_kernels/kde.py [--native FILE.cpp] [--turns N] [--one-core]

Both run in turns in processes of their own, with all cores. With --one-core they run on one core, and processor time is
compared, since wall-clock time means little on a shared machine. The hand-written program is the reference of
benchmarks/kde. Each turn is one process, for which the minimum of 30 runs counts.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import dpctl
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES, DIMENSIONS, POINTS, H = 1_000_000, 7, 17, 0.05
GROUP, PER_ITEM, RUNS = 128, 32, 30
FLAGS = "-O3 -march=native -mprefer-vector-width=512 -fno-math-errno -fno-trapping-math -ffp-contract=fast -fopenmp"


@ndx.kernel(fastmath=True)
def density(item: kapi.NdItem, samples, points, exponent, sums):
    group = item.get_group()
    total = kapi.PrivateArray(POINTS, np.float32, fill_zeros=True)
    x = kapi.PrivateArray(DIMENSIONS, np.float32)
    for s in range(PER_ITEM):
        i = (group.get_group_id(0) * PER_ITEM + s) * GROUP + item.get_local_id(0)
        if i < samples.shape[0]:
            for k in range(DIMENSIONS):
                x[k] = samples[i, k]
            for j in range(POINTS):
                distance = np.float32(0)
                for k in range(DIMENSIONS):
                    difference = x[k] - points[j, k]
                    distance += difference * difference
                total[j] += math.exp(exponent * distance)
    for j in range(POINTS):
        sum_of_group = kapi.reduce_over_group(group, total[j], kapi.plus)
        if group.leader:
            sums[group.get_group_id(0), j] = sum_of_group


def ours() -> dict:
    """Milliseconds of one evaluation, the minimum of RUNS, and the largest relative error."""
    random = np.random.default_rng(0)
    x, y = random.random((SAMPLES, DIMENSIONS), np.float32), random.random((POINTS, DIMENSIONS), np.float32)
    queue = dpctl.SyclQueue("cpu")
    samples, points = dpt.asarray(x, sycl_queue=queue), dpt.asarray(y, sycl_queue=queue)
    groups = -(-SAMPLES // (GROUP * PER_ITEM))
    sums = dpt.empty((groups, POINTS), dtype="f4", sycl_queue=queue)
    exponent, norm = np.float32(-0.5 / H**2), (2 * math.pi * H * H) ** (-DIMENSIONS / 2) / SAMPLES
    clock = time.process_time if "BENCH_PROCESSOR_TIME" in os.environ else time.perf_counter

    def evaluate():
        ndx.call_kernel(density, ndx.NdRange((groups * GROUP,), (GROUP,)), samples, points, exponent, sums)
        return dpt.asnumpy(dpt.sum(sums, axis=0) * norm)

    result = evaluate()
    times = []
    for _ in range(RUNS):
        start = clock()
        evaluate()
        times.append(1e3 * (clock() - start))
    expected = np.zeros(POINTS)
    for j in range(POINTS):
        distance = ((x.astype(np.float64) - y[j]) ** 2).sum(1)
        expected[j] = np.exp(-0.5 / H**2 * distance).sum() * norm
    return {"min_ms": min(times), "max_rel_err": float(np.max(np.abs(result - expected) / expected))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", type=pathlib.Path, default=ROOT.parent / "shared" / "bench" / "kde_native.cpp")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--one-core", action="store_true", help="processor time on one core")
    parser.add_argument("--ours", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ours:
        print(json.dumps(ours()))
        return 0
    compiler = shutil.which("g++")
    if compiler is None or not options.native.is_file():
        print(f"kde: needs g++ and {options.native.name}; --native gives the file", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "native"
        subprocess.run([compiler, *FLAGS.split(), str(options.native), "-o", str(program)], check=True)
        commands = {"hand-written C++": [str(program)], "kernel in Python": [sys.executable, __file__, "--ours"]}
        environment = dict(os.environ)
        if options.one_core:
            environment |= {"BENCH_PROCESSOR_TIME": "1", "OMP_NUM_THREADS": "1"}
            pin = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
            commands = {name: pin + command for name, command in commands.items()}
        best: dict[str, float] = dict.fromkeys(commands, math.inf)
        for _ in range(options.turns):
            for name, command in commands.items():
                done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
                result = json.loads(done.stdout)
                best[name] = min(best[name], result["min_ms"])
                if result["max_rel_err"] > 1e-4:
                    print(f"{name}: relative error {result['max_rel_err']}", file=sys.stderr)
                    return 1
    for name, milliseconds in best.items():
        print(f"{name:20}{milliseconds:>10.2f} ms{milliseconds / best['hand-written C++']:>8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
