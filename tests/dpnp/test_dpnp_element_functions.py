"""dpnp's element functions agree with NumPy's: values of every signature, names, keywords of ufuncs, errors."""

from __future__ import annotations

import pickle

import dpctl
import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest
from reference import LAYOUTS, assert_same, laid_out, values

pytestmark = pytest.mark.filterwarnings("ignore:numpy.fix is deprecated")

FUNCTIONS = [n for n in dpnp.__all__ if isinstance(getattr(dpnp, n), dpnp.ufunc) and n != "nextafter"]
UNKNOWN_TO_NUMPY = {"erf", "proj", "rsqrt"}  # functions of SciPy or of no other library
RANGES = {
    "acos": (-0.9, 0.9), "arccos": (-0.9, 0.9), "asin": (-0.9, 0.9), "arcsin": (-0.9, 0.9), "atanh": (-0.9, 0.9),
    "arctanh": (-0.9, 0.9), "acosh": (1.1, 5), "arccosh": (1.1, 5), "log1p": (-0.9, 5),
    **dict.fromkeys(("left_shift", "right_shift", "bitwise_left_shift", "bitwise_right_shift"), (0, 3)),
    **dict.fromkeys(("power", "pow", "float_power"), (0.5, 3)),
    **dict.fromkeys(("log", "log2", "log10", "sqrt"), (0.1, 5)),
    **dict.fromkeys(("divide", "true_divide", "floor_divide", "remainder", "mod", "fmod", "reciprocal"), (1, 5)),
}  # fmt: skip


def operands_of(name: str, codes: str, shape: tuple[int, ...] = (37,)) -> list[np.ndarray]:
    low, high = RANGES.get(name, (-3, 3))
    if any(c in "bhilBHIL" for c in codes):
        low, high = np.ceil(low), np.ceil(high)
    return [values(c, shape, i, low, high) for i, c in enumerate(codes)]


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in UNKNOWN_TO_NUMPY])
def test_values_of_every_signature(name):
    function, reference = getattr(dpnp, name), getattr(np, name)
    for signature in function.types:
        codes, result = signature.split("->")
        operands = operands_of(name, codes)
        with np.errstate(all="ignore"):
            expected = reference(*operands)
        given = function(*map(dpnp.array, operands))
        ulps = 64 if name in ("sinc", "float_power") else 8
        pairs = zip(given, expected) if function.nout == 2 else [(given, expected)]
        for (ours, theirs), code in zip(pairs, result, strict=True):
            # a sum of two terms of magnitude 1 may cancel to almost 0
            assert_same(ours, theirs.astype(code), ulps, near_zero=name == "logaddexp2")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["add", "heaviside", "degrees", "sinc", "angle", "bitwise_count", "fix"])
def test_layouts(name, layout):
    function, reference = getattr(dpnp, name), getattr(np, name)
    pairs = [laid_out("d" if name != "bitwise_count" else "l", layout, i) for i in range(getattr(function, "nin", 1))]
    expected = reference(*(n for n, _ in pairs))
    assert_same(function(*(dpnp.asarray(d) for _, d in pairs)), expected, 16)


SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e308, -5e-324, 2.5, -2.5])


@pytest.mark.parametrize(
    "name", ["degrees", "radians", "sinc", "spacing", "fix", "angle", "isposinf", "isneginf", "frexp", "modf"]
)
def test_special_values_of_unary_functions(name):
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(SPECIAL)
    given = getattr(dpnp, name)(dpnp.array(SPECIAL))
    for ours, theirs in zip(given, expected) if isinstance(expected, tuple) else [(given, expected)]:
        assert_same(ours, theirs)


@pytest.mark.parametrize("name", ["heaviside", "logaddexp2", "float_power", "fmax", "fmin"])
def test_special_values_of_binary_functions(name):
    a, b = SPECIAL[:, None], SPECIAL[None, :]
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(a, b)
    assert_same(getattr(dpnp, name)(dpnp.array(a), dpnp.array(b)), expected)


def test_modf_and_divmod():
    with np.errstate(all="ignore"):
        for ours, expected in zip(dpnp.modf(dpnp.array(SPECIAL)), np.modf(SPECIAL)):
            assert_same(ours, expected)
            assert np.array_equal(np.signbit(dpnp.asnumpy(ours)[:6]), np.signbit(expected[:6]))
    a = np.array([7, -7, 5])
    for ours, expected in zip(divmod(dpnp.array(a), 4), divmod(a, 4)):
        assert_same(ours, expected)


