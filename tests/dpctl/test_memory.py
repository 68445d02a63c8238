"""dpctl.memory: allocations, views, copies and errors."""

import gc
import pickle
import sys
import weakref

import dpctl
import dpep
import pytest
from dpctl.memory import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared, USMAllocationError, as_usm_memory

KINDS = {"device": MemoryUSMDevice, "shared": MemoryUSMShared, "host": MemoryUSMHost}
NUMBERS = {"device": 1, "shared": 2, "host": 3}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


class View:
    """An array of another package in USM memory."""

    def __init__(self, memory, **changes):
        self.memory = memory
        self.changes = changes

    @property
    def __sycl_usm_array_interface__(self):
        return {**self.memory.__sycl_usm_array_interface__, **self.changes}


class TestAllocation:
    def test_has_the_requested_kind_and_size(self, kind, queue):
        m = KINDS[kind](1024, alignment=64, queue=queue)
        assert (m.nbytes, m.size, len(m)) == (1024, 1024, 1024)
        assert (m.get_usm_type(), m.get_usm_type_enum()) == (kind, NUMBERS[kind])
        assert m.sycl_queue == m._queue == queue
        assert m.sycl_context == m._context == queue.sycl_context
        assert m.sycl_device == queue.sycl_device
        assert kind in repr(m)
        assert "1024" in repr(m)
        assert sys.getsizeof(m) > 1024

    @pytest.mark.parametrize("alignment", [0, 1, 64, 128, 4096])
    def test_has_the_requested_alignment(self, kind, alignment):
        assert KINDS[kind](100, alignment=alignment)._pointer % max(alignment, 64) == 0

    @pytest.mark.parametrize("alignment", [3, 65, 4097])
    def test_refuses_an_alignment_that_is_not_a_power_of_two(self, kind, alignment):
        with pytest.raises(ValueError, match="power of two"):
            KINDS[kind](100, alignment=alignment)

    @pytest.mark.parametrize("size", [0, -1, -(2**40)])
    def test_refuses_a_size_that_is_not_positive(self, kind, size):
        with pytest.raises(ValueError, match="positive"):
            KINDS[kind](size)

    @pytest.mark.parametrize("size", [2**50, 2**62])
    def test_of_a_petabyte_is_a_memory_error(self, kind, size):
        with pytest.raises(MemoryError) as failure:
            KINDS[kind](size)
        assert isinstance(failure.value, USMAllocationError)
        assert len(str(failure.value)) > 20
        assert KINDS[kind](1024).nbytes == 1024  # later allocations work

    @pytest.mark.parametrize("wrong", [None, "4", 4.0, [], object(), b"abcd"])
    def test_of_an_object_that_is_neither_size_nor_memory_is_a_value_error(self, kind, wrong):
        with pytest.raises(ValueError, match="USM memory"):
            KINDS[kind](wrong)

    @pytest.mark.parametrize("arguments", [{"queue": "cpu"}, {"queue": 1}, {"alignment": "x"}, {"nbytes": 1}])
    def test_other_arguments_are_a_type_error(self, kind, arguments):
        with pytest.raises(TypeError):
            KINDS[kind](4, **arguments)

    def test_accepts_any_integer_type(self, kind):
        numpy = pytest.importorskip("numpy")
        assert KINDS[kind](numpy.int64(32)).nbytes == 32
        assert KINDS[kind](True).nbytes == 1


