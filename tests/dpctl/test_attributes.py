"""The read-only attributes of devices, queues, contexts, events, memory and kernels."""

import dpctl
import dpctl.memory
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
    assert queue.sycl_context.device_count == 1
