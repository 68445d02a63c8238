"""where, clip, type promotion, type information and namespace information."""

from __future__ import annotations

import itertools
import math

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import CODES, LAYOUTS, assert_same, laid_out, values


@pytest.mark.parametrize("extent", [6, 70])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_where(layout, extent):
    for codes in ("?dd", "?lf", "dbB", "F?l"):
        all_three = [laid_out(code, layout, i, extent=extent) for i, code in enumerate(codes)]
        (c, ours_c), (a, ours_a), (b, ours_b) = all_three
        assert_same(dpt.where(ours_c, ours_a, ours_b), np.where(c, a, b))
        assert_same(dpt.where(ours_c[:1], ours_a, ours_b[:, :1]), np.where(c[:1], a, b[:, :1]))


@pytest.mark.parametrize(("a", "b"), [(1, 2), (1, 2.5), (True, 3), (1j, 0), (0, dpt.inf)])
def test_where_with_numbers(a, b):
    c = values("?", (7,))
    assert_same(dpt.where(dpt.asarray(c), a, b), np.where(c, a, b))
    x = values("f", (7,))
    expected = np.where(c, x, np.asarray(b, np.result_type(np.float32, b)))
    assert_same(dpt.where(dpt.asarray(c), dpt.asarray(x), b), expected)


def test_where_with_out_that_overlaps_operands():
    x = np.arange(10.0)
    ours = dpt.asarray(x)
    out = dpt.where(ours > 4, ours, -ours, out=ours)
    assert out is ours
    assert_same(ours, np.where(x > 4, x, -x))


@pytest.mark.parametrize("size", [50, 5003])
@pytest.mark.parametrize("code", CODES[1:-2])
def test_clip(code, size):
    x = values(code, (size,), low=-10, high=10)
    ours = dpt.asarray(x)
    low, high = (2, 5) if code.isupper() else (-2, 5)
    for limits in ((low, high), (None, high), (low, None), (None, None)):
        expected = x if limits == (None, None) else np.clip(x, *limits)
        assert_same(dpt.clip(ours, *limits), expected)
    lows, highs = values(code, (size,), 1, -2, 0), values(code, (size,), 2, 1, 5)
    assert_same(dpt.clip(ours, dpt.asarray(lows), dpt.asarray(highs)), np.clip(x, lows, highs))
    assert_same(dpt.clip(ours, dpt.asarray(lows), high), np.clip(x, lows, high))


@pytest.mark.parametrize("size", [1, 50, 5003, 20000])
@pytest.mark.parametrize("code", "efdFD")
def test_clip_of_nan_and_to_nan(code, size):
    x = values(code, (size,), low=-10, high=10)
    x[::3] = np.nan
    for limits in ((-2, 5), (5, -2), (np.nan, 5), (-2, np.nan)):
        assert_same(dpt.clip(dpt.asarray(x), *limits), np.clip(x, *limits))


@pytest.mark.parametrize("size", [50, 5003])
def test_clip_in_place_to_an_element(size):
    x = np.arange(size) - 7.5
    for low, high in ((0, 20), (20, 30)):
        ours = dpt.asarray(x)
        dpt.clip(ours, ours[low], ours[high], out=ours)
        assert_same(ours, np.clip(x, x[low], x[high]))
        ours = dpt.asarray(x[::-1].copy())
        dpt.clip(ours, -100.0, ours[0], out=ours)
        assert_same(ours, np.clip(x[::-1], -100.0, x[-1]))


