"""NumPy's names in dpnp: the table of coverage, modules, and names that are refused with a reason."""

from __future__ import annotations

import importlib
import subprocess
import sys

import dpctl
import dpnp
import numpy as np
import pytest
from dpep import _coverage
from reference import assert_same


def test_coverage_lists_all_of_numpys_names():
    found = {n.name: n for n in _coverage.namespaces()}
    main = found["numpy"]
    assert main.total == len(set(np.__all__))
    assert {"add", "ufunc", "nditer"} <= set(main.present)
    assert "datetime64" in main.refused and "x.view('i8')" in main.refused["datetime64"]
    assert main.missing == []
    assert found["numpy.ndarray"].missing == []
    assert {"sum", "flat", "base"} <= set(found["numpy.ndarray"].present)
    for name in main.present:
        assert getattr(dpnp, name, None) is not None or name == "newaxis"


def test_dpnp_has_nearly_all_of_numpys_names():
    of_numpy = [n for n in _coverage.namespaces() if n.name.startswith("numpy") and n.name != "numpy.testing"]
    assert sum(len(n.present) for n in of_numpy) >= 610  # 662 of NumPy 2.4


def test_coverage_is_a_command(tmp_path):
    file = tmp_path / "coverage.md"
    command = [sys.executable, "-m", "dpep", "coverage"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.startswith("namespace") and "numpy.lib.stride_tricks" in printed
    assert subprocess.run([*command, "--markdown", str(file)], capture_output=True, text=True, check=True).stdout == ""
    rows = [line for line in file.read_text().splitlines() if line.startswith("| `numpy")]
    assert len(rows) == len(_coverage._NAMESPACES)
    assert all(line.count("|") == 6 for line in rows)
    assert "| `scipy.special` |" in file.read_text()


def test_coverage_lists_scipys_names():
    found = {n.name: n for n in _coverage.namespaces()}
    for name in ("scipy.linalg", "scipy.special"):
        assert found[name].missing == []
        assert set(importlib.import_module(f"dpnp.{name}").__all__) <= set(found[name].present)
    assert {"lu", "expm"} <= set(found["scipy.linalg"].present)
    assert "dpnp.asnumpy" in found["scipy.special"].refused["betaincinv"]


@pytest.mark.parametrize(
    "name, instead",
    [("datetime64", "x.view"), ("str_", "NumPy"), ("matrix", "dpnp.array"), ("memmap", "dpnp.asarray"),
     ("recarray", "field"), ("object_", "field"), ("longdouble", "float64"), ("ma", "dpnp.where")],
)  # fmt: skip
def test_names_that_are_refused_say_what_to_use(name, instead):
    assert not hasattr(dpnp, name)
    with pytest.raises(AttributeError, match=rf"module 'dpnp' has no attribute '{name}': .*{instead}"):
        getattr(dpnp, name)


@pytest.mark.parametrize("name", ["config", "exceptions", "lib", "lib.stride_tricks", "lib.array_utils", "testing"])
def test_modules(name):
    module = importlib.import_module(f"dpnp.{name}")
    assert module.__all__ and module.__doc__
    for each in module.__all__:
        assert hasattr(module, each), each


def test_exceptions():
    with pytest.raises(dpnp.exceptions.AxisError):
        dpnp.sum(dpnp.ones(2), axis=1)
    with pytest.raises(dpnp.exceptions.ExecutionPlacementError):
        dpnp.add(dpnp.ones(2, sycl_queue=dpctl.SyclQueue()), dpnp.ones(2, sycl_queue=dpctl.SyclQueue()))
    with pytest.raises(dpnp.exceptions.LinAlgError):
        dpnp.linalg.inv(dpnp.zeros((2, 2)))


def test_options():
    assert dpnp.config.__DPNP_RAISE_EXCEPION_ON_NUMPY_FALLBACK__ in (0, 1)


class TestAssertions:
    @pytest.mark.parametrize(
        "name", ["assert_allclose", "assert_array_equal", "assert_equal", "assert_array_almost_equal"]
    )
    def test_arrays_are_compared(self, name):
        check = getattr(dpnp.testing, name)
        check(dpnp.arange(3), np.arange(3))
        check([dpnp.arange(3)], [dpnp.arange(3)]) if name == "assert_equal" else check(dpnp.arange(3), [0, 1, 2])
        with pytest.raises(AssertionError):
            check(dpnp.arange(3), dpnp.arange(3) + 1)

    def test_functions_are_called_with_arrays(self):
        dpnp.testing.assert_raises(ValueError, dpnp.reshape, dpnp.ones(3), (2, 2))
        dpnp.testing.assert_array_max_ulp(dpnp.ones(2), np.ones(2))
        with dpnp.testing.assert_raises_regex(ValueError, "elements"):
            dpnp.ones(3).reshape(2, 2)


@pytest.mark.parametrize("name", ["sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh"])
@pytest.mark.parametrize("code", "ifdD")
def test_functions_of_emath(name, code):
    for numbers in ([-3.0, -0.5, 0.5, 2.0], [0.25, 0.5]):
        a = np.array(numbers).astype(code)
        if code == "i":
            a = a[a != 0] if "log" in name else a
            a = a[np.abs(a) != 1] if name == "arctanh" else a
        if a.size == 0:
            continue
        expected = getattr(np.emath, name)(a)
        ours = getattr(dpnp.emath, name)(dpnp.asarray(a))
        assert ours.dtype.kind == expected.dtype.kind
        # On the branch cuts, the sign of the imaginary part is that of zero imaginary parts of the arguments.
        np.testing.assert_allclose(np.abs(dpnp.asnumpy(ours)), np.abs(expected), rtol=1e-5)
        np.testing.assert_allclose(dpnp.asnumpy(ours).real, expected.real, rtol=1e-5, atol=1e-6)


def test_powers_of_emath():
    a = np.array([-8.0, 4.0])
    for p in (0.5, 2, -1):
        np.testing.assert_allclose(dpnp.asnumpy(dpnp.emath.power(dpnp.asarray(a), p)), np.emath.power(a, p), atol=1e-12)
    assert_same(dpnp.emath.power(dpnp.array([2, 4]), -1), np.emath.power(np.array([2, 4]), -1))
    np.testing.assert_allclose(dpnp.asnumpy(dpnp.emath.logn(2, dpnp.asarray(a))).real, np.emath.logn(2, a).real)


def test_configuration(capsys):
    assert dpnp.show_config() is None
    assert "Versions" in capsys.readouterr().out
    found = dpnp.show_config(mode="dicts")
    assert found["Versions"]["numpy"] == np.__version__ and found["Devices"]
    with pytest.raises(ValueError, match="mode"):
        dpnp.show_config("loud")


def test_type_names():
    assert dpnp.sctypeDict["float32"] is np.float32
    assert all(np.dtype(t).char in "?bBhHiIlLqQefdFD" for t in dpnp.sctypeDict.values())


def test_arrays_in_annotations():
    assert dpnp.ndarray[tuple[int], np.dtype[np.float64]].__origin__ is dpnp.ndarray
