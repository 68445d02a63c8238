"""sort, argsort and top_k, compared with NumPy."""

import functools

import numpy
import pytest
from dpctl import tensor as dpt
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference import sorted_rows

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
# A row in one thread and in several, with merges of two and of an odd number of runs; many short rows.
SHAPES = [(0,), (1,), (2, 0, 3), (7,), (4096,), (5000,), (3, 70_001), (131_072,), (300_001,), (5000, 9), (2, 3, 1000)]
SHAPES += [(200_003,), (1_048_577,)]


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 1) -> numpy.ndarray:
    """Random elements with ties, and with all kinds of NaN, infinity and zero."""
    random = numpy.random.default_rng(seed)
    kind = numpy.dtype(dtype).kind
    if kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if kind in "iu":
        info = numpy.iinfo(dtype)
        wide = random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
        return numpy.where(random.random(shape) < 0.3, wide % 7, wide).astype(dtype)

    def reals() -> numpy.ndarray:
        some = numpy.round(random.normal(0, 3, shape), 1)
        special = random.choice([numpy.nan, -numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0], shape)
        return numpy.where(random.random(shape) < 0.2, special, some)

    if kind == "f":
        return reals().astype(dtype)
    made = numpy.empty(shape, dtype)
    made.real, made.imag = reals(), reals()
    return made


def descending(positions: numpy.ndarray, x: numpy.ndarray, axis: int) -> numpy.ndarray:
    """Positions of a stable descending sort, from those of the reversed array's ascending one."""
    backwards = numpy.argsort(numpy.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - numpy.flip(backwards, axis)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rows(shape: tuple[int, ...], dtype: str) -> None:
    x = numbers(shape, dtype)
    y = dpt.asarray(x)
    assert numpy.array_equal(dpt.asnumpy(dpt.sort(y)), sorted_rows(x), equal_nan=True)
    positions = dpt.argsort(y)
    assert positions.dtype == dpt.int64
    assert numpy.array_equal(dpt.asnumpy(positions), numpy.argsort(x, kind="stable"))
    down = descending(positions, x, -1)
    assert numpy.array_equal(dpt.asnumpy(dpt.argsort(y, descending=True)), down)
    expected = numpy.take_along_axis(x, down, -1)
    assert numpy.array_equal(dpt.asnumpy(dpt.sort(y, descending=True)), expected, equal_nan=True)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "complex64"])
def test_axes_and_strides(axis: int, dtype: str) -> None:
    x = numbers((31, 40, 33), dtype)
    y = dpt.asarray(x)
    for view, same in [(y, x), (y[::-1, ::2], x[::-1, ::2]), (y.mT, numpy.swapaxes(x, 1, 2)), (y[:, 3:4], x[:, 3:4])]:
        assert numpy.array_equal(dpt.asnumpy(dpt.sort(view, axis=axis)), numpy.sort(same, axis=axis), equal_nan=True)
        expected = numpy.argsort(same, axis=axis, kind="stable")
        assert numpy.array_equal(dpt.asnumpy(dpt.argsort(view, axis=axis)), expected)


@settings(deadline=None, max_examples=200)
@given(
    hnp.arrays(
        st.sampled_from(DTYPES).map(numpy.dtype),
        hnp.array_shapes(min_dims=0, max_dims=6, min_side=0, max_side=5),
    ),
    st.data(),
)
def test_any_array(x: numpy.ndarray, data: st.DataObject) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1)) if x.ndim else -1
    y = dpt.asarray(x)
    expected = sorted_rows(x, axis) if x.ndim else x
    assert numpy.array_equal(dpt.asnumpy(dpt.sort(y, axis=axis)), expected, equal_nan=True)
    expected = numpy.argsort(x, axis=axis, kind="stable") if x.ndim else numpy.array(0)
    assert numpy.array_equal(dpt.asnumpy(dpt.argsort(y, axis=axis)), expected)


def test_pending_values_are_sorted() -> None:
    x = numbers((100_000,), "float32")
    y = dpt.asarray(x) * 2 + 1
    assert numpy.array_equal(dpt.asnumpy(dpt.sort(y) - 1), numpy.sort(x * 2 + 1) - 1, equal_nan=True)


def test_payloads_and_signs_of_complex_numbers_are_kept() -> None:
    x = numpy.array([complex(-0.0, 2.0), complex(0.0, 1.0), complex(-0.0, -0.0)])
    got = dpt.asnumpy(dpt.sort(dpt.asarray(x)))
    assert [str(z) for z in got] == [str(z) for z in x[[2, 1, 0]]]


