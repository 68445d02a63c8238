"""The fifteen kernels of benchmarks/kernels in Python, beside the same in SYCL C++ and loops compiled by Numba.

    python benchmarks/python_kernels/run.py [--kernel NAME…] [--turns N] [--one-core] [--json FILE]

Times are medians of turns in which all take part; ratios are how many times as long dpep's Python kernel takes as the
one in SYCL, and how many times as fast it is as Numba's. Numba's functions use the same algorithms; where another one
suits a plain loop better, its time is on a line below. Results are compared with NumPy's at a small size. On a
machine that others use too, --one-core compares processor time on one core instead.
"""

from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "kernels"), str(HERE.parent)]

import race  # noqa: E402
from implementations import OURS, Implementation, find  # noqa: E402
from report import RatioTable  # noqa: E402

PYTHON, NUMBA, OTHERWISE = "Python", "Numba", "Numba, otherwise"
ANOTHER_ALGORITHM = {"scan": "running sums"}


def main() -> int:
    options = race.parser(__doc__).parse_args()
    folder = race.built_folder("python_kernels")
    worker = HERE / "python_worker.py"
    implementations = [
        Implementation(PYTHON, pathlib.Path("dpex"), {}, worker, options.one_core),
        find(OURS, folder, None, options.one_core),
        Implementation(NUMBA, pathlib.Path("numba"), {}, worker, options.one_core),
    ]
    otherwise = Implementation(OTHERWISE, pathlib.Path("numba_otherwise"), {}, worker, options.one_core)
    columns = {"Python": [PYTHON], "SYCL": [OURS], "Numba": [NUMBA]}
    table = RatioTable("kernel, ms", columns, {"time / SYCL": ("Python", "SYCL"), "speed / Numba": ("Numba", "Python")})
    return race.race_all(options, implementations, table, PYTHON, otherwise, ANOTHER_ALGORITHM)


if __name__ == "__main__":
    sys.exit(main())
