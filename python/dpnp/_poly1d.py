"""The class poly1d: polynomials in one variable."""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, placed_like

from dpnp import _polynomials
from dpnp._creation import asarray
from dpnp._trimming import trim_zeros

__all__ = ["poly1d"]


class poly1d:
    """A polynomial in one variable.

    It is called with arguments for its values, and added, subtracted, multiplied and divided with other polynomials and
    numbers. `p[k]` is the coefficient of the power k.

    Parameters
    ----------
    c_or_r : ndarray, usm_ndarray, poly1d or array_like
        The coefficients, of which the first belongs to the highest power, or the roots.
    r : bool, optional
        Whether roots are given.
    variable : str, optional
        The variable's name in the text of the polynomial; by default "x".

    Raises
    ------
    ValueError
        For arrays with several axes.

    Examples
    --------
    >>> import dpnp as np
    >>> p = np.poly1d([1, -3, 2])
    >>> print(p)
       2
    1 x - 3 x + 2
    >>> p(np.array([0, 1, 2])), p.order
    (array([2, 0, 0]), 2)
    >>> (p * p).deriv().c
    array([  4, -18,  26, -12])
    """

    __hash__ = None  # compared by value
    __array_ufunc__ = None

    def __init__(self, c_or_r: object, r: bool = False, variable: str | None = None) -> None:
        if isinstance(c_or_r, poly1d | numpy.poly1d):
            self._variable = variable or c_or_r.variable
            coefficients = c_or_r.coeffs
        else:
            self._variable = variable or "x"
            coefficients = c_or_r
        coefficients = asarray(coefficients)
        if r:
            coefficients = _polynomials.poly(coefficients)
        if coefficients.ndim > 1:
            raise ValueError(f"poly1d: expected an array with one axis, got shape {coefficients.shape}")
        coefficients = dpt.reshape(coefficients, (-1,))
        trimmed = trim_zeros(coefficients, "f")
        self._coefficients = trimmed if trimmed.size else _polynomials._zeros(1, coefficients)

    @property
    def coeffs(self) -> dpnp_ndarray:
        """The coefficients, of which the first belongs to the highest power."""
        return self._coefficients

    c = coef = coefficients = coeffs

    @property
    def variable(self) -> str:
        """The variable's name."""
        return self._variable

    @property
    def order(self) -> int:
        """The highest power with a coefficient that is not 0; 0 for the polynomial 0."""
        return self._coefficients.size - 1

    o = order

    @property
    def roots(self) -> dpnp_ndarray:
        """The roots: eigenvalues of the companion matrix."""
        return _polynomials.roots(self._coefficients)

    r = roots

    def _made(self, coefficients: object) -> poly1d:
        return poly1d(coefficients, variable=self._variable)

    def _coefficients_of(self, other: object) -> object:
        """The coefficients of the other operand of an operator, on the same device; None for other objects."""
        if isinstance(other, poly1d):
            return other._coefficients
        if isinstance(other, array_base | list | tuple) or (numpy.isscalar(other) and not isinstance(other, str)):
            return placed_like(other, self._coefficients)
        return None

    def __call__(self, val: object) -> object:
        """Return the values for the elements of an array or a number; for a polynomial, the composition."""
        return _polynomials.polyval(self, val)

    def __neg__(self) -> poly1d:
        return self._made(-self._coefficients)

    def __pos__(self) -> poly1d:
        return self

    def __add__(self, other: object) -> poly1d:
        theirs = self._coefficients_of(other)
        return NotImplemented if theirs is None else self._made(_polynomials.polyadd(self._coefficients, theirs))

    __radd__ = __add__

    def __sub__(self, other: object) -> poly1d:
        theirs = self._coefficients_of(other)
        return NotImplemented if theirs is None else self._made(_polynomials.polysub(self._coefficients, theirs))

    def __rsub__(self, other: object) -> poly1d:
        theirs = self._coefficients_of(other)
        return NotImplemented if theirs is None else self._made(_polynomials.polysub(theirs, self._coefficients))

    def __mul__(self, other: object) -> poly1d:
        theirs = self._coefficients_of(other)
        return NotImplemented if theirs is None else self._made(_polynomials.polymul(self._coefficients, theirs))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> poly1d | tuple[poly1d, poly1d]:
        if isinstance(other, poly1d):
            return tuple(map(self._made, _polynomials.polydiv(self._coefficients, other._coefficients)))
        theirs = self._coefficients_of(other)
        return NotImplemented if theirs is None else self._made(bound.divide(self._coefficients, theirs))

    def __rtruediv__(self, other: object) -> tuple[poly1d, poly1d]:
        theirs = self._coefficients_of(other)
        if theirs is None:
            return NotImplemented
        return tuple(map(self._made, _polynomials.polydiv(theirs, self._coefficients)))

    def __pow__(self, val: int) -> poly1d:
        n = operator.index(val)
        if n < 0:
            raise ValueError(f"poly1d: the power must be a non-negative int, got {n}")
        made, factor = self._made(dpt.ones_like(self._coefficients[:1])), self
        while n:
            if n % 2:
                made = made * factor
            factor, n = factor * factor if n > 1 else factor, n // 2
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, poly1d):
            return NotImplemented
        mine, theirs = self._coefficients, other._coefficients
        return mine.shape == theirs.shape and bool(bound.all(mine == theirs))

    def __getitem__(self, power: int) -> dpnp_ndarray:
        if not 0 <= power <= self.order:
            return as_dpnp(dpt.zeros_like(self._coefficients[0]))
        return self._coefficients[self.order - power]

    def __setitem__(self, power: int, value: object) -> None:
        if power < 0:
            raise ValueError(f"poly1d: no negative powers, got {power}")
        if power > self.order:
            missing = _polynomials._zeros(power - self.order, self._coefficients)
            self._coefficients = dpt.concat((missing, self._coefficients))
        self._coefficients[self.order - power] = value

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[dpnp_ndarray]:
        return iter(self._coefficients)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> numpy.ndarray:
        raise TypeError("poly1d: arrays are not copied to the host implicitly; use p.coeffs.asnumpy()")

    def deriv(self, m: int = 1) -> poly1d:
        """Return a derivative of order m."""
        return self._made(_polynomials.polyder(self._coefficients, m))

    def integ(self, m: int = 1, k: object = None) -> poly1d:
        """Return an antiderivative of order m; k are the constants of integration, by default zeros."""
        return self._made(_polynomials.polyint(self._coefficients, m, k))

    def __str__(self) -> str:
        return str(numpy.poly1d(self._coefficients.asnumpy(), variable=self._variable))

    def __repr__(self) -> str:
        return f"poly1d({repr(self._coefficients)[6:-1]})"


_polynomials.CLASSES.append(poly1d)
