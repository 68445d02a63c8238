"""The OpenCL C kernels of the tests, of 40 published kinds, in dpctl.program and in another OpenCL implementation.

    python benchmarks/opencl_programs/run.py [--platform WORD] [--repetitions N] [--only WORD]

The peer is the first OpenCL platform whose name has WORD, by default PoCL ("Portable"; Debian's package
pocl-opencl-icd), driven by pyopencl. Data, ranges and sizes are those of tests/dpctl/opencl_kernels.py, where NumPy
checks the results; here both implementations' results are compared with each other. A time is that of a launch with
its wait, so small kernels show the launch. Times are in microseconds, and both run in turns.
"""

from __future__ import annotations

import argparse
import ctypes
import pathlib
import sys
import time
from collections.abc import Callable

import dpctl
import dpctl.program
import dpctl.tensor as dpt
import numpy as np
import pyopencl as cl

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "tests/dpctl")]

import opencl_grid_kernels  # noqa: F401, E402  adds its cases
import opencl_kernels  # noqa: E402
from report import RatioTable, Timing  # noqa: E402

SPAN = 0.01  # seconds of one measurement


# By their ids, dpctl's objects that do not tell their sizes or bytes, and what the peer gets for them.
PEER_ARGUMENTS: dict[int, tuple[object, object]] = {}


def remember(name: str, make_peers: Callable[..., object]) -> None:
    """Replace a class of kernel arguments by a function that also makes the peer's argument."""
    original = getattr(dpctl, name)

    def make(*arguments: object) -> object:
        made = original(*arguments)
        PEER_ARGUMENTS[id(made)] = made, make_peers(*arguments)
        return made

    setattr(dpctl, name, make)


def local_memory(kind: str, shape: object) -> cl.LocalMemory:
    return cl.LocalMemory(np.dtype(kind).itemsize * int(np.prod(shape)))


def peer_argument(context: cl.Context, value: object) -> object:
    """Return an argument of a case as the peer wants it."""
    if isinstance(value, np.ndarray):
        flags = cl.mem_flags
        return cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(value))
    if id(value) in PEER_ARGUMENTS:
        return PEER_ARGUMENTS[id(value)][1]
    if isinstance(value, ctypes.c_char):
        return np.int8(int.from_bytes(bytes(value), "little", signed=True))
    if isinstance(value, ctypes._SimpleCData):
        return np.frombuffer(bytes(value), np.dtype(type(value)))[0]
    return value


def ours(
    case: opencl_kernels.Case, name: str, queue: dpctl.SyclQueue
) -> tuple[Callable[[], None], Callable[[int], np.ndarray]]:
    """Return a function that runs the kernel, and one that reads an argument back."""
    kernel = dpctl.program.create_program_from_source(queue, case.source, case.options).get_sycl_kernel(name)
    device = [dpt.asarray(a, sycl_queue=queue) if isinstance(a, np.ndarray) else a for a in case.arguments]

    def run() -> None:
        queue.submit(kernel, device, case.global_range, case.local_range)

    return run, lambda i: dpt.asnumpy(device[i])


def peers(
    case: opencl_kernels.Case, name: str, context: cl.Context
) -> tuple[Callable[[], None], Callable[[int], np.ndarray]]:
    queue = cl.CommandQueue(context)
    kernel = cl.Kernel(cl.Program(context, case.source).build(case.options), name)
    arguments = [peer_argument(context, a) for a in case.arguments]
    kernel.set_args(*arguments)
    ranges = case.global_range[::-1], case.local_range and case.local_range[::-1]

    def run() -> None:
        cl.enqueue_nd_range_kernel(queue, kernel, *ranges)
        queue.finish()

    def read(i: int) -> np.ndarray:
        result = np.empty_like(np.ascontiguousarray(case.arguments[i]))
        cl.enqueue_copy(queue, result, arguments[i])
        return result

    return run, read


def microseconds(run: Callable[[], None], clock: Callable[[], float]) -> float:
    """Return the time of a run, from as many as take SPAN."""
    count, start = 0, clock()
    while clock() - start < SPAN:
        run()
        count += 1
    return 1e6 * (clock() - start) / count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--platform", default="Portable", help="word in the peer's name")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    parser.add_argument("--processor-time", action="store_true", help="the time of all threads, on a shared machine")
    options = parser.parse_args()
    clock = time.process_time if options.processor_time else time.perf_counter
    platform = next((p for p in cl.get_platforms() if options.platform in p.name), None)
    if platform is None:
        print(f"opencl_programs: no OpenCL platform has {options.platform!r} in its name", file=sys.stderr)
        return 2
    remember("LocalAccessor", local_memory)
    remember("WorkGroupMemory", local_memory)
    remember("RawKernelArg", lambda content: np.frombuffer(bytes(content), np.uint8))
    context = cl.Context([platform.get_devices()[0]])
    queue = dpctl.SyclQueue("cpu")
    table = RatioTable(f"{'microseconds':34}", {"dpep": ["dpep"], "peer": ["peer"]}, {"peer/dpep": ("peer", "dpep")})
    for name, make in opencl_kernels.CASES.items():
        if options.only not in name:
            continue
        case = make(np.random.default_rng(7))
        try:
            runs = {"dpep": ours(case, name, queue), "peer": peers(case, name, context)}
            runs["peer"][0]()
        except cl.Error as error:
            print(f"{name:34}  refused by the peer: {str(error).splitlines()[0][:80]}")
            continue
        runs["dpep"][0]()
        for i in case.results:
            one, two = (read(i) for _, read in runs.values())
            tolerance = max(case.tolerance, 1e-6)
            if not np.allclose(one, two, rtol=tolerance, atol=tolerance * float(np.abs(one).max()), equal_nan=True):
                print(f"{name:34}  argument {i} differs from the peer's")
        times: dict[str, list[float]] = {title: [] for title in runs}
        for _ in range(options.repetitions):
            for title, (run, _) in runs.items():
                times[title].append(microseconds(run, clock))
        table.row(f"{name:34}", {title: Timing(t) for title, t in times.items()})
    table.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
