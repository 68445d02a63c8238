"""Launching kernels: queues, events, specialisations, signatures, the older API, threads, processes, errors."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading

import dpctl
import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import ExecutionQueueInferenceError, TypingError, UnknownGlobalRangeError
from numba_dpex.core.types.kernel_api.index_space_ids import ItemType, NdItemType


@ndx.kernel
def add(item: kapi.Item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


def three(n=10, dtype="f8", **keywords):
    return (
        dpnp.arange(n, dtype=dtype, **keywords),
        dpnp.ones(n, dtype=dtype, **keywords),
        dpnp.zeros(n, dtype=dtype, **keywords),
    )


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_arrays_of_all_dtypes_and_usm_types(dtype, usm_type):
    a, b, c = three(dtype=dtype, usm_type=usm_type)
    assert ndx.call_kernel(add, ndx.Range(10), a, b, c) is None
    np.testing.assert_array_equal(dpnp.asnumpy(c), np.arange(1, 11).astype(dtype))


def test_pending_arrays_are_computed_before_the_launch_and_results_are_visible_after_it():
    a, b, c = three()
    total = a * 2 + b
    ndx.call_kernel(add, ndx.Range(10), total, b, c)
    assert float((c + 0).sum()) == 2 * 45 + 20


def test_scalars_of_all_kinds():
    @ndx.kernel
    def fill(item, out, a, b, c, d, e):
        i = item.get_id(0)
        out[i] = a + b + c + d.real + (1 if e else 0)

    out = dpt.zeros(3)
    ndx.call_kernel(fill, ndx.Range(3), out, 1, 2.5, np.float32(4), 8 + 3j, True)
    assert dpt.asnumpy(out).tolist() == [16.5] * 3


def test_empty_ranges_do_nothing():
    a, b, c = three()
    ndx.call_kernel(add, ndx.Range(0), a, b, c)
    assert not dpnp.asnumpy(c).any()


def test_dependent_events_order_launches():
    a, b, c = three(100_000)
    host, first = ndx.call_kernel_async(add, ndx.Range(100_000), (), a, b, c)
    assert isinstance(host, dpctl.SyclEvent) and isinstance(first, dpctl.SyclEvent)
    _, second = ndx.call_kernel_async(add, ndx.Range(100_000), (first,), c, b, a)
    second.wait()
    np.testing.assert_array_equal(dpnp.asnumpy(a), np.arange(100_000) + 2.0)


def test_arguments_live_until_the_kernel_is_done():
    results = []
    for _ in range(20):
        a, b, c = three(200_000)
        _, event = ndx.call_kernel_async(add, ndx.Range(200_000), (), a, b, c)
        del a, b
        results.append((c, event))
    for c, event in results:
        event.wait()
        np.testing.assert_array_equal(dpnp.asnumpy(c), np.arange(200_000) + 1.0)


def test_single_tasks():
    @ndx.kernel
    def last(a, result):
        result[0] = a[a.size - 1]

    result = dpnp.zeros(1)
    ndx.single_task(last, dpnp.arange(5.0), result)
    assert result[0] == 4
    _, event = ndx.single_task_async(last, (), dpnp.arange(9.0), result)
    event.wait()
    assert result[0] == 8


def test_one_specialisation_for_each_combination_of_types():
    @ndx.kernel
    def double(item, a):
        a[item.get_id(0)] *= 2

    assert len(double.overloads) == 0
    for dtype in ("f4", "f8", "f4"):
        ndx.call_kernel(double, ndx.Range(4), dpt.ones(4, dtype=dtype))
    assert len(double.overloads) == 2
    ndx.call_kernel(double, ndx.Range(2), dpt.ones(8)[::2])  # another layout
    assert len(double.overloads) == 3


def test_signatures_are_compiled_immediately_and_other_types_are_errors():
    array = ndx.usm_ndarray(1, "C", ndx.int64)
    floats = ndx.DpnpNdArray(1, "C", ndx.float32)

    @ndx.kernel([(ItemType(1), array), ndx.void(ItemType(1), floats)])
    def double(item, a):
        a[item.get_id(0)] *= 2

    assert len(double.overloads) == 2
    for dtype in ("i8", "f4"):
        a = dpt.ones(4, dtype=dtype)
        ndx.call_kernel(double, ndx.Range(4), a)
        assert dpt.asnumpy(a).tolist() == [2] * 4
    with pytest.raises(TypingError):
        ndx.call_kernel(double, ndx.Range(4), dpt.ones(4, dtype="f8"))
    assert len(double.overloads) == 2


def test_signatures_of_kernels_with_groups():
    @ndx.kernel((NdItemType(1), ndx.usm_ndarray(1, "C", ndx.int64)))
    def number(item, a):
        a[item.get_global_id(0)] = item.get_group().get_group_id(0)

    a = dpt.zeros(4, dtype="i8")
    ndx.call_kernel(number, ndx.NdRange((4,), (2,)), a)
    assert dpt.asnumpy(a).tolist() == [0, 0, 1, 1]


def test_device_functions_with_signatures_convert_their_arguments():
    @ndx.device_func(ndx.int32(ndx.int32))
    def increment(x):
        return x + 1

    @ndx.kernel
    def increments(item, a, b):
        b[item.get_id(0)] = increment(a[item.get_id(0)])

    a, b = dpt.full(4, 1.5), dpt.zeros(4)
    ndx.call_kernel(increments, ndx.Range(4), a, b)
    assert dpt.asnumpy(b).tolist() == [2.0] * 4


@pytest.mark.parametrize(
    "ranges",
    [12, (12,), (12, 4), ((12,), (4,)), ((12,), ndx.DEFAULT_LOCAL_SIZE), ndx.Range(12), ndx.NdRange((12,), (3,))],
    ids=str,
)
def test_older_style_of_launching(ranges):
    @ndx.kernel
    def double(a, b):
        i = ndx.get_global_id(0)
        b[i] = 2 * a[i]

    b = np.zeros(12)
    double[ranges](dpt.arange(12.0), b)
    np.testing.assert_array_equal(b, 2.0 * np.arange(12))
    with pytest.raises(ExecutionQueueInferenceError):
        double[ranges](b, b)
    with pytest.raises(UnknownGlobalRangeError):
        double(dpt.arange(12.0), b)


def test_a_numpy_array_that_is_passed_twice_is_copied_once():
    @ndx.kernel
    def shift(device, a, b):
        i = ndx.get_global_id(0)
        b[i] = a[i] + device[i]

    a = np.arange(4.0)
    shift[4](dpt.ones(4), a, a)
    assert a.tolist() == [1, 2, 3, 4]


def test_typing_errors_derive_from_numbas_if_numba_is_loaded():
    numba_errors = pytest.importorskip("numba.core.errors")

    @ndx.kernel
    def wrong(item, a):
        a[item.get_id(0)] = a

    with pytest.raises(numba_errors.TypingError) as raised:
        ndx.call_kernel(wrong, ndx.Range(4), dpt.ones(4))
    assert isinstance(raised.value, TypingError)


def test_failing_assertions_are_raised_by_the_wait():
    @ndx.kernel
    def check(item, a):
        assert a[item.get_id(0)] < 3, "too large"

    ndx.call_kernel(check, ndx.Range(3), dpt.arange(3))
    with pytest.raises(Exception, match=r"test_launches\.py"):
        ndx.call_kernel(check, ndx.Range(4), dpt.arange(4))
    ndx.call_kernel(check, ndx.Range(3), dpt.arange(3))  # the error is raised only once


def test_print_in_kernels(capfd):
    @ndx.kernel
    def say(a):
        print("value", a[1], a[0])

    ndx.single_task(say, dpt.asarray([1.5, 7.0]))
    assert capfd.readouterr().out.split() == ["value", "7.0", "1.5"]


def test_eight_threads_compile_each_kernel_once():
    kernels = []
    for n in range(4):

        def body(item, a, n=n):
            a[item.get_id(0)] += n + 1

        kernels.append(ndx.kernel(body))
    arrays = [[dpt.zeros(64) for _ in kernels] for _ in range(8)]
    errors = []
    start = threading.Barrier(8)

    def work(mine):
        start.wait()
        try:
            for kernel, array in zip(kernels, mine):
                ndx.call_kernel(kernel, ndx.Range(64), array)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(mine,)) for mine in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    for mine in arrays:
        for n, array in enumerate(mine):
            assert dpt.asnumpy(array).tolist() == [n + 1.0] * 64
    assert [len(kernel.overloads) for kernel in kernels] == [1] * 4


PROGRAM = """
    import dpctl.tensor as dpt
    import numba_dpex as ndx

    @ndx.kernel
    def steps(item, a):
        i = item.get_id(0)
        a[i] = 3 * a[i] + i

    a = dpt.ones(100)
    ndx.call_kernel(steps, ndx.Range(100), a)
    assert dpt.asnumpy(a).tolist() == [3.0 + i for i in range(100)]
