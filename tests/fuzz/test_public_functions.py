"""Random calls of all public functions with wrong arguments: each returns or raises, none ends the process.

DPEP_FUZZ_CALLS sets the number of calls (2,000 by default; 50,000 in nightly runs), DPEP_FUZZ_SEED the first seed.
"""

import os
import pathlib
import subprocess
import sys

import pytest

PROGRAM = pathlib.Path(__file__).with_name("calls.py")
CALLS = int(os.environ.get("DPEP_FUZZ_CALLS", "2000"))
FIRST_SEED = int(os.environ.get("DPEP_FUZZ_SEED", "1"))
IN_A_PROCESS = 500


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + CALLS // IN_A_PROCESS))
def test_calls_with_wrong_arguments_return_or_raise(seed, tmp_path):
    log = tmp_path / "call"
    command = [sys.executable, "-X", "faulthandler", PROGRAM, str(seed), str(IN_A_PROCESS), log]
    made = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    last = log.read_text() if log.exists() else "no call was made"
    assert made.returncode == 0, f"exit status {made.returncode}; last call: {last}\n{made.stdout}{made.stderr[-3000:]}"
