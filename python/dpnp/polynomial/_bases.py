"""Bases of polynomials: powers, Chebyshev and Legendre polynomials.

Coefficients are along the first axis of arrays, the lowest degree first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from dpep._array import dpnp_ndarray

import dpnp
from dpnp._signals import convolve
from dpnp.polynomial._series import in_place_of, joined, trimmed

__all__ = ["CHEBYSHEV", "LEGENDRE", "POWER", "Basis"]


def _degrees(c: dpnp_ndarray, first: int = 0) -> dpnp_ndarray:
    """Numbers from `first` on, as many as there are coefficients, along the first axis."""
    made = dpnp.arange(first, first + c.shape[0], dtype=c.real.dtype, **in_place_of(c))
    return dpnp.reshape(made, (-1,) + (1,) * (c.ndim - 1))


def _zeros(count: int, like: dpnp_ndarray) -> dpnp_ndarray:
    return dpnp.zeros((count, *like.shape[1:]), dtype=like.dtype, **in_place_of(like))


def _sums_of_later(c: dpnp_ndarray) -> dpnp_ndarray:
    """Of each element, the sum of itself and each second one after it."""
    made = dpnp.empty(c.shape, dtype=c.dtype, **in_place_of(c))
    for start in range(min(2, c.shape[0])):
        made[start::2] = dpnp.flip(dpnp.cumsum(dpnp.flip(c[start::2], 0), axis=0), 0)
    return made


class Basis(ABC):
    """The operations that differ between bases."""

    prefix: str
    module: str

    @abstractmethod
    def times_x(self, c: dpnp_ndarray) -> dpnp_ndarray:
        """The coefficients of the product with x."""

    @abstractmethod
    def multiplied(self, a: dpnp_ndarray, b: dpnp_ndarray) -> dpnp_ndarray:
        """The coefficients of a product."""

    @abstractmethod
    def derived(self, c: dpnp_ndarray) -> dpnp_ndarray:
        """The coefficients of the derivative, of at least two coefficients."""

    @abstractmethod
    def integrated(self, c: dpnp_ndarray) -> dpnp_ndarray:
        """The coefficients of an antiderivative, with any constant."""

    @abstractmethod
    def recurrence(self, degree: int) -> tuple[float, float]:
        """The factors a and b of p[degree] = a x p[degree - 1] - b p[degree - 2], from the degree 2."""

    @abstractmethod
    def companion(self, c: dpnp_ndarray) -> dpnp_ndarray:
        """A matrix whose eigenvalues are the roots, of at least two coefficients."""

    def values(self, x: object, coefficients: list[object]) -> object:
        """The value at x, by Clenshaw's recurrence. Coefficients are arrays or numbers, x also another polynomial."""
        if len(coefficients) == 1:
            return x * 0 + coefficients[0]
        first, second = coefficients[-2], coefficients[-1]
        for degree in range(len(coefficients) - 1, 1, -1):
            a, b = self.recurrence(degree)
            first, second = second * -b + coefficients[degree - 2], x * (second * a) + first
        return x * second + first

    def columns(self, x: dpnp_ndarray, degree: int) -> dpnp_ndarray:
        """The values of all polynomials of the basis, in a new last axis."""
        made = [dpnp.ones_like(x), x][: degree + 1]
        for k in range(2, degree + 1):
            a, b = self.recurrence(k)
            made.append(a * x * made[-1] - b * made[-2] if b else a * x * made[-1])
        return dpnp.stack(made, axis=-1)

    def divided(self, a: dpnp_ndarray, b: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        """The quotient and the remainder, of which `a` has not fewer coefficients than `b`."""
        count = a.size - b.size + 1
        quotient, rest = _zeros(count, a), a
        for k in reversed(range(count)):
            unit = _zeros(k + 1, a)
            unit[k] = 1
            product = self.multiplied(unit, b)
            factor = rest[-1] / product[-1]
            rest = rest[:-1] - factor * product[:-1]
            quotient[k] = factor
        return quotient, trimmed(rest) if rest.size else _zeros(1, a)

    def from_roots(self, roots: dpnp_ndarray) -> dpnp_ndarray:
        """The coefficients of the polynomial with given roots, whose highest power has the coefficient 1."""
        ordered = dpnp.sort(roots)
        parts = [joined(-ordered[k : k + 1], dpnp.ones_like(ordered[:1])) for k in range(ordered.size)]
        while len(parts) > 1:
            products = [self.multiplied(*parts[k : k + 2]) for k in range(0, len(parts) - 1, 2)]
            parts = products + parts[2 * len(products) :]
        return parts[0]


class _Power(Basis):
    prefix, module = "poly", "polynomial"

    def times_x(self, c: dpnp_ndarray) -> dpnp_ndarray:
        return joined(_zeros(1, c), c)

    def multiplied(self, a: dpnp_ndarray, b: dpnp_ndarray) -> dpnp_ndarray:
        return convolve(a, b, method="direct")

    def derived(self, c: dpnp_ndarray) -> dpnp_ndarray:
        return _degrees(c[1:], 1) * c[1:]

    def integrated(self, c: dpnp_ndarray) -> dpnp_ndarray:
        return joined(_zeros(1, c), c / _degrees(c, 1))

    def recurrence(self, degree: int) -> tuple[float, float]:
        return 1.0, 0.0

    def values(self, x: object, coefficients: list[object]) -> object:
        made = x * 0 + coefficients[-1]
        for c in reversed(coefficients[:-1]):
            made = made * x + c
        return made

    def divided(self, a: dpnp_ndarray, b: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
        if b.size == 1:
            return a / b, _zeros(1, a)
        quotient, rest = dpnp.empty(a.size - b.size + 1, dtype=a.dtype, **in_place_of(a)), dpnp.copy(a)
        monic = b / b[-1]
        for k in reversed(range(quotient.size)):
            rest[k : k + b.size - 1] -= monic[:-1] * rest[k + b.size - 1]
        quotient[:] = rest[b.size - 1 :]
        return quotient / b[-1], trimmed(rest[: b.size - 1])

    def companion(self, c: dpnp_ndarray) -> dpnp_ndarray:
        made = dpnp.eye(c.size - 1, k=-1, dtype=c.dtype, **in_place_of(c))
        made[:, -1] -= c[:-1] / c[-1]
        return made


class _Chebyshev(Basis):
    prefix, module = "cheb", "chebyshev"

    def times_x(self, c: dpnp_ndarray) -> dpnp_ndarray:
        made = _zeros(c.shape[0] + 1, c)
        made[1] = c[0]
        if c.shape[0] > 1:
            half = c[1:] / 2
            made[2:] += half
            made[:-2] += half
        return made

    def multiplied(self, a: dpnp_ndarray, b: dpnp_ndarray) -> dpnp_ndarray:
        # With x = (z + 1 / z) / 2, the polynomial of the degree n is (z^n + z^-n) / 2.
        in_z = [joined(dpnp.flip(c[1:]) / 2, c[:1], c[1:] / 2) for c in (a, b)]
        product = convolve(*in_z, method="direct")
        made = dpnp.copy(product[product.size // 2 :])
        made[1:] *= 2
        return made

    def derived(self, c: dpnp_ndarray) -> dpnp_ndarray:
        made = 2 * _sums_of_later(_degrees(c[1:], 1) * c[1:])
        made[0] /= 2
        return made

    def integrated(self, c: dpnp_ndarray) -> dpnp_ndarray:
        made = _zeros(c.shape[0] + 1, c)
        made[1] = c[0]
        if c.shape[0] > 1:
            made[2:] = c[1:] / (2 * _degrees(c[1:], 2))
        if c.shape[0] > 2:
            made[1:-2] -= c[2:] / (2 * _degrees(c[2:], 1))
        return made

    def recurrence(self, degree: int) -> tuple[float, float]:
        return 2.0, 1.0

    def companion(self, c: dpnp_ndarray) -> dpnp_ndarray:
        n = c.size - 1
        if n == 1:
            return dpnp.reshape(-c[:1] / c[1], (1, 1))
        beside = dpnp.full(n - 1, 0.5, dtype=c.dtype, **in_place_of(c))
        beside[:1] = 0.5**0.5
        made = dpnp.diag(beside, 1) + dpnp.diag(beside, -1)
        scales = dpnp.full(n, 0.5**0.5, dtype=c.dtype, **in_place_of(c))
        scales[0] = 1
        made[:, -1] -= c[:-1] / c[-1] * (scales / scales[-1]) / 2
        return made


class _Legendre(Basis):
    prefix, module = "leg", "legendre"

    def times_x(self, c: dpnp_ndarray) -> dpnp_ndarray:
        n = _degrees(c)
        made = _zeros(c.shape[0] + 1, c)
        made[1:] = c * ((n + 1) / (2 * n + 1))
        if c.shape[0] > 1:
            made[:-2] += (c * (n / (2 * n + 1)))[1:]
        return made

    def multiplied(self, a: dpnp_ndarray, b: dpnp_ndarray) -> dpnp_ndarray:
        few, many = (a, b) if a.size <= b.size else (b, a)
        size = few.size + many.size - 1
        if few.size == 1:
            return few[0] * many
        first, second = (self._extended(few[k] * many, size) for k in (-2, -1))
        many = self._extended(many, size)
        for degree in range(few.size - 1, 1, -1):
            above, below = self.recurrence(degree)
            first, second = few[degree - 2] * many - below * second, first + above * self.times_x(second)[:size]
        return first + self.times_x(second)[:size]

    def _extended(self, c: dpnp_ndarray, size: int) -> dpnp_ndarray:
        return joined(c, _zeros(size - c.size, c))

    def derived(self, c: dpnp_ndarray) -> dpnp_ndarray:
        return (2 * _degrees(c[1:]) + 1) * _sums_of_later(c[1:])

    def integrated(self, c: dpnp_ndarray) -> dpnp_ndarray:
        parts = c / (2 * _degrees(c) + 1)
        made = _zeros(c.shape[0] + 1, c)
        made[1:] = parts
        if c.shape[0] > 2:
            made[1:-2] -= parts[2:]
        return made

    def recurrence(self, degree: int) -> tuple[float, float]:
        return (2 * degree - 1) / degree, (degree - 1) / degree

    def companion(self, c: dpnp_ndarray) -> dpnp_ndarray:
        n = _degrees(c[:-1])
        scales = 1 / dpnp.sqrt(2 * n + 1)
        beside = ((n + 1) * scales)[:-1] * scales[1:]
        made = dpnp.astype(dpnp.diag(beside, 1) + dpnp.diag(beside, -1), c.dtype)
        last = c.size - 1
        made[:, -1] -= c[:-1] / c[-1] * (scales / scales[-1]) * (last / (2 * last - 1))
        return made


POWER, CHEBYSHEV, LEGENDRE = _Power(), _Chebyshev(), _Legendre()
