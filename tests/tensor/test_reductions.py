"""Reductions and accumulations agree with NumPy's."""

from __future__ import annotations

import itertools

import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import CODES, FLOATS, LAYOUTS, assert_same, laid_out, values

AXES = [None, *range(3), -1, (0, 1), (0, 2), (2, 1), (0, 1, 2), ()]
WIDEST = {"?": "l", **dict.fromkeys("bhil", "l"), **dict.fromkeys("BHIL", "L")}
NUMPY = {
    "sum": lambda x, **k: np.sum(x, dtype=WIDEST.get(x.dtype.char, x.dtype), **k),
    "prod": lambda x, **k: np.prod(x, dtype=WIDEST.get(x.dtype.char, x.dtype), **k),
    "max": np.max,
    "min": np.min,
    "all": np.all,
    "any": np.any,
    "count_nonzero": lambda x, **k: np.asarray(np.count_nonzero(x, **k)),
}
ULPS = 64  # sums of some hundred elements, added in another order


def three_axes(code: str) -> np.ndarray:
    return values(code, (4, 5, 6), low=-2, high=2) if code in FLOATS else values(code, (4, 5, 6), low=-1, high=1)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", NUMPY)
def test_values(name, code):
    x = three_axes(code)
    ours = dpt.asarray(x)
    for axis, keepdims in itertools.product(AXES, (False, True)):
        if name == "count_nonzero" and axis == ():
            continue  # for axis=() NumPy counts all elements
        expected = NUMPY[name](x, axis=axis, keepdims=keepdims)
        found = getattr(dpt, name)(ours, axis=axis, keepdims=keepdims)
        if code in FLOATS and name in ("sum", "prod"):
            scale = 1e-2 if code == "e" else np.finfo(code).eps * 500
            assert dpt.asnumpy(found).shape == np.shape(expected)
            np.testing.assert_allclose(dpt.asnumpy(found), expected, rtol=scale, atol=scale)
            assert found.dtype == expected.dtype
        else:
            assert_same(found, expected)


@pytest.mark.parametrize("extent", [6, 70])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_layouts(layout, axis, extent):
    for code in "ld":
        x, ours = laid_out(code, layout, low=1, extent=extent)
        for name in ("sum", "max", "mean"):
            reference = np.mean if name == "mean" else NUMPY[name]
            assert_same(getattr(dpt, name)(ours, axis=axis), reference(x, axis=axis), ULPS)
        for name in ("argmin", "cumulative_sum") if axis in (0, 1) else ():
            reference = np.argmin if name == "argmin" else np.cumsum
            assert_same(getattr(dpt, name)(ours, axis=axis), reference(x, axis=axis), ULPS)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_indices_of_extremes(name, code):
    x = three_axes(code)
    for axis in (None, 0, 1, 2, -1):
        for keepdims in (False, True):
            expected = getattr(np, name)(x, axis=axis, keepdims=keepdims)
            assert_same(getattr(dpt, name)(dpt.asarray(x), axis=axis, keepdims=keepdims), np.asarray(expected))


@pytest.mark.parametrize("name", ["argmax", "argmin", "max", "min"])
def test_nan_propagates(name):
    x = values("d", (40,))
    x[7] = x[20] = np.nan
    assert_same(getattr(dpt, name)(dpt.asarray(x)), np.asarray(getattr(np, name)(x)))


@pytest.mark.parametrize("code", CODES)
def test_mean_variance_deviation(code):
    x = three_axes(code)
    ours = dpt.asarray(x)
    wide = "D" if code in "FD" else "d"
    result = code if code in FLOATS else "d"
    t = np.finfo(result).eps * 16
    for axis, keepdims in itertools.product(AXES[:-1], (False, True)):
        found = dpt.mean(ours, axis=axis, keepdims=keepdims)
        expected = np.mean(x.astype(wide), axis=axis, keepdims=keepdims)
        assert found.dtype == result and found.shape == expected.shape
        np.testing.assert_allclose(dpt.asnumpy(found), expected, rtol=t, atol=t)
        if wide == "D":
            continue
        for name, correction in itertools.product(("var", "std"), (0, 1, 2.5)):
            found = getattr(dpt, name)(ours, axis=axis, correction=correction, keepdims=keepdims)
            expected = getattr(np, name)(x.astype(wide), axis=axis, ddof=correction, keepdims=keepdims)
            assert found.dtype == result and found.shape == expected.shape
            np.testing.assert_allclose(dpt.asnumpy(found), expected, rtol=4 * t, atol=4 * t)


@pytest.mark.parametrize("name", ["var", "std"])
def test_variance_of_complex_numbers_is_refused(name):
    with pytest.raises(ValueError, match="complex"):
        getattr(dpt, name)(dpt.ones(3, dtype="c8"))
    with pytest.raises(TypeError, match="correction"):
        getattr(dpt, name)(dpt.ones(3), correction="1")
    with pytest.raises(OverflowError):
        getattr(dpt, name)(dpt.ones(3), correction=10**400)


