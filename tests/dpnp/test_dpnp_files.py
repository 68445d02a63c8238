"""dpnp's files, printing options and the methods of arrays that copy bytes, compared with NumPy's."""

from __future__ import annotations

import io
import pathlib

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest

DTYPES = ["bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64", "complex128"]
LAYOUTS = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T,
    "reversed": lambda a: a[::-1, ::2],
    "0-d": lambda a: a[0, 0],
    "empty": lambda a: a[:0],
}


def same(ours: object, expected: numpy.ndarray) -> None:
    assert isinstance(ours, dpnp.ndarray)
    numpy.testing.assert_array_equal(dpnp.asnumpy(ours), expected, strict=True)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_npy_and_bytes(dtype: str, layout: str) -> None:
    a = numpy.arange(12).reshape(3, 4).astype(dtype)
    view, x = LAYOUTS[layout](a), LAYOUTS[layout](dpnp.asarray(a))
    ours, theirs = io.BytesIO(), io.BytesIO()
    dpnp.save(ours, x)
    numpy.save(theirs, view)
    same(dpnp.load(io.BytesIO(theirs.getvalue())), view)
    numpy.testing.assert_array_equal(numpy.load(io.BytesIO(ours.getvalue())), view, strict=True)
    for order in ("C", "F"):
        assert x.tobytes(order) == view.tobytes(order)


@pytest.mark.parametrize("function", ["savez", "savez_compressed"])
def test_npz(function: str, tmp_path: pathlib.Path) -> None:
    a, b = numpy.arange(5), numpy.ones((2, 2), "f4")
    getattr(dpnp, function)(tmp_path / "x.npz", dpnp.asarray(a), named=dpt.asarray(b))
    with numpy.load(tmp_path / "x.npz") as theirs:
        assert sorted(theirs) == ["arr_0", "named"]
        numpy.testing.assert_array_equal(theirs["named"], b, strict=True)
    with dpnp.load(tmp_path / "x.npz") as ours:
        assert sorted(ours) == sorted(ours.files) == ["arr_0", "named"]
        assert len(ours) == 2
        same(ours["arr_0"], a)
        same(ours["named"], b)


def test_placement_of_loaded_arrays(tmp_path: pathlib.Path) -> None:
    dpnp.save(tmp_path / "x.npy", dpnp.arange(3))
    assert dpnp.load(tmp_path / "x.npy", usm_type="shared").usm_type == "shared"


def test_text() -> None:
    a = numpy.array([[1.5, 2], [3, 4]])
    ours, theirs = io.StringIO(), io.StringIO()
    dpnp.savetxt(ours, dpnp.asarray(a), fmt="%.3f", delimiter=",")
    numpy.savetxt(theirs, a, fmt="%.3f", delimiter=",")
    assert ours.getvalue() == theirs.getvalue()
    same(dpnp.loadtxt(io.StringIO(ours.getvalue()), delimiter=","), a)
    same(dpnp.genfromtxt(io.StringIO("1,,3"), delimiter=","), numpy.array([1, numpy.nan, 3]))


def test_tofile(tmp_path: pathlib.Path) -> None:
    a = numpy.arange(6).reshape(2, 3)
    dpnp.asarray(a).T.tofile(tmp_path / "x")
    same(dpnp.fromfile(tmp_path / "x", dtype="i8"), a.T.ravel())
    dpnp.asarray(a).tofile(tmp_path / "x", sep=";")
    assert (tmp_path / "x").read_text() == "0;1;2;3;4;5"


def test_print_options() -> None:
    before, theirs = dpnp.get_printoptions(), numpy.get_printoptions()
    with dpnp.printoptions(precision=2):
        assert repr(dpnp.array([1 / 3])) == "array([0.33])"
        dpnp.set_printoptions(precision=3, suppress=True)
        assert repr(dpnp.array([1 / 3])) == "array([0.333])"
        assert numpy.get_printoptions() == theirs
    assert dpnp.get_printoptions() == before
    with pytest.raises(TypeError, match="formatter must be a dict of functions, got 'x'"):
        dpnp.set_printoptions(formatter="x")
    with dpnp.printoptions(formatter={"float": "{:.1f}".format}):
        assert repr(dpnp.array([1 / 3])) == "array([0.3])"
        dpnp.set_printoptions(precision=2)
        assert repr(dpnp.array([1 / 3])) == "array([0.33])"
    with pytest.raises(NotImplementedError, match=r"printoptions: legacy='1\.13' is not supported"):
        dpnp.printoptions(legacy="1.13")


def test_array2string() -> None:
    a = numpy.arange(12).reshape(3, 4) / 7
    x = dpnp.asarray(a)
    for options in (
        {},
        {"precision": 2},
        {"separator": ", "},
        {"threshold": 5, "edgeitems": 1},
        {"max_line_width": 20},
        {"formatter": {"float_kind": "{:.1f}".format}},
    ):
        assert dpnp.array2string(x, **options) == numpy.array2string(a, **options)
        assert dpnp.array2string(x, suffix=")", **options) == numpy.array2string(a, suffix=")", **options)


def test_flags_and_data() -> None:
    x = dpnp.zeros(3)
    x.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    x.setflags(write=True, align=True, uic=False)
    x[0] = 1
    with pytest.raises(ValueError, match="setflags: arrays are always aligned"):
        x.setflags(align=False)
    with pytest.raises(AttributeError, match=r"data: memory of devices is no buffer .* x\.asnumpy\(\)\.data"):
        _ = x.data


def test_numpys_own_names() -> None:
    for name in ("s_", "index_exp", "half", "ScalarType", "typecodes", "ndindex", "errstate", "base_repr"):
        assert getattr(dpnp, name) is getattr(numpy, name)
    with pytest.raises(TypeError, match="float128"):
        dpnp.zeros(2, dtype="longdouble")
