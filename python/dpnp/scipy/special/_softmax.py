"""Sums of exponentials: operations that are computed in a few passes over memory."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import check_operands, checked_array
from dpep._array.special import log_expit

import dpnp
from dpnp._support import array_or_number

__all__ = ["log_softmax", "logsumexp", "softmax", "softplus"]

_Axis = int | tuple[int, ...] | None


def _shifted(x: dpnp_ndarray, axis: _Axis) -> dpnp_ndarray:
    """The numbers less their maximum, so that no exponential overflows."""
    largest = dpnp.max(x.real if x.dtype.kind == "c" else x, axis=axis, keepdims=True)
    return x - dpt.where(dpt.isfinite(largest), largest, dpt.zeros_like(largest))


def softmax(x: object, axis: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return exponentials divided by their sum.

    Parameters
    ----------
    x : ndarray
        Real numbers.
    axis : int or tuple of ints, optional
        The axes along which the results add up to 1. Default: all.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.softmax(np.array([[1.0, 1.0], [1000.0, 0.0]]), axis=1)
    array([[0.5, 0.5],
           [1. , 0. ]])
    """
    exponentials = dpt.exp(_shifted(checked_array("softmax", x), axis))
    return exponentials / dpnp.sum(exponentials, axis=axis, keepdims=True)


def log_softmax(x: object, axis: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return the logarithms of `softmax`; the arguments are the same.

    >>> import dpnp as np
    >>> np.scipy.special.log_softmax(np.array([1000.0, 0.0]))
    array([    0., -1000.])
    """
    shifted = _shifted(checked_array("log_softmax", x), axis)
    return shifted - dpt.log(dpnp.sum(dpt.exp(shifted), axis=axis, keepdims=True))


def softplus(x: object) -> dpnp_ndarray:
    """Return log(1 + exp(x)), without overflow.

    >>> import dpnp as np
    >>> np.scipy.special.softplus(np.array([0.0, 1000.0])).round(6)
    array([6.93147e-01, 1.00000e+03])
    """
    return -log_expit(-array_or_number("softplus", x))


def logsumexp(
    a: object,
    axis: int | tuple[int, ...] | None = None,
    b: object = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the logarithms of sums of exponentials.

    Parameters
    ----------
    a : ndarray
        The numbers.
    axis : int or tuple of ints, optional
        The axes that are summed over. Default: all.
    b : ndarray or number, optional
        Factors of the exponentials, of the shape of `a` or one that is broadcast to it.
    keepdims : bool, optional
        Whether these axes stay, with length 1.
    return_sign : bool, optional
        Whether to return the sign of the sum, too, and the logarithm of its absolute value; else the logarithm of a
        negative sum is NaN. The sign of a complex sum is the sum divided by its absolute value.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.special.logsumexp(np.array([1000.0, 1000.0])).round(6)
    array(1000.693147)
    """
    a = checked_array("logsumexp", a)
    if b is None and not return_sign and a.dtype.kind != "c":
        return dpnp.logsumexp(a, axis=axis, keepdims=keepdims)
    if b is not None:
        check_operands("logsumexp", a, b)
        b = b if isinstance(b, array_base) else dpt.full_like(a, b, dtype=dpt.result_type(a, b))
        a = dpt.where(b == 0, dpt.full_like(a + 0.0 * b, -dpnp.inf), a + 0.0 * (b == 0))
    largest = dpnp.max(a.real if a.dtype.kind == "c" else a, axis=axis, keepdims=True)
    shift = dpt.where(dpt.isfinite(largest), largest, dpt.zeros_like(largest))
    terms = dpt.exp(a - shift)
    if b is not None:
        terms = dpt.where(b == 0, dpt.zeros_like(terms), b * terms)
    total = dpnp.sum(terms, axis=axis, keepdims=True)
    sign = dpt.sign(total)  # of complex numbers, the quotient by the absolute value
    result = dpt.log(dpt.abs(total) if return_sign else total) + shift
    if not keepdims:
        squeezed = tuple(range(a.ndim)) if axis is None else axis
        result, sign = dpnp.squeeze(result, axis=squeezed), dpnp.squeeze(sign, axis=squeezed)
    return (result, sign) if return_sign else result
