"""Random numbers on devices: NumPy's generators, distributions and functions.

The bit generator is NumPy's Philox (Philox4x64-10; Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011),
which computes the n-th numbers of a sequence from n. Each work-item computes its own numbers, so that results depend on
the seed only, not on the device or its number of threads. `Generator` says which of its methods return the very numbers
of NumPy's. As other operations on large arrays, random numbers are computed when they are needed, in one pass with the
operations on them.

>>> import dpnp
>>> rng = dpnp.random.default_rng(7)
>>> x = rng.uniform(2, 3, size=(2, 1000))
>>> x.shape, bool((x >= 2).all() and (x < 3).all())
((2, 1000), True)
"""

from dpnp.random._bit_generators import MT19937, PCG64, PCG64DXSM, SFC64, BitGenerator, Philox
from dpnp.random._generator import Generator, default_rng
from dpnp.random._legacy import RandomState

# NumPy's legacy functions: the methods of a common generator.
_common = RandomState()
beta = _common.beta
binomial = _common.binomial
bytes = _common.bytes
chisquare = _common.chisquare
choice = _common.choice
dirichlet = _common.dirichlet
exponential = _common.exponential
f = _common.f
gamma = _common.gamma
geometric = _common.geometric
get_state = _common.get_state
gumbel = _common.gumbel
hypergeometric = _common.hypergeometric
laplace = _common.laplace
logistic = _common.logistic
lognormal = _common.lognormal
logseries = _common.logseries
multinomial = _common.multinomial
multivariate_normal = _common.multivariate_normal
negative_binomial = _common.negative_binomial
noncentral_chisquare = _common.noncentral_chisquare
noncentral_f = _common.noncentral_f
normal = _common.normal
pareto = _common.pareto
permutation = _common.permutation
poisson = _common.poisson
power = _common.power
rand = _common.rand
randint = _common.randint
randn = _common.randn
random = _common.random
random_integers = _common.random_integers
random_sample = _common.random_sample
rayleigh = _common.rayleigh
seed = _common.seed
set_state = _common.set_state
shuffle = _common.shuffle
standard_cauchy = _common.standard_cauchy
standard_exponential = _common.standard_exponential
standard_gamma = _common.standard_gamma
standard_normal = _common.standard_normal
standard_t = _common.standard_t
triangular = _common.triangular
uniform = _common.uniform
vonmises = _common.vonmises
wald = _common.wald
weibull = _common.weibull
zipf = _common.zipf
ranf = sample = _common.random_sample


def __getattr__(name: str) -> object:
    if name == "SeedSequence":  # imported at its first use, since it takes longer than the rest of this package
        from numpy.random import SeedSequence

        return SeedSequence
    raise AttributeError(f"module 'dpnp.random' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), "SeedSequence"})


def get_bit_generator() -> Philox:
    """Return the bit generator of this module's functions."""
    return _common._bit_generator


def set_bit_generator(bitgen: Philox) -> None:
    """Replace the bit generator of this module's functions."""
    _common.__init__(bitgen)


__all__ = [
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "SFC64",
    "BitGenerator",
    "Generator",
    "Philox",
    "RandomState",
    "SeedSequence",
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_bit_generator",
    "get_state",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "set_bit_generator",
    "set_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]
