"""Arrays in extensions in C, in C++ with pybind11, and in Cython, built with dpcxx and dpctl's headers."""

import gc
import pathlib

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import dpep
import numpy as np
import pytest
from building import build_c, build_cython, build_pybind11

SOURCES = pathlib.Path(__file__).parent / "extensions"


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    return build_pybind11(SOURCES / "array_extension.cpp", tmp_path_factory.mktemp("extension"))


@pytest.fixture(scope="module")
def c_extension(tmp_path_factory):
    return build_c(SOURCES / "array_c_extension.c", tmp_path_factory.mktemp("c_extension"))


@pytest.fixture(scope="module")
def cython_extension(tmp_path_factory):
    return build_cython(SOURCES / "array_cython_extension.pyx", tmp_path_factory.mktemp("cython_extension"))


class TestPybind11:
    @pytest.mark.parametrize("size", [10, 100_000])
    def test_kernels_work_on_computed_arrays(self, extension, size):
        a = np.arange(float(size))
        x = dpt.asarray(a) + 1  # may be pending
        kept, done = extension.scale(x, 3.0)
        done.wait()
        kept.wait()
        assert np.array_equal(dpt.asnumpy(x - 1), (a + 1) * 3 - 1)

    def test_arrays_live_until_the_task_is_complete(self, extension):
        events = [extension.scale(dpt.ones(10_000), 2.0)[0] for _ in range(50)]
        dpctl.SyclEvent.wait_for(events)
        gc.collect()
        assert dpep.release_finished() == 0

    @pytest.mark.parametrize(
        "key", [(), (slice(None, None, -1),), (slice(1, None), ..., 2), (..., slice(None, None, -2))]
    )
    def test_arrays_are_described(self, extension, key):
        reference = np.arange(24.0).reshape(2, 3, 4)
        x, a = dpt.asarray(reference, usm_type="shared")[key], reference[key]
        strides = [s // 8 for s in a.strides]
        reach = [(n - 1) * s for n, s in zip(a.shape, strides, strict=True)]
        d = extension.describe(x)
        assert (d["ndim"], d["shape"], d["size"], d["strides"]) == (a.ndim, list(a.shape), a.size, strides)
        assert d["offsets"] == (sum(r for r in reach if r < 0), sum(r for r in reach if r > 0))
        assert (d["queue"], d["device"]) == (x.sycl_queue, x.sycl_device)
        assert (d["typenum"], d["elemsize"]) == (a.dtype.num, 8)
        assert d["flags"] == x.flags.flags
        assert d["f_contiguous"] == x.flags.f_contiguous
        assert (d["offset"], d["pointer"]) == (x._element_offset, x._pointer)
        assert d["usm_data"] is x.usm_data
        assert extension.sum(x) == a.sum()

    def test_owners(self, extension):
        assert extension.owners(dpt.ones(3)) > 0
        memory = dpctl.memory.MemoryUSMShared(24)
        assert extension.owners(dpt.usm_ndarray(3, buffer=memory)) > 0

    def test_other_objects_are_refused(self, extension):
        assert dpt.asnumpy(extension.from_object([1, 2])).tolist() == [1, 2]
        x = dpt.ones(1)
        assert extension.from_object(x) is x
        assert extension.empty().shape == ()
        for wrong in (None, 1, np.ones(3), [1.0]):
            with pytest.raises(TypeError):
                extension.describe(wrong)


class TestC:
    def test_type_check(self, c_extension):
        assert c_extension.is_array(dpt.ones(1))
        assert not c_extension.is_array(np.ones(1))

    def test_views_are_made(self, c_extension):
        x = dpt.asarray(np.arange(9, dtype="i4").reshape(3, 3))
        diagonal = c_extension.diagonal(x)
        diagonal += 10
        assert dpt.asnumpy(x).tolist() == [[10, 1, 2], [3, 14, 5], [6, 7, 18]]
        del x
        gc.collect()
        assert dpt.asnumpy(diagonal).tolist() == [10, 14, 18]
        with pytest.raises(TypeError):
            c_extension.diagonal(diagonal)

    def test_arrays_on_memory_objects(self, c_extension):
        memory = dpctl.memory.MemoryUSMShared(28)
        x = c_extension.on_memory(memory)
        x[...] = np.arange(6).reshape(2, 3)
        assert np.frombuffer(memory, "i4").tolist()[1:] == [0, 3, 1, 4, 2, 5]
        with pytest.raises(ValueError):
            c_extension.on_memory(dpctl.memory.MemoryUSMShared(24))
        with pytest.raises(TypeError):
            c_extension.on_memory(x)

    def test_arrays_can_be_made_read_only(self, c_extension):
        x = dpt.ones(3)
        c_extension.forbid_writing(x)
        with pytest.raises(ValueError):
            x[0] = 2


class TestCython:
    def test_kernels_work_on_computed_arrays(self, cython_extension):
        a = np.arange(1000.0)
        x = dpt.asarray(a) + 1  # may be pending
        cython_extension.scale(x, 3.0)
        assert np.array_equal(dpt.asnumpy(x - 1), (a + 1) * 3 - 1)

    @pytest.mark.parametrize("key", [(), (slice(None, None, -1),), (slice(1, None), ..., 2)])
    def test_arrays_are_described(self, cython_extension, key):
        reference = np.arange(24, dtype="i4").reshape(2, 3, 4)
        x, a = dpt.asarray(reference)[key], reference[key]
        assert cython_extension.describe(x) == {
            "shape": a.shape,
            "strides": None if a.flags.c_contiguous else tuple(s // 4 for s in a.strides),
            "itemsize": 4,
            "offset": x._element_offset,
            "pointer": x._pointer,
            "memory": x.usm_data,
            "queue": x.sycl_queue,
        }

    def test_types_are_checked(self, cython_extension):
        for wrong in (None, np.ones(3), dpctl.memory.MemoryUSMShared(8)):
            with pytest.raises(TypeError):
                cython_extension.scale(wrong, 2.0)
        with pytest.raises(TypeError, match="float64"):
            cython_extension.scale(dpt.ones(3, dtype="f4"), 2.0)

    def test_arrays_are_made(self, cython_extension):
        memory = dpctl.memory.MemoryUSMShared(28)
        x = cython_extension.on_memory(memory)
        x[...] = np.arange(6).reshape(2, 3)
        assert np.frombuffer(memory, "i4").tolist()[1:] == [0, 3, 1, 4, 2, 5]
        square = dpt.asarray(np.arange(9.0).reshape(3, 3))
        diagonal = cython_extension.diagonal(square)
        del square
        gc.collect()
        assert dpt.asnumpy(diagonal).tolist() == [0, 4, 8]
        with pytest.raises(ValueError):
            cython_extension.on_memory(dpctl.memory.MemoryUSMShared(24))

    def test_arrays_can_be_made_read_only(self, cython_extension):
        x = dpt.ones(3)
        cython_extension.forbid_writing(x)
        with pytest.raises(ValueError):
            x[0] = 2
