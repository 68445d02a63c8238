"""The example of kernels in OpenCL C and SPIR-V."""

import pathlib
import subprocess
import sys

from building import needs_compiler

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "programs" / "two_languages.py"


def test_both_languages_sort_groups():
    needs_compiler()
    done = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["OpenCL", "SPIR-V"]
    for line in lines:
        numbers = [float(n) for n in line[line.index("[") + 1 : line.index("]")].split()]
        assert numbers == [0, 1, 2, 3, 6, 7, 8, 9]
