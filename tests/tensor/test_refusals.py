"""Wrong calls raise the right exception at once, with a message that names the operation, the argument and the
expectation. Operands, outputs and pending work are unchanged."""

from __future__ import annotations

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from dpctl.utils import ExecutionPlacementError
from dpep import _array
from numpy.exceptions import AxisError

SHAPE = (40, 50)
QUEUE, ELSEWHERE = dpctl.SyclQueue(), dpctl.SyclQueue()


class Arrays:
    """Operands of the calls below. `x` and `y` may be pending."""

    def __init__(self) -> None:
        self.source = dpt.asarray(np.arange(2000.0).reshape(SHAPE), sycl_queue=QUEUE)
        self.x = self.source * 2 + 1
        self.y = dpt.astype(self.source, "i4") - 3
        self.narrow = dpt.ones((40, 2), sycl_queue=QUEUE)
        self.whole = dpt.ones(SHAPE, dtype="i4", sycl_queue=QUEUE)
        self.complex = dpt.ones(SHAPE, dtype="c16", sycl_queue=QUEUE)
        self.nothing = dpt.ones((0, 3), sycl_queue=QUEUE)
        self.fixed = dpt.ones(SHAPE, sycl_queue=QUEUE)
        self.fixed.flags.writable = False
        self.foreign = dpt.ones(SHAPE, sycl_queue=ELSEWHERE)
        self.numpy = np.ones(SHAPE)


DTYPES = [
    (lambda a: a.x & a.x, ValueError, r"bitwise_and: input types \(float64, float64\)"),
    (lambda a: dpt.bitwise_left_shift(a.x, 1), ValueError, "bitwise_left_shift: input types"),
    (lambda a: dpt.floor_divide(a.complex, a.x), ValueError, "floor_divide: input types"),
    (lambda a: dpt.astype(a.x, "O"), TypeError, "dtype.*'O'.* is not supported by arrays"),
    (lambda a: dpt.astype(a.x, "i4", casting="safe"), TypeError, "astype: float64 cannot be cast to int32"),
    (lambda a: dpt.astype(a.x, "i4", casting="x"), ValueError, "casting must be one of .* got 'x'"),
    (lambda a: dpt.sum(a.x, dtype="M8[s]"), TypeError, "is not supported by arrays"),
    (lambda a: dpt.var(a.complex), ValueError, "var: .*complex128"),
    (lambda a: dpt.logsumexp(a.complex), ValueError, "logsumexp: expected real numbers, got complex128"),
    (lambda a: dpt.empty(1, dtype="S3"), TypeError, "is not supported by arrays"),
    (lambda a: a.whole.__iadd__(1.5), ValueError, "add: .*1.5 cannot be cast to int32"),
    (lambda a: a.whole.__itruediv__(2), ValueError, "divide: does not compute in int32"),
    (lambda a: dpt.add(dpt.ones(2, dtype="u1"), 300), OverflowError, "add: 300 is out of bounds for uint8"),
    (lambda a: dpt.full(2, 300, dtype="u1"), OverflowError, "full: 300 is out of bounds for uint8"),
    (lambda a: a.whole + 2**70, OverflowError, "64 bits"),
    (lambda a: dpt.isdtype(dpt.int8, "numbers"), ValueError, "isdtype: .*'numbers'; the kinds are"),
]