class TestContent:
    def test_is_unchanged_by_a_round_trip(self, kind):
        m = KINDS[kind](256)
        m.copy_from_host(bytes(range(256)))
        assert m.copy_to_host() == bytearray(range(256))
        assert bytes(m) == m.tobytes() == bytes(range(256))
        into = bytearray(300)
        assert m.copy_to_host(into) is into
        assert into[:256] == bytes(range(256))

    def test_copied_from_a_shorter_source_changes_the_start_only(self, kind):
        m = KINDS[kind](8)
        m.memset(ord("."))
        m.copy_from_host(b"abc")
        assert m.tobytes() == b"abc....."

    @pytest.mark.parametrize("value", [0, 7, 255])
    def test_is_set_to_a_byte(self, kind, value):
        m = KINDS[kind](4099)
        m.memset(value)
        assert m.tobytes() == bytes([value]) * 4099

    @pytest.mark.parametrize(
        ("value", "error"), [(256, ValueError), (-1, ValueError), ("a", TypeError), (1.0, TypeError)]
    )
    def test_is_not_set_to_more_than_a_byte(self, kind, value, error):
        with pytest.raises(error):
            KINDS[kind](4).memset(value)

    def test_out_of_bounds_is_an_error(self, kind):
        m = KINDS[kind](4)
        with pytest.raises(ValueError, match="5 bytes"):
            m.copy_from_host(b"abcde")
        with pytest.raises(ValueError, match="has 3 bytes"):
            m.copy_to_host(bytearray(3))
        with pytest.raises(ValueError, match="5 bytes"):
            m.copy_from_device(KINDS[kind](5))

    @pytest.mark.parametrize("wrong", [None, 3, [], "abc"])
    def test_is_copied_from_buffers_and_usm_memory_only(self, kind, wrong):
        m = KINDS[kind](4)
        with pytest.raises(TypeError):
            m.copy_from_host(wrong)
        with pytest.raises(TypeError):
            m.copy_from_device(wrong)

    def test_is_copied_between_sub_devices(self):
        cpu = dpctl.SyclDevice("cpu")
        if cpu.max_compute_units < 2:
            pytest.skip("one compute unit cannot be divided")
        first, second = (dpctl.SyclQueue(dpctl.SyclContext(d), d) for d in cpu.create_sub_devices(partition=1)[:2])
        a, b = MemoryUSMDevice(256, queue=first), MemoryUSMDevice(256, queue=second)
        a.copy_from_host(b"abcd" * 64)
        b.copy_from_device(a)
        assert b.tobytes() == b"abcd" * 64
        assert a.get_usm_type(second) == "unknown"
        assert a.get_usm_type(first) == "device"

    def test_survives_pickling(self, kind):
        m = KINDS[kind](16)
        m.copy_from_host(b"0123456789abcdef")
        again = pickle.loads(pickle.dumps(m))
        assert type(again) is type(m)
        assert again.tobytes() == m.tobytes()
        assert again._pointer != m._pointer

    def test_with_a_damaged_kind_cannot_be_unpickled(self, kind):
        text = pickle.dumps(KINDS[kind](16))
        at = text.rfind(kind.encode())
        with pytest.raises(ValueError, match="usm_type"):
            pickle.loads(text[:at] + b"x" + text[at + 1 :])


class TestBufferProtocol:
    @pytest.mark.parametrize("kind", ["shared", "host"])
    def test_gives_access_to_the_bytes(self, kind):
        m = KINDS[kind](8)
        memoryview(m)[:] = b"abcdefgh"
        assert m.tobytes() == b"abcdefgh"

    def test_is_not_supported_by_device_memory(self):
        with pytest.raises(TypeError):
            memoryview(MemoryUSMDevice(8))

    def test_keeps_the_memory_alive(self):
        m = MemoryUSMShared(1 << 16)
        m.memset(3)
        view = memoryview(m)
        del m
        gc.collect()
        others = [MemoryUSMShared(1 << 16) for _ in range(8)]
        for o in others:
            o.memset(9)
        assert bytes(view) == b"\3" * (1 << 16)

    def test_works_with_numpy(self):
        numpy = pytest.importorskip("numpy")
        m = MemoryUSMShared(8 * 100)
        numpy.frombuffer(m, dtype="f8")[:] = numpy.arange(100)
        assert numpy.array_equal(numpy.frombuffer(m.tobytes()), numpy.arange(100))


