"""dpnp.scipy.special against scipy.special and mpmath: values, special numbers, dtypes, keywords and errors."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import mpmath as mp
import numpy as np
import pytest
import scipy.special
from reference import values

ours = dpnp.scipy.special
mp.mp.dps = 40


def grid(*parts: tuple[float, float], count: int = 97) -> np.ndarray:
    return np.concatenate([np.linspace(low, high, count) for low, high in parts])


# Functions of one number: operands, the error in units of the last place, and mpmath's function where SciPy's values
# are less accurate.
UNARY = {
    "cbrt": (grid((-30, 30)), 4, None),
    "digamma": (grid((-8.03, 8), (10, 1e5)), 200, lambda x: mp.digamma(x)),
    "psi": (grid((0.1, 8)), 40, None),
    "entr": (grid((0, 5), (5, 1e5)), 8, None),
    "erf": (grid((-5, 5)), 8, None),
    "erfc": (grid((-5, 26)), 40, lambda x: mp.erfc(x)),
    "erfcinv": (np.concatenate([grid((0.01, 1.99)), 10.0 ** -np.arange(3, 300, 7)]), 16, None),
    "erfcx": (grid((-20, 60), (60, 1e8)), 8, lambda x: mp.exp(x * x) * mp.erfc(x)),
    "erfinv": (grid((-0.999, 0.999), (-1e-8, 1e-8)), 16, None),
    "exp10": (grid((-30, 30)), 4, None),
    "exp2": (grid((-30, 30)), 4, None),
    "expit": (grid((-700, 700), (-5, 5)), 8, None),
    "expm1": (grid((-5, 5)), 4, None),
    "gamma": (grid((0.05, 170), (-5.45, -0.45)), 16, lambda x: mp.gamma(x)),
    "gammaln": (grid((0.05, 170), (170, 1e8)), 16, None),
    "gammasgn": (grid((-5.2, 5)), 0, None),
    "i0": (grid((-700, 700), (-9, 9)), 16, None),
    "i0e": (grid((-1e4, 1e4), (-9, 9)), 16, None),
    "i1": (grid((-700, 700), (-9, 9)), 16, None),
    "i1e": (grid((-1e4, 1e4), (-9, 9)), 16, None),
    "log1p": (grid((-0.99, 5)), 4, None),
    "log_expit": (grid((-700, 700), (-5, 5)), 8, None),
    "log_ndtr": (grid((-40, 30), (-1e5, -40)), 16, lambda x: _log_ndtr(x)),
    "loggamma": (grid((0.05, 170)), 16, None),
    "logit": (grid((0.001, 0.999), (0.4999, 0.5001)), 8, None),
    "ndtr": (grid((-37, 8)), 16, lambda x: mp.erfc(-x / mp.sqrt(2)) / 2),
    "ndtri": (np.concatenate([grid((0.01, 0.99)), 10.0 ** -np.arange(3, 300, 7)]), 16, None),
    "rgamma": (grid((0.05, 100)), 16, lambda x: mp.rgamma(x)),
    "softplus": (grid((-700, 700), (-5, 5)), 8, None),
    "zeta": (grid((1.01, 60), (-8.3, -0.3)), 80, lambda x: mp.zeta(x)),
}
# Bessel functions have roots, near which only the absolute error is small.
OSCILLATING = {
    "j0": (grid((-90, 90)), lambda x: mp.besselj(0, x)),
    "j1": (grid((-90, 90)), lambda x: mp.besselj(1, x)),
    "y0": (grid((0.01, 90)), lambda x: mp.bessely(0, x)),
    "y1": (grid((0.01, 90)), lambda x: mp.bessely(1, x)),
}
# Functions of two numbers.
BINARY = {
    "beta": (grid((0.1, 60)), grid((0.2, 9)), 200, lambda a, b: mp.beta(a, b)),
    "betaln": (grid((0.1, 300)), grid((1.2, 900)), 40, lambda a, b: mp.log(mp.beta(a, b))),
    "gammainc": (grid((0.1, 60), (1, 900)), grid((0.2, 70), (1.5, 990)), 400, lambda a, x: _lower_gamma(a, x)),
    "gammaincc": (grid((0.1, 60), (1, 900)), grid((0.2, 70), (1.5, 990)), 400, lambda a, x: _upper_gamma(a, x)),
    "huber": (grid((0, 5)), grid((7, -7)), 4, None),
    "kl_div": (grid((0, 5)), grid((7, 2)), 64, None),
    "pseudo_huber": (grid((0.1, 5)), grid((7, -7)), 40, None),
    "rel_entr": (grid((0, 5)), grid((0.5, 7)), 40, None),
    "xlog1py": (grid((0, 5)), grid((-0.9, 7)), 8, None),
    "xlogy": (grid((0, 5)), grid((0.1, 7)), 8, None),
    "zeta": (grid((1.1, 20)), grid((0.1, 30)), 60, lambda x, q: mp.zeta(x, q)),
    "binom": (grid((2, 30)), grid((0.5, 1.9)), 400, None),
    "poch": (grid((0.5, 30)), grid((0.5, 5)), 400, None),
}


def _log_ndtr(x: mp.mpf) -> mp.mpf:
    tail = mp.erfc(abs(x) / mp.sqrt(2)) / 2
    return mp.log(tail) if x < 0 else mp.log1p(-tail)


def _lower_gamma(a: mp.mpf, x: mp.mpf) -> mp.mpf:
    return mp.gammainc(a, 0, x, regularized=True)


def _upper_gamma(a: mp.mpf, x: mp.mpf) -> mp.mpf:
    return mp.gammainc(a, x, mp.inf, regularized=True)


def assert_close(found: dpnp.ndarray, expected: np.ndarray, ulps: float, floor: float = 0) -> None:
    """Equal dtypes and shapes, and values up to units of the last place, or of `floor` where that is larger."""
    got = dpnp.asnumpy(found)
    assert isinstance(found, dpnp.ndarray)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    unit = float(np.finfo(got.dtype).eps)
    # a result of 0 where the exact one underflows, too
    np.testing.assert_allclose(got, expected, rtol=ulps * unit, atol=max(ulps * unit * floor, np.finfo(got.dtype).tiny))


def exactly(function: object, dtype: str, *operands: np.ndarray) -> np.ndarray:
    """mpmath's values, rounded."""
    return np.array([float(function(*map(mp.mpf, map(float, row)))) for row in zip(*operands)]).astype(dtype)


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name, code):
    x, ulps, exact = UNARY[name]
    x = x.astype(code)
    with np.errstate(all="ignore"):  # results of float32 overflow or are denormal
        reference = getattr(scipy.special, name)
        expected = exactly(exact, code, x) if exact else reference(x.astype("d")).astype(code)
    assert_close(getattr(ours, name)(dpnp.array(x)), expected, ulps)


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("name", OSCILLATING)
def test_bessel_functions(name, code):
    x, exact = OSCILLATING[name]
    x = x.astype(code)
    assert_close(getattr(ours, name)(dpnp.array(x)), exactly(exact, code, x), 8, floor=0.5)


