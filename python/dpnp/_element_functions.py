"""Element functions made from functions of Python: vectorize and frompyfunc.

A function of numbers is compiled by the kernel compiler of numba_dpex, for each combination of dtypes that it is called
with, and fused with the operations around it. A function of arrays, for which `vectorize` has a signature, is called
with arrays of dpnp.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import re
from collections.abc import Callable, Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_numbers, check_operands, placement_of, store_result

from dpnp._creation import asarray
from dpnp._ufuncs import ufunc

__all__ = ["frompyfunc", "vectorize"]


def _compiled(function: str, pyfunc: object) -> Callable[..., object]:
    import numba_dpex  # imported here, because few programs need it

    if isinstance(pyfunc, numba_dpex.core.vectorize.ElementFunction):
        return pyfunc
    if not inspect.isfunction(pyfunc):
        raise TypeError(
            f"{function}: expected a function that is defined in Python, which can be compiled, got "
            f"{type(pyfunc).__name__}"
        )
    return numba_dpex.vectorize(pyfunc)


class _CompiledFunction(ufunc):
    """The result of frompyfunc."""

    def __init__(self, pyfunc: Callable[..., object], nin: int, identity: object) -> None:
        self._function = _compiled("frompyfunc", pyfunc)
        self.nin, self.nout, self._identity = nin, 1, identity
        self.__name__ = f"{pyfunc.__name__} (vectorized)"
        self.__doc__ = pyfunc.__doc__

    @property
    def types(self) -> list[str]:
        """The signatures that the function was compiled for."""
        return self._function.types

    @property
    def identity(self) -> object:
        """The result of a reduction of no elements; None if there is none."""
        return self._identity

    def __call__(
        self,
        *operands: object,
        out: object = None,
        where: object = True,
        dtype: object = None,
        order: str = "K",
        casting: str = "same_kind",
        subok: bool = True,
    ) -> dpnp_ndarray:
        """Apply the function to each element of the operands."""
        name = self.__name__
        if len(operands) != self.nin:
            raise TypeError(f"{name}: expected {self.nin} operand(s), got {len(operands)}")
        check_operands(name, *operands)
        result = as_dpnp(self._function(*operands, order=order))
        if dtype is not None:
            result = dpt.astype(result, dtype, copy=False)
        out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
        if where is not True and out is not None:
            result = dpt.where(asarray(where, sycl_queue=result.sycl_queue), dpt.astype(result, out.dtype), out)
        return store_result(name, result, out, casting)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"


def frompyfunc(func: Callable[..., object], /, nin: int, nout: int, *, identity: object = None) -> ufunc:
    """Return an element function, with the methods of ufuncs, that applies a function of numbers.

    The function is compiled as kernels of numba_dpex are, when it is called with new dtypes. Results have the dtype
    that the function computes in; NumPy's are objects.

    Parameters
    ----------
    func : function
        A function of `nin` numbers, which is defined by `def` and written in the language of kernels.
    nin : int
        The number of its arguments.
    nout : int
        The number of its results, only 1.
    identity : object, optional
        The result of a reduction of no elements.

    Raises
    ------
    TypeError
        For other objects than functions defined in Python, and for lambdas.
    ValueError
        When `nin` is not the number of the function's arguments.
    NotImplementedError
        For several results.

    Examples
    --------
    >>> import dpnp as np
    >>> def larger(x, y):
    ...     return x if x > y else y
    >>> f = np.frompyfunc(larger, 2, 1)
    >>> f(np.arange(4), 2)
    array([2, 2, 2, 3])
    >>> f.reduce(np.array([3, 9, 4]))
    array(9)
    """
    if nout != 1:
        raise NotImplementedError(f"frompyfunc: functions with {nout} results are not supported, only with 1")
    made = _CompiledFunction(func, nin, identity)
    if len(inspect.signature(func).parameters) != nin:
        raise ValueError(
            f"frompyfunc: the function takes {len(inspect.signature(func).parameters)} arguments, not {nin}"
        )
    return made


def _core_dimensions(text: str) -> list[tuple[str, ...]]:
    """The names of dimensions of each operand of one side of a signature."""
    if not re.fullmatch(r"\([^()]*\)(,\([^()]*\))*", text):
        raise ValueError(f"vectorize: {text!r} is not a signature of operands such as '(m,n),(n)'")
    return [tuple(filter(None, part.split(","))) for part in re.findall(r"\(([^()]*)\)", text)]


class vectorize:
    """A function that is applied to the elements of arrays, or to their subarrays, with broadcasting.

    Without a signature, the function is one of numbers. It is compiled as kernels of numba_dpex are, so it is written
    in the language of kernels. With a signature it is called with arrays of dpnp for each position of the other axes.

    Parameters
    ----------
    pyfunc : function, optional
        The function. Without it, the object is a decorator.
    otypes : str or list of dtype, optional
        The dtype of the result, to which it is cast; of each result, with a signature.
    doc : str, optional
        The docstring; by default that of the function.
    excluded : set of int or str, optional
        Positions or names of arguments that are not arrays. Without a signature they must be numbers.
    cache : bool, optional
        Has no effect: the function is never called to find the dtype of its result.
    signature : str, optional
        The axes that the function takes and returns, such as "(m,n),(n)->(m)".

    Raises
    ------
    TypeError
        For other objects than functions defined in Python, for lambdas, and when called with operands that are neither
        arrays nor numbers.
    ValueError
        For other signatures, and when called with axes that do not match it.
    NotImplementedError
        For functions of numbers with several results.

    Examples
    --------
    >>> import dpnp as np
    >>> @np.vectorize
    ... def distance(x, y):
    ...     return x - y if x > y else y - x
    >>> distance(np.array([1, 5, 9]), 4)
    array([3, 1, 5])
    >>> slopes = np.vectorize(lambda x: np.diff(x), signature="(n)->(m)")
    >>> slopes(np.array([[1, 2, 4], [0, 3, 3]]))
    array([[1, 2],
           [3, 0]])
    """

    def __init__(
        self,
        pyfunc: Callable[..., object] | None = None,
        otypes: str | Sequence[object] | None = None,
        doc: str | None = None,
        excluded: set[int | str] | None = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        self.otypes = None if otypes is None else [dpt.dtype(t) for t in otypes]
        self.excluded, self.signature, self._doc = set(excluded or ()), signature, doc
        self._axes = None
        if signature is not None:
            sides = "".join(signature.split()).split("->")
            if len(sides) != 2:
                raise ValueError(f"vectorize: {signature!r} is not a signature such as '(m,n),(n)->(m)'")
            self._axes = tuple(map(_core_dimensions, sides))
        elif self.otypes is not None and len(self.otypes) != 1:
            raise NotImplementedError(
                f"vectorize: functions of numbers with {len(self.otypes)} results are not supported, only with 1"
            )
        if pyfunc is not None:
            self._set(pyfunc)

    def _set(self, pyfunc: Callable[..., object]) -> None:
        self.pyfunc = pyfunc
        self._function = pyfunc if self._axes else _compiled("vectorize", pyfunc)
        functools.update_wrapper(self, pyfunc)
        if self._doc is not None:
            self.__doc__ = self._doc

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Apply the function; of an object without a function, return one with the given function."""
        if not hasattr(self, "pyfunc"):
            self._set(args[0])
            return self
        if self._axes is not None:
            return self._call_with_subarrays(args, kwargs)
        bound = inspect.signature(self.pyfunc).bind(*args, **kwargs)
        bound.apply_defaults()
        operands = [*bound.args, *bound.kwargs.values()]
        for position, (name, x) in enumerate(bound.arguments.items()):
            if {position, name} & self.excluded and isinstance(x, array_base):
                raise NotImplementedError(f"vectorize: the excluded argument {name} must be a number, got an array")
        check_numbers(f"vectorize({self.pyfunc.__name__})", *operands)
        result = self._function(*operands)
        result = as_dpnp(result) if isinstance(result, array_base) else asarray(result)
        return dpt.astype(result, self.otypes[0], copy=False) if self.otypes else result

    def _call_with_subarrays(self, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        name = f"vectorize({getattr(self.pyfunc, '__name__', 'function')})"
        fixed = {i: x for i, x in enumerate(args) if i in self.excluded}
        given = [x for i, x in enumerate(args) if i not in self.excluded]
        inputs, outputs = self._axes
        if len(given) != len(inputs):
            raise TypeError(f"{name}: expected {len(inputs)} arrays, got {len(given)}")
        check_operands(name, *given)
        place = placement_of(name, *given)
        arrays = [as_dpnp(x) if isinstance(x, array_base) else asarray(x, **place) for x in given]
        lengths: dict[str, int] = {}
        loops = []
        for x, names in zip(arrays, inputs, strict=True):
            if x.ndim < len(names):
                raise ValueError(f"{name}: an operand has shape {x.shape}, but the signature has axes {names}")
            split = x.ndim - len(names)
            loops.append(x.shape[:split])
            for axis, n in zip(names, x.shape[split:], strict=True):
                if lengths.setdefault(axis, n) != n:
                    raise ValueError(f"{name}: the axis {axis} has lengths {lengths[axis]} and {n}")
        loop = numpy.broadcast_shapes(*loops)
        if 0 in loop:
            raise ValueError(f"{name}: axes of length 0, {loop}, have no subarrays to apply the function to")
        arrays = [
            dpt.broadcast_to(x, loop + x.shape[x.ndim - len(names) :]) for x, names in zip(arrays, inputs, strict=True)
        ]
        results: list[list[dpnp_ndarray]] = [[] for _ in outputs]
        for index in itertools.product(*map(range, loop)):
            parts = [x[index] for x in arrays]
            for i in sorted(fixed):
                parts.insert(i, fixed[i])
            made = self.pyfunc(*parts, **kwargs)
            made = made if len(outputs) > 1 else (made,)
            if len(made) != len(outputs):
                raise ValueError(f"{name}: expected {len(outputs)} results, got {len(made)}")
            for collected, x in zip(results, made, strict=True):
                collected.append(asarray(x, **place))
        joined = []
        for i, (parts, names) in enumerate(zip(results, outputs, strict=True)):
            if any(x.ndim != len(names) for x in parts):
                raise ValueError(f"{name}: a result has shape {parts[0].shape}, but the signature has axes {names}")
            for axis, n in zip(names, parts[0].shape, strict=True):
                if lengths.setdefault(axis, n) != n:
                    raise ValueError(f"{name}: the axis {axis} has length {lengths[axis]}, but the result has {n}")
            x = dpt.reshape(dpt.stack(parts), loop + parts[0].shape)
            joined.append(dpt.astype(x, self.otypes[i], copy=False) if self.otypes else x)
        return joined[0] if len(joined) == 1 else tuple(joined)
