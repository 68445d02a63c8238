"""DPEP_CHECK=memory: a kernel's write outside of its arrays is an error of the next wait."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import ctypes
import dpctl
import dpctl.memory as dpm
import dpctl.tensor as dpt
import numba_dpex as ndx

@ndx.kernel
def write(item, a, at, value):
    a[at] = value

def far(array, index):
    ndx.call_kernel(write, ndx.Range(1), array, index, 7)

queue = dpctl.SyclQueue()
"""


def run(body: str, **environment) -> str:
    done = subprocess.run([sys.executable, "-c", PROGRAM + body], env=os.environ | environment, capture_output=True,
                          text=True)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["device", "shared", "host"])
@pytest.mark.parametrize("size", [1, 10, 100, 1000, 100_000, 1_000_000])
def test_writes_near_an_array_are_errors(kind, size):
    output = run(f"""
a = dpt.zeros({size}, dtype="i4", usm_type="{kind}")
for at in (0, {size - 1}):
    far(a, at)
print("inside is right")
for at in ({size}, {size} + 5):
    try:
        far(a, at)
        print("no error for", at)
    except RuntimeError as error:
        print(error)
far(a, 0)  # an error is raised once
print("goes on")
""", DPEP_CHECK="memory")  # fmt: skip
    assert "inside is right\n" in output
    assert "no error" not in output, output
    assert f"{kind} memory" in output
    assert output.count(f"past the end of the allocation of {4 * size} bytes") == 2
    assert f"bytes {4 * size} to {4 * size + 3}" in output
    assert f"bytes {4 * (size + 5)} to {4 * (size + 5) + 3}" in output
    assert "launched since the last wait: 'write'" in output
    assert output.endswith("goes on\n")


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_writes_before_an_array_are_errors(size):
    output = run(f"""
@ndx.kernel
def write_before(item, a, distance):
    i = item.get_id(0)
    p = a[::-1]
    p[p.size - 1 + distance] = 7

a = dpt.zeros({size}, dtype="i4")
try:
    ndx.call_kernel(write_before, ndx.Range(1), a, 3)
    print("no error")
except RuntimeError as error:
    print(error)
""", DPEP_CHECK="memory")  # fmt: skip
    assert "overwritten" in output, output
    assert "before the allocation" in output or "past the end of the allocation" in output


def test_arrays_that_are_freed_before_the_wait_are_checked():
    output = run("""
a = dpt.zeros(10, dtype="i4")
_, event = ndx.call_kernel_async(write, ndx.Range(1), (), a, 10, 7)
while event.execution_status != dpctl.event_status_type.complete:
    pass
m = dpm.MemoryUSMShared(40)
address = m._pointer
ctypes.memset(address + 44, 1, 2)
del m
try:
    queue.wait()
    print("no error")
except RuntimeError as error:
    print(error)
""", DPEP_CHECK="memory")  # fmt: skip
    assert output.count("past the end of the allocation of 40 bytes") == 2, output
    assert "bytes 44 to 45" in output


def test_programs_without_invalid_writes_run_as_without_the_check():
    output = run("""
import numpy as np
rng = np.random.default_rng(1)
for round in range(50):
    n = int(rng.integers(1, 3000))
    x = rng.random((n, 7))
    a = dpt.asarray(x, usm_type=("device", "shared", "host")[round % 3])
    np.testing.assert_allclose(dpt.asnumpy(dpt.sum(a * 2 + 1, axis=0)), (x * 2 + 1).sum(0))
    big = dpt.ones(300_000 + n)
    big += 1
    assert float(dpt.sum(big)) == 2 * (300_000 + n)
print("right")
""", DPEP_CHECK="memory")  # fmt: skip
    assert output == "right\n"


def test_indices_in_kernels_are_not_checked_unless_requested():
    body = """
a = dpt.zeros(10, dtype="i4")
try:
    far(a, 10)
except IndexError as error:
    print("IndexError", error)
except RuntimeError as error:
    print("RuntimeError", error)
"""
    assert run(body, DPEP_CHECK="memory").startswith("RuntimeError")
    assert run(body, DPEP_CHECK="1,memory").startswith("IndexError")
