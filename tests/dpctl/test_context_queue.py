"""dpctl.SyclContext and dpctl.SyclQueue: construction, comparison, capsules and copies."""

import concurrent.futures
import ctypes
import pickle
import sys
import weakref

import dpctl
import pytest
from dpctl.memory import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared


def foreign_capsule(name=b"invalid"):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(id(new), name, None)


class TestContext:
    def test_of_a_list_of_one_device_has_that_device(self, device):
        c = dpctl.SyclContext([device])
        assert c.get_devices() == [device]
        assert c.device_count == 1
        assert c != dpctl.SyclContext([device])

    def test_of_a_device_is_the_default_context(self, device):
        c = dpctl.SyclContext(device)
        assert c == dpctl.SyclContext(arg=device) == dpctl.SyclQueue(device).sycl_context
        assert c == device.sycl_platform.default_context
        assert MemoryUSMShared(8, queue=dpctl.SyclQueue(device)).get_usm_type(c) == "shared"

    def test_of_a_sub_device_is_a_new_context(self, device):
        part = device.create_sub_devices(partition=1)[0]
        c = dpctl.SyclContext(part)
        assert c.get_devices() == [part]
        assert c != dpctl.SyclContext(part)
        assert c != dpctl.SyclContext(device)

    def test_of_a_derived_class_is_an_object_of_that_class(self, device):
        class Mine(dpctl.SyclContext):
            pass

        mine = Mine(device)
        assert type(mine) is Mine
        assert mine == dpctl.SyclContext(device)
        assert type(dpctl.SyclContext(device)) is dpctl.SyclContext
        context_alive = weakref.ref(mine)
        del mine
        assert context_alive() is None

    def test_calls_count_references_correctly(self, device):
        c = dpctl.SyclContext(device)
        before = sys.getrefcount(c)
        for _ in range(1000):
            dpctl.SyclContext(device)
        assert sys.getrefcount(c) == before

    def test_of_sub_devices_has_them_all(self, device):
        parts = device.create_sub_devices(partition=1)
        assert dpctl.SyclContext(tuple(parts)).get_devices() == parts

    def test_equal_filter_strings_give_equal_contexts(self):
        assert dpctl.SyclContext("cpu") == dpctl.SyclContext("cpu") == dpctl.SyclQueue("cpu").sycl_context

    def test_a_capsule_can_be_used_once(self):
        c = dpctl.SyclContext()
        capsule = c._get_capsule()
        assert dpctl.SyclContext(capsule) == c
        with pytest.raises(TypeError):
            dpctl.SyclContext(capsule)

    @pytest.mark.parametrize("wrong", ["nonsense", []])
    def test_without_devices_is_an_error(self, wrong):
        with pytest.raises(dpctl.SyclContextCreationError):
            dpctl.SyclContext(wrong)

    @pytest.mark.parametrize("wrong", [1, [1], ["cpu"], {}, foreign_capsule()])
    def test_another_argument_is_a_type_error(self, wrong):
        with pytest.raises(TypeError, match="SyclContext"):
            dpctl.SyclContext(wrong)


