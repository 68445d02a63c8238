"""DPEP_CHECK=memory on GPUs: a write next to an allocation, here by the driver, is an error of the next wait."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import ctypes
import os
import dpctl
import dpctl.memory as dpm

queue = dpctl.SyclQueue("cuda:gpu:0")
driver = ctypes.CDLL(os.environ.get("DPEP_CUDA_DRIVER", "libcuda.so.1"))
context = ctypes.c_void_p()
memory = {"device": dpm.MemoryUSMDevice, "shared": dpm.MemoryUSMShared, "host": dpm.MemoryUSMHost}

def write(address, bytes):
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxSetCurrent(context) == 0
    source = ctypes.create_string_buffer(bytes, len(bytes))
    sizes = (ctypes.c_uint64(address), ctypes.c_uint64(ctypes.addressof(source)), ctypes.c_size_t(len(bytes)))
    assert driver.cuMemcpy(*sizes) == 0

for kind in memory:
    for size in (100, 5000, 3_000_000):
        block = memory[kind](size, queue=queue)
        write(block._pointer, b"x" * size)
        queue.wait()
        for at, bytes in ((size, b"y"), (size + 7, b"yy"), (-3, b"y")):
            write(block._pointer + at, bytes)
            try:
                queue.wait()
                print("no error for", kind, size, at)
            except RuntimeError as error:
                print(kind, size, at, "error:", error)
        queue.wait()
print("end")
"""


def test_writes_next_to_an_allocation_are_errors(gpu):
    run = subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | {"DPEP_CHECK": "memory"},
                         capture_output=True, text=True)  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    lines = run.stdout.splitlines()
    assert len(lines) == 28 and lines[-1] == "end", run.stdout
    for line in lines[:-1]:
        kind, size, at = line.split()[:3]
        assert f"error: {kind} memory on '{gpu.name}' was overwritten" in line
        if at != "-3":
            assert f"past the end of the allocation of {size} bytes" in line
            assert f"bytes {at} to {int(at) + (at != size)}" in line


@pytest.mark.skipif("DPEP_CHECK" in os.environ, reason="memory may be guarded")
def test_memory_is_not_guarded_by_default(gpu):
    program = PROGRAM.replace("(100, 5000, 3_000_000)", "(100,)").replace("(-3, b", "(3, b")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.count("no error") == 9, run.stdout + run.stderr
