"""NumPy's functions of dpnp's arrays: NumPy hands them over, and dpnp's functions of the same names compute.

What dpnp does not have is refused. Nothing is computed by NumPy in its place, since that would move data unseen.
The protocols are those of NEP 13 (ufuncs) and NEP 18 (other functions).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable

import numpy
from dpep._array import array_base, dpnp_ndarray

import dpnp

__all__ = ["array_function", "array_ufunc"]

# NumPy calls with `like=` only these, and without it: the array that it names says where the new one goes.
_MAKE_LIKE = {
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "empty", "eye", "frombuffer",
    "fromfile", "fromfunction", "fromiter", "fromstring", "full", "identity", "loadtxt", "ones", "tri", "zeros",
}  # fmt: skip

# What a method of a ufunc is as a function.
_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
    "logaddexp": "logsumexp", "hypot": "reduce_hypot",
}  # fmt: skip
_ACCUMULATIONS = {"add": "cumsum", "multiply": "cumprod", "logaddexp": "cumlogsumexp"}


def _refuse(name: str) -> TypeError:
    return TypeError(
        f"{name}: dpnp has no such function for its arrays; NumPy computes it of x.asnumpy(), which copies to the host"
    )


def _refuse_host(name: str, objects: Iterable[object]) -> None:
    for x in objects:
        if isinstance(x, numpy.ndarray):
            raise TypeError(
                f"{name}: An array must be any of supported type, but got ndarray of NumPy, whose data would have to "
                "move; make all arrays dpnp's with dpnp.asarray(), or NumPy's with x.asnumpy()"
            )


def _number_of_elements(
    x: dpnp_ndarray, axis: object = None, keepdims: bool = False, dtype: object = numpy.float64, **_: object
) -> object:
    """How many elements are reduced to one, for each: what Dask's mean and var divide by."""
    axes = range(x.ndim) if axis is None else [a % x.ndim for a in (axis if isinstance(axis, tuple | list) else [axis])]
    count = math.prod(x.shape[a] for a in axes)
    if axis is None and not keepdims:
        return numpy.dtype(dtype).type(count)
    shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape) if keepdims or a not in axes)
    return dpnp.full(shape, count, dtype=dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)


def _tell_dask() -> None:
    """Dask counts elements in arrays of NumPy unless it is told of a type of arrays, as it is of CuPy's."""
    lookup = getattr(sys.modules.get("dask.array.dispatch"), "numel_lookup", None)
    if lookup is not None and lookup.dispatch(dpnp_ndarray) is not _number_of_elements:
        lookup.register(dpnp_ndarray, _number_of_elements)


def _named(module: str, name: str) -> Callable[..., object]:
    """dpnp's function for one of NumPy's."""
    full = f"{module}.{name}"
    package, _, rest = full.partition(".")
    found: object = dpnp if package == "numpy" else None
    for part in rest.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise _refuse(full)
    return found


def array_function(
    self: dpnp_ndarray,
    func: Callable[..., object],
    types: Iterable[type],
    args: tuple[object, ...],
    kwargs: dict[str, object],
) -> object:
    """Compute a function of NumPy's of arrays of dpnp: what NumPy asks for by NEP 18."""
    if not all(issubclass(t, (array_base, numpy.ndarray)) for t in types):
        return NotImplemented  # perhaps another package knows our arrays
    _tell_dask()
    name = func.__name__
    function = _named(func.__module__ or "numpy", name)
    _refuse_host(f"numpy.{name}", (*args, *kwargs.values()))
    for x in args:
        if isinstance(x, (list, tuple)):
            _refuse_host(f"numpy.{name}", x)
    if name in _MAKE_LIKE and kwargs.get("device") is None:
        kwargs = {**kwargs, "device": None, "sycl_queue": self.sycl_queue, "usm_type": self.usm_type}
    return function(*args, **kwargs)


def array_ufunc(self: dpnp_ndarray, ufunc: numpy.ufunc, method: str, *inputs: object, **kwargs: object) -> object:
    """Compute a ufunc of NumPy's of arrays of dpnp: what NumPy asks for by NEP 13."""
    out = kwargs.pop("out", ())
    name = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    for x in (*inputs, *out):
        theirs = getattr(type(x), "__array_ufunc__", None)
        if not isinstance(x, (array_base, numpy.ndarray, numpy.generic)) and theirs is not None:
            return NotImplemented
    _refuse_host(name, inputs)
    if any(isinstance(x, numpy.ndarray) for x in out):
        raise TypeError(
            f"{name}: operand 'dpnp_array' does not support ufuncs whose result goes to an array of NumPy; make that "
            "one dpnp's with dpnp.asarray(), or this NumPy's with x.asnumpy()"
        )
    if len(out) == 1 and out[0] is not None:
        kwargs["out"] = out[0]
    elif any(x is not None for x in out):
        raise NotImplementedError(f"{name}: several arrays as out are not supported")
    if method == "__call__":
        return _named("numpy", ufunc.__name__)(*inputs, **kwargs)
    if method == "outer":
        function = _named("numpy", ufunc.__name__)
        if not hasattr(function, "outer"):
            raise _refuse(name)
        return function.outer(*inputs, **kwargs)
    functions = {"reduce": _REDUCTIONS, "accumulate": _ACCUMULATIONS}.get(method, {})
    if ufunc.__name__ not in functions:
        raise _refuse(name)
    array, *rest = inputs
    if rest:
        kwargs |= dict(zip(("axis", "dtype"), rest))
    return getattr(dpnp, functions[ufunc.__name__])(array, **({"axis": 0} | kwargs))
