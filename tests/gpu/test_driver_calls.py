"""Driver calls for each submission, and reuse of memory: the fake driver counts calls and blocks streams."""

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
from numba_dpex import kernel_api as kapi

DEFAULT_STREAM = 1


@pytest.fixture(scope="module")
def driver(gpu):
    if not gpu.name.startswith("Fake GPU"):
        pytest.skip("only the fake driver counts calls")
    library = ctypes.CDLL(os.environ["DPEP_CUDA_DRIVER"])
    library.fake_cuda_calls.restype = ctypes.c_uint64
    library.fake_cuda_early_launches.restype = ctypes.c_uint64
    library.fake_cuda_last_limited.restype = ctypes.c_bool
    library.fake_cuda_gate.restype = ctypes.c_void_p
    library.fake_cuda_gate.argtypes = library.fake_cuda_open.argtypes = [ctypes.c_void_p]
    return library


@pytest.fixture(params=["in_order", "default"])
def queue(request, gpu):
    return dpctl.SyclQueue(gpu.sycl_device, property=request.param)


def minimum_calls(driver, call, times):
    """Returns the driver calls of `times` calls: the minimum of several runs, as another test's work may be polled."""
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


def test_an_array_operation_costs_one_launch(driver, queue):
    a, b = (dpt.empty(10, sycl_queue=queue) for _ in range(2))
    a + b
    queue.wait()
    early = driver.fake_cuda_early_launches()
    used = minimum_calls(driver, lambda: a + b, 320)
    assert driver.fake_cuda_early_launches() >= early + 5 * 320
    assert used["cuLaunchKernelEx"] == used["cuCtxGetCurrent"] == 320
    assert used["cuEventRecord"] <= 11  # for every 32nd: the engine polls it when there are many
    assert used["cuEventQuery"] <= 100 and used["cuStreamWaitEvent"] == 0


@ndx.kernel
def add(item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


def test_a_kernel_whose_event_is_discarded_costs_one_launch(driver, queue):
    a, b, c = (dpt.empty(10, sycl_queue=queue) for _ in range(3))
    space = ndx.Range(10)
    ndx.call_kernel(add, space, a, b, c)
    used = minimum_calls(driver, lambda: ndx.call_kernel_async(add, space, (), a, b, c), 100)
    assert used["cuLaunchKernelEx"] == 100
    assert used["cuEventRecord"] <= 20 and used["cuCtxGetCurrent"] <= 140  # by the reaper, to release arguments
    events = []
    used = minimum_calls(driver, lambda: events.append(ndx.call_kernel_async(add, space, (), a, b, c)[0]), 100)
    assert 99 <= used["cuEventRecord"] <= 120
    for e in events:
        e.wait()


@contextlib.contextmanager
def default_stream_blocked(driver, queue):
    queue.memcpy(
        bytearray(8), dpctl.memory.MemoryUSMDevice(8, queue=queue), 8
    )  # makes the context current on this thread
    gate = driver.fake_cuda_gate(DEFAULT_STREAM)
    try:
        yield
    finally:
        driver.fake_cuda_open(gate)


def is_reused(make, pointer):
    """Whether repeated allocations return this pointer. They are kept for a while, so that each gets another block."""
    until, kept = time.monotonic() + 20, []
    while time.monotonic() < until:
        kept += make()
        if pointer in pointers_of(kept[-8:]):
            return True
        if len(kept) > 2000:
            kept.clear()
        time.sleep(0.001)
    return False


def pointers_of(owners):
    return [getattr(t, "usm_data", t)._pointer for t in owners]


@pytest.mark.parametrize("kind", ["device", "shared"])
def test_array_memory_is_not_reused_while_the_default_stream_may_use_it(driver, queue, kind):
    def arrays():
        return pointers_of([dpt.empty(12345, usm_type=kind, sycl_queue=queue) for _ in range(8)])

    array = dpt.empty(12345, usm_type=kind, sycl_queue=queue)
    pointer = array.usm_data._pointer
    with default_stream_blocked(driver, queue):
        assert array.__cuda_array_interface__["stream"] == DEFAULT_STREAM
        del array
        gc.collect()
        for _ in range(20):
            assert pointer not in arrays()
            time.sleep(0.001)
    # the queue has cached other blocks, so this one returns to the pool
    memory = dpctl.memory.MemoryUSMDevice if kind == "device" else dpctl.memory.MemoryUSMShared
    assert is_reused(lambda: [memory(12345 * 8, queue=queue) for _ in range(8)], pointer)


def test_memory_objects_are_not_reused_while_the_default_stream_may_use_them(driver, queue):
    def memories():
        return [dpctl.memory.MemoryUSMDevice(54321, queue=queue) for _ in range(8)]

    memory = dpctl.memory.MemoryUSMDevice(54321, queue=queue)
    pointer = memory._pointer
    with default_stream_blocked(driver, queue):
        assert memory.__cuda_array_interface__["data"][0] == pointer
        del memory
        gc.collect()
        for _ in range(20):
            assert pointer not in pointers_of(memories())
            time.sleep(0.001)
    assert is_reused(memories, pointer)


def kernel_of_many_registers(synchronises):
    @ndx.kernel
    def smooth(item: kapi.NdItem, a, b):
        i = item.get_global_id(0)
        values, others = kapi.PrivateArray(60, dpt.float32), kapi.PrivateArray(60, dpt.float32)
        for k in range(60):
            values[k], others[k] = a[i + k * k], a[i + 7 * k]
        if synchronises:
            kapi.group_barrier(item.get_group())
        for k in range(60):
            b[i + 3 * k] += values[59 - k] * others[k] + k
            a[i + 5 * k] += others[59 - k] * values[k]
            a[i + 9 * k] += others[k]

    return smooth


def test_kernels_with_barriers_leave_registers_for_several_groups(driver, queue):
    a, b = (dpt.ones(100_000, dtype="f4", sycl_queue=queue) for _ in range(2))
    space = ndx.NdRange(ndx.Range(256), ndx.Range(64))
    ndx.call_kernel(kernel_of_many_registers(False), space, a, b)
    assert not driver.fake_cuda_last_limited()
    ndx.call_kernel(kernel_of_many_registers(True), space, a, b)
    assert driver.fake_cuda_last_limited()
    driver.fake_cuda_spill(True)  # with the limit
    ndx.call_kernel(kernel_of_many_registers(True), space, a, b)
    driver.fake_cuda_spill(False)
    assert not driver.fake_cuda_last_limited()
