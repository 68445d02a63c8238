"""The fifteen kernels of benchmarks/kernels in Python, beside the same in SYCL C++ and loops compiled by Numba.

    python benchmarks/python_kernels/run.py [--kernel NAME…] [--turns N] [--one-core] [--json FILE]

Times are medians of turns in which all take part; ratios are how many times as long dpep's Python kernel takes as the
one in SYCL, and how many times as fast it is as Numba's. Numba's functions use the same algorithms; where another one
suits a plain loop better, its time is on a line below. Results are compared with NumPy's at a small size. On a
machine that others use too, --one-core compares processor time on one core instead.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "kernels"), str(HERE.parent)]

import numpy as np  # noqa: E402
from implementations import OURS, Failed, Implementation, Process, build, build_folder, find  # noqa: E402
from problems import PROBLEMS, Problem  # noqa: E402
from report import Timing  # noqa: E402

REST = 0.006  # seconds between turns: until the threads of who had the last one are asleep
PYTHON, NUMBA, OTHERWISE = "Python", "Numba", "Numba, otherwise"
ANOTHER_ALGORITHM = {"scan": "running sums"}


def results(worker: Process, problem: Problem) -> list[np.ndarray]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        worker.ask(save=folder)
        return [np.load(f"{folder}/{number}.npy") for number in range(len(problem.outputs(*problem.small)))]


def race(problem: Problem, implementations: list[Implementation], turns: int) -> tuple[dict[str, Timing], list[str]]:
    """Times of all that compute the right results, and what was wrong with the others."""
    wrong, workers = [], []
    reference = problem.reference(problem.inputs(np.random.default_rng(0), *problem.small), *problem.small)
    with contextlib.ExitStack() as stack:
        for implementation in implementations:
            try:
                worker = stack.enter_context(Process(implementation))
                worker.ask(problem=problem.name, small=True)
                worker.ask(run=1)
                error = problem.errors(results(worker, problem), reference)
                if error is not None:
                    raise Failed(f"{worker.name}: {error}")
                worker.ask(problem=problem.name, small=False)
                worker.ask(run=1)
                workers.append(worker)
            except Failed as failure:
                wrong.append(f"{problem.name}: {failure}")
        times: dict[str, list[float]] = {worker.name: [] for worker in workers}
        for _ in range(turns):
            for worker in workers:
                times[worker.name].append(worker.ask(run=2)["times"][-1])
                time.sleep(REST)
    return {name: Timing(values) for name, values in times.items()}, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [problem.name for problem in PROBLEMS]
    parser.add_argument("--kernel", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--one-core", action="store_true", help="processor time on one core")
    parser.add_argument("--json", type=pathlib.Path, help="where to write all times, in milliseconds")
    options = parser.parse_args()
    folder = build_folder()
    if folder is None:
        print("python_kernels: needs a dpep that is imported from its build folder; run `make`", file=sys.stderr)
        return 2
    build(folder)
    worker = HERE / "python_worker.py"
    implementations = [
        Implementation(PYTHON, pathlib.Path("dpex"), {}, worker, options.one_core),
        find(OURS, folder, None, options.one_core),
        Implementation(NUMBA, pathlib.Path("numba"), {}, worker, options.one_core),
    ]
    otherwise = Implementation(OTHERWISE, pathlib.Path("numba_otherwise"), {}, worker, options.one_core)
    print(f"{'kernel, ms':16}{'Python':>10}{'SYCL':>10}{'Numba':>10}{'time / SYCL':>14}{'speed / Numba':>16}")
    to_sycl, to_numba, record, wrong = [], [], {}, []
    for problem in PROBLEMS:
        if problem.name not in options.kernel:
            continue
        more = [otherwise] if problem.name in ANOTHER_ALGORITHM else []
        timings, failures = race(problem, implementations + more, options.turns)
        wrong += failures
        record[problem.name] = {name: timing.times for name, timing in timings.items()}
        medians = {name: timings[name].median if name in timings else math.nan for name in (PYTHON, OURS, NUMBA)}
        slower, faster = medians[PYTHON] / medians[OURS], medians[NUMBA] / medians[PYTHON]
        to_sycl.append(slower)
        to_numba.append(faster)
        print(
            f"{problem.name:16}" + "".join(f"{m:>10.2f}" for m in medians.values()), f"{slower:>13.2f}{faster:>16.2f}"
        )
        if OTHERWISE in timings:
            ratio = timings[OTHERWISE].median / medians[PYTHON]
            print(f"  {ANOTHER_ALGORITHM[problem.name]:34}{timings[OTHERWISE].median:>10.2f}{ratio:>30.2f}")
    means = [np.exp(np.nanmean(np.log(ratios))) for ratios in (to_sycl, to_numba)]
    print(f"{'geometric mean':46}{means[0]:>14.2f}{means[1]:>16.2f}")
    if options.json:
        options.json.write_text(json.dumps(record, indent=1))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if any(f"{PYTHON}: " in failure for failure in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
