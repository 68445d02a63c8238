"""Where dpctl.tensor and NumPy differ, dpnp agrees with NumPy: values, dtypes and exceptions."""

from __future__ import annotations

import operator
import warnings

import dpctl.tensor as dpt
import dpnp
import numpy as np
import pytest

CODES = "?bBhHiIlLefdFD"
SIGNED, UNSIGNED, REALS = "bhil", "BHIL", "efd"
INTEGERS = SIGNED + UNSIGNED
VALUES = {
    "?": [True, False, True],
    **{code: [-100, -7, -3, -1, 0, 1, 2, 7, 100] for code in SIGNED},
    **{code: [0, 1, 2, 7, 100, 200] for code in UNSIGNED},
    **{code: [-np.inf, -6.2, -2.5, -0.5, -0.0, 0.0, 0.5, 1, 6.2, np.inf, np.nan] for code in REALS},
    **{code: [0, -0.0, 1 + 2j, -3j, 2.5 - 1j, 1] for code in "FD"},
}


def values(code):
    return np.array(VALUES[code], dtype=code)


def outcome(function, xp, *operands):
    """The result of a call as a NumPy array or a tuple of them, or its exception."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = function(xp, *operands)
        except Exception as e:
            return e
    return [dpnp.asnumpy(x) for x in (found if isinstance(found, tuple) else (found,))]


def check(function, *operands, rtol=None):
    """Compare results for dpnp's and NumPy's arrays. Exceptions must be of NumPy's type or derived from it."""
    reference = outcome(function, np, *operands)
    ours = outcome(function, dpnp, *(dpnp.asarray(x) if isinstance(x, np.ndarray) else x for x in operands))
    if isinstance(reference, Exception):
        kind = TypeError if isinstance(reference, TypeError) else type(reference)  # NumPy raises derived types
        assert isinstance(ours, kind), f"{ours!r} instead of {reference!r}"
        return
    assert not isinstance(ours, Exception), f"{ours!r} instead of {reference}"
    for x, expected in zip(ours, reference, strict=True):
        assert x.dtype == expected.dtype
        assert x.shape == expected.shape
        eps = 4 * np.finfo(x.dtype).eps if x.dtype.kind in "fc" else 0
        np.testing.assert_allclose(x, expected, rtol=rtol or eps, atol=0)
        if x.dtype.kind == "f":
            assert np.array_equal(np.signbit(x)[x == 0], np.signbit(expected)[x == 0])


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", ["reciprocal", "rint", "round", "around", "angle", "sinc", "positive", "sign"])
def test_functions_of_one_operand(name, code):
    if (name, code) == ("sinc", "e"):  # NumPy rounds the angle to float16
        a = values(code)
        with np.errstate(all="ignore"):
            expected = np.sinc(a.astype("f4")).astype("e")
        np.testing.assert_allclose(dpnp.asnumpy(dpnp.sinc(dpnp.asarray(a))), expected, rtol=1e-2)
        return
    check(lambda xp, a: getattr(xp, name)(a), values(code), rtol=1e-2 if code == "e" else 1e-6)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("decimals", [0, 1, -1])
def test_rounding(code, decimals):
    a = values(code)
    rtol = 1e-2 if code == "e" else 1e-6
    check(lambda xp, a: xp.round(a, decimals), a, rtol=rtol)
    check(lambda xp, a: a.round(decimals), a, rtol=rtol)


def test_rounding_keeps_integers_and_copies_them():
    x = dpnp.asarray([1, 2])
    y = dpnp.round(x)
    y[0] = 7
    assert x.tolist() == [1, 2]


def test_reciprocals_are_written_to_out():
    for code in "li":
        a, out = values(code), np.zeros(len(values(code)), code)
        x = dpnp.zeros_like(dpnp.asarray(out))
        assert dpnp.reciprocal(dpnp.asarray(a), out=x) is x
        with np.errstate(all="ignore"):
            assert x.tolist() == np.reciprocal(a).tolist()


NUMBERS = [2, -2, 0, 0.0, -0.0, np.inf, -np.inf, np.nan, 0.5]


