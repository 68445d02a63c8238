"""dpjit: signatures, inspection, options, and the settings of `numba_dpex.config`."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import dpjit, prange
from numba_dpex.core.exceptions import TypingError


def scaled_sum(x, k):
    t = 0.0
    for i in prange(x.size):
        t += x[i] * k
    return t


def size_of(x):
    return x.size


def product(x, k):
    return x * k


def nothing(x, k):
    x[0] = k


@pytest.mark.parametrize(
    "signature",
    [
        "float64(float64[:], int64)",
        " float64 ( float64 [ : ] , i8 ) ",
        "double(f8[::1], int64)",
        "(float64[:], int64)",
        ndx.float64(ndx.float64[:], ndx.int64),
        ndx.float64(ndx.usm_ndarray(1, "C", ndx.float64), ndx.i8),
        (ndx.float64[:], ndx.int64),
        ["int64(int64[:], int64)", "float64(float64[:], int64)"],
        [ndx.float32(ndx.float32[:], ndx.int64), (ndx.float64[:], ndx.int64)],
    ],
)
def test_forms_of_signatures(signature):
    function = dpjit(signature)(scaled_sum)
    result = function(dpnp.arange(4.0), 2)
    assert result == 12.0
    assert type(result) is float
    assert len(function.signatures) == (len(signature) if isinstance(signature, list) else 1)
    assert function(k=np.int32(3), x=dpnp.arange(4.0)) == 18.0


def test_text_of_signatures():
    function = dpjit(["float64(f8[:], int64)", (ndx.usm_ndarray(2, "F", ndx.f4), ndx.b1), "void(i4[:,::1], f4)"])(
        product
    )
    assert function.signatures == [
        "float64(float64[:], int64)",
        "(float32[::1, :], bool)",
        "void(int32[:, ::1], float32)",
    ]
    assert dpjit(product).signatures == []


@pytest.mark.parametrize(
    ("given", "result"), [(True, 2), (3, 6), (2.5, 5.0), (np.float32(2.5), 5.0), (np.uint8(3), 6), (1j, 2j)]
)
def test_arguments_choose_the_signature(given, result):
    function = dpjit(["int64(int64, int64)", "float64(float64, int64)", "complex128(complex128, int64)"])(product)
    value = function(given, 2)
    assert value == result
    assert type(value) is type(result)


def test_results_have_the_declared_type():
    x = dpnp.ones(3, dtype="f4")
    assert type(dpjit("int64(float32[:])")(size_of)(x)) is int
    assert type(dpjit("float32(float32[:])")(size_of)(x)) is float
    assert dpjit("float32[:](float32[:], float32)")(product)(x, 2).dtype == np.float32
    assert dpjit("void(float32[:], float32)")(nothing)(x, 2) is None
    for signature, function in [("int64(float32[:], int64)", product), ("void(float32[:], int64)", product)]:
        with pytest.raises(TypingError, match=r"product\(\) returned float64\[::1\], and its signature is"):
            dpjit(signature)(function)(x, 2)


def test_arguments_that_match_no_signature():
    function = dpjit("float64(float64[:], int64)")(scaled_sum)
    for given in [(dpnp.arange(4), 2), (dpnp.arange(4.0), 2.5), (dpnp.ones((2, 2)), 1), (3, 4), (dpnp.ones(3), None)]:
        with pytest.raises(TypingError, match="no signature matches the arguments"):
            function(*given)
    with pytest.raises(TypingError, match="no signature"):
        dpjit("float64(float64[::1], int64)")(scaled_sum)(dpnp.arange(8.0)[::2], 2)
    with pytest.raises(TypingError, match="missing a required argument"):
        function(dpnp.arange(4.0))
    with pytest.raises(TypingError, match="has 1 arguments, and scaled_sum"):
        dpjit("float64(float64[:])")(scaled_sum)


@pytest.mark.parametrize(
    ("signature", "phrase"),
    [
        ("float64", "is not a signature"),
        ("foo(int32)", "'foo' in a signature is not a type"),
        ("float64(float64[3])", r"'float64\[3\]' in a signature is not a type"),
        ("float64(float64[:1])", "is not an array"),
        ("float64(void[:])", "is not an array"),
        ("float64(float64[:]", "is not a signature"),
        (7, "expected a function or signatures, got int"),
        ([7], "expected a function or signatures, got int"),
        ((3, 4), "expected a function or signatures, got tuple"),
        ((ndx.core.types.ItemType(1),), "is not a type of numbers or arrays"),
    ],
)
def test_wrong_signatures(signature, phrase):
    with pytest.raises(TypeError, match=phrase):
        dpjit(signature)


def test_inspection():
    function = dpjit(scaled_sum)
    assert function.inspect_llvm() == function.inspect_asm() == []
    function(dpnp.arange(4.0), 2)
    function(dpnp.arange(4, dtype="i4"), 2)
    assert len(function.inspect_llvm()) == len(function.inspect_asm()) == 2
    text = io.StringIO()
    function.inspect_types(text)
    first, second = text.getvalue().splitlines()
    line = scaled_sum.__code__.co_firstlineno + 2
    assert first == f"scaled_sum, line {line}: k: int, t: float, x: a 1-dimensional array of float64"
    assert second.endswith("x: a 1-dimensional array of int32")


def test_options():
    accepted = dict.fromkeys(["nopython", "nogil", "parallel", "cache", "inline", "no_rewrites", "forceinline"], True)
    assert dpjit(**accepted, error_model="numpy", boundscheck=False)(scaled_sum)(dpnp.ones(3), 2) == 6
    for option in ["forceobj", "looplift", "locals", "boundscheck", "pipeline_class"]:
        with pytest.raises(NotImplementedError, match=f"the option {option} is not supported"):
            dpjit(**{option: True})
    with pytest.raises(NotImplementedError, match="error_model"):
        dpjit(error_model="python")


def test_settings(monkeypatch):
    config = ndx.config
    monkeypatch.delenv("DPEP_DUMP", raising=False)
    monkeypatch.setenv("DPEP_CACHE", "/nowhere")
    assert not config.DUMP_KERNEL_LLVM
    assert config.ENABLE_CACHE
    config.DUMP_KERNEL_LLVM = True
    assert os.environ["DPEP_DUMP"] == os.getcwd()
    config.SAVE_IR_FILES = False
    assert "DPEP_DUMP" not in os.environ
    config.ENABLE_CACHE = True
    assert os.environ["DPEP_CACHE"] == "/nowhere"
    config.ENABLE_CACHE = False
    assert os.environ["DPEP_CACHE"] == "off"
    monkeypatch.setattr(config, "INLINE_THRESHOLD", -1)
    with pytest.warns(UserWarning, match="INLINE_THRESHOLD is negative"):
        ndx.kernel(nothing)
    with pytest.raises(AttributeError, match="has no setting 'COLOURS'"):
        _ = config.COLOURS


def test_settings_from_the_environment(tmp_path):
    program = (
        "import os, numba_dpex.core.config as c; print(os.environ.get('DPEP_DUMP'), c.ENABLE_CACHE, c.INLINE_THRESHOLD)"
    )
    given = {"NUMBA_DPEX_SAVE_IR_FILES": "1", "NUMBA_DPEX_ENABLE_CACHE": "0", "NUMBA_DPEX_INLINE_THRESHOLD": "3"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | given | {"PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(tmp_path), "False", "3"]
    wrong = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"NUMBA_DPEX_INLINE_THRESHOLD": "x", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "NUMBA_DPEX_INLINE_THRESHOLD must be an integer, not 'x'" in wrong.stderr
