"""dpnp.random: distributions, compared with exact distribution functions (mpmath) and with NumPy's numbers."""

from __future__ import annotations

import math
from collections.abc import Callable

import dpnp
import mpmath
import numpy as np
import pytest

COUNT = 1_000_000
INFINITY = mpmath.inf


def gamma_below(a: float, x: float) -> float:
    return mpmath.gammainc(a, 0, x, regularized=True)


def beta_below(a: float, b: float, x: float) -> float:
    return mpmath.betainc(a, b, 0, x, regularized=True)


def chi_square(df: float) -> Callable:
    return lambda x: gamma_below(df / 2, x / 2) if x > 0 else 0


def noncentral_chi_square(df: float, nonc: float) -> Callable:
    weights = [mpmath.exp(-nonc / 2) * (nonc / 2) ** k / mpmath.factorial(k) for k in range(60)]
    return lambda x: sum(w * gamma_below(df / 2 + k, x / 2) for k, w in enumerate(weights)) if x > 0 else 0


def f_below(d1: float, d2: float) -> Callable:
    return lambda x: beta_below(d1 / 2, d2 / 2, d1 * x / (d1 * x + d2)) if x > 0 else 0


def noncentral_f(d1: float, d2: float, nonc: float) -> Callable:
    weights = [mpmath.exp(-nonc / 2) * (nonc / 2) ** k / mpmath.factorial(k) for k in range(40)]

    def below(x: float) -> float:
        return sum(w * beta_below(d1 / 2 + k, d2 / 2, d1 * x / (d1 * x + d2)) for k, w in enumerate(weights))

    return below


def student(df: float) -> Callable:
    def below(x: float) -> float:
        tail = beta_below(df / 2, 0.5, df / (df + x * x)) / 2
        return 1 - tail if x > 0 else tail

    return below


def wald(mean: float, scale: float) -> Callable:
    def below(x: float) -> float:
        root = mpmath.sqrt(scale / mpmath.mpf(x))
        other = mpmath.exp(2 * scale / mpmath.mpf(mean)) * mpmath.ncdf(-root * (x / mean + 1))
        return mpmath.ncdf(root * (x / mean - 1)) + other

    return below


def vonmises(kappa: float) -> Callable:
    def below(x: float) -> float:
        terms = (mpmath.besseli(k, kappa) * mpmath.sin(k * x) / k for k in range(1, 60))
        return (x + math.pi) / (2 * mpmath.pi) + sum(terms) / (mpmath.pi * mpmath.besseli(0, kappa))

    return below


def triangular(left: float, mode: float, right: float) -> Callable:
    def below(x: float) -> float:
        if x < mode:
            return (x - left) ** 2 / ((right - left) * (mode - left))
        return 1 - (right - x) ** 2 / ((right - left) * (right - mode))

    return below


