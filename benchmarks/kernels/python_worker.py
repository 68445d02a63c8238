"""The kernels in Python, in a process of their own: as worker.py, whose protocol this speaks."""

from __future__ import annotations

import time

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import python_kernels
import worker


class Kernels:
    """Launches Python kernels behind the interface of worker.Library."""

    def __init__(self, _path: str) -> None:
        self.device = dpctl.SyclDevice().name
        self.arrays: dict[int, dpt.usm_ndarray] = {}  # by the address of the NumPy array that shares the memory

    def array_like(self, array: np.ndarray) -> np.ndarray:
        memory = dpctl.memory.MemoryUSMShared(max(array.nbytes, 1))
        device = dpt.usm_ndarray(array.shape, dtype=array.dtype, buffer=memory)
        host = np.frombuffer(memory, np.uint8, array.nbytes).view(array.dtype).reshape(array.shape)
        self.arrays[host.ctypes.data] = device
        return host

    def run(self, name: str, arrays: list[np.ndarray], sizes, launch) -> float:
        dimensions = 2 if launch.items[1] > 1 else 1
        local = [ndx.kernel_api.LocalAccessor(shape, dtype) for shape, dtype in python_kernels.LOCAL.get(name, ())]
        more = sizes[python_kernels.SIZES[name]] if name in python_kernels.SIZES else ()
        global_range = ndx.Range(*launch.items[:dimensions][::-1])
        space = (
            ndx.NdRange(global_range, ndx.Range(*launch.local[:dimensions][::-1])) if launch.local[0] else global_range
        )
        given = [self.arrays[array.ctypes.data] for array in arrays]
        kernel = getattr(python_kernels, name)
        start = time.perf_counter()
        ndx.call_kernel(kernel, space, *given, *more, *local)
        return 1e3 * (time.perf_counter() - start)


if __name__ == "__main__":
    worker.Library = Kernels
    worker.main()
