"""GPUs for tests: a queue on one of CUDA's devices, and arrays on it. Without a GPU, see test_pretended_gpu.py."""

from __future__ import annotations

import pathlib
import sys

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "numba_dpex"))


@pytest.fixture(scope="session")
def gpu() -> dpctl.SyclQueue:
    """A queue on the first GPU of CUDA's, perhaps a pretended one."""
    if not dpctl.get_devices(backend="cuda"):
        pytest.skip("there is no GPU of CUDA's here, or the selector leaves it out")
    return dpctl.SyclQueue("cuda:gpu:0")


@pytest.fixture(scope="session")
def real_gpu(gpu) -> dpctl.SyclQueue:
    """The same, where kernels run."""
    if gpu.name.startswith("Pretended"):
        pytest.skip("the pretended GPU runs no kernels")
    return gpu


@pytest.fixture(scope="session")
def put(gpu):
    """Copies a NumPy array, or a view of one, to the GPU: the same memory layout."""

    def copy(value: np.ndarray, kind: str = "device") -> dpt.usm_ndarray:
        contiguous = value.flags.c_contiguous or value.flags.f_contiguous
        base = value if contiguous else value.base
        order = "C" if base.flags.c_contiguous else "F"
        whole = dpt.usm_ndarray(base.shape, base.dtype, buffer=kind, order=order, buffer_ctor_kwargs={"queue": gpu})
        if base.size:
            gpu.memcpy(whole.usm_data, base.tobytes(order="A"), base.nbytes)
        if contiguous:
            return whole
        return whole[tuple(slice(None, None, s // w) for s, w in zip(value.strides, base.strides))]

    return copy


@pytest.fixture(scope="session")
def get():
    """Copies a contiguous array of the GPU's back, by its own queue: after what that waits for."""

    def copy(array: dpt.usm_ndarray) -> np.ndarray:
        host = np.empty(array.shape, array.dtype)
        if host.nbytes:
            content = bytearray(host.nbytes)
            array.sycl_queue.memcpy(content, array.usm_data, len(content))
            host = np.frombuffer(content, array.dtype).reshape(array.shape)
        return host

    return copy
