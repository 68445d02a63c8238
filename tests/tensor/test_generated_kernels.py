"""The kernels that GPUs get, run on the CPU: in processes of their own, since DPEP_ARRAY_KERNELS is read once."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def run_with_generated_kernels(script: str, **environment: str) -> None:
    environment = os.environ | {"DPEP_ARRAY_KERNELS": "generated"} | environment
    run = subprocess.run([sys.executable, HERE / script], env=environment, capture_output=True, text=True, timeout=600)
    assert run.stdout == "done\n", run.stdout + run.stderr


def test_generated_kernels_agree_with_numpy() -> None:
    run_with_generated_kernels("generated_kernels.py")


def test_generated_random_numbers_are_numpys() -> None:
    run_with_generated_kernels("generated_random.py")


def test_large_programs_agree_with_numpy() -> None:
    run_with_generated_kernels("test_large_programs.py", DPEP_LARGE_PROGRAMS="30")
