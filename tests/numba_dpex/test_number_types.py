"""Mixed types of numbers: shifts of uint64, atomic operands, computed shapes; and types in messages."""

from __future__ import annotations

import math

import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import TypingError

INTEGERS = [f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.mark.parametrize("distance", INTEGERS)
@pytest.mark.parametrize("element", ["uint64", "int64"])
def test_shifts_have_the_type_of_the_left_operand(element, distance):
    convert = np.dtype(distance).type
    x = np.array([1, 0x8000_0000_0000_0001, 0xFFFF_FFFF_FFFF_FFFF], dtype="u8").astype(element)

    @ndx.kernel
    def shift(item, x, up, down, bits):
        i = item.get_id(0)
        up[i] = x[i] << convert(3)
        down[i] = x[i] >> convert(3)
        bits[i] = (x[i] & convert(5)) ^ (x[i] | convert(5))

    up, down, bits = (dpt.empty(3, dtype=element) for _ in range(3))
    ndx.call_kernel(shift, ndx.Range(3), dpt.asarray(x), up, down, bits)
    same = np.dtype(element).type
    np.testing.assert_array_equal(dpt.asnumpy(up), x << same(3))
    np.testing.assert_array_equal(dpt.asnumpy(down), x >> same(3))
    np.testing.assert_array_equal(dpt.asnumpy(bits), (x & same(5)) ^ (x | same(5)))


def test_a_variable_of_uint64_may_be_shifted_and_mixed_by_signed_integers():
    @ndx.kernel
    def xorshift(item, state, by):
        i = item.get_id(0)
        x = state[i]
        x ^= x << by[0]
        x ^= x >> by[1]
        x ^= by[2]
        state[i] = x

    start = np.arange(1, 9, dtype="u8") * np.uint64(0x9E37_79B9_7F4A_7C15)
    state = dpt.asarray(start)
    ndx.call_kernel(xorshift, ndx.Range(8), state, dpt.asarray([13, 7, 255], dtype="i4"))
    x = start ^ start << np.uint64(13)
    x ^= x >> np.uint64(7)
    np.testing.assert_array_equal(dpt.asnumpy(state), x ^ np.uint64(255))


@pytest.mark.parametrize("operand", INTEGERS)
@pytest.mark.parametrize("element", ["int32", "uint32", "int64", "uint64"])
def test_atomic_operations_on_integers_take_integers(element, operand):
    convert = np.dtype(operand).type

    @ndx.kernel
    def update(item, total, old):
        kapi.AtomicRef(total, 0).fetch_add(convert(3))
        kapi.AtomicRef(total, 1).fetch_or(convert(4))
        ndx.atomic.max(total, 2, convert(7))
        old[item.get_id(0)] = kapi.AtomicRef(total, 3).exchange(convert(9))

    total, old = dpt.ones(4, dtype=element), dpt.zeros(1, dtype=element)
    ndx.call_kernel(update, ndx.Range(1), total, old)
    assert dpt.asnumpy(total).tolist() == [4, 5, 7, 9]
    assert int(old[0]) == 1


def test_atomic_operations_on_floats_accept_lossless_operands():
    @ndx.kernel
    def update(item, total, x):
        kapi.AtomicRef(total, 0).fetch_add(x[0])

    total = dpt.ones(1, dtype="f8")
    for dtype in ("f4", "i4", "u2"):
        ndx.call_kernel(update, ndx.Range(1), total, dpt.ones(1, dtype=dtype))
    assert float(total[0]) == 4.0
    for element, dtype in (("i4", "f4"), ("f4", "i4"), ("f4", "f8"), ("i8", "c16")):
        with pytest.raises(TypingError, match="fetch_add"):
            ndx.call_kernel(update, ndx.Range(1), dpt.ones(1, dtype=element), dpt.ones(1, dtype=dtype))


WIDTH, DEPTH, AREA = 7, 2.0, np.float64(16.0)


def test_shapes_may_be_computed_from_captured_numbers():
    size = 10

    @ndx.kernel
    def sums(item, out):
        i = item.get_local_id(0)
        half = math.ceil(WIDTH / 2)
        a = ndx.private.array(half, np.int32)
        b = ndx.private.array((math.floor(size / 3), int(DEPTH)), np.int32)
        c = kapi.PrivateArray(int(math.sqrt(AREA)) + math.trunc(size / 4), np.int32, fill_zeros=True)
        d = ndx.local.array(math.ceil(size * 0.25) * 2 ** int(math.log2(16)), np.int32)
        d[i] = 1
        if i == 0:
            out[0], out[1], out[2], out[3] = a.size, b.size, c.size, d.size

    out = dpt.zeros(4, dtype="i4")
    ndx.call_kernel(sums, ndx.NdRange((4,), (4,)), out)
    assert dpt.asnumpy(out).tolist() == [4, 6, 6, 48]


def test_a_shape_that_is_not_an_integer_is_an_error():
    @ndx.kernel
    def wrong(item, out):
        a = ndx.private.array(WIDTH / 2, np.int32)
        out[0] = a[0]

    with pytest.raises(TypingError, match=r"shape must be an integer, got float: convert it with int\(\)"):
        ndx.call_kernel(wrong, ndx.Range(1), dpt.zeros(1))


# --- Messages.


@ndx.kernel
def copy(item, a, b):
    b[item.get_id(0)] = a[item.get_id(0)]


@ndx.kernel
def annotated(item: kapi.Item, a, b):
    b[item.get_id(0)] = a[item.get_id(0)]


def a_list():
    ndx.call_kernel(copy, ndx.Range(4), dpt.ones(4), np.ones(4))


def one_too_many():
    ndx.call_kernel(copy, ndx.Range(4), dpt.ones(4), dpt.ones(4), dpt.ones(4))


def one_too_many_for_an_annotated_kernel():
    ndx.call_kernel(annotated, ndx.Range(4), dpt.ones(4), dpt.ones(4), dpt.ones(4))


def one_too_few():
    ndx.call_kernel(copy, ndx.Range(4), dpt.ones(4))


def one_too_few_for_the_older_style():
    @ndx.kernel
    def older(a, b):
        b[ndx.get_global_id(0)] = a[ndx.get_global_id(0)]

    older[4](dpt.ones(4))


def function_of_whole_arrays():
    @ndx.kernel
    def wrong(item, a):
        a[0] = dpnp.sum(a)

    ndx.call_kernel(wrong, ndx.Range(4), dpt.ones(4))


def python_numbers():
    @ndx.kernel
    def wrong(item, a):
        a[0] = (1, 2.5)

    ndx.call_kernel(wrong, ndx.Range(4), dpt.ones(4))


def index_of_a_float():
    @ndx.kernel
    def wrong(item, a, x):
        a[x] = 1

    ndx.call_kernel(wrong, ndx.Range(4), dpt.ones((4, 4)), 2.0)


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        (a_list, ["argument 2 of the kernel is a numpy.ndarray", "dpnp.asarray"]),
        (
            one_too_many,
            ["kernel 'copy' takes 2 arguments beside the work-item, which the launch adds, got 3"],
        ),
        (one_too_many_for_an_annotated_kernel, ["takes 2 arguments beside the work-item", "got 3"]),
        (one_too_few, ["takes 2 arguments beside the work-item", "got 1"]),
        (one_too_few_for_the_older_style, ["takes 2 arguments, got 1"]),
        (function_of_whole_arrays, ["dpnp.sum is not available in kernels"]),
        (python_numbers, ["tuple(int, float)"]),
        (index_of_a_float, ["an index must be an integer, got float"]),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_messages_name_types_as_programs_spell_them(launch, words):
    with pytest.raises(Exception) as raised:
        launch()
    for word in words:
        assert word in str(raised.value)
    assert "py" + "int" not in str(raised.value)
    assert "py" + "float" not in str(raised.value)


def test_sums_and_products_that_wrap_are_negative_numbers():
    """They are nonnegative by their operands, not by their value: // rounds down, and % has the divisor's sign."""

    @ndx.kernel
    def divide(item, a, results):
        i = item.get_id(0)
        x = np.int32(a[i])
        results[0, i] = (x * x) // np.int32(7)
        results[1, i] = (x * x) % np.int32(7)
        results[2, i] = (x**2) // np.int32(7)
        results[3, i] = (x * np.int32(20_000) + np.int32(1_000_000_000)) % np.int32(7)

    a = np.array([65535, 60000, 3], np.uint16)
    results = dpt.empty((4, 3), dtype="i4")
    ndx.call_kernel(divide, ndx.Range(3), dpt.asarray(a), results)
    x = a.astype(np.int32)
    with np.errstate(over="ignore"):
        summed = x * np.int32(20_000) + np.int32(1_000_000_000)
    wanted = [(x * x) // 7, (x * x) % 7, (x**2) // 7, summed % 7]
    np.testing.assert_array_equal(dpt.asnumpy(results), wanted)


@pytest.mark.parametrize("code", "BHILbhil")
def test_bit_count_of_all_types(code):
    @ndx.kernel
    def count(item, a, bits):
        i = item.get_id(0)
        bits[i] = a[i].bit_count()

    info = np.iinfo(code)
    a = np.array([info.max, info.min, 0, 6], code)
    bits = dpt.empty(4, dtype="i8")
    ndx.call_kernel(count, ndx.Range(4), dpt.asarray(a), bits)
    np.testing.assert_array_equal(dpt.asnumpy(bits), np.bitwise_count(a))


@pytest.mark.parametrize("code", "BHIL")
def test_unsigned_integers_may_be_close(code):
    @ndx.kernel
    def compare(item, a, b, close):
        i = item.get_id(0)
        close[0, i] = np.isclose(a[i], b[i], atol=10)
        close[1, i] = math.isclose(a[i], b[i], abs_tol=10)

    a, b = np.array([[3, 5, 3, 200], [5, 3, 100, 200]], code)
    close = dpt.empty((2, 4), dtype="?")
    ndx.call_kernel(compare, ndx.Range(4), dpt.asarray(a), dpt.asarray(b), close)
    assert dpt.asnumpy(close).tolist() == [[True, True, False, True]] * 2


@pytest.mark.parametrize("code", "FD")
def test_complex_divisions_by_zero_are_numpys(code):
    @ndx.kernel
    def divide(item, a, b, quotient):
        i = item.get_id(0)
        quotient[i] = a[i] / b[i]

    a = np.array([1, 0, -1 - 1j, 2 + 1j, complex(np.inf, 1), 3 - 4j], code)
    b = np.array([0, 0, 0, complex(-0.0, -0.0), 0, 1 + 1j], code)
    quotient = dpt.empty(6, dtype=code)
    ndx.call_kernel(divide, ndx.Range(6), dpt.asarray(a), dpt.asarray(b), quotient)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(dpt.asnumpy(quotient), a / b)
