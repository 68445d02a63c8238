"""A child process that is forked while another thread compiles can compile kernels."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, threading, time
import dpctl, dpctl.tensor as dpt, numba_dpex as ndx, numpy as np

queue = dpctl.SyclQueue("cpu")
a = dpt.arange(1, 101, dtype="f4", sycl_queue=queue)
b = dpt.zeros((8, 100), dtype="f4", sycl_queue=queue)
KERNELS
kernels = [globals()[f"kernel_{k}"] for k in range(8)]

def launch_all():
    for k, kernel in enumerate(kernels):
        ndx.call_kernel(kernel, ndx.Range(100), a, b, k)
    return np.array_equal(dpt.asnumpy(b), np.arange(1, 101) * np.arange(8)[:, None])

thread = threading.Thread(target=launch_all)
thread.start()
children = []
while thread.is_alive() and len(children) < 12:
    time.sleep(0.015)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if launch_all() else 1)
    children.append(child)
thread.join()
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""
KERNEL = """
@ndx.kernel
def kernel_{k}(item, a, b, factor):
    i = item.get_id(0)
    total = a[i] - a[i]
    for j in range({k} + 10):
        total += np.sin(a[i] * j) - np.sin(j * a[i])
    b[{k}, i] = total + factor * a[i]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_forks_during_compilations(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("KERNELS", "".join(KERNEL.format(k=k) for k in range(8))))
    environment = os.environ | {"DPEP_CACHE": str(tmp_path / "cache"), "ONEAPI_DEVICE_SELECTOR": "*:cpu"}
    run = subprocess.run([sys.executable, "-W", "ignore", program], env=environment, text=True, capture_output=True,
                         timeout=120, check=False)  # fmt: skip
    codes = json.loads(run.stdout)  # negative for signals: -14 is the alarm of a child that hung
    assert codes == [0] * len(codes) and codes, f"{codes}\n{run.stderr}"
