"""Random dpjit functions, compared with the same functions in CPython on NumPy's arrays.

`DPEP_TEST_EXHAUSTIVE` runs 5,000 functions, `DPEP_RANDOM_FUNCTIONS` sets their number, `DPEP_RANDOM_SEED` the seed.
"""

from __future__ import annotations

import importlib.util
import os
import warnings

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex.core.exceptions import NumbaDpexPerformanceWarning
from random_functions import RandomFunction

COUNT = int(os.environ.get("DPEP_RANDOM_FUNCTIONS", "5000" if os.environ.get("DPEP_TEST_EXHAUSTIVE") else "300"))
SEED = int(os.environ.get("DPEP_RANDOM_SEED", "1"))
BATCH = 20


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_agree_with_cpython(first, tmp_path):
    functions = [RandomFunction(n, SEED * 1_000_003 + n) for n in range(first, min(first + BATCH, COUNT))]
    path = tmp_path / f"random_functions_{first}.py"
    header = "import math\nfrom numba_dpex import prange\n\n\n"
    path.write_text(header + "".join(each.text for each in functions))
    modules = []
    for array_module in (np, dpnp):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        module.dpnp = array_module
        spec.loader.exec_module(module)
        modules.append(module)
    for each in functions:
        plain, compiled = (getattr(module, f"function_{each.number}") for module in modules)
        given = each.arguments()
        ours = [dpnp.asarray(x) if isinstance(x, np.ndarray) else x for x in given]
        function = ndx.dpjit(compiled)
        with warnings.catch_warnings():
            warnings.simplefilter("error", NumbaDpexPerformanceWarning)
            got = [*function(*ours), *ours]
        wanted = [*plain(*given), *given]
        for number, (mine, theirs) in enumerate(zip(got, wanted, strict=True)):
            np.testing.assert_allclose(
                dpnp.asnumpy(mine) if isinstance(mine, dpnp.ndarray) else mine, theirs, rtol=1e-9, atol=1e-9,
                err_msg=f"value {number} of\n{each.text}",
            )  # fmt: skip
