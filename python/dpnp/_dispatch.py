"""Dispatch of NumPy's functions called with dpnp's arrays to dpnp's functions of the same names.

Implements the protocols of NEP 13 (ufuncs) and NEP 18 (other functions). Functions that dpnp does not have raise
TypeError: NumPy could compute them only by a hidden copy to the host.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable

import numpy
from dpep._array import array_base, dpnp_ndarray

import dpnp

__all__ = ["array_function", "array_ufunc", "register_with_dask"]

# Functions that NumPy dispatches by their `like=` argument, which it removes. They use the placement of that array.
_MAKE_LIKE = {
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "empty", "eye", "frombuffer",
    "fromfile", "fromfunction", "fromiter", "fromstring", "full", "identity", "loadtxt", "ones", "tri", "zeros",
}  # fmt: skip

# Parameters of functions that may be NumPy's arrays, as lists are elsewhere, by their positions: indices,
# probabilities, edges and the like. Dask's graphs have them in NumPy's arrays.
_HOST_PARAMETERS = {
    "digitize": {1: "bins"}, "isin": {1: "test_elements"}, "nanpercentile": {1: "q"}, "nanquantile": {1: "q"},
    "percentile": {1: "q"}, "quantile": {1: "q"}, "take": {1: "indices"}, "take_along_axis": {1: "indices"},
}  # fmt: skip


def _with_parameters(
    name: str, like: dpnp_ndarray, args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[tuple[object, ...], dict[str, object]]:
    """Copy parameters that are NumPy's arrays to the device."""

    def copied(x: object) -> object:
        return dpnp.asarray(x, sycl_queue=like.sycl_queue) if isinstance(x, numpy.ndarray) else x

    places = _HOST_PARAMETERS.get(name, {})
    names = places.values()
    return (
        tuple(copied(x) if i in places else x for i, x in enumerate(args)),
        {key: copied(x) if key in names else x for key, x in kwargs.items()},
    )


def _refuse(name: str) -> TypeError:
    return TypeError(f"{name}: dpnp has no such function; call NumPy's with x.asnumpy(), which copies to the host")


def _refuse_host(name: str, objects: Iterable[object]) -> None:
    for x in objects:
        if isinstance(x, numpy.ndarray):
            raise TypeError(
                f"{name}: An array must be any of supported type, but got ndarray of NumPy; convert it with "
                "dpnp.asarray(), or dpnp's arrays with x.asnumpy(), because both copy data"
            )


def _number_of_elements(
    x: dpnp_ndarray, axis: object = None, keepdims: bool = False, dtype: object = numpy.float64, **_: object
) -> object:
    """The number of elements reduced to each element of a result, for Dask's mean and var."""
    axes = range(x.ndim) if axis is None else [a % x.ndim for a in (axis if isinstance(axis, tuple | list) else [axis])]
    count = math.prod(x.shape[a] for a in axes)
    if axis is None and not keepdims:
        return numpy.dtype(dtype).type(count)
    shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape) if keepdims or a not in axes)
    return dpnp.full(shape, count, dtype=dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)


def register_with_dask() -> None:
    """Register the count of elements with Dask, which otherwise counts in NumPy arrays."""
    lookup = getattr(sys.modules.get("dask.array.dispatch"), "numel_lookup", None)
    if lookup is not None and lookup.dispatch(dpnp_ndarray) is not _number_of_elements:
        lookup.register(dpnp_ndarray, _number_of_elements)


def _named(module: str, name: str) -> Callable[..., object]:
    """dpnp's function of the same name as one of NumPy's."""
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
    """Implement `__array_function__` (NEP 18)."""
    if not all(issubclass(t, (array_base, numpy.ndarray)) for t in types):
        return NotImplemented  # the other type may support dpnp's arrays
    register_with_dask()
    name = func.__name__
    function = _named(func.__module__ or "numpy", name)
    args, kwargs = _with_parameters(name, self, args, kwargs)
    _refuse_host(f"numpy.{name}", (*args, *kwargs.values()))
    for x in args:
        if isinstance(x, (list, tuple)):
            _refuse_host(f"numpy.{name}", x)
    if name in _MAKE_LIKE and kwargs.get("device") is None:
        kwargs = {**kwargs, "device": None, "sycl_queue": self.sycl_queue, "usm_type": self.usm_type}
    return function(*args, **kwargs)


def array_ufunc(self: dpnp_ndarray, ufunc: numpy.ufunc, method: str, *inputs: object, **kwargs: object) -> object:
    """Implement `__array_ufunc__` (NEP 13)."""
    out = kwargs.pop("out", ())
    name = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    for x in (*inputs, *out):
        theirs = getattr(type(x), "__array_ufunc__", None)
        if not isinstance(x, (array_base, numpy.ndarray, numpy.generic)) and theirs is not None:
            return NotImplemented
    # NumPy's scalars of some types, on the left of a comparison, come as arrays without axes.
    inputs = tuple(x[()] if isinstance(x, numpy.ndarray) and x.ndim == 0 else x for x in inputs)
    _refuse_host(name, inputs)
    if any(isinstance(x, numpy.ndarray) for x in out):
        raise TypeError(
            f"{name}: operand 'dpnp_array' does not support ufuncs with a NumPy array as out; use a dpnp array, or "
            "convert the operands with x.asnumpy()"
        )
    if len(out) == 1 and out[0] is not None:
        kwargs["out"] = out[0]
    elif any(x is not None for x in out):
        kwargs["out"] = out
    if method == "__call__":
        return _named("numpy", ufunc.__name__)(*inputs, **kwargs)
    function = getattr(_named("numpy", ufunc.__name__), method, None)
    if function is None:
        raise _refuse(name)
    return function(*inputs, **kwargs)
