"""reduction: a value that all work-items of a launch reduce, as SYCL's reductions."""

from __future__ import annotations

import operator
from collections.abc import Callable

from numba_dpex.kernel_api import function_objects as ops

_NAMES: list[tuple[tuple[Callable, ...], str, str]] = [
    ((ops.plus, operator.add), "add", "+"),
    ((ops.multiplies, operator.mul), "mul", "*"),
    ((ops.minimum, min), "min", "min"),
    ((ops.maximum, max), "max", "max"),
    ((ops.bit_and, operator.and_), "and", "&"),
    ((ops.bit_or, operator.or_), "or", "|"),
    ((ops.bit_xor, operator.xor), "xor", "^"),
]


class Reduction:
    """An argument of a launch that all work-items reduce. `reduction` makes it.

    In the kernel it has the method `combine(x)` and, for the operations that have one, the operator: `total += x`.
    """

    def __init__(self, array, op: Callable, initialize_to_identity: bool = False) -> None:
        if not hasattr(array, "shape") or array.size != 1:
            raise TypeError(
                "reduction: the first argument must be an array of one element, not "
                + (f"of shape {array.shape}" if hasattr(array, "shape") else type(array).__name__)
            )
        found = [each for each in _NAMES if op in each[0]]
        if not found:
            raise TypeError(
                "reduction: the operation must be one of kernel_api's, of the module operator, min or max, not "
                f"{getattr(op, '__name__', op)!r}"
            )
        if found[0][2] in "&|^" and array.dtype.kind not in "?biu":
            raise TypeError(f"reduction: the operation {found[0][2]} needs integers, not {array.dtype}")
        if array.dtype.kind == "c" and found[0][1] in ("min", "max"):
            raise TypeError("reduction: complex numbers have no order")
        self._array, self._op, self._initialize = array, op, initialize_to_identity
        _, self._operation, self._sign = found[0]
        self._total = None  # in the simulation
        self.dtype = array.dtype

    def combine(self, partial) -> None:
        """Combine the work-item's total with a number."""
        self._total = partial if self._total is None else self._op(self._total, partial)

    def _combined(self, number, sign: str) -> Reduction:
        if sign != self._sign:
            raise TypeError(f"operator {sign}= of a reduction by another operation")
        self.combine(number)
        return self

    def __iadd__(self, number) -> Reduction:
        return self._combined(number, "+")

    def __imul__(self, number) -> Reduction:
        return self._combined(number, "*")

    def __iand__(self, number) -> Reduction:
        return self._combined(number, "&")

    def __ior__(self, number) -> Reduction:
        return self._combined(number, "|")

    def __ixor__(self, number) -> Reduction:
        return self._combined(number, "^")

    def _begin(self, results: int):
        """Memory for the results of work-items or work-groups."""
        import dpctl.tensor as dpt

        return dpt.empty((results,), dtype=self.dtype, sycl_queue=self._array.sycl_queue)

    def _finish(self, parts) -> None:
        """Combine the results with the array's element."""
        import dpctl.tensor as dpt
        import dpnp

        from numba_dpex.core.dpjit.array_reductions import ArrayReduction

        if self._initialize:
            self._array[...] = self._identity()
        if parts.size:
            shaped = dpt.reshape(parts, (parts.size, *self._array.shape))
            if isinstance(self._array, dpnp.ndarray):
                shaped = dpnp.asarray(shaped)
            ArrayReduction(self._sign, in_place=True).finish(self._array, shaped)

    def _finish_simulation(self) -> None:
        if self._initialize:
            self._array[...] = self._identity()
        if self._total is not None:
            self._array[...] = self._op(self._array[(0,) * self._array.ndim], self._total)
        self._total = None

    def _identity(self):
        import numpy

        from numba_dpex.kernel_api.group_algorithms import identity

        return identity(self._op, numpy.empty((), self.dtype))


def reduction(array, op: Callable, initialize_to_identity: bool = False) -> Reduction:
    """Make an argument of `call_kernel` that all work-items reduce.

    Args:
        array: an array of one element, with which the result is combined.
        op: `kernel_api.plus`, `multiplies`, `minimum`, `maximum`, `bit_and`, `bit_or`, `bit_xor`, or the function of
            the module `operator`, `min` or `max`.
        initialize_to_identity: whether the element's value before the launch is ignored.

    Raises:
        TypeError: the array has another number of elements, or the operation is unknown or not defined for its dtype.

    Each work-item has a total of its own, of the array's dtype, which begins with the operation's identity. Launches
    over an NdRange reduce those of a work-group; the others are combined after the kernel, always in the same order.

    >>> import dpnp
    >>> import numba_dpex as ndx
    >>> from numba_dpex import kernel_api as kapi
    >>> @ndx.kernel
    ... def statistics(item: kapi.Item, x, total, largest):
    ...     i = item.get_id(0)
    ...     total += x[i]
    ...     largest.combine(x[i])
    >>> x, total, largest = dpnp.arange(10.0), dpnp.zeros(1), dpnp.zeros(1)
    >>> given = kapi.reduction(total, kapi.plus), kapi.reduction(largest, kapi.maximum)
    >>> ndx.call_kernel(statistics, ndx.Range(10), x, *given)
    >>> total, largest
    (array([45.]), array([9.]))
    """
    return Reduction(array, op, initialize_to_identity)