class TestTwoResults:
    def test_out(self):
        x = np.array([1.5, -0.25, 8.0])
        first, second = dpnp.empty(3), dpnp.empty(3, dtype="i4")
        assert dpnp.frexp(dpnp.array(x), out=(first, second)) == (first, second)
        assert_same(first, np.frexp(x)[0])
        assert_same(second, np.frexp(x)[1])

    def test_one_out(self):
        second = dpnp.empty(2, dtype="i8")
        quotient, remainder = dpnp.divmod(dpnp.array([7, -7]), 4, out=(None, second))
        assert remainder is second
        assert_same(quotient, np.array([1, -2]))
        assert_same(second, np.array([3, 1]))

    @pytest.mark.parametrize("size", [3, 5000])
    def test_out_that_is_an_operand(self, size):
        a, b = np.arange(size) - size // 2, np.arange(size) % 5 + 1
        for outs in ((True, True), (True, False), (False, True)):
            x, y = dpnp.array(a), dpnp.array(b)
            out = tuple(operand if used else None for operand, used in zip((x, y), outs))
            for ours, expected in zip(dpnp.divmod(x, y, out=out), np.divmod(a, b)):
                assert_same(ours, expected)

    @pytest.mark.parametrize("out", [np.empty(2), 1, (1,), (1, 2, 3)])
    def test_other_out_is_refused(self, out):
        """A tuple of another length is a ValueError, as in NumPy."""
        error = ValueError if isinstance(out, tuple) else TypeError
        with pytest.raises(error, match="frexp"):
            dpnp.frexp(dpnp.ones(2), out=out)

    def test_large_arrays(self):
        x = np.random.default_rng(3).normal(size=(700, 301)) * 1e3
        for name in ("frexp", "modf"):
            for ours, theirs in zip(getattr(dpnp, name)(dpnp.array(x) * 2), getattr(np, name)(x * 2)):
                assert_same(ours, theirs)
        mantissa, exponent = dpnp.frexp(dpnp.array(x))
        assert_same(dpnp.ldexp(mantissa, exponent), x)


@pytest.mark.parametrize("code", "bBhHiIlL")
def test_divisors_of_extreme_integers(code):
    info = np.iinfo(code)
    x = np.array([info.min, info.min + 1, info.max, 0, 1, 6, 35], dtype=code)
    for name in ("gcd", "lcm"):
        assert_same(getattr(dpnp, name)(dpnp.array(x)[:, None], dpnp.array(x)), getattr(np, name)(x[:, None], x))


@pytest.mark.parametrize("code, ulps", [("e", 1), ("f", 4), ("d", 4)])
def test_i0(code, ulps):
    x = np.concatenate([np.linspace(-20, 20, 997), [0.0, 8.0, 90.0, 92.0, 700.0]]).astype(code)
    with np.errstate(all="ignore"):
        expected = np.i0(x.astype("f8")).astype(code)  # NumPy's of float64 is accurate to some ulp
    assert_same(dpnp.i0(dpnp.array(x)), expected, 16 if code == "d" else ulps)
    limits = dpnp.asnumpy(dpnp.i0(dpnp.array(np.array([0.0, 713.0, np.inf, -np.inf, np.nan]), dtype=code)))
    assert limits[0] == 1 and np.isfinite(limits[1]) == (code == "d")
    assert np.array_equal(limits[2:], [np.inf, np.inf, np.nan], equal_nan=True)


@pytest.mark.parametrize(
    "alias, name",
    [("absolute", "abs"), ("arcsin", "asin"), ("arctan2", "atan2"), ("mod", "remainder"), ("pow", "power"),
     ("true_divide", "divide"), ("bitwise_not", "invert"), ("conjugate", "conj"), ("deg2rad", "radians"),
     ("fix", "trunc")],
)  # fmt: skip
def test_aliases(alias, name):
    assert getattr(dpnp, alias) is getattr(dpnp, name)


@pytest.mark.parametrize("name", ["add", "power", "rint", "degrees", "sinc", "invert"])
def test_pickling_keeps_identity(name):
    assert pickle.loads(pickle.dumps(getattr(dpnp, name))) is getattr(dpnp, name)


