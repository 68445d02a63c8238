"""Command graphs of SYCL: the time of a short kernel when it is launched, and in a graph that is run again.

    python benchmarks/graphs/run.py [--elements N] [--turns N] [--program FILE]

A graph has 100 kernels that follow one another. The default device runs them. `--program` names graphs.cpp compiled
already, for machines without clang.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import dpep

HERE = pathlib.Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--program", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = options.program or f"{folder}/graphs"
        if not options.program:
            subprocess.run([dpep.get_compiler(), "-O2", HERE / "graphs.cpp", "-o", program], check=True)
        arguments = [program, str(options.elements), str(options.turns)]
        lines = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.splitlines()
    launched, replayed = zip(*(map(float, line.split()) for line in lines[1:]), strict=True)
    print(f"{lines[0]}, kernels of {options.elements} elements, us a kernel (median, least)")
    for name, times in (("launched", launched), ("in a graph", replayed)):
        print(f"{name:12}{statistics.median(times):10.3f}{min(times):10.3f}")
    print(f"launched / in a graph: {statistics.median(launched) / statistics.median(replayed):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
