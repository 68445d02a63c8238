"""dpnp.polynomial against numpy.polynomial: functions of three bases, and classes."""

from __future__ import annotations

import pickle
import warnings

import dpctl
import dpnp
import numpy as np
import pytest
from dpctl.utils import ExecutionPlacementError

RANDOM = np.random.default_rng(11)
BASES = {"polynomial": "poly", "chebyshev": "cheb", "legendre": "leg"}
CLASSES = ["Polynomial", "Chebyshev", "Legendre"]
SERIES = [
    np.array([3.0]), np.array([0.0]), np.array([1, 2]), np.array([1.0, -2, 0.5]), np.array([1, 2, 3, 0, 0]),
    RANDOM.standard_normal(9), RANDOM.standard_normal(4).astype("f4"), np.array([1j, 2, 1 - 1j]),
]  # fmt: skip


def same(found: object, expected: object, tolerance: float = 1e-10) -> None:
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for f, e in zip(found, expected, strict=True):
            same(f, e, tolerance)
        return
    if not isinstance(expected, np.ndarray):
        assert found == pytest.approx(expected, rel=tolerance)
        return
    assert isinstance(found, dpnp.ndarray)
    got = found.asnumpy()
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    t = 1e-4 if expected.dtype.char in "fF" else tolerance
    np.testing.assert_allclose(got, expected, rtol=t, atol=t * max(1, np.abs(expected).max(initial=0)))


def both(module: str, name: str, *arguments: object, tolerance: float = 1e-10, **options: object) -> None:
    """Compare results for arrays on the device, and for coefficients on the host, which are copied."""
    function = BASES[module] + name
    expected = getattr(getattr(np.polynomial, module), function)(*arguments, **options)
    if {a.dtype.char for a in arguments if isinstance(a, np.ndarray)} == {"f"} and isinstance(expected, np.ndarray):
        expected = expected.astype("f4")  # some of NumPy's functions return float64
    ours = getattr(getattr(dpnp.polynomial, module), function)
    same(ours(*(dpnp.array(a) if isinstance(a, np.ndarray) else a for a in arguments), **options), expected, tolerance)
    if not name.startswith(("val", "vander", "fit", "grid", "weight")):
        same(ours(*arguments, **options), expected, tolerance)


@pytest.mark.parametrize("module", BASES)
@pytest.mark.parametrize("first", range(len(SERIES)))
def test_arithmetic(module, first):
    a = SERIES[first]
    for b in SERIES:
        if a.dtype == "f4" or b.dtype == "f4":
            b = b.astype(a.dtype) if a.dtype == "f4" and b.dtype != "D" else b.astype("D")
        for name in ("add", "sub", "mul"):
            both(module, name, a, b)
        if b.any():
            function = BASES[module] + "div"
            expected = getattr(getattr(np.polynomial, module), function)(a, b)
            found = getattr(getattr(dpnp.polynomial, module), function)(dpnp.array(a), dpnp.array(b))
            for f, e in zip(found, expected, strict=True):  # remainders that are rounding errors have any length
                width = max(f.size, e.size)
                f, e = (np.pad(each, (0, width - each.size)) for each in (f.asnumpy(), e))
                np.testing.assert_allclose(f, e, atol=2e-3 if a.dtype == "f4" else 1e-9)
    both(module, "mulx", a)
    for power in (0, 1, 3):
        both(module, "pow", a, power)
    both(module, "trim", a, 0.6)


@pytest.mark.parametrize("module", BASES)
@pytest.mark.parametrize("c", [*SERIES, RANDOM.standard_normal((5, 3))], ids=lambda c: f"{c.dtype}{c.shape}")
def test_derivatives_and_integrals(module, c):
    for axis in range(c.ndim):
        for m in (0, 1, 2, 4, 9):
            both(module, "der", c, m, axis=axis)
            both(module, "der", c, m, 0.5, axis)
            both(module, "int", c, m, axis=axis)
        both(module, "int", c, 2, [1, 2], axis=axis)
        both(module, "int", c, 1, 3, lbnd=-0.7, scl=2, axis=axis)