# name, arguments, distribution function; of the density of numbers that are very small or large, logarithms are tested
CONTINUOUS = [
    ("random", (), lambda x: x),
    ("uniform", (-2, 5), lambda x: (x + 2) / 7),
    ("standard_normal", (), mpmath.ncdf),
    ("normal", (3, 2), lambda x: mpmath.ncdf((x - 3) / 2)),
    ("lognormal", (1, 0.5), lambda x: mpmath.ncdf((mpmath.log(x) - 1) / 0.5)),
    ("standard_exponential", (), lambda x: -mpmath.expm1(-x)),
    ("exponential", (3,), lambda x: -mpmath.expm1(-x / 3)),
    ("gumbel", (1, 2), lambda x: mpmath.exp(-mpmath.exp(-(x - 1) / 2))),
    ("laplace", (1, 2), lambda x: 0.5 * mpmath.exp((x - 1) / 2) if x < 1 else 1 - 0.5 * mpmath.exp(-(x - 1) / 2)),
    ("logistic", (1, 2), lambda x: 1 / (1 + mpmath.exp(-(x - 1) / 2))),
    ("pareto", (2.5,), lambda x: 1 - (1 + mpmath.mpf(x)) ** -2.5),
    ("power", (0.7,), lambda x: mpmath.mpf(x) ** 0.7),
    ("power", (5,), lambda x: mpmath.mpf(x) ** 5),
    ("rayleigh", (2,), lambda x: -mpmath.expm1(-x * x / 8)),
    ("weibull", (0.8,), lambda x: -mpmath.expm1(-(mpmath.mpf(x) ** 0.8))),
    ("weibull", (3,), lambda x: -mpmath.expm1(-(mpmath.mpf(x) ** 3))),
    ("standard_cauchy", (), lambda x: 0.5 + mpmath.atan(x) / mpmath.pi),
    ("triangular", (-1, 0.5, 3), triangular(-1, 0.5, 3)),
    ("standard_gamma", (0.05,), lambda x: gamma_below(0.05, x)),
    ("standard_gamma", (0.7,), lambda x: gamma_below(0.7, x)),
    ("standard_gamma", (1,), lambda x: gamma_below(1, x)),
    ("gamma", (2.5, 3), lambda x: gamma_below(2.5, x / 3)),
    ("gamma", (300, 1), lambda x: gamma_below(300, x)),
    ("chisquare", (1,), chi_square(1)),
    ("chisquare", (7,), chi_square(7)),
    ("noncentral_chisquare", (0.6, 3), noncentral_chi_square(0.6, 3)),
    ("noncentral_chisquare", (4, 10), noncentral_chi_square(4, 10)),
    ("f", (3, 8), f_below(3, 8)),
    ("f", (0.8, 5), f_below(0.8, 5)),
    ("noncentral_f", (3, 8, 2), noncentral_f(3, 8, 2)),
    ("standard_t", (1.5,), student(1.5)),
    ("standard_t", (30,), student(30)),
    ("beta", (2, 3), lambda x: beta_below(2, 3, x)),
    ("beta", (0.4, 0.6), lambda x: beta_below(0.4, 0.6, x)),
    ("beta", (0.5, 30), lambda x: beta_below(0.5, 30, x)),
    ("wald", (1, 2), wald(1, 2)),
    ("wald", (5, 0.5), wald(5, 0.5)),
    ("vonmises", (0, 0), vonmises(0)),
    ("vonmises", (0, 1e-6), vonmises(1e-6)),
    ("vonmises", (0, 0.5), vonmises(0.5)),
    ("vonmises", (0, 4), vonmises(4)),
    ("vonmises", (0, 1e8), lambda x: mpmath.ncdf(x * 1e4)),
]


def binomial(n: int, p: float) -> Callable:
    return lambda k: mpmath.binomial(n, k) * mpmath.mpf(p) ** k * mpmath.mpf(1 - p) ** (n - k)


def poisson(mean: float) -> Callable:
    return lambda k: mpmath.exp(k * mpmath.log(mean) - mean - mpmath.loggamma(k + 1))


def hypergeometric(good: int, bad: int, sample: int) -> Callable:
    return lambda k: mpmath.binomial(good, k) * mpmath.binomial(bad, sample - k) / mpmath.binomial(good + bad, sample)


def negative_binomial(n: float, p: float) -> Callable:
    def probability(k: int) -> float:
        return mpmath.exp(
            mpmath.loggamma(n + k) - mpmath.loggamma(k + 1) - mpmath.loggamma(n) + n * math.log(p) + k * math.log1p(-p)
        )

    return probability


