"""The fifteen kernels of benchmarks/kernels in Python, compared with SYCL C++ and with loops compiled by Numba.

    python benchmarks/python_kernels/run.py [--kernel NAME…] [--turns N] [--one-core] [--json FILE]

Times are medians of turns in which every implementation runs once. The ratios are the Python kernel's time divided by
the SYCL kernel's, and its speed-up over Numba. Numba's functions use the same algorithms; where another one suits a
plain loop better, its time is on a separate line. Results are compared with NumPy's at a small size. On a shared
machine, --one-core compares processor time on one core instead of wall-clock time.
"""

from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "kernels"), str(HERE.parent)]

import comparison  # noqa: E402
from implementations import OURS, Implementation, find  # noqa: E402
from report import RatioTable  # noqa: E402

PYTHON, NUMBA, ALTERNATIVE = "Python", "Numba", "Numba, alternative"
ALTERNATIVE_ALGORITHMS = {"scan": "running sums"}


def main() -> int:
    options = comparison.argument_parser(__doc__).parse_args()
    folder = comparison.built_folder("python_kernels")
    worker = HERE / "python_worker.py"
    implementations = [
        Implementation(PYTHON, pathlib.Path("dpex"), {}, worker, options.one_core),
        find(OURS, folder, None, options.one_core),
        Implementation(NUMBA, pathlib.Path("numba"), {}, worker, options.one_core),
    ]
    alternative = Implementation(ALTERNATIVE, pathlib.Path("numba_alternative"), {}, worker, options.one_core)
    columns = {"Python": [PYTHON], "SYCL": [OURS], "Numba": [NUMBA]}
    table = RatioTable("kernel, ms", columns, {"time / SYCL": ("Python", "SYCL"), "speed / Numba": ("Numba", "Python")})
    return comparison.compare_all(options, implementations, table, PYTHON, alternative, ALTERNATIVE_ALGORITHMS)


if __name__ == "__main__":
    sys.exit(main())
