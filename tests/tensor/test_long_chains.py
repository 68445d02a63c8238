"""The array engine's costs are proportional to the number of operations: chains of 10,000 operations with shared
results, in many graph shapes, take bounded time and memory, and no single operation stalls the program."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE / "long_chains.py"
DRIVER = HERE.parents[1] / "build" / "tests" / "gpu" / "libfake_cuda.so"
NODES = 10_000
SECONDS_OF_A_STEP, SECONDS, KILOBYTES = 0.3, 60, 400_000


@pytest.mark.parametrize("device", ["cpu", "cuda:gpu:0"])
def test_chains_of_shared_values_take_time_and_memory_in_proportion(device):
    environment = dict(os.environ, DPEP_CACHE="off")
    environment.pop("ONEAPI_DEVICE_SELECTOR", None)
    if device != "cpu":
        if not DRIVER.exists():
            pytest.skip("the fake driver is not built")
        # without the compilation of kernels by the driver
        environment |= {"DPEP_CUDA_DRIVER": str(DRIVER), "DPEP_TEST_PTXAS": "/bin/true"}
    run = subprocess.run(
        [sys.executable, str(SCRIPT), str(NODES), device], env=environment, capture_output=True, text=True, timeout=900
    )
    assert run.returncode == 0, run.stdout + run.stderr
    shapes = [line.split() for line in run.stdout.splitlines()]
    assert len(shapes) >= 20
    for shape, longest, whole, grown in shapes:
        assert float(longest) <= SECONDS_OF_A_STEP, f"{shape}: one step took {longest} s"
        assert float(whole) <= SECONDS, f"{shape}: {NODES} operations took {whole} s"
        assert int(grown) <= KILOBYTES, f"{shape}: the process grew by {grown} KB"
