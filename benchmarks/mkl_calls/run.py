"""Calls of oneapi::mkl on small vectors and matrices, beside OpenBLAS called directly: what a call adds.

    python benchmarks/mkl_calls/run.py [--library FILE]

Both call the OpenBLAS of NumPy's wheel, in one process on one core. Ours include the wait. Times are in microseconds.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import dpep
import numpy

HERE = pathlib.Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", help="OpenBLAS's file, with 64-bit integers")
    options = parser.parse_args()
    found = sorted((pathlib.Path(numpy.__file__).parents[1] / "numpy.libs").glob("libscipy_openblas64*"))
    library = options.library or (found and str(found[0]))
    if not library:
        raise SystemExit("mkl_calls: this NumPy has no OpenBLAS of its own; name one by --library")
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/calls"
        subprocess.run([dpep.get_compiler(), "-O2", HERE / "calls.cpp", "-o", program], check=True)
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        lines = subprocess.run([program, library], check=True, capture_output=True, text=True, env=environment).stdout
    print(f"{'function':10}{'n':>4}{'OpenBLAS':>10}{'oneapi::mkl':>13}{'added':>8}")
    added = []
    for line in lines.splitlines():
        name, n, direct, ours = line.split()
        added.append((float(ours) - float(direct)) / 1e3)
        print(f"{name:10}{n:>4}{float(direct) / 1e3:10.2f}{float(ours) / 1e3:13.2f}{added[-1]:8.2f}")
    print(f"a call adds at most {max(added):.2f} us")
    return 0


if __name__ == "__main__":
    sys.exit(main())
