"""dpctl.SyclEvent and SyclTimer, and objects that are kept alive until an event is complete."""

import gc
import sys
import threading
import time
import weakref

import dpctl
import dpep
import pytest
from dpctl import event_status_type


def test_a_new_event_is_complete():
    e = dpctl.SyclEvent()
    e.wait()
    assert e.execution_status is event_status_type.complete
    assert e.get_wait_list() == []
    assert e.backend == dpctl.SyclDevice().backend


def test_a_barrier_is_complete_after_its_wait(queue):
    first, second = queue.submit_barrier(), queue.submit_barrier()
    both = queue.submit_barrier([first, second])
    both.wait()
    assert both.backend == queue.backend
    assert {e.execution_status for e in (first, second, both)} == {event_status_type.complete}


@pytest.mark.parametrize("wrong", [range(3), [1], "ab", 3, [None]])
def test_other_arguments_than_lists_of_events_are_a_type_error(queue, wrong):
    with pytest.raises(TypeError, match="SyclEvent"):
        queue.submit_barrier(wrong)
    with pytest.raises(TypeError, match="SyclEvent"):
        dpctl.SyclEvent.wait_for(wrong)


@pytest.mark.parametrize("wrong", [[], 1, "e"])
def test_other_arguments_of_the_constructor_are_a_type_error(wrong):
    with pytest.raises(TypeError, match="SyclEvent"):
        dpctl.SyclEvent(wrong)


def test_a_capsule_transfers_the_event_once(queue):
    e = queue.submit_barrier()
    capsule = e._get_capsule()
    assert dpctl.SyclEvent(capsule) == e
    with pytest.raises(TypeError):
        dpctl.SyclEvent(capsule)


class TestTimes:
    def test_are_in_order_with_profiling(self):
        q = dpctl.SyclQueue(property="enable_profiling")
        e = q.memcpy_async(bytearray(1 << 20), bytes(1 << 20), 1 << 20)
        assert 0 < e.profiling_info_submit <= e.profiling_info_start <= e.profiling_info_end

    def test_are_an_error_without_profiling(self, queue):
        e = queue.memcpy_async(bytearray(1 << 20), bytes(1 << 20), 1 << 20)
        with pytest.raises(ValueError, match="profiling"):
            _ = e.profiling_info_end

    @pytest.mark.parametrize("device_timer", [None, "queue_barrier", "order_manager"])
    def test_of_a_block_are_measured_by_host_and_device(self, device_timer):
        q = dpctl.SyclQueue(property="enable_profiling")
        timer = dpctl.SyclTimer(device_timer=device_timer, time_scale=1e3)
        with timer(q):
            q.memcpy_async(bytearray(1 << 20), bytes(1 << 20), 1 << 20)
        once = timer.dt
        with timer(q):
            time.sleep(0.01)
        host, device = timer.dt
        assert once.host_dt > 0
        assert once.device_dt > 0
        assert host >= once.host_dt + 10
        assert device >= once.device_dt
        assert f"host_dt={host}" in repr(timer.dt)

    def test_require_a_queue_with_profiling(self, queue):
        timer = dpctl.SyclTimer()
        with pytest.raises(ValueError, match="enable_profiling"):
            timer(queue)
        with pytest.raises(TypeError):
            timer(None)
        with pytest.raises(ValueError, match="sundial"):
            dpctl.SyclTimer(device_timer="sundial")
        with pytest.raises(ValueError, match="name the queue"), timer:
            pass


class Thing:
    """An object that can be weakly referenced."""


class TestKeepAlive:
    def test_objects_live_as_long_as_the_task(self, queue):
        thing = Thing()
        seen = weakref.ref(thing)
        event = queue._submit_keep_args_alive([thing], [])
        del thing
        event.wait()
        queue.wait()
        assert seen() is None

    def test_objects_are_released_by_the_next_call(self, queue):
        seen = []
        for _ in range(100):
            thing = Thing()
            seen.append(weakref.ref(thing))
            queue._submit_keep_args_alive(thing, [])
            del thing
        queue.wait()
        assert dpep.release_finished() == 0
        assert [s() for s in seen] == [None] * 100

    def test_reference_counts_are_balanced(self, queue):
        thing = Thing()
        before = sys.getrefcount(thing)
        for _ in range(50):
            queue._submit_keep_args_alive(thing, []).wait()
        queue.wait()
        gc.collect()
        assert sys.getrefcount(thing) == before

    def test_several_threads_can_submit(self, queue):
        things = [Thing() for _ in range(8)]
        before = [sys.getrefcount(t) for t in things]

        def work(thing):
            for _ in range(200):
                queue._submit_keep_args_alive(thing, [])
                queue.memcpy(bytearray(8), bytes(8), 8)

        threads = [threading.Thread(target=work, args=(t,)) for t in things]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        queue.wait()
        del threads
        assert [sys.getrefcount(t) for t in things] == before


def test_waiting_lets_other_threads_run(queue):
    """A copy of 256 MiB takes tens of milliseconds. Another thread must continue to count meanwhile."""
    size = 1 << 28
    source, to = bytes(size), bytearray(size)
    ticks, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = ticks[0]
        for _ in range(4):
            queue.memcpy(to, source, size)
        during = ticks[0] - before
    finally:
        stop.set()
        thread.join()
    assert during > 5
