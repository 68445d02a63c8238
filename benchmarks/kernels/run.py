"""Fifteen kernels in SYCL beside hand-written C++ with OpenMP, PoCL and Intel's OpenCL runtime, on the same data.

    python benchmarks/kernels/run.py [--kernel NAME…] [--only IMPLEMENTATION…] [--one-core] [--json FILE]
    python benchmarks/kernels/run.py --compile [--kernel NAME…]

Columns: the median time in milliseconds of turns in which all take part, and how many times as fast dpep is. The
hand-written column is the faster of what g++ and clang make of the same code. At a small size, all results are
compared with NumPy's; at the size that is timed, with the hand-written ones. --compile shows what compiling takes.

On a machine that others use too, --one-core compares processor time on one core instead.

PoCL comes from the packages pocl-opencl-icd, opencl-headers and ocl-icd-opencl-dev; Intel's runtime are the Python
packages intel-opencl-rt and intel-cmplr-lib-rt, installed anywhere. Who is missing is left out; a line says so.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import pathlib
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compile_time  # noqa: E402
from implementations import (  # noqa: E402
    CLANG,
    GCC,
    NATIVE,
    OURS,
    PEERS,
    Failed,
    Implementation,
    Missing,
    Process,
    build,
    build_folder,
    find,
)
from problems import PROBLEMS, Problem  # noqa: E402
from report import Timing  # noqa: E402

REST = 0.006  # seconds between turns: until the threads of who had the last one are asleep


def saved(worker: Process, problem: Problem) -> list[np.ndarray]:
    """The worker's results. Only a small number of arrays is in memory at once."""
    with tempfile.TemporaryDirectory() as folder:
        worker.ask(save=folder)
        return [np.load(f"{folder}/{number}.npy") for number in range(len(problem.outputs(*problem.small)))]


def check_small(worker: Process, problem: Problem, wanted: list[np.ndarray]) -> str | None:
    worker.ask(problem=problem.name, small=True)
    worker.ask(run=1)
    return problem.errors(saved(worker, problem), wanted)


def race(problem: Problem, implementations: list[Implementation], turns: int) -> tuple[dict[str, Timing], list[str]]:
    """Times of all that compute the right results, and what was wrong with the others."""
    wrong = []
    with contextlib.ExitStack() as stack:
        workers: list[Process] = []
        inputs = problem.inputs(np.random.default_rng(0), *problem.small)
        reference, native = problem.reference(inputs, *problem.small), None
        for implementation in implementations:
            try:
                worker = stack.enter_context(Process(implementation))
                error = check_small(worker, problem, reference)
                if error is None:
                    worker.ask(problem=problem.name, small=False)
                    worker.ask(run=1)
                    results = saved(worker, problem)
                    native = results if native is None else native
                    error = problem.errors(results, native)
                if error is not None:
                    raise Failed(f"{worker.name}: {error}")
                workers.append(worker)
            except Failed as failure:
                wrong.append(f"{problem.name}: {failure}")
        times: dict[str, list[float]] = {worker.name: [] for worker in workers}
        for _ in range(turns):
            for worker in workers:
                times[worker.name].append(worker.ask(run=2)["times"][-1])
                time.sleep(REST)
    return {name: Timing(values) for name, values in times.items()}, wrong


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


class Table:
    """Rows as they come, ratios and their means."""

    def __init__(self) -> None:
        self.ratios: dict[str, list[float]] = {"hand-written": [], **{peer: [] for peer in PEERS}}
        columns = "".join(f"{name:>14}{'x':>7}" for name in self.ratios)
        print(f"{'kernel, ms':16}{'dpep':>10}{'spread':>18}{columns}")

    def row(self, problem: Problem, timings: dict[str, Timing]) -> None:
        ours = timings.get(OURS)
        native = [timings[name].median for name in NATIVE if name in timings]
        medians = {"hand-written": min(native, default=None)}
        medians |= {peer: timings[peer].median if peer in timings else None for peer in PEERS}
        text = f"{problem.name:16}"
        text += (
            f"{ours.median:>10.2f}{ours.times[0]:>10.2f}–{ours.times[-1]:<7.2f}" if ours else " " * 19 + "–" + " " * 8
        )
        for name, median in medians.items():
            if median is None:
                text += f"{'–':>14}{'':7}"
            elif ours is None:
                text += f"{median:>14.2f}{'':7}"
            else:
                self.ratios[name].append(median / ours.median)
                text += f"{median:>14.2f}{median / ours.median:>7.2f}"
        print(text, flush=True)

    def close(self) -> None:
        means = "".join(f"{'':14}{geometric_mean(ratios):>7.2f}" for ratios in self.ratios.values())
        print(f"{'geometric mean':44}{means}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [problem.name for problem in PROBLEMS]
    everyone = [CLANG, GCC, OURS, *PEERS]
    parser.add_argument("--kernel", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--only", nargs="+", choices=everyone, default=everyone, metavar="IMPLEMENTATION")
    parser.add_argument("--intel", type=pathlib.Path, help="the folder, or library, of Intel's OpenCL runtime")
    parser.add_argument("--json", type=pathlib.Path, help="where to write all times, in milliseconds")
    parser.add_argument("--one-core", action="store_true", help="processor time on one core")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--compile", action="store_true", help="show what compiling takes instead")
    options = parser.parse_args()

    folder = build_folder()
    if folder is None:
        print("kernels: needs a dpep that is imported from its build folder; run `make`", file=sys.stderr)
        return 2
    build(folder)
    if options.compile:
        compile_time.show(find(OURS, folder), options.kernel)
        return 0
    implementations = []
    for name in everyone:
        if name in options.only:
            try:
                implementations.append(find(name, folder, options.intel, options.one_core))
            except Missing as why:
                print(f"without {name}: {why}")
    table, record, wrong = Table(), {}, []
    for problem in PROBLEMS:
        if problem.name in options.kernel:
            timings, failures = race(problem, implementations, options.turns)
            table.row(problem, timings)
            record[problem.name] = {name: timing.times for name, timing in timings.items()}
            wrong += failures
    table.close()
    if options.json:
        options.json.write_text(json.dumps(record, indent=1))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if any(f"{OURS}: " in failure for failure in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
