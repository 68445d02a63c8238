"""Kernels in OpenCL C of published kinds, compared with NumPy."""

from __future__ import annotations

import dpctl.program
import dpctl.tensor as dpt
import numpy as np
import opencl_grid_kernels  # noqa: F401  adds its cases
import opencl_kernels
import pytest


def run(case: opencl_kernels.Case, name: str, queue: dpctl.SyclQueue) -> dict[int, np.ndarray]:
    """Run a case, and return the arrays that have results."""
    program = dpctl.program.create_program_from_source(queue, case.source, case.options)
    device = [dpt.asarray(a, sycl_queue=queue) if isinstance(a, np.ndarray) else a for a in case.arguments]
    queue.submit(program.get_sycl_kernel(name), device, case.global_range, case.local_range)
    return {i: dpt.asnumpy(device[i]) for i in case.results}


@pytest.mark.parametrize("name", opencl_kernels.CASES)
def test_kernels_compute_what_numpy_computes(name, queue):
    case = opencl_kernels.CASES[name](np.random.default_rng(7))
    for position, result in run(case, name, queue).items():
        expected = case.results[position]
        if name == "escape_times":  # points beside the border of the set may differ in single precision
            assert (result != expected).mean() < case.tolerance
        elif case.tolerance:
            scale = np.abs(expected).max()
            np.testing.assert_allclose(result, expected, rtol=case.tolerance, atol=case.tolerance * scale)
        else:
            np.testing.assert_array_equal(result, expected)
