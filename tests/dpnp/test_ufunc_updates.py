"""The method `at` of ufuncs, compared with NumPy's: updates in the order of the indices."""

from __future__ import annotations

import dpnp
import numpy
import pytest

FUNCTIONS = [
    "add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin", "bitwise_and", "bitwise_or",
    "bitwise_xor", "logical_and", "logical_or", "logical_xor", "left_shift", "floor_divide", "hypot", "power",
]  # fmt: skip
DTYPES = ["bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"]
DTYPES += ["float16", "float32", "float64", "complex64", "complex128"]
SIZES = [(3, 5), (300, 7), (100_000, 1000), (300_000, 300_000)]


def has(name: str, dtype: str) -> bool:
    x = numpy.ones(1, dtype)
    try:
        result = getattr(numpy, name)(x, x)
    except TypeError:
        return False
    return numpy.can_cast(result.dtype, x.dtype, "same_kind")


CASES = [(name, dtype) for name in FUNCTIONS for dtype in DTYPES if has(name, dtype)]


def values(dtype: str, count: int, seed: int) -> numpy.ndarray:
    x = numpy.random.default_rng(seed).integers(1, 4, count)
    if numpy.dtype(dtype).kind in "fc":
        x = x * 0.375 + 0.25
    return (x * (1 + 0.5j) if numpy.dtype(dtype).kind == "c" else x).astype(dtype)


@pytest.mark.parametrize(("count", "length"), SIZES)
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_functions(name: str, dtype: str, count: int, length: int) -> None:
    if count > 1000 and name in ("hypot", "power", "left_shift", "floor_divide") and dtype != "float64":
        count = 2000
    a, b = values(dtype, length, 1), values(dtype, count, 2)
    indices = numpy.random.default_rng(3).integers(-length, length, count)
    x = dpnp.asarray(a)
    with numpy.errstate(all="ignore"):
        assert getattr(dpnp, name).at(x, dpnp.asarray(indices), dpnp.asarray(b)) is None
        getattr(numpy, name).at(a, indices, b)
    exact = numpy.dtype(dtype).kind not in "fc" or name in ("add", "subtract", "maximum", "minimum", "fmax", "fmin")
    if exact and x.sycl_device.is_cpu:
        numpy.testing.assert_array_equal(dpnp.asnumpy(x), a, strict=True)
    else:
        # GPUs round float16 once, NumPy after each of 100 steps, in some of which a product is subnormal: atol is a few
        # of the smallest halves.
        half = {"rtol": 2e-2, "atol": 2e-7} if x.sycl_device.is_cpu else {"rtol": 1e-1, "atol": 1e-6}
        tolerance = half if dtype == "float16" else {"rtol": 1e-4}
        numpy.testing.assert_allclose(dpnp.asnumpy(x), a, **tolerance, strict=True)


