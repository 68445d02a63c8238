"""`vectorize`: functions of numbers as element functions of arrays."""

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

# Numba's options that ask for what dpep does anyway, or that mean something for Numba's compiler alone.
_OF_NUMBA = frozenset(["target", "identity", "nopython", "cache", "inline", "debug"])


class ElementFunction(_kernel.VectorizedFunction):
    """A function that is applied to the elements of arrays, with broadcasting.

    It takes arrays of dpctl.tensor and dpnp, and numbers beside them; of numbers alone it makes a NumPy number,
    computed on the default device. Keywords: `out`, an array of the result's shape and dtype, and `order`.
    """

    __name__: str
    nout = 1

    def __init__(
        self,
        function: Callable,
        signatures: Iterable[tuple[tuple[str, ...], str | None]],
        fastmath: tuple[str, ...] = (),
    ) -> None:
        if function.__name__ == "<lambda>":
            raise TypeError("vectorize: a lambda's source cannot be told from what is around it: define it with def")
        super().__init__(function, list(signatures), fastmath)
        update_wrapper(self, function)

    @property
    def nargs(self) -> int:
        """Number of operands and results."""
        return self.nin + self.nout

    @property
    def ntypes(self) -> int:
        """The number of signatures that it was compiled for."""
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
            raise ValueError(f"{self.__name__}.outer: the function takes {self.nin} operands, two are wanted")
        axes_of_second = getattr(x2, "ndim", 0)
        return self(x1[(..., *(None,) * axes_of_second)] if getattr(x1, "ndim", 0) else x1, x2, **keywords)

    def reduce(self, *arguments, **keywords) -> NoReturn:
        """Refused: raises NotImplementedError."""
        self._refuse("reduce", "dpnp.sum, dpnp.max and others reduce arrays")

    def accumulate(self, *arguments, **keywords) -> NoReturn:
        """Refused: raises NotImplementedError."""
        self._refuse("accumulate", "dpnp.cumsum and others accumulate")

    def reduceat(self, *arguments, **keywords) -> NoReturn:
        """Refused: raises NotImplementedError."""
        self._refuse("reduceat", "dpnp.sum, dpnp.max and others reduce slices")

    def at(self, *arguments, **keywords) -> NoReturn:
        """Refused: raises NotImplementedError."""
        self._refuse("at", "a kernel with AtomicRef updates elements that may meet")

    def _refuse(self, method: str, instead: str) -> NoReturn:
        raise NotImplementedError(
            f"{self.__name__}.{method}: functions of users are applied to elements only, as nothing says in which "
            f"order their results could be joined; {instead}, and so do kernels with group algorithms"
        )

    def __repr__(self) -> str:
        return f"<element function '{self.__name__}'>"


def vectorize(function_or_signatures=None, **options):
    """Make an element function of a function of numbers, as `numpy.vectorize` does, and compile it.

    Args:
        function_or_signatures: the function; or a signature or a list of them, which are all that it is compiled for:
            `float32(float32, float32)`, the same as a string, or a tuple of the arguments' types.
        fastmath: what may be assumed of floats, as `kernel` has it.
        target, identity, nopython, cache, inline, debug: taken for compatibility. It is computed where the arrays are.

    Returns:
        An ElementFunction; a decorator that makes one if signatures or only options are given.

    Raises:
        TypeError: what is given is neither a function nor signatures, or an option is unknown or of a wrong type; when
            called: operands that no signature takes.
        numba_dpex.core.exceptions: what kernels raise for functions that cannot be compiled.

    The function takes numbers and returns one; it has the language of kernels, and calls device functions. Without
    signatures it is compiled for the dtypes that it meets: numbers of Python's take the dtype of what they meet in the
    function. With signatures, operands are cast to the first that they fit: exactly, without loss, or within their
    kind.

    Results are pending like those of other element functions, and what they are used in is computed in one pass over
    memory.

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
    unknown = options.keys() - _OF_NUMBA - {"fastmath"}
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
            raise TypeError(f"vectorize: what is decorated must be a function, not {type(function).__name__}")
        return ElementFunction(function, signatures, fastmath)

    return decorate


def _parts_of(signature) -> tuple[tuple[str, ...], str | None]:
    """The names of a signature's arguments' types, and of the result's where it says one."""
    if isinstance(signature, str):
        return _parts_of_text(signature)
    if not is_signature(signature):
        raise TypeError(
            f"vectorize: a function or signatures are wanted, such as float32(float32), got {type(signature).__name__}"
        )
    if isinstance(signature, tuple):
        return tuple(map(_number, signature)), None
    return tuple(map(_number, signature.args)), _number(signature.return_type)


def _number(each: object) -> str:
    name = type_name(each)
    if not name:
        raise TypeError(f"vectorize: {each} in a signature is no type of numbers")
    return name


def _parts_of_text(text: str) -> tuple[tuple[str, ...], str | None]:
    parts = re.fullmatch(r"\s*(\w*)\s*\(([^()]*)\)\s*", text)
    if not parts:
        raise TypeError(f"vectorize: '{text}' is no signature; one is 'float32(float32, float32)'")
    result, arguments = parts.groups()
    return tuple(map(_named, arguments.split(","))), _named(result) if result else None


def _named(name: str) -> str:
    found = getattr(scalars, name.strip(), None)
    if not isinstance(found, Type):
        raise TypeError(f"vectorize: '{name.strip()}' in a signature is no type of numbers")
    return _number(found)
