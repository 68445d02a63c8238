"""The distributions, as methods of Generator and RandomState."""

from __future__ import annotations

import math
import operator
import warnings

import numpy
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp

import dpnp
from dpnp.random._arguments import Limits, Numbers, any_true, shape_of

__all__ = ["Distributions"]

# The largest mean of a Poisson distribution whose numbers are int64, as NumPy's.
_MOST = float(2**63 - 1) - math.sqrt(2**63 - 1) * 10


class Distributions:
    """Methods that return arrays of random numbers.

    Parameters of distributions are numbers or arrays, which broadcast. `size` is the shape of the result; by default,
    that of the parameters. Methods also take `device` or `sycl_queue`, the device or queue of new arrays, and
    `usm_type`, the kind of memory: 'device', 'shared' or 'host'. Without them, results are on the queue of parameters
    that are arrays. Checks of parameters that are arrays wait for their values.

    All methods raise ValueError for parameters out of range and a size that does not fit them, and TypeError for
    parameters that are not numbers.
    """

    def __init__(self, bit_generator, device: object = None, sycl_queue: object = None):
        self._bit_generator = bit_generator
        self._generator = bit_generator._generator
        self._place = device, sycl_queue

    def _numbers(self, function: str, size, place: tuple, parameters: dict | None = None, integers=()) -> Numbers:
        return Numbers(function, self._generator, size, parameters or {}, place, self._place, integers)

    def _random(self, function: str, size, dtype, device, usm_type, sycl_queue) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [0, 1)."""
        if device is sycl_queue is None:
            device, sycl_queue = self._place
        return self._generator.random(function, size, dtype, device, usm_type, sycl_queue)

    def _normal(self, function: str, size, device, usm_type, sycl_queue, is_float32=False) -> dpnp_ndarray:
        """Return numbers of the standard normal distribution."""
        if device is sycl_queue is None:
            device, sycl_queue = self._place
        streams = self._generator.streams(math.prod(shape_of(function, size)))
        name = "normal_float32" if is_float32 else "normal"
        return streams.draw(name, 0, size, (), device, usm_type, sycl_queue)

    # -- uniform numbers and bytes

    def uniform(self, low=0.0, high=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return uniformly distributed numbers in [low, high).

        The numbers are those of NumPy's Generator with the same state.

        Parameters
        ----------
        low, high : float or array, optional
            The limits.
        size, device, usm_type, sycl_queue : optional
            See `Distributions`.

        Returns
        -------
        ndarray
            The numbers, float64.

        Raises
        ------
        OverflowError
            When `high` - `low` is not finite.
        ValueError
            When `high` is less than `low`.

        Examples
        --------
        >>> import dpnp
        >>> x = dpnp.random.default_rng(7).uniform(2, 3, size=(2, 1000))
        >>> x.shape, bool((x >= 2).all() and (x < 3).all())
        ((2, 1000), True)
        """
        parameters = {"low": (low, Limits.NONE), "high": (high, Limits.NONE)}
        n = self._numbers("uniform", size, (device, usm_type, sycl_queue), parameters)
        low, high = n.parameters
        length = high - low
        if any_true(~dpnp.isfinite(length) if isinstance(length, array_base) else not math.isfinite(length)):
            raise OverflowError("uniform: high - low range exceeds valid bounds")
        if any_true(length < 0):
            raise ValueError("uniform: high - low < 0")
        return _scaled(n.random(), low, length)

    def bytes(self, length: int) -> bytes:
        """Return random bytes, those of NumPy's Generator with the same state.

        >>> import dpnp
        >>> len(dpnp.random.default_rng(7).bytes(10))
        10
        """
        length = operator.index(length)
        if length < 0:
            raise ValueError(f"bytes: length must not be negative, got {length}")
        device, queue = self._place
        words = self._generator.words(max(-(-length // 4), 1), numpy.uint32, device, "device", queue)
        return dpnp.asnumpy(words).astype("<u4").tobytes()[:length]

    # -- one random number for each element

    def exponential(self, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the exponential distribution of mean `scale`, by inversion.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).exponential(2, 100) >= 0).all())
        True
        """
        n = self._numbers("exponential", size, (device, usm_type, sycl_queue), {"scale": (scale, Limits.NON_NEGATIVE)})
        return _scaled(n.exponential(), 0, *n.parameters)

    def gumbel(self, loc=0.0, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the Gumbel distribution with a mode and a scale.

        They are those of NumPy's Generator with the same state, up to rounding.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).gumbel(0, 2, 100).shape
        (100,)
        """
        n = self._located("gumbel", loc, scale, size, (device, usm_type, sycl_queue))
        return _scaled(-dpnp.log(-dpnp.log1p(-n.random_above_0())), *n.parameters)

    def laplace(self, loc=0.0, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the Laplace (double exponential) distribution with a mean and a scale.

        They are those of NumPy's Generator with the same state, up to rounding.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).laplace(0, 2, 100).shape
        (100,)
        """
        n = self._located("laplace", loc, scale, size, (device, usm_type, sycl_queue))
        u = n.random_above_0()
        is_upper = u >= 0.5
        logarithm = dpnp.log(dpnp.where(is_upper, 2 - u - u, u + u))
        return _scaled(dpnp.where(is_upper, -logarithm, logarithm), *n.parameters)

    def logistic(self, loc=0.0, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the logistic distribution with a mean and a scale.

        They are those of NumPy's Generator with the same state, up to rounding.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).logistic(0, 2, 100).shape
        (100,)
        """
        n = self._located("logistic", loc, scale, size, (device, usm_type, sycl_queue))
        u = n.random_above_0()
        return _scaled(dpnp.log(u / (1 - u)), *n.parameters)

    def pareto(self, a, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the Pareto II (Lomax) distribution with a shape.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).pareto(3, 100) >= 0).all())
        True
        """
        n = self._numbers("pareto", size, (device, usm_type, sycl_queue), {"a": (a, Limits.POSITIVE)})
        return dpnp.expm1(n.exponential() / n.parameters[0])

    def power(self, a, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers in [0, 1] with the density a x**(a - 1).

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).power(3, 100) <= 1).all())
        True
        """
        n = self._numbers("power", size, (device, usm_type, sycl_queue), {"a": (a, Limits.POSITIVE)})
        return n.random() ** (1 / n.parameters[0])

    def rayleigh(self, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the Rayleigh distribution with a scale.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).rayleigh(3, 100) >= 0).all())
        True
        """
        n = self._numbers("rayleigh", size, (device, usm_type, sycl_queue), {"scale": (scale, Limits.NON_NEGATIVE)})
        return _scaled(dpnp.sqrt(2 * n.exponential()), 0, *n.parameters)

    def weibull(self, a, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the Weibull distribution with a shape and scale 1.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).weibull(3, 100) >= 0).all())
        True
        """
        n = self._numbers("weibull", size, (device, usm_type, sycl_queue), {"a": (a, Limits.NON_NEGATIVE)})
        (a,) = n.parameters
        x = n.exponential()
        if not isinstance(a, array_base):
            return x * 0 if a == 0 else x if a == 1 else x ** (1 / a)
        return dpnp.where(a == 0, 0.0, x ** (1 / a))

    def triangular(self, left, mode, right, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the triangular distribution on [left, right], whose density is largest at `mode`.

        They are those of NumPy's Generator with the same state, up to rounding.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).triangular(-1, 0, 3, 100) < 3).all())
        True
        """
        parameters = {name: (x, Limits.NONE) for name, x in (("left", left), ("mode", mode), ("right", right))}
        n = self._numbers("triangular", size, (device, usm_type, sycl_queue), parameters)
        left, mode, right = n.parameters
        for wrong, text in (
            (left > mode, "left > mode"),
            (mode > right, "mode > right"),
            (left == right, "left == right"),
        ):
            if any_true(wrong):
                raise ValueError(f"triangular: {text}")
        u, base = n.random(), right - left
        is_lower = u <= (mode - left) / base
        root = dpnp.sqrt(dpnp.where(is_lower, u * ((mode - left) * base), (1 - u) * ((right - mode) * base)))
        return dpnp.where(is_lower, left + root, right - root)

    def geometric(self, p, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of trials up to the first success, which has probability `p`; int64, at least 1.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).geometric(0.3, 100) >= 1).all())
        True
        """
        n = self._numbers("geometric", size, (device, usm_type, sycl_queue), {"p": (p, Limits.POSITIVE_PROBABILITY)})
        (p,) = n.parameters
        rate = -dpnp.log1p(-p) if isinstance(p, array_base) else -math.log1p(-p) if p < 1 else math.inf
        return dpnp.clip(dpnp.ceil(n.exponential() / rate), 1, 2.0**63 - 1024).astype(numpy.int64)

    def standard_cauchy(self, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the standard Cauchy distribution.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).standard_cauchy(100).shape
        (100,)
        """
        return dpnp.tan(math.pi * self._numbers("standard_cauchy", size, (device, usm_type, sycl_queue)).random())

    # -- normal numbers

    def normal(self, loc=0.0, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return normally distributed numbers of mean `loc` and standard deviation `scale`.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).normal(2, 3, (2, 100)).shape
        (2, 100)
        """
        n = self._located("normal", loc, scale, size, (device, usm_type, sycl_queue))
        return _scaled(n.draw("normal"), *n.parameters)

    def lognormal(
        self, mean=0.0, sigma=1.0, size=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return exponentials of normally distributed numbers of mean `mean` and standard deviation `sigma`.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).lognormal(2, 3, 100) > 0).all())
        True
        """
        parameters = {"mean": (mean, Limits.NONE), "sigma": (sigma, Limits.NON_NEGATIVE)}
        n = self._numbers("lognormal", size, (device, usm_type, sycl_queue), parameters)
        return dpnp.exp(_scaled(n.draw("normal"), *n.parameters))

    def wald(self, mean, scale, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the Wald (inverse Gaussian) distribution with a mean and a scale.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).wald(2, 3, 100) > 0).all())
        True
        """
        parameters = {"mean": (mean, Limits.POSITIVE), "scale": (scale, Limits.POSITIVE)}
        n = self._numbers("wald", size, (device, usm_type, sycl_queue), parameters)
        return n.draw("wald", *n.parameters)

    def vonmises(self, mu, kappa, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return angles in [-pi, pi] of the von Mises distribution with a mode and a concentration.

        >>> import dpnp
        >>> bool((abs(dpnp.random.default_rng(7).vonmises(1, 3, 100)) <= 3.15).all())
        True
        """
        parameters = {"mu": (mu, Limits.NONE), "kappa": (kappa, Limits.NON_NEGATIVE)}
        n = self._numbers("vonmises", size, (device, usm_type, sycl_queue), parameters)
        mu, kappa = n.parameters
        high = 1e6  # from there on, a normal distribution is a good approximation
        if isinstance(kappa, array_base):
            normal = n.draw("normal") / kappa**0.5
            angle = dpnp.where(kappa > high, normal, n.draw("vonmises", dpnp.minimum(kappa, high)))
        else:
            angle = n.draw("normal") / kappa**0.5 if kappa > high else n.draw("vonmises", kappa)
        if not isinstance(mu, array_base) and mu == 0 and not isinstance(kappa, array_base) and kappa <= high:
            return angle
        return (angle + mu + math.pi) % (2 * math.pi) - math.pi

    def multivariate_normal(
        self,
        mean,
        cov,
        size=None,
        check_valid="warn",
        tol=1e-8,
        *,
        method="svd",
        device=None,
        usm_type="device",
        sycl_queue=None,
    ) -> dpnp_ndarray:
        """Return normally distributed vectors, the last axis of the result.

        Parameters
        ----------
        mean : array of shape (n,)
            The means.
        cov : array of shape (n, n)
            The covariances, a symmetric matrix that is positive-semidefinite.
        size : int or tuple of int, optional
            The shape of the array of vectors.
        check_valid : {'warn', 'raise', 'ignore'}, optional
            What to do with a matrix that is not positive-semidefinite.
        tol : float, optional
            The tolerance of that check.
        method : {'svd', 'eigh', 'cholesky'}, optional
            The factorisation of the covariances.
        device, usm_type, sycl_queue : optional
            See `Distributions`.

        Returns
        -------
        ndarray
            The vectors, an array of shape `size` + (n,).

        Examples
        --------
        >>> import dpnp
        >>> dpnp.random.default_rng(7).multivariate_normal([0, 1], [[1, 0], [0, 4]], 100).shape
        (100, 2)
        """
        name = "multivariate_normal"
        if method not in ("svd", "eigh", "cholesky"):
            raise ValueError(f"{name}: method must be one of 'eigh', 'svd', or 'cholesky', got {method!r}")
        if check_valid not in ("warn", "raise", "ignore"):
            raise ValueError(f"{name}: check_valid must equal 'warn', 'raise', or 'ignore', got {check_valid!r}")
        count = shape_of(name, size)
        parameters = {"mean": (mean, Limits.NONE), "cov": (cov, Limits.NONE)}
        try:
            n = self._numbers(name, None, (device, usm_type, sycl_queue), parameters)
        except ValueError:
            raise ValueError(f"{name}: mean and cov must have same length") from None
        mean, cov = n.parameters
        if numpy.ndim(mean) != 1:
            raise ValueError(f"{name}: mean must be 1 dimensional")
        if numpy.ndim(cov) != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError(f"{name}: cov must be 2 dimensional and square")
        if mean.shape[0] != cov.shape[0]:
            raise ValueError(f"{name}: mean and cov must have same length")
        if method == "cholesky":
            factor = dpnp.linalg.cholesky(cov)
        elif method == "eigh":
            values, vectors = dpnp.linalg.eigh(cov)
            self._check_covariance(name, check_valid, lambda: bool((values >= -tol).all()))
            factor = vectors * dpnp.sqrt(dpnp.maximum(values, 0))
        else:
            u, values, vh = dpnp.linalg.svd(cov)
            self._check_covariance(name, check_valid, lambda: dpnp.allclose((vh.T * values) @ vh, cov, tol, tol))
            factor = u * dpnp.sqrt(values)
        return n.with_shape((*count, mean.shape[0])).draw("normal") @ factor.T + mean

    @staticmethod
    def _check_covariance(name: str, check_valid: str, is_valid) -> None:
        if check_valid == "ignore" or is_valid():
            return
        text = f"{name}: covariance is not symmetric positive-semidefinite."
        if check_valid == "raise":
            raise ValueError(text)
        warnings.warn(text, RuntimeWarning, stacklevel=3)

    # -- numbers made of gamma numbers

    def gamma(self, shape, scale=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the gamma distribution with a shape and a scale.

        G. Marsaglia, W. Tsang: A simple method for generating gamma variables (2000).

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).gamma(2, 3, 100) > 0).all())
        True
        """
        parameters = {"shape": (shape, Limits.NON_NEGATIVE), "scale": (scale, Limits.NON_NEGATIVE)}
        n = self._numbers("gamma", size, (device, usm_type, sycl_queue), parameters)
        shape, scale = n.parameters
        return _scaled(n.gamma(shape), 0, scale)

    def chisquare(self, df, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the chi-square distribution with degrees of freedom.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).chisquare(2, 100) > 0).all())
        True
        """
        n = self._numbers("chisquare", size, (device, usm_type, sycl_queue), {"df": (df, Limits.POSITIVE)})
        return 2 * n.gamma(n.parameters[0] / 2)

    def noncentral_chisquare(
        self, df, nonc, size=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return numbers of the chi-square distribution with degrees of freedom and a non-centrality.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).noncentral_chisquare(2, 1, 100) > 0).all())
        True
        """
        parameters = {"df": (df, Limits.POSITIVE), "nonc": (nonc, Limits.NON_NEGATIVE)}
        n = self._numbers("noncentral_chisquare", size, (device, usm_type, sycl_queue), parameters)
        return _noncentral_chisquare(n, *n.parameters)

    def f(self, dfnum, dfden, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the F distribution with degrees of freedom of numerator and denominator.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).f(2, 3, 100) > 0).all())
        True
        """
        parameters = {"dfnum": (dfnum, Limits.POSITIVE), "dfden": (dfden, Limits.POSITIVE)}
        n = self._numbers("f", size, (device, usm_type, sycl_queue), parameters)
        dfnum, dfden = n.parameters
        return n.gamma(dfnum / 2) * (dfden / dfnum) / n.gamma(dfden / 2, 1)

    def noncentral_f(
        self, dfnum, dfden, nonc, size=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return numbers of the F distribution with degrees of freedom and a non-centrality of the numerator.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).noncentral_f(2, 3, 1, 100) > 0).all())
        True
        """
        parameters = {
            "dfnum": (dfnum, Limits.POSITIVE), "dfden": (dfden, Limits.POSITIVE), "nonc": (nonc, Limits.NON_NEGATIVE)
        }  # fmt: skip
        n = self._numbers("noncentral_f", size, (device, usm_type, sycl_queue), parameters)
        dfnum, dfden, nonc = n.parameters
        return _noncentral_chisquare(n, dfnum, nonc) * (dfden / dfnum) / (2 * n.gamma(dfden / 2, 1))

    def standard_t(self, df, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of Student's t distribution with degrees of freedom.

        >>> import dpnp
        >>> dpnp.random.default_rng(7).standard_t(2, 100).shape
        (100,)
        """
        n = self._numbers("standard_t", size, (device, usm_type, sycl_queue), {"df": (df, Limits.POSITIVE)})
        half = n.parameters[0] / 2
        return n.draw("normal") * dpnp.sqrt(half / n.gamma(half))

    def beta(self, a, b, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the beta distribution on [0, 1].

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).beta(2, 3, 100) < 1).all())
        True
        """
        parameters = {"a": (a, Limits.POSITIVE), "b": (b, Limits.POSITIVE)}
        n = self._numbers("beta", size, (device, usm_type, sycl_queue), parameters)
        a, b = n.parameters
        if not isinstance(a, array_base) and not isinstance(b, array_base) and a >= 1 and b >= 1:
            x = n.gamma(a)
            return x / (x + n.gamma(b, 1))
        return 1 / (1 + dpnp.exp(n.log_gamma(b, 1) - n.log_gamma(a)))

    def dirichlet(self, alpha, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return vectors of the Dirichlet distribution, the last axis of the result.

        Parameters
        ----------
        alpha : array of shape (k,)
            The concentrations.
        size : int or tuple of int, optional
            The shape of the array of vectors.
        device, usm_type, sycl_queue : optional
            See `Distributions`.

        Returns
        -------
        ndarray
            The vectors, whose elements sum to 1; an array of shape `size` + (k,). Zeros when all concentrations are 0.

        Examples
        --------
        >>> import dpnp
        >>> dpnp.random.default_rng(7).dirichlet([1, 2, 3], 100).shape
        (100, 3)
        """
        count = shape_of("dirichlet", size)
        n = self._numbers("dirichlet", None, (device, usm_type, sycl_queue), {"alpha": (alpha, Limits.NON_NEGATIVE)})
        (alpha,) = n.parameters
        if numpy.ndim(alpha) != 1:
            raise ValueError(f"dirichlet: alpha must have one axis, got {numpy.ndim(alpha)}")
        n.with_shape((*count, alpha.shape[0]))
        least = float(dpnp.min(alpha)) if alpha.size else 1
        if least >= 1:
            parts = n.draw("gamma", alpha)
        elif least >= 0.1:
            parts = n.gamma(alpha)
        else:  # all gamma numbers of a vector may be too small
            logarithms = n.log_gamma(alpha)
            if least == 0 and not any_true(alpha > 0):
                return dpnp.zeros_like(logarithms)
            parts = dpnp.exp(logarithms - dpnp.max(logarithms, axis=-1, keepdims=True))
        return parts / dpnp.sum(parts, axis=-1, keepdims=True)

    # -- counts

    def poisson(self, lam=1.0, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the Poisson distribution with mean `lam`, int64.

        W. Hoermann: The transformed rejection method for generating Poisson random variables (1993).

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).poisson(3, 100) >= 0).all())
        True
        """
        n = self._numbers("poisson", size, (device, usm_type, sycl_queue), {"lam": (lam, Limits.POISSON)})
        (lam,) = n.parameters
        if any_true(lam > _MOST):
            raise ValueError("poisson: lam value too large")
        return n.draw("poisson", lam)

    def binomial(self, n, p, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of successes in `n` trials with probability `p` each, int64.

        W. Hoermann: The generation of binomial random variates (1993).

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).binomial(10, 0.3, 100) <= 10).all())
        True
        """
        parameters = {"n": (n, Limits.NON_NEGATIVE), "p": (p, Limits.PROBABILITY)}
        made = self._numbers("binomial", size, (device, usm_type, sycl_queue), parameters, integers=("n",))
        return made.draw("binomial", *made.parameters)

    def negative_binomial(self, n, p, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of failures before `n` successes, which have probability `p` each; int64.

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).negative_binomial(10, 0.3, 100) >= 0).all())
        True
        """
        parameters = {"n": (n, Limits.POSITIVE), "p": (p, Limits.POSITIVE_PROBABILITY)}
        made = self._numbers("negative_binomial", size, (device, usm_type, sycl_queue), parameters)
        n, p = made.parameters
        if any_true(n * ((1 - p) / p) > _MOST / 10):
            raise ValueError("negative_binomial: n too large or p too small, see Generator.negative_binomial Notes")
        return made.draw("poisson", dpnp.minimum(made.gamma(n) * ((1 - p) / p), _MOST))

    def hypergeometric(
        self, ngood, nbad, nsample, size=None, device=None, usm_type="device", sycl_queue=None
    ) -> dpnp_ndarray:
        """Return numbers of good items in a sample without replacement from good and bad ones, int64.

        E. Stadlober: The ratio of uniforms approach for generating discrete random variates (1990).

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).hypergeometric(10, 20, 5, 100) <= 5).all())
        True
        """
        names = ("ngood", "nbad", "nsample")
        parameters = {name: (x, Limits.NON_NEGATIVE) for name, x in zip(names, (ngood, nbad, nsample), strict=True)}
        n = self._numbers("hypergeometric", size, (device, usm_type, sycl_queue), parameters, integers=names)
        ngood, nbad, nsample = n.parameters
        if any_true(ngood >= 10**9) or any_true(nbad >= 10**9):
            raise ValueError("hypergeometric: both ngood and nbad must be less than 1000000000")
        if any_true(ngood + nbad < nsample):
            raise ValueError("hypergeometric: ngood + nbad < nsample")
        return n.draw("hypergeometric", ngood, nbad, nsample)

    def logseries(self, p, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the logarithmic series distribution, int64, at least 1.

        A. Kemp: Efficient generation of logarithmically distributed pseudo-random variables (1981).

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).logseries(0.6, 100) >= 1).all())
        True
        """
        n = self._numbers("logseries", size, (device, usm_type, sycl_queue), {"p": (p, Limits.BELOW_1)})
        return n.draw("logseries", *n.parameters)

    def zipf(self, a, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of the zipf distribution, whose probabilities are proportional to k**-a; int64, at least 1.

        L. Devroye: Non-uniform random variate generation (1986).

        >>> import dpnp
        >>> bool((dpnp.random.default_rng(7).zipf(2, 100) >= 1).all())
        True
        """
        n = self._numbers("zipf", size, (device, usm_type, sycl_queue), {"a": (a, Limits.ABOVE_1)})
        return n.draw("zipf", *n.parameters)

    def multinomial(self, n, pvals, size=None, device=None, usm_type="device", sycl_queue=None) -> dpnp_ndarray:
        """Return numbers of outcomes of each kind in `n` trials, int64, along the last axis of the result.

        Parameters
        ----------
        n : int or array of int
            The number of trials.
        pvals : array of shape (..., k)
            The probabilities of the k kinds. The last is not used: it is 1 minus the others.
        size : int or tuple of int, optional
            The shape without the last axis; default: that of `n` and of the leading axes of `pvals`.
        device, usm_type, sycl_queue : optional
            See `Distributions`.

        Returns
        -------
        ndarray
            The counts, which sum to `n`; an array of shape `size` + (k,).

        Examples
        --------
        >>> import dpnp
        >>> dpnp.random.default_rng(7).multinomial(10, [0.2, 0.8], 3).sum(axis=-1)
        array([10, 10, 10])
        """
        place = device, usm_type, sycl_queue
        given = self._numbers("multinomial", None, place, {"pvals": (pvals, Limits.NONE)})
        (pvals,) = given.parameters
        if numpy.ndim(pvals) < 1:
            raise ValueError("multinomial: pvals must have at least 1 dimension")
        if pvals.shape[-1] == 0:
            raise ValueError("multinomial: pvals must have at least one element along the last axis")
        if any_true((pvals < 0) | (pvals > 1) | (pvals != pvals)):
            raise ValueError("multinomial: pvals < 0, pvals > 1 or pvals contains NaNs")
        if any_true(dpnp.sum(pvals[..., :-1], axis=-1) > 1 + 1e-12):
            raise ValueError("multinomial: sum(pvals[:-1].astype(np.float64)) > 1.0")
        kinds = pvals.shape[-1]
        # The share of each kind in the trials that the kinds before it have left.
        rest = 1 - dpnp.cumsum(pvals, axis=-1) + pvals
        shares = dpnp.where(rest > 0, dpnp.clip(pvals / rest, 0, 1), 0.0)
        parameters = {"n": (n, Limits.NON_NEGATIVE), "pvals": (shares[..., 0], Limits.NONE)}
        made = self._numbers("multinomial", size, given.place if any(place) else place, parameters, integers=("n",))
        left, counts = made.parameters[0], []
        for kind in range(kinds - 1):
            counts.append(made.draw("binomial", left, shares[..., kind], tag=kind))
            left = left - counts[-1]
        counts.append(dpnp.broadcast_to(left, made.shape) if counts else _full(made, left))
        return dpnp.stack(counts, axis=-1)

    # -- for the methods

    def _located(self, function: str, loc, scale, size, place: tuple) -> Numbers:
        parameters = {"loc": (loc, Limits.NONE), "scale": (scale, Limits.NON_NEGATIVE)}
        return self._numbers(function, size, place, parameters)


def _scaled(x: dpnp_ndarray, offset: object, factor: object) -> dpnp_ndarray:
    """Return x * factor + offset, in two roundings."""
    if isinstance(factor, array_base) or factor != 1:
        x = x * factor
    if isinstance(offset, array_base) or offset != 0:
        x = x + offset
    return x


def _noncentral_chisquare(n: Numbers, df: object, nonc: object) -> dpnp_ndarray:
    """Return the square of a normal number and a chi-square number, or increase its degrees of freedom by a random one.

    The latter is twice a Poisson number.
    """
    if not isinstance(df, array_base) and df > 1:
        return 2 * n.gamma((df - 1) / 2) + (n.draw("normal") + nonc**0.5) ** 2
    return 2 * n.gamma(n.draw("poisson", nonc / 2) + df / 2 + (nonc - nonc))  # NaN without a finite number


def _full(n: Numbers, value: object) -> dpnp_ndarray:
    device, usm_type, queue = n.place
    if isinstance(value, array_base):
        return dpnp.broadcast_to(as_dpnp(value), n.shape)
    return dpnp.full(n.shape, value, dtype=numpy.int64, device=device, usm_type=usm_type, sycl_queue=queue)
