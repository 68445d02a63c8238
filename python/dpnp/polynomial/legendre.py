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

from dpnp.polynomial._bases import LEGENDRE
from dpnp.polynomial._classes import Legendre
from dpnp.polynomial._conversions import from_powers, to_powers
from dpnp.polynomial._functions import functions_of
from dpnp.polynomial._points import leggauss, legweight

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
    return from_powers(LEGENDRE, "poly2leg", pol)


def leg2poly(c: object) -> dpnp_ndarray:
    """Return the coefficients of the powers of x, from those of Legendre polynomials.

    >>> from dpnp.polynomial import legendre
    >>> legendre.leg2poly([1, 2, 3])
    array([-0.5,  2. ,  4.5])
    """
    return to_powers(LEGENDRE, "leg2poly", c)
