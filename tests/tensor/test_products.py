"""matmul, @, tensordot and vecdot, compared with NumPy.

Elements are small integers in all dtypes, so that sums are exact in any order and results must be equal.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import dpctl
import numpy
import pytest
from dpctl import tensor as dpt
from hypothesis import given, settings
from hypothesis import strategies as st

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
# Few terms of many results, which fuse with what is computed from them.
SHORT_DEPTHS = [
    ((1030, 3), (3, 1100)),
    ((700, 3), (3, 401)),
    ((501, 1), (1, 757)),
    ((257, 8), (8, 300)),
    ((20_003, 3), (3, 3)),
    ((2, 4), (4, 80_001)),
    ((6, 450, 2), (2, 449)),
    ((2, 1, 230, 4), (3, 4, 231)),
    ((150_001, 3), (3,)),
]
# Vectors; one row, one column; edges of tiles; several tiles, blocks of the depth and parts of it; batches of small and
# of large matrices.
SHAPES = [
    ((7,), (7,)),
    ((5000,), (5000,)),
    ((5,), (5, 3)),
    ((5, 3), (3,)),
    ((1, 300), (300, 1000)),
    ((1000, 300), (300, 1)),
    ((1000, 300), (300,)),
    ((300,), (300, 1000)),
    ((1, 1), (1, 1)),
    ((70, 1), (1, 90)),
    ((9, 2), (2, 25)),
    ((17, 40), (40, 49)),
    ((65, 100), (100, 65)),
    ((130, 600), (600, 210)),
    ((300, 300), (300, 500)),
    ((10, 20_000), (20_000, 12)),
    ((1, 20_000), (20_000, 3)),
    ((200, 4, 4), (200, 4, 4)),
    ((300, 4, 3), (3, 5)),
    ((2, 1, 7, 8), (3, 8, 9)),
    ((40, 3), (50, 3, 2)),
    ((3, 200, 90), (3, 90, 250)),
    ((5000, 4, 4), (5000, 4, 4)),
    ((1100, 15, 16), (1100, 16, 13)),
    ((3000, 8, 3), (3, 5)),
    ((7, 3), (6000, 3, 4)),
    ((20_000, 6), (6, 1)),
    ((2, 1, 700, 5, 6), (3, 1, 6, 16)),
    ((2, 100, 30_000), (2, 30_000, 20)),
    *SHORT_DEPTHS,
]


def elements(shape: tuple[int, ...], dtype: str, seed: int = 1) -> numpy.ndarray:
    """Integers whose products have exact sums in the dtype; any integers for integer dtypes, which wrap."""
    random = numpy.random.default_rng(seed)
    kind = numpy.dtype(dtype).kind
    if kind == "b":
        return random.random(shape) < (0.02 if shape and max(shape) > 20 else 0.3)
    if kind in "iu":
        info = numpy.iinfo(dtype)
        return random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    bound = 1 if dtype == "float16" else 4
    real = random.integers(-bound, bound, shape, endpoint=True)
    return (real + 1j * random.integers(-bound, bound, shape) if kind == "c" else real).astype(dtype)


def product(x: numpy.ndarray, y: numpy.ndarray) -> numpy.ndarray:
    """NumPy's product; of float16 that of float64, which is rounded once."""
    if x.dtype == numpy.float16:
        return (x.astype("f8") @ y.astype("f8")).astype("f2")
    return x @ y


