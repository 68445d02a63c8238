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

from dpnp.polynomial._bases import CHEBYSHEV
from dpnp.polynomial._classes import Chebyshev
from dpnp.polynomial._conversions import from_powers, to_powers
from dpnp.polynomial._functions import functions_of
from dpnp.polynomial._points import chebgauss, chebinterpolate, chebpts1, chebpts2, chebweight

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
    return from_powers(CHEBYSHEV, "poly2cheb", pol)


def cheb2poly(c: object) -> dpnp_ndarray:
    """Return the coefficients of the powers of x, from those of Chebyshev polynomials.

    >>> from dpnp.polynomial import chebyshev
    >>> chebyshev.cheb2poly([1, 2, 3])
    array([-2.,  2.,  6.])
    """
    return to_powers(CHEBYSHEV, "cheb2poly", c)
