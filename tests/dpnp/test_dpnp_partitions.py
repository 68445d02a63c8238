"""partition and argpartition, compared with NumPy's sort: of all dtypes, in one thread and in several."""

from __future__ import annotations

import dpnp
import numpy
import pytest

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
LENGTHS = [1, 2, 40, 300, 5000, 40_000, 300_000]
VALUES = ["random", "few", "equal", "NaN", "increasing"]


def elements(dtype: str, length: int, values: str) -> numpy.ndarray:
    random = numpy.random.default_rng(length)
    x = {
        "random": lambda: random.normal(0, 1000, length),
        "few": lambda: random.integers(0, 3, length) * 1.0,
        "equal": lambda: numpy.ones(length),
        "NaN": lambda: numpy.where(random.random(length) < 0.3, numpy.nan, random.normal(size=length)),
        "increasing": lambda: numpy.arange(length) * 1.0,
    }[values]()
    kind = numpy.dtype(dtype).kind
    if kind in "iu":
        information = numpy.iinfo(dtype)
        x = numpy.clip(numpy.abs(x) if kind == "u" else x, information.min // 2, information.max // 2)
    if kind == "c":
        x = x + 1j * random.integers(0, 4, length)
        if values == "NaN":
            x.imag[random.random(length) < 0.2] = numpy.nan
    with numpy.errstate(all="ignore"):
        return x.astype(dtype)


def assert_partitioned(got: numpy.ndarray, in_order: numpy.ndarray, ranks: list[int]) -> None:
    """Elements of the ranks are those of a sort, and each part between them has the same elements as in a sort."""
    numpy.testing.assert_array_equal(got[ranks], in_order[ranks])
    begin = 0
    for end in [*sorted(ranks), len(got)]:
        numpy.testing.assert_array_equal(numpy.sort(got[begin:end]), in_order[begin:end])
        begin = end


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("values", VALUES)
def test_rows(dtype: str, length: int, values: str) -> None:
    if values == "NaN" and numpy.dtype(dtype).kind not in "fc":
        values = "random"
    x = elements(dtype, length, values)
    y, in_order = dpnp.asarray(x), numpy.sort(x)
    for ranks in ([length // 2], [0], [length - 1], [length // 7, length // 3, length // 2], [-1, 0]):
        front = [k % length for k in ranks]
        assert_partitioned(dpnp.asnumpy(dpnp.partition(y, ranks)), in_order, front)
        positions = dpnp.asnumpy(dpnp.argpartition(y, ranks))
        assert positions.dtype == numpy.int64
        numpy.testing.assert_array_equal(numpy.sort(positions), numpy.arange(length))
        assert_partitioned(x[positions], in_order, front)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, None])
@pytest.mark.parametrize("dtype", ["int32", "float64", "complex128"])
def test_axes(axis: int | None, dtype: str) -> None:
    x = elements(dtype, 30 * 1000 * 7, "random").reshape(30, 1000, 7)
    y = dpnp.asarray(x)
    source, along = (x.ravel(), 0) if axis is None else (x, axis)
    k = source.shape[along] // 3
    in_order = numpy.moveaxis(numpy.sort(source, along), along, -1)
    values = dpnp.asnumpy(dpnp.partition(y, k, axis))
    positions = dpnp.asnumpy(dpnp.argpartition(y, k, axis))
    for got in (values, numpy.take_along_axis(source, positions, along)):
        got = numpy.moveaxis(got, along, -1)
        numpy.testing.assert_array_equal(got[..., k], in_order[..., k])
        numpy.testing.assert_array_equal(numpy.sort(got[..., :k]), in_order[..., :k])


@pytest.mark.parametrize("view", ["strided", "reversed", "transposed", "pending"])
def test_layouts(view: str) -> None:
    x = elements("float64", 90_000, "random").reshape(300, 300)
    make = {
        "strided": lambda a: a[::2, 1::3],
        "reversed": lambda a: a[:, ::-1],
        "transposed": lambda a: a.T,
        "pending": lambda a: a * 2,
    }[view]
    a, b = make(x), make(dpnp.asarray(x))
    numpy.testing.assert_array_equal(dpnp.asnumpy(dpnp.partition(b, 20))[:, 20], numpy.sort(a)[:, 20])


def test_many_ranks() -> None:
    x = elements("float32", 20_000, "random")
    ranks = list(range(0, 20_000, 500))
    got = dpnp.asnumpy(dpnp.partition(dpnp.asarray(x), ranks))
    numpy.testing.assert_array_equal(got[ranks], numpy.sort(x)[ranks])


def test_ranks_of_other_types() -> None:
    x = dpnp.asarray([3.0, 1.0, 2.0])
    for kth in (1, numpy.int8(1), numpy.array([1]), (1,), dpnp.asarray([1]), True):
        assert float(dpnp.partition(x, kth)[1]) == 2
    assert float(dpnp.partition(x, -1)[2]) == 3
    for wrong in (3, -4, [0, 5]):
        with pytest.raises(ValueError, match="argpartition: kth must be from -3 to 2"):
            dpnp.argpartition(x, wrong)
    with pytest.raises(TypeError):
        dpnp.partition(x, 1.5)


def test_no_elements() -> None:
    assert dpnp.partition(dpnp.zeros((0, 3)), 0, axis=0).shape == (0, 3)
    assert dpnp.argpartition(dpnp.zeros((3, 0)), 0).shape == (3, 0)
    assert int(dpnp.argpartition(dpnp.asarray(5.0), 0)) == 0


def test_methods() -> None:
    x = elements("int64", 5000, "random")
    y = dpnp.asarray(x)
    positions = dpnp.asnumpy(y.argpartition(77))
    assert x[positions[77]] == numpy.sort(x)[77]
    y.partition(77)
    assert_partitioned(dpnp.asnumpy(y), numpy.sort(x), [77])
