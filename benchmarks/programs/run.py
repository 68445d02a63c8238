"""Twenty programs in SYCL beside the same in CUDA C++, or in C++ with OpenMP.

    python benchmarks/programs/run.py [--device cpu|cuda] [--only NAME…] [--turns N] [--build DIR] [--processor-time]

On a GPU, the peer is compiled by nvcc -O3; on CPUs by g++ -O3 -march=native -fopenmp, with smaller sizes. All versions
of a program have the same input and, on GPUs, the same algorithm and sizes of work-groups. Each version runs once a
turn, in a process of its own, and reports the median of its repetitions. Check sums are compared.

Programs that the folders sycl, cuda and openmp of DIR have are not compiled again, so DIR can come from another
machine. On a machine that others use, `--processor-time` compares the time of one thread on one core.
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

try:
    import dpep
except ImportError:  # compiled programs find libdpep.so by LD_LIBRARY_PATH, or where it was when they were linked
    dpep = None

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import RatioTable, Timing  # noqa: E402

PEERS = {"cpu": "openmp", "cuda": "cuda"}
TITLES = {"sycl": "SYCL", "cuda": "CUDA", "openmp": "OpenMP"}
SUFFIXES = {"sycl": ".cpp", "cuda": ".cu", "openmp": ".cpp"}


def compiler(version: str) -> list[str] | None:
    """The command that compiles a version, or None where the compiler is missing."""
    if version == "sycl":
        return dpep and [dpep.get_compiler(), "-O3"]
    name, options = {
        "cuda": ("nvcc", ["-O3", "-std=c++17", "-arch=native"]),
        "openmp": ("g++", ["-O3", "-march=native", "-fopenmp"]),
    }[version]
    program = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    return program and [program, *options]


def built(folder: pathlib.Path, version: str, name: str) -> pathlib.Path:
    """The program in the folder, compiled if it is not there."""
    program = folder / version / name
    if not program.exists():
        command = compiler(version)
        if not command:
            raise SystemExit(f"programs: {name}: no compiler for {TITLES[version]}, and {program} does not exist")
        program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([*command, HERE / version / (name + SUFFIXES[version]), "-o", program], check=True)
    return program


def run(program: pathlib.Path, size: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """The time in milliseconds and the check sum that a program prints."""
    done = subprocess.run([program, *size], check=True, stdout=subprocess.PIPE, text=True, env=environment)
    _, time, checksum = done.stdout.split()
    return float(time), float(checksum)


def main() -> int:
    names = sorted(file.stem for file in (HERE / "sycl").glob("*.cpp"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=PEERS, default="cpu")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--build", type=pathlib.Path, help="folder of compiled programs")
    parser.add_argument("--processor-time", action="store_true", help="of one thread on one core; CPUs only")
    options = parser.parse_args()

    versions = ["sycl", PEERS[options.device]]
    size = ["small"] if options.device == "cpu" else []
    environment = os.environ | {"ONEAPI_DEVICE_SELECTOR": f"{options.device}:*"}
    if options.device == "cpu":
        environment["ONEAPI_DEVICE_SELECTOR"] = "*:cpu"
    if dpep:
        places = [str(pathlib.Path(dpep.__file__).parent / "lib"), os.environ.get("LD_LIBRARY_PATH")]
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, places))
    if options.processor_time:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        environment |= {"OMP_NUM_THREADS": "1", "PROGRAMS_PROCESSOR_TIME": "1"}
    peer = TITLES[versions[1]]
    table = RatioTable("program, ms", {"SYCL": ["SYCL"], peer: [peer]}, {f"SYCL/{peer}": ("SYCL", peer)})
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.build or pathlib.Path(temporary)
        for name in options.only:
            programs = {TITLES[version]: built(folder, version, name) for version in versions}
            times: dict[str, list[float]] = {title: [] for title in programs}
            sums = {}
            for _ in range(options.turns):
                for title, program in programs.items():
                    time, sums[title] = run(program, size, environment)
                    times[title].append(time)
            table.row(name, {title: Timing(t) for title, t in times.items()})
            if not math.isclose(*sums.values(), rel_tol=1e-5):
                wrong.append(f"{name}: the check sums differ: {sums}")
    table.close()
    for line in wrong:
        print(line, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