class TestViews:
    def test_of_memory_share_it(self, kind):
        m = KINDS[kind](16)
        view = KINDS[kind](m)
        assert view._pointer == m._pointer
        assert view.reference_obj is None
        address = m._pointer
        del m
        gc.collect()
        view.memset(5)
        assert view._pointer == address
        assert view.tobytes() == b"\5" * 16

    @pytest.mark.parametrize("shape", [(3,), (1,), ()])
    def test_of_arrays_share_their_memory(self, kind, shape):
        import dpctl.tensor as dpt

        x = dpt.full(shape, 7, dtype="i4", usm_type=kind)  # an array of one integer has __index__, as a size has
        view = KINDS[kind](x)
        assert view.nbytes == x.nbytes
        assert view.tobytes() == b"\7\0\0\0" * x.size
        assert view._pointer == x.usm_data._pointer

    def test_of_foreign_objects_keep_them_alive(self, kind):
        foreign = View(KINDS[kind](64))
        seen = weakref.ref(foreign)
        view = as_usm_memory(foreign)
        assert view.reference_obj is foreign
        del foreign
        gc.collect()
        assert seen() is not None
        del view
        gc.collect()
        assert seen() is None

    def test_in_a_cycle_are_collected(self, kind):
        foreign = View(KINDS[kind](64))
        foreign.back = as_usm_memory(foreign)
        seen = weakref.ref(foreign)
        del foreign
        gc.collect()
        assert seen() is None

    @pytest.mark.parametrize(
        ("shape", "strides", "offset", "typestr", "first", "size"),
        [
            ((10,), (2,), 8, "|u1", 8, 19),
            ((2, 2), (10, -2), 9, "|u1", 7, 13),
            ((4,), None, 2, "<f8", 16, 32),
            ((2, 3), None, 0, "<i4", 0, 24),
            ((5,), (-1,), 4, "|i1", 0, 5),
            ((), None, 3, "<f4", 12, 4),
            ((3,), (0,), 1, "<c8", 8, 8),
            ((2,), None, 0, "d", 0, 16),
        ],
    )
    def test_span_the_first_to_the_last_byte(self, kind, shape, strides, offset, typestr, first, size):
        m = KINDS[kind](64)
        view = as_usm_memory(View(m, shape=shape, strides=strides, offset=offset, typestr=typestr))
        assert (view._pointer - m._pointer, view.nbytes) == (first, size)
        assert type(view) is KINDS[kind]

    @pytest.mark.parametrize(
        "syclobj", ["queue", "context", "queue capsule", "context capsule", "filter string", "duck"]
    )
    def test_take_their_context_from_each_form_of_syclobj(self, kind, syclobj):
        class Duck:
            def __init__(self, queue):
                self._get_capsule = queue._get_capsule

        m = KINDS[kind](16)
        given = {
            "queue": lambda: m.sycl_queue,
            "context": lambda: m.sycl_context,
            "queue capsule": lambda: m.sycl_queue._get_capsule(),
            "context capsule": lambda: m.sycl_context._get_capsule(),
            "filter string": lambda: m.sycl_device.filter_string,
            "duck": lambda: Duck(m.sycl_queue),
        }[syclobj]()
        view = as_usm_memory(View(m, syclobj=given))
        assert view.sycl_context == m.sycl_context
        assert view.sycl_device == m.sycl_device
        assert view._pointer == m._pointer
        assert view.get_usm_type() == kind

    @pytest.mark.parametrize(
        "changes",
        [
            {"version": 0},
            {"version": "1"},
            {"data": ()},
            {"data": (0, True)},
            {"data": (12345, True)},
            {"data": ("x", True)},
            {"data": (-1, True)},
            {"shape": None},
            {"shape": (-16,)},
            {"shape": (17,)},
            {"shape": (2**62, 4)},
            {"shape": (1.5,)},
            {"strides": ...},
            {"strides": (1, 1)},
            {"strides": (2,)},
            {"strides": (2**62,)},
            {"strides": (-1,)},
            {"offset": 1},
            {"offset": -1},
            {"offset": 2**70},
            {"offset": "x"},
            {"typestr": "invalid"},
            {"typestr": "O"},
            {"typestr": "|u0"},
            {"typestr": "<f99999999999999999999"},
            {"typestr": ""},
            {"typestr": 5},
            {"syclobj": 5},
            {"syclobj": None},
            {"syclobj": "nonsense"},
        ],
        ids=str,
    )
    def test_of_a_malformed_interface_are_refused(self, kind, changes):
        m = KINDS[kind](16)
        for make in (as_usm_memory, KINDS[kind]):
            with pytest.raises(ValueError, match="__sycl_usm_array_interface__"):
                make(View(m, **changes))

    @pytest.mark.parametrize("key", ["version", "data", "shape", "typestr", "syclobj"])
    def test_require_every_key(self, key):
        class Incomplete(View):
            @property
            def __sycl_usm_array_interface__(self):
                interface = super().__sycl_usm_array_interface__
                del interface[key]
                return interface

        with pytest.raises(ValueError, match=key):
            as_usm_memory(Incomplete(MemoryUSMShared(16)))

    def test_of_freed_memory_are_refused(self):
        class Stale:
            __sycl_usm_array_interface__ = None

        m = MemoryUSMShared(1 << 20)
        Stale.__sycl_usm_array_interface__ = m.__sycl_usm_array_interface__
        del m
        gc.collect()
        with pytest.raises(ValueError, match="not USM memory"):
            as_usm_memory(Stale())

    def test_of_memory_of_another_context_are_refused(self, device):
        m = MemoryUSMShared(16)
        with pytest.raises(ValueError, match="context"):
            as_usm_memory(View(m, syclobj=dpctl.SyclContext([device])))

    @pytest.mark.parametrize("other", KINDS)
    def test_of_another_kind_need_a_copy(self, kind, other):
        source = KINDS[other](16)
        source.memset(3)
        if other == kind:
            assert KINDS[kind](source, copy=True).get_usm_type() == kind
            return
        with pytest.raises(ValueError, match="copy=True"):
            KINDS[kind](source)
        fresh = KINDS[kind](source, copy=True)
        assert fresh.get_usm_type() == kind
        assert fresh.tobytes() == b"\3" * 16
        assert fresh._pointer != source._pointer

    def test_subclasses_may_change_the_interface(self):
        class Mine(MemoryUSMShared):
            @property
            def __sycl_usm_array_interface__(self):
                interface = super().__sycl_usm_array_interface__
                interface["syclobj"] = interface["syclobj"].sycl_context
                return interface

        m = Mine(16)
        m.memset(1)
        to = MemoryUSMDevice(16)
        to.copy_from_device(m)
        assert to.tobytes() == b"\1" * 16


