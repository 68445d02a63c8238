"""The example with nanobind: it builds by CMake, and takes and returns queues, events and arrays."""

import os
import pathlib
import shutil
import subprocess
import sys

import dpctl
import dpctl.tensor as dpt
import dpep
import numpy as np
import pytest
from building import load, needs_compiler

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "nanobind_extension"


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    needs_compiler()
    pytest.importorskip("nanobind", reason="nanobind is a build requirement, not one of the wheel")
    cmake = shutil.which("cmake") or pytest.skip("no cmake")
    build = tmp_path_factory.mktemp("nanobind_extension")
    options = [f"-DCMAKE_CXX_COMPILER={dpep.get_compiler()}", f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run([cmake, "-S", EXAMPLE, "-B", build, "-DCMAKE_BUILD_TYPE=Release", *options], check=True, cwd=build)
    subprocess.run([cmake, "--build", build], check=True)
    (path,) = build.glob("polynomials*.so")
    return load(os.fspath(path), "polynomials")


@pytest.mark.parametrize("n", [0, 1, 1000, 100_000])
@pytest.mark.parametrize("coefficients", [[], [1.5], [1, -2, 0.5, 3]])
def test_values_are_numpys(module, n, coefficients):
    x = np.random.default_rng(1).random(n)
    device_x = dpt.asarray(x)
    y = dpt.empty_like(device_x)
    released, done = module.evaluate(y.sycl_queue, device_x, y, coefficients, [dpctl.SyclEvent()])
    assert isinstance(done, dpctl.SyclEvent)
    released.wait()
    np.testing.assert_allclose(dpt.asnumpy(y), np.polynomial.Polynomial(coefficients or [0])(x), rtol=1e-14)


def test_objects_pass_in_both_directions(module):
    q = dpctl.SyclQueue()
    assert module.name_of(q.sycl_device) == q.sycl_device.name
    made = module.in_order_queue(q.sycl_context, q.sycl_device)
    assert made.is_in_order and made.sycl_context == q.sycl_context and made.sycl_device == q.sycl_device


def test_refuses_bad_arguments(module):
    x, q = dpt.ones(3, dtype="f8"), dpt.ones(3).sycl_queue
    with pytest.raises(TypeError, match="float64"):
        module.evaluate(q, dpt.ones(3, dtype="f4"), x, [1.0])
    with pytest.raises(ValueError, match="one size"):
        module.evaluate(q, x, dpt.ones(4, dtype="f8"), [1.0])
    with pytest.raises(ValueError, match="on the queue"):
        module.evaluate(dpctl.SyclQueue(property="in_order"), x, x, [1.0])
    for arguments in [(None, x, x, [1.0]), (q, np.ones(3), x, [1.0]), (q, x, x, ["a"]), (q, x, x, [1.0], [q])]:
        with pytest.raises(TypeError):
            module.evaluate(*arguments)
    with pytest.raises(TypeError):
        module.name_of(q)
