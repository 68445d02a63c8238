"""Kernels that a process compiles at first use, according to DPEP_TRACE."""

from __future__ import annotations

import json
import os
import subprocess
import sys

VARIANCE = """
import dpctl, dpctl.tensor as dpt
q = dpctl.SyclQueue("cuda:gpu:0")
x = dpt.empty((1000, 1000), dtype="f4", sycl_queue=q)
v = dpt.var(x, axis=0)
q.wait()
"""


def compiled(program, path):
    """Returns the array kernels that a process compiles: name, thread, start and end."""
    environment = {**os.environ, "DPEP_TRACE": str(path), "DPEP_CACHE": "off"}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    events = json.loads(path.read_text())
    events = events["traceEvents"] if isinstance(events, dict) else events
    return [
        (e["name"], e["tid"], e["ts"], e["ts"] + e["dur"])
        for e in events
        if e.get("cat") == "compile" and e["name"].startswith("array_")
    ]


def test_later_kernels_are_compiled_concurrently(gpu, tmp_path):
    """A variance has two kernels; another thread compiles the second one meanwhile, unless it starts too late."""
    concurrent = 0
    for attempt in range(5):
        kernels = compiled(VARIANCE, tmp_path / f"{attempt}.json")
        assert sorted(name for name, *_ in kernels) == ["array_subtract_square_sum_divide", "array_sum_divide"]
        (_, thread, begin, end), (_, other, later, _) = sorted(kernels, key=lambda kernel: kernel[2])
        concurrent += thread != other and begin <= later < end
    assert concurrent


SMALL = """
import time, dpctl, dpctl.tensor as dpt
q = dpctl.SyclQueue("cuda:gpu:0")
x = dpt.empty(1000, dtype="f4", sycl_queue=q)
for _ in range({times}):
    (x * 2 + 1).usm_data
    q.wait()
    time.sleep({pause})
"""


def test_few_elements_are_computed_by_single_operations_until_their_program_is_compiled(gpu, tmp_path):
    def names(times):
        kernels = compiled(SMALL.format(times=times, pause=0.1), tmp_path / f"{times}.json")
        return {name for name, *_ in kernels}

    assert names(1) == {"array_multiply", "array_add"}
    assert names(4) == {"array_multiply", "array_add", "array_multiply_add"}


SORT = """
import time, dpctl, dpctl.tensor as dpt
q = dpctl.SyclQueue("cuda:gpu:0")
x = dpt.empty({elements}, dtype="f4", sycl_queue=q)
y = dpt.sort(x)
q.wait()
time.sleep({pause})
"""


def test_kernels_of_a_sort_are_compiled_concurrently(gpu, tmp_path):
    kernels = compiled(SORT.format(elements=100_000, pause=0), tmp_path / "sort.json")
    assert sorted(name for name, *_ in kernels) == ["array_sort_clear", "array_sort_count", "array_sort_sweep"]
    assert len({thread for _, thread, *_ in kernels}) > 1


def test_a_large_sort_starts_with_small_tiles(gpu, tmp_path):
    kernels = compiled(SORT.format(elements=10_000_000, pause=1), tmp_path / "sort.json")
    sweeps = [name for name, *_ in kernels if name == "array_sort_sweep"]
    assert len(sweeps) == 2  # the one that is used, and that of large tiles
