"""Work-items that spin-wait: for flags, locks, other work-items, and the program."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time

import dpctl
import dpctl.tensor as dpt
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex.kernel_api import AtomicRef, MemoryOrder, MemoryScope


@pytest.fixture(scope="module")
def queue() -> dpctl.SyclQueue:
    return dpctl.SyclQueue("cpu")


def waits(kernel) -> bool:
    reports = [report for shapes in kernel.inspect_reports().values() for report in shapes]
    return any("wait for each other" in report["remarks"] for report in reports)


@ndx.kernel
def first_waits_for_last(item, a, flag):
    i = item.get_id(0)
    ready = AtomicRef(flag, 0)
    if i == a.size - 1:
        a[i] += 1
        kapi.atomic_fence(MemoryOrder.RELEASE, MemoryScope.DEVICE)
        ready.store(1)
    elif i == 0:
        while not ready.load():
            continue
        kapi.atomic_fence(MemoryOrder.ACQUIRE, MemoryScope.DEVICE)
        for k in range(1, a.size):
            a[0] += a[k]


@pytest.mark.parametrize("size", [2, 3, 64, 1000, 20_000])
def test_work_items_wait_for_a_flag(size, queue):
    a, flag = dpt.ones(size, dtype="i8", sycl_queue=queue), dpt.zeros(1, dtype="i4", sycl_queue=queue)
    ndx.call_kernel(first_waits_for_last, ndx.Range(size), a, flag)
    assert int(a[0]) == size + 1
    assert waits(first_waits_for_last)


@ndx.kernel
def chain_from_the_end(item, order, turn):
    i = item.get_linear_id()
    mine = AtomicRef(turn, 0)
    while mine.load() != i + 1:
        pass
    order[i] = turn[1]
    turn[1] += 1
    mine.store(i)


@pytest.mark.parametrize("shape", [(3000,), (40, 30), (5, 6, 7)])
def test_all_wait_for_the_next_one(shape, queue):
    size = int(np.prod(shape))
    order = dpt.zeros(size, dtype="i8", sycl_queue=queue)
    turn = dpt.asarray([size, 0], dtype="i8", sycl_queue=queue)
    ndx.call_kernel(chain_from_the_end, ndx.Range(*shape), order, turn)
    np.testing.assert_array_equal(dpt.asnumpy(order), np.arange(size)[::-1])


@ndx.kernel
def spin_lock(item, lock, counter):
    held = AtomicRef(lock, 0, memory_order=MemoryOrder.ACQ_REL)
    while held.exchange(1):
        pass
    counter[0] += 1
    held.store(0)


@ndx.kernel
def compared_lock(item, lock, counter):
    held = AtomicRef(lock, 0)
    expected = kapi.PrivateArray(1, lock.dtype, fill_zeros=True)
    while not held.compare_exchange(expected, 1):
        expected[0] = 0
    kapi.atomic_fence(MemoryOrder.ACQUIRE, MemoryScope.DEVICE)
    counter[0] += 1
    kapi.atomic_fence(MemoryOrder.RELEASE, MemoryScope.DEVICE)
    held.store(0)


@ndx.kernel
def ticket_lock(item, lock, counter):
    mine = AtomicRef(lock, 0).fetch_add(1)
    served = AtomicRef(lock, 1)
    while served.load() != mine:
        pass
    counter[0] += 1
    served.fetch_add(1)


@pytest.mark.parametrize("kernel", [spin_lock, compared_lock, ticket_lock])
@pytest.mark.parametrize("groups", [False, True])
def test_locks(kernel, groups, queue):
    lock, counter = dpt.zeros(2, dtype="i4", sycl_queue=queue), dpt.zeros(1, dtype="i8", sycl_queue=queue)
    ndx.call_kernel(kernel, ndx.NdRange((2048,), (32,)) if groups else ndx.Range(2048), lock, counter)
    assert int(counter[0]) == 2048
    assert waits(kernel)


@ndx.kernel
def barrier_of_all_groups(item, x, sums, arrived, tile):
    i, k = item.get_global_id(0), item.get_local_id(0)
    group = item.get_group()
    tile[k] = x[i]
    kapi.group_barrier(group)
    other = tile[item.get_local_range(0) - 1 - k]
    total = kapi.reduce_over_group(group, other, kapi.plus)
    if group.leader:
        sums[group.get_group_id(0)] = total
        kapi.atomic_fence(MemoryOrder.RELEASE, MemoryScope.DEVICE)
        here = AtomicRef(arrived, 0)
        here.fetch_add(1)
        while here.load() < group.get_group_range(0):
            pass
        kapi.atomic_fence(MemoryOrder.ACQUIRE, MemoryScope.DEVICE)
    kapi.group_barrier(group)
    everything = sums.dtype.type(0)
    for g in range(sums.size):
        everything += sums[g]
    lanes = item.get_sub_group()
    x[i] = everything + kapi.permute_group_by_xor(lanes, other, 1)


@pytest.mark.parametrize("size", [1, 5, 16, 48])
def test_groups_wait_for_groups(size, queue):
    if size % 2 and size > 1:
        size += 1  # lanes swap positions in pairs
    given = np.arange(20 * size, dtype="f8")
    x, sums = dpt.asarray(given, sycl_queue=queue), dpt.zeros(20, dtype="f8", sycl_queue=queue)
    arrived = dpt.zeros(1, dtype="i4", sycl_queue=queue)
    tile = kapi.LocalAccessor(size, "f8")
    ndx.call_kernel(barrier_of_all_groups, ndx.NdRange((20 * size,), (size,)), x, sums, arrived, tile)
    turned = given.reshape(20, size)[:, ::-1]
    exchanged = turned.reshape(20, -1, 2)[:, :, ::-1].reshape(20, size) if size > 1 else turned
    np.testing.assert_array_equal(dpt.asnumpy(x), given.sum() + exchanged.ravel())
    assert waits(barrier_of_all_groups)


@ndx.kernel
def waits_for_the_program(item, flag, result):
    while AtomicRef(flag, 0).load() == 0:
        pass
    result[item.get_id(0)] = AtomicRef(flag, 0).load()


def test_kernels_wait_for_the_program(queue):
    flag = dpt.zeros(1, dtype="i4", usm_type="shared", sycl_queue=queue)
    result = dpt.zeros(10, dtype="i4", sycl_queue=queue)
    seen = np.asarray(flag.usm_data).view("i4")  # the same memory
    _, event = ndx.call_kernel_async(waits_for_the_program, ndx.Range(10), (), flag, result)
    assert event.execution_status != dpctl.event_status_type.complete
    time.sleep(0.02)
    seen[0] = 7
    event.wait()
    np.testing.assert_array_equal(dpt.asnumpy(result), 7)


def side(mine: int):
    other = 1 - mine

    @ndx.kernel
    def answers(item, flags):
        for k in range(50):
            while AtomicRef(flags, mine).load() != k:
                pass
            AtomicRef(flags, other).store(k + mine)

    return answers


def test_launches_wait_for_each_other(queue):
    flags = dpt.asarray([0, -1], dtype="i4", usm_type="shared", sycl_queue=queue)
    other = dpctl.SyclQueue(queue.sycl_context, queue.sycl_device)
    seen_there = flags.to_device(other)
    assert seen_there.sycl_queue == other and seen_there.usm_data._pointer == flags.usm_data._pointer
    sides = [(side(0), flags), (side(1), seen_there)]
    events = [ndx.call_kernel_async(kernel, ndx.Range(1), (), array)[1] for kernel, array in sides]
    for event in events:
        event.wait()
    np.testing.assert_array_equal(dpt.asnumpy(flags), [50, 49])


@ndx.kernel
def fails_while_others_wait(item, flag):
    i = item.get_id(0)
    assert i != 700, "this one"
    while AtomicRef(flag, 0).load() == 0:
        pass


def test_a_failure_ends_waiting_work_items(queue):
    flag = dpt.zeros(1, dtype="i4", sycl_queue=queue)
    with pytest.raises(RuntimeError, match="this one"):
        ndx.call_kernel(fails_while_others_wait, ndx.Range(5000), flag)
    dpt.add(flag, 1, out=flag)
    with pytest.raises(RuntimeError, match="this one"):
        ndx.call_kernel(fails_while_others_wait, ndx.Range(5000), flag)
    ndx.call_kernel(fails_while_others_wait, ndx.Range(700), flag)


@ndx.kernel
def retries(item, x, total):
    i = item.get_id(0)
    expected = kapi.PrivateArray(1, total.dtype)
    expected[0] = AtomicRef(total, 0).load()
    while not AtomicRef(total, 0).compare_exchange(expected, expected[0] + x[i]):
        pass


@ndx.kernel
def takes_work(item, x, total):
    done = x.dtype.type(0)
    k = AtomicRef(total, 1).fetch_add(1)
    while k < x.size:
        done += x[k]
        k = AtomicRef(total, 1).fetch_add(1)
    AtomicRef(total, 0).fetch_add(done)


@ndx.kernel
def looks_for_one(item, x, total):
    i = item.get_id(0)
    for k in range(x.size):
        if AtomicRef(total, 1).load() == 1:
            break
        if x[(i + k) % x.size] == 99:
            AtomicRef(total, 0).store(4950)
            AtomicRef(total, 1).store(1)


@pytest.mark.parametrize("kernel", [retries, takes_work, looks_for_one])
def test_retry_loops_are_not_waits(kernel, queue):
    x, total = dpt.arange(100, dtype="i8", sycl_queue=queue), dpt.zeros(2, dtype="i8", sycl_queue=queue)
    ndx.call_kernel(kernel, ndx.Range(100), x, total)
    assert int(total[0]) == 4950
    assert not waits(kernel)


def test_endless_waits_are_errors_with_check_seconds(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import dpctl.tensor as dpt, numba_dpex as ndx
        from numba_dpex.kernel_api import AtomicRef

        @ndx.kernel
        def never(item, flag):
            while AtomicRef(flag, 0).load() == 0:
                pass

        try:
            ndx.call_kernel(never, ndx.Range(100), dpt.zeros(1, dtype="i4"))
        except RuntimeError as error:
            print(error)
    """)
    )
    environment = os.environ | {"DPEP_CHECK_SECONDS": "0.2", "ONEAPI_DEVICE_SELECTOR": "*:cpu"}
    run = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, timeout=60,
                         check=True)  # fmt: skip
    assert "DPEP_CHECK_SECONDS" in run.stdout
