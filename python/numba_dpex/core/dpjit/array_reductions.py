"""Reductions of arrays by parallel loops: `total += x[i]`, where `total` is an array.

Each work-item has an array of its own. They are combined after the loop.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import dpctl.tensor as dpt
import dpnp


class ArrayReduction:
    """A reduction by one operation: "+", "*", "&", "|", "^", "min" or "max".

    Args:
        operation: the operation.
        in_place: whether the program changes the array itself, by `total += x`, or assigns a new one to the variable.
    """

    def __init__(self, operation: str, in_place: bool) -> None:
        self._operation, self._in_place = operation, in_place

    def begin(self, total, items: int):
        """The first arrays of the work-items, as rows of one array: values that do not change the result."""
        functions = _functions_of(total)
        shape = (items, *total.shape)
        if self._operation in ("+", "*", "^"):
            make = functions.ones if self._operation == "*" else functions.zeros
            return make(shape, dtype=total.dtype, sycl_queue=total.sycl_queue)
        return functions.copy(functions.broadcast_to(total, shape), order="C")

    def finish(self, total, parts):
        """Combine the work-items' arrays with the array before the loop."""
        functions = _functions_of(total)
        if self._operation in _SUMS:
            name, change, combine = _SUMS[self._operation]
            part = getattr(functions, name)(parts, axis=0, dtype=total.dtype)
        else:
            name, change = _OTHERS[self._operation]
            combine = getattr(functions, name)
            part = dpnp.asarray(parts)
            part = getattr(dpnp, name).reduce(part, axis=0)
            part = part if functions is dpnp else part.get_array()
        if not self._in_place:
            return combine(total, part)
        return change(total, part) if change else combine(total, part, out=total)


def _functions_of(array):
    """The package that an array belongs to."""
    return dpnp if isinstance(array, dpnp.ndarray) else dpt


_SUMS: dict[str, tuple[str, Callable, Callable]] = {
    "+": ("sum", operator.iadd, operator.add),
    "*": ("prod", operator.imul, operator.mul),
}
_OTHERS: dict[str, tuple[str, Callable | None]] = {
    "&": ("bitwise_and", operator.iand),
    "|": ("bitwise_or", operator.ior),
    "^": ("bitwise_xor", operator.ixor),
    "min": ("minimum", None),
    "max": ("maximum", None),
}