@pytest.mark.parametrize("code", "fd")
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name, code):
    x, y, ulps, exact = BINARY[name]
    x, y = x.astype(code), y.astype(code)
    with np.errstate(all="ignore"):
        reference = getattr(scipy.special, name)
        expected = exactly(exact, code, x, y) if exact else reference(x.astype("d"), y.astype("d")).astype(code)
    # betaln has roots, and kl_div cancels near them
    floor = 1 if name in ("betaln", "kl_div", "rel_entr", "xlogy", "xlog1py") else 0
    assert_close(getattr(ours, name)(dpnp.array(x), dpnp.array(y)), expected, ulps, floor)


SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, np.inf, -np.inf, np.nan, 40.0, -40.0])
# SciPy's functions give NaN for infinite operands where the limit exists, and 0 where a denormal number is the result.
LIMITS = {
    "i0": {np.inf: np.inf, -np.inf: np.inf}, "i1": {np.inf: np.inf, -np.inf: -np.inf},
    "j0": {np.inf: 0, -np.inf: 0}, "j1": {np.inf: 0, -np.inf: 0}, "y0": {np.inf: 0}, "y1": {np.inf: 0},
    "i0e": {np.inf: 0, -np.inf: 0}, "i1e": {np.inf: 0, -np.inf: 0},
    "gammaln": {-np.inf: np.inf},
}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in (*UNARY, *OSCILLATING) if n not in ("digamma", "gamma", "rgamma")])
def test_special_numbers(name):
    with np.errstate(all="ignore"):
        expected = getattr(scipy.special, name)(SPECIAL)
    for x, limit in LIMITS.get(name, {}).items():
        expected[x == SPECIAL] = limit
    found = dpnp.asnumpy(getattr(ours, name)(dpnp.array(SPECIAL)))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", ["digamma", "gamma", "rgamma"])
def test_poles(name):
    found = dpnp.asnumpy(getattr(ours, name)(dpnp.array([0.0, -0.0, -1.0, -40.0, np.inf, np.nan])))
    expected = {
        "digamma": [-np.inf, np.inf, np.nan, np.nan, np.inf, np.nan],
        "gamma": [np.inf, -np.inf, np.nan, np.nan, np.inf, np.nan],
        "rgamma": [0, 0, 0, 0, 0, np.nan],
    }[name]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["xlogy", "xlog1py", "rel_entr", "kl_div", "huber"])
