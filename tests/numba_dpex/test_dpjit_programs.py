"""The programs of benchmarks/dpjit as dpjit functions, compared with Python on NumPy's arrays."""

from __future__ import annotations

import gc
import importlib.util
import pathlib
import threading
import types
import weakref

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest

PATH = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "dpjit" / "programs.py"
_spec = importlib.util.spec_from_file_location("dpjit_programs", PATH)
programs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(programs)

# sizes besides the small one, which Python executes in less than a second
SIZES = {
    "k-means step": [1, 2049],
    "Black-Scholes": [1, 33_333],
    "Monte Carlo": [1, 1000],
    "norms of rows": [1, 700],
    "Rambo": [1, 3001],
    "principal axes": [50_001],
    "heat": [3, 101],
    "Mandelbrot": [1, 65],
    "logistic regression": [5001],
    "moving average": [26, 9001],
    "Sobel": [3, 150],
    "shortest paths": [1, 70],
    "LU": [2, 90],
    "Cholesky": [1, 90],
    "edit distance": [1, 150],
    "prime sieve": [3, 100_000],
    "ray marching": [1, 60],
    "statistics": [1, 70_001],
}


def with_globals(function, **changed):
    return types.FunctionType(function.__code__, {**function.__globals__, **changed}, function.__name__)


@pytest.mark.parametrize("fastmath", [False, True])
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_program(name, fastmath):
    if fastmath and name == "Mandelbrot":
        pytest.skip("its iterations magnify differences in rounding")
    function, make, (small, _) = programs.PROGRAMS[name]
    ours = ndx.dpjit(fastmath=fastmath)(with_globals(function, np=dpnp, prange=ndx.prange))
    for size in [small, *SIZES.get(name, [])]:
        for _ in range(2):  # compiled, and again
            given = make(size)
            ours_given = [dpnp.asarray(each) if isinstance(each, np.ndarray) else each for each in given]
            result, wanted = ours(*ours_given), function(*given)
            if wanted is None:
                assert result is None
            else:
                mine = dpnp.asnumpy(result) if isinstance(result, dpnp.ndarray) else result
                np.testing.assert_allclose(mine, wanted, rtol=1e-7, atol=1e-9, err_msg=f"{name} {size}")
            for mine, each in zip(ours_given, given, strict=True):
                if isinstance(each, np.ndarray):
                    np.testing.assert_allclose(dpnp.asnumpy(mine), each, rtol=1e-7, atol=1e-9, err_msg=f"{name} {size}")


def make(factor):
    @ndx.dpjit
    def scaled_sum(x):
        total = 0.0
        for _ in range(2):
            for i in ndx.prange(x.size):
                total += factor * x[i]
        return total

    return scaled_sum


def test_functions_are_released():
    x = dpnp.ones(100)
    functions = []
    for factor in range(3):
        function = make(factor)
        assert function(x) == 200 * factor
        functions.append(weakref.ref(function.py_func))
        del function
    gc.collect()
    assert all(each() is None for each in functions)


def test_threads_that_compile_the_same_function():
    x = dpnp.arange(1000.0)
    for factor in range(3):
        function = make(factor)
        start = threading.Barrier(8)
        results = []

        def call(function=function, start=start, results=results):
            start.wait()
            results.extend(function(x) for _ in range(20))

        threads = [threading.Thread(target=call) for _ in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert results == [2 * factor * 499500.0] * 160
