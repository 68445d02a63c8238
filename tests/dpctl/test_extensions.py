"""Extensions in C, C++ with pybind11, and Cython, built with dpcxx and dpctl's headers as users do."""

import gc
import pathlib

import dpctl
import dpep
import pytest
from building import C_COMPILERS, build_c, build_cython, build_pybind11
from dpctl.memory import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared
from dpctl.program import SyclKernel, SyclProgram, create_program_from_source

SOURCES = pathlib.Path(__file__).parent / "extensions"

SCALED = """
kernel void scaled(global const float *x, global float *y, float factor) {
  const size_t i = get_global_id(0);
  y[i] = factor * x[i];
}
"""


@pytest.fixture
def program(queue):
    return create_program_from_source(queue, SCALED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("extensions")


@pytest.fixture(scope="module")
def pybind11_extension(folder):
    return build_pybind11(SOURCES / "pybind11_extension.cpp", folder)


@pytest.fixture(scope="module")
def cython_extension(folder):
    return build_cython(SOURCES / "cython_extension.pyx", folder)


@pytest.fixture(scope="module", params=C_COMPILERS)
def c_extension(request, tmp_path_factory):
    return build_c(SOURCES / "c_extension.c", tmp_path_factory.mktemp(request.param), request.param)


class TestPybind11:
    def test_a_kernel_works_on_usm_memory(self, pybind11_extension, queue):
        numpy = pytest.importorskip("numpy")
        m = MemoryUSMDevice(8 * 1000, queue=queue)
        m.copy_from_host(numpy.arange(1000.0))
        kept, done = pybind11_extension.scale(queue, m, 2.0)
        kept, done = pybind11_extension.scale(queue, m, 5.0, [done])
        done.wait()
        kept.wait()
        assert numpy.array_equal(numpy.frombuffer(m.tobytes()), 10 * numpy.arange(1000.0))

    def test_arguments_live_until_the_task_is_complete(self, pybind11_extension, queue):
        numpy = pytest.importorskip("numpy")
        events = []
        for _ in range(50):
            m = MemoryUSMShared(8 * 10000, queue=queue)
            numpy.frombuffer(m)[:] = 1
            events.append(pybind11_extension.scale(queue, m, 3.0)[0])
            del m
        dpctl.SyclEvent.wait_for(events)
        queue.wait()
        gc.collect()
        assert dpep.release_finished() == 0

    def test_a_foreign_array_is_converted_to_memory(self, pybind11_extension, queue):
        class Array:
            def __init__(self):
                self.m = MemoryUSMShared(80, queue=queue)

            @property
            def __sycl_usm_array_interface__(self):
                return self.m.__sycl_usm_array_interface__

        assert pybind11_extension.bytes_of(Array()) == 80
        with pytest.raises(ValueError, match="got bytes"):
            pybind11_extension.bytes_of(80 * b"x")

    def test_objects_are_returned_unchanged(self, pybind11_extension, queue):
        assert pybind11_extension.same_queue(queue) == queue
        assert type(pybind11_extension.same_queue(queue)) is dpctl.SyclQueue
        assert pybind11_extension.device_of(queue) == queue.sycl_device
        assert pybind11_extension.context_of(queue) == queue.sycl_context
        assert pybind11_extension.name_of(queue.sycl_device) == queue.name
        assert pybind11_extension.devices_in(queue.sycl_context) == queue.sycl_context.get_devices()

    def test_kernels_of_programs_get_arguments_and_run(self, pybind11_extension, program, queue):
        numpy = pytest.importorskip("numpy")
        x, y = (MemoryUSMShared(4 * 1000, queue=queue) for _ in range(2))
        x.copy_from_host(numpy.arange(1000, dtype="f4").view("u1"))
        kernel = program.get_sycl_kernel("scaled")
        assert pybind11_extension.arguments_of(kernel) == 3
        pybind11_extension.launch(queue, kernel, x, y, 2.5)
        assert numpy.array_equal(numpy.frombuffer(y.tobytes(), "f4"), 2.5 * numpy.arange(1000))
        with pytest.raises(TypeError):
            pybind11_extension.arguments_of(program)

    def test_programs_and_kernels_are_returned(self, pybind11_extension, program):
        same = pybind11_extension.same_program(program)
        assert type(same) is SyclProgram and same.has_sycl_kernel("scaled")
        kernel = pybind11_extension.kernel_of(program, "scaled")
        assert type(kernel) is SyclKernel
        assert (kernel.get_function_name(), kernel.num_args) == ("scaled", 3)
        with pytest.raises(Exception, match="no kernel from source text with the name other"):
            pybind11_extension.kernel_of(program, "other")

    def test_memory_of_the_extension_is_owned_by_its_object(self, pybind11_extension, queue):
        m = pybind11_extension.owned(queue, 16)
        assert type(m) is MemoryUSMShared
        assert m.tobytes() == bytes([42] * 16)
        view = MemoryUSMShared(m)
        del m
        gc.collect()
        assert view.tobytes() == bytes([42] * 16)
        assert type(pybind11_extension.empty_memory()) is MemoryUSMHost

    @pytest.mark.parametrize("wrong", [None, 1, "cpu", dpctl.SyclDevice()])
    def test_other_arguments_are_a_type_error(self, pybind11_extension, queue, wrong):
        with pytest.raises(TypeError):
            pybind11_extension.same_queue(wrong)
        with pytest.raises((TypeError, ValueError)):
            pybind11_extension.scale(queue, wrong, 1.0)

    def test_an_exception_of_a_host_task_is_raised_once_by_the_wait(self, pybind11_extension, queue):
        pybind11_extension.fail(queue)
        with pytest.raises(RuntimeError, match="the host task failed"):
            queue.wait()
        queue.wait()

    def test_an_error_of_sycl_keeps_its_code(self, pybind11_extension, queue):
        pybind11_extension.fail_as_sycl(queue)
        with pytest.raises(dpep.Error, match="the kernel failed") as failure:
            queue.wait()
        assert failure.value.code == "kernel"

    def test_memory_of_another_queue_is_refused(self, pybind11_extension, queue):
        with pytest.raises(ValueError, match="another queue"):
            pybind11_extension.scale(dpctl.SyclQueue(), MemoryUSMShared(8, queue=queue), 1.0)


class TestCython:
    def test_programs_and_kernels_are_extension_types(self, cython_extension, queue):
        program = cython_extension.compiled(queue, SCALED)
        assert type(program) is SyclProgram
        kernel = cython_extension.renamed(program.get_sycl_kernel("scaled"), b"another")
        assert (type(kernel), kernel.get_function_name()) == (SyclKernel, "another")
        with pytest.raises(TypeError):
            cython_extension.renamed(program, b"another")

    def test_a_kernel_works_on_usm_memory(self, cython_extension, queue):
        m = MemoryUSMShared(4 * 100, queue=queue)
        event = cython_extension.squares(queue, m)
        assert type(event) is dpctl.SyclEvent
        assert memoryview(m).cast("i").tolist() == [i * i for i in range(100)]

    def test_objects_are_returned_unchanged(self, cython_extension, queue):
        e = queue.submit_barrier()
        given = queue, e, queue.sycl_context, queue.sycl_device
        assert cython_extension.same_objects(*given) == given
        cython_extension.wait_for(e)

    def test_queues_can_be_created(self, cython_extension, device):
        q = cython_extension.queue_of(dpctl.SyclContext(device), device)
        assert q.sycl_device == device

    def test_types_are_checked(self, cython_extension, queue):
        assert cython_extension.shared_only(MemoryUSMShared(12)) == 12
        with pytest.raises(TypeError):
            cython_extension.shared_only(MemoryUSMDevice(12))
        with pytest.raises(TypeError):
            cython_extension.squares(queue.sycl_device, MemoryUSMShared(12))


class TestC:
    def test_types_can_be_checked(self, c_extension, queue):
        assert c_extension.is_queue(queue)
        assert not c_extension.is_queue(queue.sycl_device)

    def test_objects_can_be_read_and_created(self, c_extension, queue):
        assert c_extension.bytes_of(MemoryUSMDevice(33)) == 33
        assert c_extension.copy_of_queue(queue) == queue

    def test_devices_without_native_handles_are_an_error(self, c_extension):
        cpu = dpctl.SyclQueue("cpu")
        with pytest.raises(RuntimeError, match="native_cpu"):
            c_extension.handles_of(cpu.sycl_device, cpu.sycl_context, cpu, dpctl.SyclEvent())

    def test_another_object_is_a_type_error(self, c_extension, queue):
        for function in (c_extension.bytes_of, c_extension.copy_of_queue):
            with pytest.raises(TypeError, match="dpctl"):
                function(3)


def test_modules_export_their_functions_to_cython():
    for module, function in ((dpctl, "SyclQueue_GetQueueRef"), (dpctl.memory, "Memory_GetUsmPointer")):
        assert "PyCapsule" in type(module.__pyx_capi__[function]).__name__