def test_special_numbers_of_two_operands(name):
    a, b = SPECIAL[:-1, None], SPECIAL[None, :-1]
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(all="ignore"):
        expected = getattr(scipy.special, name)(a, b)
    found = dpnp.asnumpy(getattr(ours, name)(dpnp.array(a), dpnp.array(b)))
    np.testing.assert_allclose(found[finite], expected[finite], rtol=1e-12)
    with_nan = dpnp.asnumpy(getattr(ours, name)(dpnp.array([np.nan, 1.0]), dpnp.array([1.0, np.nan])))
    assert np.isnan(with_nan[0]) and (np.isnan(with_nan[1]) or name == "huber")


@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
def test_ends_of_incomplete_gamma_functions(name):
    a, x = np.meshgrid([0.0, 1.0, 2.5, np.inf, -1.0, np.nan], [0.0, 1.0, np.inf, -1.0, np.nan])
    expected = getattr(scipy.special, name)(a, x)
    np.testing.assert_allclose(dpnp.asnumpy(getattr(ours, name)(dpnp.array(a), dpnp.array(x))), expected, rtol=1e-14)


@pytest.mark.parametrize(
    "a, x",
    [(1e-6, 1.0), (1e-6, 1e-3), (1e-3, 30.0), (19.9, 20.0), (20.0, 20.0), (20.0, 13.9), (20.0, 26.1), (1e4, 1.01e4),
     (1e4, 9.8e3), (1e6, 1.001e6), (150.0, 3.0), (0.5, 700.0), (1e-300, 1.0)],
)  # fmt: skip
def test_incomplete_gamma_functions_by_region(a, x):
    for name, exact in (("gammainc", _lower_gamma), ("gammaincc", _upper_gamma)):
        found = float(getattr(ours, name)(dpnp.array(a), dpnp.array(x)))
        with mp.workdps(60):
            wanted = exact(mp.mpf(a), mp.mpf(x))
        # the error grows with the logarithm of the result
        allowed = 1e-14 * (1 + abs(float(mp.log(wanted))))
        assert abs(found - wanted) <= allowed * wanted, (name, found, wanted)


def test_beta_of_integers_and_negative_numbers():
    a = np.array([-1.0, -3.0, -0.5, -2.5, 2.0, -2.0, 0.0, 170.0, 700.0])
    b = np.array([1.0, 2.0, 0.25, 0.75, -1.5, 1.5, 2.0, -0.5, -0.5])
    expected = [-1, mp.beta(2, 2), mp.beta(-0.5, 0.25), mp.beta(-2.5, 0.75), mp.beta(2, -1.5), np.inf, np.inf]
    expected += [mp.beta(170, -0.5), mp.beta(700, -0.5)]
    found = dpnp.asnumpy(ours.beta(dpnp.array(a), dpnp.array(b)))
    np.testing.assert_allclose(found, np.array(expected, dtype="d"), rtol=1e-12)
    np.testing.assert_allclose(
        dpnp.asnumpy(ours.betaln(dpnp.array(a), dpnp.array(b))), np.log(np.abs(found)), rtol=1e-11
    )


