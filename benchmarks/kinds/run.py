"""Kernels of many kinds in Python and in SYCL, beside the same loops in C++ by g++ and clang.

    python benchmarks/kinds/run.py [--turns N] [--only NAME…] [--processor-time] [--markdown]

All run in one process, on the same arrays, in turns. The peers are compiled with -O3 -march=native -fopenmp; the column
C++ is the faster one of both. Times are medians, in milliseconds. Without `--processor-time`, they are wall-clock
times on all cores, and g++ is the only peer if clang lacks OpenMP's library. With it, they are processor times of one
thread on one core. Results are compared with NumPy's, or with those of g++.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


def command_line() -> argparse.Namespace:
    """The options. `--processor-time` takes effect before the packages start threads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME", help="kernels whose names contain these")
    parser.add_argument("--processor-time", action="store_true", help="of one thread on one core")
    parser.add_argument("--markdown", action="store_true", help="print a table for docs/kernels.md")
    options = parser.parse_args()
    os.environ |= {"ONEAPI_DEVICE_SELECTOR": "*:cpu", "OMP_WAIT_POLICY": "passive"}
    if options.processor_time:
        os.environ |= {"OMP_NUM_THREADS": "1", "DPEP_NUM_THREADS": "1"}
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return options


OPTIONS = command_line()

import dpctl.tensor as dpt  # noqa: E402
import dpep  # noqa: E402
import kernels  # noqa: E402
import numba_dpex as ndx  # noqa: E402
import numpy as np  # noqa: E402
from numba_dpex import kernel_api as kapi  # noqa: E402
from problems import Problem, problems  # noqa: E402
from report import RatioTable, Timing  # noqa: E402

PYTHON, SYCL, GCC, CLANG = "Python", "SYCL", "g++", "clang"


class Library:
    """A library of the functions in kinds.cpp."""

    def __init__(self, path: str) -> None:
        self.call = ctypes.CDLL(path).kinds_run

    def run(self, problem: Problem, arrays: list[dpt.usm_ndarray]) -> None:
        pointers = [array.__sycl_usm_array_interface__["data"][0] for array in arrays]
        sizes = (ctypes.c_int64 * max(len(problem.sizes), 1))(*problem.sizes)
        if self.call(problem.name.encode(), (ctypes.c_void_p * len(pointers))(*pointers), sizes):
            raise ValueError(f"no kernel {problem.name}")


class Python:
    """The functions in kernels.py."""

    def run(self, problem: Problem, arrays: list[dpt.usm_ndarray]) -> None:
        kernel = getattr(kernels, problem.name)
        if problem.name == "trapezoids":  # its argument is a reduction
            ndx.call_kernel(kernel, problem.space, 0.0, 1.0, kapi.reduction(arrays[0], kapi.plus))
            return
        for numbers in problem.calls:
            ndx.call_kernel(kernel, problem.space, *arrays, *numbers, *problem.local)


def build(folder: str) -> dict[str, Library | Python]:
    """The implementations, by title."""
    source, found = HERE / "kinds.cpp", {PYTHON: Python()}
    common = ["-std=c++20", "-O3", "-shared", "-fPIC", str(source), "-o"]
    commands = {SYCL: [dpep.get_compiler(), *common, f"{folder}/sycl.so"]}
    peer_options = ["-march=native", "-DPEER", "-Wno-unknown-pragmas"]
    if gcc := shutil.which("g++"):
        commands[GCC] = [gcc, *common, f"{folder}/gcc.so", *peer_options, "-fopenmp"]
    if OPTIONS.processor_time and (clang := shutil.which("clang++-22")):
        commands[CLANG] = [clang, *common, f"{folder}/clang.so", *peer_options]
    for name, command in commands.items():
        subprocess.run(command, check=True)
        found[name] = Library(command[command.index("-o") + 1])
    return found


def compare(problem: Problem, implementations: dict[str, Library | Python]) -> tuple[dict[str, Timing], list[str]]:
    """Times of the implementations, and messages about wrong results."""
    clock = time.process_time if OPTIONS.processor_time else time.perf_counter
    inputs = [dpt.asarray(array) for array in problem.inputs]
    results: dict[str, list[np.ndarray]] = {}
    times: dict[str, list[float]] = {name: [] for name in implementations}
    outputs = [dpt.asarray(array) for array in problem.outputs]
    for turn in range(OPTIONS.turns + 2):
        for name, implementation in implementations.items():
            for output, initial in zip(outputs, problem.outputs, strict=True):
                output[...] = dpt.asarray(initial)
            outputs[0].sycl_queue.wait()
            start = clock()
            implementation.run(problem, [*inputs, *outputs])
            end = clock()
            if turn > 1:  # the first compile
                times[name].append(1e3 * (end - start))
            if turn == 0:
                results[name] = [dpt.asnumpy(output) for output in outputs]
    wanted = problem.reference(*problem.inputs) if problem.reference else results[GCC]
    wrong = []
    for name, arrays in results.items():
        for number, (array, other) in enumerate(zip(arrays, wanted, strict=True)):
            if not np.allclose(array, other, rtol=problem.tolerance, atol=problem.tolerance):
                where = tuple(map(int, np.argwhere(~np.isclose(array, other, rtol=1e-4, atol=1e-4))[0]))
                wrong.append(f"{problem.name}: {name}: result {number} at {where}: {array[where]}, not {other[where]}")
    return {name: Timing(found) for name, found in times.items()}, wrong


def main() -> int:
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        implementations = build(folder)
        columns = {PYTHON: [PYTHON], SYCL: [SYCL], "C++": [GCC, CLANG]}
        ratios = {"Python/C++": (PYTHON, "C++"), "SYCL/C++": (SYCL, "C++"), "Python/SYCL": (PYTHON, SYCL)}
        table = None if OPTIONS.markdown else RatioTable("kinds, ms", columns, ratios)
        for problem in problems():
            if not any(each in problem.name for each in OPTIONS.only):
                continue
            timings, messages = compare(problem, implementations)
            wrong += messages
            if table:
                table.row(problem.name, timings)
            else:
                times = [min(timings[n].median for n in names if n in timings) for names in columns.values()]
                print(f"| `{problem.name}` | " + " | ".join(f"{each:.2f}" for each in times)
                      + f" | {times[0] / times[2]:.2f} | {times[1] / times[2]:.2f} |")  # fmt: skip
        if table:
            table.close()
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
