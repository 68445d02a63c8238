"""Sums of Legendre polynomials, with the functions of numpy.polynomial.legendre.

Coefficients are arrays whose first element belongs to the lowest degree. Integers are converted to floating-point
numbers.

>>> from dpnp.polynomial import legendre
>>> legendre.legadd([1, 2, 3], [1, 2])
array([2., 4., 3.])
"""

from __future__ import annotations

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.polynomial._bases import LEGENDRE
from dpnp.polynomial._classes import Legendre
from dpnp.polynomial._functions import functions_of
from dpnp.polynomial._points import leggauss, legweight
from dpnp.polynomial._series import joined, series

__all__ = [
    "Legendre", "leg2poly", "legadd", "legcompanion", "legder", "legdiv", "legdomain", "legfit", "legfromroots",
    "leggauss", "leggrid2d", "leggrid3d", "legint", "legline", "legmul", "legmulx", "legone", "legpow", "legroots",
    "legsub", "legtrim", "legval", "legval2d", "legval3d", "legvander", "legvander2d", "legvander3d", "legweight",
    "legx", "legzero", "poly2leg",
]  # fmt: skip

_functions = functions_of(LEGENDRE)
legadd = _functions["add"]
legsub = _functions["sub"]
legmul = _functions["mul"]
legmulx = _functions["mulx"]
legdiv = _functions["div"]
legpow = _functions["pow"]
legder = _functions["der"]
legint = _functions["int"]
legval = _functions["val"]
legvander = _functions["vander"]
legfromroots = _functions["fromroots"]
legcompanion = _functions["companion"]
legroots = _functions["roots"]
legline = _functions["line"]
legfit = _functions["fit"]
legtrim = _functions["trim"]
leggrid2d = _functions["grid2d"]
leggrid3d = _functions["grid3d"]
legval2d = _functions["val2d"]
legval3d = _functions["val3d"]
legvander2d = _functions["vander2d"]
legvander3d = _functions["vander3d"]

# The domain of a series, and the coefficients of 0, 1 and x, on the host.
legdomain = numpy.array([-1.0, 1.0])
legzero, legone, legx = numpy.array([0]), numpy.array([1]), numpy.array([0, 1])


def poly2leg(pol: object) -> dpnp_ndarray:
    """Return the coefficients of Legendre polynomials, from those of the powers of x.

    >>> from dpnp.polynomial import legendre
    >>> legendre.poly2leg([1, 2, 3])
    array([2., 2., 2.])
    """
    (pol,) = series("poly2leg", pol)
    made = pol[-1:]
    for k in reversed(range(pol.size - 1)):
        made = LEGENDRE.times_x(made)
        made[0] += pol[k]
    return made


def leg2poly(c: object) -> dpnp_ndarray:
    """Return the coefficients of the powers of x, from those of Legendre polynomials.

    >>> from dpnp.polynomial import legendre
    >>> legendre.leg2poly([1, 2, 3])
    array([-0.5,  2. ,  4.5])
    """
    (c,) = series("leg2poly", c)
    if c.size == 1:
        return c
    zero = dpnp.zeros_like(c[:1])
    before, last = joined(c[:1] * 0 + 1, dpnp.zeros_like(c[1:])), joined(zero, c[:1] * 0 + 1, dpnp.zeros_like(c[2:]))
    made = c[0] * before + c[1] * last
    for degree in range(2, c.size):
        above, below = LEGENDRE.recurrence(degree)
        before, last = last, above * joined(zero, last[:-1]) - below * before
        made = made + c[degree] * last
    return made