def test_zeta_functions():
    x = np.array([2.0, 1.0, 0.5, np.nan, 3.0, 3.0, 2.0, 2.5])
    q = np.array([3.5, 2.0, 2.0, 1.0, 0.0, -2.0, 1e12, 1e300])
    expected = scipy.special.zeta(x, q)
    expected[-1] = 2 / 3 * 1e300**-1.5
    np.testing.assert_allclose(dpnp.asnumpy(ours.zeta(dpnp.array(x), dpnp.array(q))), expected, rtol=1e-14)
    assert np.isnan(float(ours.zeta(dpnp.array(2.0), -0.5)))  # documented
    out = dpnp.empty(3)
    assert ours.zeta(dpnp.array([0.0, -1.0, -2.0]), out=out) is out
    np.testing.assert_allclose(dpnp.asnumpy(out), [-0.5, -1 / 12, 0], rtol=1e-14)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_polygamma(n):
    x = grid((0.2, 30))
    expected = scipy.special.polygamma(n, x)
    np.testing.assert_allclose(dpnp.asnumpy(ours.polygamma(n, dpnp.array(x))), expected, rtol=1e-13, atol=1e-15)
    orders = dpnp.full(x.shape, n)
    np.testing.assert_allclose(dpnp.asnumpy(ours.polygamma(orders, dpnp.array(x))), expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("n", [-1, 1.5])
def test_polygamma_refuses_orders(n):
    with pytest.raises(ValueError, match="polygamma: n must"):
        ours.polygamma(n, dpnp.ones(2))
    with pytest.raises(ValueError, match="polygamma: n must"):
        ours.polygamma(dpnp.array([n]), dpnp.ones(2))


@pytest.mark.parametrize("d", [1, 2, 4])
def test_multigammaln(d):
    a = grid((2, 20))
    expected = scipy.special.multigammaln(a, d)
    np.testing.assert_allclose(dpnp.asnumpy(ours.multigammaln(dpnp.array(a), d)), expected, rtol=1e-13)


def test_multigammaln_refuses_dimensions_and_small_numbers():
    with pytest.raises(ValueError, match="multigammaln: d must"):
        ours.multigammaln(dpnp.ones(2), 1.5)
    with pytest.raises(ValueError, match="above"):
        ours.multigammaln(dpnp.ones(2), 4)


class TestCombinations:
    N = np.array([0, 1, 5, 5, 10, 52, 100, 3, -2, 5])
    k = np.array([0, 1, 2, 0, 10, 5, 50, 4, 1, -1])

    @pytest.mark.parametrize("name", ["comb", "perm", "binom"])
    def test_integers(self, name):
        N, k = (self.N, self.k) if name != "binom" else (self.N[self.N >= 0], self.k[self.N >= 0])
        expected = getattr(scipy.special, name)(N, k)
        found = getattr(ours, name)(dpnp.array(N), dpnp.array(k))
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=2e-13)

    def test_small_results_are_whole(self):
        N, k = np.meshgrid(np.arange(21), np.arange(21))
        np.testing.assert_array_equal(dpnp.asnumpy(ours.comb(dpnp.array(N), dpnp.array(k))), scipy.special.comb(N, k))

    def test_repetition(self):
        found = ours.comb(dpnp.array([5, 3, 4]), dpnp.array([2, 0, 6]), repetition=True)
        expected = scipy.special.comb([5, 3, 4], [2, 0, 6], repetition=True)
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=1e-14)

    def test_factorial(self):
        n = np.array([0, 1, 5, 20, 170, -3])
        found = dpnp.asnumpy(ours.factorial(dpnp.array(n)))
        np.testing.assert_allclose(found, scipy.special.factorial(n), rtol=1e-14)

    @pytest.mark.parametrize("call", [lambda x: ours.comb(x, x, exact=True), lambda x: ours.perm(x, x, exact=True),
                                      lambda x: ours.factorial(x, exact=True)])  # fmt: skip
    def test_exact_integers_of_arrays_are_refused(self, call):
        with pytest.raises(TypeError, match=r"exact=True is for (two )?integers"):
            call(dpnp.ones(2))


class TestSoftmax:
    x = np.array([[1.0, 1000.0, -np.inf], [2.0, -3.0, 0.5], [-1e4, -1e4, -1e4]])

    @pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
    @pytest.mark.parametrize("name", ["softmax", "log_softmax"])
    def test_values(self, name, axis):
        expected = getattr(scipy.special, name)(self.x, axis=axis)
        found = getattr(ours, name)(dpnp.array(self.x), axis=axis)
        np.testing.assert_allclose(dpnp.asnumpy(found), expected, rtol=1e-14)

    @pytest.mark.parametrize("keepdims", [False, True])
    @pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
    def test_logsumexp(self, axis, keepdims):
        b = np.array([[1.0, 0.5, 3.0], [0.0, -2.0, 1.0], [4.0, 0.0, -1.0]])
        x, factors = dpnp.array(self.x), dpnp.array(b)
        for options in ({}, {"b": b}, {"b": b, "return_sign": True}, {"return_sign": True}, {"b": 2.0}):
            given = options | ({"b": factors} if options.get("b") is b else {})
            with np.errstate(all="ignore"):
                expected = scipy.special.logsumexp(self.x, axis=axis, keepdims=keepdims, **options)
            found = ours.logsumexp(x, axis=axis, keepdims=keepdims, **given)
            pairs = zip(found, expected) if isinstance(found, tuple) else [(found, expected)]
            for f, e in pairs:
                assert f.shape == np.shape(e)
                np.testing.assert_allclose(dpnp.asnumpy(f), e, rtol=1e-13)

    def test_float32(self):
        x = values("f", (50, 20), 1)
        for name in ("softmax", "log_softmax", "logsumexp"):
            found = getattr(ours, name)(dpnp.array(x), axis=1)
            assert found.dtype == "f4"
            np.testing.assert_allclose(
                dpnp.asnumpy(found), getattr(scipy.special, name)(x, axis=1), rtol=1e-5, atol=1e-6
            )