SHAPES = [
    (lambda a: dpt.add(a.x, a.narrow), ValueError, r"add: shapes \(40, 50\), \(40, 2\) .* lengths 50 and 2"),
    (lambda a: a.x.__imul__(a.narrow), ValueError, "multiply: shapes"),
    (lambda a: a.narrow.__iadd__(dpt.ones((3, 40, 2), sycl_queue=QUEUE)), ValueError, "add.*shape"),
    (lambda a: dpt.where(a.x > 0, a.y, a.narrow), ValueError, "where: shapes"),
    (
        lambda a: dpt.reshape(a.x, (7, 7)),
        ValueError,
        r"reshape: shape \(40, 50\) has 2000 elements, but shape \(7, 7\) has 49",
    ),
    (lambda a: dpt.reshape(a.x, (-1, -1)), ValueError, "reshape: one length may be -1"),
    (lambda a: dpt.broadcast_to(a.x, (50, 40)), ValueError, r"broadcast_to: shape \(40, 50\) .* \(50, 40\)"),
    (lambda a: dpt.concat((a.x, a.narrow)), ValueError, "concat: array 0 has shape .* array 1"),
    (lambda a: dpt.concat([]), TypeError, "concat: expected at least one array"),
    (lambda a: dpt.stack((a.x, a.narrow)), ValueError, "stack: .* expected the same shape"),
    (lambda a: dpt.squeeze(a.x, axis=0), ValueError, "squeeze: expected length 1 along axis 0, got length 40"),
    (lambda a: dpt.max(a.nothing, axis=0), ValueError, r"max: shape \(0, 3\)"),
    (lambda a: dpt.argmin(a.nothing), ValueError, "argmin: shape"),
    (lambda a: dpt.tril(dpt.ones(3)), ValueError, r"tril: expected at least 2 dimensions, got shape \(3,\)"),
    (lambda a: a.x.__setitem__(0, a.narrow), ValueError, r"assign: shape \(40, 2\) .* \(50,\)"),
    (lambda a: dpt.ones((1, 1, 1)).T, ValueError, "T: the array has 3 dimensions"),
    (lambda a: dpt.empty(-1), ValueError, "empty: shape must not be negative, got -1"),
    (lambda a: dpt.empty((1,) * 65), ValueError, "64 dimensions"),
    (lambda a: dpt.empty((2**62, 2**62)), ValueError, "more elements than memory has addresses"),
    (lambda a: dpt.linspace(0, 1, -1), ValueError, "linspace: num must not be negative, got -1"),
    (lambda a: dpt.repeat(a.x, -1), ValueError, "repeat: repeats must not be negative, got -1"),
    (lambda a: float(a.x), ValueError, "float: only arrays with one element .* this one has 2000"),
    (lambda a: bool(a.x), ValueError, "truth value .* ambiguous"),
]

AXES = [
    (lambda a: dpt.sum(a.x, axis=2), AxisError, "sum: axis 2 is out of bounds for an array of 2"),
    (lambda a: dpt.mean(a.x, axis=-3), AxisError, "mean: axis -3"),
    (lambda a: dpt.sum(a.x, axis=(0, -2)), ValueError, "sum: axis 0 is named twice"),
    (lambda a: dpt.sum(a.x, axis=1.5), TypeError, "sum: axis must be an int, .* got float"),
    (lambda a: dpt.argmax(a.x, axis=(0, 1)), TypeError, "argmax: axis must be an int or None, got tuple"),
    (lambda a: dpt.cumulative_sum(a.x), ValueError, "cumulative_sum: axis cannot be None"),
    (lambda a: dpt.permute_dims(a.x, (0, 0)), ValueError, "permute_dims: axis 0 is named twice"),
    (lambda a: dpt.permute_dims(a.x, (0,)), ValueError, "permute_dims: 1 axes for an array of 2"),
    (lambda a: dpt.flip(a.x, axis=3), AxisError, "flip: axis 3"),
    (lambda a: dpt.moveaxis(a.x, (0, 1), (0,)), ValueError, "moveaxis: .* got 2 and 1"),
    (lambda a: dpt.expand_dims(a.x, axis=5), AxisError, "expand_dims: axis 5"),
    (lambda a: a.x[0, 0, 0], IndexError, "3 indices for an array of 2"),
    (lambda a: a.x[40], IndexError, "index 40 is out of bounds for axis 0 with size 40"),
    (lambda a: a.x["name"], IndexError, "index: expected an integer, .* got str"),
    (lambda a: a.x.__setitem__(-41, 1), IndexError, "index -41"),
]

QUEUES = [
    (lambda a: a.x + a.foreign, ExecutionPlacementError, "add: the arrays are on different queues"),
    (lambda a: a.x.__iadd__(a.foreign), ExecutionPlacementError, "add: the arrays are on different queues"),
    (
        lambda a: dpt.where(a.x > 0, a.y, a.foreign),
        ExecutionPlacementError,
        "where: the arrays are on different queues",
    ),
    (lambda a: dpt.clip(a.x, a.foreign, 2), ExecutionPlacementError, "clip: the arrays are on different queues"),
    (lambda a: dpt.concat((a.x, a.foreign)), ExecutionPlacementError, "concat: the arrays are on different queues"),
    (lambda a: dpt.stack((a.x, a.foreign)), ExecutionPlacementError, "stack: the arrays are on different queues"),
    (lambda a: dpt.sin(a.x, out=a.foreign), ExecutionPlacementError, "sin: `out` is on another queue"),
    (lambda a: dpt.empty(1, sycl_queue=3), TypeError, "sycl_queue must be a dpctl.SyclQueue, got int"),
    (lambda a: dpt.empty(1, device=QUEUE, sycl_queue=ELSEWHERE), TypeError, "different queues; give one"),
    (lambda a: dpt.empty(1, usm_type="heap"), ValueError, "usm_type 'heap' is not one of device, shared, host"),
    (lambda a: a.x.to_device("nowhere"), dpctl.SyclDeviceCreationError, "'nowhere'"),
]

