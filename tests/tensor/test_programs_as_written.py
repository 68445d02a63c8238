"""The programs of benchmarks/as_written, at module level and as functions, compared with NumPy."""

import importlib.util
import pathlib

import dpctl.tensor as dpt
import numpy as np
import pytest

PATH = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "as_written" / "run.py"
specification = importlib.util.spec_from_file_location("programs_as_written", PATH)
benchmark = importlib.util.module_from_spec(specification)
specification.loader.exec_module(benchmark)


@pytest.mark.parametrize("elements", [1000, 60_000])
@pytest.mark.parametrize("program", benchmark.PROGRAMS, ids=lambda p: p.name)
def test_results_are_numpys(program, elements):
    inputs = program.inputs(np.random.default_rng(1), elements)
    ours = {name: dpt.asarray(x) for name, x in inputs.items()}
    reference = benchmark.exact_results(program, inputs)
    for style, run in benchmark.candidates(program, dpt, ours, benchmark.stored).items():
        for _ in range(3):  # the second time, values of the first are alive; the third, loops are compiled
            benchmark.check(program, style, run(), reference)