def assert_equal(ours: dpt.usm_ndarray, expected: numpy.ndarray) -> None:
    assert ours.shape == expected.shape and ours.dtype == expected.dtype
    numpy.testing.assert_array_equal(dpt.asnumpy(ours), expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_shapes(shapes: tuple[tuple[int, ...], tuple[int, ...]], dtype: str) -> None:
    x, y = elements(shapes[0], dtype), elements(shapes[1], dtype, 2)
    expected = product(x, y)
    assert_equal(dpt.matmul(dpt.asarray(x), dpt.asarray(y)), expected)
    assert_equal(dpt.asarray(x) @ dpt.asarray(y), expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHORT_DEPTHS, ids=str)
def test_short_depths_in_expressions(shapes: tuple[tuple[int, ...], tuple[int, ...]], dtype: str) -> None:
    """Values that are computed from a product, updates of it in place, and writes to its operands and to the result."""
    x, y = elements(shapes[0], dtype), elements(shapes[1], dtype, 2)
    expected = product(x, y)
    a, b = dpt.asarray(x), dpt.asarray(y)
    row = elements(expected.shape[-1:], dtype, 3)
    assert_equal(a @ b + dpt.asarray(row), expected + row)
    first, second, third = a @ b, a @ b, a @ b
    view, largest = second[..., 1::3], dpt.max(dpt.astype(third, "complex128").real, axis=-1)
    first += dpt.asarray(row)
    out = dpt.zeros(expected.shape, dtype=dtype)
    out[...] = third
    dpt.matmul(a, b, out=third)
    third += third
    a[...] = 0
    b[...] = 1
    assert_equal(first, expected + row)
    assert_equal(view, expected[..., 1::3])
    assert_equal(second, expected)
    assert_equal(out, expected)
    assert_equal(third, expected + expected)
    numpy.testing.assert_array_equal(dpt.asnumpy(largest), expected.astype("complex128").real.max(axis=-1))


def test_all_sizes_of_tiles() -> None:
    """Every number of rows and columns of a tile and around it, for two sizes of vectors."""
    for dtype, most in [("float64", 28), ("complex128", 18)]:
        x, y = elements((most, 5), dtype), elements((5, most), dtype, 2)
        a, b, expected = dpt.asarray(x), dpt.asarray(y), x @ y
        for m, n in itertools.product(range(1, most), repeat=2):
            assert_equal(a[:m] @ b[:, :n], expected[:m, :n])


LAYOUTS = {
    "rows": lambda a: a[..., : a.shape[-2] // 2, : a.shape[-1] // 2],
    "columns": lambda a: a.mT[..., : a.shape[-1] // 2, : a.shape[-2] // 2],
    "steps": lambda a: a[..., ::2, 1::2],
    "backwards": lambda a: a[..., ::-2, ::-2],
    "rows backwards": lambda a: a[..., a.shape[-2] // 2 - 1 :: -1, : a.shape[-1] // 2],
    "same rows": lambda a: (dpt if isinstance(a, dpt.usm_ndarray) else numpy).broadcast_to(
        a[..., :1, : a.shape[-1] // 2], (*a.shape[:-2], a.shape[-2] // 2, a.shape[-1] // 2)
    ),
}


@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "float32", "complex64", "bool"])
@pytest.mark.parametrize("side", [3, 150])
def test_layouts(side: int, dtype: str) -> None:
    x, y = elements((2, 2 * side, 2 * side), dtype), elements((2, 2 * side, 2 * side), dtype, 2)
    a, b = dpt.asarray(x), dpt.asarray(y)
    for first, second in itertools.product(LAYOUTS.values(), repeat=2):
        expected = product(first(x), second(y))
        assert_equal(first(a) @ second(b), expected)
        assert_equal(first(a)[0] @ second(b), product(first(x)[0], second(y)))
        assert_equal(first(a) @ second(b)[1, :, 0], product(first(x), second(y)[1, :, 0]))
        assert_equal(second(a)[1, 0] @ first(b)[0], product(second(x)[1, 0], first(y)[0]))


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("side", [3, 4, 8])
def test_layouts_of_many_small_matrices(side: int, dtype: str) -> None:
    """From 2**14 rows on, GPUs compute them by kernels of their own."""
    shape = (2**14 // side + 1, 2 * side, 2 * side)
    x, y = elements(shape, dtype), elements(shape, dtype, 2)
    a, b = dpt.asarray(x), dpt.asarray(y)
    for first, second in itertools.product(LAYOUTS.values(), repeat=2):
        expected = product(first(x), second(y))
        assert_equal(first(a) @ second(b), expected)
        assert_equal(first(a)[::-1] @ second(b)[::-1], expected[::-1])
        assert_equal(first(a) @ second(b)[5], product(first(x), second(y)[5]))


@pytest.mark.parametrize("dtypes", [("int8", "uint8"), ("float32", "int64"), ("bool", "float16"), ("int64", "uint64"),
                                    ("complex64", "float64")], ids=str)  # fmt: skip
def test_promotion(dtypes: tuple[str, str]) -> None:
    x, y = (numpy.arange(1, 13).reshape(3, 4) % 5).astype(dtypes[0]), (numpy.arange(8).reshape(4, 2)).astype(dtypes[1])
    expected = x @ y
    a, b = dpt.asarray(x), dpt.asarray(y)
    assert_equal(a @ b, expected)
    assert_equal(dpt.matmul(a, b, dtype="complex128"), expected.astype("complex128"))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shapes", [((100, 2000), (2000, 100)), ((50_000,), (50_000,)), ((40, 3000), (3000,))], ids=str)
def test_accuracy(shapes: tuple[tuple[int, ...], tuple[int, ...]], dtype: str) -> None:
    random = numpy.random.default_rng(3)
    x, y = (random.uniform(0.5, 1, s).astype(dtype) for s in shapes)
    if x.dtype.kind == "c":
        x, y = x + 1j * random.uniform(0, 1, x.shape).astype(x.real.dtype), y
    expected = x.astype("complex256" if x.dtype.kind == "c" else "float128") @ y
    close = 3000 * float(numpy.finfo(dtype).eps) / 16 if dtype != "float16" else 1e-3
    numpy.testing.assert_allclose(dpt.asnumpy(dpt.asarray(x) @ dpt.asarray(y)), expected.astype(dtype), rtol=close)


def test_infinities_and_nans_stay_in_their_row_and_column() -> None:
    for side in (4, 100):
        x, y = numpy.ones((side, side)), numpy.ones((side, side))
        x[1, 2], y[3, 0] = numpy.inf, numpy.nan
        with numpy.errstate(invalid="ignore"):
            expected = x @ y
        assert_equal(dpt.asarray(x) @ dpt.asarray(y), expected)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_any_shapes(data: st.DataObject) -> None:
    side, dtype = st.integers(0, 5), data.draw(st.sampled_from(DTYPES))
    m, k, n = data.draw(side), data.draw(side), data.draw(side)
    batch = data.draw(st.lists(st.integers(0, 3), max_size=5))

    def broadcast() -> tuple[int, ...]:
        kept = data.draw(st.integers(0, len(batch)))
        return tuple(data.draw(st.sampled_from([1, length])) for length in batch[kept:])

    first = (k,) if data.draw(st.booleans()) else (*broadcast(), m, k)
    second = (k,) if data.draw(st.booleans()) else (*broadcast(), k, n)
    x, y = elements(first, dtype), elements(second, dtype, 2)
    a, b = dpt.asarray(x), dpt.asarray(y)
    axes = data.draw(st.permutations(range(max(0, x.ndim - 2))))
    order = (*axes, *range(len(axes), x.ndim))  # permuted axes of the batch have no common stride
    inverse = numpy.argsort(order)
    a = dpt.permute_dims(dpt.asarray(dpt.permute_dims(a, order), order="C", copy=True), tuple(map(int, inverse)))
    assert_equal(a @ b, product(x, y))


@pytest.mark.parametrize("order", "CFAK")
def test_order_of_the_result(order: str) -> None:
    x, y = elements((3, 20, 30), "float32"), elements((3, 30, 40), "float32", 2)
    for a_order, b_order in itertools.product("CF", repeat=2):
        a, b = dpt.asarray(x, order=a_order), dpt.asarray(y, order=b_order)
        result = dpt.matmul(a, b, order=order)
        assert_equal(result, x @ y)
        columns = order == "F" or (order in "AK" and a_order == b_order == "F")
        if order != "K" or a_order == b_order:
            assert result.flags.f_contiguous == columns and result.flags.c_contiguous != columns


@pytest.mark.parametrize("dtype", ["int8", "float64"])
def test_output_arrays(dtype: str) -> None:
    x, y = elements((20, 20), dtype), elements((20, 20), dtype, 2)
    expected = x @ y
    a, b = dpt.asarray(x), dpt.asarray(y)
    for view in [lambda o: o[:20, :20], lambda o: o[::2, ::2], lambda o: o[::-2, ::-2], lambda o: o.T[:20, :20]]:
        out = dpt.zeros((40, 40), dtype=dtype)
        result = dpt.matmul(a, b, out=view(out))
        assert_equal(result, expected)
        assert_equal(view(out), expected)
        assert int(dpt.count_nonzero(out)) == numpy.count_nonzero(expected)
    for operands in [(a, b), (a.T, b), (a, a)]:
        copies = [dpt.copy(o) for o in operands]
        out = copies[0]
        expected = dpt.asnumpy(operands[0]) @ dpt.asnumpy(operands[1])
        dpt.matmul(copies[0], copies[0] if operands[0] is operands[1] else copies[1], out=out)
        assert_equal(out, expected)


def test_output_of_pending_reads() -> None:
    x = dpt.ones((200, 200))
    doubled = x * 2  # reads x when it is computed
    dpt.matmul(x, x, out=x)
    assert float(dpt.sum(doubled)) == 2 * 200 * 200
    assert float(x[0, 0]) == 200


def test_in_place() -> None:
    x, y = elements((3, 5, 5), "int32"), elements((1, 5, 5), "int32", 2)
    a = same = dpt.asarray(x)
    a @= dpt.asarray(y)
    assert a is same
    assert_equal(a, x @ y)
    with pytest.raises(ValueError, match="inconsistent"):
        a @= dpt.ones((5, 4), dtype="int32")
    with pytest.raises(ValueError, match="inplace matrix multiplication requires"):
        a @= dpt.ones(5, dtype="int32")
    with pytest.raises(ValueError, match="float64 cannot be cast to the dtype int32"):
        a @= dpt.ones((5, 5))


def test_pending_operands() -> None:
    x = elements((300, 300), "float64")
    a = dpt.asarray(x)
    assert_equal((a + 1) @ (a * 2).T - 1, (x + 1) @ (x * 2).T - 1)


def test_results_do_not_depend_on_what_is_pending() -> None:
    random = numpy.random.default_rng(5)
    x, y = random.normal(size=(9, 70)), random.normal(size=(70, 11))
    a, b = dpt.asarray(x), dpt.asarray(y)
    alone = dpt.asnumpy(a @ b)
    busy = dpt.sum(dpt.sqrt(dpt.ones(3_000_000)))
    assert numpy.array_equal(dpt.asnumpy(a @ b), alone) and float(busy) == 3_000_000


PRODUCTS = """
import hashlib, numpy, dpctl.tensor as dpt
random = numpy.random.default_rng(7)
results = []
for dtype in ("float16", "float32", "float64", "complex64"):
    for first, second in [((300, 300), (300, 300)), ((4, 4000), (4000, 900)), ((500, 700), (700,)),
                          ((700,), (700, 500)), ((10, 50_000), (50_000, 10)), ((50, 30, 30), (50, 30, 30)),
                          ((9000,), (9000,))]:
        x, y = (dpt.asarray(random.normal(size=shape).astype(dtype)) for shape in (first, second))
        results.append(hashlib.sha256(dpt.asnumpy(x @ y).tobytes()).hexdigest())
print(results)
"""


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    def run(threads: int) -> str:
        environment = os.environ | {"DPEP_NUM_THREADS": str(threads)}
        return subprocess.run(
            [sys.executable, "-c", PRODUCTS], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert run(1) == run(2) == run(2)


def test_no_terms() -> None:
    for first, second in [((3, 0), (0, 4)), ((0,), (0,)), ((2, 3, 0), (0,)), ((0, 3), (3, 2)), ((0, 4, 3), (3, 2))]:
        assert_equal(dpt.zeros(first) @ dpt.zeros(second), numpy.zeros(first) @ numpy.zeros(second))
    out = dpt.ones((3, 4))
    dpt.matmul(dpt.zeros((3, 0)), dpt.zeros((0, 4)), out=out)
    assert_equal(out, numpy.zeros((3, 4)))


def test_errors() -> None:
    x = dpt.ones((3, 4))
    with pytest.raises(TypeError, match="matmul: x2 must be"):
        dpt.matmul(x, numpy.ones((4, 3)))
    with pytest.raises(TypeError, match="unsupported operand"):
        x @ 2
    with pytest.raises(TypeError):
        x @ numpy.ones((4, 3))
    with pytest.raises(ValueError, match=r"expected arrays with at least one axis, got shapes \(3, 4\) and \(\)"):
        dpt.matmul(x, dpt.asarray(2.0))
    with pytest.raises(ValueError, match=r"must have the same length, got shapes \(3, 4\) and \(3, 4\)"):
        x @ x
    with pytest.raises(ValueError, match=r"cannot be broadcast together, got shapes \(2, 3, 4\) and \(3, 4, 3\)"):
        dpt.ones((2, 3, 4)) @ dpt.ones((3, 4, 3))
    with pytest.raises(ValueError, match="float64 cannot be cast to the dtype int32"):
        dpt.matmul(x, x.T, dtype="int32")
    with pytest.raises(ValueError, match="Output array of type float64 is needed, got float32"):
        dpt.matmul(x, x.T, out=dpt.ones((3, 3), dtype="float32"))
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        x @ dpt.ones((4, 3), sycl_queue=dpctl.SyclQueue())


# -- tensordot

AXES = [0, 1, 2, ((0,), (0,)), ((1, 0), (0, 1)), ((-1,), (1,)), (1, 0), ([], []), ((2, 1, 0), (2, 1, 0))]


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
@pytest.mark.parametrize("axes", AXES, ids=str)
def test_tensordot(axes: object, dtype: str) -> None:
    x, y = elements((6, 6, 6), dtype), elements((6, 6, 6), dtype, 2)
    a, b = dpt.asarray(x), dpt.asarray(y)
    expected = numpy.tensordot(x, y, axes=axes)
    assert_equal(dpt.tensordot(a, b, axes=axes), expected)
    assert_equal(dpt.tensordot(a[::-1], dpt.permute_dims(b, (2, 0, 1)), axes=axes),
                 numpy.tensordot(x[::-1], y.transpose(2, 0, 1), axes=axes))  # fmt: skip


def test_tensordot_errors() -> None:
    x = dpt.ones((3, 4))
    with pytest.raises(ValueError, match="axis 1 of x1 and axis 0 of x2 must have the same length, got 4 and 3"):
        dpt.tensordot(x, x, axes=1)
    with pytest.raises(ValueError, match="tensordot: 3 axes cannot be summed over for arrays of 2 and 2 axes"):
        dpt.tensordot(x, x, axes=3)
    with pytest.raises(ValueError, match="must not be negative, got -1"):
        dpt.tensordot(x, x, axes=-1)
    with pytest.raises(ValueError, match="two sequences of ints, got"):
        dpt.tensordot(x, x, axes=(1, 2, 3))
    with pytest.raises(TypeError, match="must be an int or two sequences of ints, got float"):
        dpt.tensordot(x, x, axes=1.5)
    with pytest.raises(ValueError, match="expected as many axes of x1 as of x2, got 1 and 2"):
        dpt.tensordot(x, x, axes=((0,), (0, 1)))
    with pytest.raises(numpy.exceptions.AxisError):
        dpt.tensordot(x, x, axes=((2,), (0,)))


# -- vecdot


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shapes", [((5,), (5,)), ((3, 5), (5,)), ((5,), (2, 3, 5)), ((4, 1, 7), (1, 3, 7)), ((2, 3000), (2, 3000))], ids=str
)
def test_vecdot(shapes: tuple[tuple[int, ...], tuple[int, ...]], dtype: str) -> None:
    x, y = elements(shapes[0], dtype), elements(shapes[1], dtype, 2)
    wide = "f8" if dtype == "float16" else dtype
    expected = numpy.vecdot(x.astype(wide), y.astype(wide)).astype(dtype)
    assert_equal(dpt.vecdot(dpt.asarray(x), dpt.asarray(y)), expected)


def test_vecdot_along_other_axes() -> None:
    x, y = elements((3, 4, 5), "complex64"), elements((3, 4, 5), "complex64", 2)
    a, b = dpt.asarray(x), dpt.asarray(y)
    for axis in range(-3, 3):
        assert_equal(dpt.vecdot(a, b, axis=axis), (x.conj() * y).sum(axis, dtype="complex64"))
    assert_equal(dpt.vecdot(a, b[0], axis=-2), (x.conj() * y[0]).sum(-2, dtype="complex64"))


def test_vecdot_errors() -> None:
    x = dpt.ones((3, 4))
    with pytest.raises(ValueError, match="vecdot: axis -1 must have the same length in both arrays, got 4 and 3"):
        dpt.vecdot(x, x.T)
    with pytest.raises(ValueError, match="axis must be negative"):
        dpt.vecdot(x, dpt.ones(3), axis=0)
    with pytest.raises(numpy.exceptions.AxisError):
        dpt.vecdot(x, x, axis=2)
    with pytest.raises(ValueError, match="at least one axis"):
        dpt.vecdot(dpt.asarray(1.0), x)
    with pytest.raises(ValueError, match="cannot be broadcast"):
        dpt.vecdot(x, dpt.ones((2, 4)))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i4", "u8", "i2", "?"])
@pytest.mark.parametrize("shape", [(700, 700), (333, 517), (2, 400, 301), (1500, 257)])
def test_products_of_a_matrix_and_its_transpose(dtype, shape):
    """Their results are symmetric, so that tiles below the diagonal need not be computed."""
    random = numpy.random.default_rng(5)
    x = random.integers(-3, 4, shape) + (1j * random.integers(-3, 4, shape) if dtype in ("c8", "c16") else 0)
    x = x.astype(dtype)
    y = dpt.asarray(x)
    transposed = numpy.ascontiguousarray(x.swapaxes(-1, -2))  # NumPy computes integers that float64 represents
    wide = numpy.result_type(dtype, "c16" if x.dtype.kind == "c" else "f8")
    for ours, a, b in (
        (dpt.matmul(dpt.matrix_transpose(y), y), transposed, x),
        (dpt.matmul(y, dpt.matrix_transpose(y)), x, transposed),
    ):
        expected = a.astype(wide) @ b.astype(wide)
        if dtype == "?":
            expected = expected != 0
        elif x.dtype.kind in "iu":
            expected = a.astype("i8") @ b.astype("i8")
        numpy.testing.assert_array_equal(dpt.asnumpy(ours), expected.astype(dtype))
