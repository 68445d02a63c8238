"""Timing with medians and spread, and tables with ratios, for all benchmarks."""

from __future__ import annotations

import json
import math
import os
import re
import statistics
import subprocess
import time
from collections.abc import Callable


class Timing:
    """Times of repeated runs, in milliseconds."""

    def __init__(self, times: list[float]) -> None:
        self.times = sorted(times)
        self.median = statistics.median(times)

    @property
    def spread(self) -> str:
        return f"{self.times[0]:.3f} to {self.times[-1]:.3f}"


def record(row: str, candidate: str, time: float) -> None:
    """Append a time to the file that DPEP_BENCHMARK_RECORD names, for `run.py --before`. Without it, do nothing."""
    if path := os.environ.get("DPEP_BENCHMARK_RECORD"):
        with open(path, "a") as file:
            print(json.dumps([row, candidate, time]), file=file)


def run_program(*command: object) -> int:
    """Run a C++ benchmark and return its exit status.

    Its lines are printed and recorded: a title and, after two spaces or more, times in one or more columns.
    """
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        print(line, end="", flush=True)
        if match := re.fullmatch(r"(\S.*?)\s{2,}(\d+\.?\d*(?:\s+\d+\.?\d*)*)\b(.*)", line.rstrip()):
            for column, time in enumerate(match[2].split()):
                record(f"{match[1]} {column}" if column else match[1], "dpep", float(time))
    return process.wait()


def measure(run: Callable[[], object], repetitions: int, warm_up: int = 2) -> Timing:
    """Time `repetitions` runs, after `warm_up` runs that are not timed."""
    for _ in range(warm_up):
        run()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return Timing(times)


def interleave(runs: dict[str, Callable[[], object]], repetitions: int, warm_up: int = 2) -> dict[str, Timing]:
    """Time several candidates in turns, so that noise on the machine affects all of them."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        for _ in range(warm_up):
            run()
    for _ in range(repetitions):
        for name, run in runs.items():
            times[name] += measure(run, 1, 0).times
    return {name: Timing(t) for name, t in times.items()}


def table(title: str, timings: dict[str, Timing], peer: str) -> None:
    """Print medians, spreads and ratios to the time of `peer`; a ratio below 1 is faster than the peer."""
    width = max(map(len, timings))
    print(f"\n{title}\n  {'':{width}}{'median ms':>12}{'spread ms':>22}{'ratio to ' + peer:>{len(peer) + 12}}")
    for name, timing in timings.items():
        ratio = timing.median / timings[peer].median
        record(title, name, timing.median)
        print(f"  {name:{width}}{timing.median:>12.3f}{timing.spread:>22}{ratio:>{len(peer) + 12}.2f}")


class RatioTable:
    """A table that is printed row by row: medians, ratios of columns, and the ratios' geometric means at the end.

    Args:
        title: Title of the first column.
        columns: Titles, with the names of the candidates of which the column shows the fastest.
        ratios: Titles, with the columns to divide.
    """

    def __init__(self, title: str, columns: dict[str, list[str]], ratios: dict[str, tuple[str, str]]) -> None:
        self.title, self.columns, self.ratios = title, columns, ratios
        self.found: dict[str, list[float]] = {name: [] for name in ratios}
        self.widths = [max(len(name) + 2, 9) for name in (*columns, *ratios)]
        self._print(title, [*columns, *ratios])

    def _print(self, first: str, cells: list[str]) -> None:
        print(f"{first:16}" + "".join(f"{c:>{w}}" for c, w in zip(cells, self.widths, strict=True)), flush=True)

    def row(self, title: str, timings: dict[str, Timing]) -> None:
        medians = {
            column: min((timings[name].median for name in candidates if name in timings), default=math.nan)
            for column, candidates in self.columns.items()
        }
        for name, timing in timings.items():
            record(f"{self.title} {title}", name, timing.median)
        ratios = {ratio: medians[one] / medians[other] for ratio, (one, other) in self.ratios.items()}
        for ratio, value in ratios.items():
            if not math.isnan(value):
                self.found[ratio].append(value)
        self._print(title, ["–" if math.isnan(x) else f"{x:.2f}" for x in (*medians.values(), *ratios.values())])

    def close(self) -> None:
        means = [statistics.geometric_mean(found) if found else math.nan for found in self.found.values()]
        self._print("geometric mean", [""] * len(self.columns) + [f"{mean:.2f}" for mean in means])
