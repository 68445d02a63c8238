"""The array type: constructor, attributes and lifetime."""

import copy
import gc
import pickle
import threading
import weakref

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import numpy as np
import pytest

SHAPES = [(), (4,), (0,), (0, 3), (4, 5), (2, 3, 4), (2,) * 8]
DTYPES = "?bBhHiIlLefdFD"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_strides_agree_with_numpy(shape, order):
    x, reference = dpt.usm_ndarray(shape, "i4", order=order), np.empty(shape, "i4", order)
    assert (x.shape, x.ndim, x.size, x.nbytes) == (shape, reference.ndim, reference.size, reference.nbytes)
    assert x.flags.c_contiguous == reference.flags.c_contiguous
    assert x.flags.f_contiguous == reference.flags.f_contiguous
    if reference.size > 1:
        assert x.strides == tuple(s // 4 for s in reference.strides)


@pytest.mark.parametrize("code", DTYPES)
def test_dtypes_are_objects_of_numpy(code):
    x = dpt.usm_ndarray(3, code)
    assert x.dtype == np.dtype(code)
    assert x.itemsize == np.dtype(code).itemsize
    assert x.__sycl_usm_array_interface__["typestr"] == np.dtype(code).str


@pytest.mark.parametrize("dtype", ["", ">f4", "M8[s]", "O", "S3", "g", 12, np.dtype("i4,f4")])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(TypeError):
        dpt.usm_ndarray(3, dtype)


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (TypeError, {"shape": {}}),
        (TypeError, {"shape": "ab"}),
        (TypeError, {"shape": (1.5,)}),
        (ValueError, {"shape": -1}),
        (ValueError, {"shape": (2**40, 2**40)}),
        (ValueError, {"shape": (1,) * 65}),
        (ValueError, {"shape": 3, "order": "Z"}),
        (TypeError, {"shape": 3, "order": 3}),
        (ValueError, {"shape": 3, "buffer": "nowhere"}),
        (ValueError, {"shape": 3, "buffer": {}}),
        (ValueError, {"shape": 3, "strides": (1, 1)}),
        (ValueError, {"shape": 3, "strides": {}}),
        (TypeError, {"shape": 3, "buffer_ctor_kwargs": {"size": 3}}),
        (TypeError, {"shape": 3, "buffer_ctor_kwargs": {"queue": 3}}),
    ],
)
def test_wrong_arguments_are_refused(error, arguments):
    with pytest.raises(error):
        dpt.usm_ndarray(**arguments)


def test_views_outside_of_their_memory_are_refused():
    memory = dpctl.memory.MemoryUSMShared(64)
    assert dpt.usm_ndarray(16, "i4", buffer=memory).size == 16
    for arguments in (
        {"shape": 17},
        {"shape": 16, "offset": 1},
        {"shape": 2, "strides": 16},
        {"shape": 2, "strides": -1},
    ):
        with pytest.raises(ValueError):
            dpt.usm_ndarray(dtype="i4", buffer=memory, **arguments)


def test_arrays_share_the_memory_of_a_memory_object():
    memory = dpctl.memory.MemoryUSMShared(24)
    x = dpt.usm_ndarray((2, 3), "i4", buffer=memory)
    x[...] = np.arange(6).reshape(2, 3)
    assert np.frombuffer(memory, "i4").tolist() == [0, 1, 2, 3, 4, 5]
    np.frombuffer(memory, "i4")[0] = 9
    assert int(x[0, 0]) == 9
    backwards = dpt.usm_ndarray(6, "i4", buffer=memory, offset=5, strides=-1)
    assert dpt.asnumpy(backwards).tolist() == [5, 4, 3, 2, 1, 9]


def test_views_have_the_same_memory_object_and_keep_it_alive():
    x = dpt.asarray(np.arange(10))
    view = x[3:]
    assert view.usm_data is x.usm_data
    del x
    gc.collect()
    assert dpt.asnumpy(view).tolist() == list(range(3, 10))


