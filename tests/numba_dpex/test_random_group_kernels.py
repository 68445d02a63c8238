"""Random compiled kernels with barriers and local memory, compared with CPython running work-items in lockstep.

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
from random_group_kernels import GROUPS, RandomGroupKernel

COUNT = int(os.environ.get("DPEP_RANDOM_KERNELS", "2000" if os.environ.get("DPEP_TEST_EXHAUSTIVE") else "60"))
SEED = int(os.environ.get("DPEP_RANDOM_SEED", "1"))
BATCH = 20


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_agree_with_work_items_in_lockstep(first, tmp_path):
    kernels = [RandomGroupKernel(n, SEED * 1_000_003 + n) for n in range(first, min(first + BATCH, COUNT))]
    path = tmp_path / f"random_group_kernels_{first}.py"
    imports = "import numba_dpex as ndx\nfrom numba_dpex import kernel_api as kapi\n\n\n"
    path.write_text(imports + "\n\n".join(kernel.text() for kernel in kernels))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for kernel in kernels:
        n = GROUPS * kernel.size
        values = np.random.default_rng(kernel.number).integers(0, 1009, n)
        expected = kernel.lockstep(values)
        got = dpnp.zeros(3 * n, dtype=np.int64), dpnp.zeros(GROUPS, dtype=np.int64)
        local = [kapi.LocalAccessor(kernel.size, np.int64) for _ in kernel.arrays]
        launch = ndx.NdRange((n,), (kernel.size,))
        function = getattr(module, f"kernel_{kernel.number}")
        ndx.call_kernel(function, launch, dpnp.asarray(values), *got, n, *local)
        for ours, theirs in zip(got, expected):
            np.testing.assert_array_equal(dpnp.asnumpy(ours), theirs, err_msg=kernel.text())