@pytest.mark.parametrize("mode", ["largest", "smallest"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_top_k(mode: str, axis: int | None) -> None:
    x = numbers((50, 60), "float64")
    found = dpt.top_k(dpt.asarray(x), 7, axis=axis, mode=mode)
    source, along = (x.ravel(), 0) if axis is None else (x, axis)
    ascending = numpy.argsort(source, axis=along, kind="stable")
    expected = numpy.take(ascending if mode == "smallest" else descending(ascending, source, along), range(7), along)
    assert numpy.array_equal(dpt.asnumpy(found.indices), expected)
    assert numpy.array_equal(dpt.asnumpy(found.values), numpy.take_along_axis(source, expected, along), equal_nan=True)
    assert found.values is found[0] and found.indices is found[1]


@pytest.mark.parametrize("mode", ["largest", "smallest"])
@pytest.mark.parametrize("shape", [(2000,), (100_000,), (300_000,), (5, 3000), (40, 2000)])
@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "float32", "float64", "complex64", "complex128"])
def test_few_of_long_rows(shape: tuple[int, ...], dtype: str, mode: str) -> None:
    random = numpy.random.default_rng(6)
    for x in (random.integers(0, 100, shape).astype(dtype), (random.normal(size=shape) * 50).astype(dtype)):
        if x.dtype.kind == "f":
            x[..., ::7] = numpy.nan
        ascending = numpy.argsort(x, axis=-1, kind="stable")
        order = ascending if mode == "smallest" else descending(ascending, x, x.ndim - 1)
        for k in (1, 10, shape[-1] // 5):
            found = dpt.top_k(dpt.asarray(x), k, axis=-1, mode=mode)
            assert numpy.array_equal(dpt.asnumpy(found.indices), order[..., :k])
            expected = numpy.take_along_axis(x, order[..., :k], -1)
            numpy.testing.assert_array_equal(dpt.asnumpy(found.values), expected)


def test_errors() -> None:
    x = dpt.ones((3, 4))
    with pytest.raises(TypeError, match="sort: x must be"):
        dpt.sort([1, 2])
    with pytest.raises(numpy.exceptions.AxisError, match="argsort"):
        dpt.argsort(x, axis=2)
    with pytest.raises(ValueError, match="sort: kind must be 'stable'"):
        dpt.sort(x, kind="quick")
    with pytest.raises(ValueError, match="top_k: k must be from 0 to the length of the axis, which is 4, got 5"):
        dpt.top_k(x, 5, axis=1)
    with pytest.raises(ValueError, match="top_k: mode must be"):
        dpt.top_k(x, 1, mode="most")
    with pytest.raises(TypeError, match="top_k: k must be an int, got float"):
        dpt.top_k(x, 1.5)


def test_zero_dimensions() -> None:
    x = dpt.asarray(3.5)
    assert float(dpt.sort(x)) == 3.5 and int(dpt.argsort(x)) == 0
    found = dpt.top_k(x, 1)
    assert dpt.asnumpy(found.values).tolist() == [3.5] and dpt.asnumpy(found.indices).tolist() == [0]


@functools.cache
def long_rows() -> dict[str, numpy.ndarray]:
    random = numpy.random.default_rng(3)
    n = 1_300_001
    normal = random.standard_normal(n)
    with_nans = numpy.where(random.random(n) < 1e-4, numpy.nan, normal)
    most_nans = numpy.where(random.random(n) < 0.3, numpy.nan, normal)
    periodic = numpy.where(numpy.arange(n) % (n // 65536) == 0, -1.0, normal)  # what a regular sample sees is equal
    return {
        "normal": normal,
        "float32": normal.astype("f4"),
        "ties": numpy.round(normal * 3),
        "zeros of both signs": numpy.round(normal * 0.1),
        "constant": numpy.ones(n),
        "sorted": numpy.sort(normal),
        "NaNs": with_nans,
        "many NaNs": most_nans,
        "periodic": periodic,
        "int32": random.integers(-(2**31), 2**31 - 1, n, "i4"),
        "uint8": random.integers(0, 256, n, "u1"),
        "int64": random.integers(-(2**63), 2**63 - 1, n),
    }


@pytest.mark.parametrize("name", list(long_rows()))
@pytest.mark.parametrize("k", [1, 1000, 20_000])
def test_top_k_of_a_long_row(name, k):
    x = long_rows()[name]
    y = dpt.asarray(x)
    ascending = numpy.argsort(x, stable=True)
    key = -x.astype(numpy.float64) if x.dtype.kind != "i" else ~x  # reverses the order, but of NaNs
    is_nan = numpy.isnan(x) if x.dtype.kind == "f" else numpy.zeros(x.size, bool)
    descending = numpy.concatenate(
        [numpy.flatnonzero(is_nan), numpy.argsort(numpy.where(is_nan, 0, key)[~is_nan], stable=True)]
    )
    if is_nan.any():
        descending[is_nan.sum() :] = numpy.flatnonzero(~is_nan)[descending[is_nan.sum() :]]
    for mode, order in (("largest", descending), ("smallest", ascending)):
        found = dpt.top_k(y, k, mode=mode)
        numpy.testing.assert_array_equal(dpt.asnumpy(found.indices), order[:k])
        numpy.testing.assert_array_equal(dpt.asnumpy(found.values), x[order[:k]])
