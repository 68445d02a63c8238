"""Kernels that treat the borders of arrays in every usual way, beside the same loops with OpenMP.

    python benchmarks/borders/run.py [--turns N] [--only NAME] [--processor-time]

The peer is compiled by g++ with -O3 -march=native -fopenmp. Rows ending in `groups` and `flat_rows` are launches with
work-groups. On a machine that others use, `--processor-time` compares the time of one thread on one core.
"""

from __future__ import annotations

import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import dpep

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import RatioTable, Timing  # noqa: E402

ROWS = [
    "box",
    "box_groups",
    "sobel",
    "sobel_groups",
    "life",
    "life_groups",
    "life_rem",
    "life_rem_groups",
    "jacobi",
    "jacobi_groups",
    "zero_padded",
    "median",
    "mirrored",
    "skipped",
    "wave",
    "wave_groups",
    "derivative",
    "flat_rows",
    "heat",
    "colours",
]


class Worker:
    """A process that runs rows and answers with their times and check sums."""

    def __init__(self, program: str, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def run(self, row: str) -> tuple[float, float]:
        print(row, file=self.process.stdin, flush=True)
        _, time, checksum = self.process.stdout.readline().split()
        return float(time), float(checksum)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.add_argument("--processor-time", action="store_true", help="of one thread on one core")
    options = parser.parse_args()
    gcc = shutil.which("g++")
    if gcc is None:
        print("borders: needs g++", file=sys.stderr)
        return 2
    environment = os.environ | {"ONEAPI_DEVICE_SELECTOR": "*:cpu"}
    places = [str(pathlib.Path(dpep.__file__).parent / "lib"), os.environ.get("LD_LIBRARY_PATH")]
    environment["LD_LIBRARY_PATH"] = ":".join(filter(None, places))
    if options.processor_time:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        environment |= {"OMP_NUM_THREADS": "1", "PROGRAMS_PROCESSOR_TIME": "1"}
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        source, ours, peer = HERE / "borders.cpp", f"{folder}/ours", f"{folder}/peer"
        subprocess.run([dpep.get_compiler(), "-O3", source, "-o", ours], check=True)
        peer_options = ["-std=c++20", "-O3", "-march=native", "-fopenmp", "-DPEER"]
        subprocess.run([gcc, *peer_options, source, "-o", peer], check=True)
        workers = {"SYCL": Worker(ours, environment), "OpenMP": Worker(peer, environment)}
        columns = {name: [name] for name in workers}
        table = RatioTable("borders, ms", columns, {"SYCL/OpenMP": ("SYCL", "OpenMP")})
        for row in ROWS:
            if options.only not in row:
                continue
            times: dict[str, list[float]] = {name: [] for name in workers}
            sums = {}
            for _ in range(options.turns):
                for name, worker in workers.items():
                    time, sums[name] = worker.run(row)
                    times[name].append(time)
            table.row(row, {name: Timing(t) for name, t in times.items()})
            if not math.isclose(*sums.values(), rel_tol=1e-5):
                wrong.append(f"{row}: the check sums differ: {sums}")
        table.close()
    for line in wrong:
        print(line, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
