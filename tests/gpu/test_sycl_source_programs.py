"""Programs from source text in SYCL on a GPU: those of tests/dpctl, compiled for it, and compared where kernels run."""

from __future__ import annotations

import ctypes
import pathlib
import sys

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "dpctl"))

import test_program_sycl as cases


@pytest.fixture(scope="module")
def program(gpu):
    try:
        return dpctl.program.create_kernel_bundle_from_sycl_source(
            gpu, cases.SOURCE, cases.HEADERS, cases.NAMES, ["-DVALUE=7"]
        )
    except dpctl.program.SyclProgramCompilationError as e:
        if str(e).startswith("clang 22 was not found"):
            pytest.skip("machines with GPUs need not have clang 22")
        raise


# The kernel, the other arguments, the result, its range and work-groups.
LAUNCHES = {
    "scaled": ([ctypes.c_float(2.5)], np.arange(64, dtype="f4") * np.float32(2.5), [64], [16]),
    "space::places": (
        [cases.Pair(1_000_000, 2e6), np.array([0, 0, 0, 4e6]), ctypes.c_char(100)],
        np.fromfunction(lambda i, j, k: 10_000 * i + 100 * j + k + 7_000_100, (2, 3, 4), dtype="i8"),
        [2, 3, 4], [1, 3, 2],
    ),
    "space::sums": (
        [dpctl.WorkGroupMemory("i4", 16), dpctl.LocalAccessor("i2", (2, 16))],
        2 * np.arange(64, dtype="i4").reshape(4, 16).sum(1, dtype="i4") + 200, [64], [16],
    ),
    "space::of_fours": ([], np.full(8, 4, "i4"), [8], [4]),
    "space::stored(float*)": ([], np.full(1, 7.5, "f4"), [1], [1]),
}  # fmt: skip


def launch(name: str, program: dpctl.program.SyclProgram, queue: dpctl.SyclQueue) -> tuple[np.ndarray, dpt.usm_ndarray]:
    others, expected, work, groups = LAUNCHES[name]
    result = dpt.zeros(expected.shape, dtype=expected.dtype, sycl_queue=queue)
    arguments = [result, *others]
    if name in ("scaled", "space::sums"):
        arguments = [dpt.arange(64, dtype=expected.dtype, sycl_queue=queue), *arguments]
    queue.submit(program.get_sycl_kernel(name), arguments, work, groups)
    return expected, result


@pytest.mark.parametrize("name", LAUNCHES)
def test_kernels_compile(name, program, gpu):
    launch(name, program, gpu)


@pytest.mark.parametrize("name", LAUNCHES)
def test_results_are_those_of_numpy(name, program, real_gpu, get):
    expected, result = launch(name, program, real_gpu)
    np.testing.assert_array_equal(get(result), expected)