@pytest.mark.parametrize("module", BASES)
@pytest.mark.parametrize("code", "dfDl")
def test_values(module, code):
    for shape in ((), (4,), (3, 5)):
        x = np.asarray(3 * RANDOM.standard_normal(shape)).astype(code)
        for c in SERIES:
            if c.dtype == "f4" and code != "f":
                continue
            if x.ndim:
                both(module, "val", x, c.astype("f4") if code == "f" and c.dtype != "D" else c)
        if x.ndim:
            both(module, "vander", x, 0), both(module, "vander", x, 5)
    c = RANDOM.standard_normal((4, 3))
    both(module, "val", RANDOM.standard_normal((2, 5)), c)
    both(module, "val", RANDOM.standard_normal((2, 3)), c, tensor=False)
    assert float(getattr(dpnp.polynomial, module).__dict__[BASES[module] + "val"](2, [1, 1])) == 3


@pytest.mark.parametrize("module", BASES)
def test_roots(module):
    for count in (0, 1, 2, 5, 8):
        both(module, "fromroots", np.sort(RANDOM.uniform(-2, 2, count)))
    both(module, "fromroots", np.array([1j, -1j, 2]))
    for c in (np.array([-6.0, 2]), np.array([1.0, -3, 2]), RANDOM.standard_normal(7), np.array([1.0, 2, 0])):
        function = BASES[module] + "roots"
        expected = getattr(getattr(np.polynomial, module), function)(c)
        found = getattr(getattr(dpnp.polynomial, module), function)(dpnp.array(c)).asnumpy()
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    both(module, "companion", np.array([1.0, 2])), both(module, "companion", RANDOM.standard_normal(6))
    both(module, "line", 2.0, 3.0), both(module, "line", 2.0, 0.0)


@pytest.mark.parametrize("module", BASES)
def test_fits(module):
    x = np.linspace(-1, 1, 30)
    y = np.stack([np.exp(x), np.sin(3 * x)], axis=1)
    w = RANDOM.uniform(0.5, 2, x.size)
    for values in (y, y[:, 0]):
        for deg in (0, 4, [1, 3], [4, 0, 2]):
            both(module, "fit", x, values, deg), both(module, "fit", x, values, deg, None, False, w)
    coefficients, (residuals, rank, singular, rcond) = getattr(dpnp.polynomial, module).__dict__[BASES[module] + "fit"](
        dpnp.array(x), dpnp.array(y), 3, full=True
    )
    expected, others = getattr(np.polynomial, module).__dict__[BASES[module] + "fit"](x, y, 3, full=True)
    same(coefficients, expected)
    np.testing.assert_allclose(residuals.asnumpy(), others[0])
    np.testing.assert_allclose(singular.asnumpy(), others[2])
    assert (int(rank), rcond) == (others[1], others[3])
    with pytest.warns(np.exceptions.RankWarning):
        getattr(dpnp.polynomial, module).__dict__[BASES[module] + "fit"](dpnp.array(x[:2]), dpnp.array(y[:2]), 4)


@pytest.mark.parametrize("module", BASES)
def test_several_variables(module):
    x, y, z = RANDOM.uniform(-1, 1, (3, 2, 4))
    c = RANDOM.standard_normal((3, 4, 2))
    both(module, "val2d", x, y, c[..., 0]), both(module, "val2d", x, y, c), both(module, "val3d", x, y, z, c)
    both(module, "grid2d", x[0], y[1], c[..., 0]), both(module, "grid3d", x[0], y[0], z[0], c)
    both(module, "vander2d", x, y, [2, 3]), both(module, "vander3d", x, y, z, [1, 0, 2])
    if module == "polynomial":
        both(module, "valfromroots", x, c[:, 0, 0]), both(module, "valfromroots", x, c)
        both(module, "valfromroots", x[0, :2], c[:, 0], tensor=False)