@pytest.mark.parametrize("code, result", [("b", "d"), ("i", "d"), ("L", "d"), ("?", "d"), ("e", "f"), ("f", "f")])
def test_dtypes_of_results(code, result):
    x = np.array([1, 0, 1], dtype=code)
    for name in ("ndtr", "j0", "digamma", "expit", "entr", "erfinv"):
        assert getattr(ours, name)(dpnp.array(x)).dtype == result
    assert ours.xlogy(dpnp.array(x), dpnp.array(x)).dtype == result


def test_keywords_of_ufuncs():
    x = dpnp.array([0.5, 1.5, 2.5])
    out = dpnp.zeros(3)
    assert ours.gamma(x, out=out) is out
    assert float(out[0]) == pytest.approx(np.sqrt(np.pi))
    kept = ours.xlogy(x, 2.0, out=dpnp.zeros(3), where=dpnp.array([True, False, True]))
    np.testing.assert_allclose(dpnp.asnumpy(kept), [0.5 * np.log(2), 0, 2.5 * np.log(2)])
    assert ours.erfinv(dpnp.array([0.5]), dtype="f4").dtype == "f4"


@pytest.mark.parametrize("call", [
    lambda: ours.gamma([1.0]), lambda: ours.xlogy([1.0], 2.0), lambda: ours.softmax([1.0]), lambda: ours.comb([3], 2),
    lambda: ours.factorial([3]), lambda: ours.zeta([2.0]), lambda: ours.polygamma(1, [2.0]),
    lambda: ours.logsumexp(None),
])  # fmt: skip
def test_arguments_that_are_no_arrays_are_refused(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize("name", ["erfinv", "gammainc", "j0", "expit"])
def test_complex_numbers_are_refused(name):
    function = getattr(ours, name)
    with pytest.raises((TypeError, ValueError), match=name):
        function(*[dpnp.array([1j])] * function.nin)


def test_names_that_are_refused_say_what_to_do():
    with pytest.raises(AttributeError, match="'betaincinv': it is not on devices yet; use SciPy"):
        _ = ours.betaincinv
    with pytest.raises(AttributeError, match="'jv': other Bessel functions than kv and kn"):
        _ = ours.jv
    with pytest.raises(AttributeError, match=r"'no_such_name'$"):
        _ = ours.no_such_name
    for name in ours._UNAVAILABLE:
        assert not set(ours._UNAVAILABLE[name].split()) & set(ours.__all__)
    refused = {name for names in ours._UNAVAILABLE.values() for name in names.split()}
    assert refused <= set(dir(scipy.special))


def test_operations_around_are_computed_in_the_same_pass():
    x = values("d", (100_003,), 3, 0.1, 3)
    a = dpnp.array(x)
    expected = 2 * scipy.special.gammaln(x + 1) - scipy.special.xlogy(x, x)
    np.testing.assert_allclose(
        dpnp.asnumpy(2 * ours.gammaln(a + 1) - ours.xlogy(a, a)), expected, rtol=1e-12, atol=1e-13
    )
    entropy = float(dpnp.sum(ours.entr(a / dpnp.sum(a))))
    assert entropy == pytest.approx(scipy.special.entr(x / x.sum()).sum(), rel=1e-12)


def test_functions_of_dpnp_have_the_same_names():
    for name in ("cbrt", "erf", "exp2", "expm1", "i0", "log1p", "sinc"):
        assert getattr(ours, name) is getattr(dpnp, name)


def test_usm_ndarrays_are_taken():
    assert isinstance(ours.gamma(dpt.ones(2)), dpnp.ndarray)
    assert isinstance(ours.softmax(dpt.ones(2)), dpnp.ndarray)


def test_rising_factorials_of_negative_numbers_and_at_poles():
    z = np.array([-7.0, -3.0, -2.0, -1.0, 0.0, 1e-20, 0.3, -0.5, -2.7, 2.0])[:, None]
    m = np.array([-5.0, -2.0, -1.0, 0.0, 0.5, 1.0, 3.0, 7.0])
    expected = scipy.special.poch(z, m)
    np.testing.assert_allclose(dpnp.asnumpy(ours.poch(dpnp.asarray(z), dpnp.asarray(m))), expected, rtol=1e-13)
    found = ours.poch(dpnp.asarray([0, 1, 3]), 2)
    np.testing.assert_allclose(dpnp.asnumpy(found), [0, 2, 12], rtol=1e-14)
