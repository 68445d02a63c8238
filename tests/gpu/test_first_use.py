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