def test_clip_to_limits_beyond_the_dtype():
    x = np.arange(200, 210, dtype="u1")
    assert_same(dpt.clip(dpt.asarray(x), -5, 300), x)
    assert_same(dpt.clip(dpt.asarray(x), -5, 204), np.clip(x, 0, 204))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: dpt.where(True, x, x), TypeError),
        (lambda x: dpt.where(x, "a", x), ValueError),
        (lambda x: dpt.where(x, x, dpt.ones(4)), ValueError),
        (lambda x: dpt.where(x, x, x, out=dpt.empty(3, dtype="f8")), ValueError),
        (lambda x: dpt.clip(3, 0, 1), TypeError),
        (lambda x: dpt.clip(x, {}, 1), ValueError),
        (lambda x: dpt.clip(x, 0.5, 1), ValueError),
        (lambda x: dpt.clip(x, dpt.ones(3, dtype="i8")), ValueError),
        (lambda x: dpt.clip(x, 0, 1, out=3), TypeError),
        (lambda x: dpt.where(x, x, dpt.ones(3, sycl_queue=dpctl.SyclQueue())), dpctl.utils.ExecutionPlacementError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call(dpt.ones(3, dtype="i4"))


def test_result_type_agrees_with_numpy():
    for a, b in itertools.product(CODES, CODES):
        expected = np.result_type(np.dtype(a), np.dtype(b))
        assert dpt.result_type(np.dtype(a), np.dtype(b)) == expected
        assert dpt.result_type(dpt.ones(1, dtype=a), b) == expected
    for code, number in itertools.product(CODES, (True, 3, 2.5, 1j)):
        assert dpt.result_type(dpt.ones(1, dtype=code), number) == np.result_type(np.ones(1, code), number)
    with pytest.raises(TypeError):
        dpt.result_type("nonsense")
    with pytest.raises(ValueError, match="result_type"):
        dpt.result_type()


def test_can_cast_agrees_with_numpy():
    for a, b in itertools.product(CODES, CODES):
        for casting in ("no", "equiv", "safe", "same_kind", "unsafe"):
            expected = np.can_cast(a, b, casting)
            assert dpt.can_cast(a, b, casting=casting) == expected, (a, b, casting)
            assert dpt.can_cast(dpt.ones(1, dtype=a), b, casting=casting) == expected
    with pytest.raises(TypeError):
        dpt.can_cast("f4", dpt.ones(1))
    with pytest.raises(ValueError, match="casting"):
        dpt.can_cast("f4", "f8", casting="never")


@pytest.mark.parametrize("code", "bBhHiIlL")
def test_iinfo(code):
    for x in (code, np.dtype(code), dpt.ones(1, dtype=code)):
        limits, expected = dpt.iinfo(x), np.iinfo(code)
        assert (limits.min, limits.max, limits.bits) == (expected.min, expected.max, expected.bits)


@pytest.mark.parametrize("code", "efdFD")
def test_finfo(code):
    for x in (code, dpt.ones(1, dtype=code)):
        for field in ("bits", "eps", "epsneg", "max", "min", "smallest_normal", "tiny", "resolution", "precision"):
            found = getattr(dpt.finfo(x), field)
            assert found == getattr(np.finfo(code), field)
            assert type(found) is (int if field == "bits" else float)
    with pytest.raises(ValueError):
        dpt.finfo("O")


def test_kinds():
    assert dpt.isdtype(dpt.int32, ("bool", "integral")) and not dpt.isdtype(dpt.float32, "integral")
    for wrong, error in (("numbers", ValueError), (3, TypeError)):
        with pytest.raises(error):
            dpt.isdtype(dpt.int32, wrong)
    with pytest.raises(TypeError):
        dpt.isdtype("i4", "integral")


class TestCompositions:
    @pytest.mark.parametrize("n", [0, 1, 2, 3])
    @pytest.mark.parametrize("code", "?ldF")
    def test_diff(self, code, n):
        x = values(code, (4, 5))
        for axis in (0, 1, -1):
            assert_same(dpt.diff(dpt.asarray(x), axis=axis, n=n), np.diff(x, axis=axis, n=n))

    def test_diff_with_prepend_and_append(self):
        x, more = np.arange(12.0).reshape(3, 4) ** 2, np.ones((3, 2))
        for prepend, append in ((0, None), (None, 5), (more, 0), (more, more)):
            given = {k: v for k, v in (("prepend", prepend), ("append", append)) if v is not None}
            ours = {k: dpt.asarray(v) if isinstance(v, np.ndarray) else v for k, v in given.items()}
            assert_same(dpt.diff(dpt.asarray(x), **ours), np.diff(x, **given))
        for wrong in ({"n": -1}, {"prepend": dpt.ones(2)}, {"append": {}}):
            with pytest.raises(ValueError, match="diff"):
                dpt.diff(dpt.asarray(x), **wrong)
        with pytest.raises(np.exceptions.AxisError):
            dpt.diff(dpt.asarray(x), axis=2)

    @pytest.mark.parametrize("indexing", ["xy", "ij"])
    @pytest.mark.parametrize("lengths", [(), (3,), (3, 2), (2, 3, 4)])
    def test_meshgrid(self, lengths, indexing):
        axes = [np.arange(n) for n in lengths]
        found = dpt.meshgrid(*map(dpt.asarray, axes), indexing=indexing)
        expected = np.meshgrid(*axes, indexing=indexing)
        assert len(found) == len(expected)
        for ours, reference in zip(found, expected):
            assert_same(ours, reference)

    def test_meshgrid_refuses(self):
        for call, error in (
            (lambda: dpt.meshgrid([1]), TypeError),
            (lambda: dpt.meshgrid(dpt.ones((2, 2))), ValueError),
            (lambda: dpt.meshgrid(dpt.ones(2), dpt.ones(2, dtype="i4")), ValueError),
            (lambda: dpt.meshgrid(dpt.ones(2), indexing="yx"), ValueError),
        ):
            with pytest.raises(error):
                call()

    @pytest.mark.parametrize(
        ("a", "b", "close", "with_nan"),
        [
            ([1.0], [1.0 + 1e-9], True, True),
            ([1.0], [1.001], False, False),
            ([math.inf], [math.inf], True, True),
            ([math.inf], [-math.inf], False, False),
            ([math.inf], [1.0], False, False),
            ([math.nan], [math.nan], False, True),
            ([1j], [1j + 1e-10], True, True),
            ([complex(1, math.nan)], [complex(1, math.nan)], False, True),
            ([1], [1], True, True),
            ([1], [2], False, False),
            ([[1.0], [1.0]], [1.0], True, True),
        ],
    )
    def test_allclose(self, a, b, close, with_nan):
        a, b = dpt.asarray(a), dpt.asarray(b)
        assert bool(dpt.allclose(a, b)) is close
        assert bool(dpt.allclose(a, b, equal_nan=True)) is with_nan
        with pytest.raises(ValueError, match="tolerances"):
            dpt.allclose(a, b, atol=-1)


class TestNamespace:
    def test_all_names_exist(self):
        for name in dpt.__all__:
            assert getattr(dpt, name) is not None or name == "newaxis"
        assert set(dpt.__all__) <= set(dir(dpt))
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            dpt.nothing  # noqa: B018

    def test_inspection(self):
        info = dpt.__array_namespace_info__()
        assert dpt.__array_api_version__ == "2024.12"
        assert dpctl.select_default_device() == info.default_device()
        assert info.devices() == dpctl.get_devices()
        assert info.default_dtypes(device="cpu") == {
            "real floating": dpt.float64, "complex floating": dpt.complex128,
            "integral": dpt.int64, "indexing": dpt.int64,
        }  # fmt: skip
        assert list(info.dtypes(kind="complex floating")) == ["complex64", "complex128"]
        with pytest.raises(TypeError):
            info.dtypes(device=3)

    def test_functions_have_public_modules(self):
        assert dpt.zeros.__module__ == "dpctl.tensor" and dpt.zeros.__name__ == "zeros"
        assert (dpt.pi, dpt.e, dpt.inf) == (math.pi, math.e, math.inf) and dpt.nan != dpt.nan
