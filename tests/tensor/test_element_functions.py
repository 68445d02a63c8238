"""Element functions agree with NumPy's: values of every signature, layouts, broadcasting, out=, order= and numbers."""

from __future__ import annotations

import copy
import inspect
import pickle

import dpctl
import dpctl.tensor as dpt
import numpy as np
import pytest
from reference import LAYOUTS, assert_same, laid_out, values

# Functions with another name in NumPy.
NUMPY = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atan2": np.arctan2, "atanh": np.arctanh, "bitwise_invert": np.invert, "bitwise_left_shift": np.left_shift,
    "bitwise_right_shift": np.right_shift, "pow": np.power, "round": np.rint,
    "proj": lambda z: z, "rsqrt": lambda x: 1 / np.sqrt(x),
}  # fmt: skip
FUNCTIONS = {
    name: f
    for name in dpt.__all__
    if isinstance(f := getattr(dpt, name), (dpt.BinaryElementwiseFunc, dpt.UnaryElementwiseFunc))
}
# Ranges of operands in which functions are defined and well-conditioned.
RANGES = {
    "acos": (-0.9, 0.9), "asin": (-0.9, 0.9), "atanh": (-0.9, 0.9), "acosh": (1.1, 5), "log1p": (-0.9, 5),
    "bitwise_left_shift": (0, 3), "bitwise_right_shift": (0, 3), "pow": (0, 3),
    **dict.fromkeys(("log", "log2", "log10", "sqrt", "rsqrt"), (0.1, 5)),
    **dict.fromkeys(("divide", "floor_divide", "remainder", "reciprocal"), (1, 5)),
}  # fmt: skip


def reference(name: str, *operands: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return NUMPY.get(name, getattr(np, name, None))(*operands)


def operands_of(name: str, codes: str, shape: tuple[int, ...] = (37,)) -> list[np.ndarray]:
    low, high = RANGES.get(name, (-3, 3))
    if "bitwise" not in name and any(c in "bhilBHIL" for c in codes):
        low, high = np.floor(low), np.ceil(high)
    return [values(c, shape, i, low, high) for i, c in enumerate(codes)]


# Operations on few elements run at the call; those on more elements are deferred and run by other code.
@pytest.mark.parametrize("size", [37, 5003])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_of_every_signature(name, size):
    for signature in FUNCTIONS[name].types:
        codes, result = signature.split("->")
        operands = operands_of(name, codes, (size,))
        expected = reference(name, *operands).astype(result)
        assert_same(FUNCTIONS[name](*map(dpt.asarray, operands)), expected, 8, near_zero=name == "logaddexp")


@pytest.mark.parametrize("extent", [6, 70])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["add", "negative", "sin", "less", "abs"])
def test_layouts(name, layout, extent):
    inputs = FUNCTIONS[name].nin
    for code in "bdF":
        for other in LAYOUTS:
            if name == "sin" and code == "b":
                continue
            pairs = [laid_out(code, kind, i, extent=extent) for i, kind in enumerate([layout, other][:inputs])]
            expected = reference(name, *(n for n, _ in pairs))
            assert_same(FUNCTIONS[name](*(d for _, d in pairs)), expected)


@pytest.mark.parametrize(
    "shapes", [((), ()), ((3,), ()), ((4, 1), (3,)), ((2, 1, 3), (4, 1)), ((0,), (1,)), ((2, 0), (2, 1)), ((1,), (5,))]
)
def test_broadcasting(shapes):
    a, b = (values("i", s, i) for i, s in enumerate(shapes))
    assert_same(dpt.multiply(dpt.asarray(a), dpt.asarray(b)), a * b)


def test_shapes_that_cannot_be_broadcast():
    with pytest.raises(ValueError, match=r"add: .*\(2,\).*\(3,\)"):
        dpt.add(dpt.ones(2), dpt.ones(3))


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_order_of_results(order):
    a, b = np.ones((3, 4), order="F"), np.ones((3, 4), order="F")
    ours = dpt.add(dpt.asarray(a), dpt.asarray(b), order=order)
    expected = np.add(a, b, order=order)
    assert (ours.flags.c_contiguous, ours.flags.f_contiguous) == (
        expected.flags.c_contiguous,
        expected.flags.f_contiguous,
    )


