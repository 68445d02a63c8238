"""oneapi::dpl's algorithms beside the standard library's parallel ones on oneTBB, or beside CUB and Thrust on a GPU.

    python benchmarks/onedpl/run.py [--elements N] [--repetitions N] [--processor-time] [--only NAME]
    python benchmarks/onedpl/run.py --device cuda [--ours PROGRAM] [--peer PROGRAM] [--elements N] [--repetitions N]
        [--warm-up SECONDS] [--only NAME]

The peer is compiled by clang 22 with -O3 -march=native and std::execution::par. Both work on vectors in the host's
memory and run in turns. On a machine that others use, `--processor-time` compares the time of all threads together.

On a GPU both work on the device's memory, and nvcc compiles the peer, cub.cu. Where dpcxx cannot compile, `--ours` is
the program that `dpcxx -O3 -DDEVICE algorithms.cpp` made elsewhere, and so is `--peer` for nvcc. Each row is repeated
for the warm-up's seconds first: dpep compiles kernels for large arrays while small ones run.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import dpep

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from report import RatioTable, Timing  # noqa: E402


class Worker:
    """A process that runs rows and answers with their times."""

    def __init__(self, program: str, elements: int) -> None:
        self.process = subprocess.Popen(
            [program, str(elements)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, row: str) -> tuple[float, float]:
        print(row, file=self.process.stdin, flush=True)
        wall, processor = map(float, self.process.stdout.readline().split())
        return wall, processor


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=10_000_000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--ours", help="the compiled algorithms.cpp")
    parser.add_argument("--peer", help="the compiled peer")
    parser.add_argument("--warm-up", type=float, default=0.0, metavar="SECONDS", help="of each program in each row")
    options = parser.parse_args()
    on_gpu = options.device == "cuda"
    peer_title = "CUB" if on_gpu else "oneTBB"
    compiler = shutil.which("nvcc" if on_gpu else "clang++-22")
    if compiler is None and not options.peer:
        print(f"onedpl: needs {'nvcc' if on_gpu else 'clang++-22'}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        source = HERE / "algorithms.cpp"
        ours, peer = options.ours or f"{folder}/ours", options.peer or f"{folder}/peer"
        if not options.ours:
            subprocess.run([dpep.get_compiler(), "-O3", *["-DDEVICE"] * on_gpu, source, "-o", ours], check=True)
        if on_gpu:
            peer_command = ["-std=c++17", "-O3", "-arch=native", HERE / "cub.cu", "-o", peer]
        else:
            peer_options = ["-std=c++20", "-O3", "-march=native", "-DPEER", "-Wno-deprecated-declarations"]
            peer_command = [*peer_options, source, "-o", peer, "-ltbb"]
        if not options.peer:
            subprocess.run([compiler, *peer_command], check=True)
        names = subprocess.run([peer, "1", "names"], check=True, capture_output=True, text=True).stdout.splitlines()
        workers = {"dpep": Worker(ours, options.elements), peer_title: Worker(peer, options.elements)}
        table = RatioTable(
            f"{options.elements} elements, ms",
            {"dpep": ["dpep"], peer_title: [peer_title]},
            {f"dpep/{peer_title}": ("dpep", peer_title)},
        )
        for name in names:
            if options.only not in name:
                continue
            for worker in workers.values():
                end = time.monotonic() + options.warm_up
                while time.monotonic() < end:
                    worker.run(name)
            times: dict[str, list[float]] = {worker: [] for worker in workers}
            for repetition in range(options.repetitions + 1):
                for title, worker in workers.items():
                    taken = worker.run(name)[options.processor_time]
                    if repetition:  # the first one compiles
                        times[title].append(taken)
            table.row(f"{name:28}", {title: Timing(t) for title, t in times.items()})
        table.close()
        for worker in workers.values():
            worker.process.stdin.close()
            worker.process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
