"""kernel_api.call_kernel: kernels as Python functions, with barriers and group algorithms, compared with NumPy."""

from __future__ import annotations

import operator
import sys
import threading

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex import older_style


@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 4)])
def test_a_range_runs_each_work_item_once_and_the_last_dimension_varies_fastest(shape):
    seen = []

    def kernel(item, a):
        index = tuple(item.get_id(d) for d in range(item.dimensions))
        assert tuple(item.get_range(d) for d in range(item.dimensions)) == shape
        assert item.get_linear_range() == a.size
        seen.append(item.get_linear_id())
        a[index] += item.get_linear_id()

    a = np.zeros(shape)
    kapi.call_kernel(kernel, kapi.Range(*shape), a)
    np.testing.assert_array_equal(a, np.arange(a.size).reshape(shape))
    assert seen == list(range(a.size))


@pytest.mark.parametrize("shape, local", [((12,), (4,)), ((4, 6), (2, 3)), ((4, 2, 6), (2, 1, 3))])
def test_ids_of_work_items_of_an_nd_range(shape, local):
    groups = tuple(g // n for g, n in zip(shape, local))

    def kernel(item, a):
        dims = range(item.dimensions)
        group = item.get_group()
        for d in dims:
            assert item.get_global_id(d) == group.get_group_id(d) * local[d] + item.get_local_id(d)
            assert (item.get_global_range(d), item.get_local_range(d), group.get_group_range(d)) == (
                shape[d],
                local[d],
                groups[d],
            )
        assert item.get_global_linear_id() == np.ravel_multi_index([item.get_global_id(d) for d in dims], shape)
        assert item.get_local_linear_id() == np.ravel_multi_index([item.get_local_id(d) for d in dims], local)
        assert group.get_group_linear_id() == np.ravel_multi_index([group.get_group_id(d) for d in dims], groups)
        assert group.leader == (item.get_local_linear_id() == 0)
        assert group.get_local_linear_range() == item.get_local_linear_range() == np.prod(local)
        assert group.get_group_linear_range() == np.prod(groups)
        a[item.get_global_linear_id()] += 1

    a = np.zeros(np.prod(shape))
    kapi.call_kernel(kernel, kapi.NdRange(shape, local), a)
    assert (a == 1).all()


def reverse_groups(item, a, tile):
    i, n = item.get_local_id(0), item.get_local_range(0)
    tile[i] = a[item.get_global_id(0)]
    kapi.group_barrier(item.get_group())
    a[item.get_global_id(0)] = tile[n - 1 - i]


def test_barriers_wait_for_the_whole_group():
    a = np.arange(12)
    kapi.call_kernel(reverse_groups, kapi.NdRange((12,), (4,)), a, kapi.LocalAccessor(4, a.dtype))
    np.testing.assert_array_equal(a, np.arange(12).reshape(3, 4)[:, ::-1].ravel())


def test_barriers_wait_for_groups_of_more_than_4096_work_items():
    a = np.arange(5000)
    kapi.call_kernel(reverse_groups, kapi.NdRange((5000,), (5000,)), a, kapi.LocalAccessor(5000, a.dtype))
    np.testing.assert_array_equal(a, np.arange(5000)[::-1])


def test_barriers_in_loops_and_functions_that_kernels_call():
    def step(item, tile, d):
        i = item.get_local_id(0)
        value = tile[i] + (tile[i - d] if i >= d else 0)
        kapi.group_barrier(item.get_group())
        tile[i] = value
        kapi.group_barrier(item.get_group())

    def scan(item, a, tile):
        i = item.get_local_id(0)
        tile[i] = a[i]
        kapi.group_barrier(item.get_group())
        d = 1
        while d < item.get_local_range(0):
            step(item, tile, d)
            d *= 2
        a[i] = tile[i]

    a = np.arange(1.0, 17)
    kapi.call_kernel(scan, kapi.NdRange((16,), (16,)), a, kapi.LocalAccessor(16, "f8"))
    np.testing.assert_array_equal(a, np.cumsum(np.arange(1.0, 17)))


def test_kernels_without_barriers_run_on_the_calling_thread():
    threads = set()

    def kernel(item, a):
        threads.add(threading.get_ident())

    kapi.call_kernel(kernel, kapi.NdRange((8,), (4,)), np.zeros(1))
    assert threads == {threading.get_ident()}


def test_a_debugger_traces_work_items_after_barriers():
    seen = []

    def trace(frame, event, argument):
        if frame.f_code is reverse_groups.__code__ and event == "call":
            seen.append(frame.f_locals["item"].get_global_id(0))
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        kapi.call_kernel(reverse_groups, kapi.NdRange((8,), (4,)), np.arange(8), kapi.LocalAccessor(4, "i8"))
    finally:
        sys.settrace(before)
    assert seen == list(range(8))


def test_an_exception_in_a_work_item_ends_the_launch_and_all_threads():
    def kernel(item, a):
        kapi.group_barrier(item.get_group())
        if item.get_local_id(0) == 5:
            raise ZeroDivisionError("five")
        kapi.group_barrier(item.get_group())

    before = threading.active_count()
    with pytest.raises(ZeroDivisionError, match="five"):
        kapi.call_kernel(kernel, kapi.NdRange((8,), (8,)), np.zeros(1))
    deadline = threading.Event()
    while threading.active_count() > before:
        assert not deadline.wait(0.01)


def test_a_barrier_that_some_do_not_reach_is_an_error_that_names_the_waiting_work_items():
    def kernel(item, a):
        if item.get_local_id(0) < 3:
            kapi.group_barrier(item.get_group())

    with pytest.raises(RuntimeError, match=r"group_barrier \(test_simulation.py:\d+\) .* 4 .* work-items 0, 1, 2 only"):
        kapi.call_kernel(kernel, kapi.NdRange((4,), (4,)), np.zeros(1))


def test_different_barriers_are_an_error_that_names_both_lines():
    def kernel(item, a):
        if item.get_local_id(0) < 3:
            kapi.group_barrier(item.get_group())
        else:
            kapi.group_barrier(item.get_group())

    line = kernel.__code__.co_firstlineno
    with pytest.raises(RuntimeError, match=rf"test_simulation.py:{line + 4}.*test_simulation.py:{line + 2}"):
        kapi.call_kernel(kernel, kapi.NdRange((4,), (4,)), np.zeros(1))


X = np.array([3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, 8], dtype="i4")
OPERATIONS = {
    kapi.plus: np.add,
    kapi.multiplies: np.multiply,
    kapi.minimum: np.minimum,
    kapi.maximum: np.maximum,
    kapi.bit_and: np.bitwise_and,
    kapi.bit_or: np.bitwise_or,
    kapi.bit_xor: np.bitwise_xor,
    operator.add: np.add,
    min: np.minimum,
    max: np.maximum,
}


def over_groups(body, result_type="i4", sub_group=False):
    """Return the results of `body(group, x)` in work-items of groups of 6, or of sub-groups of 4 and 2."""
    result = np.zeros(len(X), result_type)

    def kernel(item, x, result):
        i = item.get_global_id(0)
        result[i] = body(item.get_sub_group() if sub_group else item.get_group(), x[i])

    kapi.call_kernel(kernel, kapi.NdRange((12,), (6,)), X, result, sub_group_size=4)
    return result


def parts(sub_group):
    return [X[:4], X[4:6], X[6:10], X[10:]] if sub_group else [X[:6], X[6:]]


@pytest.mark.parametrize("sub_group", [False, True])
@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.__name__)
def test_reductions_and_scans(op, sub_group):
    ufunc = OPERATIONS[op]
    got = over_groups(lambda g, x: kapi.reduce_over_group(g, x, op), sub_group=sub_group)
    np.testing.assert_array_equal(
        got, np.concatenate([np.full_like(p, ufunc.reduce(p, dtype="i4")) for p in parts(sub_group)])
    )
    inclusive = np.concatenate([ufunc.accumulate(p, dtype="i4") for p in parts(sub_group)])
    np.testing.assert_array_equal(
        over_groups(lambda g, x: kapi.inclusive_scan_over_group(g, x, op), sub_group=sub_group), inclusive
    )
    exclusive = over_groups(lambda g, x: kapi.exclusive_scan_over_group(g, x, op), sub_group=sub_group)
    np.testing.assert_array_equal(ufunc(exclusive, X), inclusive)
    start = over_groups(
        lambda g, x: kapi.exclusive_scan_over_group(g, x, op, 3 * x // x if x else x), sub_group=sub_group
    )
    firsts = np.cumsum([0, *[len(p) for p in parts(sub_group)][:-1]])
    assert (start[firsts] == 3).all()


def test_votes_broadcasts_and_shuffles():
    group = np.arange(12) // 6
    place = np.arange(12) % 6

    def expect(body, values):
        np.testing.assert_array_equal(over_groups(body), values)

    expect(lambda g, x: kapi.any_of_group(g, x == 9), group == 0)
    expect(lambda g, x: kapi.all_of_group(g, x > 0), group == 1)
    expect(lambda g, x: kapi.none_of_group(g, x < 0), group == 1)
    expect(lambda g, x: kapi.group_broadcast(g, x, 2), X[group * 6 + 2])
    expect(lambda g, x: kapi.permute_group_by_xor(g, x, 1), X[group * 6 + (place ^ 1)])
    expect(lambda g, x: kapi.select_from_group(g, x, 5 - g.get_local_linear_id()), X[group * 6 + 5 - place])
    np.testing.assert_array_equal(over_groups(lambda g, x: kapi.shift_group_left(g, x, 2))[:4], X[2:6])
    np.testing.assert_array_equal(over_groups(lambda g, x: kapi.shift_group_right(g, x))[1:6], X[:5])


def test_joint_algorithms():
    data = np.arange(1, 21)

    def kernel(item, data, sums, scans, votes):
        g = item.get_group()
        sums[item.get_global_id(0)] = kapi.joint_reduce(g, data, kapi.plus)
        kapi.joint_inclusive_scan(g, data, scans[0], kapi.plus)
        kapi.joint_exclusive_scan(g, data, scans[1], kapi.plus, 100)
        votes[0] = kapi.joint_any_of(g, data == 20)
        votes[1] = kapi.joint_all_of(g, data > 1)
        votes[2] = kapi.joint_none_of(g, data > 20)

    sums, scans, votes = np.zeros(4), np.zeros((2, 20)), np.zeros(3, "?")
    kapi.call_kernel(kernel, kapi.NdRange((4,), (4,)), data, sums, scans, votes)
    assert (sums == 210).all()
    np.testing.assert_array_equal(scans, [np.cumsum(data), 100 + np.cumsum(data) - data])
    assert votes.tolist() == [True, False, True]


@pytest.mark.parametrize("module", [dpnp, dpt])
@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_arrays_on_devices_are_written_in_place(module, usm_type):
    def kernel(item, a, b):
        i, j = item.get_id(0), item.get_id(1)
        assert isinstance(a[i, j], np.float32)
        b[i, j] = 2 * a[i, j]

    base = module.reshape(module.arange(48, dtype="f4", usm_type=usm_type), (6, 8))
    a, b = base[::-2, 1::3], module.zeros((3, 3), dtype="f4", usm_type=usm_type)
    kapi.call_kernel(kernel, kapi.Range(3, 3), a, b)
    np.testing.assert_array_equal(module.asnumpy(b), 2 * np.arange(48, dtype="f4").reshape(6, 8)[::-2, 1::3])


def test_unwritten_memory_holds_conspicuous_values():
    def kernel(item, a, b, tile):
        p = kapi.PrivateArray((2, 2), "f4")
        a[0], a[1] = p[1, 1], tile[0]
        b[0] = kapi.PrivateArray(3, "i2")[2]
        b[1] = kapi.PrivateArray(3, "i2", fill_zeros=True)[2]

    a, b = np.zeros(2), np.zeros(2, "i2")
    kapi.call_kernel(kernel, kapi.NdRange((1,), (1,)), a, b, kapi.LocalAccessor(1, "f8"))
    assert np.isnan(a).all() and b.tolist() == [np.iinfo("i2").max, 0]


def test_atomics():
    def kernel(item, a, old):
        i = item.get_id(0)
        old[i] = kapi.AtomicRef(a, 0).fetch_add(i)
        kapi.AtomicRef(a, 1).fetch_max(i)
        kapi.AtomicRef(a, (2,)).fetch_or(1 << i)
        kapi.AtomicRef(a, 3).fetch_sub(1)
        expected = kapi.PrivateArray(1, "i8")
        expected[0] = i
        swapped = kapi.AtomicRef(a, 4).compare_exchange(expected, i + 1)
        assert swapped and expected[0] == i

    a, old = np.zeros(5, "i8"), np.zeros(4, "i8")
    kapi.call_kernel(kernel, kapi.Range(4), a, old)
    assert a.tolist() == [6, 3, 15, -4, 4] and old.tolist() == [0, 0, 1, 3]


def test_work_items_wait_for_a_lock():
    """The holder of the lock is suspended at a barrier, so others find the lock taken."""

    def kernel(item, lock, a):
        holder = kapi.AtomicRef(lock, 0)
        while holder.exchange(1) == 1:
            pass
        seen = a[0]
        kapi.sub_group_barrier(item.get_sub_group())  # the sub-group has one work-item
        a[0] = seen + 1
        holder.store(0)

    lock, a = np.zeros(1, "i4"), np.zeros(1)
    kapi.call_kernel(kernel, kapi.NdRange((24,), (8,)), lock, a, sub_group_size=1)
    assert a[0] == 24


def test_work_items_wait_for_later_ones():
    def kernel(item, turn, a):
        i = item.get_id(0)
        mine = kapi.AtomicRef(turn, 0)
        while mine.load() != i:
            pass
        a[i] = turn[0]
        mine.fetch_sub(1)

    a = np.zeros(20)
    kapi.call_kernel(kernel, kapi.Range(20), np.array([19]), a)
    assert (a == np.arange(20)).all()


def test_work_groups_wait_for_each_other():
    def kernel(item, count, a, b):
        i, group = item.get_global_id(0), item.get_group()
        a[i] = i
        kapi.group_barrier(group)
        if group.leader:
            ready = kapi.AtomicRef(count, 0)
            ready.fetch_add(1)
            while ready.load() < group.get_group_range(0):
                pass
        kapi.group_barrier(group)
        b[i] = a[a.size - 1 - i]

    a, b = np.zeros(12), np.zeros(12)
    kapi.call_kernel(kernel, kapi.NdRange((12,), (3,)), np.zeros(1, "i4"), a, b)
    assert (b == np.arange(12)[::-1]).all()


def test_work_items_that_undo_their_changes_yield():
    def kernel(item, gate):
        way = kapi.AtomicRef(gate, 0)
        if item.get_id(0) == 2:
            way.store(100)
        else:
            while way.fetch_add(1) < 100:
                way.fetch_sub(1)

    gate = np.zeros(1, "i4")
    kapi.call_kernel(kernel, kapi.Range(3), gate)
    assert gate[0] == 102


def test_waiting_for_a_value_that_cannot_change_is_an_error_that_names_the_work_items():
    def kernel(item, flag):
        if item.get_local_id(0) == 1:
            while kapi.AtomicRef(flag, 0).load() == 0:
                pass
        kapi.group_barrier(item.get_group())
        flag[0] = 1

    before = threading.active_count()
    message = (
        r"barrier .*test_sim.* by the work-items 0, 2 only; AtomicRef.load \(test_sim.*\) repeatedly .* work-items 1: "
    )
    with pytest.raises(RuntimeError, match=message):
        kapi.call_kernel(kernel, kapi.NdRange((3,), (3,)), np.zeros(1, "i4"))
    assert threading.active_count() <= before + 3  # all threads end


def test_reads_of_many_different_elements_are_not_a_wait():
    def kernel(item, a, total):
        for i in range(a.size):
            total[item.get_id(0)] += kapi.AtomicRef(a, i).load()

    total = np.zeros(2)
    kapi.call_kernel(kernel, kapi.Range(2), np.ones(20_000), total)
    assert total.tolist() == [20_000, 20_000]


def test_single_task():
    a = np.zeros(3)
    kapi.single_task(lambda a: a.fill(4), a)
    assert (a == 4).all()


def test_older_style():
    def kernel(a, b):
        i, k = older_style.get_global_id(0), older_style.get_local_id(0)
        tile = older_style.local.array(4, "f8")
        tile[k] = a[i]
        older_style.barrier(older_style.LOCAL_MEM_FENCE)
        own = older_style.private.array(1, "f8")
        own[0] = tile[older_style.get_local_size(0) - 1 - k]
        a[i] = own[0] + 100 * older_style.get_group_id(0)
        older_style.atomic.add(b, 0, 1)

    a, b = np.arange(8.0), np.zeros(1)
    kapi.call_kernel(kernel, kapi.NdRange((8,), (4,)), a, b)
    assert a.tolist() == [3, 2, 1, 0, 107, 106, 105, 104] and b[0] == 8


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: kapi.call_kernel(3, kapi.Range(1)), ValueError, "first argument must be a function"),
        (lambda: kapi.call_kernel(reverse_groups, 4), ValueError, "Range or NdRange, not int"),
        (lambda: kapi.call_kernel(reverse_groups, kapi.Range(1), 1, 2, 3, 4), ValueError, "3 parameters"),
        (
            lambda: kapi.call_kernel(reverse_groups, kapi.Range(1), np.zeros(1), kapi.LocalAccessor(1, "f4")),
            TypeError,
            "local accessors need work-groups",
        ),
        (lambda: kapi.group_barrier(None), TypeError, "Group or SubGroup, not NoneType"),
        (lambda: older_style.get_global_id(0), RuntimeError, "only kernels"),
        (lambda: kapi.AtomicRef(1, 0), TypeError, "must be an array"),
        (lambda: kapi.LocalAccessor(1, "f4")[0], NotImplementedError, "in kernels only"),
        (lambda: kapi.LocalAccessor((1, 2, 3, 4), "f4"), TypeError, "one to three"),
        (lambda: kapi.LocalAccessor((0,), "f4"), TypeError, "positive"),
        (lambda: kapi.LocalAccessor(2.5, "f4"), TypeError, "int or a tuple"),
        (lambda: kapi.LocalAccessor(2, "O"), TypeError, "numbers or bools"),
        (lambda: kapi.Range("a"), TypeError, "dim0 must be an int, not str"),
        (lambda: kapi.Range(1, 2, 3.5), TypeError, "dim2"),
        (lambda: kapi.Range(-1), ValueError, "must not be negative"),
        (lambda: kapi.NdRange(4, (2,)), TypeError, "sequence of ints"),
    ],
)
def test_errors_name_the_argument_and_the_expected_type(call, error, message):
    with pytest.raises(error, match=message):
        call()
