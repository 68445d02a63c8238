"""Sums of Chebyshev polynomials of the first kind, with the functions of numpy.polynomial.chebyshev.

Coefficients are arrays whose first element belongs to the lowest degree. Integers are converted to floating-point
numbers.

>>> from dpnp.polynomial import chebyshev
>>> chebyshev.chebadd([1, 2, 3], [1, 2])
array([2., 4., 3.])
"""

from __future__ import annotations

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.polynomial._bases import CHEBYSHEV
from dpnp.polynomial._classes import Chebyshev
from dpnp.polynomial._functions import functions_of
from dpnp.polynomial._points import chebgauss, chebinterpolate, chebpts1, chebpts2, chebweight
from dpnp.polynomial._series import joined, series

__all__ = [
    "Chebyshev", "cheb2poly", "chebadd", "chebcompanion", "chebder", "chebdiv", "chebdomain", "chebfit",
    "chebfromroots", "chebgauss", "chebgrid2d", "chebgrid3d", "chebint", "chebinterpolate", "chebline", "chebmul",
    "chebmulx", "chebone", "chebpow", "chebpts1", "chebpts2", "chebroots", "chebsub", "chebtrim", "chebval",
    "chebval2d", "chebval3d", "chebvander", "chebvander2d", "chebvander3d", "chebweight", "chebx", "chebzero",
    "poly2cheb",
]  # fmt: skip

_functions = functions_of(CHEBYSHEV)
chebadd = _functions["add"]
chebsub = _functions["sub"]
chebmul = _functions["mul"]
chebmulx = _functions["mulx"]
chebdiv = _functions["div"]
chebpow = _functions["pow"]
chebder = _functions["der"]
chebint = _functions["int"]
chebval = _functions["val"]
chebvander = _functions["vander"]
chebfromroots = _functions["fromroots"]
chebcompanion = _functions["companion"]
chebroots = _functions["roots"]
chebline = _functions["line"]
chebfit = _functions["fit"]
chebtrim = _functions["trim"]
chebgrid2d = _functions["grid2d"]
chebgrid3d = _functions["grid3d"]
chebval2d = _functions["val2d"]
chebval3d = _functions["val3d"]
chebvander2d = _functions["vander2d"]
chebvander3d = _functions["vander3d"]

# The domain of a series, and the coefficients of 0, 1 and x, on the host.
chebdomain = numpy.array([-1.0, 1.0])
chebzero, chebone, chebx = numpy.array([0]), numpy.array([1]), numpy.array([0, 1])


def poly2cheb(pol: object) -> dpnp_ndarray:
    """Return the coefficients of Chebyshev polynomials, from those of the powers of x.

    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.poly2cheb([1, 2, 3])
    array([2.5, 2. , 1.5])
    """
    (pol,) = series("poly2cheb", pol)
    made = pol[-1:]
    for k in reversed(range(pol.size - 1)):
        made = CHEBYSHEV.times_x(made)
        made[0] += pol[k]
    return made


def cheb2poly(c: object) -> dpnp_ndarray:
    """Return the coefficients of the powers of x, from those of Chebyshev polynomials.

    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.cheb2poly([1, 2, 3])
    array([-2.,  2.,  6.])
    """
    (c,) = series("cheb2poly", c)
    if c.size == 1:
        return c
    zero = dpnp.zeros_like(c[:1])
    before, last = joined(c[:1] * 0 + 1, dpnp.zeros_like(c[1:])), joined(zero, c[:1] * 0 + 1, dpnp.zeros_like(c[2:]))
    made = c[0] * before + c[1] * last
    for degree in range(2, c.size):
        above, below = CHEBYSHEV.recurrence(degree)
        before, last = last, above * joined(zero, last[:-1]) - below * before
        made = made + c[degree] * last
    return made
