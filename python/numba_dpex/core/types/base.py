"""Base classes of types and signatures, and recognition of Numba's types."""

from __future__ import annotations

from collections.abc import Iterator

_INTEGERS = [f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)]
SCALARS = frozenset(["bool", *_INTEGERS, "float16", "float32", "float64", "complex64", "complex128"])


class Type:
    """A type of values in kernels. `name` is its name in signatures and in the compiler."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __call__(self, *arguments: object) -> Signature:
        """Return the signature of a function with arguments of these types that returns this type."""
        return Signature(self, arguments)


class HostArrayType(Type):
    """The type of NumPy arrays, which kernels do not accept."""

    def __init__(self, dtype: Type, ndim: int) -> None:
        super().__init__(f"numpy.ndarray({dtype}, {ndim})")
        self.dtype = dtype
        self.ndim = ndim


class Signature:
    """The argument and return types of a function: `void(item, array)`, `int32(int32)`."""

    def __init__(self, return_type: object, args: tuple[object, ...]) -> None:
        self.return_type = return_type
        self.args = tuple(args)

    def __iter__(self) -> Iterator[object]:
        return iter(self.args)

    def __repr__(self) -> str:
        return f"{self.return_type}({', '.join(map(str, self.args))})"


def _is_numba(value: object) -> bool:
    return type(value).__module__.startswith("numba.core.t")  # numba.core.types, numba.core.typing


def is_type(value: object) -> bool:
    """Whether `value` is a type of numba_dpex or Numba."""
    return isinstance(value, Type) or (_is_numba(value) and hasattr(value, "is_precise"))


def is_signature(value: object) -> bool:
    """Whether `value` is a Signature, Numba's signature, or a tuple of types."""
    if isinstance(value, tuple):
        return bool(value) and all(map(is_type, value))
    return isinstance(value, Signature) or (_is_numba(value) and hasattr(value, "return_type"))


def type_name(value: object) -> str:
    """Return the compiler's name of a type of numba_dpex or Numba; '' if it has none."""
    name = value.name if isinstance(value, Type) else str(value)
    return name if isinstance(value, Type) or name in SCALARS else ""


def scalar_type(value: object):
    """Return NumPy's scalar type for a scalar type of numba_dpex or Numba; None for other objects."""
    if not is_type(value):
        return None
    name = type_name(value)
    if name not in SCALARS:
        return None
    import numpy

    return numpy.dtype(name).type
