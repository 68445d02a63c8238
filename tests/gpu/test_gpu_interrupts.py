"""Ctrl-C during an endless kernel: a GPU cannot end it, so the wait ends, and the error names the running kernel."""

import subprocess
import sys

# Loading code of another kernel would block in the driver until the endless one ends, so the waits load none.
PROGRAM = """
import faulthandler, os, signal, threading, time
import dpctl.tensor as dpt, numba_dpex
from numba_dpex import kernel_api as kapi

signal.signal(signal.SIGINT, signal.default_int_handler)
faulthandler.dump_traceback_later(40)

@numba_dpex.kernel
def endless(item: kapi.Item, x):
    while x[item.get_id(0)] >= 0:
        x[item.get_id(0)] = x[item.get_id(0)] + 1

x = dpt.ones(10, device="cuda:gpu:0")
waits = [
    lambda: numba_dpex.call_kernel(endless, kapi.Range(10), x),
    lambda: float(x[0]),
    x.sycl_queue.wait,
    lambda: dpt.asnumpy(x),
]
for number, wait in enumerate(waits):
    pressed = []
    def press():
        time.sleep(5 if number == 0 else 0.5)  # the first call compiles
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=press)
    thread.start()
    try:
        wait()
    except KeyboardInterrupt as e:
        late = time.perf_counter() - pressed[0]
        print(number, late < 1, "; ".join(getattr(e, "__notes__", ["nothing"])), flush=True)
    thread.join()
os._exit(0)  # the driver may wait for the kernel at exit
"""


def test_interrupted_waits_name_the_running_kernel(real_gpu, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    answer = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=100, check=False)
    lines = answer.stdout.splitlines()
    assert len(lines) == 4, answer.stdout + answer.stderr
    for number, line in enumerate(lines):
        assert line.startswith(f"{number} True still running on {real_gpu.sycl_device.name}"), line
        assert "'endless'" in line
