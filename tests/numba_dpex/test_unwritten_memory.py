"""Private arrays of older kernels are zeros; DPEP_CHECK=1 reports reads of unwritten private and local memory."""

from __future__ import annotations

import os
import subprocess
import sys

import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi


def launch_simulated(kernel, space, *arguments):
    kapi.call_kernel(kernel.py_func, space, *arguments)


@ndx.kernel
def sums(out, n):
    i = ndx.get_global_id(0)
    for _ in range(n):
        p = ndx.private.array((4,), np.float32)  # again in each iteration
        p[i % 4] += 1
        q = ndx.private.array(3, np.int64)
        for k in range(3):
            q[k] += k
        out[i] = p[0] + p[1] + p[2] + p[3] + q[0] + q[1] + q[2]


@pytest.mark.parametrize("launch", [ndx.call_kernel, launch_simulated], ids=["compiled", "simulated"])
@pytest.mark.parametrize("space", [ndx.Range(64), ndx.NdRange((64,), (16,))], ids=["range", "groups"])
def test_private_arrays_of_older_kernels_are_zeros(launch, space):
    @ndx.kernel
    def fills_the_stack(item, out, n):
        p = kapi.PrivateArray(64, np.float64)
        for k in range(64):
            p[k] = n / k
        out[0] = p[n]

    ndx.call_kernel(fills_the_stack, ndx.Range(4), dpt.zeros(1), 5)
    out = dpt.zeros(64)
    launch(sums, space, out, 3)
    assert dpt.asnumpy(out).tolist() == [4.0] * 64


@pytest.mark.parametrize("launch", [ndx.call_kernel, launch_simulated], ids=["compiled", "simulated"])
def test_private_arrays_are_zeros_with_fill_zeros(launch):
    @ndx.kernel
    def total(item: kapi.Item, out):
        p = kapi.PrivateArray((2, 3), np.int32, fill_zeros=True)
        p[1, 1] += 5
        s = 0
        for i in range(2):
            for j in range(3):
                s += p[i, j]
        out[item.get_id(0)] = s

    out = dpt.zeros(8, dtype="i8")
    launch(total, ndx.Range(8), out)
    assert dpt.asnumpy(out).tolist() == [5] * 8


PROGRAM = """
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi

@ndx.device_func
def fill(p, n):
    for k in range(n):
        p[k] = k

@ndx.kernel
def private(item, out, n):
    p = kapi.PrivateArray((4, 4), np.{dtype})
    fill(p[1], n)
    row = p[1]
    out[item.get_id(0)] = row[3].real

@ndx.kernel
def local(item: kapi.NdItem, out, tile, n):
    i = item.get_local_id(0)
    if i < n:
        tile[i] = i
    kapi.group_barrier(item.get_group())
    out[item.get_global_id(0)] = tile[item.get_local_range(0) - 1 - i]

@ndx.kernel
def declared(item: kapi.NdItem, out, n):
    i = item.get_local_id(0)
    tile = ndx.local.array(8, np.float32)
    if i < n:
        tile[i] = i
    kapi.group_barrier(item.get_group())
    out[item.get_global_id(0)] = tile[item.get_local_range(0) - 1 - i]

@ndx.kernel
def counted(item: kapi.NdItem, out, tile, n):
    if n > 0 and item.get_local_id(0) == 0:
        tile[0] = 0
    kapi.group_barrier(item.get_group())
    kapi.AtomicRef(tile, 0).fetch_add(1)
    kapi.group_barrier(item.get_group())
    out[item.get_global_id(0)] = tile[0]

out = dpt.zeros(16)
groups = ndx.NdRange((16,), (8,))
for kernel, space, more in (
    (private, ndx.Range(16), ()),
    (local, groups, (kapi.LocalAccessor(8, np.float64),)),
    (declared, groups, ()),
    (counted, groups, (kapi.LocalAccessor(1, np.int64),)),
):
    for n in (8 if more or space is groups else 4, 0):
        try:
            ndx.call_kernel(kernel, space, out, *more, n)
            print(kernel.__name__, "is right:", float(dpt.sum(out)))
        except RuntimeError as error:
            print(kernel.__name__, "is wrong:", error)
"""


@pytest.mark.parametrize("dtype", ["float32", "int8", "bool_", "complex64"])
def test_reads_of_unwritten_memory_are_errors_with_checks(tmp_path, dtype):
    program = tmp_path / "unwritten.py"
    program.write_text(PROGRAM.replace("{dtype}", dtype))
    environment = os.environ | {"DPEP_CHECK": "1", "DPEP_CACHE": str(tmp_path / "cache")}
    run = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True)
    said = run.stdout.replace("\n", " ").split("is ")
    assert "private is right" in run.stdout, run.stdout
    assert len([each for each in said if each.startswith("right")]) == 4, run.stdout
    assert len([each for each in said if each.startswith("wrong")]) == 4, run.stdout
    assert "read of an element of a private array that was never written" in run.stdout
    assert "unwritten.py:17" in run.stdout
    assert run.stdout.count("read of an element of local memory that no work-item of the group has written") == 3
    for line in (25, 34, 41):
        assert f"unwritten.py:{line}" in run.stdout
    assert "local is right: 56.0" in run.stdout  # twice 0 + … + 7
    assert "counted is right: 128.0" in run.stdout