def test_get_usm_type_accepts_queues_and_contexts_only():
    m = MemoryUSMShared(16)
    assert m.get_usm_type(m.sycl_queue) == m.get_usm_type(syclobj=m.sycl_context) == "shared"
    for wrong in (..., [], "cpu", 1):
        with pytest.raises(TypeError):
            m.get_usm_type(syclobj=wrong)
        with pytest.raises(TypeError):
            m.get_usm_type_enum(syclobj=wrong)


def test_memory_is_compared_and_hashed_by_identity():
    a, b = MemoryUSMShared(4), MemoryUSMShared(4)
    assert a == a
    assert a != b
    assert len({a, b, a}) == 2


def test_freed_memory_is_reused():
    addresses = {MemoryUSMShared(1 << 24)._pointer for _ in range(500)}
    assert len(addresses) < 10


def test_pools_have_statistics_and_a_limit():
    queue = dpctl.SyclQueue()
    context = queue.sycl_context
    before = dpep.memory_statistics(context, "shared")
    held = MemoryUSMShared(3 << 20, queue=queue)
    now = dpep.memory_statistics(context, "shared")
    assert now["in_use"] - before["in_use"] >= 3 << 20
    assert now["allocations"] - before["allocations"] == 1
    assert now["peak"] >= now["in_use"]
    dpep.trim_memory(context)
    dpep.set_memory_limit(context, now["in_use"] + (1 << 20), "shared")
    try:
        with pytest.raises(USMAllocationError, match="limit"):
            MemoryUSMShared(8 << 20, queue=queue)
    finally:
        dpep.set_memory_limit(context, 0, "shared")
    del held
    assert dpep.memory_statistics(context, "shared")["in_use"] == before["in_use"]
    assert dpep.trim_memory(context) >= 3 << 20
    with pytest.raises(ValueError):
        dpep.memory_statistics(context, "memory")


def test_memory_objects_own_their_memory_and_their_queue(kind, queue):
    context = queue.sycl_context
    references, before = sys.getrefcount(queue), dpep.memory_statistics(context, kind)["allocations"]
    held = [KINDS[kind](80, queue=queue), KINDS[kind](80, 0, queue), KINDS[kind](other=80, queue=queue)]
    for wrong, error in (((0,), ValueError), ((-80,), ValueError), ((2**70,), OverflowError), ((True, 3), ValueError)):
        with pytest.raises(error):
            KINDS[kind](*wrong, queue=queue)
    with pytest.raises(TypeError):
        KINDS[kind](80, queue=context)
    assert all(m.sycl_queue is queue and m.nbytes == 80 for m in held)
    assert dpep.memory_statistics(context, kind)["allocations"] == before + 3
    gc.collect()
    assert all(sys.getrefcount(m) == 3 for m in held)  # in the list, as m and as the argument
    assert sys.getrefcount(queue) == references + 3
    del held
    assert dpep.memory_statistics(context, kind)["allocations"] == before
    assert sys.getrefcount(queue) == references
