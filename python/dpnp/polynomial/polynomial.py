"""Sums of powers of x, with the functions of numpy.polynomial.polynomial.

Coefficients are arrays whose first element belongs to the lowest degree. Integers are converted to floating-point
numbers.

>>> from dpnp.polynomial import polynomial
>>> polynomial.polyadd([1, 2, 3], [1, 2])
array([2., 4., 3.])
"""

from __future__ import annotations

import numpy
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import check_numbers

import dpnp
from dpnp.polynomial._bases import POWER
from dpnp.polynomial._classes import Polynomial
from dpnp.polynomial._functions import functions_of
from dpnp.polynomial._series import inexact, placed

__all__ = [
    "Polynomial", "polyadd", "polycompanion", "polyder", "polydiv", "polydomain", "polyfit", "polyfromroots",
    "polygrid2d", "polygrid3d", "polyint", "polyline", "polymul", "polymulx", "polyone", "polypow", "polyroots",
    "polysub", "polytrim", "polyval", "polyval2d", "polyval3d", "polyvalfromroots", "polyvander", "polyvander2d",
    "polyvander3d", "polyx", "polyzero",
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
polygrid2d = _functions["grid2d"]
polygrid3d = _functions["grid3d"]
polyval2d = _functions["val2d"]
polyval3d = _functions["val3d"]
polyvander2d = _functions["vander2d"]
polyvander3d = _functions["vander3d"]

# The domain of a series, and the coefficients of 0, 1 and x, on the host.
polydomain = numpy.array([-1.0, 1.0])
polyzero, polyone, polyx = numpy.array([0]), numpy.array([1]), numpy.array([0, 1])


def polyvalfromroots(x: object, r: object, tensor: bool = True) -> dpnp_ndarray:
    """Return the values of polynomials with given roots, the products of x - r.

    Parameters
    ----------
    x : ndarray or number
        The arguments.
    r : ndarray or array_like
        The roots, along the first axis; other axes are of several polynomials.
    tensor : bool, optional
        As of `polyval`.

    Raises
    ------
    ValueError
        When `tensor` is false and `x` has not fewer axes than `r`.
    TypeError
        When `x` is neither an array nor a number.

    Examples
    --------
    >>> import dpnp as np
    >>> from dpnp.polynomial import polynomial
    >>> polynomial.polyvalfromroots(np.array([0.0, 1.0]), [2.0, 3.0])
    array([6., 2.])
    """
    check_numbers("polyvalfromroots", x)
    x, r = placed("polyvalfromroots", x, r)
    r = inexact(dpnp.atleast_1d(r))
    if tensor:
        r = dpnp.reshape(r, r.shape + (1,) * x.ndim)
    elif x.ndim >= r.ndim:
        raise ValueError(
            f"polyvalfromroots: x must have fewer axes than r when tensor is False, got {x.ndim} and {r.ndim}"
        )
    return dpnp.prod(x - r, axis=0)
