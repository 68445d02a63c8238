"""Fifteen kernels in SYCL and in OpenCL C compared with hand-written C++ (OpenMP), PoCL and Intel's OpenCL runtime.

    python benchmarks/kernels/run.py [--kernel NAME…] [--only IMPLEMENTATION…] [--one-core] [--json FILE]
    python benchmarks/kernels/run.py --compile [--kernel NAME…]

All have the same data. dpep and the OpenCL platforms run the same OpenCL C. Columns: the median time in milliseconds of
turns in which every implementation runs once, and dpep's speed-up. The hand-written column is the faster one of g++'s
and clang's code. At a small size, all results are compared with NumPy's; at the timed size, with the hand-written
code's. --compile shows compilation times instead.

On a shared machine, --one-core compares processor time on one core instead of wall-clock time.

PoCL comes from the packages pocl-opencl-icd, opencl-headers and ocl-icd-opencl-dev; Intel's runtime is in the Python
packages intel-opencl-rt and intel-cmplr-lib-rt, installed anywhere. A missing implementation is left out, with a
message.
"""

from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import comparison  # noqa: E402
import compile_time  # noqa: E402
from implementations import CLANG, GCC, NATIVE, OURS, PEERS, PROGRAMS, Missing, find  # noqa: E402
from report import RatioTable  # noqa: E402


def main() -> int:
    parser = comparison.argument_parser(__doc__)
    known = [CLANG, GCC, OURS, PROGRAMS, *PEERS]
    parser.add_argument("--only", nargs="+", choices=known, default=known, metavar="IMPLEMENTATION")
    parser.add_argument("--intel", type=pathlib.Path, help="folder or library of Intel's OpenCL runtime")
    parser.add_argument("--compile", action="store_true", help="show compilation times instead")
    options = parser.parse_args()

    folder = comparison.built_folder("kernels")
    if options.compile:
        compile_time.show(find(OURS, folder), options.kernel)
        return 0
    implementations = []
    for name in known:
        if name in options.only:
            try:
                implementations.append(find(name, folder, options.intel, options.one_core))
            except Missing as reason:
                print(f"without {name}: {reason}")
    columns = {OURS: [OURS], PROGRAMS: [PROGRAMS], "hand-written": NATIVE, **{peer: [peer] for peer in PEERS}}
    ratios = {f"{name} / {OURS}": (name, OURS) for name in columns if name != OURS}
    ratios |= {f"{name} / {PROGRAMS}": (name, PROGRAMS) for name in PEERS}
    return comparison.compare_all(options, implementations, RatioTable("kernel, ms", columns, ratios), OURS)


if __name__ == "__main__":
    sys.exit(main())
