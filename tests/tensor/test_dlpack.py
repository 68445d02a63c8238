"""DLPack exchange with NumPy."""

import gc

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from dpctl.tensor._dlpack import from_dlpack_capsule, get_build_dlpack_version

NEWEST = get_build_dlpack_version()
HOST = (dpt.DLDeviceType.kDLCPU, 0)


@pytest.mark.parametrize("code", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), NEWEST])
def test_round_trip_shares_memory(code, max_version):
    a = (np.arange(24).reshape(2, 3, 4) % 3).astype(code)
    x = dpt.asarray(a)
    for view in (x, x[::-1, :, ::2], x.mT, x[1, 1, 1], x[:, :0]):
        y = from_dlpack_capsule(view.__dlpack__(max_version=max_version))
        assert (y.shape, y.dtype, y._pointer, y.usm_type) == (view.shape, view.dtype, view._pointer, view.usm_type)
        assert np.array_equal(dpt.asnumpy(y), dpt.asnumpy(view))


def test_capsules_can_be_consumed_once():
    capsule = dpt.asarray([1]).__dlpack__()
    from_dlpack_capsule(capsule)
    with pytest.raises(ValueError, match="multiple times"):
        from_dlpack_capsule(capsule)
    with pytest.raises(TypeError):
        from_dlpack_capsule(1)


def test_memory_lives_as_long_as_its_consumers():
    x = dpt.asarray(np.arange(1000))
    y = dpt.from_dlpack(x)
    z = np.from_dlpack(x, device="cpu")
    del x
    gc.collect()
    others = [dpt.zeros(1000, dtype="i8") for _ in range(10)]
    assert dpt.asnumpy(y).tolist() == z.tolist() == list(range(1000))
    del others, y
    assert z.tolist() == list(range(1000))


def test_numpy_uses_the_memory():
    x = dpt.asarray(np.arange(6).reshape(2, 3), device="cpu")[:, ::2]
    z = np.from_dlpack(x, device="cpu")
    z[...] = 7
    assert dpt.asnumpy(x).tolist() == [[7, 7], [7, 7]]
    copied = dpt.from_dlpack(x, device=HOST, copy=True)
    assert isinstance(copied, np.ndarray)
    copied[...] = 0
    assert dpt.asnumpy(x).tolist() == [[7, 7], [7, 7]]


def test_host_memory_is_imported_as_a_numpy_array_unless_a_device_is_given():
    a = np.arange(4)
    assert isinstance(dpt.from_dlpack(a), np.ndarray)
    x = dpt.from_dlpack(a, device="cpu")
    assert isinstance(x, dpt.usm_ndarray)
    assert dpt.asnumpy(x).tolist() == a.tolist()
    with pytest.raises(BufferError):
        dpt.from_dlpack(a, device="cpu", copy=False)


def test_read_only_arrays_stay_read_only():
    x = dpt.asarray([1, 2])
    x.flags.writable = False
    assert not dpt.from_dlpack(x).flags.writable
    assert not np.from_dlpack(x, device="cpu").flags.writeable
    with pytest.raises(BufferError):
        x.__dlpack__(max_version=(0, 8))


def test_wrong_arguments_are_refused():
    x = dpt.asarray([1, 2])
    for arguments in ({"max_version": 1}, {"max_version": NEWEST, "dl_device": 3}, {"stream": "3"}):
        with pytest.raises(TypeError):
            x.__dlpack__(**arguments)
    with pytest.raises(TypeError if x.sycl_device.is_cpu else ValueError):
        x.__dlpack__(stream=3)
    with pytest.raises(BufferError):
        x.__dlpack__(max_version=NEWEST, dl_device=(dpt.DLDeviceType.kDLMetal, 0))
    for other in (None, object()):
        with pytest.raises(TypeError):
            dpt.from_dlpack(other)
    for device in ((1, 0, 0), (2, 99)):
        with pytest.raises(ValueError):
            dpt.from_dlpack(x, device=device)


