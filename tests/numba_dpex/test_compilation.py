"""Compiling kernels: how often, how long, by several threads and processes; and the cost of launches."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import threading
import time

import dpctl
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest


def add(item, a, b, c):
    i = item.get_id(0)
    c[i] = a[i] + b[i]


def arrays(dtype="f4", size=64):
    a, b = dpt.arange(size, dtype=dtype), dpt.ones(size, dtype=dtype)
    return a, b, dpt.zeros(size, dtype=dtype)


def test_each_list_of_argument_types_is_compiled_once():
    kernel = ndx.kernel(add)
    for dtype in ("f4", "i8", "f4", "i8"):
        a, b, c = arrays(dtype)
        ndx.call_kernel(kernel, ndx.Range(64), a, b, c)
        np.testing.assert_array_equal(dpt.asnumpy(c), np.arange(64, dtype=dtype) + 1)
    assert len(kernel.specialisations) == 2
    ndx.call_kernel(kernel, ndx.Range(32), *(x[::2] for x in arrays()))
    assert len(kernel.specialisations) == 3
    assert "array(float32, 1, A)" in kernel.specialisations[2]


def test_threads_that_call_a_new_kernel_at_once_all_get_results():
    kernel = ndx.kernel(add)
    start = threading.Barrier(8)
    failures = []

    def work(number):
        a, b, c = arrays("f8", 100 + number)
        start.wait()
        ndx.call_kernel(kernel, ndx.Range(a.size), a, b, c)
        if not np.array_equal(dpt.asnumpy(c), np.arange(a.size) + 1.0):
            failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(kernel.specialisations) == 1


PROGRAM = """
import time, dpctl.tensor as dpt, numba_dpex as ndx
@ndx.kernel
def scale(item, a, b):
    i = item.get_id(0)
    b[i] = a[i] * 3 + 1
a = dpt.arange(10, dtype="f4")
b = dpt.zeros(10, dtype="f4")
a.usm_data, b.usm_data
start = time.perf_counter()
ndx.call_kernel(scale, ndx.Range(10), a, b)
took = time.perf_counter() - start
assert dpt.asnumpy(b).tolist() == [3.0 * k + 1 for k in range(10)]
print(took)
"""


def test_processes_share_a_cache(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = os.environ | {"DPEP_CACHE": str(tmp_path / "cache")}
    run = [sys.executable, str(program)]
    both = [subprocess.Popen(run, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        process.communicate()
        assert process.returncode == 0
    entries = [f for f in pathlib.Path(tmp_path / "cache").rglob("*") if f.is_file()]
    cold = float(subprocess.run(run, env=environment | {"DPEP_CACHE": str(tmp_path / "other")}, stdout=subprocess.PIPE,
                                text=True, check=True).stdout)  # fmt: skip
    warm = min(float(subprocess.run(run, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout)
               for _ in range(2))  # fmt: skip
    assert len(entries) == len([f for f in pathlib.Path(tmp_path / "cache").rglob("*") if f.is_file()])
    assert warm < cold


def test_launching_costs_no_more_than_a_few_empty_numpy_calls():
    if not dpctl.SyclDevice().is_cpu:
        pytest.skip("a GPU's driver takes longer: benchmarks/gpu/python_kernels.py")
    kernel = ndx.kernel(add)
    a, b, c = arrays(size=1)
    space = ndx.Range(1)
    ndx.call_kernel(kernel, space, a, b, c)
    x = np.ones(1, "f4")

    def seconds(call, *arguments):
        best = 1.0
        for _ in range(20):
            start = time.perf_counter()
            for _ in range(500):
                call(*arguments)
            best = min(best, (time.perf_counter() - start) / 500)
        return best

    assert seconds(ndx.call_kernel, kernel, space, a, b, c) < 15 * seconds(np.add, x, x)


def test_byte_code_that_cannot_be_decompiled_is_an_error():
    scope = {}
    exec("def made(item, a):\n  try: a[0] = 1\n  except IndexError: pass", scope)  # a function without a source file
    with pytest.raises(OSError, match=r"source of 'made'.*try"):
        ndx.call_kernel(ndx.kernel(scope["made"]), ndx.Range(1), dpt.zeros(1))
