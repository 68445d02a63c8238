"""The programs of benchmarks/dpjit as dpjit functions, compared with their forms for whole NumPy arrays."""

from __future__ import annotations

import importlib
import pathlib
import sys
import types

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "dpjit"
MODULES = ("programs", "numpy_programs")


def load() -> list[types.ModuleType]:
    """The benchmark's modules; other tests can import others of the same names."""
    replaced = {name: sys.modules.pop(name) for name in MODULES if name in sys.modules}
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return [importlib.import_module(name) for name in MODULES]
    finally:
        sys.path.remove(str(BENCHMARKS))
        for name in MODULES:
            sys.modules.pop(name, None)
        sys.modules.update(replaced)


programs, numpy_programs = load()

# more than one block of rows, where the NumPy form has those
SIZES = {"DBSCAN counts": 77, "weighted pairs": 77, "N-body": 77, "k nearest neighbours": 333}


def copies(given):
    return [each.copy() if isinstance(each, np.ndarray) else each for each in given]


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_agrees_with_numpy(name):
    function, make, (small, _) = programs.PROGRAMS[name]
    changed = types.FunctionType(function.__code__, {**function.__globals__, "np": dpnp, "prange": ndx.prange})
    for size in {small, SIZES.get(name, small)}:
        given = make(size)
        expected = copies(given)
        returned = numpy_programs.PROGRAMS[name](*expected)
        expected = programs.results_of(name, expected, returned)
        ours = [dpnp.asarray(each) if isinstance(each, np.ndarray) else each for each in copies(given)]
        returned = ndx.dpjit(changed)(*ours)
        found = [
            dpnp.asnumpy(each) if isinstance(each, dpnp.ndarray) else each
            for each in programs.results_of(name, ours, returned)
        ]
        programs.check_results(name, expected, found, "dpjit")


def test_different_results_are_found():
    with pytest.raises(RuntimeError, match=r"heat: 25 % of the elements of other differ"):
        programs.check_results("heat", [np.ones((2, 2))], [np.array([[1.0, 1.0], [1.0, 1.001]])], "other")
    with pytest.raises(RuntimeError, match="LU: other has 0 results, not 1"):
        programs.check_results("LU", [np.ones((2, 2))], [], "other")
    with pytest.raises(RuntimeError, match=r"Sobel: other has a result of shape \(2,\), not \(3,\)"):
        programs.check_results("Sobel", [np.ones(3)], [np.ones(2)], "other")
