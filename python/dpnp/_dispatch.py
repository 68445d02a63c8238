"""NumPy's functions of dpnp's arrays: NumPy hands them over, and dpnp's functions of the same names compute.

What dpnp does not have is refused. Nothing is computed by NumPy in its place, since that would move data unseen.
The protocols are those of NEP 13 (ufuncs) and NEP 18 (other functions).
"""

from __future__ import annotations

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
                f"{name}: operands are arrays of dpnp and of NumPy, whose data would have to move; make both dpnp's "
                "with dpnp.asarray(), or NumPy's with x.asnumpy()"
            )


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
    name = func.__name__
    function = _named(func.__module__ or "numpy", name)
    _refuse_host(f"numpy.{name}", (*args, *kwargs.values()))
    for x in args:
        if isinstance(x, (list, tuple)):
            _refuse_host(f"numpy.{name}", x)
    if name in _MAKE_LIKE and not kwargs.keys() & {"device", "sycl_queue"}:
        kwargs = {"sycl_queue": self.sycl_queue, "usm_type": self.usm_type} | kwargs
    return function(*args, **kwargs)


def array_ufunc(self: dpnp_ndarray, ufunc: numpy.ufunc, method: str, *inputs: object, **kwargs: object) -> object:
    """Compute a ufunc of NumPy's of arrays of dpnp: what NumPy asks for by NEP 13."""
    out = kwargs.pop("out", ())
    name = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    for x in (*inputs, *out):
        theirs = getattr(type(x), "__array_ufunc__", None)
        if not isinstance(x, (array_base, numpy.ndarray, numpy.generic)) and theirs is not None:
            return NotImplemented
    _refuse_host(name, (*inputs, *out))
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
