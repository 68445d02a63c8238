"""Fixtures for tests on a CUDA device: its queue, and copies of arrays. Without a GPU, see test_fake_gpu.py."""

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
    """A queue on the first CUDA device, which may be a fake GPU."""
    if not dpctl.get_devices(backend="cuda"):
        pytest.skip("there is no CUDA device, or the selector excludes it")
    return dpctl.SyclQueue("cuda:gpu:0")


@pytest.fixture(scope="session")
def real_gpu(gpu) -> dpctl.SyclQueue:
    """The same, on a GPU that executes kernels."""
    if gpu.name.startswith("Fake GPU"):
        pytest.skip("the fake GPU executes no kernels")
    return gpu


@pytest.fixture(scope="session")
def put(gpu):
    """Copies a NumPy array or a view to the GPU, with the same memory layout."""

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
    """Copies a contiguous array from the GPU to the host, in the order of its queue."""

    def copy(array: dpt.usm_ndarray) -> np.ndarray:
        host = np.empty(array.shape, array.dtype)
        if host.nbytes:
            content = bytearray(host.nbytes)
            array.sycl_queue.memcpy(content, array.usm_data, len(content))
            host = np.frombuffer(content, array.dtype).reshape(array.shape)
        return host

    return copy
