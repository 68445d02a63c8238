"""dpnp's functions of sets, compared with NumPy's."""

import itertools

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest

RANDOM = numpy.random.default_rng(6)
NAN = numpy.nan


def same(ours: object, expected: object) -> None:
    assert isinstance(ours, dpnp.ndarray)
    numpy.testing.assert_array_equal(dpnp.asnumpy(ours), expected, strict=True)


def same_parts(ours: object, expected: object) -> None:
    if isinstance(expected, tuple):
        assert isinstance(ours, tuple)
        for part, of in zip(ours, expected, strict=True):
            same(part, of)
    else:
        same(ours, expected)


ARRAYS = {
    "int64": RANDOM.integers(0, 20, (30, 10)),
    "bool": RANDOM.integers(0, 2, 100).astype(bool),
    "float32 with NaNs": numpy.where(RANDOM.random((9, 40)) < 0.3, NAN, RANDOM.integers(0, 5, (9, 40))).astype("f4"),
    "complex with NaNs": numpy.array([1j, complex(NAN, 1), complex(1, NAN), 1j, complex(NAN, NAN), 2, complex(0, NAN)]),
    "NaNs alone": numpy.full(5, NAN),
    "one NaN": numpy.array([3.0, NAN, 1.0]),
    "empty": numpy.zeros((0, 3)),
    "0-d": numpy.array(3),
    "long": RANDOM.integers(0, 1000, 100_000),
}


@pytest.mark.parametrize("equal_nan", [False, True])
@pytest.mark.parametrize("a", ARRAYS.values(), ids=ARRAYS)
def test_unique(a: numpy.ndarray, equal_nan: bool) -> None:
    # with indices, numpy.unique sorts by a stable algorithm, which matters for different NaNs
    values, *others = numpy.unique(a, True, True, True, equal_nan=equal_nan)
    for parts in itertools.product([False, True], repeat=3):
        expected = (values, *itertools.compress(others, parts)) if any(parts) else values
        same_parts(dpnp.unique(dpnp.asarray(a), *parts, equal_nan=equal_nan), expected)


def unique_along(a: numpy.ndarray, axis: int) -> tuple[numpy.ndarray, ...]:
    """numpy.unique along an axis, with inverse indices that have one axis."""
    values, indices, inverse, counts = numpy.unique(a, True, True, True, axis=axis)
    return values, indices, inverse.reshape(-1), counts


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64"])
@pytest.mark.parametrize("shape", [(50, 3), (4, 40), (5, 3, 2), (2, 200, 2), (7,), (3, 0), (0, 3), (1, 1)])
def test_unique_subarrays(shape: tuple[int, ...], dtype: str) -> None:
    a = RANDOM.integers(0, 2, shape).astype(dtype)
    for axis in range(-1, a.ndim):
        if a.shape[axis] == 0:
            continue  # numpy.unique fails for some of these
        same_parts(dpnp.unique(dpnp.asarray(a), True, True, True, axis=axis), unique_along(a, axis))
        same(dpnp.unique(dpnp.asarray(a), axis=axis), numpy.unique(a, axis=axis))


def test_unique_subarrays_of_an_axis_of_length_0() -> None:
    assert dpnp.unique(dpnp.zeros((0, 3)), axis=0).shape == (0, 3)
    assert dpnp.unique(dpnp.zeros((3, 0)), axis=1).shape == (3, 0)


def test_functions_of_the_array_api() -> None:
    a = RANDOM.integers(0, 9, (5, 6))
    for x in (dpnp.asarray(a), dpt.asarray(a)):
        same(dpnp.unique_values(x), numpy.unique(a))
        same_parts(dpnp.unique_counts(x), tuple(numpy.unique_counts(a)))
        same_parts(dpnp.unique_inverse(x), tuple(numpy.unique_inverse(a)))
        same_parts(dpnp.unique_all(x), tuple(numpy.unique_all(a)))
    assert type(dpnp.unique_all(x)).__name__ == "UniqueAllResult"


def test_errors() -> None:
    x = dpnp.ones((2, 3))
    with pytest.raises(TypeError, match="unique: An array must be any of supported type"):
        dpnp.unique([1, 2])
    with pytest.raises(numpy.exceptions.AxisError, match="unique"):
        dpnp.unique(x, axis=2)
    with pytest.raises(numpy.exceptions.AxisError, match="unique"):
        dpnp.unique(dpnp.asarray(1), axis=0)


@pytest.mark.parametrize("invert", [False, True])
def test_isin(invert: bool) -> None:
    a, t = RANDOM.integers(0, 500, (40, 50)), RANDOM.integers(0, 500, 100)
    x, y = dpnp.asarray(a), dpnp.asarray(t)
    same(dpnp.isin(x, y, False, invert), numpy.isin(a, t, invert=invert))
    same(dpnp.isin(x, dpt.asarray(t), invert=invert, kind="sort"), numpy.isin(a, t, invert=invert))
    for number in (3, 2.5, numpy.int8(7)):
        same(dpnp.isin(x, number, invert=invert), numpy.isin(a, number, invert=invert))
        same(dpnp.isin(number, x, invert=invert), numpy.isin(number, a, invert=invert))
    f, g = numpy.array([0.1, 0.2], "f4"), numpy.array([0.1])
    same(dpnp.isin(dpnp.asarray(f), dpnp.asarray(g)), numpy.isin(f, g))
    same(dpnp.isin(dpnp.asarray(f), 0.1), numpy.isin(f, 0.1))


def test_errors_of_isin() -> None:
    x = dpnp.arange(3)
    with pytest.raises(TypeError, match="isin"):
        dpnp.isin(x, [1, 2])
    with pytest.raises(TypeError, match="isin"):
        dpnp.isin(1, 2)
    with pytest.raises(ValueError, match="isin: kind must be None, 'sort' or 'table', got 'hash'"):
        dpnp.isin(x, x, kind="hash")
