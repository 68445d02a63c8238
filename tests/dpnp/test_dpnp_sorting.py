"""dpnp's sorting functions, compared with NumPy's."""

import dpnp
import numpy
import pytest

RANDOM = numpy.random.default_rng(3)
ARRAYS = {
    "float64": RANDOM.normal(size=(13, 200)),
    "int8": RANDOM.integers(-128, 128, (4, 3000)).astype("int8"),
    "complex64": (RANDOM.integers(0, 3, (5, 50)) + 1j * RANDOM.integers(0, 3, (5, 50))).astype("complex64"),
    "one row": RANDOM.integers(0, 100, 200_000),
}


@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("x", ARRAYS.values(), ids=ARRAYS)
def test_functions_and_methods(x: numpy.ndarray, axis: int | None) -> None:
    y = dpnp.asarray(x)
    assert numpy.array_equal(dpnp.asnumpy(dpnp.sort(y, axis)), numpy.sort(x, axis))
    expected = numpy.argsort(x, axis, kind="stable")
    assert numpy.array_equal(dpnp.asnumpy(dpnp.argsort(y, axis=axis)), expected)
    assert numpy.array_equal(dpnp.asnumpy(y.argsort(axis)), expected)
    got = dpnp.asnumpy(dpnp.partition(y, 3, axis))
    assert numpy.array_equal(numpy.take(got, 3, axis), numpy.take(numpy.sort(x, axis), 3, axis))
    assert isinstance(dpnp.sort(y), dpnp.ndarray)
    if axis is not None:
        z = y.copy()
        assert z.sort(axis) is None
        assert numpy.array_equal(dpnp.asnumpy(z), numpy.sort(x, axis))


def test_views_are_sorted_in_place() -> None:
    x = RANDOM.normal(size=(40, 50))
    y = dpnp.asarray(x)
    y[::2, 5:].sort()
    x[::2, 5:].sort()
    assert numpy.array_equal(dpnp.asnumpy(y), x)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "float32", "float64", "complex64"])
def test_sort_complex(dtype: str) -> None:
    x = numpy.array([3, 1, 2]).astype(dtype)
    got, expected = dpnp.asnumpy(dpnp.sort_complex(dpnp.asarray(x))), numpy.sort_complex(x)
    assert got.dtype == expected.dtype and numpy.array_equal(got, expected)


def test_errors() -> None:
    x = dpnp.ones((2, 3))
    with pytest.raises(numpy.exceptions.AxisError):
        dpnp.sort(x, axis=2)
    with pytest.raises(ValueError, match="sort: kind must be None or one of"):
        dpnp.sort(x, kind="fast")
    with pytest.raises(NotImplementedError, match="argsort: order must be None"):
        dpnp.argsort(x, order="field")
    with pytest.raises(ValueError, match="partition: kth must be from -3 to 2"):
        dpnp.partition(x, 3)
    with pytest.raises(TypeError):
        dpnp.sort([1, 2])
    fixed = dpnp.ones(3)
    fixed.flags.writable = False
    with pytest.raises(ValueError):
        fixed.sort()


@pytest.mark.parametrize("name", ["sort", "partition", "argsort", "argpartition"])
def test_axes_that_do_not_exist(name):
    arguments = (0,) if "partition" in name else ()
    for shape, axis in (((2, 3), 2), ((2, 3), -3), ((), 1)):
        for call in (getattr(dpnp, name), lambda x, *a, **k: getattr(x, name)(*a, **k)):
            with pytest.raises(numpy.exceptions.AxisError):
                call(dpnp.ones(shape), *arguments, axis=axis)
    if not name.startswith("arg"):
        with pytest.raises(numpy.exceptions.AxisError):
            getattr(dpnp, name)(dpnp.ones(()), *arguments)
