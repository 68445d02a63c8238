"""A process can exit during background compilations."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).with_name("long_chains.py")


def test_exit_during_compilation(tmp_path):
    # LLVM would crash if the exit destroyed objects in use; failed compilations leave their input behind
    environment = dict(os.environ, DPEP_CACHE="off", DPEP_DUMP=str(tmp_path))
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, str(SCRIPT), "1000", "cpu", "pyramid", "diamonds"],
            env=environment, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (run.returncode, run.stderr) == (0, "")
    assert list(tmp_path.glob("*.failed")) == []
