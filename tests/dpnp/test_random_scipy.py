"""dpnp.random: each distribution against SciPy's distribution functions, by Kolmogorov-Smirnov and chi-square tests.

DPEP_TEST_RANDOM is the count of numbers for nightly runs, such as 10000000; in `make test` there are few. The tests in
test_random_distributions.py compare fewer points with mpmath's functions.
"""

from __future__ import annotations

import math
import os

import dpnp
import numpy as np
import pytest

stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
special = pytest.importorskip("scipy.special", reason="SciPy is not installed")

COUNT = int(float(os.environ.get("DPEP_TEST_RANDOM", "100000")))
LEAST_PROBABILITY = 1e-6  # seeds are fixed: a right generator fails never or always

CONTINUOUS = [
    ("random", (), stats.uniform()),
    ("uniform", (-2, 5), stats.uniform(-2, 7)),
    ("standard_normal", (), stats.norm()),
    ("normal", (3, 2), stats.norm(3, 2)),
    ("lognormal", (1, 0.5), stats.lognorm(0.5, scale=math.e)),
    ("standard_exponential", (), stats.expon()),
    ("exponential", (3,), stats.expon(scale=3)),
    ("standard_gamma", (0.3,), stats.gamma(0.3)),
    ("standard_gamma", (1,), stats.gamma(1)),
    ("standard_gamma", (7.5,), stats.gamma(7.5)),
    ("gamma", (2.5, 3), stats.gamma(2.5, scale=3)),
    ("beta", (0.5, 0.5), stats.beta(0.5, 0.5)),
    ("beta", (2, 5), stats.beta(2, 5)),
    ("beta", (0.1, 3), stats.beta(0.1, 3)),
    ("chisquare", (1,), stats.chi2(1)),
    ("chisquare", (7,), stats.chi2(7)),
    ("noncentral_chisquare", (0.6, 3), stats.ncx2(0.6, 3)),
    ("noncentral_chisquare", (4, 10), stats.ncx2(4, 10)),
    ("f", (3, 8), stats.f(3, 8)),
    ("noncentral_f", (3, 8, 2), stats.ncf(3, 8, 2)),
    ("standard_t", (1.5,), stats.t(1.5)),
    ("standard_t", (10,), stats.t(10)),
    ("standard_cauchy", (), stats.cauchy()),
    ("gumbel", (1, 2), stats.gumbel_r(1, 2)),
    ("laplace", (1, 2), stats.laplace(1, 2)),
    ("logistic", (1, 2), stats.logistic(1, 2)),
    ("pareto", (2.5,), stats.lomax(2.5)),
    ("power", (0.7,), stats.powerlaw(0.7)),
    ("power", (5,), stats.powerlaw(5)),
    ("rayleigh", (2,), stats.rayleigh(scale=2)),
    ("weibull", (0.8,), stats.weibull_min(0.8)),
    ("weibull", (3,), stats.weibull_min(3)),
    ("triangular", (-1, 0.5, 3), stats.triang(0.375, -1, 4)),
    ("wald", (2, 3), stats.invgauss(2 / 3, scale=3)),
    ("vonmises", (0, 0.7), stats.vonmises(0.7)),
    ("vonmises", (0, 20), stats.vonmises(20)),
]

DISCRETE = [
    ("integers", (0, 7), stats.randint(0, 7)),
    ("integers", (-100, 1000), stats.randint(-100, 1000)),
    ("poisson", (0.3,), stats.poisson(0.3)),
    ("poisson", (7,), stats.poisson(7)),
    ("poisson", (250.5,), stats.poisson(250.5)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (500, 0.9), stats.binom(500, 0.9)),
    ("binomial", (10**6, 1e-6), stats.binom(10**6, 1e-6)),
    ("geometric", (0.3,), stats.geom(0.3)),
    ("geometric", (0.9,), stats.geom(0.9)),
    ("negative_binomial", (3, 0.4), stats.nbinom(3, 0.4)),
    ("negative_binomial", (0.5, 0.1), stats.nbinom(0.5, 0.1)),
    ("hypergeometric", (15, 20, 8), stats.hypergeom(35, 15, 8)),
    ("hypergeometric", (1000, 2000, 500), stats.hypergeom(3000, 1000, 500)),
    ("logseries", (0.6,), stats.logser(0.6)),
    ("zipf", (4,), stats.zipf(4)),
]


def draw(name: str, arguments: tuple, seed: int) -> np.ndarray:
    return dpnp.asnumpy(getattr(dpnp.random.default_rng(seed), name)(*arguments, size=COUNT))


