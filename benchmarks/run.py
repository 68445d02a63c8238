"""Runs the benchmarks named on the command line, or all. Each is benchmarks/<name>/run.py and can be run alone.

    python benchmarks/run.py [NAME…] [--before FOLDER] [--turns N]

`--before` compares two builds: FOLDER is the python/ folder of another build. Each benchmark runs with that build and
with the one that Python imports, in turns. Their times and ratios are printed at the end, with the ratio of the peers'
times, which are the same programs in both: it shows the machine's drift.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OURS = ("dpctl", "dpnp", "dpep", "SYCL", "Python")  # how the names of candidates begin that are built from this project


def run(file: pathlib.Path, build: pathlib.Path | None = None) -> tuple[bool, dict[tuple[str, str], float]]:
    """Run a benchmark with a build, or with the one that Python imports. Returns its success and its times."""
    with tempfile.NamedTemporaryFile() as record:
        environment = os.environ | {"DPEP_BENCHMARK_RECORD": record.name}
        if build is not None:
            environment["PYTHONPATH"] = str(build)
        done = subprocess.run([sys.executable, file], env=environment)
        lines = [json.loads(line) for line in record.read().splitlines()]
    return done.returncode == 0, {(row, candidate): time for row, candidate, time in lines}


def compare(name: str, file: pathlib.Path, before: pathlib.Path, turns: int) -> bool:
    """Print the smallest times of both builds, which run in turns. Returns whether all runs succeeded."""
    times: list[dict[tuple[str, str], float]] = [{}, {}]
    good = True
    for turn in range(turns):
        for which, build in ((0, before), (1, None)) if turn % 2 == 0 else ((1, None), (0, before)):
            print(f"\n--- {name}, {'after' if which else 'before'}, turn {turn + 1}", flush=True)
            succeeded, found = run(file, build)
            good &= succeeded
            for key, time in found.items():
                times[which][key] = min(time, times[which].get(key, math.inf))
    print(f"\n{name + ', smallest of ' + str(turns):64}{'before':>12}{'after':>12}{'ratio':>8}")
    ratios: dict[bool, list[float]] = {True: [], False: []}
    for (row, candidate), before_time in times[0].items():
        after_time = times[1].get((row, candidate))
        if not before_time or after_time is None:
            continue
        ours = candidate.startswith(OURS)
        ratios[ours].append(after_time / before_time)
        if ours:
            print(f"{row + ', ' + candidate:64}{before_time:>12.4g}{after_time:>12.4g}{ratios[ours][-1]:>8.3f}")
    for title, ours in (("geometric mean", True), ("geometric mean of the peers", False)):
        if ratios[ours]:
            print(f"{title:88}{statistics.geometric_mean(ratios[ours]):>8.3f}", flush=True)
    return good


def main() -> int:
    known = {file.parent.name: file for file in sorted(HERE.glob("*/run.py"))}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--before", type=pathlib.Path, metavar="FOLDER", help="python/ folder of another build")
    parser.add_argument("--turns", type=int, default=3, help="runs of each build (default: 3)")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"unknown benchmark: {', '.join(unknown)}; the benchmarks are: {', '.join(known)}")
    if options.before is not None and not (options.before / "dpctl").is_dir():
        parser.error(f"--before: {options.before} is not the python/ folder of a build")
    failed = []
    for name in options.names or known:
        print(f"\n=== {name}", flush=True)
        file = known[name]
        good = compare(name, file, options.before.resolve(), options.turns) if options.before else run(file)[0]
        if not good:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
