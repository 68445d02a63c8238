"""Sums of powers of x, with the functions of numpy.polynomial.polynomial.

Coefficients are arrays whose first element belongs to the lowest degree. Integers are converted to floating-point
numbers.

>>> from dpnp.polynomial import polynomial
>>> polynomial.polyadd([1, 2, 3], [1, 2])
array([2., 4., 3.])
"""

from __future__ import annotations

import numpy

from dpnp.polynomial._bases import POWER
from dpnp.polynomial._classes import Polynomial
from dpnp.polynomial._functions import functions_of

__all__ = [
    "Polynomial", "polyadd", "polycompanion", "polyder", "polydiv", "polydomain", "polyfit", "polyfromroots",
    "polyint", "polyline", "polymul", "polymulx", "polyone", "polypow", "polyroots", "polysub", "polytrim", "polyval",
    "polyvander", "polyx", "polyzero",
]  # fmt: skip

_functions = functions_of(POWER)
polyadd = _functions["add"]
polysub = _functions["sub"]
polymul = _functions["mul"]
polymulx = _functions["mulx"]
polydiv = _functions["div"]
polypow = _functions["pow"]
polyder = _functions["der"]
polyint = _functions["int"]
polyval = _functions["val"]
polyvander = _functions["vander"]
polyfromroots = _functions["fromroots"]
polycompanion = _functions["companion"]
polyroots = _functions["roots"]
polyline = _functions["line"]
polyfit = _functions["fit"]
polytrim = _functions["trim"]

# The domain of a series, and the coefficients of 0, 1 and x, on the host.
polydomain = numpy.array([-1.0, 1.0])
polyzero, polyone, polyx = numpy.array([0]), numpy.array([1]), numpy.array([0, 1])