@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_kinds_of_memory(usm_type):
    x = dpt.usm_ndarray(3, buffer=usm_type)
    assert x.usm_type == usm_type
    assert x.usm_data.get_usm_type() == usm_type


def test_queue_is_the_given_one():
    queue = dpctl.SyclQueue(property="in_order")
    x = dpt.usm_ndarray(3, buffer_ctor_kwargs={"queue": queue})
    assert x.sycl_queue == queue
    assert x.device == queue
    assert x.device.sycl_device == queue.sycl_device
    assert x.sycl_context == queue.sycl_context


def test_devices():
    device = dpt.usm_ndarray(1).device
    assert dpt.Device.create_device() == device
    assert dpt.Device.create_device("cpu") == dpt.Device.create_device(dpctl.SyclDevice("cpu"))
    assert hash(device) == hash(dpt.Device.create_device(device))
    assert repr(device).startswith("Device(")
    with pytest.raises(TypeError):
        dpt.Device()
    with pytest.raises(TypeError):
        dpt.Device.create_device(3)


def test_read_only_arrays_refuse_writes():
    x = dpt.asarray([1, 2, 3])
    x.flags.writable = False
    for part in (x, x[1:], x.real, dpt.reshape(x, (3, 1))):
        assert not part.flags["W"]
        with pytest.raises(ValueError):
            part[...] = 0
    with pytest.raises(ValueError):
        x += 1
    x.flags["WRITABLE"] = True
    x[0] = 5
    assert dpt.asnumpy(x).tolist() == [5, 2, 3]
    with pytest.raises(TypeError):
        x.flags.writable = 1
    with pytest.raises(ValueError):
        x.flags["C"] = True
    assert x.flags == 7
    assert x.flags != dpt.asarray([[1, 2], [3, 4]]).flags
    assert "WRITABLE : True" in repr(x.flags)


def test_shape_can_be_assigned_without_a_copy():
    x = dpt.asarray(np.arange(12))
    x.shape = (3, 4)
    assert x.strides == (4, 1)
    x.shape = 12
    assert x.shape == (12,)
    with pytest.raises(AttributeError):
        dpt.usm_ndarray((3, 4))[:, :2].shape = (6,)
    with pytest.raises(TypeError):
        x.shape = "ab"
    columns = dpt.asarray(np.asfortranarray(np.arange(6).reshape(2, 3)))
    with pytest.raises(AttributeError):
        columns.shape = (6,)


def test_transposes_are_views():
    reference = np.arange(24).reshape(2, 3, 4)
    x = dpt.asarray(reference)
    assert np.array_equal(dpt.asnumpy(x.mT), reference.swapaxes(1, 2))
    assert np.array_equal(dpt.asnumpy(x[0].T), reference[0].T)
    x[0].T[...] = 0
    assert not dpt.asnumpy(x)[0].any()
    with pytest.raises(ValueError):
        x.T  # noqa: B018
    with pytest.raises(ValueError):
        x[0, 0].mT  # noqa: B018


@pytest.mark.parametrize("code", "FD")
def test_parts_of_complex_arrays_are_views(code):
    x = dpt.asarray(np.arange(3) * (1 + 2j), dtype=code)
    x.imag[1:] = 0
    x.real[0] = 7
    assert dpt.asnumpy(x).tolist() == [7, 1, 2]
    assert x.real.dtype == x.imag.dtype == np.dtype({"F": "f", "D": "d"}[code])


def test_parts_of_real_arrays():
    x = dpt.asarray([1.0, 2.0])
    assert x.real is x
    assert dpt.asnumpy(x.imag).tolist() == [0, 0]


@pytest.mark.parametrize("key", [(), (slice(None, None, -1),), (slice(1, None), slice(None, None, -2))])
def test_addresses(key):
    x = dpt.usm_ndarray((4, 6), "i4")
    reference = np.empty((4, 6), "i4")
    view, expected = x[key], reference[key]
    distance = expected.__array_interface__["data"][0] - reference.__array_interface__["data"][0]
    assert view._pointer - x._pointer == distance
    assert view._element_offset * 4 == distance
    low, high = np.lib.array_utils.byte_bounds(expected)
    base = reference.__array_interface__["data"][0]
    assert view._byte_bounds == (x._pointer + low - base, x._pointer + high - base)


