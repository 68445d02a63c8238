"""Programs in OpenCL C on a GPU: the cases of tests/dpctl, compiled for it, and compared where kernels are executed."""

from __future__ import annotations

import pathlib
import sys

import dpctl.memory
import dpctl.program
import dpctl.tensor as dpt
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "dpctl"))

import opencl_grid_kernels  # noqa: F401  adds its cases
import opencl_kernels
import test_program_builtins as builtins


def create(queue: dpctl.SyclQueue, source: str, options: str = "") -> dpctl.program.SyclProgram:
    try:
        return dpctl.program.create_program_from_source(queue, source, options)
    except dpctl.program.SyclProgramCompilationError as e:
        if str(e).startswith("clang 22 was not found"):
            pytest.skip("machines with GPUs need not have clang 22")
        raise


def launch(name: str, queue: dpctl.SyclQueue) -> tuple[opencl_kernels.Case, list[object]]:
    case = opencl_kernels.CASES[name](np.random.default_rng(7))
    program = create(queue, case.source, case.options)
    device = [dpt.asarray(a, sycl_queue=queue) if isinstance(a, np.ndarray) else a for a in case.arguments]
    queue.submit(program.get_sycl_kernel(name), device, case.global_range, case.local_range)
    return case, device


@pytest.mark.parametrize("name", opencl_kernels.CASES)
def test_kernels_compile(name, gpu):
    launch(name, gpu)


@pytest.mark.parametrize("t", ["float", "double", "half"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_mathematical_functions_compile(t, count, gpu):
    expressions = [e for e, (_, *ranges) in builtins.MATH.items() if len(ranges) == count]
    compile_all(expressions, t, count, t, gpu)


@pytest.mark.parametrize("t", ["char", "ushort", "int", "ulong"])
def test_functions_of_integers_compile(t, gpu):
    compile_all([e.replace("{t}", t) for e in builtins.INTEGERS], t, 3, t, gpu)


@pytest.mark.parametrize(("t", "r"), [("float", "int"), ("double", "long")])
def test_relations_compile(t, r, gpu):
    compile_all(list(builtins.RELATIONS), t, 2, r, gpu)


def compile_all(expressions: list[str], t: str, count: int, result: str, queue: dpctl.SyclQueue) -> None:
    source = builtins.HALVES + builtins.kernel("k", expressions, [t] * count, result, 3)
    program = create(queue, source)
    memory = dpctl.memory.MemoryUSMDevice(8 * builtins.N * len(expressions), queue=queue)
    queue.submit(program.get_sycl_kernel("k"), [memory] * (count + 1), [builtins.N // 3])


@pytest.mark.parametrize("name", opencl_kernels.CASES)
def test_kernels_compute_what_numpy_computes(name, real_gpu):
    case, device = launch(name, real_gpu)
    for position, expected in case.results.items():
        result = dpt.asnumpy(device[position])
        if name == "escape_times":  # points beside the border of the set may differ in single precision
            assert (result != expected).mean() < case.tolerance
        else:
            scale = max(float(np.abs(expected).max()), 1.0)
            np.testing.assert_allclose(result, expected, rtol=max(case.tolerance, 1e-5), atol=case.tolerance * scale)