@pytest.mark.parametrize("code", REALS + "lB?")
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod", "divmod"])
def test_divisions_that_round(name, code):
    a = values(code)
    check(lambda xp, a, b: getattr(xp, name)(a, b), a[:, None].copy(), a[None].copy())
    check(lambda xp, a, b: getattr(xp, name)(a, b), a[:, None].copy(), values("f")[None].copy(), rtol=1e-3)
    for number in NUMBERS:
        check(lambda xp, a, n=number: getattr(xp, name)(a, n), a)
        check(lambda xp, a, n=number: getattr(xp, name)(n, a), a)


@pytest.mark.parametrize("code", REALS)
def test_floor_division_by_operators(code):
    a, b = (x.copy() for x in np.broadcast_arrays(values(code)[:, None], values(code)[None]))
    check(lambda xp, a, b: a // b, a, b)

    def in_place(xp, a, b):
        a = a.copy()
        a //= b
        return a

    check(in_place, a, b)
    check(lambda xp, a, b: xp.floor_divide(a, b, out=xp.empty_like(a)), a, b)
    for number in NUMBERS:
        check(lambda xp, a, n=number: a // n, a)
        check(lambda xp, a, n=number: n // a, a)
        check(lambda xp, a, n=number: in_place(xp, a, n), a)
    check(lambda xp, a: a // -np.inf, np.linspace(-3, 3, 40000).astype(code))  # many elements, which are deferred


def test_floor_division_by_infinities():
    assert np.isnan(float(dpnp.asarray(np.inf) // 2))
    assert float(dpnp.asarray(6.2) // -np.inf) == -1
    assert float(dpt.asarray(6.2) // -np.inf) == 0  # dpctl.tensor follows the array standard


@pytest.mark.parametrize("code", INTEGERS)
@pytest.mark.parametrize("function", [operator.lshift, operator.rshift, "left_shift", "right_shift"])
def test_shifts(code, function):
    bits = 8 * np.dtype(code).itemsize
    base, counts = values(code), [0, 1, 5, bits - 1, bits, bits + 1, 100] + ([-1, -9, -70] if code in SIGNED else [])
    counts = np.array(counts, dtype=code)

    def shift(xp, a, b):
        return getattr(xp, function)(a, b) if isinstance(function, str) else function(a, b)

    check(shift, base[:, None].copy(), counts[None].copy())
    for number in (0, 3, bits - 1, bits, 100) + ((-1, -70) if code in SIGNED else ()):
        check(lambda xp, a, n=number: shift(xp, a, n), base)
        if number >= 0 or code in SIGNED:
            check(lambda xp, b, n=number: shift(xp, xp.asarray(n, dtype=code), b), counts)
    check(lambda xp, a, b: operator.irshift(a.copy(), b), base, np.full_like(base, counts[-1]))


@pytest.mark.parametrize("code", INTEGERS)
def test_integer_powers(code):
    base = values(code)
    exponents = np.array([0, 1, 2, 3] + [-1] * (code in SIGNED), dtype=code)
    for n in (len(exponents), 4):  # with and without negative exponents
        check(lambda xp, a, b: a**b, base[:, None].copy(), exponents[None, :n].copy())
        check(lambda xp, a, b: xp.power(a, b), base[:, None].copy(), exponents[None, :n].copy())
        check(lambda xp, a, b: operator.ipow(a.copy(), b), base[:4], exponents[:n][:4].copy())
    for number in (-1, -2, 0, 2, True) if code in SIGNED else (0, 2, True):
        check(lambda xp, a, n=number: a**n, base)
        check(lambda xp, a, n=number: xp.power(a, n), base)
        check(lambda xp, b, n=number: n**b, exponents)
        check(lambda xp, a, n=number: operator.ipow(a.copy(), n), base)
    check(lambda xp, a: xp.power(a, -2.0), base[base != 0])
    check(lambda xp, a: xp.power(a, -2, dtype="f8"), base[base != 0])


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, True, 2.0, 0.5, 2 + 0j, -1])
def test_powers_of_bools(exponent):
    """The square is int8, other powers by Python's integers int64."""
    check(lambda xp, a: a**exponent, values("?"))
    check(lambda xp, a: a**exponent, np.ones((300, 1000), dtype=bool))


@pytest.mark.parametrize("code", "?lfD")
@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2), (0, 0), (0, 3, 0)])
@pytest.mark.parametrize("name", ["min", "max", "amin", "amax", "ptp", "argmin", "argmax", "nanmin", "nanmax"])
def test_extremes_of_empty_arrays(name, code, shape):
    if name == "ptp" and code == "?":
        pytest.skip("of bools there is no difference")
    a = np.zeros(shape, code)
    axes = [None, *range(-len(shape), len(shape))] + ([] if "arg" in name else [(0,), tuple(range(len(shape)))])
    for axis in axes:
        check(lambda xp, a, axis=axis: getattr(xp, name)(a, axis=axis), a)
        if hasattr(np.ndarray, name):
            check(lambda xp, a, axis=axis: getattr(a, name)(axis=axis), a)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod", "cumsum", "cumprod", "nancumsum", "nancumprod"])
def test_accumulations_of_0d_arrays_have_an_axis(name, code):
    a = np.array(values(code)[1])
    options = [{}, {"axis": None}, {"axis": 0}]
    if "cumulative" in name:
        options += [{"include_initial": True}, {"dtype": "D"}]
    for keywords in options:
        check(lambda xp, a, keywords=keywords: getattr(xp, name)(a, **keywords), a)


@pytest.mark.parametrize("code", "?bBhlefd")
def test_limits_of_clip_may_have_a_wider_dtype(code):
    a = values(code)
    for low, high in [
        (0, 1),
        (0.25, 1.5),
        (None, 0.5),
        (-1, None),
        (True, True),
        (np.int8(0), np.int8(1)),
        (None, None),
    ]:
        if code == "B" and low == -1:
            continue
        check(lambda xp, a, low=low, high=high: xp.clip(a, low, high), a)
        check(lambda xp, a, low=low, high=high: a.clip(low, high), a)
    for limits in "bfd":
        low, high = np.zeros(len(a), limits), np.ones(len(a), limits)
        with np.errstate(invalid="ignore"):
            check(lambda xp, a, low, high: abs(xp.clip(a, low, high)), a, low, high)
    check(lambda xp, a: xp.clip(a, False, True), a)


@pytest.mark.parametrize(
    "weights", [[0, 0, 0], [1, -1, 0], [0.0, 0, 0], [[1, -1, 0], [1, 2, 3]], [[0, 0, 0]] * 2, [1j, -1j, 0]]
)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_average_with_zero_sum_of_weights(weights, axis):
    a = np.arange(6.0).reshape(2, 3)
    for returned in (False, True):
        check(lambda xp, a, w, r=returned: xp.average(a, axis=axis, weights=w, returned=r), a, np.array(weights))


@pytest.mark.parametrize("code", "FD")
@pytest.mark.parametrize("name", ["var", "std"])
def test_variance_of_complex_numbers(name, code):
    a = values(code)
    for keywords in ({}, {"ddof": 1}, {"keepdims": True, "axis": 0}, {"dtype": "D"}, {"dtype": "d"}, {"dtype": "f"}):
        check(lambda xp, a, k=keywords: getattr(xp, name)(a, **k), a, rtol=1e-6)
        check(lambda xp, a, k=keywords: getattr(a, name)(**k), a, rtol=1e-6)


@pytest.mark.parametrize("name", ["heaviside", "logaddexp2", "hypot", "copysign", "arctan2", "logaddexp"])
def test_types_of_two_operands(name):
    """Each operand is cast separately: int8 and uint8 give float16, although they promote to int16."""
    for a in "?bBhHiIlLefd":
        for b in "?bBhHiIlLefd":
            check(lambda xp, x, y: getattr(xp, name)(x, y), np.ones(2, a), np.ones(2, b), rtol=1e-2)
        for number in (1, 0.5, True):
            check(lambda xp, x, n=number: getattr(xp, name)(x, n), np.ones(2, a), rtol=1e-2)
            check(lambda xp, x, n=number: getattr(xp, name)(n, x), np.ones(2, a), rtol=1e-2)


@pytest.mark.parametrize("code", REALS)
def test_spacing(code):
    limits = np.finfo(code)
    a = np.array([np.inf, -np.inf, np.nan, limits.max, -limits.max, limits.tiny, 0.0, -0.0, 1, -1], dtype=code)
    check(lambda xp, a: xp.spacing(a), a)


@pytest.mark.parametrize("xp", [dpt, dpnp])
@pytest.mark.parametrize("code", "efdFD")
def test_the_sign_of_a_negative_zero_is_zero(xp, code):
    for n in (3, 50000):
        x = xp.asarray(np.full(n, -0.0).astype(code))
        for found in (xp.sign(x), xp.sign(-(x * x))):
            found = dpt.asnumpy(found)
            assert (found == 0).all()
            assert not np.signbit(found.real).any()
            assert not np.signbit(found.imag).any()


@pytest.mark.parametrize("xp", [dpt, dpnp])
@pytest.mark.parametrize(
    "ends",
    [(0, 1, 0.1), (0.3, 900, 0.7), (-5, 5, 0.01), (1, -5, -1 + 1e-10), (1e8, 1e8 + 100, 0.3), (0, 100000, 0.3), (5,)],
)
def test_ranges_of_float32_are_rounded_as_in_numpy(xp, ends):
    for code in "fF":
        assert np.array_equal(dpt.asnumpy(xp.arange(*ends, dtype=code)), np.arange(*ends, dtype=code))


GRIDS = {
    "numbers": lambda a: slice(0, 3),
    "arrays without axes": lambda a: slice(a(0), a(3)),
    "step of one": lambda a: slice(0, 3, a(1)),
    "points": lambda a: slice(0, 3, 4j),
    "points between arrays": lambda a: slice(a([0, 1, 2]), a([3, 4, 5]), 3j),
    "points between columns": lambda a: slice(a([[0], [1]]), a([[3], [4]]), 4j),
    "one point": lambda a: slice(0, 3, 1j),
    "single precision": lambda a: slice(0, np.float32(2), 3j),
    "two axes": lambda a: (slice(a(0), 3), slice(0, 2)),
    "two axes of arrays": lambda a: (slice(0, 3, 2j), slice(a([1]), a([2]), 3j)),
    "two axes of points": lambda a: (slice(a([1]), 2, 3j), slice(0, 2)),
}


@pytest.mark.parametrize("name", ["mgrid", "ogrid"])
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("of_ours", [False, True])
def test_grids_between_arrays(name, grid, of_ours):
    found = getattr(dpnp, name)[GRIDS[grid](dpnp.asarray if of_ours else np.asarray)]
    expected = getattr(np, name)[GRIDS[grid](np.asarray)]
    if isinstance(expected, tuple):
        assert [x.shape for x in found] == [x.shape for x in expected]
    for x, e in zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]:
        assert x.dtype == e.dtype
        np.testing.assert_allclose(x.asnumpy(), e, rtol=1e-6)


INF = float("inf")


def _with_values(xp, shape):
    x = xp.zeros((3, 4))
    x[xp.asarray([0, 2])] = xp.asarray(np.arange(float(np.prod(shape))).reshape(shape))
    return x


# What NumPy's own tests found.
PROGRAMS = {
    "geomspace of complex numbers by dtype": lambda xp: xp.geomspace(-1, 1, num=3, dtype=complex),
    "arange with an infinite step": lambda xp: xp.arange(0, 1, INF),
    "arange with an infinite step backwards": lambda xp: xp.arange(0, -1, INF),
    "arange with a negative infinite step": lambda xp: xp.arange(3, 0, -INF),
    "arange of keywords": lambda xp: xp.arange(start=1, stop=3),
    "arange of a stop": lambda xp: xp.arange(stop=3),
    "arange of an array": lambda xp: xp.arange(xp.prod(xp.asarray([2, 3]))),
    "arange with a step of 0": lambda xp: xp.arange(0, 1, 0),
    "arange with a step of NaN": lambda xp: xp.arange(0.0, 1.0, float("nan")),
    "transpose by an array": lambda xp: xp.ones((2, 3, 4)).transpose(xp.asarray([1, 2, 0])),
    "transpose by None": lambda xp: xp.ones((2, 3)).transpose(None),
    "transpose by no axes": lambda xp: xp.ones((2, 3)).transpose(()),
    "view as an array type": lambda xp: xp.ones((2, 3)).view(xp.ndarray),
    "a NumPy scalar compared with an array": lambda xp: np.float16(1) == xp.asarray([1.0, 2.0]),
    "sort by the start of a name": lambda xp: xp.sort(xp.asarray([2, 1]), kind="quick"),
    "sort by an unknown name": lambda xp: xp.sort(xp.asarray([2, 1]), kind="bubble"),
    "partition of nothing": lambda xp: xp.partition(xp.zeros((0, 2)), 0, axis=0),
    "concatenate along a positional axis": lambda xp: xp.concatenate((xp.ones((1, 2)), xp.zeros((1, 2))), 1),
    "stack along a positional axis": lambda xp: xp.stack((xp.ones(2), xp.zeros(2)), 1),
    "average with weights of two axes": lambda xp: xp.average(
        xp.asarray(np.arange(6.0).reshape(1, 2, 3)), axis=(2, 1), weights=xp.asarray([[1.0, 2], [3, 4], [5, 6]])
    ),
    "average with weights of other lengths": lambda xp: xp.average(
        xp.ones((2, 3)), axis=(0, 1), weights=xp.ones((3, 2))
    ),
    "assignment of more axes": lambda xp: _with_values(xp, (1, 2, 4)),
    "assignment of more axes of one element": lambda xp: _with_values(xp, (1, 1, 1)),
    "assignment of too many axes": lambda xp: _with_values(xp, (2, 2, 4)),
    "unique along the only axis": lambda xp: xp.unique(xp.asarray([0.0, np.nan, np.nan]), axis=0),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program):
    check(lambda xp: PROGRAMS[program](xp))


def test_a_shape_assigned_with_a_free_length():
    for shape in ((4, 3), (0, 2)):
        x = dpnp.zeros(shape)
        x.shape = (-1, 2)
        assert x.shape == (6 if shape[0] else 0, 2)


def test_flags_tell_views_apart():
    x = dpnp.ones(6)
    assert x.flags.owndata and x.flags["OWNDATA"] and x.copy().flags.owndata
    assert not x[:2].flags.owndata and not x[::2].flags.owndata


def test_flags_by_numpys_name():
    x = dpnp.zeros(2)
    assert x.flags.writeable and x.flags["WRITEABLE"]
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1


def test_testing_compares_iterators():
    x = dpnp.asarray([[1.0, 2.0]])
    dpnp.testing.assert_array_equal(x.flat, [1, 2])


@pytest.mark.parametrize("code", "?bifdD")
@pytest.mark.parametrize(
    "choices, default",
    [([1, 2], 0), ([1, 2.5], 0), ([1, 2j], 0), ([True, False], True), (["a", 2], 0), ([3, "a"], 1.5), (["a", "a"], 2)],
)
def test_select_among_numbers(code, choices, default):
    a = values(code)

    def choose(xp, a):
        conditions = [a == a[0], a == a[1]]
        return xp.select(conditions, [a if isinstance(c, str) else c for c in choices], default)

    check(choose, a)
    if code in "id":
        check(choose, np.tile(a, 30_000))


@pytest.mark.parametrize("condition", [True, False, np.True_])
def test_where_a_number_is_true(condition):
    a, b = values("d")[:6], values("i")[:6]
    check(lambda xp, a, b: xp.where(condition, a, b), a, b)
    check(lambda xp, a, b: xp.where(condition, 7, b), a, b)
    check(lambda xp, a, b: xp.where(condition, a, 2.5), a, b)