DISCRETE = [
    ("poisson", (0.3,), poisson(0.3)),
    ("poisson", (9.9,), poisson(9.9)),
    ("poisson", (10,), poisson(10)),
    ("poisson", (37.5,), poisson(37.5)),
    ("poisson", (5000,), poisson(5000)),
    ("binomial", (1, 0.3), binomial(1, 0.3)),
    ("binomial", (10, 0.5), binomial(10, 0.5)),
    ("binomial", (40, 0.9), binomial(40, 0.9)),
    ("binomial", (25, 0.4), binomial(25, 0.4)),
    ("binomial", (1000, 0.7), binomial(1000, 0.7)),
    ("binomial", (10**6, 1e-6), binomial(10**6, 1e-6)),
    ("binomial", (10**7, 1e-5), poisson(100)),
    ("geometric", (0.3,), lambda k: 0.3 * 0.7 ** (k - 1) if k else 0),
    ("geometric", (0.9,), lambda k: 0.9 * 0.1 ** (k - 1) if k else 0),
    ("negative_binomial", (3, 0.4), negative_binomial(3, 0.4)),
    ("negative_binomial", (0.5, 0.1), negative_binomial(0.5, 0.1)),
    ("hypergeometric", (15, 20, 8), hypergeometric(15, 20, 8)),
    ("hypergeometric", (20, 15, 30), hypergeometric(20, 15, 30)),
    ("hypergeometric", (100, 200, 50), hypergeometric(100, 200, 50)),
    ("hypergeometric", (200, 100, 250), hypergeometric(200, 100, 250)),
    ("hypergeometric", (1000, 2000, 500), hypergeometric(1000, 2000, 500)),
    ("hypergeometric", (5, 100_000, 30_000), hypergeometric(5, 100_000, 30_000)),
    ("logseries", (0.6,), lambda k: -mpmath.mpf(0.6) ** k / (k * mpmath.log(0.4)) if k else 0),
    ("logseries", (0.99,), lambda k: -mpmath.mpf(0.99) ** k / (k * mpmath.log(0.01)) if k else 0),
    ("zipf", (1.5,), lambda k: mpmath.mpf(k) ** -1.5 / mpmath.zeta(1.5) if k else 0),
    ("zipf", (4,), lambda k: mpmath.mpf(k) ** -4 / mpmath.zeta(4) if k else 0),
    ("integers", (0, 7), lambda k: mpmath.mpf(k < 7) / 7),
]  # fmt: skip


