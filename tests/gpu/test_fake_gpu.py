"""Runs the tests of this folder with the fake driver, without a GPU: everything except the execution of kernels."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
DRIVER = HERE.parents[1] / "build" / "tests" / "gpu" / "libfake_cuda.so"


@pytest.mark.skipif("DPEP_CUDA_DRIVER" in os.environ, reason="DPEP_CUDA_DRIVER is set")
def test_with_the_fake_driver():
    if not DRIVER.exists():
        pytest.skip("the fake driver is not built")
    environment = dict(os.environ, DPEP_CUDA_DRIVER=str(DRIVER), DPEP_CACHE="off")
    environment.pop("ONEAPI_DEVICE_SELECTOR", None)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(HERE)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout
