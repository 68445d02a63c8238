"""The classes Polynomial, Chebyshev and Legendre: series with a domain, which a window of the basis belongs to."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import check_arrays, check_numbers

import dpnp
from dpnp.polynomial._bases import CHEBYSHEV, LEGENDRE, POWER, Basis
from dpnp.polynomial._functions import fitted, functions_of
from dpnp.polynomial._points import chebinterpolate
from dpnp.polynomial._series import inexact, placed

__all__ = ["Chebyshev", "Legendre", "Polynomial"]


def _interval(name: str, what: str, given: object) -> numpy.ndarray:
    """Two numbers on the host."""
    made = numpy.asarray(dpnp.asnumpy(given) if isinstance(given, array_base) else given)
    if made.shape != (2,):
        raise ValueError(f"{name}: {what} must have two elements, got shape {made.shape}")
    return made if made.dtype.kind in "fc" else made.astype(float)


def _line_between(old: numpy.ndarray, new: numpy.ndarray) -> tuple[float, float]:
    """The offset and the scale of the linear function that maps the first interval to the second."""
    length = old[1] - old[0]
    return ((old[1] * new[0] - old[0] * new[1]) / length).item(), ((new[1] - new[0]) / length).item()


def _interval_of(x: dpnp_ndarray) -> numpy.ndarray:
    """The interval of an array's elements; of complex ones, the corners of their rectangle."""
    if x.dtype.kind == "c":
        (low, high), (lower, upper) = (_interval_of(part) for part in (x.real, x.imag))
        return numpy.array([complex(low, lower), complex(high, upper)])
    return numpy.array([bound.min(x).item(), bound.max(x).item()], float)


class _Series:
    """A polynomial as the sum of those of a basis."""

    _basis: ClassVar[Basis]
    _functions: ClassVar[dict[str, Callable]]
    domain: numpy.ndarray = numpy.array([-1.0, 1.0])
    window: numpy.ndarray = numpy.array([-1.0, 1.0])
    __hash__ = None  # compared by value
    __array_ufunc__ = None

    def __init__(self, coef: object, domain: object = None, window: object = None, symbol: str = "x") -> None:
        name = type(self).__name__
        (given,) = placed(name, coef)
        given = inexact(dpnp.reshape(given, (-1,)) if given.ndim == 0 else given)
        if given.ndim != 1 or given.size == 0:
            raise ValueError(f"{name}: coefficients must have one axis and elements, got shape {given.shape}")
        self.coef = given
        self.domain = type(self).domain.copy() if domain is None else _interval(name, "domain", domain)
        self.window = type(self).window.copy() if window is None else _interval(name, "window", window)
        if not isinstance(symbol, str):
            raise TypeError(f"{name}: symbol must be a str, got {type(symbol).__name__}")
        if not symbol.isidentifier():
            raise ValueError(f"{name}: symbol must be an identifier of Python, got {symbol!r}")
        self._symbol = symbol

    @property
    def symbol(self) -> str:
        """The variable's name in text."""
        return self._symbol

    def _of(self, coef: dpnp_ndarray) -> _Series:
        return type(self)(coef, self.domain, self.window, self.symbol)

    def _on_host(self) -> object:
        """NumPy's object of the same name and coefficients, for text."""
        kind = getattr(numpy.polynomial, type(self).__name__)
        return kind(dpnp.asnumpy(self.coef), self.domain, self.window, self.symbol)

    def __repr__(self) -> str:
        return repr(self._on_host())

    def __str__(self) -> str:
        return str(self._on_host())

    def __format__(self, specification: str) -> str:
        return format(self._on_host(), specification)

    def __len__(self) -> int:
        return self.coef.size

    def __iter__(self) -> Iterator[dpnp_ndarray]:
        return iter(self.coef)

    def copy(self) -> _Series:
        """Return a copy, of the coefficients too."""
        return self._of(dpnp.copy(self.coef))

    def degree(self) -> int:
        """Return the number of coefficients less one."""
        return self.coef.size - 1

    def mapparms(self) -> tuple[float, float]:
        """Return the offset and the scale of the linear function that maps the domain to the window."""
        return _line_between(self.domain, self.window)

    def __call__(self, arg: object) -> object:
        """Return the values at arguments, or the composition with another polynomial."""
        offset, scale = self.mapparms()
        if isinstance(arg, _Series):
            return self._basis.values(arg * scale + offset, dpnp.asnumpy(self.coef).tolist())
        check_numbers(type(self).__name__, arg)
        return self._functions["val"](offset + scale * arg, self.coef)

    def has_samecoef(self, other: _Series) -> bool:
        """Return whether the coefficients are equal."""
        return len(self) == len(other) and bool(bound.all(self.coef == other.coef))

    def has_samedomain(self, other: _Series) -> bool:
        """Return whether the domains are equal."""
        return numpy.array_equal(self.domain, other.domain)

    def has_samewindow(self, other: _Series) -> bool:
        """Return whether the windows are equal."""
        return numpy.array_equal(self.window, other.window)

    def has_sametype(self, other: object) -> bool:
        """Return whether the other object is of the same class."""
        return isinstance(other, type(self))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, type(self))
            and self.has_samedomain(other)
            and self.has_samewindow(other)
            and self.symbol == other.symbol
            and self.has_samecoef(other)
        )

    def _coefficients_of(self, operation: str, other: object) -> object:
        """The coefficients of the other operand. TypeError for series of another basis, domain, window or symbol."""
        if not isinstance(other, _Series):
            return other
        if not isinstance(other, type(self)):
            raise TypeError(f"{operation}: polynomial types differ, {type(self).__name__} and {type(other).__name__}")
        if not self.has_samedomain(other):
            raise TypeError(f"{operation}: domains differ, {self.domain} and {other.domain}")
        if not self.has_samewindow(other):
            raise TypeError(f"{operation}: windows differ, {self.window} and {other.window}")
        if self.symbol != other.symbol:
            raise ValueError(f"{operation}: polynomial symbols differ, {self.symbol!r} and {other.symbol!r}")
        return other.coef

    def _combined(self, function: str, other: object, is_left: bool = True) -> object:
        if not isinstance(other, (_Series, array_base, numpy.ndarray, numbers.Number, list, tuple, numpy.generic)):
            return NotImplemented
        name = self._basis.prefix + function
        coef = self._coefficients_of(name, other)
        made = self._functions[function](*((self.coef, coef) if is_left else (coef, self.coef)))
        return tuple(map(self._of, made)) if isinstance(made, tuple) else self._of(made)

    def __add__(self, other: object) -> _Series:
        return self._combined("add", other)

    __radd__ = __add__

    def __sub__(self, other: object) -> _Series:
        return self._combined("sub", other)

    def __rsub__(self, other: object) -> _Series:
        return self._combined("sub", other, False)

    def __mul__(self, other: object) -> _Series:
        return self._combined("mul", other)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> _Series:
        if not isinstance(other, numbers.Number) or isinstance(other, bool):
            raise TypeError(
                f"{type(self).__name__}: unsupported types for true division: {type(self).__name__}, "
                f"{type(other).__name__}; use // for the quotient of polynomials"
            )
        return self._of(self.coef / other)

    def __divmod__(self, other: object) -> tuple[_Series, _Series]:
        return self._combined("div", other)

    def __rdivmod__(self, other: object) -> tuple[_Series, _Series]:
        return self._combined("div", other, False)

    def __floordiv__(self, other: object) -> _Series:
        made = self._combined("div", other)
        return made if made is NotImplemented else made[0]

    def __rfloordiv__(self, other: object) -> _Series:
        made = self._combined("div", other, False)
        return made if made is NotImplemented else made[0]

    def __mod__(self, other: object) -> _Series:
        made = self._combined("div", other)
        return made if made is NotImplemented else made[1]

    def __rmod__(self, other: object) -> _Series:
        made = self._combined("div", other, False)
        return made if made is NotImplemented else made[1]

    def __pow__(self, exponent: int) -> _Series:
        return self._of(self._functions["pow"](self.coef, exponent, 100))

    def __neg__(self) -> _Series:
        return self._of(-self.coef)

    def __pos__(self) -> _Series:
        return self

    def truncate(self, size: int) -> _Series:
        """Return the series of the first `size` coefficients, at least one."""
        if int(size) != size or size < 1:
            raise ValueError(f"{type(self).__name__}: size must be a positive integer, got {size}")
        return self._of(dpnp.copy(self.coef[: int(size)]))

    def cutdeg(self, deg: int) -> _Series:
        """Return the series without terms of a higher degree than `deg`."""
        return self.truncate(deg + 1)

    def trim(self, tol: float = 0) -> _Series:
        """Return the series without coefficients at the end whose absolute value is at most `tol`."""
        return self._of(self._functions["trim"](self.coef, tol))

    def deriv(self, m: int = 1) -> _Series:
        """Return a derivative, of the order `m`."""
        return self._of(self._functions["der"](self.coef, m, self.mapparms()[1]))

    def integ(self, m: int = 1, k: object = (), lbnd: float | None = None) -> _Series:
        """Return an antiderivative after `m` integrations, with values `k` at the lower bound, by default 0."""
        offset, scale = self.mapparms()
        at = 0 if lbnd is None else offset + scale * lbnd
        return self._of(self._functions["int"](self.coef, m, k, at, 1 / scale))

    def roots(self) -> dpnp_ndarray:
        """Return the roots, in the domain's variable."""
        offset, scale = _line_between(self.window, self.domain)
        return offset + scale * self._functions["roots"](self.coef)

    def linspace(self, n: int = 100, domain: object = None) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        """Return `n` equally spaced arguments of the domain, or of another, and the values."""
        first, last = self.domain if domain is None else _interval(type(self).__name__, "domain", domain)
        x = dpnp.linspace(first, last, n, usm_type=self.coef.usm_type, sycl_queue=self.coef.sycl_queue)
        return x, self(x)

    def convert(self, domain: object = None, kind: type | None = None, window: object = None) -> _Series:
        """Return the same polynomial as a series of another class, domain or window."""
        kind = type(self) if kind is None else kind
        domain = kind.domain if domain is None else domain
        window = kind.window if window is None else window
        return self(kind.identity(domain, window, self.symbol, like=self.coef))

    @classmethod
    def identity(
        cls, domain: object = None, window: object = None, symbol: str = "x", *, like: dpnp_ndarray | None = None
    ) -> _Series:
        """Return the polynomial x, on the device of `like`, by default on the default device."""
        domain = cls.domain if domain is None else _interval(cls.__name__, "domain", domain)
        window = cls.window if window is None else _interval(cls.__name__, "window", window)
        line = numpy.array(_line_between(window, domain))
        return cls(line if like is None else placed(cls.__name__, like, line)[1], domain, window, symbol)

    @classmethod
    def basis(cls, deg: int, domain: object = None, window: object = None, symbol: str = "x") -> _Series:
        """Return the polynomial of the basis that has a degree."""
        if int(deg) != deg or deg < 0:
            raise ValueError(f"{cls.__name__}: deg must be a non-negative integer, got {deg}")
        return cls([0] * int(deg) + [1], domain, window, symbol)

    @classmethod
    def cast(cls, series: _Series, domain: object = None, window: object = None) -> _Series:
        """Return a series of any class as one of this class."""
        return series.convert(domain, cls, window)

    @classmethod
    def fromroots(cls, roots: object, domain: object = (), window: object = None, symbol: str = "x") -> _Series:
        """Return the polynomial with given roots. The domain None is the interval of the roots.

        The highest power has the coefficient 1.
        """
        (roots,) = placed(f"{cls.__name__}.fromroots", roots)
        domain = _interval_of(roots) if domain is None else cls._given_domain(domain)
        window = cls.window if window is None else _interval(cls.__name__, "window", window)
        offset, scale = _line_between(domain, window)
        coef = cls._functions["fromroots"](offset + scale * roots) / scale ** len(roots)
        return cls(coef, domain, window, symbol)

    @classmethod
    def _given_domain(cls, domain: object) -> numpy.ndarray:
        """The domain; that of the class for an empty sequence."""
        if not isinstance(domain, array_base) and len(domain) == 0:
            return cls.domain
        return _interval(cls.__name__, "domain", domain)

    @classmethod
    def fit(
        cls,
        x: object,
        y: object,
        deg: object,
        domain: object = None,
        rcond: float | None = None,
        full: bool = False,
        w: object = None,
        window: object = None,
        symbol: str = "x",
    ) -> object:
        """Return the series that fits points best, in the sense of least squares.

        The domain is by default the interval of `x`; for an empty sequence, that of the class. The other arguments are
        those of the function `fit` of the module.
        """
        name = f"{cls.__name__}.fit"
        check_arrays(name, x, y)
        x, y = placed(name, x, y)
        if domain is None:
            domain = _interval_of(x) if x.size else cls.domain
            if domain[0] == domain[1]:
                domain = domain + numpy.array([-1.0, 1.0])
        else:
            domain = cls._given_domain(domain)
        window = cls.window if window is None else _interval(name, "window", window)
        offset, scale = _line_between(domain, window)
        made = fitted(name, cls._basis, offset + scale * x, y, deg, rcond, full, w)
        if full:
            return cls(made[0], domain, window, symbol), made[1]
        return cls(made, domain, window, symbol)


def _documentation(what: str, name: str, example: str) -> str:
    return f"""A polynomial as a sum of {what}.

    Parameters
    ----------
    coef : ndarray or array_like
        The coefficients, the lowest degree first. They are on a device, those of host numbers on the default one.
    domain : array_like of two numbers, optional
        The interval that is mapped to the window. By default [-1, 1].
    window : array_like of two numbers, optional
        The interval of the basis. By default [-1, 1].
    symbol : str, optional
        The variable's name in text. By default "x".

    Raises
    ------
    ValueError
        For coefficients with several axes or none, and intervals that are not two numbers.

    Examples
    --------
    >>> from dpnp.polynomial import {name}
    >>> p = {name}([1, 2, 3])
    >>> p(2.0), p.degree()
    (array({example}), 2)
    """


class Polynomial(_Series):
    __doc__ = _documentation("powers of x", "Polynomial", "17.")
    _basis, _functions = POWER, functions_of(POWER)


class Chebyshev(_Series):
    __doc__ = _documentation("Chebyshev polynomials of the first kind", "Chebyshev", "26.")
    _basis, _functions = CHEBYSHEV, functions_of(CHEBYSHEV)

    @classmethod
    def interpolate(
        cls, func: Callable[..., dpnp_ndarray], deg: int, domain: object = None, args: tuple[object, ...] = ()
    ) -> Chebyshev:
        """Return the series with the values of a function at the roots of a polynomial, scaled to the domain."""
        domain = cls.domain if domain is None else _interval(cls.__name__, "domain", domain)
        offset, scale = _line_between(cls.window, domain)
        return cls(chebinterpolate(lambda x: func(offset + scale * x, *args), deg), domain)


class Legendre(_Series):
    __doc__ = _documentation("Legendre polynomials", "Legendre", "21.5")
    _basis, _functions = LEGENDRE, functions_of(LEGENDRE)