class TestQueue:
    def test_of_a_context_and_device_has_them(self, device):
        c = dpctl.SyclContext([device])
        q = dpctl.SyclQueue(c, device)
        assert q.sycl_context == c
        assert q.sycl_device == device
        assert q.get_sycl_context() == c
        assert q.get_sycl_device() == device

    def test_of_a_device_outside_the_context_is_an_error(self, device):
        first, second = device.create_sub_devices(partition=1)[:2]
        with pytest.raises(dpctl.SyclQueueCreationError):
            dpctl.SyclQueue(dpctl.SyclContext(first), second)

    def test_queues_of_one_device_share_a_context(self, device):
        assert dpctl.SyclQueue(device).sycl_context == dpctl.SyclQueue(device).sycl_context

    def test_reads_of_the_context_and_the_device_return_one_object(self, device):
        q = dpctl.SyclQueue(device)
        contexts, devices = {id(q.sycl_context) for _ in range(50)}, {id(q.sycl_device) for _ in range(50)}
        assert contexts == {id(q.sycl_context), id(q.get_sycl_context())}
        assert devices == {id(q.sycl_device), id(q.get_sycl_device())}
        assert dpctl.SyclQueue(device).sycl_context is q.sycl_context
        m = MemoryUSMShared(8, queue=q)
        assert m.sycl_context is q.sycl_context and m.sycl_device is q.sycl_device

    def test_c_extensions_get_the_same_context(self, device):
        capsule = dpctl.memory._memory.__pyx_capi__["Memory_GetContextRef"]
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        address = pointer_of(capsule, b"DPCTLSyclContextRef (struct Py_MemoryObject *)")
        get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(address)
        for q in dpctl.SyclQueue(device), dpctl.SyclQueue(dpctl.SyclContext([device]), device):
            m = MemoryUSMShared(8, queue=q)
            assert get(m) == m.sycl_context.addressof_ref()

    def test_a_context_of_the_program_is_released_with_its_queue(self, device):
        c = dpctl.SyclContext([device])
        q = dpctl.SyclQueue(c, device)
        kept = q.sycl_context
        assert kept is q.sycl_context is q.get_sycl_context() and kept == c
        context_alive, queue_alive = weakref.ref(kept), weakref.ref(q)
        del kept, q, c
        assert context_alive() is None and queue_alive() is None

    def test_threads_read_one_context(self, device):
        q = dpctl.SyclQueue(device)
        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            seen = list(threads.map(lambda _: q.sycl_context, range(200)))
        assert all(one is q.sycl_context for one in seen)

    def test_new_queues_are_not_equal(self, device):
        assert dpctl.SyclQueue(device) != dpctl.SyclQueue(device)
        assert dpctl.SyclQueue(device) != "queue"

    @pytest.mark.parametrize(
        ("property", "in_order", "profiling"),
        [
            (None, False, False),
            (0, False, False),
            ("default", False, False),
            ("in_order", True, False),
            ("enable_profiling", False, True),
            (["in_order", "enable_profiling", 0], True, True),
            (("in_order",), True, False),
        ],
    )
    def test_has_the_requested_properties(self, property, in_order, profiling):
        q = dpctl.SyclQueue(property=property)
        assert (q.is_in_order, q.has_enable_profiling) == (in_order, profiling)
        assert ("in_order" in repr(q), "enable_profiling" in repr(q)) == (in_order, profiling)

    @pytest.mark.parametrize("property", [4.5, "fast", ["in_order", ()], 17, -1])
    def test_another_property_is_a_value_error(self, property):
        with pytest.raises(ValueError, match="in_order"):
            dpctl.SyclQueue(property=property)

    @pytest.mark.parametrize("text", ["nonsense", "cpu:77", "cuda:cpu"])
    def test_of_an_unknown_filter_string_is_an_error(self, text):
        with pytest.raises(dpctl.SyclQueueCreationError):
            dpctl.SyclQueue(text)

    @pytest.mark.parametrize(
        "wrong", [(1,), (None,), (None, None), (1, 2, 3), (dpctl.SyclContext(),), ("cpu", "cpu"), (foreign_capsule(),)]
    )
    def test_other_arguments_are_a_type_error(self, wrong):
        with pytest.raises(TypeError, match="SyclQueue"):
            dpctl.SyclQueue(*wrong)

    def test_an_unknown_keyword_is_a_type_error(self):
        with pytest.raises(TypeError):
            dpctl.SyclQueue(device="cpu")

    def test_a_capsule_transfers_the_queue_once(self, queue):
        capsule = queue._get_capsule()
        again = dpctl.SyclQueue(capsule)
        assert again == queue
        assert hash(again) == hash(queue)
        with pytest.raises(TypeError):
            dpctl.SyclQueue(capsule)

    def test_has_the_properties_of_its_device(self, queue, capsys):
        for attribute in ("name", "backend", "driver_version"):
            assert getattr(queue, attribute) == getattr(queue.sycl_device, attribute)
        queue.print_device_info()
        from_queue = capsys.readouterr().out
        queue.sycl_device.print_device_info()
        assert from_queue == capsys.readouterr().out != ""

    def test_cannot_be_pickled(self, queue):
        with pytest.raises(TypeError):
            pickle.dumps(queue)

    def test_its_context_outlives_it(self):
        context = dpctl.SyclQueue().sycl_context
        assert context.device_count > 0


