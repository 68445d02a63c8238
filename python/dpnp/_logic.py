"""Comparisons of whole arrays and with tolerances, and tests of elements and objects."""

from __future__ import annotations

import builtins
import math

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp, check_arrays, check_numbers, check_operands, placed_like, placement_of

from dpnp._support import array_or_number

__all__ = [
    "allclose", "array_equal", "array_equiv", "isclose", "iscomplex", "iscomplexobj", "isfortran", "isneginf",
    "isposinf", "isreal", "isrealobj", "isscalar", "iterable",
]  # fmt: skip


def isclose(a: object, b: object, rtol: object = 1e-05, atol: object = 1e-08, equal_nan: bool = False) -> dpnp_ndarray:
    """Return, element by element, whether |a - b| <= atol + rtol |b|.

    Parameters
    ----------
    a, b : ndarray, usm_ndarray or number
        The operands.
    rtol, atol : ndarray, usm_ndarray or number, optional
        The tolerances.
    equal_nan : bool, optional
        Whether NaN is close to NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.isclose(np.array([1.0, 2.0]), np.array([1.0 + 1e-9, 2.1]))
    array([ True, False])
    """
    check_numbers("isclose", a, b, rtol, atol)
    if not isinstance(a, array_base) and not isinstance(b, array_base):
        a = array_or_number("isclose", a)
    place = placement_of("isclose", a, b, rtol, atol)
    reference = b
    if not isinstance(b, array_base):
        reference = dpt.asarray(b, dtype=dpt.result_type(a, b, 1.0), **place)
    elif b.dtype.kind not in "fc":
        reference = dpt.astype(b, dpt.result_type(b, 1.0))
    reference = as_dpnp(reference)
    # Infinities are close only if they are equal: their differences are infinite or NaN.
    close = bound.abs(bound.subtract(a, reference)) <= bound.abs(reference) * rtol + atol
    close = bound.logical_or(bound.logical_and(close, bound.isfinite(reference)), bound.equal(a, b))
    if equal_nan:
        nan_of_a = bound.isnan(a) if isinstance(a, array_base) else math.isnan(abs(a))
        close = bound.logical_or(close, bound.logical_and(bound.isnan(reference), nan_of_a))
    return close