@pytest.mark.parametrize("code", "?bLefd")
def test_of_exponentials_and_squares(code):
    x = three_axes(code)
    result = code if code in "efd" else "d"
    t = np.finfo(result).eps * 32
    for axis in (None, 0, 2, (0, 1)):
        ours = dpt.logsumexp(dpt.asarray(x), axis=axis)
        assert ours.dtype == result
        np.testing.assert_allclose(dpt.asnumpy(ours), np.log(np.sum(np.exp(x.astype("d")), axis=axis)), rtol=t, atol=t)
        ours = dpt.reduce_hypot(dpt.asarray(x), axis=axis)
        assert ours.dtype == result
        np.testing.assert_allclose(dpt.asnumpy(ours), np.sqrt(np.sum(x.astype("d") ** 2, axis=axis)), rtol=t, atol=t)


def exponents(code):
    """Numbers whose exponentials have any size, by name."""
    random, inf = np.random.default_rng(1), np.inf
    largest = np.finfo(code).max
    return {
        "normal": random.normal(size=30_000),
        "of all signs and sizes": random.normal(size=30_000) * 1000,
        "large": random.normal(size=3000) * (float(largest) / 8),
        "increasing": np.linspace(-2000, 2000, 30_000),
        "decreasing": np.linspace(2000, -2000, 30_000),
        "close to 0": random.normal(size=1000) * 1e-4,
        "with infinities": np.array([-inf] * 500 + [1.0] * 1500 + [inf] + [2.0] * 1000),
        "with nan": np.array([1.0] * 700 + [np.nan, 2.0, inf]),
        "zeros": np.full(3000, -inf),
        "the largest": np.array([1.0, largest, 2.0, largest]),
    }


@pytest.mark.parametrize("code", "efd")
@pytest.mark.parametrize("name", exponents("d"))
def test_logsumexp_of_numbers_of_any_size(name, code):
    x = exponents(code)[name].astype(code)
    with np.errstate(all="ignore"):
        expected = np.logaddexp.accumulate(x.astype(np.longdouble)).astype(code).astype(np.longdouble)
    t = np.finfo(code).eps * 64
    for found, wanted in [
        (dpt.cumulative_logsumexp(dpt.asarray(x)), expected),
        (dpt.logsumexp(dpt.asarray(x)), expected[-1]),
        (dpt.logsumexp(dpt.asarray(np.tile(x, (3, 1))), axis=1), np.tile(expected[-1], 3)),
        (dpt.logsumexp(dpt.asarray(np.tile(x[:, None], (1, 5))), axis=0), np.tile(expected[-1], 5)),
    ]:
        np.testing.assert_allclose(dpt.asnumpy(found).astype(np.longdouble), wanted, rtol=t, atol=t)


@pytest.mark.parametrize("code", "?bhfdD")
def test_rows_of_every_length(code):
    """Lengths around those of vectors and of the work-items of a row, in rows that are aligned to all powers of two."""
    for columns in [*range(1, 40), 62, 64, 66, 120, 125, 127, 128, 129, 248, 255, 257, 496, 500, 511, 513, 1000, 1025]:
        x = values(code, (300, columns), columns)
        ours = dpt.asarray(x)
        t = np.finfo(code).eps * 2 * columns if code in "fdD" else 0
        for name in ("any", "count_nonzero", "sum") if code != "?" else ("any", "all", "count_nonzero"):
            expected = getattr(np, name)(x, axis=1)
            np.testing.assert_allclose(dpt.asnumpy(getattr(dpt, name)(ours, axis=1)), expected, rtol=t, atol=4 * t)
        if code not in "?D":
            assert_same(dpt.max(ours, axis=1), x.max(axis=1), 0)
            assert_same(dpt.argmax(ours, axis=1), x.argmax(axis=1), 0)


def test_no_intermediate_overflow():
    assert_same(dpt.logsumexp(dpt.asarray([1e4, 1e4])), np.asarray(1e4 + np.log(2)))
    assert_same(dpt.reduce_hypot(dpt.asarray([3e200, 4e200])), np.asarray(5e200))


@pytest.mark.parametrize("wanted", "lfdD")
@pytest.mark.parametrize("code", "?bld")
def test_dtype(code, wanted):
    if code == "d" and wanted == "l":
        return  # as in dpctl, elements are cast before the sum
    x = three_axes(code)
    assert_same(dpt.sum(dpt.asarray(x), axis=0, dtype=wanted), np.sum(x, axis=0, dtype=wanted), ULPS)
    assert_same(dpt.cumulative_sum(dpt.asarray(x), axis=0, dtype=wanted), np.cumsum(x, axis=0, dtype=wanted), ULPS)


