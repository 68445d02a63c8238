"""Kernels that several threads or processes launch at once: correct results, and each is compiled once.

Compilations are counted in the output of DPEP_TRACE.
"""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys

import pytest

KERNELS = 6
PROGRAM = """
import sys, threading
import dpctl, dpctl.tensor as dpt, numba_dpex as ndx, numpy as np

@ndx.device_func
def weigh(x, k):
    return x * k + 1

KERNELS
threads, count = int(sys.argv[1]), int(sys.argv[2])
kernels = [globals()[f"kernel_{k}"] for k in range(count)]
start = threading.Barrier(threads)
right = []

def work(number):
    queue = dpctl.SyclQueue("cpu")
    a = dpt.arange(100, dtype="f4", sycl_queue=queue)
    expected = np.arange(100, dtype="f4")
    start.wait()
    for turn in range(count):
        # pairs of threads begin with the same kernel
        k = (turn + number // 2) % count
        b = dpt.zeros(100, dtype="f4", sycl_queue=queue)
        ndx.call_kernel(kernels[k], ndx.Range(100), a, b)
        right.append(np.array_equal(dpt.asnumpy(b), expected * k + 1))

dpt.asnumpy(dpt.arange(3))
print("ready", flush=True)
sys.stdin.readline()
all_threads = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
for thread in all_threads:
    thread.start()
for thread in all_threads:
    thread.join()
assert len(right) == threads * count and all(right)
assert all(len(kernel.specialisations) == 1 for kernel in kernels)
"""
KERNEL = """
@ndx.kernel
def kernel_{k}(item, a, b):
    i = item.get_id(0)
    b[i] = weigh(a[i], {k})
"""


def compilations(path) -> collections.Counter:
    """How often each kernel was compiled, by name."""
    events = json.loads(path.read_text())
    names = (event["name"] for event in events if event.get("cat") == "compile")
    return collections.Counter(
        name for name in names if name.startswith("kernel")
    )  # not kernels of array operations on a GPU


def run_at_once(tmp_path, processes: int, threads: int, cache: str) -> list[collections.Counter]:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("KERNELS", "".join(KERNEL.format(k=k) for k in range(KERNELS))))
    traces = [tmp_path / f"{number}.json" for number in range(processes)]
    command = [sys.executable, str(program), str(threads), str(KERNELS)]
    environment = os.environ | {"DPEP_CACHE": cache}
    running = [
        subprocess.Popen(command, env=environment | {"DPEP_TRACE": str(trace)}, text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for trace in traces
    ]  # fmt: skip
    for process in running:
        assert process.stdout.readline() == "ready\n"
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    for process in running:
        process.communicate()
        assert process.returncode == 0
    return [compilations(trace) for trace in traces]


EACH_ONCE = {f"kernel_{k}": 1 for k in range(KERNELS)}


@pytest.mark.parametrize("cache", ["off", "new"])
def test_threads_that_launch_the_same_kernels_compile_each_once(tmp_path, cache):
    (compiled,) = run_at_once(tmp_path, 1, 8, "off" if cache == "off" else str(tmp_path / "cache"))
    assert dict(compiled) == EACH_ONCE


def test_processes_that_share_a_cache_compile_each_kernel_once_between_them(tmp_path):
    compiled = run_at_once(tmp_path, 2, 2, str(tmp_path / "cache"))
    assert dict(sum(compiled, collections.Counter())) == EACH_ONCE