class TestKeywords:
    @pytest.mark.parametrize("name", ["sqrt", "degrees"])
    def test_out(self, name):
        x, out = dpnp.arange(4.0), dpnp.empty(4)
        assert getattr(dpnp, name)(x, out=out) is out
        assert_same(out, getattr(np, name)(np.arange(4.0)))
        assert getattr(dpnp, name)(x, out) is out

    def test_out_of_dpctl_returns_a_dpnp_array(self):
        out = dpt.empty(3)
        result = dpnp.sqrt(dpnp.ones(3), out=out)
        assert type(result) is dpnp.ndarray
        assert_same(out, np.ones(3))

    @pytest.mark.parametrize("name", ["add", "heaviside"])
    @pytest.mark.parametrize("order", ["C", "F", "f", None])
    def test_order(self, name, order):
        x = dpnp.ones((3, 4), order="F")
        result = getattr(dpnp, name)(x, x, order=order)
        expected = np.add(np.ones((3, 4), order="F"), 1, order=order)
        assert result.flags.c_contiguous == expected.flags.c_contiguous

    @pytest.mark.parametrize("name", ["add", "heaviside"])
    def test_unknown_order_is_refused(self, name):
        with pytest.raises(ValueError, match="order"):
            getattr(dpnp, name)(dpnp.ones(3), dpnp.ones(3), order="H")

    def test_dtype_casts_operands(self):
        assert_same(dpnp.add(dpnp.arange(3), 1.5, dtype="f4"), np.array([1.5, 2.5, 3.5], "f4"))
        assert_same(dpnp.heaviside(dpnp.arange(3), 0.5, dtype="f4"), np.array([0.5, 1, 1], "f4"))

    @pytest.mark.parametrize("name", ["add", "heaviside"])
    @pytest.mark.parametrize("keyword", [{"signature": "dd->d"}, {"axis": 1}])
    def test_unsupported_keywords_are_refused(self, name, keyword):
        with pytest.raises(NotImplementedError):
            getattr(dpnp, name)(dpnp.ones(3), dpnp.ones(3), **keyword)

    @pytest.mark.parametrize("code, other", [("i4", "i8"), ("f4", "f8"), ("f8", "c16")])
    def test_out_that_is_an_operand_keeps_its_dtype(self, code, other):
        x = dpnp.ones(3, dtype=code)
        if code == "f8":
            with pytest.raises(ValueError):
                dpnp.add(x, dpnp.ones(3, dtype=other), out=x)
        else:
            assert dpnp.add(x, dpnp.ones(3, dtype=other), out=x) is x
            assert_same(x, np.full(3, 2, code))


class TestOperands:
    @pytest.mark.parametrize("name", ["subtract", "negative", "positive", "sign"])
    def test_arithmetic_of_bools_is_refused(self, name):
        function = getattr(dpnp, name)
        with pytest.raises(TypeError):
            function(*[dpnp.ones(2, dtype=bool)] * function.nin)

    @pytest.mark.parametrize("name", ["add", "heaviside", "logaddexp2"])
    @pytest.mark.parametrize("stranger", [np.ones(3), [1, 2, 3], "1", None])
    def test_unsupported_operands_are_refused(self, name, stranger):
        with pytest.raises(TypeError):
            getattr(dpnp, name)(dpnp.ones(3), stranger)

    @pytest.mark.parametrize("name", ["sqrt", "exp", "floor", "isnan", "abs", "frexp"])
    @pytest.mark.parametrize("number", [2, 0.5, np.float32(0.5), np.int8(3)], ids=repr)
    def test_functions_of_one_operand_take_a_number(self, name, number):
        ours, expected = getattr(dpnp, name)(number), getattr(np, name)(number)
        if not isinstance(ours, tuple):
            ours, expected = (ours,), (expected,)
        for result, wanted in zip(ours, expected, strict=True):
            assert_same(result, wanted)
            assert result.sycl_queue == dpnp.zeros(1).sycl_queue

    def test_python_numbers_adopt_the_dtype(self):
        assert (dpnp.ones(2, dtype="f4") * 2.5).dtype == np.float32
        assert dpnp.add(dpnp.ones(2, dtype="i1"), 1).dtype == np.int8
        assert dpnp.add(dpnp.ones(2, dtype="i4"), 1.0).dtype == np.float64

    def test_operands_of_dpctl(self):
        result = dpnp.add(dpt.ones(3), dpt.ones(3))
        assert type(result) is dpnp.ndarray

    def test_operands_on_different_queues_are_refused(self):
        a, b = (dpnp.ones(3, sycl_queue=dpctl.SyclQueue()) for _ in range(2))
        for name in ("add", "heaviside"):
            with pytest.raises(dpctl.utils.ExecutionPlacementError):
                getattr(dpnp, name)(a, b)


def test_outer():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(4.0)
    assert_same(dpnp.add.outer(dpnp.array(a), dpnp.array(b)), np.add.outer(a, b))
    assert_same(dpnp.heaviside.outer(dpnp.array(a), dpnp.array(b)), np.heaviside.outer(a, b))


def test_arithmetic_of_bools_is_a_type_error():
    x = dpnp.ones(3, dtype=bool)
    for f in (lambda: -x, lambda: +x, lambda: x - x, lambda: dpnp.subtract(x, True), lambda: dpnp.sign(x)):
        with pytest.raises(TypeError, match="bools"):
            f()


def test_exponents_of_two_are_integers():
    x = dpnp.asarray([1.5, np.inf, np.nan])
    for exponent in (5, -1, np.iinfo(np.int32).max):
        with np.errstate(over="ignore"):
            assert_same(dpnp.ldexp(x, exponent), np.ldexp(np.array([1.5, np.inf, np.nan]), exponent))
    assert_same(dpnp.ldexp(2.0, dpnp.asarray([1, 2])), np.ldexp(2.0, np.array([1, 2])))
