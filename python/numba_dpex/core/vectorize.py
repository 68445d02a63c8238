"""`vectorize`: functions of scalars that are applied to the elements of arrays."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import update_wrapper
from typing import NoReturn

from dpep import _kernel

from numba_dpex.core.decorators import fast_math_flags
from numba_dpex.core.types import scalars
from numba_dpex.core.types.base import Type, is_signature, is_type, type_name

# Options of Numba's decorator that are accepted and ignored.
_IGNORED_OPTIONS = frozenset(["target", "identity", "nopython", "cache", "inline", "debug"])


class ElementFunction(_kernel.VectorizedFunction):
    """A function that is applied to the elements of arrays, with broadcasting.

    It takes arrays of dpctl.tensor and dpnp, and numbers; for numbers alone it returns a NumPy scalar, computed on the
    default device. Keywords: `out`, an array of the result's shape and dtype, and `order`.
    """

    __name__: str
    nout = 1

    def __init__(
        self,
        function: Callable,
        signatures: Iterable[tuple[tuple[str, ...], str | None]],
        fastmath: tuple[str, ...] = (),
    ) -> None:
        super().__init__(function, list(signatures), fastmath)
        update_wrapper(self, function)

    @property
    def nargs(self) -> int:
        """Number of operands and results."""
        return self.nin + self.nout

    @property
    def ntypes(self) -> int:
        """Number of signatures that it was compiled for."""
        return len(self.types)

    def outer(self, x1, x2, **keywords):
        """Apply a function of two numbers to each element of `x1` with each of `x2`.

        >>> import dpnp
        >>> import numba_dpex as ndx
        >>> @ndx.vectorize
        ... def larger(x, y):
        ...     return x if x > y else y
        >>> larger.outer(dpnp.arange(3), dpnp.asarray([1, 5]))
        array([[1, 5],
               [1, 5],
               [2, 5]])
        """
        if self.nin != 2:
            raise ValueError(f"{self.__name__}.outer: the function must take two operands, not {self.nin}")
        axes_of_second = getattr(x2, "ndim", 0)
        return self(x1[(..., *(None,) * axes_of_second)] if getattr(x1, "ndim", 0) else x1, x2, **keywords)

    def reduce(self, *arguments, **keywords) -> NoReturn:
        """Not supported: raises NotImplementedError."""
        self._refuse("reduce", "use dpnp.sum, dpnp.max and other reductions")

    def accumulate(self, *arguments, **keywords) -> NoReturn:
        """Not supported: raises NotImplementedError."""
        self._refuse("accumulate", "use dpnp.cumsum and other accumulations")

    def reduceat(self, *arguments, **keywords) -> NoReturn:
        """Not supported: raises NotImplementedError."""
        self._refuse("reduceat", "use dpnp.sum, dpnp.max and others on slices")

    def at(self, *arguments, **keywords) -> NoReturn:
        """Not supported: raises NotImplementedError."""
        self._refuse("at", "use a kernel with AtomicRef")

    def _refuse(self, method: str, instead: str) -> NoReturn:
        raise NotImplementedError(
            f"{self.__name__}.{method}: not supported for user functions, which need not be associative; {instead}, or "
            f"a kernel with group algorithms"
        )

    def __repr__(self) -> str:
        return f"<element function '{self.__name__}'>"


def vectorize(function_or_signatures=None, **options):
    """Make a compiled element function from a function of scalars, as `numpy.vectorize` does.

    Args:
        function_or_signatures: the function; or a signature or list of signatures, and it is compiled for no others:
            `float32(float32, float32)`, the same as a string, or a tuple of the arguments' types.
        fastmath: assumptions on floats, as in `kernel`.
        target, identity, nopython, cache, inline, debug: accepted for compatibility and ignored. The arrays' device
            computes.

    Returns:
        An ElementFunction; with signatures or only options, a decorator that returns one.

    Raises:
        TypeError: the argument is neither a function nor signatures, or an option is unknown or of a wrong type; when
            called: the operands match no signature.
        numba_dpex.core.exceptions: the function cannot be compiled, as for kernels.

    The function takes scalars and returns one. It is written in the language of kernels, and can call device functions.
    Without signatures it is compiled for each combination of operand dtypes; Python numbers take the dtype of the other
    operand (NEP 50). With signatures, operands are cast to the first that matches: exactly, without loss, or within
    their kind.

    Results are deferred like those of other element functions, and fused with the expression that uses them.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> @ndx.vectorize
    ... def clipped(x, limit):
    ...     if x > limit:
    ...         return limit
    ...     return x
    >>> clipped(dpnp.arange(4.0), 1.5) + 1
    array([1. , 2. , 2.5, 2.5])
    """
    unknown = options.keys() - _IGNORED_OPTIONS - {"fastmath"}
    if unknown:
        raise TypeError(f"vectorize: unknown options {', '.join(sorted(unknown))}")
    fastmath = fast_math_flags("vectorize", options.get("fastmath", False))
    given = function_or_signatures
    if inspect.isfunction(given):
        return ElementFunction(given, [], fastmath)
    if given is None:
        signatures = []
    else:
        several = isinstance(given, list) or (isinstance(given, tuple) and not all(map(is_type, given)))
        signatures = [_parts_of(each) for each in (given if several else [given])]

    def decorate(function) -> ElementFunction:
        if not inspect.isfunction(function):
            raise TypeError(f"vectorize: the decorated object must be a function, not {type(function).__name__}")
        return ElementFunction(function, signatures, fastmath)

    return decorate


def _parts_of(signature) -> tuple[tuple[str, ...], str | None]:
    """Return the names of a signature's argument types, and of its result type if it has one."""
    if isinstance(signature, str):
        return _parts_of_text(signature)
    if not is_signature(signature):
        raise TypeError(
            f"vectorize: expected a function or signatures such as float32(float32), got {type(signature).__name__}"
        )
    if isinstance(signature, tuple):
        return tuple(map(_number, signature)), None
    return tuple(map(_number, signature.args)), _number(signature.return_type)


def _number(each: object) -> str:
    name = type_name(each)
    if not name:
        raise TypeError(f"vectorize: {each} in a signature is not a type of numbers; write float32, int64 and the like")
    return name


def _parts_of_text(text: str) -> tuple[tuple[str, ...], str | None]:
    parts = re.fullmatch(r"\s*(\w*)\s*\(([^()]*)\)\s*", text)
    if not parts:
        raise TypeError(f"vectorize: '{text}' is not a signature; write 'float32(float32, float32)'")
    result, arguments = parts.groups()
    return tuple(map(_named, arguments.split(","))), _named(result) if result else None


def _named(name: str) -> str:
    found = getattr(scalars, name.strip(), None)
    if not isinstance(found, Type):
        raise TypeError(
            f"vectorize: '{name.strip()}' in a signature is not a type of numbers; write float32, int64 and the like"
        )
    return _number(found)
