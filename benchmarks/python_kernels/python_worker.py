"""A process that runs kernels written in Python, dpep's or Numba's, with the requests of benchmarks/kernels/worker.py.

The names to open are "dpex", "numba", and "numba_alternative" for functions with other algorithms. The first run of a
problem compiles, and is not measured.
"""

from __future__ import annotations

import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "kernels")]

import worker as kernels_worker  # noqa: E402

clock = time.process_time if "BENCH_PROCESSOR_TIME" in os.environ else time.perf_counter


class Dpex:
    """Arrays and kernels of numba_dpex."""

    device = "numba_dpex"

    def __init__(self) -> None:
        import dpctl
        import dpctl.tensor
        import dpex_kernels
        import numba_dpex

        self.ndx, self.tensor, self.kernels = numba_dpex, dpctl.tensor, dpex_kernels
        self.queue = dpctl.SyclQueue("cpu")
        self.arrays: dict[int, object] = {}

    def array_like(self, array):
        import ctypes

        import numpy as np

        usm_array = self.tensor.empty(array.shape, dtype=array.dtype, usm_type="shared", sycl_queue=self.queue)
        address = usm_array.__sycl_usm_array_interface__["data"][0]
        view = np.frombuffer((ctypes.c_char * array.nbytes).from_address(address), array.dtype).reshape(array.shape)
        self.arrays[address] = usm_array
        return view

    def run(self, name: str, arrays: list, sizes, launch) -> float:
        shape, local = launch.items[::-1], launch.local[::-1]
        if shape[0] == 1:
            shape, local = shape[1:], local[1:]
        space = self.ndx.NdRange(shape, local) if local[-1] else self.ndx.Range(*shape)
        memory = [
            self.ndx.kernel_api.LocalAccessor(*shape_and_type) for shape_and_type in self.kernels.LOCAL.get(name, [])
        ]
        arguments = [self.arrays[array.ctypes.data] for array in arrays]
        kernel = getattr(self.kernels, name)
        start = clock()
        self.ndx.call_kernel(kernel, space, *arguments, *map(int, sizes), *memory)
        return 1e3 * (clock() - start)


class Numba:
    """NumPy's arrays and functions compiled by Numba."""

    device = "Numba"

    def __init__(self) -> None:
        import numba_kernels

        self.kernels = numba_kernels

    def array_like(self, array):
        return array.copy()

    def run(self, name: str, arrays: list, sizes, launch) -> float:
        start = clock()
        getattr(self.kernels, name)(*arrays, *sizes)
        return 1e3 * (clock() - start)


class NumbaAlternative(Numba):
    """Numba functions that solve a problem by another algorithm."""

    def run(self, name: str, arrays: list, sizes, launch) -> float:
        start = clock()
        self.kernels.ALTERNATIVES[name](*arrays, *sizes)
        return 1e3 * (clock() - start)


kernels_worker.Library = lambda name: {"dpex": Dpex, "numba": Numba, "numba_alternative": NumbaAlternative}[name]()

if __name__ == "__main__":
    kernels_worker.main()
