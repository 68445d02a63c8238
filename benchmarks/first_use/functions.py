"""The first use of each array function, in a process of its own with an empty cache of compiled code.

    python benchmarks/first_use/functions.py [--device cpu|cuda] [--elements N] [--only WORD] [--jobs N] [--above MS]

The rows are those of benchmarks/array_functions, on 100,000 elements. A row's operands are in memory, and one unrelated
expression was computed, before it is timed: the first call to its complete result, the second call, and the longest
of the next three. With `--jobs`, that many processes run at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

FOLDER = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FOLDER / "array_functions"), str(FOLDER)]

from libraries import Ours  # noqa: E402
from measurement import completed  # noqa: E402
from report import record  # noqa: E402
from rows import Data, Row  # noqa: E402
from run import all_rows  # noqa: E402


def rows_of(n: int) -> dict[str, Row]:
    return {row.label: row for rows in all_rows(n).values() for row in rows}


def child(label: str, n: int) -> None:
    row, data, library = rows_of(n)[label], Data(n), Ours()
    tensor = library.modules["dpctl.tensor"]
    operands = [library.put(getattr(data, name), False) for name in row.names]
    library.complete(tensor.asarray([1.0, 2.0]) + 1)
    run = completed(library, library.code(row), operands)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - begin))
    print(json.dumps(times))


def measured(label: str, options: argparse.Namespace) -> list[float] | str:
    """Return the times of a row's first five calls in milliseconds, or the error."""
    selector = f"*:{'cpu' if options.device == 'cpu' else 'gpu'}"
    done = subprocess.run(
        [sys.executable, __file__, "--child", label, "--elements", str(options.elements)],
        env=dict(os.environ, ONEAPI_DEVICE_SELECTOR=selector, DPEP_CACHE="off"),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    return json.loads(done.stdout.splitlines()[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--only", default="", metavar="WORD", help="only rows whose title contains this")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--above", type=float, metavar="MS", help="print only rows whose first use takes longer")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.elements)
        return 0
    labels = [label for label in rows_of(options.elements) if options.only in label]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(labels, pool.map(lambda label: measured(label, options), labels)))
    failed = {label: error for label, error in results.items() if isinstance(error, str)}
    times = {label: r for label, r in results.items() if not isinstance(r, str)}
    print(f"First use of {len(times)} functions, {options.elements:,} elements, ms")
    print(f"{'':50}{'first':>10}{'second':>10}{'then':>10}")
    for label, (first, second, *later) in sorted(times.items(), key=lambda item: -item[1][0]):
        record(label, "first use", first)
        if options.above is None or first > options.above:
            print(f"{label[:50]:50}{first:>10.2f}{second:>10.2f}{max(later):>10.2f}")
    for label, error in failed.items():
        print(f"{label}: {error}")
    firsts = [first for first, *_ in times.values()]
    limit = 15 if options.device == "cpu" else 60
    print(
        f"median {statistics.median(firsts):.2f}, longest {max(firsts):.2f}; "
        f"{sum(first > limit for first in firsts)} of {len(firsts)} above {limit} ms"
    )
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
