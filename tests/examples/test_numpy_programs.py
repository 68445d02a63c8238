"""examples/numpy_programs: each program has NumPy's results when only its import is changed."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys

import numpy as np
import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "numpy_programs"
specification = importlib.util.spec_from_file_location("numpy_programs_runner", FOLDER / "run.py")
runner = importlib.util.module_from_spec(specification)
specification.loader.exec_module(runner)


@pytest.mark.parametrize("name", runner.NAMES)
@pytest.mark.filterwarnings("ignore:(Mean of empty slice|invalid value|Degrees of freedom):RuntimeWarning")
def test_program_has_numpys_results(name):
    theirs, ours = (runner.load(name, module) for module in ("numpy", "dpnp"))
    expected, _ = runner.run(theirs, theirs.SMALL)
    got, _ = runner.run(ours, ours.SMALL)
    runner.compare(ours, got, expected)


def test_there_are_programs():
    assert len(runner.NAMES) >= 20


def test_a_program_runs_by_itself():
    done = subprocess.run([sys.executable, FOLDER / "qr_eigenvalues.py"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "Largest eigenvalues" in done.stdout


def test_the_runner_prints_a_table():
    command = [sys.executable, FOLDER / "run.py", "--only", "binomial", "--small", "--repetitions", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "| binomial_tree |" in done.stdout


@pytest.mark.parametrize(
    "got, fits", [([1.0, 2.0], True), ([1.0, 2.1], False), ([1.0], False), (np.float32([1, 2]), False)]
)
def test_results_are_compared(got, fits):
    program = runner.load("binomial_tree", "numpy")
    values = {"x": np.asarray(got)}, {"x": np.array([1.0, 2.0])}
    if fits:
        runner.compare(program, *values)
    else:
        with pytest.raises(runner.Different, match="x: "):
            runner.compare(program, *values)
