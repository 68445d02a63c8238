"""The first call of each program of programs.py, from the decorator to the result, and a call of a compiled function.

    python benchmarks/dpjit/first_calls.py [part of a name] [--processes N]

Each time is the median of several processes, which have made their arrays and called another function before: with an
empty cache of compiled code, and with the cache that such a process has left. Times are in milliseconds; arrays are
small. Last: the first call in a process, which also imports the compiler's modules; and the microseconds of a call of a
compiled function with three arrays, whose loop stores ten sums.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import programs

HERE = Path(__file__).resolve().parent


def add(x, y, result):
    for i in programs.prange(x.size):
        result[i] = x[i] + y[i]


def first_call(name: str, is_first: bool) -> float:
    """Return the seconds from the decorator to the result, in this process. `is_first`: of the first function."""
    import dpnp
    import numba_dpex
    from peers import with_globals

    function, make, sizes = programs.PROGRAMS[name]
    other, x = numba_dpex.dpjit(with_globals(add, programs=numba_dpex)), dpnp.ones(10)
    if not is_first:
        other(x, x, x)
    given = [dpnp.asarray(each) if isinstance(each, np.ndarray) else each for each in make(sizes[0])]
    arrays = [each for each in given if isinstance(each, dpnp.ndarray)]
    dpnp.synchronize_array_data(arrays[0])
    changed = with_globals(function, np=dpnp, prange=numba_dpex.prange)
    begin = time.perf_counter()
    numba_dpex.dpjit(fastmath=True)(changed)(*given)
    dpnp.synchronize_array_data(arrays[0])
    return time.perf_counter() - begin


def call() -> float:
    """Return the seconds of a call of a compiled function, with the wait that it has."""
    import dpnp
    import numba_dpex
    from peers import with_globals

    compiled = numba_dpex.dpjit(with_globals(add, programs=numba_dpex))
    x, y, result = (dpnp.ones(10) for _ in range(3))
    for _ in range(1000):
        compiled(x, y, result)
    times = []
    for _ in range(50):
        begin = time.perf_counter()
        for _ in range(200):
            compiled(x, y, result)
        times.append((time.perf_counter() - begin) / 200)
    return statistics.median(times)


def in_process(what: str, cache: str, name: str = "") -> float:
    command = [sys.executable, __file__, name, "--child", what]
    environment = os.environ | {"DPEP_CACHE": cache, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": cache}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="?", default="")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--child", choices=["call", "first", "later"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(call() if options.child == "call" else first_call(options.only, options.child == "first")))
        return
    print(f"{'first call, ms':28}{'empty cache':>12}{'from disk':>12}")
    columns: tuple[list[float], list[float]] = ([], [])

    def measure(title: str, what: str, name: str) -> tuple[float, float]:
        cold, warm = [], []
        for _ in range(options.processes):
            with tempfile.TemporaryDirectory() as cache:
                in_process("call", cache)  # compiles Python's modules
                cold.append(1e3 * in_process(what, cache, name))
                warm.append(1e3 * in_process(what, cache, name))
        times = statistics.median(cold), statistics.median(warm)
        print(f"{title:28}{times[0]:12.1f}{times[1]:12.1f}", flush=True)
        return times

    names = [name for name in programs.PROGRAMS if options.only in name]
    for name in names:
        for column, milliseconds in zip(columns, measure(name, "later", name), strict=True):
            column.append(milliseconds)
    for title, of in (("median", statistics.median), ("largest", max)):
        print(f"{title:28}{of(columns[0]):12.1f}{of(columns[1]):12.1f}")
    measure("first in the process", "first", names[0])
    with tempfile.TemporaryDirectory() as cache:
        print(f"a call of a compiled function with three arrays: {1e6 * in_process('call', cache):.2f} us")


if __name__ == "__main__":
    main()
