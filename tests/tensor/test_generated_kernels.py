"""The kernels that GPUs get, run on the CPU: `DPEP_ARRAY_KERNELS=generated` is read once, so it takes a process."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).with_name("generated_kernels.py")


def test_generated_kernels_agree_with_numpy() -> None:
    environment = os.environ | {"DPEP_ARRAY_KERNELS": "generated"}
    run = subprocess.run([sys.executable, SCRIPT], env=environment, capture_output=True, text=True, timeout=600)
    assert run.stdout == "done\n", run.stdout + run.stderr