def test_quadratures_and_points():
    for n in (1, 2, 5, 30):
        for module, name in (("chebyshev", "chebgauss"), ("chebyshev", "chebpts1"), ("legendre", "leggauss")):
            same(getattr(getattr(dpnp.polynomial, module), name)(n), getattr(getattr(np.polynomial, module), name)(n))
        same(dpnp.polynomial.chebyshev.chebpts2(n + 1), np.polynomial.chebyshev.chebpts2(n + 1))
    both("chebyshev", "weight", np.array([-0.5, 0, 0.9])), both("legendre", "weight", np.array([-0.5, 0, 0.9]))
    for degree in (0, 1, 7):
        expected = np.polynomial.chebyshev.chebinterpolate(np.exp, degree)
        same(dpnp.polynomial.chebyshev.chebinterpolate(dpnp.exp, degree), expected)
    expected = np.polynomial.Chebyshev.interpolate(np.power, 4, domain=[0, 2], args=(2,))
    same_series(dpnp.polynomial.Chebyshev.interpolate(dpnp.power, 4, domain=[0, 2], args=(2,)), expected)
    queue = dpctl.SyclQueue()
    assert dpnp.polynomial.legendre.leggauss(3, sycl_queue=queue)[1].sycl_queue == queue


def test_conversions():
    for c in SERIES:
        if c.dtype == "f4":
            continue
        for module, names in (("chebyshev", ("cheb2poly", "poly2cheb")), ("legendre", ("leg2poly", "poly2leg"))):
            for name in names:
                expected = getattr(getattr(np.polynomial, module), name)(c)
                found = getattr(getattr(dpnp.polynomial, module), name)(dpnp.array(c)).asnumpy()
                width = max(found.size, expected.size)  # zeros at the end may be kept
                found, expected = (np.pad(a, (0, width - a.size)) for a in (found, expected))
                np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def pair(name: str, coef: object, **options: object) -> tuple[object, object]:
    return getattr(dpnp.polynomial, name)(dpnp.array(coef), **options), getattr(np.polynomial, name)(coef, **options)


def same_series(found: object, expected: object, tolerance: float = 1e-9) -> None:
    assert type(found).__name__ == type(expected).__name__
    same(found.coef, expected.coef, tolerance)
    np.testing.assert_allclose(found.domain, expected.domain)
    np.testing.assert_allclose(found.window, expected.window)
    assert found.symbol == expected.symbol


# Calls that return a series, or several, of a series p with the domain [0, 3].
OPERATIONS = {
    "add": lambda p, x: p + p * 2,
    "add a number": lambda p, x: 1 + p,
    "subtract": lambda p, x: p - p * p,
    "subtract from a number": lambda p, x: 3.5 - p,
    "add a list": lambda p, x: p + x.tolist(),
    "multiply": lambda p, x: p * p,
    "divide by a number": lambda p, x: p / 2,
    "negate": lambda p, x: -p,
    "power": lambda p, x: p**3,
    "floor divide": lambda p, x: (p * p) // (p + 1),
    "remainder": lambda p, x: (p * p) % (p + 1),
    "divmod": lambda p, x: divmod(p * p, p + 1),
    "derivative": lambda p, x: p.deriv(2),
    "integral": lambda p, x: p.integ(2, [1, 2], lbnd=0.5),
    "composition": lambda p, x: p(p),
    "other domain": lambda p, x: p.convert(domain=[-2, 5]),
    "trim": lambda p, x: p.trim(1.0),
    "truncate": lambda p, x: p.truncate(2),
    "cutdeg": lambda p, x: p.cutdeg(1),
    "copy": lambda p, x: p.copy(),
    "values": lambda p, x: p(x),
    "roots": lambda p, x: p.roots(),
    "linspace": lambda p, x: p.linspace(7),
    "linspace of a domain": lambda p, x: p.linspace(7, [1, 2]),
    "mapparms": lambda p, x: p.mapparms(),
    "identity": lambda p, x: type(p).identity([0, 5]),
    "basis": lambda p, x: type(p).basis(4),
    "fromroots": lambda p, x: type(p).fromroots(x),
    "fromroots with a domain": lambda p, x: type(p).fromroots(x, domain=[0, 2]),
    "fromroots without a domain": lambda p, x: type(p).fromroots(x, domain=None),
    "fit": lambda p, x: type(p).fit(x, p(x), 2),
    "fit with a domain": lambda p, x: type(p).fit(x, x * x, 2, domain=[-3, 3], window=[0, 1]),
    "fit with the default domain": lambda p, x: type(p).fit(x, x * x, [0, 2], domain=[]),
    "degree": lambda p, x: p.degree(),
    "length": lambda p, x: len(p),
}


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_classes(name, operation):
    p, q = pair(name, [1.0, -2.0, 0.5, 1.5], domain=[0, 3])
    x = np.array([0.0, 0.3, 1.1, 2.6])
    found, expected = OPERATIONS[operation](p, dpnp.array(x)), OPERATIONS[operation](q, x)
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    for f, e in zip(found, expected, strict=True):
        if hasattr(e, "coef"):
            same_series(f, e)
        elif isinstance(e, np.ndarray):
            same(f, e, 1e-9)
        else:
            assert f == pytest.approx(e)