def test_devices_have_ids():  # CUDA devices have CUDA's ids: tests/gpu/test_interop.py
    x = dpt.asarray([1], device="cpu")
    assert x.__dlpack_device__() == (dpt.DLDeviceType.kDLOneAPI, x.sycl_device.get_device_id())
    assert dpt.dldevice_to_sycl_device(x.__dlpack_device__()) == x.sycl_device
    assert dpt.sycl_device_to_dldevice(x.sycl_device) == x.__dlpack_device__()


def test_device_and_dl_device_are_equivalent():
    part = dpctl.SyclDevice("cpu").create_sub_devices(partition=1)[0]
    x = dpt.arange(8, sycl_queue=dpctl.SyclQueue(dpctl.SyclContext(part), part))
    for y in (dpt.from_dlpack(x, dl_device=HOST), dpt.from_dlpack(x, device=HOST)):
        assert type(y) is np.ndarray
        assert np.array_equal(y, np.arange(8))
    with pytest.raises(TypeError, match="both"):
        dpt.from_dlpack(x, device=HOST, dl_device=HOST)


@pytest.mark.parametrize("xp", [dpt, dpnp])
@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_numpy_imports_host_accessible_memory_without_a_device(xp, usm_type):
    x = xp.asarray(np.arange(12.0).reshape(3, 4), usm_type=usm_type)[:, ::2] * 2
    if usm_type == "device" and not x.sycl_device.is_cpu:
        with pytest.raises((BufferError, RuntimeError)):
            np.from_dlpack(x)
        return
    z = np.from_dlpack(x)
    assert np.array_equal(z, dpt.asnumpy(x))
    z[0, 0] = 9
    assert float(x[0, 0]) == 9  # the memory is shared
    copied = np.from_dlpack(x, copy=True)
    copied[0, 0] = 5
    assert float(x[0, 0]) == 9
    assert np.from_dlpack(x, device="cpu")[0, 0] == 9


def test_other_consumers_get_the_array_on_its_device():
    """Consumers other than NumPy pass no arguments, streams, or all arguments."""
    x = dpt.arange(4)
    own = x.__dlpack_device__()
    for arguments in (
        {}, {"max_version": NEWEST}, {"max_version": NEWEST, "copy": None}, {"max_version": NEWEST, "dl_device": own},
        {"max_version": NEWEST, "copy": False},
        {"stream": None, "max_version": NEWEST, "dl_device": None, "copy": None},
    ):  # fmt: skip
        y = from_dlpack_capsule(x.__dlpack__(**arguments))
        assert isinstance(y, dpt.usm_ndarray)
        assert y._pointer == x._pointer


@pytest.mark.parametrize("device", [(99, 0), (0, 0), (-1, 0), ("kDLNothing", 0), (1 << 20, 0)])
def test_devices_of_unknown_kinds_are_refused(device):
    x = dpt.arange(4)
    for version in ({}, {"max_version": NEWEST}, {"max_version": (0, 8)}):
        with pytest.raises(BufferError, match="does not have a device type of DLPack"):
            x.__dlpack__(dl_device=device, **version)
    for source in (x, np.arange(4)):
        with pytest.raises(ValueError, match="device"):
            dpt.from_dlpack(source, dl_device=device)


def test_dpnp_converts_numpy_arrays():
    a = np.arange(6.0).reshape(2, 3).T
    for source in (a, a[::-1], np.float32(2)[None]):
        x = dpnp.from_dlpack(source)
        assert type(x) is dpnp.ndarray
        assert np.array_equal(x.asnumpy(), source)
    assert type(dpnp.from_dlpack(a, device=HOST)) is np.ndarray
    assert type(dpnp.from_dlpack(dpt.arange(3))) is dpnp.ndarray
    with pytest.raises(BufferError, match="copy=False"):
        dpnp.from_dlpack(a, copy=False)
