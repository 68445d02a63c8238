"""Implementations of a kernel in turns, each a process of its own: options, checks of results, times.

On a machine that others use too, processor time on one core is compared instead of time.
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

REST = 0.006  # seconds between turns: until the threads of who had the last one are asleep


def parser(description: str) -> argparse.ArgumentParser:
    """What can be asked of every race."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [problem.name for problem in PROBLEMS]
    made.add_argument("--kernel", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    made.add_argument("--turns", type=int, default=9)
    made.add_argument("--one-core", action="store_true", help="processor time on one core")
    made.add_argument("--json", type=pathlib.Path, help="where to write all times, in milliseconds")
    return made


def built_folder(benchmark: str) -> pathlib.Path:
    """The folder with the libraries, built now. SystemExit where dpep was not built from source."""
    folder = build_folder()
    if folder is None:
        print(f"{benchmark}: needs a dpep that is imported from its build folder; run `make`", file=sys.stderr)
        raise SystemExit(2)
    build(folder)
    return folder


def saved(worker: Process, problem: Problem) -> list[np.ndarray]:
    """The worker's results. Only a small number of arrays is in memory at once."""
    with tempfile.TemporaryDirectory() as folder:
        worker.ask(save=folder)
        return [np.load(f"{folder}/{number}.npy") for number in range(len(problem.outputs(*problem.small)))]


def check(worker: Process, problem: Problem, small: bool, wanted: list[np.ndarray] | None) -> list[np.ndarray]:
    """The worker's results, which must be those wanted, if they are known."""
    worker.ask(problem=problem.name, small=small)
    worker.ask(run=1)
    results = saved(worker, problem)
    error = problem.errors(results, wanted) if wanted else None
    if error is not None:
        raise Failed(f"{worker.name}: {error}")
    return results


def race(problem: Problem, implementations: list[Implementation], turns: int) -> tuple[dict[str, Timing], list[str]]:
    """Times of all that compute the right results, and what was wrong with the others.

    At the small size results are compared with NumPy's, at the one that is timed with the first implementation's.
    """
    wrong = []
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
                wrong.append(f"{problem.name}: {failure}")
        times: dict[str, list[float]] = {worker.name: [] for worker in workers}
        for _ in range(turns):
            for worker in workers:
                times[worker.name].append(worker.ask(run=2)["times"][-1])
                time.sleep(REST)
    return {name: Timing(values) for name, values in times.items()}, wrong


def race_all(
    options: argparse.Namespace,
    implementations: list[Implementation],
    table: RatioTable,
    ours: str,
    otherwise: Implementation | None = None,
    other_algorithms: dict[str, str] | None = None,
) -> int:
    """Fill the table, and say what was wrong: the process' exit status, 1 if that was ours.

    `otherwise` computes the problems in `other_algorithms` by the ways that are named there, on lines of their own.
    """
    record, wrong = {}, []
    for problem in PROBLEMS:
        if problem.name in options.kernel:
            another = (other_algorithms or {}).get(problem.name)
            more = [otherwise] if another and otherwise else []
            timings, failures = race(problem, implementations + more, options.turns)
            table.row(problem.name, timings)
            if more and otherwise.name in timings and ours in timings:
                median = timings[otherwise.name].median
                print(f"  {another}: {median:.2f}, {median / timings[ours].median:.2f} of {ours}")
            record[problem.name] = {name: timing.times for name, timing in timings.items()}
            wrong += failures
    table.close()
    if options.json:
        options.json.write_text(json.dumps(record, indent=1))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if any(f"{ours}: " in failure for failure in wrong) else 0
