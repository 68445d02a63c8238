"""Methods of element functions for extensions that compose dpctl's functions, and dtypes of operands.

They are in Python, because dpep itself does not call them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy
from dpep._array import last_event, usm_ndarray
from dpep._array.tensor import BinaryElementwiseFunc, UnaryElementwiseFunc
from dpep._core import SyclEvent, SyclQueue

from dpctl.tensor import _type_utils
from dpctl.tensor._data_types import dtype

if TYPE_CHECKING:
    import inspect

__all__ = ["BinaryElementwiseFunc", "UnaryElementwiseFunc"]

_Function = UnaryElementwiseFunc | BinaryElementwiseFunc
_Events = tuple[SyclEvent, SyclEvent]

# Binary operations with an augmented assignment, such as `+=`.
_IN_PLACE = {
    "add", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "divide",
    "floor_divide", "multiply", "pow", "remainder", "subtract",
}  # fmt: skip
_BY_VALUE = {"divide", "equal", "greater", "greater_equal", "less", "less_equal", "not_equal"}


def _get_dtype(o: object, dev: _type_utils._Device) -> object:
    """The dtype of an operand; a weak type for Python numbers, numpy.object_ for objects that are not operands."""
    if (weak := _type_utils._weak_type_of(o)) is not None and not isinstance(o, numpy.generic):
        return weak
    found = getattr(o, "dtype", None)
    if found is None:
        try:
            found = numpy.asarray(memoryview(o)).dtype
        except TypeError:
            return numpy.object_
    return _type_utils._to_device_supported_dtype(found, dev)


def _after(depends: Sequence[SyclEvent], queue: SyclQueue, compute: Callable[[], object]) -> _Events:
    """Compute after events. The event that keeps operands alive is that of the computation."""
    SyclEvent.wait_for(list(depends))
    compute()
    event = last_event(queue)
    return event, event


def get_implementation_function(function: _Function) -> Callable[..., _Events]:
    if function.nin == 1:

        def unary(
            src: usm_ndarray, dst: usm_ndarray, sycl_queue: SyclQueue, depends: Sequence[SyclEvent] = ()
        ) -> _Events:
            return _after(depends, sycl_queue, lambda: function(src, out=dst))

        return unary

    def binary(
        src1: usm_ndarray,
        src2: usm_ndarray,
        dst: usm_ndarray,
        sycl_queue: SyclQueue,
        depends: Sequence[SyclEvent] = (),
    ) -> _Events:
        return _after(depends, sycl_queue, lambda: function(src1, src2, out=dst))

    return binary


def get_implementation_inplace_function(function: BinaryElementwiseFunc) -> Callable[..., _Events] | None:
    if function.name_ not in _IN_PLACE:
        return None

    def in_place(
        lhs: usm_ndarray, rhs: usm_ndarray, sycl_queue: SyclQueue, depends: Sequence[SyclEvent] = ()
    ) -> _Events:
        return _after(depends, sycl_queue, lambda: function(lhs, rhs, out=lhs))

    return in_place


def get_type_result_resolver_function(function: _Function) -> Callable[..., dtype | None]:
    signatures = dict(signature.split("->") for signature in function.types)

    def resolve(*dtypes: dtype) -> dtype | None:
        result = signatures.get("".join(dtype(t).char for t in dtypes))
        return None if result is None else dtype(result)

    return resolve


def get_type_promotion_path_acceptance_function(function: _Function) -> Callable[..., bool]:
    arity = "unary" if function.nin == 1 else "binary"
    return getattr(
        _type_utils, f"_acceptance_fn_{function.name_}", getattr(_type_utils, f"_acceptance_fn_default_{arity}")
    )


def get_array_dtype_scalar_type_resolver_function(function: BinaryElementwiseFunc) -> Callable[..., tuple]:
    by_value = function.name_ in _BY_VALUE
    return _type_utils._resolve_weak_types_all_py_ints if by_value else _type_utils._resolve_weak_types


def signature_of(function: _Function) -> inspect.Signature:
    """The result of inspect.signature: positional operands and keywords; dpnp's functions have NumPy's keywords."""
    from inspect import Parameter, Signature

    of_dpnp = type(function).__module__ == "dpnp"
    operands = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in ("x1", "x2")[: function.nin]]
    if function.nin == 1:
        operands = [Parameter("x", Parameter.POSITIONAL_ONLY)]
    defaults = {"out": None, "where": True, "order": "K", "dtype": None, "subok": True, "casting": "same_kind"}
    names = [*defaults] if of_dpnp else ["out", "order"]
    return Signature([*operands, *(Parameter(n, Parameter.KEYWORD_ONLY, default=defaults[n]) for n in names)])


def _inplace_op(function: BinaryElementwiseFunc, o1: usm_ndarray, o2: object) -> usm_ndarray:
    if function.name_ not in _IN_PLACE:
        raise ValueError(f"{function.name_}: the function has no augmented assignment operator")
    if not isinstance(o1, usm_ndarray):
        raise TypeError(f"{function.name_}: x1 must be a usm_ndarray, got {type(o1).__name__}")
    return function(o1, o2, out=o1)
