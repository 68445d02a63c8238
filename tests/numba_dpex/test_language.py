"""The language of kernels: each compiled kernel computes the same as CPython."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import more_language_kernels  # noqa: F401  adds its cases
import numba_dpex as ndx
import numpy as np
import pytest
from language_kernels import CASES, Case
from numba_dpex import kernel_api as kapi


def on_device(value, module):
    if not isinstance(value, np.ndarray):
        return value
    if value.flags.c_contiguous or value.flags.f_contiguous:
        return module.asarray(value, order="K")
    whole = module.asarray(value.base)  # a view: the same view of a copy
    strides = tuple(s // value.itemsize for s in value.strides)
    index = tuple(slice(None, None, s // w) for s, w in zip(strides, np.array(value.base.strides) // value.itemsize))
    return whole[index]


@pytest.mark.parametrize("module", [dpnp, dpt])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function.__name__)
def test_compiled_kernels_compute_the_same_as_cpython(case: Case, module):
    expected = case.out.copy()
    with np.errstate(all="ignore"):
        kapi.call_kernel(case.function, case.space, expected, *case.arguments)
    got = module.zeros(case.out.shape, dtype=case.out.dtype)
    arguments = [on_device(argument, module) for argument in case.arguments]
    ndx.call_kernel(ndx.kernel(case.function), case.space, got, *arguments)
    np.testing.assert_allclose(module.asnumpy(got), expected, rtol=2e-6, atol=1e-6)
