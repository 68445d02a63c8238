"""Ctrl-C while kernels run or are compiled: they end, and later launches work."""

import os
import subprocess
import sys
import textwrap

import dpctl
import pytest

pytestmark = pytest.mark.skipif(
    not dpctl.select_default_device().is_cpu, reason="kernels on GPUs cannot be ended before their end"
)

# Each call takes hours, or does not end.
KERNELS = """
@numba_dpex.kernel
def long(item: kapi.Item, x, rounds):
    i = item.get_id(0)
    value = x[i]
    for _ in range(rounds):
        value = value * 1.0000001 + 1e-9
    x[i] = value


@numba_dpex.kernel
def endless(item: kapi.Item, x):
    i = item.get_id(0)
    while x[i] >= 0:
        x[i] = x[i] + 1


@numba_dpex.kernel
def endless_in_groups(item: kapi.NdItem, x):
    i = item.get_global_id(0)
    while x[i] >= 0:
        x[i] = x[i] + 1
        kapi.group_barrier(item.get_group())


@numba_dpex.kernel
def waits_for_others(item: kapi.NdItem, x):
    flag = kapi.AtomicRef(x, 0)
    while flag.load() != 12345.0:
        pass


few, many = dpt.ones(10), dpt.ones(100_000)
"""
PROGRAM = """
import os, signal, sys, threading, time
import dpctl.tensor as dpt, numpy, numba_dpex
from numba_dpex import kernel_api as kapi

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
{prepare}
pressed = []

def press():
    time.sleep(0.3)
    pressed.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press).start()
try:
    {call}
    print("done")
except KeyboardInterrupt:
    print("interrupted")
late = time.perf_counter() - pressed[0]
queue = few.sycl_queue
queue.wait()  # raises asynchronous errors
x = dpt.zeros(10)
numba_dpex.call_kernel(fill, kapi.Range(10), x)
print(dpt.asnumpy(x).tolist() == [7.0] * 10)
print(late)
"""
FILL = """
@numba_dpex.kernel
def fill(item: kapi.Item, x):
    x[item.get_id(0)] = 7.0
"""

# Usually at most 0.3 s; more when tests run in parallel.
LATEST = 1.0


def run(tmp_path, prepare: str, call: str) -> None:
    program = tmp_path / "program.py"  # the compiler reads kernels' source from the file
    program.write_text(PROGRAM.format(prepare=FILL + textwrap.dedent(prepare), call=call))
    answer = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 0, answer.stderr
    what, works, late = answer.stdout.split("\n")[:3]
    assert (what, works, answer.stderr) == ("interrupted", "True", "")
    assert float(late) < LATEST


@pytest.mark.parametrize(
    "call",
    [
        "numba_dpex.call_kernel(long, kapi.Range(10), few, 10**12)",
        "numba_dpex.call_kernel(long, kapi.Range(100_000), many, 10**9)",
        "numba_dpex.call_kernel(endless, kapi.Range(10), few)",
        "numba_dpex.call_kernel(endless, kapi.Range(100_000), many)",
        "numba_dpex.call_kernel(endless_in_groups, kapi.NdRange((64,), (32,)), many)",
        "numba_dpex.call_kernel(waits_for_others, kapi.NdRange((64,), (32,)), many)",
        # Runs on the launching thread, or on another one if that array's values are still being computed.
        "numba_dpex.call_kernel_async(endless, kapi.Range(10), (), few); few.sycl_queue.wait()",
        "numba_dpex.call_kernel_async(endless, kapi.Range(100_000), (), many); queue = many.sycl_queue; queue.wait()",
        "numba_dpex.call_kernel_async(endless, kapi.Range(100_000), (), many)[1].wait()",
        "numba_dpex.call_kernel_async(endless, kapi.Range(100_000), (), many); float(dpt.sum(many))",
    ],
)
def test_ends_the_kernel(tmp_path, call):
    run(tmp_path, KERNELS, call)


def test_ends_a_kernel_that_was_short_before(tmp_path):
    """Short kernels run inline in the launching call, where nothing monitors them."""
    prepare = KERNELS + "for _ in range(100):\n    numba_dpex.call_kernel(endless, kapi.Range(10), -few)\n"
    run(tmp_path, prepare, "numba_dpex.call_kernel(endless, kapi.Range(10), few)")


