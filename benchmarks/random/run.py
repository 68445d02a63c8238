"""Random numbers: dpnp.random compared with NumPy's Generator on Philox.

    python benchmarks/random/run.py [--repetitions N] [--elements N]

The first table has 10,000,000 numbers, and expressions that use numbers once; the second has calls for few numbers, and
the third the first call in a fresh process, without the disk cache.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from report import RatioTable, Timing, interleave, record

LARGE: dict[str, tuple[Callable, Callable]] = {
    "uniform": (lambda r, n: r.random_sample(n), lambda g, n: g.random(n)),
    "uniform(2, 3)": (lambda r, n: r.uniform(2, 3, n), lambda g, n: g.uniform(2, 3, n)),
    "normal": (lambda r, n: r.standard_normal(n), lambda g, n: g.standard_normal(n)),
    "normal(2, 3)": (lambda r, n: r.normal(2, 3, n), lambda g, n: g.normal(2, 3, n)),
    "integers": (lambda r, n: r.randint(0, 1000, n), lambda g, n: g.integers(0, 1000, n)),
    "mean(uniform)": (lambda r, n: r.random_sample(n).mean(), lambda g, n: g.random(n).mean()),
    "pi": (
        lambda r, n: (r.random_sample(n) ** 2 + r.random_sample(n) ** 2 < 1).mean(),
        lambda g, n: (g.random(n) ** 2 + g.random(n) ** 2 < 1).mean(),
    ),
}
FIRST_CALL = """
import time
import dpnp

dpnp.empty(1).sycl_queue.wait()
start = time.perf_counter()
x = dpnp.random.{call}
x.sycl_queue.wait()
print(1e3 * (time.perf_counter() - start))
"""


def compare(title: str, rows: dict[str, tuple[Callable, Callable]], n: int, calls: int, repetitions: int) -> None:
    """Print the time of `calls` calls for `n` numbers each, in ms for one call and in µs for several."""
    import dpnp

    ours, theirs = dpnp.random.RandomState(1), np.random.Generator(np.random.Philox(1))

    def run_ours(code: Callable) -> None:
        for _ in range(calls):
            x = code(ours, n)
        x.sycl_queue.wait()

    def run_theirs(code: Callable) -> None:
        for _ in range(calls):
            code(theirs, n)

    table = RatioTable(title, {"dpnp": ["dpnp"], "NumPy": ["NumPy"]}, {"dpnp/NumPy": ("dpnp", "NumPy")})
    for name, (mine, other) in rows.items():
        runs = {"dpnp": lambda c=mine: run_ours(c), "NumPy": lambda c=other: run_theirs(c)}
        table.row(name, interleave(runs, repetitions))
    table.close()


def first_call(call: str, repetitions: int) -> Timing:
    """The time of a call in fresh processes that compile all they need."""
    times = []
    for _ in range(repetitions):
        command, environment = [sys.executable, "-c", FIRST_CALL.format(call=call)], os.environ | {"DPEP_CACHE": "off"}
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        times.append(float(done.stdout))
    return Timing(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--elements", type=int, default=10_000_000)
    options = parser.parse_args()
    print(f"\n{options.elements} numbers, median ms")
    compare("large", LARGE, options.elements, 1, options.repetitions)
    few = {name: LARGE[name] for name in ("uniform", "uniform(2, 3)", "normal", "integers")}
    for n in (10, 1000):
        print(f"\n{n} numbers, median µs")
        compare(str(n), few, n, 1000, options.repetitions)
    print("\nFirst call in a fresh process, median ms")
    for call in ("random_sample(1000)", "standard_normal(1000)", "randint(0, 9, 1000)"):
        timing = first_call(call, options.repetitions)
        record(f"first {call}", "dpnp", timing.median)
        print(f"  {call:24}{timing.median:9.2f}  ({timing.spread})")


if __name__ == "__main__":
    main()
