"""Random compiled kernels, compared with the simulation, which runs them in CPython with NumPy's scalars.

`DPEP_TEST_EXHAUSTIVE` runs 2,000 kernels, `DPEP_RANDOM_KERNELS` sets their number, `DPEP_RANDOM_SEED` the seed.
"""

from __future__ import annotations

import importlib.util
import os

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from random_kernels import RandomKernel, inputs, module_text

COUNT = int(os.environ.get("DPEP_RANDOM_KERNELS", "2000" if os.environ.get("DPEP_TEST_EXHAUSTIVE") else "200"))
SEED = int(os.environ.get("DPEP_RANDOM_SEED", "1"))
BATCH = 20
ITEMS = 12
TOLERANCE = {"float32": 2e-5, "complex64": 1e-4}  # for all results of a kernel that has variables of these types


@pytest.mark.parametrize("has_source", [True, False], ids=["of source", "of byte code"])
@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_agree_with_cpython(first, has_source, tmp_path):
    kernels = [RandomKernel(n, SEED * 1_000_003 + n) for n in range(first, min(first + BATCH, COUNT))]
    path = tmp_path / f"random_kernels_{first}.py"
    path.write_text(module_text(kernels))
    if has_source:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        names = vars(module)
    else:
        exec(module_text(kernels), names := {"__name__": path.stem})
    for kernel in kernels:
        function = names[f"kernel_{kernel.number}"]
        given = inputs(kernel.dtypes, ITEMS, kernel.number)
        expected = [np.zeros_like(each) for each in given]
        with np.errstate(all="ignore"):
            kapi.call_kernel(function, ndx.Range(ITEMS), *given, *expected)
        got = [dpnp.zeros(ITEMS, dtype=each.dtype) for each in given]
        ndx.call_kernel(ndx.kernel(function), ndx.Range(ITEMS), *map(dpnp.asarray, given), *got)
        inexact = max(TOLERANCE.get(dtype, 1e-11) for dtype in kernel.dtypes)
        for number, (ours, theirs) in enumerate(zip(got, expected)):
            tolerance = inexact if theirs.dtype.kind in "fc" else 0
            np.testing.assert_allclose(
                dpnp.asnumpy(ours), theirs, rtol=tolerance, atol=tolerance,
                err_msg=f"out{number} of\n{kernel.text}with {given}",
            )  # fmt: skip
