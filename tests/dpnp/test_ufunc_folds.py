"""Accumulations and reductions of segments by ufuncs: NumPy's results for all dtypes, few and many elements."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest

INTEGERS = ("i1", "u1", "i2", "u4", "i4", "i8", "u8")
FLOATS = ("f2", "f4", "f8")
# ufunc: the dtypes of elements
FUNCTIONS = {
    "maximum": ("?", *INTEGERS, *FLOATS, "c8", "c16"),
    "minimum": ("?", *INTEGERS, *FLOATS, "c8", "c16"),
    "fmax": (*INTEGERS, *FLOATS),
    "fmin": (*INTEGERS, *FLOATS),
    "bitwise_and": ("?", *INTEGERS),
    "bitwise_or": ("?", *INTEGERS),
    "bitwise_xor": ("?", *INTEGERS),
    "logical_and": ("?", "i4", "f8"),
    "logical_or": ("?", "i4", "f8"),
    "logical_xor": ("?", "i4", "f8"),
    "gcd": INTEGERS,
    "logaddexp": ("f4", "f8"),
    "logaddexp2": ("f4", "f8"),
    "hypot": ("f4", "f8"),
    "add": ("?", *INTEGERS, "f4", "f8", "c8", "c16"),
    "multiply": ("?", *INTEGERS, "f4", "f8", "c16"),
    "subtract": ("i4", "f4", "f8"),
    "divide": ("f4", "f8"),
    "floor_divide": ("i4", "f8"),
    "remainder": ("i4", "f8"),
    "left_shift": ("i8",),
}
CASES = [(name, dtype) for name, dtypes in FUNCTIONS.items() for dtype in dtypes]


def elements_for(name: str, dtype: str, shape) -> np.ndarray:
    numbers = np.random.default_rng(7)
    if dtype == "?":
        return numbers.random(shape) < 0.5
    if dtype[0] in "iu":
        return numbers.integers(1, 3 if name in ("multiply", "left_shift") else 100, shape).astype(dtype)
    if name in ("multiply", "divide", "floor_divide"):
        return numbers.uniform(0.999, 1.001, shape).astype(dtype)
    x = numbers.uniform(-10, 10, shape)
    if dtype[0] == "c":
        return (x + 1j * numbers.uniform(-10, 10, shape)).astype(dtype)
    x = x.astype(dtype)
    if name in ("maximum", "minimum", "fmax", "fmin") and x.size > 4:
        x.flat[x.size // 2] = np.nan
    return x


def starts_for(length: int) -> np.ndarray:
    """Segments of one element, short and long ones, in any order."""
    numbers = np.random.default_rng(3)
    some = np.sort(numbers.integers(0, length, 300))
    return np.concatenate(([0, 0, length - 1, length // 3], some, [length // 2]))


def assert_same(ours, theirs) -> None:
    found = dpnp.asnumpy(ours)
    assert found.dtype == theirs.dtype
    if theirs.dtype.kind in "fc":
        # NumPy applies the function to one element after the other, which rounds at each of up to 300,000
        precision = {"f": 5e-3, "F": 5e-3, "e": 1e-2}.get(theirs.dtype.char, 1e-12)
        np.testing.assert_allclose(found, theirs, rtol=precision, atol=precision * np.nanmax(np.abs(theirs)))
    else:
        np.testing.assert_array_equal(found, theirs)


@pytest.mark.parametrize("size", [1, 10, 300_000])
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_segments(name, dtype, size):
    if size > 10 and name in ("left_shift", "floor_divide", "remainder"):
        size = 20_000  # applied in order
    x, starts = elements_for(name, dtype, size), starts_for(size)
    with np.errstate(all="ignore"):
        expected = getattr(np, name).reduceat(x, starts)
    assert_same(getattr(dpnp, name).reduceat(dpnp.asarray(x), starts), expected)


@pytest.mark.parametrize("size", [1, 10, 300_000])
@pytest.mark.parametrize(("name", "dtype"), [c for c in CASES if c[0] not in ("add", "multiply")])
def test_accumulations(name, dtype, size):
    if size > 10 and name in ("left_shift", "floor_divide", "remainder", "divide"):
        size = 2000
    x = elements_for(name, dtype, size)
    with np.errstate(all="ignore"):
        expected = getattr(np, name).accumulate(x)
    assert_same(getattr(dpnp, name).accumulate(dpnp.asarray(x)), expected)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("name", ["maximum", "bitwise_xor", "subtract"])
def test_axes_and_layouts(name, axis):
    whole = elements_for(name, "i4", (40, 30, 50))
    for x, y in [
        (whole, dpnp.asarray(whole)),
        (whole[::-2, 1:, ::3], dpnp.asarray(whole)[::-2, 1:, ::3]),
        (whole.T, dpnp.asarray(whole).T),
    ]:
        function, ours = getattr(np, name), getattr(dpnp, name)
        starts = np.array([0, 5, 3, x.shape[axis] - 1])
        assert_same(ours.reduceat(y, starts, axis=axis), function.reduceat(x, starts, axis=axis))
        assert_same(ours.accumulate(y, axis=axis), function.accumulate(x, axis=axis))


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize(("length", "count"), [(30, 5), (5000, 3), (5000, 1000), (300_000, 2), (300_000, 60_000)])
def test_sums_products_and_extremes_of_segments(dtype, length, count):
    random = np.random.default_rng(length)
    x = (random.integers(1, 3, length) * (0.75 if np.dtype(dtype).kind in "fc" else 1)).astype(dtype)
    if dtype == "float64":
        x[::101] = np.nan
    starts = np.sort(random.choice(length, count, replace=False))
    for name in ("add", "multiply", "maximum", "minimum"):
        with np.errstate(all="ignore"):
            expected = getattr(np, name).reduceat(x.astype("c16") if dtype == "complex64" else x, starts)
        found = dpnp.asnumpy(getattr(dpnp, name).reduceat(dpnp.asarray(x), dpnp.asarray(starts)))
        if np.dtype(dtype).kind in "fc" and name in ("add", "multiply"):
            with np.errstate(all="ignore"):
                expected = expected.astype(found.dtype)
            rtol = {"float16": 2e-2, "float64": 1e-10}.get(dtype, 1e-4)
            finite = np.isfinite(expected) & np.isfinite(found)
            assert (finite | ~np.isfinite(expected)).all()
            np.testing.assert_allclose(found[finite], expected[finite], rtol=rtol)
        else:
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "hypot", "divide"])
@pytest.mark.parametrize("axis", [0, 1])
def test_segments_of_columns(name, axis):
    x = np.random.default_rng(8).random((3000, 40, 5)) + 0.5
    starts = np.array([0, 700, 701, 20, 2999]) if axis == 0 else np.array([3, 3, 39, 0])
    expected = getattr(np, name).reduceat(x, starts, axis=axis)
    found = getattr(dpnp, name).reduceat(dpnp.asarray(x), dpnp.asarray(starts), axis=axis)
    np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=1e-10)


def test_pending_elements_and_outputs():
    x = np.arange(20_000) % 77
    y = dpnp.asarray(x) * 3
    out = dpnp.empty(2, dtype="i8")
    assert dpnp.maximum.reduceat(y, [0, 9000], out=out) is out
    assert dpnp.asnumpy(out).tolist() == [228, 228]
    assert_same(dpnp.bitwise_xor.accumulate(y), np.bitwise_xor.accumulate(x * 3))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: dpnp.maximum.reduceat(x, [0, 10]), IndexError, "maximum.reduceat: index 10 is out of bounds for 10"),
        (lambda x: dpnp.maximum.reduceat(x, [-1]), IndexError, "index -1 is out of bounds"),
        (lambda x: dpnp.maximum.reduceat(x, [0.5]), TypeError, "indices must be integers"),
        (lambda x: dpnp.maximum.reduceat(x, [[0]]), TypeError, "indices must be integers along one axis"),
        (lambda x: dpnp.bitwise_xor.reduceat(x * 0.5, [0]), TypeError, "bitwise_xor"),
        (lambda x: dpnp.maximum.accumulate(x[0]), TypeError, "without axes"),
        (lambda x: dpnp.power.accumulate(x - 5), ValueError, "negative"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call(dpnp.arange(10))


def test_no_segments_and_no_elements():
    x = dpnp.arange(10.0)
    assert dpnp.maximum.reduceat(x, np.zeros(0, "i8")).shape == (0,)
    assert dpnp.bitwise_xor.accumulate(dpnp.zeros((0, 3), dtype="i4")).shape == (0, 3)
