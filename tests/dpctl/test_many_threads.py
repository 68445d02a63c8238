"""Objects made and dropped by eight threads in random order, with exceptions between them: nothing leaks or hangs."""

import os
import subprocess
import sys

from building import needs_compiler

CALLS = int(os.environ.get("DPEP_THREAD_CALLS", "100000"))

PROGRAM = r"""
import gc, os, random, sys, threading
import dpctl, dpctl.memory, dpctl.program, dpctl.tensor as dpt
import numpy as np
import dpep

CALLS, THREADS = int(sys.argv[1]), 8
SOURCE = "__kernel void doubled(__global int *x) { x[get_global_id(0)] *= 2; }"
queue = dpctl.SyclQueue()

def call(choice, kept):
    q = choice.choice(kept["queues"])
    what = choice.randrange(9)
    if what == 0:
        how = choice.choice([None, "in_order", "enable_profiling"])
        kept["queues"].append(dpctl.SyclQueue(q.sycl_device, property=how))
    elif what == 1:
        kind = choice.choice([dpctl.memory.MemoryUSMDevice, dpctl.memory.MemoryUSMShared, dpctl.memory.MemoryUSMHost])
        kept["memory"].append(kind(choice.randrange(1, 5000), queue=q))
    elif what == 2 and kept["memory"]:
        m = choice.choice(kept["memory"])
        kept["events"].append(m.sycl_queue.memcpy_async(m, np.ones(m.nbytes, "u1"), m.nbytes))
    elif what == 3 and kept["memory"]:
        m = choice.choice(kept["memory"])
        m.sycl_queue.memcpy(m, np.zeros(m.nbytes, "u1"), m.nbytes)
    elif what == 4:
        kept["events"].append(q.submit_barrier([e for e in kept["events"] if e is not None][-2:]))
    elif what == 5:
        kept["programs"].append(dpctl.program.create_program_from_source(q, SOURCE))
    elif what == 6:
        (dpt.ones(choice.randrange(1, 300), sycl_queue=q) + 1).sycl_queue.wait()
    elif what == 7:
        choice.choice([
            lambda: dpctl.SyclQueue("no such device"), lambda: dpctl.memory.MemoryUSMDevice(2**62),
            lambda: q.memcpy(None, None, 1), lambda: dpctl.program.create_program_from_spirv(q, b"no SPIR-V" * 4),
            lambda: kept["programs"][-1].get_sycl_kernel("none"),
            lambda: dpt.ones(3, sycl_queue=q) + dpt.ones(4, sycl_queue=q),
        ])()
    else:
        for things in kept.values():
            while len(things) > choice.randrange(1, 12):
                things.pop(choice.randrange(len(things)))

def work(seed, count):
    choice = random.Random(seed)
    kept = {"queues": [queue], "memory": [], "events": [], "programs": []}
    raised = 0
    for _ in range(count):
        if not kept["queues"]:
            kept["queues"].append(queue)
        try:
            call(choice, kept)
        except Exception:
            raised += 1
    assert raised > count // 30, raised

def run(count):
    failures = []
    def guarded(seed):
        try:
            work(seed, count // THREADS)
        except BaseException as error:
            failures.append(repr(error))
    threads = [threading.Thread(target=guarded, args=(seed,)) for seed in range(THREADS)]
    for t in threads: t.start()
    for t in threads: t.join()
    assert failures == [], failures
    gc.collect()
    queue.wait()

def in_use():
    kinds = [dpep.memory_statistics(queue.sycl_context, kind) for kind in ("device", "shared", "host")]
    return [(s["in_use"], s["allocations"]) for s in kinds]

def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

run(CALLS // 4)  # pools and caches fill
before, bytes_before = in_use(), resident()
run(CALLS)
assert in_use() == before, (before, in_use())
grown = resident() - bytes_before
assert grown < 64 << 20, f"{grown >> 20} MiB more"

if hasattr(os, "fork") and queue.sycl_device.is_cpu:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            ok = dpt.asnumpy(dpt.arange(100000) + 1)[-1] == 100000
            status = 0 if ok else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
print("done")
"""


def test_nothing_leaks_or_hangs_and_a_fork_works():
    needs_compiler()  # of programs
    made = subprocess.run(
        [sys.executable, "-W", "ignore", "-X", "faulthandler", "-c", PROGRAM, str(CALLS)],
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert made.returncode == 0 and made.stdout.strip() == "done", made.stdout + made.stderr[-3000:]
