"""The read-only attributes of devices, queues, contexts, events, memory and kernels."""

import inspect
import sys

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import pytest

OBJECTS = {
    "SyclDevice": dpctl.SyclDevice,
    "SyclPlatform": lambda: dpctl.SyclDevice().sycl_platform,
    "SyclContext": dpctl.SyclContext,
    "SyclQueue": dpctl.SyclQueue,
    "SyclEvent": dpctl.SyclEvent,
    "MemoryUSMShared": lambda: dpctl.memory.MemoryUSMShared(8),
}


def attributes_of(type_: type) -> list[str]:
    names = [name for name in dir(type_) if not name.startswith("_")]
    return [name for name in names if not callable(getattr(type_, name))]


@pytest.mark.parametrize("name", OBJECTS)
def test_attributes_are_documented_and_cannot_be_set(name):
    made = OBJECTS[name]()
    found = attributes_of(type(made))
    assert found
    for attribute in found:
        assert getattr(type(made), attribute).__doc__
        with pytest.raises(AttributeError):
            setattr(made, attribute, 1)
        with pytest.raises(AttributeError):
            delattr(made, attribute)


@pytest.mark.parametrize("name", OBJECTS)
def test_attributes_of_other_objects(name):
    type_ = type(OBJECTS[name]())
    for attribute in attributes_of(type_):
        with pytest.raises(TypeError):
            getattr(type_, attribute).__get__(object())


def test_attributes_of_objects_whose_constructor_has_not_run():
    class Late(dpctl.SyclDevice):
        def __init__(self) -> None:
            self.name  # noqa: B018

    with pytest.raises(TypeError, match="not initialised"):
        Late()


def test_attributes_of_derived_classes():
    class Mine(dpctl.SyclQueue):
        pass

    queue = Mine()
    assert queue.sycl_device == dpctl.SyclQueue().sycl_device
    assert queue.sycl_context is dpctl.SyclQueue().sycl_context


def test_attributes_of_sub_devices_are_their_own():
    device = dpctl.SyclDevice("cpu")
    size, sizes = device.max_compute_units, [1, device.max_compute_units]
    if size < 2:
        pytest.skip("the device has only one compute unit")
    for _ in range(50):  # later sub-devices get addresses of earlier ones
        for units in sizes:
            part = device.create_sub_devices(partition=units)[0]
            assert part.max_compute_units == units
            assert part.parent_device == device
            assert part.sycl_platform == device.sycl_platform
            assert part.name == device.name
            with pytest.raises(TypeError):
                part.filter_string  # noqa: B018
            assert device.max_compute_units == size
            assert device.parent_device is None
            queue = dpctl.SyclQueue(part)
            assert queue.sycl_device == part == queue.get_sycl_device()
            assert dpctl.SyclQueue(device).sycl_device == device
            memory = dpctl.memory.MemoryUSMHost(8, queue=queue)
            assert memory.sycl_context == queue.sycl_context


def test_queues_of_one_device_have_their_own_attributes():
    queues = [dpctl.SyclQueue(property=p) for p in ("default", "in_order", "enable_profiling")]
    for _ in range(3):
        assert [q.is_in_order for q in queues] == [False, True, False]
        assert [q.has_enable_profiling for q in queues] == [False, False, True]


def test_lists_are_made_for_each_reader():
    device = dpctl.SyclDevice()
    sizes = device.sub_group_sizes
    device.sub_group_sizes.append(0)
    assert device.sub_group_sizes == sizes


@pytest.mark.parametrize("name", OBJECTS)
def test_reading_counts_references_correctly(name):
    made = OBJECTS[name]()
    for attribute in attributes_of(type(made)):
        if attribute.startswith("profiling_info") or attribute == "max_work_item_sizes":
            continue
        try:
            value = getattr(made, attribute)
        except AttributeError:
            continue
        before = sys.getrefcount(value)
        for _ in range(300):
            getattr(made, attribute)
        assert abs(sys.getrefcount(value) - before) < 100, attribute


def test_attributes_look_like_those_of_other_extension_types():
    assert inspect.isgetsetdescriptor(dpctl.SyclDevice.name)
    assert inspect.isdatadescriptor(dpctl.SyclDevice.name)
    assert repr(dpctl.SyclDevice.name).startswith("<attribute 'name' of '")
    assert dpctl.SyclDevice.name.__objclass__ is dpctl.SyclDevice


def test_methods_without_arguments():
    queue = dpctl.SyclQueue()
    assert str(inspect.signature(queue.get_sycl_device)) == "()"
    assert "Wait until" in dpctl.SyclQueue.wait.__doc__
    with pytest.raises(TypeError, match="no arguments"):
        queue.wait(1)
    with pytest.raises(TypeError, match="SyclQueue"):
        dpctl.SyclQueue.wait(3)

    class Late(dpctl.SyclQueue):
        def __init__(self) -> None:
            pass

    for name in "wait", "get_sycl_device", "get_sycl_context":
        with pytest.raises(TypeError, match="not initialised"):
            getattr(Late(), name)()


def test_hashes_of_devices_and_their_queues():
    device = dpctl.SyclDevice()
    assert hash(device) == hash(dpctl.SyclDevice(device.filter_string)) == hash(dpctl.SyclQueue(device))
    assert len({hash(d) for d in dpctl.get_devices()}) == len(dpctl.get_devices())
    part = dpctl.SyclDevice("cpu").create_sub_devices(partition=1)[0]
    assert hash(part) == hash(dpctl.SyclQueue(part))
    assert {device: 1, part: 2}[part] == 2


def test_a_wait_includes_deferred_work():
    queue = dpctl.SyclQueue()
    x = dpt.ones(100_000, sycl_queue=queue)
    for _ in range(20):
        x = x + 1
        queue.wait()
    assert float(x[0]) == 21
    queue.wait()
