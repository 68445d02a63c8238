"""The example with oneMKL's functions: it builds by setuptools, solves linear systems, and refuses bad arguments."""

import os
import pathlib

import dpctl.tensor as dpt
import numpy as np
import pytest
from building import build_by_setuptools

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "conjugate_gradient"


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    return build_by_setuptools(EXAMPLE, os.fspath(tmp_path_factory.mktemp("cg")), "demo", "linear_systems")


def test_the_program_prints_small_errors(modules, capsys):
    demo, _ = modules
    demo.main()
    lines = capsys.readouterr().out.splitlines()
    assert all(float(line.split()[-1]) < 1e-8 for line in lines), lines


@pytest.mark.parametrize("dtype, tolerance", [("f4", 1e-5), ("f8", 1e-12)])
@pytest.mark.parametrize("n", [1, 2, 7, 300])
def test_solutions_agree_with_numpy(modules, n, dtype, tolerance):
    demo, module = modules
    a, b = demo.system(n, dtype)
    x = dpt.zeros(n, dtype=dtype)
    iterations = module.solve(x.sycl_queue, dpt.asarray(a), dpt.asarray(b), x, tolerance=tolerance)
    assert 0 < iterations <= 4 * n
    np.testing.assert_allclose(dpt.asnumpy(x), np.linalg.solve(a.astype("f8"), b), atol=30 * tolerance)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (400, 200)])
def test_gemv_agrees_with_numpy(modules, shape, dtype):
    _, module = modules
    random = np.random.default_rng(2)
    a, x = random.random(shape).astype(dtype), random.random(shape[1]).astype(dtype)
    y = dpt.empty(shape[0], dtype=dtype)
    for event in module.gemv(y.sycl_queue, dpt.asarray(a), dpt.asarray(x), y):
        event.wait()
    np.testing.assert_allclose(dpt.asnumpy(y), a @ x, rtol=1e-5 if dtype == "f4" else 1e-13)


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ((dpt.zeros((3, 3)), dpt.zeros(2), dpt.zeros(3)), ValueError, "shapes"),
        ((dpt.zeros((2, 3)), dpt.zeros(3), dpt.zeros(2)), ValueError, "square"),
        ((dpt.zeros((3, 3)).T[:, ::-1], dpt.zeros(3), dpt.zeros(3)), ValueError, "C-contiguous"),
        ((dpt.zeros((3, 3)), dpt.zeros(3, dtype="f4"), dpt.zeros(3)), ValueError, "one type"),
        ((dpt.zeros((3, 3), dtype="i8"), dpt.zeros(3, dtype="i8"), dpt.zeros(3, dtype="i8")), TypeError, "float64"),
    ],
)
def test_refuses_bad_arguments(modules, arguments, error, message):
    _, module = modules
    with pytest.raises(error, match=message):
        module.solve(arguments[0].sycl_queue, *arguments)
