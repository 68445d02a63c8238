"""The class ufunc: the methods of functions that are applied to arrays element by element."""

from __future__ import annotations

import math
import numbers
import operator
from abc import ABC, abstractmethod

from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index, normalize_axis_tuple
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import (
    DPNPBinaryFunc,
    DPNPUnaryFunc,
    as_dpnp,
    check_operands,
    checked_array,
    placed_like,
    store_result,
)

from dpnp import _folds
from dpnp._scatters import scatter

__all__ = ["ufunc"]

# The result of a reduction of no elements.
_IDENTITIES = {
    "add": 0, "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0, "gcd": 0, "hypot": 0, "logaddexp": -math.inf,
    "logaddexp2": -math.inf, "logical_and": True, "logical_or": False, "logical_xor": False, "multiply": 1,
}  # fmt: skip
_ASSOCIATIVE = {*_IDENTITIES, "fmax", "fmin", "lcm", "maximum", "minimum"}
# The functions of dpnp that reduce and accumulate by a function.
_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
    "logaddexp": "logsumexp", "hypot": "reduce_hypot",
}  # fmt: skip
_ACCUMULATIONS = {
    "add": "cumsum", "multiply": "cumprod", "maximum": "cumulative_max", "minimum": "cumulative_min",
    "logical_and": "cumulative_min", "logical_or": "cumulative_max",
}  # fmt: skip
# Functions whose reductions and accumulations of floating-point numbers are those functions of dpnp without more.
_PLAIN = {"add", "multiply", "maximum", "minimum"}
# Functions whose result for two elements of a dtype has that dtype.
_KEEPING = {"fmax", "fmin", "maximum", "minimum"}


class _NotGiven:
    def __repr__(self) -> str:
        return "<no value>"


_NOT_GIVEN = _NotGiven()


def _loop_dtype(function: ufunc, method: str, x: dpnp_ndarray, dtype: object) -> object:
    """The dtype of the operands and the result when the function is applied to elements and to its own results."""
    name = function.__name__
    if name.startswith("logical_"):
        return dpt.bool
    if dtype is None and (name in _KEEPING or (name in ("add", "multiply") and x.dtype.kind in "fc")):
        return x.dtype
    if dtype is not None:
        found = dpt.dtype(dtype)
    elif name in ("add", "multiply") and x.dtype.kind in "bu" and x.dtype.itemsize < 8:
        found = dpt.dtype("u8" if x.dtype.kind == "u" else "i8")
    elif name in ("add", "multiply") and x.dtype.kind == "i":
        found = dpt.dtype("i8")
    else:
        found = _result_dtype(function, x, x.dtype)
    if dtype is None and name in ("add", "multiply"):
        return found
    result = _result_dtype(function, x, x.dtype if found.kind == "b" else found)
    if result != found or (found.kind == "b" and x.dtype.kind != "b"):
        raise TypeError(
            f"{name}.{method}: the function's result for {x.dtype} is {result}, to which it cannot be applied again"
        )
    return found


def _result_dtype(function: ufunc, x: dpnp_ndarray, dtype: object) -> object:
    none = as_dpnp(dpt.empty(0, dtype=dtype, sycl_queue=x.sycl_queue))
    return function(none, none).dtype


def _check_binary(function: ufunc, method: str) -> None:
    if function.nin != 2 or function.nout != 1:
        raise ValueError(f"{function.__name__}.{method}: only functions of two operands with one result have {method}")


def _single(out: object) -> object:
    return out[0] if isinstance(out, tuple) and len(out) == 1 else out


def _fold(
    function: ufunc, a: dpnp_ndarray, axes: tuple[int, ...], start: object, mask: dpnp_ndarray | None
) -> dpnp_ndarray:
    """Reduce axes without a reduction of the engine."""
    name = function.__name__

    def rows(x: dpnp_ndarray) -> dpnp_ndarray:
        front = dpt.moveaxis(x, axes, tuple(range(len(axes))))
        return dpt.reshape(front, (math.prod(front.shape[: len(axes)]), *front.shape[len(axes) :]))

    x = rows(a)
    first = None if start is None else dpt.broadcast_to(placed_like(start, a, a.dtype), x.shape[1:])
    if x.shape[0] == 0:
        if first is None:
            raise ValueError(f"{name}.reduce: the function has no identity, so no elements have no result")
        return dpt.copy(first)
    if name in _ASSOCIATIVE:
        return _folds.fold(function, x)
    if name == "subtract" and mask is None:
        first, x = (x[0], x[1:]) if first is None else (first, x)
        return function(first, bound.sum(x, axis=0, dtype=x.dtype))
    return _folds.fold_in_order(function, x, first, None if mask is None else rows(mask))


