"""Element functions made from functions of Python: vectorize and frompyfunc.

A function of numbers is compiled by the kernel compiler of numba_dpex, for each combination of dtypes that it is called
with, and fused with the operations around it. A function of arrays, for which `vectorize` has a signature, is called
with arrays of dpnp.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import re
import types
from collections.abc import Callable, Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_numbers, check_operands, placement_of, store_result
from dpep._kernel import _source

from dpnp._creation import asarray
from dpnp._ufuncs import ufunc

__all__ = ["frompyfunc", "vectorize"]


def _compiled(function: str, pyfunc: object) -> Callable[..., object]:
    import numba_dpex  # imported here, because few programs need it

    if isinstance(pyfunc, numba_dpex.core.vectorize.ElementFunction):
        return pyfunc
    if not inspect.isfunction(pyfunc):
        pyfunc = _in_python(function, pyfunc)
    return numba_dpex.vectorize(pyfunc)


def _in_python(function: str, pyfunc: object) -> Callable[..., object]:
    """A function in Python that calls one of another kind, such as math.sqrt, abs or numpy.sin."""
    if not isinstance(pyfunc, types.BuiltinFunctionType | numpy.ufunc) and pyfunc not in (bool, complex, float, int):
        raise TypeError(
            f"{function}: expected a function that is defined in Python, which can be compiled, or one of math, NumPy "
            f"or Python's own, got {type(pyfunc).__name__}"
        )

    def of_one(x):
        return pyfunc(x)

    def of_two(x, y):
        return pyfunc(x, y)

    if isinstance(pyfunc, numpy.ufunc):
        count = pyfunc.nin
    elif isinstance(pyfunc, type):
        count = 1
    else:
        count = 2 if pyfunc in _OF_TWO else 1
    if count > 2:
        raise TypeError(f"{function}: {pyfunc.__name__} has {count} operands; functions of other kinds have at most 2")
    made = of_one if count == 1 else of_two
    made.__name__, made.__doc__ = pyfunc.__name__, pyfunc.__doc__
    return made


_OF_TWO = (math.atan2, math.copysign, math.fmod, math.gcd, math.hypot, math.ldexp, math.pow, max, min, pow)


def _result_functions(function: str, pyfunc: Callable[..., object], count: int | None) -> list[Callable[..., object]]:
    """A compiled function for each result of a function; `count` is their expected number."""
    found = None
    if inspect.isfunction(pyfunc):
        try:
            found = _source.result_count(pyfunc)
        except OSError as error:
            raise TypeError(f"{function}: {error}") from None
    if count is not None and count != (found or 1):
        returned = "one result" if found is None else f"a tuple of {found}"
        raise ValueError(
            f"{function}: {count} results are expected, but the function does not return a tuple of as many in all its "
            f"return statements; it returns {returned}"
        )
    if found is None:
        return [_compiled(function, pyfunc)]
    return [_compiled(function, _source.result_function(pyfunc, i)) for i in range(found)]


class _CompiledFunction(ufunc):
    """The result of frompyfunc."""

    def __init__(self, pyfunc: Callable[..., object], nin: int, nout: int, identity: object) -> None:
        self._functions = _result_functions("frompyfunc", pyfunc, nout)
        self.nin, self.nout, self._identity = nin, nout, identity
        self.__name__ = f"{pyfunc.__name__} (vectorized)"
        self.__doc__ = pyfunc.__doc__

    @property
    def types(self) -> list[str]:
        """The signatures that the function was compiled for."""
        sides = [[text.split("->") for text in f.types] for f in self._functions]
        return ["->".join((row[0][0], "".join(to for _, to in row))) for row in zip(*sides)]

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
    ) -> dpnp_ndarray | tuple[dpnp_ndarray, ...]:
        """Apply the function to each element of the operands; a tuple of several results."""
        name = self.__name__
        if len(operands) != self.nin:
            raise TypeError(f"{name}: expected {self.nin} operand(s), got {len(operands)}")
        check_operands(name, *operands)
        outs = out if isinstance(out, tuple) else (out,) * self.nout
        if len(outs) != self.nout or (self.nout > 1 and out is not None and not isinstance(out, tuple)):
            raise TypeError(f"{name}: out must be a tuple of {self.nout} arrays")
        made = []
        for function, to in zip(self._functions, outs, strict=True):
            result = as_dpnp(function(*operands, order=order))
            if dtype is not None:
                result = dpt.astype(result, dtype, copy=False)
            if where is not True and to is not None:
                result = dpt.where(asarray(where, sycl_queue=result.sycl_queue), dpt.astype(result, to.dtype), to)
            made.append(store_result(name, result, to, casting))
        return made[0] if self.nout == 1 else tuple(made)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"


def frompyfunc(func: Callable[..., object], /, nin: int, nout: int, *, identity: object = None) -> ufunc:
    """Return an element function, with the methods of ufuncs, that applies a function of numbers.

    The function is compiled as kernels of numba_dpex are, when it is called with new dtypes. Results have the dtype
    that the function computes in; NumPy's are objects.

    Parameters
    ----------
    func : function
        A function of `nin` numbers, which is defined by `def` or `lambda` and written in the language of kernels, or a
        function of `math`, NumPy or Python that this language has, such as `math.sqrt`.
    nin : int
        The number of its arguments.
    nout : int
        The number of its results: 1, or the length of the tuples that all its return statements have.
    identity : object, optional
        The result of a reduction of no elements.

    Raises
    ------
    TypeError
        For other objects, and functions whose source cannot be found.
    ValueError
        When `nin` is not the number of the function's arguments, or `nout` that of its results.

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
    made = _CompiledFunction(func, nin, nout, identity)
    takes = made._functions[0].nin
    if takes != nin:
        raise ValueError(f"frompyfunc: the function takes {takes} arguments, not {nin}")
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
        The function, defined by `def` or `lambda`; or one of `math`, NumPy or Python that kernels can call, such as
        `math.sqrt`. If all its return statements have tuples of one length, there are as many results. Without it, the
        object is a decorator.
    otypes : str or list of dtype, optional
        The dtype of each result, to which it is cast.
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
        For other objects than functions, for those whose source cannot be found, and when called with operands that are
        neither arrays nor numbers.
    ValueError
        For other signatures, when called with axes that do not match it, and for another number of `otypes` than of
        results.

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
        if pyfunc is not None:
            self._set(pyfunc)

    def _set(self, pyfunc: Callable[..., object]) -> None:
        self.pyfunc = pyfunc
        if self._axes is None:
            self._functions = _result_functions("vectorize", pyfunc, len(self.otypes) if self.otypes else None)
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
        target = self.pyfunc if inspect.isfunction(self.pyfunc) else self._functions[0]
        bound = inspect.signature(target).bind(*args, **kwargs)
        bound.apply_defaults()
        operands = [*bound.args, *bound.kwargs.values()]
        for position, (name, x) in enumerate(bound.arguments.items()):
            if {position, name} & self.excluded and isinstance(x, array_base):
                raise NotImplementedError(f"vectorize: the excluded argument {name} must be a number, got an array")
        check_numbers(f"vectorize({self.pyfunc.__name__})", *operands)
        made = []
        for i, function in enumerate(self._functions):
            result = function(*operands)
            result = as_dpnp(result) if isinstance(result, array_base) else asarray(result)
            made.append(dpt.astype(result, self.otypes[i], copy=False) if self.otypes else result)
        return made[0] if len(made) == 1 else tuple(made)

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