@pytest.mark.parametrize("name", CLASSES)
def test_text_comparison_and_copies(name):
    p, q = pair(name, [1.0, 2.0, 3.0], symbol="z")
    assert (repr(p), str(p), f"{p:ascii}") == (repr(q), str(q), f"{q:ascii}")
    assert p == p.copy() and p != p + 1 and p != 3
    assert p.has_samecoef(p) and p.has_samedomain(p) and p.has_samewindow(p) and p.has_sametype(p)
    assert [float(c) for c in p] == [1, 2, 3]
    assert pickle.loads(pickle.dumps(p)) == p
    assert float(p(0.5)) == pytest.approx(q(0.5))
    assert type(p)(dpnp.ones(3, dtype="f4"))(2).dtype == "f4"
    with pytest.raises(TypeError):
        hash(p)


def test_series_of_other_classes():
    for name in CLASSES:
        p, q = pair(name, [1.0, 2, -1, 0.5], domain=[-2, 2])
        for other in CLASSES:
            kind, numpy_kind = getattr(dpnp.polynomial, other), getattr(np.polynomial, other)
            same_series(p.convert(kind=kind), q.convert(kind=numpy_kind))
            same_series(kind.cast(p), numpy_kind.cast(q))


def test_coefficients_stay_on_their_queue():
    queue = dpctl.SyclQueue()
    p = dpnp.polynomial.Polynomial(dpnp.array([1.0, 2], sycl_queue=queue))
    for made in (p * p + 1, p.deriv(), p.integ(), p.convert(kind=dpnp.polynomial.Chebyshev)):
        assert made.coef.sycl_queue == queue
    assert p.linspace(3)[1].sycl_queue == queue
    x = dpnp.arange(5.0, sycl_queue=queue, usm_type="host")
    for deg in (2, [0, 2]):
        made = dpnp.polynomial.legendre.legfit(x, x, deg)
        assert (made.sycl_queue, made.usm_type) == (queue, "host")
    with pytest.raises(ExecutionPlacementError):
        p + dpnp.polynomial.Polynomial(dpnp.array([1.0, 2], sycl_queue=dpctl.SyclQueue()))


