"""Ctrl-C while Python waits for arrays."""

import signal
import subprocess
import sys
import textwrap

import dpctl
import pytest

# Seconds of copies that the array's queue must finish first, and a Ctrl-C from outside soon after they began.
PROGRAM = """
import os, signal
import dpctl, dpctl.memory, dpctl.tensor as dpt

queue = dpctl.SyclQueue(property="in_order")
x = dpt.asarray([1, 2, 3], sycl_queue=queue)
size = 64 << 20 if queue.sycl_device.is_cpu else 4 << 30  # a GPU copies that in 2 ms
a, b = (dpctl.memory.MemoryUSMDevice(size, queue=queue) for _ in range(2))
for _ in range(1000):
    last = queue.memcpy_async(a, b, a.nbytes)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
try:
    print("ready", flush=True)
    {wait}
except KeyboardInterrupt:
    done = last.execution_status == dpctl.event_status_type.complete
    print("interrupted", "late" if done else "in time", flush=True)
os._exit(0)  # the copies need not finish
"""


@pytest.mark.parametrize("wait", ["dpt.asnumpy(x)", "float(x[0])", "str(x)", "x.device.wait()", "(x + x)._pointer"])
def test_ends_waiting_with_keyboard_interrupt(wait):
    if "_pointer" in wait and not dpctl.select_default_device().is_cpu:
        pytest.skip("addresses of a GPU's memory are given without waiting")
    program = textwrap.dedent(PROGRAM).format(wait=wait)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted in time\n"
