"""Comparison of a kernel's implementations, which run in turns in a process each: options, checks of results, times.

On a shared machine, processor time on one core can be compared instead of wall-clock time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import numpy as np  # noqa: E402
from implementations import Failed, Implementation, Process, build, build_folder  # noqa: E402
from problems import PROBLEMS, Problem  # noqa: E402
from report import RatioTable, Timing  # noqa: E402

PAUSE = 0.006  # seconds between turns, until the threads of the implementation that ran last are asleep


def argument_parser(description: str) -> argparse.ArgumentParser:
    """The options that all comparisons have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [problem.name for problem in PROBLEMS]
    parser.add_argument("--kernel", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--one-core", action="store_true", help="processor time on one core")
    parser.add_argument("--json", type=pathlib.Path, help="write all times to this file, in milliseconds")
    return parser


def built_folder(benchmark: str) -> pathlib.Path:
    """Build the libraries and return their folder. Raises SystemExit if dpep was not built from source."""
    folder = build_folder()
    if folder is None:
        print(f"{benchmark}: needs a dpep that is imported from its build folder; run `make`", file=sys.stderr)
        raise SystemExit(2)
    build(folder)
    return folder


def load_results(worker: Process, problem: Problem) -> list[np.ndarray]:
    """The results of the worker's last run, passed through files."""
    count = len(problem.outputs(*problem.small))  # the same at each size; small arrays are cheap to make
    with tempfile.TemporaryDirectory() as folder:
        worker.request(save=folder)
        return [np.load(f"{folder}/{number}.npy") for number in range(count)]


def check(worker: Process, problem: Problem, small: bool, wanted: list[np.ndarray] | None) -> list[np.ndarray]:
    """Run the problem once and return the results. Raises Failed if they differ from `wanted`."""
    worker.request(problem=problem.name, small=small)
    worker.request(run=1)
    results = load_results(worker, problem)
    error = problem.errors(results, wanted) if wanted else None
    if error is not None:
        raise Failed(f"{worker.name}: {error}")
    return results


def compare(problem: Problem, implementations: list[Implementation], turns: int) -> tuple[dict[str, Timing], list[str]]:
    """Times of the implementations whose results are right, and messages about the others.

    At the small size, results are compared with NumPy's; at the timed size, with the first implementation's.
    """
    failures = []
    with contextlib.ExitStack() as stack:
        workers: list[Process] = []
        inputs = problem.inputs(np.random.default_rng(0), *problem.small)
        reference, first = problem.reference(inputs, *problem.small), None
        for implementation in implementations:
            try:
                worker = stack.enter_context(Process(implementation))
                check(worker, problem, True, reference)
                results = check(worker, problem, False, first)
                first = first or results
                workers.append(worker)
            except Failed as failure:
                failures.append(f"{problem.name}: {failure}")
        times: dict[str, list[float]] = {worker.name: [] for worker in workers}
        for _ in range(turns):
            for worker in workers:
                times[worker.name].append(worker.request(run=2)["times"][-1])
                time.sleep(PAUSE)
    return {name: Timing(values) for name, values in times.items()}, failures


def compare_all(
    options: argparse.Namespace,
    implementations: list[Implementation],
    table: RatioTable,
    ours: str,
    alternative: Implementation | None = None,
    other_algorithms: dict[str, str] | None = None,
) -> int:
    """Fill the table and print failures. Returns the exit status: 1 if the implementation `ours` failed, otherwise 0.

    `alternative` solves the problems in `other_algorithms` by the algorithms named there, on separate lines.
    """
    record, all_failures = {}, []
    for problem in PROBLEMS:
        if problem.name in options.kernel:
            algorithm = (other_algorithms or {}).get(problem.name)
            extra = [alternative] if algorithm and alternative else []
            timings, failures = compare(problem, implementations + extra, options.turns)
            table.row(problem.name, timings)
            if extra and alternative.name in timings and ours in timings:
                median = timings[alternative.name].median
                print(f"  {algorithm}: {median:.2f}, {median / timings[ours].median:.2f} of {ours}")
            record[problem.name] = {name: timing.times for name, timing in timings.items()}
            all_failures += failures
    table.close()
    if options.json:
        options.json.write_text(json.dumps(record, indent=1))
    print(*all_failures, sep="\n", end="\n" if all_failures else "")
    return 1 if any(f"{ours}: " in failure for failure in all_failures) else 0
