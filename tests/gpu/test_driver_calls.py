"""Which calls of the driver submitting costs, and what memory waits for: the pretended driver counts, and holds up."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import time

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import numba_dpex as ndx
import pytest

DEFAULT_STREAM = 1


@pytest.fixture(scope="module")
def driver(gpu):
    if not gpu.name.startswith("Pretended"):
        pytest.skip("only the pretended driver counts")
    library = ctypes.CDLL(os.environ["DPEP_CUDA_DRIVER"])
    library.fake_cuda_calls.restype = ctypes.c_uint64
    library.fake_cuda_early_launches.restype = ctypes.c_uint64
    library.fake_cuda_gate.restype = ctypes.c_void_p
    library.fake_cuda_gate.argtypes = library.fake_cuda_open.argtypes = [ctypes.c_void_p]
    return library


@pytest.fixture(params=["in_order", "default"])
def queue(request, gpu):
    return dpctl.SyclQueue(gpu.sycl_device, property=request.param)


def fewest(driver, call, times):
    """Calls of the driver for `times` of these, but those that another test's last work is still asked with."""
    names = ["cuLaunchKernelEx", "cuCtxGetCurrent", "cuEventRecord", "cuEventQuery", "cuStreamWaitEvent"]

    def counts():
        return [driver.fake_cuda_calls(name.encode()) for name in names]

    best = None
    for _ in range(5):
        before = counts()
        for _ in range(times):
            call()
        best = min(best or [times * 100], [after - b for after, b in zip(counts(), before)], key=sum)
    return dict(zip(names, best))


def test_an_operation_on_arrays_is_a_launch(driver, queue):
    a, b = (dpt.empty(10, sycl_queue=queue) for _ in range(2))
    a + b
    queue.wait()
    early = driver.fake_cuda_early_launches()
    used = fewest(driver, lambda: a + b, 320)
    assert driver.fake_cuda_early_launches() >= early + 5 * 320
    assert used["cuLaunchKernelEx"] == used["cuCtxGetCurrent"] == 320
    assert used["cuEventRecord"] <= 11  # of every 32nd, which the engine asks for when there are many
    assert used["cuEventQuery"] <= 100 and used["cuStreamWaitEvent"] == 0


@ndx.kernel
def add(item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


def test_a_kernel_whose_event_nobody_keeps_is_a_launch(driver, queue):
    a, b, c = (dpt.empty(10, sycl_queue=queue) for _ in range(3))
    space = ndx.Range(10)
    ndx.call_kernel(add, space, a, b, c)
    used = fewest(driver, lambda: ndx.call_kernel_async(add, space, (), a, b, c), 100)
    assert used["cuLaunchKernelEx"] == 100
    assert used["cuEventRecord"] <= 20 and used["cuCtxGetCurrent"] <= 140  # the watcher, for the arguments' sake
    events = []
    used = fewest(driver, lambda: events.append(ndx.call_kernel_async(add, space, (), a, b, c)[0]), 100)
    assert 99 <= used["cuEventRecord"] <= 120
    for e in events:
        e.wait()


@contextlib.contextmanager
def default_stream_closed(driver, queue):
    queue.memcpy(bytearray(8), dpctl.memory.MemoryUSMDevice(8, queue=queue), 8)  # this thread has the context
    gate = driver.fake_cuda_gate(DEFAULT_STREAM)
    try:
        yield
    finally:
        driver.fake_cuda_open(gate)


def comes_again(make, pointer):
    """Whether memory that is made again and again, and kept so that others have their turn, is once that one."""
    until, kept = time.monotonic() + 20, []
    while time.monotonic() < until:
        kept += make()
        if pointer in pointers_of(kept[-8:]):
            return True
        if len(kept) > 2000:
            kept.clear()
        time.sleep(0.001)
    return False


def pointers_of(things):
    return [getattr(t, "usm_data", t)._pointer for t in things]


@pytest.mark.parametrize("kind", ["device", "shared"])
def test_memory_that_the_default_stream_may_use_is_not_used_again_before(driver, queue, kind):
    def arrays():
        return pointers_of([dpt.empty(12345, usm_type=kind, sycl_queue=queue) for _ in range(8)])

    array = dpt.empty(12345, usm_type=kind, sycl_queue=queue)
    pointer = array.usm_data._pointer
    with default_stream_closed(driver, queue):
        assert array.__cuda_array_interface__["stream"] == DEFAULT_STREAM
        del array
        gc.collect()
        for _ in range(20):
            assert pointer not in arrays()
            time.sleep(0.001)
    # the queue has others by now, so this one is for all
    memory = dpctl.memory.MemoryUSMDevice if kind == "device" else dpctl.memory.MemoryUSMShared
    assert comes_again(lambda: [memory(12345 * 8, queue=queue) for _ in range(8)], pointer)


def test_memory_objects_that_the_default_stream_may_use_neither(driver, queue):
    def memories():
        return [dpctl.memory.MemoryUSMDevice(54321, queue=queue) for _ in range(8)]

    memory = dpctl.memory.MemoryUSMDevice(54321, queue=queue)
    pointer = memory._pointer
    with default_stream_closed(driver, queue):
        assert memory.__cuda_array_interface__["data"][0] == pointer
        del memory
        gc.collect()
        for _ in range(20):
            assert pointer not in pointers_of(memories())
            time.sleep(0.001)
    assert comes_again(memories, pointer)