def draw(name: str, arguments: tuple, seed: int = 2) -> np.ndarray:
    """Return numbers of Generator, and check that they have the shape that was asked for."""
    rng = dpnp.random.default_rng(seed)
    x = getattr(rng, name)(*arguments, size=(COUNT // 1000, 1000))
    assert x.shape == (COUNT // 1000, 1000)
    return dpnp.asnumpy(x).ravel()


def check_continuous(x: np.ndarray, below: Callable) -> None:
    """Compare the shares of numbers below some of them with the distribution function, and the extremes."""
    x = np.sort(x)
    ranks = np.unique(np.linspace(0, x.size - 1, 120).astype(int))
    difference = max(abs(float(below(float(x[rank]))) - (rank + 0.5) / x.size) for rank in ranks)
    assert difference < 2.5 / math.sqrt(x.size)  # probability 1e-5 for the largest difference of all (Kolmogorov)
    for tail in (float(below(float(x[0]))), 1 - float(below(float(x[-1])))):
        assert 1e-6 < tail * x.size < 20, "the extremes are not those of as many numbers"


@pytest.mark.parametrize(("name", "arguments", "below"), CONTINUOUS, ids=[f"{n}{a}" for n, a, _ in CONTINUOUS])
def test_continuous_distributions(name, arguments, below):
    x = draw(name, arguments)
    assert x.dtype == np.float64
    check_continuous(x, below)
    # Neighbours are not correlated, neither in their ranks nor in pairs of a block.
    ranks = np.argsort(np.argsort(x))
    for step in (1, 2, 4, 1000):
        assert abs(np.corrcoef(ranks[:-step], ranks[step:])[0, 1]) < 5 / math.sqrt(COUNT)


@pytest.mark.parametrize(("name", "arguments", "probability"), DISCRETE, ids=[f"{n}{a}" for n, a, _ in DISCRETE])
def test_discrete_distributions(name, arguments, probability):
    x = draw(name, arguments)
    assert x.dtype == np.int64
    least, most = int(np.quantile(x, 0.00003)), int(np.quantile(x, 0.9997))
    most = min(most, least + 1000)
    values = np.arange(least, most + 1)
    counts = np.bincount(np.clip(x, least - 1, most + 1) - least + 1, minlength=values.size + 2)
    expected = np.array([float(probability(int(k))) for k in values]) * x.size
    # Neighbouring values share a bin until 30 numbers are expected in it; the last bin is the rest.
    bins, seen, wanted = [], 0.0, 0.0
    for got, of_bin in zip(counts[1:-1], expected, strict=True):
        seen, wanted = seen + got, wanted + of_bin
        if wanted >= 30:
            bins.append((seen, wanted))
            seen = wanted = 0.0
    rest = x.size - sum(w for _, w in bins)
    if rest > 30:
        bins.append((x.size - sum(s for s, _ in bins), rest))
    freedom = max(len(bins) - 1, 1)
    statistic = sum((s - w) ** 2 / w for s, w in bins)
    assert statistic < freedom + 5 * math.sqrt(2 * freedom) + 15
    pairs = np.corrcoef(np.minimum(x[:-1], most), np.minimum(x[1:], most))[0, 1]
    assert abs(pairs) < 5 / math.sqrt(COUNT)


MOMENTS = [case[:2] for case in (*CONTINUOUS, *DISCRETE) if case[0] not in ("standard_cauchy", "pareto", "zipf")]
MOMENTS = [c for c in MOMENTS if c not in [("standard_t", (1.5,)), ("f", (3, 8)), ("f", (0.8, 5))]]
MOMENTS = [c for c in MOMENTS if c[0] != "noncentral_f"] + [
    ("poisson", (1e9,)), ("binomial", (10**12, 0.3)),
    ("hypergeometric", (10**8, 5 * 10**8, 3 * 10**8)), ("gamma", (1e12, 1)), ("vonmises", (1, 1e7)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments"), MOMENTS, ids=[f"{n}{a}" for n, a in MOMENTS])
def test_moments_are_those_of_numpys_numbers(name, arguments):
    x = draw(name, arguments).astype(np.float64)
    theirs = np.random.default_rng(5)
    y = getattr(theirs, name)(*arguments, size=COUNT).astype(np.float64)
    center, width = y.mean(), max(y.std(), 1e-300)
    x, y = (x - center) / width, (y - center) / width
    for power in (1, 2, 3, 4):
        error = math.sqrt(((x**power).var() + (y**power).var()) / COUNT)
        assert abs((x**power).mean() - (y**power).mean()) < 6 * error + 1e-12


@pytest.mark.parametrize(
    ("name", "arguments", "mean", "variance"),
    [
        ("poisson", (1e13,), 1e13, 1e13), ("poisson", (1e15,), 1e15, 1e15), ("poisson", (1e17,), 1e17, 1e17),
        ("binomial", (2**50, 0.5), 2**49, 2**48), ("binomial", (2**62, 0.5), 2**61, 2**60),
    ],
)  # fmt: skip
def test_large_counts(name, arguments, mean, variance):
    """Not compared with NumPy's: differences of large logarithms of factorials make its poisson(1e17) vary too much."""
    x = (draw(name, arguments) - np.int64(mean)).astype(np.float64) / math.sqrt(variance)
    assert abs(x.mean()) < 6 / math.sqrt(COUNT) and abs((x**2).mean() - 1) < 6 * math.sqrt(2 / COUNT)
    assert abs((x**4).mean() - 3) < 6 * math.sqrt(96 / COUNT)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("normal", ([0, 5, 100], [1, 2, 30])), ("gamma", ([0.2, 1, 7.5],)), ("standard_gamma", ([0.2, 1, 7.5],)),
        ("exponential", ([1, 2, 3],)), ("beta", ([0.4, 2, 2], [0.6, 3, 0.5])), ("standard_t", ([1.5, 3, 30],)),
        ("chisquare", ([1, 3, 30],)), ("f", ([1, 3, 30], [2, 3, 4])), ("wald", ([1, 2, 3], [2, 1, 5])),
        ("vonmises", ([0, 1, -1], [0.5, 3, 1e8])), ("triangular", ([0, 1, 2], [3, 4, 5], [6, 7, 8])),
        ("uniform", ([0, 1, 2], [3, 4, 5])), ("laplace", ([0, 1, 2], [3, 4, 5])), ("power", ([0.5, 1, 2],)),
        ("noncentral_chisquare", ([0.5, 1, 2], [3, 4, 0])), ("lognormal", ([0, 1, 2], [0.5, 1, 0.1])),
        ("weibull", ([0.5, 1, 2],)), ("pareto", ([3, 4, 5],)), ("rayleigh", ([3, 4, 5],)), ("gumbel", ([3, 4, 5],)),
        ("logistic", ([3, 4, 5],)), ("noncentral_f", ([3, 4, 5], [6, 7, 8], [1, 2, 3])),
        ("poisson", ([0.3, 9, 500],)), ("binomial", ([1, 20, 5000], [0.3, 0.9, 0.2])), ("geometric", ([0.3, 0.9, 1],)),
        ("negative_binomial", ([3, 0.5, 20], [0.4, 0.1, 0.9])), ("logseries", ([0.1, 0.6, 0.9],)),
        ("hypergeometric", ([15, 100, 0], [20, 200, 3], [8, 50, 2])), ("zipf", ([2, 3, 5],)),
        ("integers", ([0, -5, 2], [3, 7, 2**40])),
    ],
)  # fmt: skip
def test_parameters_in_arrays(name, columns):
    """Each column has the distribution of its parameters: by the two-sample test of Kolmogorov and Smirnov."""
    n = 100_000
    rng, theirs = dpnp.random.default_rng(6), np.random.default_rng(7)
    arrays = [dpnp.asarray(column) for column in columns]
    x = dpnp.asnumpy(getattr(rng, name)(*arrays, size=(n, 3)))
    for k, parameters in enumerate(zip(*columns, strict=True)):
        mine, other = np.sort(x[:, k]), np.sort(getattr(theirs, name)(*parameters, size=n))
        both = np.concatenate([mine, other])
        difference = np.searchsorted(mine, both, "right") - np.searchsorted(other, both, "right")
        assert abs(difference).max() / n < 2.6 * math.sqrt(2 / n), parameters
    # Without a size, there is a number for each parameter.
    assert getattr(rng, name)(*arrays).shape == (3,)
    assert getattr(rng, name)(arrays[0][:, None], *arrays[1:]).shape == ((3, 3) if len(arrays) > 1 else (3, 1))


CHUNKED = [
    ("normal", (1, 2)), ("random", ()), ("gamma", (2.5,)), ("gamma", (0.5,)), ("beta", (0.5, 2)), ("poisson", (3,)),
    ("poisson", (50,)), ("binomial", (1000, 0.4)), ("hypergeometric", (100, 200, 50)), ("zipf", (2,)), ("f", (3, 4)),
    ("standard_t", (3,)), ("exponential", (2,)), ("vonmises", (0, 2)), ("negative_binomial", (3, 0.4)),
    ("wald", (1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments"), CHUNKED, ids=[f"{n}{a}" for n, a in CHUNKED])
def test_parts_have_the_numbers_of_the_whole(name, arguments):
    whole = dpnp.asnumpy(getattr(dpnp.random.default_rng(3), name)(*arguments, size=60_003))
    rng = dpnp.random.default_rng(3)
    parts = [dpnp.asnumpy(getattr(rng, name)(*arguments, size=n)) for n in (1, 2, 10, 1000, 3, 40_001, 18_986)]
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=1e-13)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_parts_of_normal_numbers_have_the_numbers_of_the_whole(dtype):
    whole = dpnp.asnumpy(dpnp.random.default_rng(3).standard_normal(60_003, dtype=dtype))
    rng = dpnp.random.default_rng(3)
    counts = (1, 2, 10, 1, 1000, 3, 5, 7, 40_001, 2, 18_971)
    parts = [dpnp.asnumpy(rng.standard_normal(n, dtype=dtype)) for n in counts]
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=1e-13 if dtype == "f8" else 2e-6)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("skipped", [0, 1, 2])
def test_normal_numbers_in_fine_bins_and_tails(dtype, skipped):
    """Bins are finer than the layers that the method for float64 has, and the tails begin where its widest one ends."""
    rng = dpnp.random.default_rng(21)
    rng.standard_normal(skipped)
    count = 4_000_000
    x = dpnp.asnumpy(rng.standard_normal(count, dtype=dtype)).astype("f8")
    bins = 4001
    edges = np.array([float(mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(k) / bins - 1)) for k in range(1, bins)])
    counts = np.bincount(np.searchsorted(edges, x), minlength=bins)
    chi_square = ((counts - count / bins) ** 2).sum() / (count / bins)
    assert abs(chi_square - (bins - 1)) < 5 * math.sqrt(2 * (bins - 1))
    for limit in (3, 3.8, 4.038849846109504, 4.2, 4.6):
        for tail in (x > limit, x < -limit):
            expected = count * float(mpmath.ncdf(-limit))
            assert abs(tail.sum() - expected) < 5 * math.sqrt(expected) + 1, limit
    # neighbours, which have words of one block, and their squares are independent
    for distance in (1, 2, 3):
        for power in (1, 2):
            y = x**power
            assert abs(np.corrcoef(y[:-distance], y[distance:])[0, 1]) < 5 / math.sqrt(count)


def test_arrays_of_one_generator_are_independent():
    rng = dpnp.random.default_rng(3)
    x = [dpnp.asnumpy(rng.normal(size=300_000)), dpnp.asnumpy(rng.normal(size=300_000))]
    x += [dpnp.asnumpy(rng.random(300_000)), dpnp.asnumpy(rng.gamma(2, size=300_000))]
    rng = dpnp.random.default_rng(3)
    x += [dpnp.asnumpy(rng.gamma(2, size=300_000)), dpnp.asnumpy(rng.poisson(30, size=300_000))]
    correlations = np.corrcoef(np.stack(x))
    assert abs(correlations - np.eye(len(x))).max() < 5 / math.sqrt(300_000)


def test_dirichlet():
    rng = dpnp.random.default_rng(3)
    for alpha in ([1.0, 2, 3], [0.01, 0.02, 0.005], [0.5, 30, 0.001], [2.0]):
        x = dpnp.asnumpy(rng.dirichlet(alpha, 200_000))
        assert x.shape == (200_000, len(alpha)) and (x >= 0).all()
        np.testing.assert_allclose(x.sum(axis=1), 1, rtol=1e-12)
        share = np.array(alpha) / sum(alpha)
        deviation = np.sqrt(share * (1 - share) / (sum(alpha) + 1))
        assert (abs(x.mean(axis=0) - share) <= 5 * deviation / math.sqrt(200_000) + 1e-12).all()
        assert abs(x.std(axis=0) - deviation).max() < 0.01
    assert rng.dirichlet([1, 2], (2, 3)).shape == (2, 3, 2) and rng.dirichlet([1, 2]).shape == (2,)
    check_continuous(dpnp.asnumpy(rng.dirichlet([0.5, 2, 1], COUNT))[:, 0], lambda x: beta_below(0.5, 3, x))


@pytest.mark.parametrize("alpha", [[0, 0, 0], [0], [0, 0, 5], [0, 0.01, 0.05], [0, 1, 2]])
def test_dirichlet_of_zeros(alpha):
    """Zeros when all concentrations are 0, as in NumPy."""
    x = dpnp.asnumpy(dpnp.random.default_rng(3).dirichlet(alpha, 1000))
    assert (x[:, np.equal(alpha, 0)] == 0).all()
    np.testing.assert_allclose(x.sum(-1), 1 if any(alpha) else 0)


def test_multinomial():
    rng = dpnp.random.default_rng(3)
    p = np.array([0.1, 0.5, 0, 0.4])
    x = dpnp.asnumpy(rng.multinomial(20, p, 200_000))
    assert x.dtype == np.int64 and (x.sum(axis=1) == 20).all() and (x >= 0).all() and (x[:, 2] == 0).all()
    covariance = 20 * (np.diag(p) - np.outer(p, p))
    assert abs(x.mean(axis=0) - 20 * p).max() < 5 * math.sqrt(20 / 4 / 200_000)
    assert abs(np.cov(x.T) - covariance).max() < 0.1
    assert rng.multinomial(20, p, (2, 3)).shape == (2, 3, 4) and rng.multinomial(20, p).shape == (4,)
    n = dpnp.asarray([[3], [1000]])
    q = dpnp.asarray([[0.2, 0.8], [0.5, 0.5], [1.0, 0.0]])
    y = dpnp.asnumpy(rng.multinomial(n, q))
    assert y.shape == (2, 3, 2) and (y.sum(axis=-1) == [[3], [1000]]).all() and (y[:, 2, 1] == 0).all()
    assert rng.multinomial([3, 4], [1.0], (5, 2)).shape == (5, 2, 1)


def test_multivariate_hypergeometric():
    rng = dpnp.random.default_rng(3)
    colors = [16, 8, 4, 0]
    for method in ("marginals", "count"):
        x = dpnp.asnumpy(rng.multivariate_hypergeometric(colors, 6, 200_000, method))
        assert x.dtype == np.int64 and (x.sum(axis=1) == 6).all() and (x <= colors).all() and (x >= 0).all()
        share = np.array(colors) / 28
        covariance = 6 * (np.diag(share) - np.outer(share, share)) * 22 / 27
        assert abs(x.mean(axis=0) - 6 * share).max() < 0.02
        assert abs(np.cov(x.T) - covariance).max() < 0.03
    assert rng.multivariate_hypergeometric([3, 4], 7).tolist() == [3, 4]
    assert rng.multivariate_hypergeometric([5], 3, (2, 1)).tolist() == [[[3]], [[3]]]


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    rng = dpnp.random.default_rng(3)
    mean, cov = [1.0, -2, 3], [[2, 0.5, 0], [0.5, 1, -0.3], [0, -0.3, 4]]
    x = dpnp.asnumpy(rng.multivariate_normal(mean, cov, (400, 500), method=method)).reshape(-1, 3)
    assert abs(x.mean(axis=0) - mean).max() < 0.03 and abs(np.cov(x.T) - cov).max() < 0.06
    assert rng.multivariate_normal(mean, cov).shape == (3,)
    singular = dpnp.asarray([[1.0, 1], [1, 1]])
    if method != "cholesky":
        y = dpnp.asnumpy(rng.multivariate_normal([0, 0], singular, 1000, method=method))
        assert abs(y[:, 0] - y[:, 1]).max() < 1e-6


def test_covariances_that_are_none():
    rng, wrong = dpnp.random.default_rng(3), [[1, 2], [2, 1]]
    with pytest.warns(RuntimeWarning, match="covariance is not symmetric positive-semidefinite"):
        rng.multivariate_normal([0, 0], wrong)
    with pytest.raises(ValueError, match="covariance is not symmetric positive-semidefinite"):
        rng.multivariate_normal([0, 0], wrong, check_valid="raise")
    rng.multivariate_normal([0, 0], wrong, check_valid="ignore")


def test_choices_with_probabilities():
    rng = dpnp.random.default_rng(3)
    p = np.array([0.1, 0.2, 0, 0.3, 0.4])
    x = dpnp.asnumpy(rng.choice(5, 200_000, p=p))
    assert abs(np.bincount(x, minlength=5) / x.size - p).max() < 5 / math.sqrt(4 * x.size)
    # Without replacement: the first element has these probabilities, the second those of the others.
    pairs = np.stack([dpnp.asnumpy(rng.choice(5, 2, False, p)) for _ in range(4000)])
    assert (pairs[:, 0] != pairs[:, 1]).all() and 2 not in pairs
    assert abs(np.bincount(pairs[:, 0], minlength=5) / 4000 - p).max() < 5 / math.sqrt(16_000)
    second = sum(p[k] * np.where(np.arange(5) == k, 0, p) / (1 - p[k]) for k in range(5) if p[k])
    assert abs(np.bincount(pairs[:, 1], minlength=5) / 4000 - second).max() < 5 / math.sqrt(16_000)


def test_special_parameters():
    rng = dpnp.random.default_rng(3)
    zeros = {
        "poisson": (0,), "binomial": (0, 0.5), "gamma": (0,), "normal": (0, 0), "weibull": (0,), "exponential": (0,),
        "hypergeometric": (0, 5, 3), "rayleigh": (0,), "standard_gamma": (0,),
    }  # fmt: skip
    for name, arguments in zeros.items():
        assert not dpnp.asnumpy(getattr(rng, name)(*arguments, size=1000)).any(), name
        if name != "normal":
            arrays = [dpnp.full(1000, x) for x in arguments]
            assert not dpnp.asnumpy(getattr(rng, name)(*arrays)).any(), name
    for name, arguments in {"binomial": (5, 1), "geometric": (1,), "zipf": (2000,), "logseries": (0,)}.items():
        x = dpnp.asnumpy(getattr(rng, name)(*arguments, size=1000))
        assert (x == (5 if name == "binomial" else 1)).all(), name
    assert (dpnp.asnumpy(rng.negative_binomial(3, 1, 100)) == 0).all()
    assert np.isnan(dpnp.asnumpy(rng.normal(math.nan, 1, 10))).all()
    assert np.isnan(dpnp.asnumpy(rng.gamma(math.nan, 1, 10))).all()
    assert dpnp.asnumpy(rng.gamma(math.inf, 1, 10)).tolist() == [math.inf] * 10
