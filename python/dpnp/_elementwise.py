"""Element functions that are compositions of others, with the arguments and attributes of element functions.

The engine defers the operations and runs them as one pass, so that composition costs no memory traffic.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy
from dpctl import SyclDevice
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp

from dpnp._support import check_limitations, check_supported_arrays_type, delivered, supported_dtype

__all__ = [
    "ElementFunction", "angle", "bitwise_count", "deg2rad", "degrees", "divmod", "fix", "float_power", "heaviside",
    "imag", "logaddexp2", "modf", "rad2deg", "radians", "real", "sinc", "spacing",
]  # fmt: skip


class ElementFunction:
    """A function that is applied to arrays element by element.

    Attributes
    ----------
    nin, nout : int
        Number of operands and of results.
    types : list of str
        Signatures in NumPy's type codes. The first one to whose types the operands can be cast is used.
    """

    nout = 1

    def __init__(self, compute: Callable[..., dpnp_ndarray], types: list[str], default_for: str = "") -> None:
        """`default_for`: the kinds of dtypes for which operands are cast to the default floating-point type."""
        self._compute = compute
        self.types = types
        self._default_for = default_for
        self._resolved: dict[tuple[object, ...], list[numpy.dtype]] = {}
        self.nin = types[0].index("->")
        self.name_ = self.__name__ = self.__qualname__ = compute.__name__
        self.__doc__ = compute.__doc__
        self.__module__ = "dpnp"

    def __repr__(self) -> str:
        return f"<dpnp element function '{self.name_}'>"

    def __reduce__(self) -> str:
        return self.name_

    def _converted(self, operands: tuple[object, ...]) -> list[dpnp_ndarray | float]:
        """The operands cast to the types of the signature. Numbers stay numbers, which need no array."""
        first = next(x for x in operands if isinstance(x, array_base))
        given = tuple(
            # a Python number adopts the array's dtype, unless it is of a higher kind
            x.dtype if isinstance(x, (array_base, numpy.generic)) else dpt.result_type(x, first)
            for x in operands
        )
        key = (*given, first.sycl_device)
        dtypes = self._resolved.get(key)
        if dtypes is None:
            dtypes = self._resolved[key] = self._resolve(given, first.sycl_device)
        return [
            dpt.astype(as_dpnp(x), dtype, copy=False) if isinstance(x, array_base) else x
            for x, dtype in zip(operands, dtypes)
        ]

    def _resolve(self, given: tuple[numpy.dtype, ...], device: SyclDevice) -> list[numpy.dtype]:
        """The dtypes of the first signature to which all operands can be cast and which the device supports."""
        if any(t.kind in self._default_for for t in given):
            given = (supported_dtype("f8", device),) * len(given)
        for signature in self.types:
            dtypes = [numpy.dtype(code) for code in signature[: self.nin]]
            castable = all(numpy.can_cast(t, to) for t, to in zip(given, dtypes))
            if castable and all(supported_dtype(t, device) == t for t in dtypes):
                return dtypes
        names = ", ".join(t.name for t in given)
        raise TypeError(f"{self.name_}: not available for operands of dtype {names}; its types are {self.types}")

    def __call__(
        self,
        *operands: object,
        out: object = None,
        where: object = True,
        order: str | None = "K",
        dtype: object = None,
        subok: bool = True,
        **keywords: object,
    ) -> dpnp_ndarray:
        """Apply the function. `where` and `subok` support only their default values."""
        if keywords:
            raise NotImplementedError(f"{self.name_}: the keyword {next(iter(keywords))} is not supported")
        check_limitations(where=where, subok_linalg=subok)
        if len(operands) == self.nin + 1 and out is None:
            *operands, out = operands
        if len(operands) != self.nin:
            raise TypeError(f"{self.name_}() takes {self.nin} positional arguments but {len(operands)} were given")
        check_supported_arrays_type(*operands, scalar_type=self.nin > 1)
        if dtype is not None and out is not None:
            raise TypeError(f"{self.name_}: either out or dtype can be given, not both")
        order = _order(order)
        if dtype is not None:
            first = next(x for x in operands if isinstance(x, array_base))
            place = {"usm_type": first.usm_type, "sycl_queue": first.sycl_queue}
            operands = [
                dpt.astype(x, dtype, copy=False) if isinstance(x, array_base) else dpt.asarray(x, dtype=dtype, **place)
                for x in operands
            ]
        result = self._compute(*self._converted(tuple(operands)))
        if out is not None:
            check_supported_arrays_type(out)
            if out.dtype != result.dtype:
                raise ValueError(f"{self.name_}: out has dtype {out.dtype}, but the result has dtype {result.dtype}")
            return delivered(result, out)
        if order in "CF" and not result.flags[order]:
            result = dpt.copy(result, order=order)
        return result

    def outer(self, x1: object, x2: object, **keywords: object) -> dpnp_ndarray:
        """Apply the function to all pairs of an element of `x1` and an element of `x2`."""
        return outer(self, x1, x2, **keywords)


def _order(order: str | None) -> str:
    if order is None or order == "K":
        return "K"
    if not isinstance(order, str) or len(order) != 1 or order not in "CFAKcfak":
        raise ValueError(f"order must be one of 'C', 'F', 'A', 'K', got {order!r}")
    return order.upper()


def outer(function: object, x1: object, x2: object, **keywords: object) -> dpnp_ndarray:
    """Implement the method `outer` of binary element functions."""
    if function.nin != 2:
        raise ValueError("outer: only binary functions support it")
    check_supported_arrays_type(x1, x2, scalar_type=True)
    if isinstance(x1, array_base) and isinstance(x2, array_base):
        x1 = as_dpnp(x1)
        x1 = dpt.reshape(x1, x1.shape + (1,) * x2.ndim)
    return function(x1, x2, **keywords)


_REAL_FLOATS = ["e->e", "f->f", "d->d"]
_FLOATS = ["e->e", "f->f", "d->d", "F->F", "D->D"]
_PAIRS = ["ee->e", "ff->f", "dd->d"]


def _degrees(name: str) -> ElementFunction:
    def degrees(x: dpnp_ndarray) -> dpnp_ndarray:
        return x * (180 / math.pi)

    degrees.__name__ = name
    degrees.__doc__ = f"""Convert angles from radians to degrees.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Angles in radians, real numbers.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}(np.array([0.0, np.pi]))
    array([  0., 180.])
    """
    return ElementFunction(degrees, _REAL_FLOATS)


def _radians(name: str) -> ElementFunction:
    def radians(x: dpnp_ndarray) -> dpnp_ndarray:
        return x * (math.pi / 180)

    radians.__name__ = name
    radians.__doc__ = f"""Convert angles from degrees to radians.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Angles in degrees, real numbers.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}(np.array([0.0, 90.0])) / np.pi
    array([0. , 0.5])
    """
    return ElementFunction(radians, _REAL_FLOATS)


degrees, rad2deg = _degrees("degrees"), _degrees("rad2deg")
radians, deg2rad = _radians("radians"), _radians("deg2rad")


def _element_function(*types: str, default_for: str = "") -> Callable[[Callable[..., dpnp_ndarray]], ElementFunction]:
    return lambda compute: ElementFunction(compute, list(types), default_for)


@_element_function(*_FLOATS, default_for="biu")
def sinc(x: dpnp_ndarray) -> dpnp_ndarray:
    """Return sin(pi x) / (pi x), which is 1 where x is 0.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Numbers.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.sinc(np.array([0.0, 0.5])) * np.pi
    array([3.14159265, 2.        ])
    """
    y = x * math.pi
    return dpt.where(x == 0, 1.0, bound.sin(y) / y)


@_element_function(*_PAIRS)
def heaviside(x1: dpnp_ndarray | float, x2: dpnp_ndarray | float) -> dpnp_ndarray:
    """Return 0 where x1 < 0, 1 where x1 > 0, `x2` where x1 is 0, and NaN where x1 is NaN.

    Parameters
    ----------
    x1, x2 : ndarray, usm_ndarray or number
        Real numbers, one of them an array.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.heaviside(np.array([-1.5, 0.0, 2.0]), 0.5)
    array([0. , 0.5, 1. ])
    """
    if not isinstance(x1, array_base):
        x1 = dpt.full_like(x2, x1)
    step = dpt.where(x1 < 0, 0.0, dpt.where(x1 > 0, 1.0, x1))
    return dpt.where(x1 == 0, x2, step)


@_element_function(*_PAIRS)
def logaddexp2(x1: dpnp_ndarray | float, x2: dpnp_ndarray | float) -> dpnp_ndarray:
    """Return log2(2**x1 + 2**x2), without overflow.

    Parameters
    ----------
    x1, x2 : ndarray, usm_ndarray or number
        Real numbers, one of them an array.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.logaddexp2(np.array([3.0, 2000.0]), np.array([3.0, 2000.0]))
    array([   4., 2001.])
    """
    half = dpt.result_type(x1, x2) == numpy.float16  # intermediate results would lose too many digits
    if half:
        x1, x2 = (dpt.astype(x, "f4") if isinstance(x, array_base) else x for x in (x1, x2))
    larger, smaller = bound.maximum(x1, x2), bound.minimum(x1, x2)
    # Equal operands are a separate case, because the difference of infinities is NaN.
    result = dpt.where(
        larger == smaller, larger + 1, larger + bound.log1p(bound.exp2(smaller - larger)) * (1 / math.log(2))
    )
    return dpt.astype(result, "f2") if half else result


@_element_function("dd->d", "DD->D")
def float_power(x1: dpnp_ndarray | float, x2: dpnp_ndarray | float) -> dpnp_ndarray:
    """Return `x1` to the power of `x2`, computed in float64 or complex128.

    Parameters
    ----------
    x1, x2 : ndarray, usm_ndarray or number
        Numbers, one of them an array.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.float_power(np.array([1, 2, 4]), -1)
    array([1.  , 0.5 , 0.25])
    """
    return bound.power(x1, x2)


@_element_function(*_REAL_FLOATS)
def spacing(x: dpnp_ndarray) -> dpnp_ndarray:
    """Return the distance to the next representable number away from 0, with the sign of x.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Real numbers.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.spacing(np.array([1.0])) == np.finfo(np.float64).eps
    array([ True])
    """
    if x.dtype != "f2":
        away = dpt.where(x < 0, dpt.full_like(x, -math.inf), math.inf)
        return bound.nextafter(x, away) - x
    # In NumPy, float16 is the only type whose spacing is measured upwards for negative numbers. Infinities give NaN.
    return dpt.where(bound.isinf(x), math.nan, bound.nextafter(x, dpt.full_like(x, math.inf)) - x)


_COUNTED = ["?->B", "b->B", "B->B", "h->B", "H->B", "i->B", "I->B", "l->B", "L->B"]


@_element_function(*_COUNTED)
def bitwise_count(x: dpnp_ndarray) -> dpnp_ndarray:
    """Return the number of bits that are set in the absolute value of integers.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Integers or bools.
    out, order, dtype
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.bitwise_count(np.array([0, 255, -3]))
    array([0, 8, 2], dtype=uint8)
    """
    if x.dtype.kind == "b":
        return dpt.astype(x, "u1")
    width = 8 * x.dtype.itemsize
    # The absolute value of the least integer overflows to itself, which has the right bits as an unsigned integer.
    bits = dpt.astype(bound.abs(x) if x.dtype.kind == "i" else x, f"u{x.dtype.itemsize}")

    def repeated(pattern: int) -> int:
        return pattern * (((1 << width) - 1) // 0xFF)

    # Parallel sums within bits, pairs of bits and halves of bytes; the product adds all bytes into the highest one.
    bits = bits - ((bits >> 1) & repeated(0x55))
    bits = (bits & repeated(0x33)) + ((bits >> 2) & repeated(0x33))
    bits = (bits + (bits >> 4)) & repeated(0x0F)
    return dpt.astype((bits * repeated(0x01)) >> (width - 8), "u1")


class _Fix(ElementFunction):
    """Rounding towards 0. Integers and bools are returned unchanged."""

    def __call__(self, x: object, out: object = None, order: str | None = "K") -> dpnp_ndarray:
        if not isinstance(x, array_base) or x.dtype.kind in "fc":
            return super().__call__(x, out=out, order=order)
        if out is None:
            return as_dpnp(dpt.copy(x, order=_order(order)))
        check_supported_arrays_type(out)
        if out.dtype != x.dtype:
            raise ValueError(f"fix: out has dtype {out.dtype}, but the result has dtype {x.dtype}")
        return delivered(as_dpnp(x), out)


def _fix(x: dpnp_ndarray) -> dpnp_ndarray:
    """Return numbers rounded towards 0.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Real numbers.
    out, order
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fix(np.array([2.7, -2.7]))
    array([ 2., -2.])
    """
    return bound.trunc(x)


_fix.__name__ = "fix"
fix = _Fix(_fix, _REAL_FLOATS)


class _Angle(ElementFunction):
    """The angle of complex numbers, with the keyword `deg`."""

    def __call__(self, x: object, deg: bool = False, out: object = None, order: str | None = "K") -> dpnp_ndarray:
        result = super().__call__(x, out=out, order=order)
        if deg is True:
            result *= 180 / math.pi
        return result


def _angle(x: dpnp_ndarray) -> dpnp_ndarray:
    """Return the angle of complex numbers, from -pi to pi. Negative real numbers have the angle pi.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Numbers.
    deg : bool, optional
        Whether to return degrees instead of radians.
    out, order
        As in all element functions.

    Examples
    --------
    >>> import dpnp as np
    >>> np.angle(np.array([1.0, 1j, -2.0]), deg=True)
    array([  0.,  90., 180.])
    """
    return bound.angle(x) if x.dtype.kind == "c" else bound.atan2(dpt.zeros_like(x), x)


_angle.__name__ = "angle"
angle = _Angle(_angle, ["e->e", "f->f", "d->d", "F->f", "D->d"], default_for="b")


class _Part(ElementFunction):
    """The functions `real` and `imag`, which for real numbers return the array itself and zeros."""

    def __call__(self, x: object, out: object = None, order: str | None = "K") -> dpnp_ndarray:
        check_supported_arrays_type(x)
        x = as_dpnp(x)
        if x.dtype.kind == "c":
            return self._compute(x, out=out, order=_order(order))
        result = x if self.name_ == "real" else dpt.zeros_like(x)
        return delivered(result, out)


def _part(function: object, documentation: str) -> _Part:
    def part(x: object, **keywords: object) -> dpnp_ndarray:
        return function(x, **keywords)

    part.__name__, part.__doc__ = function.name_, documentation
    return _Part(part, function.types)


real = _part(
    bound.real,
    """Return the real parts of numbers; an array of real numbers is returned itself.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.real(np.array([1 + 2j, 3j]))
    array([1., 0.])
    """,
)
imag = _part(
    bound.imag,
    """Return the imaginary parts of numbers: zeros for real numbers.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.imag(np.array([1 + 2j, 3j]))
    array([2., 3.])
    """,
)


def modf(x: object) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the fractional and the integral parts of numbers, both with the sign of the number.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Real numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.modf(np.array([1.5, -0.25]))
    (array([ 0.5 , -0.25]), array([ 1., -0.]))
    """
    check_supported_arrays_type(x)
    whole = _fix_of_modf(x)
    x = dpt.astype(as_dpnp(x), whole.dtype, copy=False)
    return bound.copysign(dpt.where(bound.isinf(x), 0.0, x - whole), x), whole


_fix_of_modf = ElementFunction(_fix, _REAL_FLOATS)


def divmod(x1: object, x2: object) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return floor quotients and remainders.

    Parameters
    ----------
    x1, x2 : ndarray, usm_ndarray or number
        Real numbers, one of them an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.divmod(np.array([7, -7]), 4)
    (array([ 1, -2]), array([3, 1]))
    """
    return bound.floor_divide(x1, x2), bound.remainder(x1, x2)
