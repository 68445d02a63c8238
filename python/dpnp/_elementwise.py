"""The functions angle, real and imag."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, store_result

from dpnp._support import array_or_number, default_float_type

__all__ = ["angle", "imag", "real"]


def angle(z: object, deg: bool = False, *, out: object = None, order: str | None = "K") -> dpnp_ndarray:
    """Return the angle of complex numbers, from -pi to pi. Negative real numbers have the angle pi.

    Parameters
    ----------
    z : ndarray, usm_ndarray or number
        Numbers.
    deg : bool, optional
        Whether to return degrees instead of radians.
    out : ndarray, optional
        The array to write the result to, of the result's shape and dtype.
    order : str, optional
        Memory order of the result: 'C', 'F', 'A', or 'K' for the operand's order.

    Examples
    --------
    >>> import dpnp as np
    >>> np.angle(np.array([1.0, 1j, -2.0]), deg=True)
    array([  0.,  90., 180.])
    """
    x = array_or_number("angle", z)
    if x.dtype.kind == "c":
        result = dpt.angle(x, order=order or "K")
    else:
        if x.dtype.kind == "b":
            x = dpt.astype(x, default_float_type(sycl_queue=x.sycl_queue))
        result = bound.atan2(dpt.zeros_like(x), x, order=order)
    if deg is True:
        result = bound.degrees(result)
    return store_result("angle", as_dpnp(result), out)


def real(val: object, *, out: object = None, order: str | None = "K") -> dpnp_ndarray:
    """Return the real parts of numbers; an array of real numbers is returned itself.

    Parameters
    ----------
    val : ndarray, usm_ndarray or number
        Numbers.
    out : ndarray, optional
        The array to write the result to, of the result's shape and dtype.
    order : str, optional
        Memory order of the result: 'C', 'F', 'A', or 'K' for the operand's order.

    Examples
    --------
    >>> import dpnp as np
    >>> np.real(np.array([1 + 2j, 3j]))
    array([1., 0.])
    """
    x = array_or_number("real", val)
    return store_result("real", as_dpnp(dpt.real(x, order=order or "K") if x.dtype.kind == "c" else x), out)


def imag(val: object, *, out: object = None, order: str | None = "K") -> dpnp_ndarray:
    """Return the imaginary parts of numbers: zeros for real numbers.

    Parameters
    ----------
    val : ndarray, usm_ndarray or number
        Numbers.
    out : ndarray, optional
        The array to write the result to, of the result's shape and dtype.
    order : str, optional
        Memory order of the result: 'C', 'F', 'A', or 'K' for the operand's order.

    Examples
    --------
    >>> import dpnp as np
    >>> np.imag(np.array([1 + 2j, 3j]))
    array([2., 3.])
    """
    x = array_or_number("imag", val)
    return store_result(
        "imag", as_dpnp(dpt.imag(x, order=order or "K") if x.dtype.kind == "c" else dpt.zeros_like(x)), out
    )
