"""Polynomials in one variable: arrays of coefficients, of which the first belongs to the highest power."""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_numbers, check_operands, checked_array, placed_like, placement_of

from dpnp import linalg
from dpnp._logic import allclose
from dpnp._masks import nonzero
from dpnp._matrices import vander
from dpnp._signals import convolve
from dpnp._support import default_float_type
from dpnp._trimming import trim_zeros

__all__ = [
    "poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots",
]  # fmt: skip


# The class poly1d, after the import of its module.
CLASSES: list[type] = []


def _takes_poly1d(function: Callable[..., object]) -> Callable[..., object]:
    """A function of coefficients that also takes objects of poly1d, and then returns such objects."""

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> object:
        if not CLASSES or not any(isinstance(x, CLASSES[0]) for x in (*args, *kwargs.values())):
            return function(*args, **kwargs)
        args = [x.coeffs if isinstance(x, CLASSES[0]) else x for x in args]
        kwargs = {name: x.coeffs if isinstance(x, CLASSES[0]) else x for name, x in kwargs.items()}
        made = function(*args, **kwargs)
        return tuple(map(CLASSES[0], made)) if isinstance(made, tuple) else CLASSES[0](made)

    return call


def _inexact(x: dpnp_ndarray) -> dpnp_ndarray:
    """The array in a floating-point dtype."""
    return x if x.dtype.kind in "fc" else dpt.astype(x, default_float_type(x.sycl_device))


def _coefficients(function: str, *given: object) -> list[dpnp_ndarray]:
    """Arrays with one axis; a number is one coefficient."""
    check_operands(function, *given)
    placement_of(function, *given)
    like = next(x for x in given if isinstance(x, array_base))
    lists = [placed_like(x, like) for x in given]
    for x in lists:
        if x.ndim > 1:
            raise ValueError(f"{function}: coefficients must be arrays with one axis, got shape {x.shape}")
    return [dpt.reshape(x, (-1,)) if x.ndim == 0 else x for x in lists]


def _zeros(count: int, like: dpnp_ndarray, dtype: object = None) -> dpnp_ndarray:
    made = dpt.zeros(count, dtype=dtype or like.dtype, usm_type=like.usm_type, sycl_queue=like.sycl_queue)
    return as_dpnp(made)