@pytest.mark.parametrize("endless_item", [0, 9_999])
def test_ends_the_part_of_a_kernel_that_another_thread_helps_with(tmp_path, endless_item):
    """Threads share short kernels that follow one another; here one of them gets an item that does not end."""
    prepare = (
        KERNELS
        + """
@numba_dpex.kernel
def sometimes_endless(item: kapi.Item, x):
    i = item.get_id(0)
    value = x[i]
    for _ in range(20):
        value = value * 1.0000001 - 1e-9
    x[i] = value
    while x[i] >= 1e6:
        x[i] = x[i] + 1


x = -dpt.ones(10_000)
for _ in range(3000):
    numba_dpex.call_kernel(sometimes_endless, kapi.Range(10_000), x)
"""
    )
    call = (
        f"x[{endless_item}] = 1e7\n"
        "    for _ in range(300): numba_dpex.call_kernel(sometimes_endless, kapi.Range(10_000), -x * x)\n"
        "    numba_dpex.call_kernel(sometimes_endless, kapi.Range(10_000), x)"
    )
    run(tmp_path, prepare, call)


def test_ends_a_kernel_after_the_program_has_set_its_handler_again(tmp_path):
    """`signal.signal` replaces the handler that the runtime installed. No launch after it looks."""
    prepare = KERNELS + (
        "for _ in range(100):\n    numba_dpex.call_kernel(endless, kapi.Range(10), -few)\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    )
    run(tmp_path, prepare, "numba_dpex.call_kernel(endless, kapi.Range(10), few)")


def test_ends_the_launches_that_were_submitted_after_it(tmp_path):
    call = (
        "for _ in range(50): e = numba_dpex.call_kernel_async(endless, kapi.Range(100_000), (), many)[1]\n    e.wait()"
    )
    run(tmp_path, KERNELS, call)


def test_a_signal_handler_that_does_not_raise_lets_the_kernel_continue(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        PROGRAM.format(
            prepare=FILL + KERNELS + "signal.signal(signal.SIGINT, lambda *_: print('asked'))",
            call="numba_dpex.call_kernel(long, kapi.Range(10), few, 1_000_000_000)",
        )
    )
    answer = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert answer.stdout.startswith("asked\ndone\n"), answer.stdout + answer.stderr


@pytest.mark.parametrize("statements", [40, 400])  # in the code generator, and in the optimiser
def test_ends_a_compilation(tmp_path, statements):
    lines = [f"    a = math.sin(a) * math.cos(a + {n})\n    if a > {n}: a = math.sqrt(a)\n" for n in range(statements)]
    body = "".join(lines)
    prepare = (
        "import math\nfew = dpt.ones(10)\n@numba_dpex.kernel\n"
        f"def large(item: kapi.Item, x):\n    a = x[item.get_id(0)]\n{body}    x[item.get_id(0)] = a\n"
        "os.environ['DPEP_CACHE'] = 'off'\n"
    )
    run(tmp_path, prepare, "numba_dpex.call_kernel(large, kapi.Range(10), few)")


@pytest.mark.parametrize("cache", ["off", "on"])
def test_a_signal_handler_may_launch_the_kernel_that_is_being_compiled(tmp_path, cache):
    lines = [f"    a = math.sin(a) * math.cos(a + {n})\n    if a > {n}: a = math.sqrt(a)\n" for n in range(60)]
    program = tmp_path / "program.py"
    program.write_text(
        "import math, os, signal, threading, time\n"
        "import dpctl.tensor as dpt, numba_dpex\n"
        "from numba_dpex import kernel_api as kapi\n"
        "few = dpt.ones(10)\n"
        "@numba_dpex.kernel\n"
        f"def large(item: kapi.Item, x):\n    a = x[item.get_id(0)]\n{''.join(lines)}    x[item.get_id(0)] = a\n"
        + textwrap.dedent("""
            handled, results = [], []

            def handler(*_):
                if handled: return
                handled.append(True)
                x = dpt.ones(10)
                numba_dpex.call_kernel(large, kapi.Range(10), x)
                results.append(x)

            def press():
                time.sleep(0.05)
                os.kill(os.getpid(), signal.SIGINT)

            signal.signal(signal.SIGINT, handler)
            thread = threading.Thread(target=press)
            thread.start()
            numba_dpex.call_kernel(large, kapi.Range(10), few)
            thread.join()
            print([dpt.asnumpy(x).tolist() == dpt.asnumpy(few).tolist() for x in results])
        """)
    )
    environment = (
        dict(os.environ, DPEP_CACHE="off") if cache == "off" else dict(os.environ, DPEP_CACHE=str(tmp_path / "cache"))
    )
    answer = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=30, check=False, env=environment
    )
    assert answer.stdout == "[True]\n", answer.stdout + answer.stderr
