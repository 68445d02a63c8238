"""`kernel_api.reduction`: values that all work-items reduce, beside NumPy and the simulation."""

from __future__ import annotations

import operator

import dpctl
import dpctl.tensor as dpt
import dpnp
import numba_dpex as ndx
import numpy as np
import pytest
from numba_dpex import kernel_api as kapi
from numba_dpex.core.exceptions import TypingError, UnsupportedKernelArgumentError

SIZES = [0, 1, 7, 300, 100_003]


def numbers(count, dtype="f8"):
    random = np.random.default_rng(count + 3)
    x = random.normal(size=count)
    if np.dtype(dtype).kind in "iu":
        return (np.abs(x) * 20).astype(dtype)
    return (x + 1j * random.normal(size=count) if np.dtype(dtype).kind == "c" else x).astype(dtype)


@ndx.kernel
def combines(item: kapi.Item, x, result):
    result.combine(x[item.get_id(0)])


@ndx.kernel
def combines_in_groups(item: kapi.NdItem, x, result):
    i = item.get_global_id(0)
    if i < x.size:
        result.combine(x[i])


OPERATIONS = {
    "plus": (kapi.plus, np.add, 3),
    "multiplies": (kapi.multiplies, np.multiply, 2),
    "minimum": (kapi.minimum, np.minimum, 0),
    "maximum": (kapi.maximum, np.maximum, 1),
    "bit_and": (kapi.bit_and, np.bitwise_and, 12),
    "bit_or": (kapi.bit_or, np.bitwise_or, 1),
    "bit_xor": (kapi.bit_xor, np.bitwise_xor, 5),
}


def is_defined(operation, dtype):
    kind = np.dtype(dtype).kind
    return not (operation.startswith("bit") and kind in "fc") and not (
        operation in ("minimum", "maximum") and kind == "c"
    )