class ufunc(ABC):
    """A function that is applied to arrays element by element, with broadcasting: the type of dpnp.add and others.

    Calls take the operands and NumPy's keywords `out`, `where`, `casting`, `order`, `dtype` and `subok`. An output
    array has the dtype of the result; with `casting` or `dtype`, any that the rule allows. Elements for which `where`
    is False keep their value in `out`.

    Examples
    --------
    >>> import dpnp as np
    >>> isinstance(np.add, np.ufunc), np.add.nin, np.add.identity
    (True, 2, 0)
    >>> x, positive = np.array([4.0, -1.0]), np.array([True, False])
    >>> np.sqrt(x, out=np.zeros(2), where=positive)
    array([2., 0.])
    """

    signature = None

    @abstractmethod
    def __call__(self, *operands: object, **keywords: object) -> object:
        """Apply the function to each element of the operands."""

    @property
    def nargs(self) -> int:
        """Number of operands and results."""
        return self.nin + self.nout

    @property
    def ntypes(self) -> int:
        """Number of signatures."""
        return len(self.types)

    @property
    def identity(self) -> object:
        """The result of a reduction of no elements; None if there is none."""
        return _IDENTITIES.get(self.__name__)

    def reduce(
        self,
        array: object,
        axis: int | tuple[int, ...] | None = 0,
        dtype: object = None,
        out: object = None,
        keepdims: bool = False,
        initial: object = _NOT_GIVEN,
        where: object = True,
    ) -> dpnp_ndarray:
        """Reduce axes by applying the function to their elements.

        Functions that are not associative, such as `divide`, take an operation for each element along the axis.

        Parameters
        ----------
        array : ndarray or usm_ndarray
            The array.
        axis : int or tuple of int, optional
            The axes; None for all.
        dtype : dtype, optional
            The dtype to compute in. By default that of the elements; sums and products of integers are of 64 bits.
        out : ndarray or usm_ndarray, optional
            Output array for the result.
        keepdims : bool, optional
            Whether the result keeps the axes, with length 1.
        initial : number, optional
            The value to start with; None for the first element.
        where : bool, ndarray or usm_ndarray of bool, optional
            Which elements to take.

        Raises
        ------
        ValueError
            For functions of one operand; of no elements, or with `where`, for a function without identity if `initial`
            is not given; for several axes if the function is not associative.
        TypeError
            When the function cannot be applied to its own results, as comparisons of numbers.

        Examples
        --------
        >>> import dpnp as np
        >>> np.bitwise_or.reduce(np.array([[1, 2], [4, 8]]), axis=1)
        array([ 3, 12])
        >>> np.subtract.reduce(np.array([10, 1, 2]))
        array(7)
        """
        _check_binary(self, "reduce")
        name, full = self.__name__, f"{self.__name__}.reduce"
        a = checked_array(full, array)
        out = _single(out)
        defaults = dtype is out is None and where is True and initial is _NOT_GIVEN
        if defaults and name in _PLAIN and a.dtype.kind in "fc" and a.ndim and a.size:
            return getattr(bound, _REDUCTIONS[name])(a, axis=axis, keepdims=keepdims)
        if a.ndim == 0 and axis is not None:
            normalize_axis_tuple(axis, 1)
            axis = None
        axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
        if len(axes) > 1 and (name not in _ASSOCIATIVE or name == "lcm"):  # as in NumPy
            raise ValueError(f"{full}: the function is not reorderable, so only one axis can be reduced")
        mask = None
        if where is not True:
            mask = dpt.broadcast_to(dpt.astype(placed_like(where, a), bool, copy=False), a.shape)
            if initial is None or (initial is _NOT_GIVEN and self.identity is None):
                raise ValueError(f"{full}: the function has no identity, so `where` needs a number as initial")
        loop = _loop_dtype(self, "reduce", a, dtype)
        a = dpt.astype(a, loop, copy=False)
        identity = self.identity
        if a.dtype.kind == "b":  # numbers are converted to the dtype of the loop
            initial = bool(initial) if isinstance(initial, numbers.Number) else initial
            identity = None if identity is None else bool(identity)
        if name == "bitwise_and" and a.dtype.kind in "bu":
            identity = bool(identity) if a.dtype.kind == "b" else 2 ** (8 * a.itemsize) - 1
        start = identity if initial is _NOT_GIVEN else initial
        if mask is not None and name in _ASSOCIATIVE:
            neutral = start if identity is None else identity
            a, mask = dpt.where(mask, a, neutral), None
        if name in _REDUCTIONS and (a.size or name not in ("maximum", "minimum")):
            result = getattr(dpt, _REDUCTIONS[name])(a, axis=axes, keepdims=keepdims)
            result = dpt.astype(result, loop, copy=False)
        else:
            result = _fold(self, a, axes, start, mask)
            kept = tuple(1 if i in axes else n for i, n in enumerate(a.shape))
            result = dpt.reshape(result, kept if keepdims else tuple(n for i, n in enumerate(a.shape) if i not in axes))
            if name not in _ASSOCIATIVE:
                initial = None  # it was the first operand
        if initial is not _NOT_GIVEN and initial is not None:
            result = self(placed_like(initial, a, loop), result)
        return store_result(full, result, out, "same_kind")

    def accumulate(self, array: object, axis: int = 0, dtype: object = None, out: object = None) -> dpnp_ndarray:
        """Return the results of applying the function to the first one, two, … elements along an axis.

        Parameters
        ----------
        array : ndarray or usm_ndarray
            The array.
        axis : int, optional
            The axis.
        dtype, out
            As for `reduce`.

        Raises
        ------
        ValueError
            For functions of one operand.
        TypeError
            For arrays without axes, and as for `reduce`.

        Examples
        --------
        >>> import dpnp as np
        >>> np.maximum.accumulate(np.array([1, 3, 2, 5]))
        array([1, 3, 3, 5])
        """
        _check_binary(self, "accumulate")
        name, full = self.__name__, f"{self.__name__}.accumulate"
        a = checked_array(full, array)
        if a.ndim == 0:
            raise TypeError(f"{full}: an array without axes cannot be accumulated")
        axis = normalize_axis_index(operator.index(axis), a.ndim)
        if name in _PLAIN and a.dtype.kind in "fc" and dtype is out is None:
            return getattr(bound, _ACCUMULATIONS[name])(a, axis=axis, dtype=a.dtype)
        a = dpt.astype(a, _loop_dtype(self, "accumulate", a, dtype), copy=False)
        if name in _ACCUMULATIONS:
            result = getattr(bound, _ACCUMULATIONS[name])(a, axis=axis, dtype=a.dtype)
        elif (result := bound.fold(self, full, a, axis, None)) is None:
            rows = _folds.accumulate(self, dpt.moveaxis(a, axis, 0), name in _ASSOCIATIVE)
            result = dpt.moveaxis(rows, 0, axis)
            if result is a or a.shape[axis] < 2:
                result = dpt.copy(result)
        return store_result(full, result, _single(out), "same_kind")

    def reduceat(
        self, array: object, indices: object, axis: int = 0, dtype: object = None, out: object = None
    ) -> dpnp_ndarray:
        """Reduce segments of an axis.

        Parameters
        ----------
        array : ndarray or usm_ndarray
            The array.
        indices : array_like of int
            The first positions of the segments. A segment ends before the next position, or at the end of the axis; it
            has one element if the next position is not greater.
        axis : int, optional
            The axis.
        dtype, out
            As for `reduce`.

        Raises
        ------
        ValueError
            For functions of one operand.
        IndexError
            For indices out of bounds.
        TypeError
            For indices that are not integers, and as for `reduce`.

        Examples
        --------
        >>> import dpnp as np
        >>> np.add.reduceat(np.arange(8), [0, 4, 1, 5])
        array([ 6,  4, 10, 18])
        """
        if dtype is None and out is None:
            result = bound.reduce_segments(self, array, indices, axis)
            if result is not None:
                return result
        _check_binary(self, "reduceat")
        name, full = self.__name__, f"{self.__name__}.reduceat"
        a = checked_array(full, array)
        if a.ndim == 0:
            raise TypeError(f"{full}: an array without axes has no segments")
        axis = normalize_axis_index(operator.index(axis), a.ndim)
        starts = placed_like(indices, a)
        if starts.ndim != 1 or starts.dtype.kind not in "iu":
            raise TypeError(
                f"{full}: indices must be integers along one axis, got {starts.dtype} of shape {starts.shape}"
            )
        a = dpt.astype(a, _loop_dtype(self, "reduceat", a, dtype), copy=False)
        if (result := bound.fold(self, full, a, axis, starts)) is not None:
            return store_result(full, result, _single(out), "same_kind")
        a = dpt.moveaxis(a, axis, 0)
        starts = dpt.astype(starts, "i8", copy=False)
        if starts.size == 0:
            result = a[:0]
        else:
            wrong = starts[bound.logical_or(starts < 0, starts >= a.shape[0])]
            if wrong.size:
                raise IndexError(f"{full}: index {int(wrong[0])} is out of bounds for {a.shape[0]} elements")
            end = dpt.full(1, a.shape[0], dtype="i8", usm_type=starts.usm_type, sycl_queue=starts.sycl_queue)
            lengths = bound.maximum(dpt.concat((starts[1:], end)) - starts, 1)
            if (
                name == "add"
                and a.ndim == 1
                and a.dtype.char in "ilfdFD"
                and not bool((starts[1:] <= starts[:-1]).any())
            ):
                result = _folds.sums_of_segments(a, starts)
            else:
                reduce = _folds.segments if name in _ASSOCIATIVE else _folds.segments_in_order
                result = reduce(self, a, starts, lengths)
        return store_result(full, dpt.moveaxis(result, 0, axis), _single(out), "same_kind")

    def at(self, a: object, indices: object, b: object = None, /) -> None:
        """Apply the function to elements at indices, in place. At repeated indices it is applied repeatedly.

        On CPUs it is applied in the order of the indices, as in NumPy. On GPUs, sums of floating-point numbers at
        indices that occur often are added in another order, so they may round differently than NumPy's.

        Parameters
        ----------
        a : ndarray or usm_ndarray
            The array to change.
        indices : int, slice, ndarray of int or bool, or tuple of them
            The elements, as in `a[indices]`.
        b : number or array, optional
            The second operand of a function of two, which is broadcast to the shape of `a[indices]`.

        Raises
        ------
        ValueError
            Without `b` for functions of two operands, with it for others; for functions with two results.
        TypeError
            When the result is complex and `a` is not.
        IndexError
            For indices out of bounds.

        Examples
        --------
        >>> import dpnp as np
        >>> x = np.zeros(3)
        >>> np.add.at(x, np.array([0, 1, 1, 1]), 2)
        >>> x
        array([2., 6., 0.])
        """
        if bound.update(self, a, indices, b):
            return
        if self.nout != 1:
            raise ValueError(f"{self.__name__}.at: only functions with one result have it")
        if (b is None) != (self.nin == 1):
            raise ValueError(f"{self.__name__}.at: a function of {self.nin} operand(s) takes {self.nin - 1} besides a")
        scatter(self, checked_array(f"{self.__name__}.at", a), indices, b, self.__name__ in _ASSOCIATIVE)

    def outer(self, a: object, b: object, /, **keywords: object) -> dpnp_ndarray:
        """Apply the function to all pairs of an element of `a` and an element of `b`.

        Parameters
        ----------
        a, b : ndarray, usm_ndarray or number
            The operands, at least one of which is an array.
        **keywords
            Those of the function.

        Returns
        -------
        ndarray
            The results, of shape a.shape + b.shape.

        Raises
        ------
        ValueError
            For functions of one operand.
        TypeError
            For other operands.

        Examples
        --------
        >>> import dpnp as np
        >>> np.add.outer(np.arange(2), np.arange(3))
        array([[0, 1, 2],
               [1, 2, 3]])
        """
        if self.nin != 2:
            raise ValueError(f"{self.__name__}.outer: only functions of two operands have it")
        check_operands(f"{self.__name__}.outer", a, b)
        if isinstance(a, array_base) and isinstance(b, array_base):
            a = as_dpnp(a)
            a = dpt.reshape(a, a.shape + (1,) * b.ndim)
        return self(a, b, **keywords)


ufunc.register(DPNPUnaryFunc)
ufunc.register(DPNPBinaryFunc)
