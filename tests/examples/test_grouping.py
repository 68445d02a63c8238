"""The example with oneDPL's algorithms: it builds by setuptools, and agrees with NumPy."""

import os
import pathlib

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from building import build_by_setuptools

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "grouping"


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    return build_by_setuptools(EXAMPLE, os.fspath(tmp_path_factory.mktemp("grouping")), "grouping", "demo")


def test_the_program_prints_small_errors(modules, capsys):
    modules[1].main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1000 groups") and float(lines[0].split()[-1]) < 1e-9
    assert abs(float(lines[1].split()[-1]) - 0.5) < 1e-4


@pytest.mark.parametrize("n", [0, 1, 17, 300_001])
@pytest.mark.parametrize("groups", [1, 10, 10**6])
def test_sums_by_key(modules, n, groups):
    random = np.random.default_rng(3)
    keys, values = random.integers(-groups, groups, n), np.round(random.random(n) * 100)
    found, sums = modules[0].sums_by_key(dpt.asarray(keys), dpt.asarray(values))
    expected, inverse = np.unique(keys, return_inverse=True)
    np.testing.assert_array_equal(dpt.asnumpy(found), expected)
    np.testing.assert_array_equal(dpt.asnumpy(sums), np.bincount(inverse, values, minlength=len(expected)))


@pytest.mark.parametrize("n", [0, 1, 1000, 100_000])
def test_sorted_by_distance(modules, n):
    values = np.random.default_rng(4).random(n)
    found = dpt.asnumpy(modules[0].sorted_by_distance(dpt.asarray(values), 0.25))
    np.testing.assert_array_equal(found, values[np.argsort(np.abs(values - 0.25), kind="stable")])


def test_refuses_bad_arguments(modules):
    module, _ = modules
    keys, values = dpt.arange(3, dtype="i8"), dpt.ones(3, dtype="f8")
    with pytest.raises(TypeError, match="vector of int64"):
        module.sums_by_key(values, values)
    with pytest.raises(TypeError, match="C-contiguous"):
        module.sums_by_key(keys, dpt.ones(6, dtype="f8")[::2])
    with pytest.raises(ValueError, match="one length"):
        module.sums_by_key(keys, dpt.ones(4, dtype="f8"))
    other = dpctl.SyclQueue(property="in_order")
    with pytest.raises(ValueError, match="one queue"):
        module.sums_by_key(keys, dpt.ones(3, dtype="f8", sycl_queue=other))
    with pytest.raises(TypeError):
        module.sums_by_key(np.arange(3), values)