class TestCopying:
    @pytest.mark.parametrize("source", [MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost, bytes])
    @pytest.mark.parametrize("destination", [MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost, bytearray])
    def test_works_in_every_direction(self, queue, source, destination):
        content = bytes(range(256)) * 5
        src = content if source is bytes else source(len(content), queue=queue)
        if source is not bytes:
            src.copy_from_host(content)
        dst = destination(len(content)) if destination is bytearray else destination(len(content), queue=queue)
        queue.memcpy(dst, src, len(content))
        assert bytes(dst) == content

    def test_of_a_part_leaves_the_rest(self, queue):
        to = bytearray(b"......")
        queue.memcpy(to, b"abcdef", 2)
        assert to == b"ab...."

    @pytest.mark.parametrize(("to", "source"), [(4, 8), (8, 4)])
    def test_out_of_bounds_is_an_error(self, queue, to, source):
        with pytest.raises(ValueError, match="has 4 bytes"):
            queue.memcpy(MemoryUSMDevice(to, queue=queue), bytes(source), 8)

    @pytest.mark.parametrize(
        ("count", "error"), [(-1, OverflowError), (2**70, OverflowError), (1.5, TypeError), ("3", TypeError)]
    )
    def test_an_invalid_count_is_an_error(self, queue, count, error):
        with pytest.raises(error):
            queue.memcpy(bytearray(4), b"abcd", count)

    @pytest.mark.parametrize("wrong", [None, [], 3, object()])
    def test_accepts_only_memory_and_buffers(self, queue, wrong):
        with pytest.raises(TypeError, match="_Memory"):
            queue.memcpy(bytearray(4), wrong, 4)
        with pytest.raises(TypeError, match="_Memory"):
            queue.memcpy(wrong, b"abcd", 4)

    def test_into_read_only_bytes_is_an_error(self, queue):
        with pytest.raises(BufferError):
            queue.memcpy(b"abcd", b"efgh", 4)

    def test_asynchronous_copies_wait_for_their_dependencies(self, queue):
        first, second = bytearray(1 << 20), bytearray(1 << 20)
        e = queue.memcpy_async(first, b"x" * (1 << 20), 1 << 20)
        queue.memcpy_async(second, first, 1 << 20, [e]).wait()
        assert second == b"x" * (1 << 20)

    def test_asynchronous_copies_lock_their_buffers(self, queue):
        buffers = [bytearray(1 << 20) for _ in range(8)]
        events = [queue.memcpy_async(b, bytes(1 << 20), 1 << 20) for b in buffers]
        dpctl.SyclEvent.wait_for(events)
        queue.wait()
        for b in buffers:
            b.append(1)  # a locked bytearray refuses to grow

    def test_prefetch_and_advice_require_usm_memory(self, queue):
        m = MemoryUSMShared(256, queue=queue)
        queue.prefetch(m)
        queue.prefetch(m, 64)
        queue.mem_advise(m, 256, 0)
        for wrong in ([], bytearray(4), None):
            with pytest.raises(TypeError):
                queue.prefetch(wrong, 4)
            with pytest.raises(TypeError):
                queue.mem_advise(wrong, 4, 0)
        with pytest.raises(ValueError, match="256 bytes"):
            queue.prefetch(m, 257)
        with pytest.raises(ValueError, match="advice"):
            queue.mem_advise(m, 256, 99)


def test_a_device_has_one_cached_queue():
    from dpctl._sycl_queue_manager import get_device_cached_queue

    d = dpctl.SyclDevice()
    assert get_device_cached_queue(d) == get_device_cached_queue(d.filter_string) == MemoryUSMDevice(4).sycl_queue
    c = dpctl.SyclContext(d)
    assert get_device_cached_queue((c, d)).sycl_context == c
    for wrong in (1, (c,), (d, c), None):
        with pytest.raises(TypeError):
            get_device_cached_queue(wrong)
