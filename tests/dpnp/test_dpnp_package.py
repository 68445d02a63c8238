"""The packages' tables of names: all names exist, and an import takes little longer than that of NumPy."""

import doctest
import importlib
import json
import pathlib
import subprocess
import sys

import dpctl.tensor as dpt
import dpnp as np
import pytest

PACKAGES = {"dpctl.tensor": dpt, "dpnp": np}
ALL_PACKAGES = PACKAGES | {"dpnp.polynomial": np.polynomial} | {
    f"dpnp.scipy{name}": thing for name, thing in {
        "": np.scipy, ".linalg": np.scipy.linalg, ".ndimage": np.scipy.ndimage, ".signal": np.scipy.signal,
        ".sparse": np.scipy.sparse, ".sparse.linalg": np.scipy.sparse.linalg,
        ".spatial": np.scipy.spatial, ".special": np.scipy.special,
    }.items()
}  # fmt: skip
# Modules of dpnp.scipy, with those that have no table of names.
SCIPY = [ALL_PACKAGES[name] for name in ALL_PACKAGES if name.startswith("dpnp.scipy")]
SCIPY += [np.scipy.signal.windows, np.scipy.spatial.distance]


@pytest.mark.parametrize("package", ALL_PACKAGES.values(), ids=ALL_PACKAGES)
def test_all_names_exist(package):
    assert {name for name in package.__all__ if getattr(package, name, None) is None} <= {"newaxis"}
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError, match="no_such_name"):
        package.no_such_name  # noqa: B018


def test_names_of_dpnp_are_public_in_their_modules():
    for module, names in np._MODULES.items():
        if module.startswith("dpnp."):
            assert set(names.split()) <= set(importlib.import_module(module).__all__), module


@pytest.mark.parametrize("package", ALL_PACKAGES.values(), ids=ALL_PACKAGES)
def test_stubs_have_the_same_names(package):
    stub = pathlib.Path(package.__file__).with_suffix(".pyi").read_text()
    scope = {"__package__": package.__name__}
    exec(compile(stub, "stub", "exec"), scope)
    assert scope["__all__"] == package.__all__
    for name in package.__all__:
        assert scope[name] is getattr(package, name), name


@pytest.mark.parametrize("package", SCIPY, ids=lambda m: m.__name__)
def test_examples_of_scipys_functions(package):
    said: list[str] = []
    for name in package.__all__:
        thing = getattr(package, name)
        if isinstance(thing, type) and (issubclass(thing, Exception) or name in ("sparray", "spmatrix")):
            continue
        assert ">>> " in thing.__doc__, name
        example = doctest.DocTestParser().get_doctest(thing.__doc__, {}, name, None, None)
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=said.append)
    assert not said, "".join(said)


def test_methods_are_imported_at_their_first_use():
    program = "import sys, dpnp; before = 'dpnp._reductions' in sys.modules; print(before, dpnp.ones(2).ptp())"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "False 0.0\n"
    assert callable(np.ndarray.ravel) and np.ndarray.conjugate is np.ndarray.conj


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_loads_little_beyond_numpy(package):
    program = f"""
import sys, json, numpy
before = set(sys.modules)
import {package}
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = json.loads(answer.stdout)
    assert package in loaded
    assert len(loaded) <= 16, loaded
