"""What all benchmarks share: timing with medians and spread, and a table with ratios to a named peer."""

from __future__ import annotations

import statistics
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


def measure(run: Callable[[], object], repetitions: int, warm_up: int = 2) -> Timing:
    """Run `warm_up` times unmeasured, then `repetitions` times."""
    for _ in range(warm_up):
        run()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return Timing(times)


def interleave(runs: dict[str, Callable[[], object]], repetitions: int, warm_up: int = 2) -> dict[str, Timing]:
    """Measure several candidates in turns, so that a noisy moment of the machine meets all of them."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        for _ in range(warm_up):
            run()
    for _ in range(repetitions):
        for name, run in runs.items():
            times[name] += measure(run, 1, 0).times
    return {name: Timing(t) for name, t in times.items()}


def table(title: str, timings: dict[str, Timing], peer: str) -> None:
    """Print medians, spread and each candidate's time relative to `peer`; below 1 is faster than the peer."""
    width = max(map(len, timings))
    print(f"\n{title}\n  {'':{width}}{'median ms':>12}{'spread ms':>22}{'ratio to ' + peer:>{len(peer) + 12}}")
    for name, timing in timings.items():
        ratio = timing.median / timings[peer].median
        print(f"  {name:{width}}{timing.median:>12.3f}{timing.spread:>22}{ratio:>{len(peer) + 12}.2f}")