X = dpnp.array([1.0, 2.0])
poly, cheb, P = dpnp.polynomial.polynomial, dpnp.polynomial.chebyshev, dpnp.polynomial.Polynomial


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: poly.polyadd(dpnp.ones((2, 2)), [1]), ValueError, "polyadd: coefficients must have one axis"),
        (lambda: poly.polyadd([], [1]), ValueError, "polyadd: expected at least one coefficient"),
        (lambda: poly.polyadd(["a"], [1]), TypeError, "polyadd: expected numbers"),
        (lambda: poly.polydiv([1, 2], [0]), ZeroDivisionError, "polydiv"),
        (lambda: cheb.chebpow([1, 2], -1), ValueError, "chebpow: power must be a non-negative integer"),
        (lambda: cheb.chebpow([1, 2], 5, 4), ValueError, "chebpow: power is too large"),
        (lambda: poly.polyder([1, 2], -1), ValueError, "polyder: the order of the derivative must not be negative"),
        (lambda: poly.polyder([1, 2], 0.5), TypeError, "float"),
        (lambda: poly.polyder([1, 2], axis=1), np.exceptions.AxisError, "axis"),
        (lambda: poly.polyint([1, 2], -1), ValueError, "polyint: the order of integration must not be negative"),
        (lambda: poly.polyint([1, 2], 1, [1, 2]), ValueError, "polyint: too many integration constants"),
        (lambda: poly.polyint([1, 2], scl=[0]), ValueError, "polyint: scl must be a number"),
        (lambda: poly.polyval2d(X, X[:1], [[1]]), ValueError, "polyval2d: coordinates must have the same shape"),
        (lambda: poly.polyvander2d(X, X, [1]), ValueError, "polyvander2d: expected 2 degrees, got 1"),
        (lambda: poly.polyvalfromroots(X, X, False), ValueError, "polyvalfromroots: x must have fewer axes than r"),
        (lambda: cheb.chebpts1(1.5), ValueError, "chebpts1: npts must be an integer"),
        (lambda: cheb.chebpts2(1), ValueError, "chebpts2: npts must be an integer of at least 2"),
        (lambda: cheb.chebgauss(0), ValueError, "chebgauss: deg must be an integer"),
        (lambda: dpnp.polynomial.legendre.leggauss(0), ValueError, "leggauss: deg must be an integer"),
        (lambda: cheb.chebinterpolate(dpnp.exp, 1.0), TypeError, "chebinterpolate: deg must be an int"),
        (lambda: cheb.chebinterpolate(dpnp.exp, -1), ValueError, "chebinterpolate: expected deg >= 0"),
        (lambda: cheb.chebweight(0.5), TypeError, "chebweight"),
        (lambda: poly.polyint([1, 2], lbnd=[0]), ValueError, "polyint: lbnd must be a number"),
        (lambda: poly.polyvander(X, -1), ValueError, "polyvander: deg must not be negative"),
        (lambda: poly.polycompanion([1.0]), ValueError, "polycompanion: the series must have a degree of at least 1"),
        (lambda: poly.polyfromroots(dpnp.ones((2, 2))), ValueError, "polyfromroots: roots must have one axis"),
        (lambda: poly.polytrim([1, 2], -1), ValueError, "polytrim: tol must not be negative"),
        (lambda: cheb.chebfit(X, X, 0.5), TypeError, "chebfit: deg must be an int"),
        (lambda: cheb.chebfit(X, X, -1), ValueError, "chebfit: expected deg >= 0"),
        (lambda: cheb.chebfit(X[:0], X, 1), TypeError, "chebfit: expected non-empty 1D vector for x"),
        (lambda: cheb.chebfit(X[:1], X, 1), TypeError, "chebfit: expected 1D or 2D array for y"),
        (lambda: cheb.chebfit(X, X, 1, w=X[:1]), TypeError, "chebfit: expected w to have the shape of x"),
        (lambda: cheb.chebfit([1.0], X, 1), TypeError, "chebfit"),
        (lambda: cheb.chebval([1.0], X), TypeError, "chebval"),
        (lambda: cheb.chebvander([1.0], 1), TypeError, "chebvander"),
        (lambda: P([1, 2])([1.0]), TypeError, "Polynomial"),
        (lambda: P.fit([1.0], X, 1), TypeError, "Polynomial.fit"),
        (lambda: P(dpnp.ones((2, 2))), ValueError, "Polynomial: coefficients must have one axis"),
        (lambda: P([1], domain=[1, 2, 3]), ValueError, "Polynomial: domain must have two elements"),
        (lambda: P([1], symbol="1"), ValueError, "Polynomial: symbol must be an identifier"),
        (lambda: P([1], symbol=1), TypeError, "Polynomial: symbol must be a str"),
        (lambda: P([1]) + dpnp.polynomial.Legendre([1]), TypeError, "polyadd: polynomial types differ"),
        (lambda: P([1]) + P([1], domain=[0, 1]), TypeError, "polyadd: domains differ"),
        (lambda: P([1]) + P([1], window=[0, 1]), TypeError, "polyadd: windows differ"),
        (lambda: P([1]) + P([1], symbol="y"), ValueError, "polyadd: polynomial symbols differ"),
        (lambda: P([1]) / P([1]), TypeError, "Polynomial: unsupported types for true division"),
        (lambda: P([1]) + "a", TypeError, "unsupported operand"),
        (lambda: P([1, 2]) ** -1, ValueError, "polypow: power must be"),
        (lambda: P([1, 2]).truncate(0), ValueError, "Polynomial: size must be a positive integer"),
        (lambda: P.basis(-1), ValueError, "Polynomial: deg must be a non-negative integer"),
        (lambda: dpnp.polynomial.Hermite, AttributeError, "only powers, Chebyshev and Legendre polynomials"),
    ],
)
def test_bad_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_nothing_warns():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(P([1, 2])(2)) == 5
