"""Conversions of coefficients between a basis of polynomials and the powers of x."""

from __future__ import annotations

from dpep._array import dpnp_ndarray

import dpnp
from dpnp.polynomial._bases import Basis
from dpnp.polynomial._series import joined, series

__all__ = ["from_powers", "to_powers"]


def from_powers(basis: Basis, name: str, pol: object) -> dpnp_ndarray:
    """Return the coefficients of a basis, from those of powers. `name` is that of the function, for errors."""
    (pol,) = series(name, pol)
    made = pol[-1:]
    for k in reversed(range(pol.size - 1)):
        made = basis.times_x(made)
        made[0] += pol[k]
    return made


def to_powers(basis: Basis, name: str, c: object) -> dpnp_ndarray:
    """Return the coefficients of powers, from those of a basis. `name` is that of the function, for errors."""
    (c,) = series(name, c)
    if c.size == 1:
        return c
    zero = dpnp.zeros_like(c[:1])
    before, last = joined(c[:1] * 0 + 1, dpnp.zeros_like(c[1:])), joined(zero, c[:1] * 0 + 1, dpnp.zeros_like(c[2:]))
    made = c[0] * before + c[1] * last
    for degree in range(2, c.size):
        above, below = basis.recurrence(degree)
        before, last = last, above * joined(zero, last[:-1]) - below * before
        made = made + c[degree] * last
    return made
