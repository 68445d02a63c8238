"""Functions whose results are complex numbers where no real number is one: of NumPy's `emath`.

They read the least or greatest element, so they wait for the values of their arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import checked_array, placed_like

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]


def _complex(x: dpnp_ndarray) -> dpnp_ndarray:
    single = x.dtype.char in "feF" or (x.dtype.kind in "iu" and x.dtype.itemsize <= 2)
    return dpt.astype(x, "c8" if single or not x.sycl_device.has_aspect_fp64 else "c16")


def _unless(outside: Callable[[dpnp_ndarray], dpnp_ndarray], x: dpnp_ndarray) -> dpnp_ndarray:
    """The array of real numbers, as complex ones if any of them is outside of the domain."""
    return _complex(x) if x.dtype.kind in "iuf" and x.size and bool(bound.any(outside(x))) else x


def sqrt(x: object) -> dpnp_ndarray:
    """Return square roots, complex ones if an element is negative.

    >>> import dpnp as np
    >>> np.emath.sqrt(np.array([-1.0, 4.0]))
    array([0.+1.j, 2.+0.j])
    """
    return bound.sqrt(_unless(lambda a: a < 0, checked_array("sqrt", x)))


def log(x: object) -> dpnp_ndarray:
    """Return natural logarithms, complex ones if an element is negative.

    >>> import dpnp as np
    >>> np.emath.log(np.array([-1.0])).imag
    array([3.14159265])
    """
    return bound.log(_unless(lambda a: a < 0, checked_array("log", x)))


def log2(x: object) -> dpnp_ndarray:
    """Return logarithms to base 2, complex ones if an element is negative.

    >>> import dpnp as np
    >>> np.emath.log2(np.array([-8.0])).real
    array([3.])
    """
    return bound.log2(_unless(lambda a: a < 0, checked_array("log2", x)))


def log10(x: object) -> dpnp_ndarray:
    """Return logarithms to base 10, complex ones if an element is negative.

    >>> import dpnp as np
    >>> np.emath.log10(np.array([-100.0])).real
    array([2.])
    """
    return bound.log10(_unless(lambda a: a < 0, checked_array("log10", x)))


def logn(n: object, x: object) -> dpnp_ndarray:
    """Return logarithms of `x` to base `n`, complex ones if an element of either is negative.

    >>> import dpnp as np
    >>> np.emath.logn(2, np.array([4.0, 8.0]))
    array([2., 3.])
    """
    x = checked_array("logn", x)
    return bound.divide(log(x), log(placed_like(n, x)))


def power(x: object, p: object) -> dpnp_ndarray:
    """Return `x` to the power `p`, complex numbers if an element of `x` is negative.

    >>> import dpnp as np
    >>> np.emath.power(np.array([-1.0, 4.0]), 0.5).round(6)
    array([0.+1.j, 2.+0.j])
    """
    x = _unless(lambda a: a < 0, checked_array("power", x))
    p = placed_like(p, x)
    if x.dtype.kind in "iu" and p.dtype.kind in "iu" and p.size and bool(bound.any(p < 0)):
        p = dpt.astype(p, dpt.result_type(p, 1.0))
    return bound.power(x, p)


def arccos(x: object) -> dpnp_ndarray:
    """Return inverse cosines, complex ones if an element is outside of [-1, 1].

    >>> import dpnp as np
    >>> np.emath.arccos(np.array([2.0])).real
    array([0.])
    """
    return bound.acos(_unless(lambda a: bound.abs(a) > 1, checked_array("arccos", x)))


def arcsin(x: object) -> dpnp_ndarray:
    """Return inverse sines, complex ones if an element is outside of [-1, 1].

    >>> import dpnp as np
    >>> np.emath.arcsin(np.array([2.0])).real
    array([1.57079633])
    """
    return bound.asin(_unless(lambda a: bound.abs(a) > 1, checked_array("arcsin", x)))


def arctanh(x: object) -> dpnp_ndarray:
    """Return inverse hyperbolic tangents, complex ones if an element is outside of [-1, 1].

    >>> import dpnp as np
    >>> np.emath.arctanh(np.array([2.0])).imag
    array([1.57079633])
    """
    return bound.atanh(_unless(lambda a: bound.abs(a) > 1, checked_array("arctanh", x)))
