"""Creation functions agree with NumPy's."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import CODES, FLOATS, LAYOUTS, assert_same, laid_out

SHAPES = [(), 3, (0,), (2, 3), (2, 0, 3), (1, 4, 1)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("code", CODES)
def test_filled(code, shape):
    assert_same(dpt.zeros(shape, dtype=code), np.zeros(shape, code))
    assert_same(dpt.ones(shape, dtype=code), np.ones(shape, code))
    assert_same(dpt.full(shape, 2, dtype=code), np.full(shape, 2, code))
    empty = dpt.empty(shape, dtype=code)
    assert (empty.shape, empty.dtype) == (np.empty(shape).shape, np.dtype(code))


@pytest.mark.parametrize(("value", "code"), [(True, "?"), (3, "l"), (2.5, "d"), (1j, "D"), (np.float32(2), "d")])
def test_full_has_the_default_dtype_of_the_value(value, code):
    found = dpt.full(3, value)
    assert found.dtype == code
    assert_same(found, np.full(3, value, code))


def test_full_broadcasts_arrays():
    assert_same(dpt.full((2, 3), [1, 2, 3]), np.full((2, 3), [1, 2, 3]))
    assert_same(dpt.full((2, 3), dpt.asarray([[1], [2]])), np.full((2, 3), [[1], [2]]))
    assert_same(dpt.full((2, 2), np.arange(2.0), dtype="f4"), np.full((2, 2), np.arange(2.0), "f4"))


@pytest.mark.parametrize("name", ["empty", "zeros", "ones"])
def test_order_and_placement(name):
    queue = dpctl.SyclQueue()
    x = getattr(dpt, name)((3, 4), order="F", usm_type="shared", sycl_queue=queue)
    assert x.flags.f_contiguous and not x.flags.c_contiguous
    assert x.usm_type == "shared" and x.sycl_queue == queue
    assert getattr(dpt, name)(2, device="cpu").sycl_device.is_cpu


@pytest.mark.parametrize(
    "arguments",
    [
        (10,), (0,), (-3,), (2, 10), (10, 2, -3), (1, 2, 5), (0, 1, 0.25), (0.5, 4), (5, 0, -0.5), (2**62, 2**62 + 3),
        (1, 10, 3), (-2.5, 200, 100), (True, 4), (np.float32(0.5), 3),
    ],
)  # fmt: skip
def test_arange(arguments):
    expected = np.arange(*arguments)
    if expected.dtype.kind == "f":
        expected = expected.astype("d")
    assert_same(dpt.arange(*arguments), expected)


@pytest.mark.parametrize("code", CODES[1:])
def test_arange_of_every_type(code):
    assert_same(dpt.arange(3, 100, 7, dtype=code), np.arange(3, 100, 7, dtype=code))
    assert_same(dpt.arange(100, 3, -7, dtype=code), np.arange(100, 3, -7, dtype=code))


def test_arange_of_bools_and_wrong_arguments():
    assert_same(dpt.arange(2, dtype="?"), np.arange(2, dtype="?"))
    assert_same(dpt.arange(0, 10, None, dtype="i4"), np.arange(10, dtype="i4"))
    with pytest.raises(ValueError, match="bool"):
        dpt.arange(3, dtype="?")
    with pytest.raises(ZeroDivisionError):
        dpt.arange(0, 3, 0)
    for wrong in ("3", dpt.ones(1), [1]):
        with pytest.raises(ValueError, match="arange"):
            dpt.arange(wrong)


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("code", FLOATS)
def test_linspace(code, endpoint):
    for arguments in ((0, 1, 5), (1, 0, 7), (-2.5, 3, 1), (0, 1, 0), (3, 3, 4), (0, 10, 101)):
        expected = np.linspace(*arguments, endpoint=endpoint, dtype=code)
        assert_same(dpt.linspace(*arguments, endpoint=endpoint, dtype=code), expected, ulps=8)


def test_linspace_ends_at_stop():
    x = dpt.asnumpy(dpt.linspace(0.1, 0.7, 1000))
    assert (x[0], x[-1]) == (0.1, 0.7)
    assert_same(dpt.linspace(0, 9, 4, dtype="i4"), np.linspace(0, 9, 4, dtype="i4"))
    assert dpt.linspace(0, 1j, 3).dtype == "D"
    with pytest.raises(ValueError, match="num"):
        dpt.linspace(0, 1, -1)
    with pytest.raises(TypeError):
        dpt.linspace(0, 1, 2.5)
    with pytest.raises(TypeError, match="endpoint"):
        dpt.linspace(0, 1, 3, endpoint=1)


@pytest.mark.parametrize("k", [0, 1, -1, 3, -5, 2**70])
def test_eye(k):
    within = max(-10, min(k, 10))
    for shape in ((3,), (3, 4), (4, 2), (0, 3)):
        assert_same(dpt.eye(*shape, k=k), np.eye(*shape, k=within))
    assert_same(dpt.eye(3, k=k, dtype="i4", order="F"), np.eye(3, k=within, dtype="i4"))


@pytest.mark.parametrize("k", [0, 1, -2, 9, -9])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_triangles(layout, k):
    for code in "?lfD":
        x, ours = laid_out(code, layout)
        assert_same(dpt.tril(ours, k=k), np.tril(x, k))
        assert_same(dpt.triu(ours, k=k), np.triu(x, k))
    stacked = np.arange(24.0).reshape(2, 3, 4)
    assert_same(dpt.tril(dpt.asarray(stacked), k=k), np.tril(stacked, k))
    with pytest.raises(ValueError, match="dimension"):
        dpt.triu(dpt.ones(3))


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_like_functions(layout, order):
    x, ours = laid_out("d", layout)
    for name, reference in (("zeros_like", np.zeros_like), ("ones_like", np.ones_like), ("empty_like", None)):
        for dtype in (None, "i4"):
            found = getattr(dpt, name)(ours, order=order, dtype=dtype)
            assert (found.shape, found.dtype) == (x.shape, np.dtype(dtype or "d"))
            if reference:
                assert_same(found, reference(x, dtype=dtype))
            if order in "CF":
                assert found.flags.c_contiguous if order == "C" else found.flags.f_contiguous
    assert_same(dpt.full_like(ours, 5, order=order), np.full_like(x, 5))
    assert_same(dpt.full_like(ours, range(6)[::1] and list(range(6)), order=order), np.full_like(x, np.arange(6.0)))


def test_like_functions_keep_the_order_of_axes():
    x = dpt.permute_dims(dpt.ones((2, 3, 4)), (1, 0, 2))
    assert dpt.empty_like(x).strides == x.strides
    assert dpt.zeros_like(x, order="C").strides == (8, 4, 1)
    assert dpt.empty_like(dpt.ones(5)[::-1]).strides == (-1,)


def test_like_functions_keep_the_placement():
    x = dpt.ones(3, usm_type="host", sycl_queue=dpctl.SyclQueue())
    y = dpt.zeros_like(x)
    assert (y.usm_type, y.sycl_queue) == ("host", x.sycl_queue)
    assert dpt.zeros_like(x, usm_type="device").usm_type == "device"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: dpt.zeros(-1), ValueError),
        (lambda: dpt.zeros((2, "a")), TypeError),
        (lambda: dpt.zeros(2.5), TypeError),
        (lambda: dpt.zeros(2, order="K"), ValueError),
        (lambda: dpt.zeros(2, order="x"), ValueError),
        (lambda: dpt.zeros(2, usm_type="mine"), ValueError),
        (lambda: dpt.zeros(2, usm_type=3), TypeError),
        (lambda: dpt.zeros(2, dtype="O"), TypeError),
        (lambda: dpt.zeros(2, sycl_queue=3), TypeError),
        (lambda: dpt.zeros(2, device=dpctl.SyclQueue(), sycl_queue=dpctl.SyclQueue()), TypeError),
        (lambda: dpt.full(2, "x"), TypeError),
        (lambda: dpt.full(2, 300, dtype="u1"), OverflowError),
        (lambda: dpt.zeros_like([1]), TypeError),
        (lambda: dpt.zeros_like(dpt.ones(2), order="x"), ValueError),
        (lambda: dpt.eye(2.5), TypeError),
        (lambda: dpt.eye(2, k=1.5), TypeError),
        (lambda: dpt.zeros((2**40, 2**40)), (ValueError, MemoryError)),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("make", [dpt.empty, dpt.zeros, dpt.ones, lambda shape: dpt.full(shape, 1)])
@pytest.mark.parametrize(("shape", "came"), [(None, "NoneType"), (2.5, "float"), ([None], "NoneType"), ("2", "str")])
def test_wrong_shapes_are_refused_by_name(make, shape, came):
    with pytest.raises(TypeError, match=rf"(empty|zeros|ones|full): shape must .*ints.*, got {came}$"):
        make(shape)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize(
    "bounds", [(-2.5, 120, 50), (2.5, 120, 50), (0.5, 3, 1), (5, 1.5, -2), (1, 9.5, 2.5), (0, 3, 0.5), (-1.5, 4, 1.5)]
)
def test_ranges_of_mixed_numbers(bounds, dtype):
    if dtype == "uint8" and bounds[0] < 0:
        pytest.skip("NumPy's conversion of negative floats to unsigned integers is undefined")
    expected = np.arange(*bounds, dtype=dtype)
    found = dpt.asnumpy(dpt.arange(*bounds, dtype=dtype))
    assert found.dtype == expected.dtype and np.array_equal(found, expected)
