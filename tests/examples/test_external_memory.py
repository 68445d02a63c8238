"""The example of memory that C++ owns: Python sees it without copies, and keeps it alive."""

import gc
import os
import pathlib

import dpctl
import dpctl.memory
import dpctl.tensor as dpt
import numpy as np
import pytest
from building import build_by_setuptools

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "external_memory"


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    return build_by_setuptools(EXAMPLE, os.fspath(tmp_path_factory.mktemp("external")), "external_memory")[0]


def test_arrays_show_the_memory_without_copies(module):
    matrix = module.Matrix(dpctl.SyclQueue(), 5)
    array = matrix.array
    assert isinstance(matrix.memory, dpctl.memory.MemoryUSMDevice) and matrix.memory.nbytes == 5 * 5 * 8
    matrix.scale(3)
    np.testing.assert_array_equal(dpt.asnumpy(array), 3 * np.eye(matrix.size))
    array[0, 1] = 7.0
    array.sycl_queue.wait()
    np.testing.assert_array_equal(dpt.asnumpy(matrix.array)[0], [3, 7, 0, 0, 0])


def test_memory_lives_as_long_as_its_users(module):
    gc.collect()
    before = module.live_matrices()
    matrix = module.Matrix(dpctl.SyclQueue(), 4)
    array, memory = matrix.array, matrix.memory
    del matrix
    gc.collect()
    assert module.live_matrices() == before + 1
    total = array + 1
    del array
    gc.collect()
    np.testing.assert_array_equal(dpt.asnumpy(total), np.eye(4) + 1)
    np.testing.assert_array_equal(np.frombuffer(memory.copy_to_host(), "f8"), np.eye(4).ravel())
    assert module.live_matrices() == before + 1
    del total, memory
    gc.collect()
    assert module.live_matrices() == before