OUTPUTS = [
    (lambda a: dpt.add(a.x, a.y, out=a.narrow), ValueError, r"add has a result of shape \(40, 50\), `out` is of"),
    (lambda a: dpt.add(a.x, a.y, out=a.whole), ValueError, "float64 is needed, got int32 .add"),
    (lambda a: dpt.add(a.x, a.y, out=a.fixed), ValueError, "add: `out` is read-only"),
    (lambda a: dpt.add(a.x, a.y, out=a.numpy), TypeError, "add: out must be a usm_ndarray, got ndarray"),
    (lambda a: dpt.sum(a.x, axis=0, out=a.narrow), ValueError, "sum has a result of shape"),
    (lambda a: dpt.max(a.x, out=dpt.empty((), dtype="i4", sycl_queue=QUEUE)), ValueError, "float64 is needed"),
    (lambda a: a.fixed.__iadd__(1), ValueError, "add: `out` is read-only"),
    (lambda a: a.fixed.__setitem__(0, 1), ValueError, "read-only"),
]

OBJECTS = [
    (lambda a: dpt.sin([1.0]), TypeError, "sin: x must be a usm_ndarray, got list"),
    (lambda a: dpt.add(a.x, "text"), ValueError, "add: expected an array or a number, got str"),
    (lambda a: a.x + object(), TypeError, "unsupported operand"),
    (lambda a: dpt.any([1]), TypeError, "any: x must be a usm_ndarray, got list"),
    (lambda a: dpt.sqrt(a.x, a.x, a.x), TypeError, "takes 1 positional argument but 3 were given"),
    (lambda a: dpt.sqrt(a.x, where=True), TypeError, "unexpected keyword argument 'where'"),
    (lambda a: dpt.std(a.x, correction="one"), TypeError, "std: correction must be an int or a float, got str"),
    (lambda a: dpt.full(2, "text"), TypeError, "full: fill_value must be a number, got str"),
    (lambda a: dpt.arange("text"), ValueError, "arange: stop must be a number, got str"),
    (lambda a: dpt.arange(0, 1, 0), ZeroDivisionError, "arange: step is 0"),
    (lambda a: dpt.asarray([[1], [2, 3]]), ValueError, "inhomogeneous"),
    (lambda a: dpt.asarray(object()), TypeError, "asarray: cannot make an array of"),
    (lambda a: dpt.asarray([1], copy=False), ValueError, "asarray: .* copy=False"),
    (lambda a: dpt.empty((2**40, 2**10)), MemoryError, "allocate: cannot allocate 8.00 PiB"),
]


REFUSED = {"dtype": DTYPES, "shape": SHAPES, "axis": AXES, "queue": QUEUES, "out": OUTPUTS, "object": OBJECTS}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [pytest.param(*row, id=f"{kind}-{i}") for kind, rows in REFUSED.items() for i, row in enumerate(rows)],
)
def test_refused_at_the_call(call, error, message):
    arrays = Arrays()
    described = {name: (a.shape, a.dtype, getattr(a, "strides", None)) for name, a in vars(arrays).items()}
    pending = _array.pending_work(QUEUE)
    with pytest.raises(error, match=message):
        call(arrays)
    assert _array.pending_work(QUEUE) == pending
    assert described == {name: (a.shape, a.dtype, getattr(a, "strides", None)) for name, a in vars(arrays).items()}
    reference = np.arange(2000.0).reshape(SHAPE)
    assert np.array_equal(dpt.asnumpy(arrays.x), reference * 2 + 1)
    assert np.array_equal(dpt.asnumpy(arrays.y), reference.astype("i4") - 3)
    for name in ("narrow", "whole", "complex", "fixed", "foreign"):
        assert np.all(dpt.asnumpy(getattr(arrays, name)) == 1), name


def test_operands_are_pending_while_calls_are_refused():
    big = dpt.asarray(np.arange(1e6), sycl_queue=QUEUE)
    x = big * 2 + 1
    before = _array.pending_work(QUEUE)
    assert before["operations"] > 0
    for call in (lambda: dpt.add(x, dpt.ones(3, sycl_queue=QUEUE)), lambda: dpt.sum(x, axis=1), lambda: x & 1):
        with pytest.raises((ValueError, AxisError)):
            call()
        assert _array.pending_work(QUEUE) == before
    assert np.array_equal(dpt.asnumpy(x), np.arange(1e6) * 2 + 1)
