"""Regression tests: inputs for which a GPU, its assembler or dpep once gave wrong results."""

from __future__ import annotations

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest


@pytest.mark.parametrize("code", "bBhHiIlLfdFD")
@pytest.mark.parametrize("length", [100, 5000])
def test_running_sums_of_every_type(real_gpu, put, get, code, length):
    x = (np.arange(length) % 7).astype(code)
    if code in "FD":
        x = x * np.dtype(code).type(1 - 2j)
    got = dpt.cumulative_sum(put(x), dtype=code)
    np.testing.assert_allclose(get(got), np.cumsum(x, dtype=code), rtol=1e-6)


@ndx.kernel
def negatives(item, a, b, c):
    i = item.get_id(0)
    v = a[i]
    c[i] = -v * (b[i] % 10 + v * 2)


def test_the_negative_of_the_smallest_integer_is_itself(real_gpu, put, get):
    a = np.array([-32768, 32767, 5, -32768], np.int16)
    b = np.array([29, 3, 4, 1], np.int32)
    got = put(np.zeros(4, np.int32))
    ndx.call_kernel(negatives, ndx.Range(4), put(a), put(b), got)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(get(got), -a * (b % 10 + a * np.int16(2)))


@ndx.kernel
def divisions(item, a, b, quotient, rest, truncated_rest):
    i = item.get_id(0)
    quotient[i] = a[i] // b[i]
    rest[i] = a[i] % b[i]
    truncated_rest[i] = np.fmod(a[i], b[i])


@pytest.mark.parametrize("code", "bhil")
def test_divisions_of_the_smallest_integer_wrap(real_gpu, put, get, code):
    least, most = np.iinfo(code).min, np.iinfo(code).max
    a, b = np.array([[least, most, least + 1, least, 7], [-1, -1, -1, 3, 0]], code)
    with np.errstate(all="ignore"):
        expected = a // b, a % b, np.fmod(a, b)
    in_kernel = [put(np.ones_like(a)) for _ in expected]
    ndx.call_kernel(divisions, ndx.Range(len(a)), put(a), put(b), *in_kernel)
    of_arrays = put(a) // put(b), put(a) % put(b), dpnp.fmod(dpnp.asarray(put(a)), dpnp.asarray(put(b)))
    for got, also, wanted in zip(in_kernel, of_arrays, expected):
        np.testing.assert_array_equal(get(got), wanted)
        np.testing.assert_array_equal(dpt.asnumpy(also), wanted)


def test_quotients_of_int32_are_not_converted_with_saturation(gpu, put, tmp_path, monkeypatch):
    """The smallest integer // -1 would be the largest one."""
    monkeypatch.setenv("DPEP_DUMP", str(tmp_path))
    monkeypatch.setenv("DPEP_CACHE", "off")
    a = put(np.full(200, -(2**31), np.int32))
    quotient = a // put(np.full(200, -1, np.int32))
    quotient.sycl_queue.wait()
    code = "".join(path.read_text() for path in tmp_path.glob("*.ptx"))
    assert "div.rn.f64" in code
    assert "cvt.rzi.s32.f64" not in code


@ndx.kernel
def products(item, a, b):
    i = item.get_id(0)
    v = a[i]
    v *= b[i]
    b[i] = v - v


def test_a_product_minus_itself_is_zero(real_gpu, put, get):
    numbers = np.random.default_rng(1).random((2, 1000))
    got = put(numbers[1])
    ndx.call_kernel(products, ndx.Range(1000), put(numbers[0]), got)
    np.testing.assert_array_equal(get(got), np.zeros(1000))


@ndx.kernel
def chosen(item, a, b):
    i = item.get_id(0)
    x = np.sin(min(max(a[i] / a[i], -50.0), 60.0)) * 5.0
    b[i] = np.uint64(x + 0.25 if -0.25 < x < 100.0 else 7.0)


def test_selections_by_nan_take_the_other_value(real_gpu, put, get):
    a, got = np.array([0, 1, 0, 3], np.uint64), put(np.zeros(4, np.uint64))
    ndx.call_kernel(chosen, ndx.Range(4), put(a), got)
    np.testing.assert_array_equal(get(got), [7, 4, 7, 4])


def test_arrays_are_copied_to_the_cpu_and_back(gpu, put, get):
    a = np.arange(24.0).reshape(4, 6)
    there = put(a).to_device("cpu")
    assert there.sycl_device.is_cpu
    np.testing.assert_array_equal(dpt.asnumpy(there), a)
    np.testing.assert_array_equal(get(there.to_device(gpu)), a)
    written = dpt.zeros((4, 6), device="cpu")
    written[...] = put(a)
    np.testing.assert_array_equal(dpt.asnumpy(written), a)


def test_memory_is_copied_to_the_cpu_and_back(gpu):
    content = bytes(range(256)) * 10
    here, there, back = (
        dpctl.memory.MemoryUSMDevice(len(content), queue=q) for q in (gpu, dpctl.SyclQueue("cpu"), gpu)
    )
    here.copy_from_host(content)
    there.copy_from_device(here)
    assert there.tobytes() == content
    back.copy_from_device(there)
    assert back.tobytes() == content


def test_assignments_from_numpy_are_written_to_shared_memory(real_gpu):
    memory = dpctl.memory.MemoryUSMShared(24, queue=real_gpu)
    x = dpt.usm_ndarray((2, 3), "i4", buffer=memory, order="F")
    x[...] = np.arange(6).reshape(2, 3)
    assert np.frombuffer(memory, "i4").tolist() == [0, 3, 1, 4, 2, 5]