def test_interface_dictionary():
    x = dpt.asarray(np.arange(12).reshape(3, 4))[:, ::2]
    interface = x.__sycl_usm_array_interface__
    assert interface["data"] == (x.usm_data._pointer, False)
    assert (interface["shape"], interface["strides"], interface["offset"]) == ((3, 2), (4, 2), 0)
    assert interface["syclobj"] == x.sycl_queue
    assert dpt.usm_ndarray(3).__sycl_usm_array_interface__["strides"] is None

    class Foreign:
        __sycl_usm_array_interface__ = interface

    y = dpt.asarray(Foreign())
    y[...] = 0
    assert not dpt.asnumpy(x).any()


def test_lifetime_and_copies():
    x = dpt.asarray([[1, 2], [3, 4]], dtype="i2")
    reference = weakref.ref(x)
    for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        twin[0, 0] = 9
        assert dpt.asnumpy(twin).tolist() == [[9, 2], [3, 4]]
        assert twin.dtype == x.dtype
    assert dpt.asnumpy(x).tolist() == [[1, 2], [3, 4]]
    del x
    gc.collect()
    assert reference() is None
    with pytest.raises(TypeError):
        hash(dpt.usm_ndarray(1))


def test_derived_types():
    class Named(dpt.usm_ndarray):
        name = "none"

    x = Named((2, 3), "i4")
    x.name = "x"
    x[...] = 2
    assert isinstance(x, dpt.usm_ndarray)
    assert x.name == "x"
    assert dpt.asnumpy(x + 1).tolist() == [[3, 3, 3], [3, 3, 3]]
    reference = weakref.ref(x)
    x.myself = x
    del x
    gc.collect()
    assert reference() is None


def test_namespaces():
    x = dpt.usm_ndarray(1)
    assert x.__array_namespace__() is dpt
    assert x.__array_namespace__(api_version=dpt.__array_api_version__) is dpt
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="1999.12")
    x._set_namespace(np)
    assert x.__array_namespace__() is np
    assert dpt.usm_ndarray(1, array_namespace=np).__array_namespace__() is np


def test_to_device_shares_memory_on_one_device():
    x = dpt.asarray([1, 2, 3])
    queue = dpctl.SyclQueue(x.sycl_context, x.sycl_device)
    y = x.to_device(queue)
    assert y.sycl_queue == queue
    assert y._pointer == x._pointer
    assert x.to_device(x.device) is x
    with pytest.raises(TypeError):
        x.to_device(queue, stream=3)


def test_equal_devices_and_queues_have_equal_hashes():
    sycl_device = dpctl.SyclDevice("cpu")
    x = dpt.ones(2, device=sycl_device)
    for other in (sycl_device, x.sycl_queue, dpt.Device.create_device(sycl_device)):
        assert x.device == other
        assert other == x.device
        assert hash(x.device) == hash(other)
        assert dpt.from_dlpack(x, device=x.device).device == other
    own_queue = dpt.ones(2, sycl_queue=dpctl.SyclQueue(sycl_device)).device
    assert own_queue != sycl_device  # not the device's default queue
    assert sycl_device != own_queue
    assert x.device != "cpu"


@pytest.mark.parametrize("memory_of", [lambda x: x, lambda x: x.usm_data])
def test_long_chains_of_views_of_views_are_destroyed_without_recursion(memory_of):
    def make_chain():
        x = dpt.ones(4)
        for _ in range(20_000):
            x = dpt.usm_ndarray(4, x.dtype, buffer=memory_of(x))
        values.append(dpt.asnumpy(x).tolist())

    values = []
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=make_chain)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert values == [[1, 1, 1, 1]]