class TestOut:
    def test_returns_out(self):
        x, out = dpt.arange(4.0), dpt.empty(4)
        assert dpt.sqrt(x, out=out) is out
        assert_same(out, np.sqrt(np.arange(4.0)))

    @pytest.mark.parametrize("shift", [-2, -1, 0, 1, 2])
    def test_may_overlap_operands(self, shift):
        base = np.arange(20.0)
        ours = dpt.asarray(base)
        part, out = slice(5, 15), slice(5 + shift, 15 + shift)
        dpt.add(ours[part], ours[part][::-1], out=ours[out])
        base[out] = base[part] + base[part][::-1]
        assert_same(ours, base)

    @pytest.mark.parametrize(
        ("out", "error"),
        [
            (lambda: dpt.empty(3), ValueError),
            (lambda: dpt.empty(4, dtype="f4"), ValueError),
            (lambda: np.empty(4), TypeError),
            (lambda: dpt.empty(4, sycl_queue=dpctl.SyclQueue()), dpctl.utils.ExecutionPlacementError),
        ],
    )
    def test_must_have_the_shape_dtype_and_queue(self, out, error):
        x = dpt.ones(4)
        for f, operands in ((dpt.negative, (x,)), (dpt.add, (x, x))):
            with pytest.raises(error, match=r"[Oo]ut|queue"):
                f(*operands, out=out())

    def test_must_be_writable(self):
        out = dpt.empty(4)
        out.flags["W"] = False
        with pytest.raises(ValueError, match="read-only"):
            dpt.negative(dpt.ones(4), out=out)


@pytest.mark.parametrize("number", [True, 2, -3, 2.5, 1 + 2j])
@pytest.mark.parametrize("code", "?bBiLefdFD")
def test_python_numbers_adopt_the_dtype(code, number):
    x = values(code, (5,))
    ours = dpt.asarray(x)
    if code in "BL" and number == -3:
        with pytest.raises(OverflowError):
            dpt.add(ours, number)
        return
    assert_same(dpt.add(ours, number), np.add(x, number))
    assert_same(dpt.add(number, ours), np.add(number, x))


def test_numpy_arrays_are_operands():
    x = np.arange(3.0)
    assert_same(dpt.add(dpt.asarray(x), x), x + x)
    assert_same(dpt.add(np.float32(2), dpt.asarray(x)), np.float32(2) + x)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda x: dpt.sin(1.0), TypeError, "usm_ndarray"),
        (lambda x: dpt.sin([1.0]), TypeError, "usm_ndarray"),
        (lambda x: dpt.add(1, 2), dpctl.utils.ExecutionPlacementError, "add"),
        (lambda x: dpt.add(x, "a"), ValueError, "str"),
        (lambda x: dpt.add(x), TypeError, "2 positional arguments but 1 was"),
        (lambda x: dpt.sin(x, x), TypeError, "1 positional argument but 2 were"),
        (lambda x: dpt.sin(x, wrong=1), TypeError, "unexpected keyword argument 'wrong'"),
        (lambda x: dpt.add(x, dpt.ones(3, sycl_queue=dpctl.SyclQueue())), dpctl.utils.ExecutionPlacementError, "add"),
        (lambda x: dpt.bitwise_and(x, x), ValueError, "bitwise_and.*float64"),
        (lambda x: dpt.negative(dpt.ones(3, dtype="?")), ValueError, "bool"),
    ],
)
def test_refusals(call, error, says):
    with pytest.raises(error, match=says):
        call(dpt.ones(3))


def test_function_objects():
    assert repr(dpt.add) == "<BinaryElementwiseFunc 'add'>"
    assert (dpt.add.nin, dpt.add.nout, dpt.add.name_) == (2, 1, "add")
    assert (dpt.sin.nin, dpt.sin.nout, dpt.sin.__module__) == (1, 1, "dpctl.tensor")
    assert "ee->e" in dpt.add.types and "d->d" in dpt.sin.types
    assert pickle.loads(pickle.dumps(dpt.add)) is dpt.add
    assert copy.deepcopy(dpt.sin) is dpt.sin
    assert str(inspect.signature(dpt.add)) == "(x1, x2, /, *, out=None, order='K')"
    assert str(inspect.signature(dpt.sin)) == "(x, /, *, out=None, order='K')"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_documented(name):
    text = FUNCTIONS[name].__doc__
    assert ">>> " in text and "Parameters" in text
