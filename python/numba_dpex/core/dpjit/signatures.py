"""Signatures of dpjit functions: `float64(float64[:], int64)`, as text or of types."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy

from numba_dpex.core.exceptions import TypingError, with_numba_base
from numba_dpex.core.types import scalars
from numba_dpex.core.types.base import SCALARS, Type, is_signature, is_type, type_name

_ARRAY = re.compile(r"\s*(\w+)\s*(?:\[([\s:1,]*)\])?\s*")
_EXAMPLE = "write 'float64(float64[:], int64)'"


@dataclass(frozen=True)
class Kind:
    """A number of a dtype, or an array of a dtype, a number of dimensions and a layout; `dtype` is None for None."""

    dtype: numpy.dtype | None
    ndim: int = 0
    layout: str = "A"

    def __str__(self) -> str:
        if self.dtype is None:
            return "none"
        if not self.ndim:
            return self.dtype.name
        axes = [":"] * self.ndim
        if self.layout != "A":
            axes[-1 if self.layout == "C" else 0] = "::1"
        return f"{self.dtype.name}[{', '.join(axes)}]"

    def casting_of(self, value: object) -> int | None:
        """0 if a value is of this kind, 1 if it can be cast without loss, 2 within its kind of number, else None."""
        if hasattr(value, "__sycl_usm_array_interface__"):
            flags = value.flags  # type: ignore[attr-defined]
            fits = self.layout == "A" or (flags.c_contiguous if self.layout == "C" else flags.f_contiguous)
            same = value.ndim == self.ndim and value.dtype == self.dtype  # type: ignore[attr-defined]
            return 0 if self.ndim and same and fits else None
        if self.dtype is None:
            return 0 if value is None else None
        if self.ndim or not isinstance(value, bool | int | float | complex | numpy.generic):
            return None
        given = value.dtype if isinstance(value, numpy.generic) else numpy.dtype(type(value))
        if given == self.dtype:
            return 0
        rules = ("safe", "same_kind")
        return next((k for k, rule in enumerate(rules, 1) if numpy.can_cast(given, self.dtype, rule)), None)  # type: ignore

    def convert(self, value):
        """A value that `casting_of` accepted."""
        return value if self.ndim or self.dtype is None else self.dtype.type(value)


@dataclass(frozen=True)
class DeclaredSignature:
    """The kinds of a function's arguments, and of its result; None: any result."""

    arguments: tuple[Kind, ...]
    result: Kind | None

    def __str__(self) -> str:
        result = "" if self.result is None else "void" if self.result.dtype is None else str(self.result)
        return f"{result}({', '.join(map(str, self.arguments))})"

    def casting_of(self, given: tuple) -> int | None:
        """The widest cast that the arguments need; None if they do not match."""
        casts = [kind.casting_of(each) for kind, each in zip(self.arguments, given, strict=True)]
        return None if None in casts else max(casts, default=0)  # type: ignore[type-var]

    def convert_result(self, title: str, value):
        """The result as the declared type. Raises TypingError if it is not of that kind."""
        if self.result is None:
            return value
        if self.result.casting_of(value) is None:
            raise with_numba_base(TypingError)(f"{title}() returned {_described(value)}, and its signature is {self}")
        converted = self.result.convert(value)
        return converted.item() if isinstance(converted, numpy.generic) else converted


def read_signatures(decorator: str, given: object) -> list[DeclaredSignature]:
    """The signatures that a decorator gets: one, or a list of them, each a text, `result(arguments)` or a tuple.

    Raises:
        TypeError: it is none of these, or has a type other than numbers and arrays.
    """
    return [_read(decorator, each) for each in (given if isinstance(given, list) else [given])]


def select(title: str, signatures: list[DeclaredSignature], given: tuple) -> DeclaredSignature:
    """The first signature that arguments match exactly, else without loss, else within their kinds of numbers."""
    casts = [(cast, k) for k, each in enumerate(signatures) if (cast := each.casting_of(given)) is not None]
    if casts:
        return signatures[min(casts)[1]]
    raise with_numba_base(TypingError)(
        f"{title}(): no signature matches the arguments {', '.join(map(_described, given))}; there are "
        f"{'; '.join(map(str, signatures))}"
    )


def _described(value: object) -> str:
    if hasattr(value, "__sycl_usm_array_interface__"):
        return str(Kind(value.dtype, value.ndim, "C" if value.flags.c_contiguous else "A"))  # type: ignore
    return type(value).__name__


def _read(decorator: str, given: object) -> DeclaredSignature:
    if isinstance(given, str):
        return _read_text(decorator, given)
    if not is_signature(given):
        raise TypeError(f"{decorator}: expected a function or signatures, got {type(given).__name__}: {_EXAMPLE}")
    if isinstance(given, tuple):
        return DeclaredSignature(tuple(_kind(decorator, each) for each in given), None)
    arguments = tuple(_kind(decorator, each) for each in given.args)  # type: ignore[attr-defined]
    return DeclaredSignature(arguments, _kind(decorator, given.return_type))  # type: ignore[attr-defined]


def _read_text(decorator: str, text: str) -> DeclaredSignature:
    parts = re.fullmatch(r"\s*([^()]*?)\s*\(([^()]*)\)\s*", text)
    if not parts:
        raise TypeError(f"{decorator}: {text!r} is not a signature: {_EXAMPLE}")
    result, arguments = parts.groups()
    kinds = [_kind_of_text(decorator, each) for each in re.split(r",(?![^\[]*\])", arguments) if arguments.strip()]
    return DeclaredSignature(tuple(kinds), _kind_of_text(decorator, result) if result else None)


def _kind_of_text(decorator: str, text: str) -> Kind:
    match = _ARRAY.fullmatch(text)
    found = getattr(scalars, match[1], None) if match else None
    if not isinstance(found, Type):
        raise TypeError(f"{decorator}: {text.strip()!r} in a signature is not a type of numbers or arrays: {_EXAMPLE}")
    number = _kind(decorator, found)
    if match is None or match[2] is None:
        return number
    axes = [each.strip() for each in match[2].split(",")]
    if not set(axes) <= {":", "::1"} or axes[1:-1].count("::1") or number.dtype is None:
        raise TypeError(f"{decorator}: {text.strip()!r} in a signature is not an array: write float64[:, ::1]")
    layout = "C" if axes[-1] == "::1" else "F" if axes[0] == "::1" else "A"
    return Kind(number.dtype, len(axes), layout)


def _kind(decorator: str, given: object) -> Kind:
    if given == scalars.void or str(given) == "none":
        return Kind(None)
    name = type_name(given)
    if name in SCALARS:
        return Kind(numpy.dtype(name))
    dtype = type_name(getattr(given, "dtype", None)) if is_type(given) else ""
    if dtype in SCALARS:
        return Kind(numpy.dtype(dtype), given.ndim, getattr(given, "layout", "A"))  # type: ignore[attr-defined]
    raise TypeError(f"{decorator}: {given} in a signature is not a type of numbers or arrays: {_EXAMPLE}")
