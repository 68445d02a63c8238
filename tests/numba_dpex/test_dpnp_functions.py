"""Element functions of dpnp and dpctl.tensor in kernels, under any name in the program, compute the same as NumPy's."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import dpnp as xp
import numba_dpex as ndx
import numpy as np
import pytest
from dpctl.tensor import hypot as length
from dpnp import sqrt

half_of_it = dpt.multiply

UNARY = [
    "abs", "absolute", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "conj", "cos", "cosh", "exp",
    "exp2", "expm1", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2", "logical_not", "negative",
    "positive", "real", "imag", "reciprocal", "rint", "sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh",
    "trunc", "sinc", "spacing", "degrees", "radians", "rad2deg", "deg2rad", "fabs", "fix",
]  # fmt: skip
BINARY = [
    "add", "atan2", "copysign", "divide", "equal", "floor_divide", "greater", "greater_equal", "hypot", "less",
    "less_equal", "logaddexp", "logaddexp2", "logical_and", "logical_or", "logical_xor", "maximum", "minimum",
    "multiply", "nextafter", "not_equal", "power", "remainder", "subtract", "fmax", "fmin", "fmod", "heaviside",
    "float_power",
]  # fmt: skip
OF_INTEGERS = [
    "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "bitwise_count", "invert", "gcd", "lcm",
]  # fmt: skip


def test_functions_are_found_by_any_name():
    scale = dpt.add

    @ndx.kernel
    def mixed(item, a, out):
        i = item.get_id(0)
        out[i] = scale(half_of_it(sqrt(a[i]), 0.5), xp.exp(-a[i])) + length(a[i], dpt.sin(a[i]))

    x = np.linspace(0.1, 3, 8)
    out = dpnp.empty(8)
    ndx.call_kernel(mixed, ndx.Range(8), dpnp.asarray(x), out)
    np.testing.assert_allclose(dpnp.asnumpy(out), np.sqrt(x) * 0.5 + np.exp(-x) + np.hypot(x, np.sin(x)), rtol=1e-14)


def check(function, expected, *operands):
    @ndx.kernel
    def unary(item, x, out):
        i = item.get_id(0)
        out[i] = function(x[i])

    @ndx.kernel
    def binary(item, x, y, out):
        i = item.get_id(0)
        out[i] = function(x[i], y[i])

    out = dpt.empty(expected.shape, dtype=expected.dtype)
    on_device = [dpt.asarray(x) for x in operands]
    ndx.call_kernel(unary if len(operands) == 1 else binary, ndx.Range(expected.size), *on_device, out)
    np.testing.assert_allclose(dpt.asnumpy(out), expected, rtol=1e-13, atol=1e-300)


def modules_with(name):
    return [module for module in (dpnp, dpt) if hasattr(module, name)]


X = np.array([-2.5, -1.0, -0.5, 0.0, 0.3, 1.0, 2.5, np.inf, -np.inf, np.nan])
Y = np.array([2.0, -0.5, np.inf, 0.0, 1.5, -np.inf, 2.5, 1.0, np.nan, 1.0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name):
    of_numpy = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
                "atanh": "arctanh"}.get(name, name)  # fmt: skip
    assert modules_with(name)
    for module in modules_with(name):
        check(getattr(module, name), getattr(np, of_numpy)(X), X)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name):
    assert modules_with(name)
    for module in modules_with(name):
        check(getattr(module, name), getattr(np, {"atan2": "arctan2"}.get(name, name))(X, Y), X, Y)


@pytest.mark.parametrize("name", OF_INTEGERS)
def test_functions_of_integers(name):
    x, y = np.array([1, 12, -7, 255], dtype="i8"), np.array([3, 8, 2, 1], dtype="i8")
    operands = (x,) if name in ("invert", "bitwise_count") else (x, y)
    if name == "bitwise_count" and not hasattr(np, name):
        expected = np.array([1, 2, 3, 8], dtype="u1")
    else:
        expected = getattr(np, name)(*operands)
    for module in modules_with(name):
        check(getattr(module, name), expected, *operands)


def test_functions_with_two_results_and_operands_of_two_types():
    @ndx.kernel
    def take_apart(item, x, n, out):
        i = item.get_id(0)
        mantissa, exponent = dpnp.frexp(x[i])
        fraction, whole = np.modf(x[i])
        quotient, rest = dpnp.divmod(n[i], 5)
        out[i, 0] = dpnp.ldexp(mantissa, exponent) - x[i]
        out[i, 1] = fraction + 2 * whole
        out[i, 2] = quotient * 5 + rest
        out[i, 3] = np.ldexp(x[i], n[i])
        out[i, 4] = dpnp.i0(x[i])

    x, n = np.array([0.75, -12.5, 3.0, 1e-3]), np.array([7, -7, 0, 3])
    out = dpt.empty((4, 5))
    ndx.call_kernel(take_apart, ndx.Range(4), dpt.asarray(x), dpt.asarray(n), out)
    fraction, whole = np.modf(x)
    expected = np.stack([0 * x, fraction + 2 * whole, n, np.ldexp(x, n), np.i0(x)], axis=1)
    np.testing.assert_allclose(dpt.asnumpy(out), expected, rtol=1e-14)


def test_special_functions():
    from dpnp.scipy import special

    @ndx.kernel
    def evaluate(item, x, out):
        i = item.get_id(0)
        out[i, 0] = special.expit(x[i])
        out[i, 1] = dpnp.scipy.special.gammainc(2.0, x[i])
        out[i, 2] = special.erfinv(x[i] / 4)

    x = np.array([0.25, 1.0, 3.0])
    out = dpt.empty((3, 3))
    ndx.call_kernel(evaluate, ndx.Range(3), dpt.asarray(x), out)
    found = dpt.asnumpy(out)
    np.testing.assert_allclose(found[:, 0], 1 / (1 + np.exp(-x)), rtol=1e-15)
    np.testing.assert_allclose(found[:, 1], 1 - (1 + x) * np.exp(-x), rtol=1e-14)
    np.testing.assert_allclose(dpnp.asnumpy(dpnp.erf(dpnp.asarray(found[:, 2]))), x / 4, rtol=1e-14)


def test_every_element_function_is_supported():
    kinds = ("DPNPUnaryFunc", "DPNPBinaryFunc", "UnaryElementwiseFunc", "BinaryElementwiseFunc")
    missing = []
    for module in (dpnp, dpt):
        for name in dir(module):
            function = getattr(module, name)
            if name.startswith("_") or type(function).__name__ not in kinds:
                continue

            @ndx.kernel
            def one(item, x, out, function=function):
                function(x[0])

            @ndx.kernel
            def two(item, x, out, function=function):
                function(x[0], x[1])

            try:
                ndx.call_kernel(one if function.nin == 1 else two, ndx.Range(1), dpt.ones(2), dpt.ones(2))
            except ndx.core.exceptions.TypingError as error:
                if "float64" not in str(error):  # the function is supported, and does not accept floats
                    missing.append(f"{module.__name__}.{name}: {error}")
    assert not missing


def test_complex_numbers_are_projected_onto_the_sphere():
    @ndx.kernel
    def project(item, z, out):
        out[item.get_id(0)] = xp.proj(z[item.get_id(0)])

    z = np.array([1 + 2j, complex(np.inf, -3.0), complex(np.nan, -np.inf), -4j])
    out = dpt.empty(4, dtype="c16")
    ndx.call_kernel(project, ndx.Range(4), dpt.asarray(z), out)
    np.testing.assert_array_equal(dpt.asnumpy(out), [1 + 2j, complex(np.inf, -0.0), complex(np.inf, -0.0), -4j])


def test_dpnp_arrays_have_the_array_of_dpctl():
    a = dpnp.arange(4)
    assert type(a._array_obj) is dpt.usm_ndarray
    assert a._array_obj is a.get_array()

    @ndx.kernel
    def double(item, a, out):
        out[item.get_id(0)] = 2 * a._array_obj[item.get_id(0)]

    out = dpt.empty(4, dtype=a.dtype)
    ndx.call_kernel(double, ndx.Range(4), a, out)
    assert dpt.asnumpy(out).tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("code", "bhil")
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_divisions_of_the_smallest_integer_wrap(name, code):
    """Its quotient by -1 overflows, which is a fault on CPUs and undefined on GPUs. By 0, all results are 0."""
    least, most = np.iinfo(code).min, np.iinfo(code).max
    x = np.array([least, most, least + 1, 7, -7], code)
    for divisor in (-1, 0, 3, -3, least):
        y = np.full_like(x, divisor)
        with np.errstate(all="ignore"):
            for module in (dpnp, np):
                check(getattr(module, name), getattr(np, name)(x, y), x, y)
