"""Python kernels on a GPU: their results, which must equal the simulation's, their output and their exceptions."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os

import dpctl
import numba_dpex as ndx
import numpy as np
import pytest
from language_kernels import CASES, Case
from numba_dpex import kernel_api as kapi


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function.__name__)
def test_kernels_do_what_python_does(case: Case, gpu, put, get):
    expected = case.out.copy()
    with np.errstate(all="ignore"):
        kapi.call_kernel(case.function, case.space, expected, *case.arguments)
    got = put(case.out)
    arguments = [put(x) if isinstance(x, np.ndarray) else x for x in case.arguments]
    ndx.call_kernel(ndx.kernel(case.function), case.space, got, *arguments)
    if not gpu.name.startswith("Fake GPU"):  # the fake GPU only assembles the code
        np.testing.assert_allclose(get(got), expected, rtol=2e-6, atol=1e-6)


@ndx.kernel
def printing(item, a, b):
    i = item.get_id(0)
    print("x", a[i], b[i], i, i > 0, complex(1, -2))


def test_prints_as_python_does(real_gpu, put, capfd):
    a = np.array([0.1, 1e22, -3.0, np.inf, 5e-324, 123456789.25])
    b = np.array([0.1, 1e-5, 1234.5, np.nan, 3.4e38, -0.0], np.float32)
    ndx.call_kernel(printing, ndx.Range(a.size), put(a), put(b))
    lines = sorted(capfd.readouterr().out.splitlines())
    assert lines == sorted(f"x {float(x)!r} {y!s} {i} {i > 0} (1-2j)" for i, (x, y) in enumerate(zip(a, b)))


@ndx.kernel
def raising(item, a):
    i = item.get_id(0)
    if a[i] > 3:
        raise ValueError("too large")
    assert a[i] >= 0, "negative"
    a[i] += 1


@pytest.mark.parametrize("value, message", [(4.0, "ValueError: too large"), (-1.0, "AssertionError: negative")])
def test_exceptions_end_the_kernel_and_the_gpu_stays_usable(real_gpu, put, get, value, message):
    a = np.zeros(100)
    a[77] = value
    with pytest.raises(RuntimeError, match=message):
        ndx.call_kernel(raising, ndx.Range(100), put(a))
    fine = put(np.zeros(100))
    ndx.call_kernel(raising, ndx.Range(100), fine)
    np.testing.assert_array_equal(get(fine), np.ones(100))


@ndx.kernel
def add(item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


def test_kernels_run_in_the_order_of_their_dependencies(real_gpu, put, get):
    a, b, c = put(np.arange(1000.0)), put(np.ones(1000)), put(np.zeros(1000))
    events = []
    for _ in range(20):
        events = [ndx.call_kernel_async(add, ndx.Range(1000), events, a, b, c)[1]]
        events = [ndx.call_kernel_async(add, ndx.Range(1000), events, c, b, a)[1]]
    dpctl.SyclEvent.wait_for(events)
    np.testing.assert_array_equal(get(a), np.arange(1000.0) + 40)


@ndx.kernel
def hop(item, a, b, k):
    i = item.get_id(0)
    x = a[(i * 7919 + k) % a.size]
    for _ in range(i * 37 % 300):  # with different run times
        x = x * 3 - (x * 3 - x)
    b[i] = x + 1


@pytest.mark.parametrize("n", [100, 3_000, 100_003, 2_000_003])
def test_kernels_read_values_that_any_work_item_of_the_previous_kernel_wrote(real_gpu, put, get, n):
    values = np.random.default_rng(n).integers(0, 1000, n)
    a, b = put(values), put(np.zeros(n, np.int64))
    events = []
    for k in range(300):  # in one stream; each may be launched before the previous one is complete
        events = [ndx.call_kernel_async(hop, ndx.Range(n), events, a, b, k)[1]]
        a, b = b, a
    events[0].wait()
    i = np.arange(n)
    for k in range(300):
        values = values[(i * 7919 + k) % n] + 1
    np.testing.assert_array_equal(get(a), values)


def test_memory_of_all_kinds(real_gpu, put, get):
    for kind in ("device", "shared", "host"):
        a, b, c = put(np.arange(10.0), kind), put(np.ones(10), kind), put(np.zeros(10), kind)
        ndx.call_kernel(add, ndx.Range(10), a, b, c)
        np.testing.assert_array_equal(get(c), np.arange(10.0) + 1)


def test_memory_on_two_devices_is_refused(gpu, put):
    there = dpctl.SyclQueue("cpu")
    with contextlib.suppress(dpctl.SyclDeviceCreationError):
        import dpctl.tensor as dpt

        with pytest.raises(ndx.core.exceptions.ExecutionQueueInferenceError):
            ndx.call_kernel(add, ndx.Range(4), put(np.zeros(4)), dpt.zeros(4, sycl_queue=there), put(np.zeros(4)))


@ndx.kernel
def small(item, a):
    a[item.get_id(0)] += 1


@ndx.kernel
def large(item, a):
    i = item.get_id(0)
    a[i] = math.lgamma(a[i]) + math.erfc(a[i]) * math.pow(a[i], a[i + 1]) + math.gamma(a[i])


def test_block_sizes_depend_on_register_use(gpu, put):
    if not gpu.name.startswith("Fake GPU"):
        pytest.skip("only the fake driver reports launches")
    driver = ctypes.CDLL(os.environ["DPEP_CUDA_DRIVER"])
    a = put(np.zeros(100_064))
    for kernel, blocks in ((small, {256}), (large, {64, 128})):
        ndx.call_kernel(kernel, ndx.Range(100_000), a)
        assert driver.fake_cuda_last_block() in blocks
    ndx.call_kernel(small, ndx.Range(1000), a)
    assert driver.fake_cuda_last_block() == 32, "a short launch has a block for each multiprocessor"


@ndx.kernel
def branching(item, index, values, b, in_place):
    i = item.get_id(0)
    x = values[index[i]]
    y = in_place[i]
    if x < 0:
        b[i] = math.erfc(x) + y
    else:
        b[i] = y
    in_place[i] = x - y


@pytest.mark.parametrize("count", [1, 5, 1000, 2**21, 2_500_003])
def test_threads_that_run_several_work_items(real_gpu, put, get, count):
    random = np.random.default_rng(count)
    values = np.linspace(-2, 2, 97)
    index, before = random.integers(0, 97, count), random.random(count)
    b, in_place = put(np.zeros(count)), put(before)
    ndx.call_kernel(branching, ndx.Range(count), put(index), put(values), b, in_place)
    x, erfc = values[index], np.array([math.erfc(v) if v < 0 else 0.0 for v in values])[index]
    np.testing.assert_allclose(get(b), erfc + before, rtol=1e-14)
    np.testing.assert_array_equal(get(in_place), x - before)
