"""The time to submit a prepared kernel: SYCL from C++, dpctl's `submit` from Python, and on GPUs CUDA's `<<<>>>`.

And the time of a launch and the wait for it: SYCL, `numba_dpex.call_kernel`, and CUDA with `cudaStreamSynchronize` and
with a word of the host's memory that the kernel writes.

    python benchmarks/submissions/run.py [--turns N] [--program FILE]

Programs run in turns, each turn a process of its own: 50 batches of 200 submissions, without the waits between them.
The default device runs the kernels. `--program` names submissions.cpp compiled already, for machines without clang,
where the row of `submit`, whose program is compiled at run time, is left out. Without nvcc, CUDA's is.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import dpctl
import dpctl.memory
import dpctl.program
import dpctl.tensor as dpt
import dpep
import numba_dpex as ndx

HERE = pathlib.Path(__file__).resolve().parent
BATCH, BATCHES = 200, 50
SOURCE = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ext::experimental::nd_range_kernel<1>))
void increment(float *x) { x[ext::this_work_item::get_nd_item<1>().get_global_id(0)] += 1.0f; }
"""


def from_python() -> float:
    """Return the microseconds of `SyclQueue.submit_async`."""
    queue = dpctl.SyclQueue(property="in_order")
    kernel = dpctl.program.create_kernel_bundle_from_sycl_source(queue, SOURCE).get_sycl_kernel("increment")
    x = dpctl.memory.MemoryUSMDevice(4096, queue=queue)
    x.memset()
    spent = 0.0
    for batch in range(-5, BATCHES):
        begin = time.perf_counter()
        for _ in range(BATCH):
            queue.submit_async(kernel, [x], [1024], [256])
        if batch >= 0:
            spent += time.perf_counter() - begin
        queue.wait()
    return 1e6 * spent / BATCH / BATCHES


@ndx.kernel
def increment(item: ndx.kernel_api.Item, x):
    x[item.get_id(0)] += 1


def called_from_python() -> float:
    """Return the microseconds of `numba_dpex.call_kernel`, which waits."""
    x = dpt.zeros(1024, dtype="f4")
    space = ndx.Range(1024)
    for call in range(-BATCH, BATCH * BATCHES):
        if call == 0:
            begin = time.perf_counter()
        ndx.call_kernel(increment, space, x)
    return 1e6 * (time.perf_counter() - begin) / BATCH / BATCHES


def programs(folder: str, given: str) -> dict[str, list[str]]:
    """Return the commands of the rows, whose output is the time."""
    ours, peer = given or f"{folder}/submissions", f"{folder}/peer"
    if not given:
        subprocess.run([dpep.get_compiler(), "-O2", HERE / "submissions.cpp", "-o", ours], check=True)
    rows = {"SYCL": [ours]}
    if dpctl.SyclDevice().is_gpu and shutil.which("nvcc"):
        subprocess.run(["nvcc", "-O3", "-arch=native", HERE / "submissions.cu", "-o", peer], check=True)
        rows["CUDA"] = [peer]
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--program", default="")
    options = parser.parse_args()
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        rows = programs(folder, options.program)
        for _ in range(options.turns):
            for name, command in rows.items():
                text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                for kind, figure in zip(("", ", and wait", ", and wait for a word"), text.split(), strict=False):
                    times.setdefault(name + kind, []).append(float(figure))
            if not options.program:
                times.setdefault("submit", []).append(from_python())
            times.setdefault("call_kernel, and wait", []).append(called_from_python())
    print(f"{dpctl.SyclDevice().name}, us of a submission (median, least, most)")
    for name, found in sorted(times.items(), key=lambda row: "wait" in row[0]):
        print(f"{name:26}{statistics.median(found):10.3f}{min(found):10.3f}{max(found):10.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
