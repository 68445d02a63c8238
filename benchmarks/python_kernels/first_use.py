"""The time of each kernel's first use, from its decorator to its result, in a new process.

    python benchmarks/python_kernels/first_use.py [--kernel NAME…] [--turns N]

With an empty cache, from the disk cache, and with Numba. Milliseconds: medians of the turns, of wall-clock time and,
because other load on the machine lengthens that, of the process's processor time. The kernel runs at the small size.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "kernels")]

from problems import PROBLEMS  # noqa: E402

# The data are generated, and the modules imported, before the measurement starts.
ONCE = """
import sys, time
sys.path[:0] = {paths!r}
import numpy as np
from problems import PROBLEMS
from python_worker import Dpex, Numba
runner = {runner}()
problem = next(p for p in PROBLEMS if p.name == {name!r})
arrays = []
for array in problem.inputs(np.random.default_rng(0), *problem.small) + problem.outputs(*problem.small):
    arrays.append(runner.array_like(array))
    arrays[-1][...] = array
launch = problem.launch(*problem.small)
start, used = time.perf_counter(), time.process_time()
runner.run(problem.name, arrays, problem.small, launch)
print(1e3 * (time.perf_counter() - start), 1e3 * (time.process_time() - used))
"""


def once(runner: str, name: str, cache: str) -> tuple[float, float]:
    program = ONCE.format(paths=sys.path[:2], runner=runner, name=name)
    environment = os.environ | {"DPEP_CACHE": cache}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    wall, used = map(float, done.stdout.split())
    return wall, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [problem.name for problem in PROBLEMS]
    parser.add_argument("--kernel", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--no-numba", action="store_true", help="leave Numba out, which takes seconds for each kernel")
    options = parser.parse_args()
    columns = ["cold", "from disk"] + ([] if options.no_numba else ["Numba"])
    print(f"{'kernel, ms':16}" + "".join(f"{column:>12}{'process':>10}" for column in columns))
    medians: list[list[float]] = []
    for name in options.kernel:
        times: dict[str, list[tuple[float, float]]] = {column: [] for column in columns}
        for _ in range(options.turns):
            with tempfile.TemporaryDirectory() as cache:
                times["cold"].append(once("Dpex", name, cache))
                times["from disk"].append(once("Dpex", name, cache))
                if not options.no_numba:
                    times["Numba"].append(once("Numba", name, cache))
        row = [statistics.median(values) for column in columns for values in zip(*times[column])]
        medians.append(row)
        print(f"{name:16}" + "".join(f"{value:>{12 - 2 * (i % 2)}.1f}" for i, value in enumerate(row)), flush=True)
    row = [statistics.median(values) for values in zip(*medians)]
    print(f"{'median':16}" + "".join(f"{value:>{12 - 2 * (i % 2)}.1f}" for i, value in enumerate(row)))


if __name__ == "__main__":
    main()
