"""Interoperability of arrays on a GPU with other libraries: shared memory, and order of access."""

from __future__ import annotations

import ctypes
import pathlib

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import numpy as np
import pytest
from building import build_c

CUDA, CUDA_HOST, ONE_API = 2, 3, 14


class Exported:
    """An array of another library, which records the requested streams."""

    def __init__(self, array):
        self.array, self.streams = array, []

    def __dlpack__(self, *, stream=None, **options):
        self.streams.append(stream)
        return self.array.__dlpack__(stream=stream, **options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class WithCudaInterface:
    def __init__(self, interface):
        self.__cuda_array_interface__ = interface


def test_arrays_have_the_dlpack_device_of_cuda(gpu, put):
    assert put(np.ones(3)).__dlpack_device__() == (CUDA, 0)
    assert put(np.ones(3), "host").__dlpack_device__() == (CUDA_HOST, 0)
    assert dpt.dldevice_to_sycl_device((CUDA, 0)) == gpu.sycl_device
    with pytest.raises(ValueError, match="CUDA device 99 is not available"):
        dpt.dldevice_to_sycl_device((CUDA, 99))


def test_dlpack_round_trips_share_memory(gpu, put, get):
    whole = put(np.arange(12.0).reshape(3, 4))
    for array in (whole, whole[:, 1:3], whole.T):
        given = Exported(array)
        back = dpt.from_dlpack(given)
        assert (back._pointer, back.shape, back.strides) == (array._pointer, array.shape, array.strides)
        assert back.sycl_device == gpu.sycl_device
        assert (
            isinstance(given.streams[0], int) and given.streams[0] > 2
        )  # a stream of dpep's, which must be ordered after
    del whole, array
    np.testing.assert_array_equal(get(dpt.from_dlpack(given).T), np.arange(12.0).reshape(3, 4))


def test_negative_strides_divided_as_unsigned_are_accepted(put, get):
    array = put(np.arange(12, dtype="i4").reshape(3, 4))[::-1, ::-1]
    capsule = array.__dlpack__()
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    # a tensor is data, device, dimensions, type, shape, strides
    at = ctypes.c_void_p.from_address(address(capsule, b"dltensor") + 32).value
    for k, stride in enumerate(array.strides):
        assert ctypes.c_int64.from_address(at + 8 * k).value == stride < 0
        ctypes.c_uint64.from_address(at + 8 * k).value = (2**64 + 4 * stride) // 4  # as CuPy 13 writes them

    class Foreign:
        def __dlpack__(self, **options):
            return capsule

        def __dlpack_device__(self):
            return array.__dlpack_device__()

    back = dpt.from_dlpack(Foreign())
    assert (back._pointer, back.strides) == (array._pointer, array.strides)


@pytest.mark.parametrize("stream", [None, -1, 1, 2])
def test_dlpack_accepts_cuda_streams(put, stream):
    assert put(np.ones(3)).__dlpack__(stream=stream, max_version=(1, 0)) is not None


@pytest.mark.parametrize("stream, error", [(0, ValueError), (-5, ValueError), ("1", TypeError), (True, TypeError)])
def test_dlpack_refuses_invalid_streams(put, stream, error):
    with pytest.raises(error, match="stream"):
        put(np.ones(3)).__dlpack__(stream=stream)


@pytest.mark.parametrize("kind", ["device", "shared", "host"])
def test_dlpack_to_the_host(real_gpu, put, kind):
    x = np.arange(24.0).reshape(4, 6)
    for array, expected in ((put(x, kind), x), (put(x, kind).T, x.T), (put(x, kind)[::2, 1:4], x[::2, 1:4])):
        np.testing.assert_array_equal(dpt.from_dlpack(array, device=(1, 0)), expected)
    if kind == "device":
        with pytest.raises(BufferError, match="copy=False"):
            put(x).__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)


def test_dlpack_with_the_device_type_of_oneapi(put):
    array = put(np.ones(3))
    assert array.__dlpack__(max_version=(1, 0), dl_device=(ONE_API, 0), copy=False) is not None