"""


def run_program(tmp_path, text: str, **variables) -> subprocess.Popen:
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(text))
    environment = os.environ | {"DPEP_CACHE": str(tmp_path / "cache")} | variables
    return subprocess.Popen([sys.executable, file], env=environment, stderr=subprocess.PIPE, text=True)


def test_processes_share_the_cache(tmp_path):
    for _ in range(2):
        for process in [run_program(tmp_path, PROGRAM) for _ in range(2)]:
            _, errors = process.communicate(timeout=60)
            assert process.returncode == 0, errors
    entries = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    again = run_program(tmp_path, PROGRAM)
    again.communicate(timeout=60)
    assert entries == [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


OUT_OF_RANGE = """
    import dpctl.tensor as dpt
    import numba_dpex as ndx

    @ndx.kernel
    def beyond(item, a):
        a[item.get_id(0) + 90] = 1

    a = dpt.ones(100)
    ndx.call_kernel(beyond, ndx.Range(11), a)
"""


def test_checked_kernels_report_the_index_that_is_out_of_range(tmp_path):
    process = run_program(tmp_path, OUT_OF_RANGE, DPEP_CHECK="1")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "IndexError" in errors and "program.py" in errors and "line 7" in errors.replace(":7", " line 7")
    assert "100" in errors


def test_importing_loads_neither_numba_nor_much_else(tmp_path):
    program = """
        import sys
        import numba_dpex
        assert "numba" not in sys.modules and "llvmlite" not in sys.modules and "dpnp" not in sys.modules
    """
    process = run_program(tmp_path, program)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors


@ndx.kernel
def add_by_index(a, b, c):
    i = ndx.get_global_id(0)
    c[i] = a[i] + b[i]


@pytest.mark.parametrize("where", [str, dpctl.SyclDevice, dpctl.SyclQueue])
def test_kernels_with_numpy_arrays_run_on_the_queue_of_the_device_context(where):
    a, b, c = np.arange(10.0), np.ones(10), np.zeros(10)
    with dpctl.device_context(where("cpu")) as queue:
        assert dpctl.get_current_queue() == queue
        assert queue.sycl_device.is_cpu
        add_by_index[10, ndx.DEFAULT_LOCAL_SIZE](a, b, c)
    np.testing.assert_array_equal(c, a + 1)


def test_device_contexts_nest_and_end():
    assert dpctl.get_num_activated_queues() == 0
    outer, inner = dpctl.SyclQueue("cpu"), dpctl.SyclQueue("cpu")
    with dpctl.device_context(outer):
        with pytest.raises(KeyError), dpctl.device_context(inner):
            assert dpctl.get_current_queue() == inner
            assert dpctl.get_num_activated_queues() == 2
            raise KeyError
        assert dpctl.get_current_queue() == outer
    assert not dpctl.is_in_device_context()


def test_device_contexts_accept_queues_devices_and_strings_only():
    with pytest.raises(TypeError, match=r"device_context: expected a SyclQueue.*got int"), dpctl.device_context(3):
        pass
    with pytest.raises(dpctl.SyclDeviceCreationError), dpctl.device_context("gpu:99"):
        pass


def test_device_arrays_take_precedence_over_the_device_context():
    queue = dpctl.SyclQueue("cpu")
    a, _, c = three(sycl_queue=queue)
    with dpctl.device_context(dpctl.SyclQueue("cpu")):
        add_by_index[10](a, np.ones(10), c)
    assert c.sycl_queue == queue
    np.testing.assert_array_equal(dpnp.asnumpy(c), np.arange(10) + 1.0)


def test_numpy_arrays_without_a_device_context_are_an_error():
    from numba_dpex.core.exceptions import IndeterminateExecutionQueueError

    with pytest.raises(IndeterminateExecutionQueueError, match="device_context"):
        add_by_index[3](np.ones(3), np.ones(3), np.ones(3))
    assert IndeterminateExecutionQueueError is ExecutionQueueInferenceError