def kolmogorov_smirnov(x: np.ndarray, below: object) -> float:
    """Return the probability of a difference from the distribution function that is at least as large."""
    shares = below(np.sort(x))
    ranks = np.arange(x.size + 1) / x.size
    difference = max((ranks[1:] - shares).max(), (shares - ranks[:-1]).max())
    return float(special.kolmogorov(difference * math.sqrt(x.size)))


def chi_square(x: np.ndarray, distribution: object) -> float:
    """Return the probability of counts that differ at least as much. Values share a bin until 30 are expected in it."""
    least, most = np.quantile(x, [0, 1]).astype(np.int64)
    values = np.arange(least, min(most, least + 5000) + 1)
    expected = distribution.pmf(values) * x.size
    counts = np.bincount(np.minimum(x - least, values.size), minlength=values.size + 1)
    bin_of = (np.cumsum(expected) // 30).astype(np.int64)
    bins = int(bin_of[-1]) + 1
    wanted = np.bincount(bin_of, expected, minlength=bins)
    seen = np.bincount(bin_of, counts[:-1], minlength=bins)
    wanted, seen = wanted[wanted > 0], seen[wanted > 0]
    rest = x.size - wanted.sum()
    wanted[-1] += rest
    seen[-1] += x.size - seen.sum()
    if wanted.size == 1:
        return 1.0
    return float(stats.chi2.sf(((seen - wanted) ** 2 / wanted).sum(), wanted.size - 1))


@pytest.mark.parametrize(("name", "arguments", "distribution"), CONTINUOUS, ids=[f"{n}{a}" for n, a, _ in CONTINUOUS])
def test_continuous_distribution(name, arguments, distribution):
    x = draw(name, arguments, seed=11)
    assert kolmogorov_smirnov(x, distribution.cdf) > LEAST_PROBABILITY


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential", "standard_gamma"])
def test_float32(name):
    distribution = {"random": stats.uniform(), "standard_normal": stats.norm(), "standard_exponential": stats.expon()}
    x = dpnp.random.default_rng(12)
    arguments = (2.5,) if name == "standard_gamma" else ()
    x = dpnp.asnumpy(getattr(x, name)(*arguments, size=min(COUNT, 10**6), dtype="f4")).astype("f8")
    below = distribution.get(name, stats.gamma(2.5)).cdf
    assert kolmogorov_smirnov(x, below) > LEAST_PROBABILITY


@pytest.mark.parametrize(("name", "arguments", "distribution"), DISCRETE, ids=[f"{n}{a}" for n, a, _ in DISCRETE])
def test_discrete_distribution(name, arguments, distribution):
    assert chi_square(draw(name, arguments, seed=13), distribution) > LEAST_PROBABILITY


def test_vectors():
    """Marginal distributions of vectors, and sums that are normal."""
    rng, count = dpnp.random.default_rng(14), min(COUNT, 10**6)
    x = dpnp.asnumpy(rng.dirichlet([0.5, 2, 1], count))
    for k, alpha in enumerate([0.5, 2, 1]):
        assert kolmogorov_smirnov(x[:, k], stats.beta(alpha, 3.5 - alpha).cdf) > LEAST_PROBABILITY
    x = dpnp.asnumpy(rng.multinomial(20, [0.2, 0.5, 0.3], count))
    for k, p in enumerate([0.2, 0.5, 0.3]):
        assert chi_square(x[:, k], stats.binom(20, p)) > LEAST_PROBABILITY
    x = dpnp.asnumpy(rng.multivariate_hypergeometric([10, 20, 5], 8, count))
    for k, n in enumerate([10, 20, 5]):
        assert chi_square(x[:, k], stats.hypergeom(35, n, 8)) > LEAST_PROBABILITY
    covariance = np.array([[2.0, 0.6], [0.6, 1.0]])
    x = dpnp.asnumpy(rng.multivariate_normal([1, -1], covariance, count))
    for direction in ([1, 0], [0, 1], [1, 1], [1, -2]):
        deviation = math.sqrt(direction @ covariance @ direction)
        below = stats.norm(np.dot(direction, [1, -1]), deviation).cdf
        assert kolmogorov_smirnov(x @ np.array(direction), below) > LEAST_PROBABILITY


def test_the_tests_find_wrong_numbers():
    x = dpnp.asnumpy(dpnp.random.default_rng(1).standard_normal(100_000))
    assert kolmogorov_smirnov(1.05 * x, stats.norm().cdf) < LEAST_PROBABILITY
    x = dpnp.asnumpy(dpnp.random.default_rng(1).poisson(7, 100_000))
    assert chi_square(x, stats.poisson(7.1)) < LEAST_PROBABILITY
