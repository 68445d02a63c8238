"""A process can exit during background compilations."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import dpctl
import pytest

SCRIPT = pathlib.Path(__file__).with_name("long_chains.py")


def test_exit_during_compilation(tmp_path):
    # LLVM would crash if the exit destroyed objects in use; failed compilations leave their input behind
    environment = dict(os.environ, DPEP_CACHE="off", DPEP_DUMP=str(tmp_path))
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, str(SCRIPT), "1000", "cpu", "pyramid", "diamonds"],
            env=environment, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (run.returncode, run.stderr) == (0, "")
    assert list(tmp_path.glob("*.failed")) == []


WORK = {
    "reads": "float(dpnp.sum(dpnp.arange(200000.0)))",
    "copies": "dpnp.asnumpy(dpnp.arange(200000.0) + 1)",
    "texts": "str(dpnp.arange(5000.0))",
    "waits": "dpnp.cos(dpnp.arange(100000.0)).sycl_queue.wait()",
    "masks": "dpnp.where(dpnp.arange(100000) > 5)",
    "loops": "loop(dpnp.ones(20000))",
}
DAEMON = """
import threading, time
import dpnp
from numba_dpex import dpjit, prange

@dpjit
def loop(x):
    total = 0.0
    for i in prange(x.size):
        total += x[i]
    return total

def work():
    while True:
        {work}

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.skipif(
    not dpctl.select_default_device().is_cpu,
    reason="at the end of a process, the CUDA driver ends beside calls of daemon threads",
)
@pytest.mark.parametrize("work", WORK)
def test_exit_while_daemon_threads_compute(work, tmp_path):
    script = tmp_path / "daemon.py"
    script.write_text(DAEMON.format(work=WORK[work]))
    for _ in range(3):
        run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
        assert (run.returncode, run.stderr) == (0, "")