def allclose(a: object, b: object, rtol: object = 1e-05, atol: object = 1e-08, equal_nan: bool = False) -> dpnp_ndarray:
    """Return whether all elements are close in the sense of `isclose`, as a 0-d array.

    >>> import dpnp as np
    >>> np.allclose(np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-9]))
    array(True)
    """
    check_operands("allclose", a, b)  # numbers alone are refused, as in Intel's dpnp
    return bound.all(isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


def array_equal(a1: object, a2: object, equal_nan: bool = False) -> dpnp_ndarray:
    """Return whether two arrays have the same shape and elements, as a 0-d array.

    Parameters
    ----------
    a1, a2 : ndarray, usm_ndarray or number
        The arrays, or an array and a number.
    equal_nan : bool, optional
        Whether NaN is equal to NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.array_equal(np.arange(3), np.array([0, 1, 2]))
    array(True)
    """
    check_operands("array_equal", a1, a2)
    place = placement_of("array_equal", a1, a2)
    shapes = [a.shape if isinstance(a, array_base) else () for a in (a1, a2)]
    if shapes[0] != shapes[1]:
        return as_dpnp(dpt.asarray(False, **place))
    equal = bound.equal(a1, a2)
    if equal_nan and all(isinstance(a, array_base) for a in (a1, a2)):
        equal = bound.logical_or(equal, bound.logical_and(bound.isnan(a1), bound.isnan(a2)))
    return bound.all(equal)


def array_equiv(a1: object, a2: object) -> dpnp_ndarray:
    """Return whether two arrays, broadcast to a common shape, have the same elements, as a 0-d array.

    >>> import dpnp as np
    >>> np.array_equiv(np.array([1, 2]), np.array([[1, 2], [1, 2]]))
    array(True)
    """
    check_operands("array_equiv", a1, a2)
    place = placement_of("array_equiv", a1, a2)
    shapes = [a.shape for a in (a1, a2) if isinstance(a, array_base)]
    try:
        numpy.broadcast_shapes(*shapes)
    except ValueError:
        return as_dpnp(dpt.asarray(False, **place))
    return bound.all(bound.equal(a1, a2))


def _constant_mask(x: object, value: bool) -> dpnp_ndarray:
    return as_dpnp(dpt.full_like(x, value, dtype="?"))


def iscomplex(x: object) -> dpnp_ndarray:
    """Return, element by element, whether the imaginary part is not 0.

    >>> import dpnp as np
    >>> np.iscomplex(np.array([1 + 1j, 1 + 0j]))
    array([ True, False])
    """
    check_arrays("iscomplex", x)
    return as_dpnp(x).imag != 0 if x.dtype.kind == "c" else _constant_mask(x, False)


def isreal(x: object) -> dpnp_ndarray:
    """Return, element by element, whether the imaginary part is 0.

    >>> import dpnp as np
    >>> np.isreal(np.array([1 + 1j, 1 + 0j]))
    array([False,  True])
    """
    check_arrays("isreal", x)
    return as_dpnp(x).imag == 0 if x.dtype.kind == "c" else _constant_mask(x, True)


def iscomplexobj(x: object) -> builtins.bool:
    """Return whether an array or a number has a complex data type, regardless of its values.

    >>> import dpnp as np
    >>> np.iscomplexobj(np.ones(2)), np.iscomplexobj(1j)
    (False, True)
    """
    return x.dtype.kind == "c" if isinstance(x, array_base) else numpy.iscomplexobj(x)


def isrealobj(x: object) -> builtins.bool:
    """Return whether an array or a number does not have a complex data type, regardless of its values.

    >>> import dpnp as np
    >>> np.isrealobj(np.ones(2)), np.isrealobj(1j)
    (True, False)
    """
    return not iscomplexobj(x)


def isfortran(a: object) -> builtins.bool:
    """Return whether an array is column-major and not row-major.

    >>> import dpnp as np
    >>> np.isfortran(np.ones((2, 3), order="F"))
    True
    """
    check_arrays("isfortran", a)
    return a.flags.fnc


def isscalar(element: object) -> builtins.bool:
    """Return whether an object is a number or a string; 0-d arrays are not.

    >>> import dpnp as np
    >>> np.isscalar(3.0), np.isscalar(np.array(3.0))
    (True, False)
    """
    return numpy.isscalar(element)


def iterable(y: object) -> builtins.bool:
    """Return whether an object can be iterated over.

    >>> import dpnp as np
    >>> np.iterable(np.ones(2)), np.iterable(np.array(1))
    (True, False)
    """
    try:
        iter(y)
    except TypeError:
        return False
    return True


def _infinite(name: str, x: object, out: object, value: float) -> dpnp_ndarray:
    x = array_or_number(name, x)
    if out is not None:
        check_arrays(name, out)
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: not defined for complex numbers, got dtype {x.dtype}")
    if x.dtype.kind in "fc":
        return bound.equal(x, value, out=out)
    return bound.logical_and(placed_like(x, x), False, out=out)


def isposinf(x: object, out: object = None) -> dpnp_ndarray:
    """Return, element by element, whether real numbers are positive infinity.

    >>> import dpnp as np
    >>> np.isposinf(np.array([np.inf, -np.inf, 1.0]))
    array([ True, False, False])
    """
    return _infinite("isposinf", x, out, math.inf)


def isneginf(x: object, out: object = None) -> dpnp_ndarray:
    """Return, element by element, whether real numbers are negative infinity.

    >>> import dpnp as np
    >>> np.isneginf(np.array([np.inf, -np.inf, 1.0]))
    array([False,  True, False])
    """
    return _infinite("isneginf", x, out, -math.inf)
