"""Ctrl-C while Python waits for a device."""

import signal
import subprocess
import sys
import textwrap

import pytest

# Seconds of consecutive copies, which another process interrupts soon after their start.
PROGRAM = """
import os, signal
import dpctl, dpctl.memory

queue = dpctl.SyclQueue(property="in_order")
device = queue.sycl_device
size = device.global_mem_size // 64 if device.is_gpu else 64 << 20  # GPUs' memory is as fast as it is large
a, b = (dpctl.memory.MemoryUSMDevice(size, queue=queue) for _ in range(2))
for _ in range(1000):
    last = queue.memcpy_async(a, b, a.nbytes)
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore SIGINT
try:
    print("ready", flush=True)
    {wait}
except KeyboardInterrupt:
    done = last.execution_status == dpctl.event_status_type.complete
    print("interrupted", "late" if done else "in time", flush=True)
os._exit(0)  # the copies need not finish
"""


@pytest.mark.parametrize("wait", ["queue.wait()", "last.wait()", "dpctl.SyclEvent.wait_for([last])"])
def test_ends_the_wait_with_keyboard_interrupt(wait):
    program = textwrap.dedent(PROGRAM).format(wait=wait)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted in time\n"


FOREIGN = """
import ctypes, os, signal
import dpctl

libc = ctypes.CDLL(None)
libc.signal.restype = ctypes.c_void_p
libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
foreign = ctypes.cast(libc.abs, ctypes.c_void_p).value
queue = dpctl.SyclQueue()
libc.signal(signal.SIGINT, foreign)
for _ in range(3):
    queue.submit_barrier().wait()
os.kill(os.getpid(), signal.SIGINT)  # calls the foreign handler, which ignores it
print(libc.signal(signal.SIGINT, foreign) == foreign)
signal.signal(signal.SIGINT, signal.default_int_handler)
queue.submit_barrier().wait()
try:
    os.kill(os.getpid(), signal.SIGINT)
    queue.submit_barrier().wait()
except KeyboardInterrupt:
    print("interrupted")
"""


def test_leaves_the_handler_of_another_library():
    done = subprocess.run([sys.executable, "-c", FOREIGN], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True\ninterrupted\n", "")