def test_cuda_array_interface_describes_the_array(gpu, put):
    array = put(np.arange(12, dtype="f4").reshape(3, 4))[:, ::2]
    interface = array.__cuda_array_interface__
    assert interface["data"] == (array._pointer, False)
    assert (interface["shape"], interface["strides"]) == ((3, 2), (16, 8))
    assert (interface["typestr"], interface["version"], interface["stream"]) == ("<f4", 3, 1)
    assert put(np.ones(3)).__cuda_array_interface__["strides"] is None
    memory = dpctl.memory.MemoryUSMDevice(64, queue=gpu)
    assert memory.__cuda_array_interface__["data"][0] == memory._pointer
    assert memory.__cuda_array_interface__["shape"] == (64,)


def test_cpu_arrays_have_no_cuda_interface():
    array = dpt.ones(3, device="cpu")
    assert not hasattr(array, "__cuda_array_interface__")
    assert not hasattr(array.usm_data, "__cuda_array_interface__")
    assert not hasattr(array.sycl_queue, "__cuda_stream__")


def test_asarray_uses_the_cuda_interface_without_a_copy(gpu, put, get):
    array = put(np.arange(12.0).reshape(3, 4))
    given = WithCudaInterface(array.__cuda_array_interface__)
    given.owner = array
    back = dpt.asarray(given)
    assert (back._pointer, back.shape, back.sycl_device) == (array._pointer, (3, 4), gpu.sycl_device)
    view = WithCudaInterface(array[::-1, 1:].__cuda_array_interface__)
    assert dpt.asarray(view).strides == (-4, 1)
    read_only = dict(array.__cuda_array_interface__, data=(array._pointer, True))
    assert not dpt.asarray(WithCudaInterface(read_only)).flags.writable
    del array
    np.testing.assert_array_equal(get(back), np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize(
    "change, error",
    [({"strides": (1,)}, ValueError), ({"strides": (3,)}, ValueError), ({"stream": 0}, ValueError),
     ({"typestr": "<U4"}, TypeError), ({"data": 5}, ValueError), ({"mask": 1}, ValueError)],
)  # fmt: skip
def test_invalid_cuda_interfaces_are_refused(put, change, error):
    array = put(np.ones(4))
    with pytest.raises(error):
        dpt.asarray(WithCudaInterface(dict(array.__cuda_array_interface__, **change)))


def test_memory_of_no_device_is_refused(gpu):
    host = np.ones(4)
    interface = {"data": (host.ctypes.data, False), "shape": (4,), "typestr": "<f8", "version": 3}
    with pytest.raises(ValueError, match="not memory of a device"):
        dpt.asarray(WithCudaInterface(interface))


def test_queues_have_streams(gpu):
    version, handle = gpu.__cuda_stream__()
    assert version == 0 and handle > 2


def test_peer_access_can_be_enabled_and_disabled(gpu):
    devices = dpctl.get_devices(backend="cuda")
    if len(devices) < 2:
        pytest.skip("there is only one GPU")
    first, second = devices[:2]
    if not first.can_access_peer(second):
        pytest.skip("the GPUs have no peer access")
    first.enable_peer_access(second)
    with pytest.raises(ValueError, match="already"):
        first.enable_peer_access(second)
    first.disable_peer_access(second)


@pytest.fixture(scope="module")
def second_gpu(gpu):
    devices = dpctl.get_devices(backend="cuda")
    if len(devices) < 2:
        pytest.skip("there is only one GPU")
    return dpctl.SyclQueue(devices[1])


def test_memory_is_copied_between_gpus(gpu, second_gpu):
    content = np.random.default_rng(1).bytes(1 << 22)
    first = dpctl.memory.MemoryUSMDevice(len(content), queue=gpu)
    second = dpctl.memory.MemoryUSMDevice(len(content), queue=second_gpu)
    shared = dpctl.memory.MemoryUSMShared(len(content), queue=second_gpu)
    for _ in range(5):
        first.copy_from_host(content)
        second.copy_from_device(first)
        shared.copy_from_device(second)
        assert second.tobytes() == shared.tobytes() == content
        second.memset(1)


def test_kernels_run_on_each_gpu(real_gpu, second_gpu):
    for q in (real_gpu, second_gpu):
        a = dpt.arange(1000, dtype="f8", sycl_queue=q)
        assert float(dpt.sum(a * 2)) == 999000.0
    moved = dpt.asarray(dpt.arange(1000, dtype="f8", sycl_queue=real_gpu), sycl_queue=second_gpu)
    assert moved.sycl_device == second_gpu.sycl_device
    assert float(dpt.sum(moved)) == 499500.0


def test_torch_and_dpctl_agree_on_device_ordinals(real_gpu, second_gpu):
    torch = pytest.importorskip("torch")
    foreign = torch.arange(1000, device="cuda:1", dtype=torch.float64)
    with torch.cuda.device(1):  # torch exports from its current device only
        own = dpt.from_dlpack(foreign)
    assert own.sycl_device == second_gpu.sycl_device and own._pointer == foreign.data_ptr()
    assert float(dpt.sum(own)) == 499500.0
    assert torch.from_dlpack(own + 1).device.index == 1


# --- tests with PyTorch and CuPy ---


@pytest.fixture(scope="module")
def torch(real_gpu):
    return pytest.importorskip("torch")


@pytest.fixture(scope="module")
def cupy(real_gpu):
    return pytest.importorskip("cupy")


def test_torch_and_dpctl_share_memory(torch, put, get):
    own = put(np.zeros(1 << 20, "f4"))
    foreign = torch.from_dlpack(own)
    assert foreign.data_ptr() == own._pointer and foreign.device.type == "cuda"
    foreign += 3
    back = dpt.from_dlpack(foreign)
    assert back._pointer == own._pointer
    assert (get(back) == 3).all()
    made = torch.arange(1000, device="cuda", dtype=torch.float64)
    assert dpt.asarray(made)._pointer == made.data_ptr() == dpt.from_dlpack(made)._pointer
    assert torch.as_tensor(own, device="cuda").data_ptr() == own._pointer


def test_cupy_and_dpctl_share_memory(cupy, put, get):
    own = put(np.zeros(1 << 20, "f4"))
    for foreign in (cupy.from_dlpack(own), cupy.asarray(own)):
        assert foreign.data.ptr == own._pointer
        foreign += 3
    back = dpt.from_dlpack(foreign)
    assert back._pointer == own._pointer
    assert (get(back) == 6).all()
    made = cupy.arange(1000.0)
    for view in (made, made[::-1], made[5::-2]):
        assert dpt.asarray(view)._pointer == view.data.ptr == dpt.from_dlpack(view)._pointer
        np.testing.assert_array_equal(dpt.asnumpy(dpt.from_dlpack(view)), cupy.asnumpy(view))


def test_torch_streams_are_ordered(torch, put, get):
    side = torch.cuda.Stream()
    for round_ in range(20):
        own = put(np.full(1 << 22, round_, "f4"))
        with torch.cuda.stream(side):
            foreign = torch.from_dlpack(own)
            for _ in range(20):
                foreign += 1
            back = dpt.from_dlpack(foreign)
        np.testing.assert_array_equal(get(back)[[0, -1]], round_ + 20)


def test_work_in_a_queues_stream_runs_after_the_queues_work(torch, real_gpu, put, get):
    x = put(np.zeros(1 << 22, "f4"))
    foreign = torch.from_dlpack(x)
    stream = torch.cuda.ExternalStream(real_gpu.__cuda_stream__()[1])
    with torch.cuda.stream(stream):
        foreign += 5
    stream.synchronize()
    assert (get(x) == 5).all()


def test_shared_memory_lives_as_long_as_a_user(torch, put, get):
    foreign = torch.from_dlpack(put(np.arange(1000.0)))
    others = [put(np.zeros(1000)) for _ in range(10)]
    assert foreign.sum().item() == 999 * 500
    back = dpt.from_dlpack(torch.arange(1000, device="cuda", dtype=torch.float64))
    torch.zeros(1000, device="cuda", dtype=torch.float64)
    np.testing.assert_array_equal(get(back), np.arange(1000.0))
    del others


def test_c_extensions_get_native_handles(gpu, tmp_path):
    extension = build_c(pathlib.Path(__file__).parents[1] / "dpctl" / "extensions" / "c_extension.c", tmp_path)
    device, context, stream, event = extension.handles_of(gpu.sycl_device, gpu.sycl_context, gpu, gpu.submit_barrier())
    assert device == int(dpt.empty(1, sycl_queue=gpu).__dlpack_device__()[1])
    assert stream == gpu.__cuda_stream__()[1]
    assert len({context, stream, event, 0}) == 4
