"""First uses on a GPU, each in a process of its own: of the device, of array operations, of kernels.

    python benchmarks/gpu/first_use.py [--processes N] [--elements N]

Each row is a median of several processes: `cold` with an empty cache of compiled code, `from disk` with the cache that
the process before has filled. The first queue is compared with the driver's start and creation of a context. Peers that
are installed also compile with empty caches.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

PREPARE = """
import time, numpy as np, dpctl, dpctl.tensor as dpt
q = dpctl.SyclQueue("gpu")
x = dpt.ones({elements}, dtype="f4", sycl_queue=q)
y = dpt.ones((1000, {elements} // 1000), dtype="f4", sycl_queue=q)
q.wait()
{more}
start = time.perf_counter()
result = {what}
q.wait()
print(1e3 * (time.perf_counter() - start))
"""

KERNELS = """
import sys
sys.path.insert(0, {here!r})
import numba_dpex as ndx
from python_kernels import add, kde_arguments, kde_of
"""

ARRAYS = {
    "a + b": "x + x",
    "a*b+c": "x * x + 1.5",
    "sum": "dpt.sum(x)",
    "sum, axis 0": "dpt.sum(y, axis=0)",
    "var, axis 0": "dpt.var(y, axis=0)",
    "argmax": "dpt.argmax(x)",
    "transposed": "dpt.copy(y.T, order='C')",
    "cumulative_sum": "dpt.cumulative_sum(x)",
}
PYTHON = {
    "Python kernel, a + b": ("", "ndx.call_kernel(add, ndx.Range(x.size), x, x, x)"),
    "Python kernel, KDE": (
        "kernel, arguments = kde_of('f4'), kde_arguments(q, 'f4')",
        "ndx.call_kernel(kernel, *arguments)",
    ),
}

DRIVER = """
import ctypes, time
start = time.perf_counter()
cuda = ctypes.CDLL("libcuda.so.1")
device, context = ctypes.c_int(), ctypes.c_void_p()
for code in (cuda.cuInit(0), cuda.cuDeviceGet(ctypes.byref(device), 0),
             cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)):
    assert code == 0, code
print(1e3 * (time.perf_counter() - start))
"""
QUEUE = """
import dpctl, time
start = time.perf_counter()
dpctl.SyclQueue("gpu")
print(1e3 * (time.perf_counter() - start))
"""

PEERS = {
    "numba-cuda": """
import time, numpy as np
from numba import cuda
x = cuda.to_device(np.ones(1000))
@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < a.size:
        c[i] = a[i] + b[i]
start = time.perf_counter()
add[8, 128](x, x, x)
cuda.synchronize()
print(1e3 * (time.perf_counter() - start))
""",
    "CuPy RawKernel": """
import time, cupy
x = cupy.ones(1000)
cupy.cuda.Device().synchronize()
start = time.perf_counter()
add = cupy.RawKernel("extern \\"C\\" __global__ void add(const double *a, double *c) "
                     "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 1000) c[i] = a[i] + a[i]; }", "add")
add((8,), (128,), (x, x))
cupy.cuda.Device().synchronize()
print(1e3 * (time.perf_counter() - start))
""",
    "jax.jit": """
import time, jax, jax.numpy as jnp
x = jnp.ones(1000)
x.block_until_ready()
start = time.perf_counter()
jax.jit(lambda a: a * a + 1.5)(x).block_until_ready()
print(1e3 * (time.perf_counter() - start))
""",
}


WITHOUT_DRIVER_CACHE = {"CUDA_CACHE_DISABLE": "1"}  # the driver's cache would keep code of earlier processes


def run(program: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise RuntimeError(last[0])
    return float(done.stdout.split()[-1])


def run_cold(program: str) -> float:
    with tempfile.TemporaryDirectory() as cache:
        return run(program, CUPY_CACHE_DIR=cache, **WITHOUT_DRIVER_CACHE)


def median_of(processes: int, program: str) -> float:
    return statistics.median(run(program) for _ in range(processes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--elements", type=int, default=1_000_000)
    options = parser.parse_args()
    here = str(pathlib.Path(__file__).resolve().parent)
    programs = {name: PREPARE.format(elements=options.elements, more="", what=what) for name, what in ARRAYS.items()}
    for name, (more, what) in PYTHON.items():
        before = KERNELS.format(here=here) + more
        programs[name] = PREPARE.format(elements=options.elements, more=before, what=what)

    driver, queue = median_of(options.processes, DRIVER), median_of(options.processes, QUEUE)
    print(f"first queue: {queue:.0f} ms; cuInit and a context: {driver:.0f} ms; ratio {queue / driver:.2f}", flush=True)
    print(f"\n{options.elements} elements of float32, ms {'cold':>12}{'from disk':>12}")
    medians = {}
    for name, program in programs.items():
        cold, warm = [], []
        for _ in range(options.processes):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(run(program, DPEP_CACHE=cache, **WITHOUT_DRIVER_CACHE))
                warm.append(run(program, DPEP_CACHE=cache, **WITHOUT_DRIVER_CACHE))
        medians[name] = statistics.median(cold)
        print(f"  {name:28}{medians[name]:>12.1f}{statistics.median(warm):>12.1f}", flush=True)
    for name, program in PEERS.items():
        try:
            cold = statistics.median(run_cold(program) for _ in range(options.processes))
            ratio = cold / medians["Python kernel, a + b"]
            print(f"  {name:28}{cold:>12.1f}  {ratio:.1f} times the time of the Python kernel a + b", flush=True)
        except RuntimeError as error:
            print(f"  {name:28}  not run: {str(error)[:80]}")


if __name__ == "__main__":
    main()
