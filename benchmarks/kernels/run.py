"""Fifteen kernels in SYCL beside hand-written C++ with OpenMP, PoCL and Intel's OpenCL runtime, on the same data.

    python benchmarks/kernels/run.py [--kernel NAME…] [--only IMPLEMENTATION…] [--one-core] [--json FILE]
    python benchmarks/kernels/run.py --compile [--kernel NAME…]

Columns: the median time in milliseconds of turns in which all take part, and how many times as fast dpep is. The
hand-written column is the faster of what g++ and clang make of the same code. At a small size, all results are
compared with NumPy's; at the size that is timed, with the hand-written ones. --compile shows what compiling takes.

On a machine that others use too, --one-core compares processor time on one core instead.

PoCL comes from the packages pocl-opencl-icd, opencl-headers and ocl-icd-opencl-dev; Intel's runtime are the Python
packages intel-opencl-rt and intel-cmplr-lib-rt, installed anywhere. Who is missing is left out; a line says so.
"""

from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compile_time  # noqa: E402
import race  # noqa: E402
from implementations import CLANG, GCC, NATIVE, OURS, PEERS, Missing, find  # noqa: E402
from report import RatioTable  # noqa: E402


def main() -> int:
    parser = race.parser(__doc__)
    everyone = [CLANG, GCC, OURS, *PEERS]
    parser.add_argument("--only", nargs="+", choices=everyone, default=everyone, metavar="IMPLEMENTATION")
    parser.add_argument("--intel", type=pathlib.Path, help="the folder, or library, of Intel's OpenCL runtime")
    parser.add_argument("--compile", action="store_true", help="show what compiling takes instead")
    options = parser.parse_args()

    folder = race.built_folder("kernels")
    if options.compile:
        compile_time.show(find(OURS, folder), options.kernel)
        return 0
    implementations = []
    for name in everyone:
        if name in options.only:
            try:
                implementations.append(find(name, folder, options.intel, options.one_core))
            except Missing as why:
                print(f"without {name}: {why}")
    columns = {OURS: [OURS], "hand-written": NATIVE, **{peer: [peer] for peer in PEERS}}
    ratios = {f"{name} / {OURS}": (name, OURS) for name in columns if name != OURS}
    return race.race_all(options, implementations, RatioTable("kernel, ms", columns, ratios), OURS)


if __name__ == "__main__":
    sys.exit(main())