@pytest.mark.parametrize("index", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("count", [5, 100_000])
def test_dtypes_of_indices(index: str, count: int) -> None:
    indices = numpy.random.default_rng(4).integers(0, 100, count).astype(index)
    a, x = numpy.zeros(100, "i4"), dpnp.zeros(100, dtype="i4")
    numpy.add.at(a, indices, 3)
    dpnp.add.at(x, dpnp.asarray(indices), 3)
    numpy.testing.assert_array_equal(dpnp.asnumpy(x), a)


@pytest.mark.parametrize("count", [6, 5000])
@pytest.mark.parametrize("layout", ["rows", "columns", "strided", "reversed"])
def test_several_axes(layout: str, count: int) -> None:
    random = numpy.random.default_rng(5)
    make = {
        "rows": lambda m: m.zeros((20, 30, 4)),
        "columns": lambda m: m.zeros((20, 30, 4), order="F"),
        "strided": lambda m: m.zeros((40, 60, 8))[::2, ::2, ::2],
        "reversed": lambda m: m.zeros((20, 30, 4))[::-1, :, ::-1],
    }[layout]
    i, j = random.integers(-20, 20, count), random.integers(0, 30, count)
    mask = random.random((20, 30)) < 0.5
    for index in ((i, j), (i, slice(2, 9)), (slice(None), j), (Ellipsis, i % 4), (i, j, 1), (mask,), (3,), (1, None)):
        a, x = make(numpy), make(dpnp)
        ours = tuple(dpnp.asarray(k) if isinstance(k, numpy.ndarray) else k for k in index)
        b = random.integers(0, 9, numpy.shape(a[index])[-1:]) * 1.0
        numpy.add.at(a, index, b)
        dpnp.add.at(x, ours, dpnp.asarray(b))
        numpy.testing.assert_array_equal(dpnp.asnumpy(x), a)


@pytest.mark.parametrize(("dtype", "other"), [("float32", "float64"), ("int32", "int64"), ("complex64", "float64")])
def test_values_of_other_dtypes(dtype: str, other: str) -> None:
    indices = numpy.random.default_rng(6).integers(0, 50, 3000)
    a, b = values(dtype, 50, 7), values(other, 3000, 8)
    x = dpnp.asarray(a)
    for name in ("add", "maximum", "multiply"):
        with numpy.errstate(all="ignore"):
            getattr(numpy, name).at(a, indices, b)
        getattr(dpnp, name).at(x, dpnp.asarray(indices), dpnp.asarray(b))
        numpy.testing.assert_allclose(dpnp.asnumpy(x), a, rtol=1e-5)


def test_operands_that_share_memory() -> None:
    a = numpy.arange(100) % 7
    x = dpnp.asarray(a)
    dpnp.add.at(x, x, x)
    numpy.add.at(a, a.copy(), a.copy())
    numpy.testing.assert_array_equal(dpnp.asnumpy(x), a)


@pytest.mark.parametrize("count", [4, 100_000])
def test_pending_operands_and_readers(count: int) -> None:
    a, b = numpy.zeros(10), numpy.arange(count) * 0.5
    x = dpnp.zeros(10) + 1
    before = x * 3  # reads the former elements
    part = x[2:8]
    dpnp.add.at(part, dpnp.arange(count) % 6, dpnp.asarray(b) * 2)
    numpy.add.at(a[2:8], numpy.arange(count) % 6, b * 2)
    after = x - 1
    numpy.testing.assert_array_equal(dpnp.asnumpy(before), numpy.full(10, 3.0))
    numpy.testing.assert_allclose(dpnp.asnumpy(after), a, rtol=1e-12)


def test_no_element_is_changed_for_indices_out_of_bounds() -> None:
    for count in (3, 100_000):
        x, indices = dpnp.zeros(10), numpy.zeros(count, "i8")
        for wrong in (10, -11):
            indices[-1] = wrong
            with pytest.raises(IndexError, match="out of bounds"):
                dpnp.add.at(x, dpnp.asarray(indices), 1)
        assert not dpnp.asnumpy(x).any()


def test_refusals() -> None:
    x, i = dpnp.zeros(3), dpnp.asarray([0, 1])
    with pytest.raises(ValueError):
        dpnp.add.at(x, i, dpnp.ones(3))
    with pytest.raises(IndexError):
        dpnp.add.at(x, dpnp.asarray([0.5]), 1)
    with pytest.raises(TypeError):
        dpnp.add.at(x, i, "text")
    with pytest.raises(TypeError):
        dpnp.subtract.at(dpnp.ones(3, dtype=bool), i, True)
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        dpnp.add.at(x, i, 1)


def test_no_indices() -> None:
    x = dpnp.ones(3)
    dpnp.add.at(x, dpnp.zeros(0, dtype="i8"), 1)
    dpnp.add.at(dpnp.ones((0, 3)), (slice(None), dpnp.asarray([1])), 1)
    assert dpnp.asnumpy(x).tolist() == [1, 1, 1]


def test_a_loop_of_updates() -> None:
    random = numpy.random.default_rng(9)
    a, x = numpy.zeros(10), dpnp.zeros(10)
    for _ in range(200):
        i, b = random.integers(0, 10, 20), random.normal(size=20)
        numpy.add.at(a, i, b)
        dpnp.add.at(x, dpnp.asarray(i), dpnp.asarray(b))
    numpy.testing.assert_allclose(dpnp.asnumpy(x), a, rtol=1e-12)