@pytest.mark.parametrize("initialize", [False, True])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("operation", "dtype"),
    [(op, t) for op in OPERATIONS for t in ["u1", "i4", "i8", "f4", "f8", "c16"] if is_defined(op, t)],
)
def test_reductions(operation, dtype, size, initialize):
    op, ufunc, before = OPERATIONS[operation]
    x = numbers(size, dtype)
    if operation == "multiplies":
        x = (x % 2 + 1).astype(dtype) if dtype[0] in "iu" else (1 + x / (100 + 10 * size)).astype(dtype)
    start = [] if initialize else [np.array(before, dtype)]
    whole = np.concatenate([np.array(start, dtype), x])
    if initialize and operation in ("minimum", "maximum") and not size:
        return
    with np.errstate(over="ignore"):
        wanted = ufunc.reduce(whole, dtype=dtype)
    tolerance = {"f4": 2e-3, "f8": 1e-9, "c16": 1e-9}.get(dtype, 0)
    for launch in "range", "groups":
        result = dpnp.full(1, before, dtype=dtype)
        given = kapi.reduction(result, op, initialize_to_identity=initialize)
        if launch == "range":
            ndx.call_kernel(combines, ndx.Range(size), dpnp.asarray(x), given)
        else:
            groups = -(-size // 64)
            ndx.call_kernel(combines_in_groups, ndx.NdRange((64 * groups,), (64,)), dpnp.asarray(x), given)
        np.testing.assert_allclose(dpnp.asnumpy(result)[0], wanted, rtol=tolerance, atol=tolerance)


@ndx.device_func
def add_square(total, value):
    total += value * value


@ndx.kernel
def several(item: kapi.Item, x, total, least, odd, label):
    i, j = item.get_id(0), item.get_id(1)
    if x[i, j] < 0:
        return
    add_square(total, x[i, j])
    least.combine(x[i, j])
    least.combine(i + j)
    if label and (i + j) % 2:
        odd ^= i * j


def test_several_reductions():
    x = numbers(35 * 40).reshape(35, 40)
    total, least, odd = dpnp.ones(1), dpnp.full((), 100.0), dpt.zeros((1, 1), dtype="i4")
    ndx.call_kernel(
        several,
        ndx.Range(35, 40),
        dpnp.asarray(x),
        kapi.reduction(total, operator.add),
        kapi.reduction(least, min),
        kapi.reduction(odd, operator.xor),
        True,
    )
    i, j = np.indices(x.shape)
    kept = x >= 0
    np.testing.assert_allclose(dpnp.asnumpy(total), [1 + (x[kept] ** 2).sum()])
    assert float(least) == min(100.0, x[kept].min(), (i + j)[kept].min())
    assert int(odd) == np.bitwise_xor.reduce((i * j)[kept & ((i + j) % 2 == 1)])


def test_results_do_not_change_between_launches():
    x = dpnp.asarray(numbers(100_000, "f4"))
    results = set()
    for _ in range(5):
        result = dpnp.zeros(1, dtype="f4")
        ndx.call_kernel(combines, ndx.Range(x.size), x, kapi.reduction(result, kapi.plus))
        results.add(float(result[0]))
    assert len(results) == 1


@pytest.mark.parametrize("size", [1, 7, 300, 100_003])
@pytest.mark.parametrize("operation", ["plus", "minimum", "bit_xor"])
@pytest.mark.parametrize("initialize", [False, True])
def test_asynchronous_launches(operation, size, initialize):
    op, ufunc, before = OPERATIONS[operation]
    x = numbers(size, "i8")
    y = dpnp.asarray(x)
    result, copy = dpnp.full(1, before, dtype="i8"), dpnp.empty(1, dtype="i8")
    given = kapi.reduction(result, op, initialize_to_identity=initialize)
    _, first = ndx.call_kernel_async(combines, ndx.Range(size), (), y, given)
    groups = ndx.NdRange((-(-size // 64) * 64,), (64,))
    _, second = ndx.call_kernel_async(combines_in_groups, groups, (first,), y, given)
    _, third = ndx.call_kernel_async(copies, ndx.Range(1), (second,), result, copy)
    third.wait()
    whole = x if initialize else np.concatenate([np.array([before], "i8"), x, x])
    assert int(dpnp.asnumpy(result)[0]) == ufunc.reduce(whole)
    assert int(dpnp.asnumpy(copy)[0]) == ufunc.reduce(whole)


@ndx.kernel
def copies(item: kapi.Item, x, y):
    y[item.get_id(0)] = x[item.get_id(0)]


@ndx.kernel
def combines_when_told(item: kapi.Item, turn, x, result):
    while kapi.AtomicRef(turn, 0).load() == 0:
        pass
    result.combine(x[item.get_id(0)])


def test_asynchronous_launches_return_before_the_kernel_ends():
    if not dpctl.select_default_device().is_cpu:
        pytest.skip("a kernel of a GPU need not see what the host writes while it runs")
    turn, result = dpt.zeros(1, dtype="i8", usm_type="shared"), dpnp.zeros(1, dtype="i8")
    x = dpnp.arange(4)
    seen = np.asarray(turn.usm_data).view("i8")  # the same memory
    x.sycl_queue.wait()
    _, done = ndx.call_kernel_async(combines_when_told, ndx.Range(4), (), turn, x, kapi.reduction(result, kapi.plus))
    assert done.execution_status != dpctl.event_status_type.complete
    seen[0] = 1
    done.wait()
    assert int(result[0]) == 6


def statistics(item: kapi.NdItem, x, total, product, bits):
    i = item.get_global_id(0)
    total += x[i]
    kapi.group_barrier(item.get_group())
    product *= 1 + x[i] % 2
    bits |= 1 << i
    bits.combine(1)


@pytest.mark.parametrize("initialize", [False, True])
def test_simulation(initialize):
    results = []
    for run in kapi.call_kernel, lambda f, *given: ndx.call_kernel(ndx.kernel(f), *given):
        arrays = [dpnp.full(1, before, dtype="i8") for before in (5, 3, 64)]
        operations = kapi.plus, kapi.multiplies, kapi.bit_or
        given = [kapi.reduction(a, op, initialize) for a, op in zip(arrays, operations, strict=True)]
        run(statistics, ndx.NdRange((12,), (4,)), dpnp.arange(12), *given)
        results.append([int(each[0]) for each in arrays])
    assert results[0] == results[1]


def other_operator(item: kapi.Item, x, total):
    total *= 2


def a_row(item: kapi.Item, x, total):
    total += x


def reads(item: kapi.Item, x, total):
    x[0] = total


def another_method(item: kapi.Item, x, total):
    total.fetch_add(1)


@pytest.mark.parametrize(
    ("function", "phrase"),
    [
        (other_operator, "operator *= of a reduction by another operation: use +="),
        (a_row, "a reduction takes numbers, got a 1-dimensional array"),
        (reads, "an element of type float64 cannot be assigned a reduction of float64"),
        (another_method, "a reduction of float64 has no method 'fetch_add'"),
    ],
)
def test_wrong_kernels(function, phrase):
    with pytest.raises(TypingError) as raised:
        ndx.call_kernel(ndx.kernel(function), ndx.Range(4), dpnp.ones(4), kapi.reduction(dpnp.zeros(1), kapi.plus))
    assert phrase in str(raised.value)
    assert raised.value.lineno == function.__code__.co_firstlineno + 1


def test_wrong_arguments():
    for given, phrase in [
        ((dpnp.zeros(2), kapi.plus), r"of one element, not of shape \(2,\)"),
        ((3, kapi.plus), "of one element, not int"),
        ((dpnp.zeros(1), len), "must be one of kernel_api's.*not 'len'"),
        ((dpnp.zeros(1), kapi.bit_or), "needs integers, not float64"),
        ((dpnp.zeros(1, dtype="c8"), max), "complex numbers have no order"),
    ]:
        with pytest.raises(TypeError, match=phrase):
            kapi.reduction(*given)
    total = kapi.reduction(dpnp.zeros(1), kapi.plus)
    with pytest.raises(UnsupportedKernelArgumentError, match="a reduction needs an index space"):
        ndx.single_task(ndx.kernel(lambda_free), dpnp.ones(3), total)


def lambda_free(x, total):
    total += x[0]
