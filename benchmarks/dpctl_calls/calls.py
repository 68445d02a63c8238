"""The calls that run.py times, for whichever dpctl is installed. It runs as a process that reads names of rows.

python calls.py          answers each line of standard input with the nanoseconds of a call of that row
python calls.py names    prints the names
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import timeit
import warnings
from collections.abc import Callable

import dpctl
import dpctl.memory
import dpctl.program
import dpctl.tensor as dpt
import dpctl.utils
import numpy as np

SOURCE = "__kernel void twice(__global int *x) { size_t i = get_global_id(0); x[i] *= 2; }"
SPAN = 0.002  # seconds of one measurement

warnings.simplefilter("ignore", DeprecationWarning)

device = dpctl.SyclDevice("cpu")
queue = dpctl.SyclQueue(device)
ordered = dpctl.SyclQueue(device, property="in_order")
profiled = dpctl.SyclQueue(device, property="enable_profiling")
context = queue.sycl_context
platform = device.sycl_platform
shared = dpctl.memory.MemoryUSMShared(800, queue=queue)
other = dpctl.memory.MemoryUSMShared(800, queue=queue)
on_device = dpctl.memory.MemoryUSMDevice(800, queue=queue)
host_bytes = bytearray(800)
array = dpt.arange(10, dtype="i4", sycl_queue=queue)
event = queue.submit_barrier()
event.wait()
manager = dpctl.utils.SequentialOrderManager[queue]


class Statement:
    """Python code that runs in a loop without a function call around it, which takes longer than reading a property."""

    def __init__(self, code: str, **names: object) -> None:
        self.code, self.names = code, names

    def __call__(self) -> object:
        return eval(self.code, dict(self.names))


def properties(name: str, owner: object) -> dict[str, Statement]:
    """Return a row for each public property of an object."""
    names = [n for n in dir(type(owner)) if not n.startswith("_") and not callable(getattr(type(owner), n))]
    rows = {}
    for each in names:
        try:
            getattr(owner, each)
        except Exception:  # the device has no such fact
            continue
        rows[f"{name}.{each}"] = Statement(f"owner.{each}", owner=owner)
    return rows


def timer() -> None:
    with dpctl.SyclTimer()(profiled):
        pass


def rows() -> dict[str, Callable[[], object]]:
    """Return all rows: names and functions."""
    kernel = dpctl.program.create_program_from_source(queue, SOURCE).get_sycl_kernel("twice")
    return {
        "SyclDevice()": dpctl.SyclDevice,
        "SyclDevice('cpu')": lambda: dpctl.SyclDevice("cpu"),
        "get_devices": dpctl.get_devices,
        "get_num_devices": dpctl.get_num_devices,
        "get_platforms": dpctl.get_platforms,
        "has_cpu_devices": dpctl.has_cpu_devices,
        "select_default_device": dpctl.select_default_device,
        "select_device_with_aspects": lambda: dpctl.select_device_with_aspects("cpu"),
        "device == device": Statement("device == device", device=device),
        "hash(device)": Statement("hash(device)", device=device),
        "SyclDevice.get_filter_string": device.get_filter_string,
        "SyclDevice.create_sub_devices": lambda: device.create_sub_devices(partition=(1, 1)),
        **properties("SyclDevice", device),
        **properties("SyclPlatform", platform),
        "SyclPlatform.get_devices": platform.get_devices,
        "SyclContext()": lambda: dpctl.SyclContext(device),
        "SyclContext.get_devices": context.get_devices,
        **properties("SyclContext", context),
        "SyclQueue()": dpctl.SyclQueue,
        "SyclQueue(device)": lambda: dpctl.SyclQueue(device),
        "SyclQueue(context, device)": lambda: dpctl.SyclQueue(context, device),
        "SyclQueue('cpu', in_order)": lambda: dpctl.SyclQueue("cpu", property="in_order"),
        "queue == queue": Statement("queue == ordered", queue=queue, ordered=ordered),
        "hash(queue)": Statement("hash(queue)", queue=queue),
        **properties("SyclQueue", queue),
        "SyclQueue.wait, idle": queue.wait,
        "SyclQueue.get_sycl_device": queue.get_sycl_device,
        "SyclQueue.submit_barrier": lambda: queue.submit_barrier().wait(),
        "SyclQueue.memcpy, 800 bytes": lambda: queue.memcpy(shared, other, 800),
        "SyclQueue.memcpy_async": lambda: queue.memcpy_async(shared, other, 800).wait(),
        "SyclQueue.prefetch": lambda: queue.prefetch(shared, 800),
        "SyclQueue.submit, 10 items": lambda: queue.submit(kernel, [shared], [10]),
        "SyclQueue.submit_async and wait": lambda: queue.submit_async(kernel, [shared], [10]).wait(),
        "SyclKernel.work_group_size": lambda: kernel.work_group_size,
        "get_sycl_kernel": lambda: program.get_sycl_kernel("twice"),
        "SyclEvent()": dpctl.SyclEvent,
        "SyclEvent.wait, complete": event.wait,
        "SyclEvent.wait_for, two": lambda: dpctl.SyclEvent.wait_for([event, event]),
        "SyclEvent.get_wait_list": event.get_wait_list,
        "SyclEvent.execution_status": lambda: event.execution_status,
        "SequentialOrderManager[queue]": lambda: dpctl.utils.SequentialOrderManager[queue],
        "SequentialOrderManager.submitted_events": lambda: manager.submitted_events,
        "SyclTimer": timer,
        "get_execution_queue": lambda: dpctl.utils.get_execution_queue((queue, queue)),
        **{
            f"{kind.__name__}({size})": Statement(f"kind({size}, queue=queue)", kind=kind, queue=queue)
            for kind in (dpctl.memory.MemoryUSMShared, dpctl.memory.MemoryUSMDevice, dpctl.memory.MemoryUSMHost)
            for size in (80, 80_000)
        },
        **properties("MemoryUSMShared", shared),
        "copy_from_host": lambda: on_device.copy_from_host(host_bytes),
        "copy_to_host": lambda: on_device.copy_to_host(host_bytes),
        "copy_from_device": lambda: on_device.copy_from_device(shared),
        "memset": lambda: on_device.memset(1),
        "tobytes": on_device.tobytes,
        "get_usm_type": shared.get_usm_type,
        "as_usm_memory": lambda: dpctl.memory.as_usm_memory(array),
        "numpy.asarray(memory)": lambda: np.asarray(shared),
        "pickle of memory": lambda: pickle.loads(pickle.dumps(shared)),
        "__sycl_usm_array_interface__": lambda: array.__sycl_usm_array_interface__,
    }


program = dpctl.program.create_program_from_source(queue, SOURCE)


def timer_of(call: Callable[[], object]) -> timeit.Timer:
    """Return a timer of a row, with garbage collection as in programs."""
    if isinstance(call, Statement):
        return timeit.Timer(call.code, "gc.enable()", globals={"gc": gc, **call.names})
    return timeit.Timer("call()", "gc.enable()", globals={"gc": gc, "call": call})


def nanoseconds(timed: timeit.Timer) -> float:
    """Return the time of one call, from a loop that takes SPAN."""
    repetitions = 1
    while True:
        span = timed.timeit(repetitions)
        if span >= SPAN:
            return 1e9 * span / repetitions
        repetitions = max(2 * repetitions, int(repetitions * SPAN / max(span, 1e-7)))


def main() -> None:
    table = {}
    for name, call in rows().items():
        try:
            call()
        except Exception as error:  # this dpctl lacks it
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        table[name] = timer_of(call)
    if len(sys.argv) > 1:
        print(*table, sep="\n")
        return
    # The same core for both packages, since cores differ by what else runs on them. Other threads exist by now.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for line in sys.stdin:
        print(nanoseconds(table[line.rstrip("\n")]), flush=True)


if __name__ == "__main__":
    main()
