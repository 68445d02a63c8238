"""What a process compiles at its first uses, as DPEP_TRACE tells."""

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
    """Kernels of arrays that a process compiles: the name, the thread, begin and end of each."""
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


def test_what_follows_is_compiled_meanwhile(gpu, tmp_path):
    """A variance is two programs; the second is compiled by another thread, once, unless that is late."""
    together = 0
    for attempt in range(5):
        kernels = compiled(VARIANCE, tmp_path / f"{attempt}.json")
        assert sorted(name for name, *_ in kernels) == ["array_subtract_square_sum_divide", "array_sum_divide"]
        (_, thread, begin, end), (_, other, later, _) = sorted(kernels, key=lambda kernel: kernel[2])
        together += thread != other and begin <= later < end
    assert together