def test_out():
    x, out = dpt.ones((3, 4)), dpt.empty(4)
    assert dpt.sum(x, axis=0, out=out) is out
    assert_same(out, np.full(4, 3.0))
    kept = dpt.empty((1, 4))
    assert dpt.max(x, axis=0, keepdims=True, out=kept) is kept
    assert_same(kept, np.ones((1, 4)))
    with pytest.raises(ValueError, match=r"[Oo]ut"):
        dpt.sum(x, axis=1, out=out)
    with pytest.raises(ValueError, match=r"[Oo]ut"):
        dpt.sum(x, axis=0, out=dpt.empty(4, dtype="f4"))
    with pytest.raises(TypeError, match=r"[Oo]ut"):
        dpt.sum(x, axis=0, out=np.empty(4))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3)])
def test_empty_arrays(shape):
    x = np.zeros(shape)
    ours = dpt.asarray(x)
    for axis in (None, 0, -1):
        for name in ("sum", "prod", "all", "any", "count_nonzero"):
            assert_same(getattr(dpt, name)(ours, axis=axis), NUMPY[name](x, axis=axis))
        nothing = x.size == 0 if axis is None else shape[axis] == 0
        for name in ("max", "min", "argmax", "argmin"):
            if nothing:
                with pytest.raises(ValueError, match=name):
                    getattr(dpt, name)(ours, axis=axis)


@pytest.mark.parametrize("name", ["sum", "max", "argmax", "all", "mean", "cumulative_sum"])
def test_refusals(name):
    f = getattr(dpt, name)
    with pytest.raises(TypeError, match="usm_ndarray"):
        f([1, 2])
    with pytest.raises(np.exceptions.AxisError):
        f(dpt.ones((2, 3)), axis=2)
    if name not in ("argmax", "cumulative_sum"):
        with pytest.raises(ValueError, match=r"twice|duplicate"):
            f(dpt.ones((2, 3)), axis=(0, -2))
    else:
        with pytest.raises(TypeError):
            f(dpt.ones((2, 3)), axis=(0,))


class TestAccumulations:
    @pytest.mark.parametrize("code", CODES)
    def test_values(self, code):
        x = three_axes(code)
        ours = dpt.asarray(x)
        result = WIDEST.get(code, code)
        for axis in (0, 1, 2, -1):
            for name, reference in (("cumulative_sum", np.cumsum), ("cumulative_prod", np.cumprod)):
                expected = reference(x, axis=axis, dtype=result)
                found = getattr(dpt, name)(ours, axis=axis)
                assert found.dtype == result and found.shape == expected.shape
                t = tolerance_of(result)
                np.testing.assert_allclose(dpt.asnumpy(found), expected, rtol=t, atol=t)

    @pytest.mark.parametrize("code", "?bfd")
    def test_logsumexp(self, code):
        x = three_axes(code)
        result = code if code in "fd" else "d"
        expected = np.logaddexp.accumulate(x.astype(result), axis=1)
        found = dpt.cumulative_logsumexp(dpt.asarray(x), axis=1)
        assert found.dtype == result
        np.testing.assert_allclose(dpt.asnumpy(found), expected, rtol=tolerance_of(result), atol=tolerance_of(result))

    @pytest.mark.parametrize(("name", "first"), [("sum", 0.0), ("prod", 1.0), ("logsumexp", -np.inf)])
    def test_include_initial(self, name, first):
        found = dpt.asnumpy(getattr(dpt, f"cumulative_{name}")(dpt.ones((2, 3)), axis=1, include_initial=True))
        assert found.shape == (2, 4)
        assert (found[:, 0] == first).all()

    def test_axis_is_optional_for_1d_arrays(self):
        assert_same(dpt.cumulative_sum(dpt.arange(4)), np.cumsum(np.arange(4)))
        with pytest.raises(ValueError, match="axis"):
            dpt.cumulative_sum(dpt.ones((2, 2)))

    def test_0d_arrays(self):
        x = dpt.asarray(3)
        assert_same(dpt.cumulative_sum(x), np.asarray(3))
        assert_same(dpt.cumulative_sum(x, include_initial=True), np.asarray([0, 3]))
        out = dpt.asarray(0)
        assert dpt.cumulative_sum(x, out=out) is out
        assert_same(out, np.asarray(3))

    @pytest.mark.parametrize("size", [1, 31, 1000, 100_003])
    def test_sizes(self, size):
        x = np.arange(size) % 7
        assert_same(dpt.cumulative_sum(dpt.asarray(x)), np.cumsum(x))
        assert_same(dpt.sum(dpt.asarray(x)), np.asarray(np.sum(x)))


def tolerance_of(code: str) -> float:
    return {"e": 2e-2, "f": 2e-5, "F": 2e-5, "d": 1e-13, "D": 1e-13}.get(code, 0)