def poly(seq_of_zeros: object) -> dpnp_ndarray:
    """Return the coefficients of the polynomial with given roots, or of the characteristic polynomial of a matrix.

    Parameters
    ----------
    seq_of_zeros : ndarray or usm_ndarray
        The roots, or a square matrix.

    Returns
    -------
    ndarray
        The coefficients, the first of which is 1; real if the roots are real or in conjugate pairs.

    Raises
    ------
    TypeError
        When `seq_of_zeros` is not an array.
    ValueError
        For an array of another shape.

    Examples
    --------
    >>> import dpnp as np
    >>> np.poly(np.array([-1.0, 1.0, 0.0]))
    array([ 1.,  0., -1.,  0.])
    """
    zeros = checked_array("poly", seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.shape[0]:
        zeros = linalg.eigvals(zeros)
    elif zeros.ndim > 1:
        raise ValueError(f"poly: input must be 1d or non-empty square 2d array, got shape {zeros.shape}")
    zeros = _inexact(dpt.reshape(zeros, (-1,)))
    if zeros.size == 0:
        return placed_like(1.0, zeros)
    one = _zeros(1, zeros) + 1
    made = one
    for k in range(zeros.size):
        made = convolve(made, dpt.concat((one, -zeros[k : k + 1])), method="direct")
    if made.dtype.kind == "c" and bool(bound.all(dpt.sort(zeros) == dpt.sort(bound.conj(zeros)))):
        made = dpt.copy(made.real)
    return made


def roots(p: object) -> dpnp_ndarray:
    """Return the roots of a polynomial: the eigenvalues of its companion matrix, and zeros for trailing zeros.

    Parameters
    ----------
    p : ndarray or usm_ndarray
        The coefficients.

    Raises
    ------
    TypeError
        When `p` is not an array.
    ValueError
        For several axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.sort(np.roots(np.array([1, -3, 2]))).round(6)
    array([1., 2.])
    """
    if CLASSES and isinstance(p, CLASSES[0]):
        p = p.coeffs
    (p,) = _coefficients("roots", checked_array("roots", p))
    places = nonzero(p)[0]
    if places.size == 0:
        return _zeros(0, p, default_float_type(p.sycl_device))
    first, last = int(places[0]), int(places[-1])
    trailing, p = p.size - last - 1, _inexact(p[first : last + 1])
    if p.size == 1:
        return _zeros(trailing, p)
    companion = dpt.eye(p.size - 1, k=-1, dtype=p.dtype, usm_type=p.usm_type, sycl_queue=p.sycl_queue)
    companion[0, :] = -p[1:] / p[0]
    found = linalg.eigvals(as_dpnp(companion))
    return dpt.concat((found, _zeros(trailing, found))) if trailing else found


def _sum(function: str, a1: object, a2: object) -> dpnp_ndarray:
    a1, a2 = _coefficients(function, a1, a2)
    missing = a2.size - a1.size
    if missing > 0:
        a1 = dpt.concat((_zeros(missing, a1), a1))
    elif missing < 0:
        a2 = dpt.concat((_zeros(-missing, a2), a2))
    return (bound.add if function == "polyadd" else bound.subtract)(a1, a2)


@_takes_poly1d
def polyadd(a1: object, a2: object) -> dpnp_ndarray:
    """Return the sum of two polynomials.

    Parameters
    ----------
    a1, a2 : ndarray, usm_ndarray or number
        The coefficients; at least one is an array.

    Raises
    ------
    TypeError
        For other operands.
    ValueError
        For arrays with several axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.polyadd(np.array([1, 2]), np.array([9, 5, 4]))
    array([9, 6, 6])
    """
    return _sum("polyadd", a1, a2)


@_takes_poly1d
def polysub(a1: object, a2: object) -> dpnp_ndarray:
    """Return the difference of two polynomials. The arguments are those of `polyadd`.

    >>> import dpnp as np
    >>> np.polysub(np.array([2, 10, -2]), np.array([3, 10, -4]))
    array([-1,  0,  2])
    """
    return _sum("polysub", a1, a2)


@_takes_poly1d
def polymul(a1: object, a2: object) -> dpnp_ndarray:
    """Return the product of two polynomials. Leading zeros are dropped. The arguments are those of `polyadd`.

    >>> import dpnp as np
    >>> np.polymul(np.array([1, 2, 3]), np.array([9, 5, 1]))
    array([ 9, 23, 38, 17,  3])
    """
    lists = [trim_zeros(x, "f") for x in _coefficients("polymul", a1, a2)]
    return convolve(*(x if x.size else _zeros(1, x) for x in lists))


@_takes_poly1d
def polydiv(u: object, v: object) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the quotient and the remainder of two polynomials, in a floating-point dtype.

    The arguments are those of `polyadd`.

    >>> import dpnp as np
    >>> np.polydiv(np.array([3.0, 5.0, 2.0]), np.array([2.0, 1.0]))
    (array([1.5 , 1.75]), array([0.25]))
    """
    u, v = map(_inexact, _coefficients("polydiv", u, v))
    if not u.size or not v.size:
        raise ValueError(f"polydiv: expected at least one coefficient, got {u.size} and {v.size}")
    dtype = dpt.result_type(u, v)
    r, v, scale = dpt.astype(u, dtype), dpt.astype(v, dtype, copy=False), 1.0 / v[0]
    count = max(u.size - v.size + 1, 0)
    q = _zeros(max(count, 1), r)
    for k in range(count):
        d = scale * r[k]
        q[k] = d
        r[k : k + v.size] -= d * v
    while r.size > 1 and bool(allclose(r[0], 0, rtol=1e-14)):
        r = r[1:]
    return q, r


def polyval(p: object, x: object) -> dpnp_ndarray:
    """Return the values of a polynomial, by Horner's rule in one pass over memory.

    Parameters
    ----------
    p : ndarray or usm_ndarray
        The coefficients.
    x : ndarray, usm_ndarray or number
        The arguments.

    Raises
    ------
    TypeError
        When `p` is not an array, and `x` neither an array nor a number.
    ValueError
        For coefficients with several axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.polyval(np.array([3, 0, 1]), np.array([5, 6]))
    array([ 76, 109])
    """
    if CLASSES and isinstance(p, CLASSES[0]):
        p = p.coeffs
    if CLASSES and isinstance(x, CLASSES[0]):  # the composition of two polynomials
        composed = CLASSES[0](_zeros(1, x.coeffs))
        for coefficient in checked_array("polyval", p):
            composed = composed * x + coefficient
        return composed
    check_numbers("polyval", x)
    (p,) = _coefficients("polyval", checked_array("polyval", p))
    placement_of("polyval", p, x)
    x = placed_like(x, p)
    y = dpt.zeros_like(x)
    for k in range(p.size):
        y = y * x + p[k]
    return y


def _order(function: str, m: object) -> int:
    m = operator.index(m)
    if m < 0:
        other = "polyint" if function == "polyder" else "polyder"
        raise ValueError(f"{function}: order must not be negative (see {other}), got {m}")
    return m


def _falling(p: dpnp_ndarray, first: int) -> dpnp_ndarray:
    """The numbers from `first` down to 1."""
    return dpt.arange(first, 0, -1, usm_type=p.usm_type, sycl_queue=p.sycl_queue)


@_takes_poly1d
def polyder(p: object, m: int = 1) -> dpnp_ndarray:
    """Return a derivative of a polynomial.

    Parameters
    ----------
    p : ndarray or usm_ndarray
        The coefficients.
    m : int, optional
        The order of the derivative.

    Raises
    ------
    TypeError
        When `p` is not an array.
    ValueError
        For several axes and a negative order.

    Examples
    --------
    >>> import dpnp as np
    >>> np.polyder(np.array([1, 1, 1, 1]))
    array([3, 2, 1])
    """
    m = _order("polyder", m)
    (p,) = _coefficients("polyder", checked_array("polyder", p))
    for _ in range(m):
        p = p[:-1] * _falling(p, p.size - 1)
    return p


@_takes_poly1d
def polyint(p: object, m: int = 1, k: object = None) -> dpnp_ndarray:
    """Return an antiderivative of a polynomial.

    Parameters
    ----------
    p : ndarray or usm_ndarray
        The coefficients.
    m : int, optional
        The order of the antiderivative.
    k : number or sequence of numbers, ndarray or usm_ndarray, optional
        The constants of integration, in the order of integrations: one for all, or at least `m`. Zeros by default.

    Raises
    ------
    TypeError
        When `p` is not an array.
    ValueError
        For several axes, a negative order and a wrong number of constants.

    Examples
    --------
    >>> import dpnp as np
    >>> np.polyint(np.array([1.0, 1.0, 1.0]))
    array([0.33333333, 0.5       , 1.        , 0.        ])
    """
    m = _order("polyint", m)
    (p,) = _coefficients("polyint", checked_array("polyint", p))
    if k is None:
        k = _zeros(m, p, default_float_type(p.sycl_device))
    k = dpt.reshape(placed_like(k, p), (-1,))
    if k.size == 1 and m > 1:
        k = dpt.broadcast_to(k, (m,))
    if k.size < m:
        raise ValueError(f"polyint: k must be a number, or have one element or at least {m}, got {k.size}")
    for i in range(m):
        p = dpt.concat((p / _falling(p, p.size), k[i : i + 1]))
    return p


def polyfit(
    x: object,
    y: object,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: object = None,
    cov: bool | str = False,
) -> dpnp_ndarray | tuple[object, ...]:
    """Return the coefficients of the polynomial that fits points best, in the sense of least squares.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The arguments, in an array with one axis.
    y : ndarray or usm_ndarray
        The values: for each argument one, or a row with the values of several functions.
    deg : int
        The degree of the polynomial.
    rcond : float, optional
        Singular values below this part of the largest one are ignored; by default the number of points times the
        precision of `x`.
    full : bool, optional
        Whether to return also the residuals, the rank, the singular values and `rcond`.
    w : ndarray or usm_ndarray, optional
        Weights, by which the residuals are multiplied before they are squared.
    cov : bool or {'unscaled'}, optional
        Whether to return also the covariances of the coefficients, scaled by the residuals unless "unscaled".

    Raises
    ------
    TypeError
        For operands that are not arrays, and arrays of other shapes.
    ValueError
        For a negative degree, and for `cov` with too few points.

    Warns
    -----
    numpy.exceptions.RankWarning
        When the fit is poorly conditioned.

    Examples
    --------
    >>> import dpnp as np
    >>> np.polyfit(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]), 1).round(6)
    array([2., 1.])
    """
    order = operator.index(deg) + 1
    given = [a for a in (x, y, w) if a is not None]
    arrays = [_inexact(checked_array("polyfit", a)) for a in given]
    placement_of("polyfit", *arrays)
    x, y, weights = (*arrays, None)[:3]
    if deg < 0:
        raise ValueError(f"polyfit: expected deg >= 0, got {deg}")
    if x.ndim != 1 or x.size == 0:
        raise TypeError(f"polyfit: expected non-empty 1D vector for x, got shape {x.shape}")
    if y.ndim not in (1, 2) or y.shape[0] != x.shape[0]:
        raise TypeError(f"polyfit: expected 1D or 2D array for y of the length of x, {x.size}, got shape {y.shape}")
    if weights is not None and weights.shape != x.shape:
        raise TypeError(f"polyfit: expected w to have the shape of x, {x.shape}, got {weights.shape}")
    if rcond is None:
        rcond = x.size * float(numpy.finfo(x.dtype).eps)
    left, right = vander(x, order), y
    if weights is not None:
        left = left * weights[:, None]
        right = right * (weights[:, None] if y.ndim == 2 else weights)
    scale = bound.sqrt(bound.sum(left * left, axis=0))
    left = left / scale
    c, residuals, rank, singular = linalg.lstsq(left, right, rcond)
    c = c / (scale[:, None] if c.ndim == 2 else scale)
    if int(rank) != order and not full:
        warnings.warn("polyfit: may be poorly conditioned", numpy.exceptions.RankWarning, stacklevel=2)
    if full:
        return c, residuals, rank, singular, rcond
    if not cov:
        return c
    base = linalg.inv(dpt.matmul(left.T, left)) / (scale[:, None] * scale)
    if cov != "unscaled":
        if x.size <= order:
            raise ValueError(
                f"polyfit: the number of data points must exceed {order} to scale the covariance matrix, got {x.size}"
            )
        factor = residuals / (x.size - order)
        base = base * factor if y.ndim == 1 else base[:, :, None] * factor
    elif y.ndim == 2:
        base = base[:, :, None]
    return c, base
