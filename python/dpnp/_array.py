"""dpnp.ndarray: its constructor, and its methods that are written in Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import GenericAlias

from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound

__all__ = ["ndarray"]

ndarray = dpnp_ndarray

# Methods by module. Modules are imported at the first use of a method, which keeps `import dpnp` short.
_MODULES = {
    "dpnp._diagonals": "diagonal trace",
    "dpnp._masks": "nonzero",
    "dpnp._methods": """
        astype byteswap choose clip compress conj copy dot dump dumps fill flatten item partition put reshape resize
        round setflags sort tobytes tofile tolist transpose view
    """,
    "dpnp._numbers": "as_integer_ratio bit_count is_integer",
    "dpnp._reductions": "ptp std var",
    "dpnp._searching": "searchsorted",
    "dpnp._selection": "take",
    "dpnp._shapes": "ravel repeat squeeze swapaxes",
    "dpnp._sorting": "argpartition argsort",
}


class _method:
    """A descriptor that imports a method at its first use and replaces itself by it in the types."""

    def __init__(
        self,
        name: str,
        module: str,
        function: str,
        kind: Callable[[object], object] = lambda f: f,
        types: tuple[type, ...] = (ndarray,),
    ) -> None:
        self.name, self.module, self.function, self.kind, self.types = name, module, function, kind, types

    def __get__(self, self_object: object, cls: type) -> object:
        found = self.kind(getattr(import_module(self.module), self.function))
        for each in self.types:
            setattr(each, self.name, found)
        return found.__get__(self_object, cls) if hasattr(found, "__get__") else found


def _new(
    cls: type,
    shape: int | tuple[int, ...],
    dtype: object = None,
    buffer: object = None,
    offset: int = 0,
    strides: tuple[int, ...] | None = None,
    order: str | None = "C",
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> ndarray:
    from dpnp._support import get_normalized_queue_device, get_usm_ndarray, usm_ndarray

    if buffer is None:
        memory = usm_type
        options = {"queue": get_normalized_queue_device(device=device, sycl_queue=sycl_queue)}
    else:
        memory, options = get_usm_ndarray(buffer), {}
        dtype = memory.dtype if dtype is None else dtype
    made = usm_ndarray(
        shape,
        dtype=dtype,
        strides=strides,
        buffer=memory,
        offset=offset,
        order=order or "C",
        buffer_ctor_kwargs=options,
    )
    return bound.as_dpnp(made) if cls is ndarray else bound.as_derived(cls, made)


def _part(name: str) -> property:
    """The property `real` or `imag` with a setter."""
    get = vars(array_base)[name].__get__

    def get_part(self: ndarray) -> ndarray:
        part = get(self)
        if name == "imag" and self.dtype.kind != "c":
            part.flags.writable = False  # zeros of their own: what was stored in them would be lost
        return part

    def set_part(self: ndarray, value: object) -> None:
        if self.dtype.kind == "c":
            get(self)[...] = value
        elif name == "real":
            self[...] = value
        else:
            raise TypeError(
                f"imag: an array of real numbers, here of dtype {self.dtype}, has no imaginary parts to set"
            )

    return property(get if name == "real" else get_part, set_part, doc=vars(array_base)[name].__doc__)


def _flat(self: ndarray) -> object:
    from dpnp._flat import flatiter

    return flatiter(self)


def _set_flat(self: ndarray, values: object) -> None:
    from dpnp._flat import flatiter

    flatiter(self)[:] = values


# Attributes of NumPy's arrays that arrays on devices do not have, and what to use instead.
_ABSENT = {
    "ctypes": "memory of devices has no address for the host; use x.asnumpy().ctypes, which copies, or "
    "x.get_array().usm_data",
    "data": "memory of devices is no buffer on the host; use x.asnumpy().data, which copies, or x.get_array().usm_data",
    "getfield": "there are no fields; use x.view(dtype) and an index",
    "itemset": "it was removed from NumPy; use x[index] = value",
    "newbyteorder": "numbers have the byte order of the processor; use x.byteswap()",
    "setfield": "there are no fields; use x.view(dtype) and an assignment to an index",
    "tostring": "it was removed from NumPy; use x.tobytes()",
}


def _absent(name: str) -> property:
    """A property that raises an AttributeError that says what to use instead."""

    def get(self: ndarray) -> object:
        raise AttributeError(f"{name}: {_ABSENT[name]}")

    return property(get, doc=f"Does not exist: {_ABSENT[name]}.")


def _array_function(self: ndarray, func: object, types: object, args: object, kwargs: object) -> object:
    from dpnp._dispatch import array_function

    return array_function(self, func, types, args, kwargs)


def _array_ufunc(self: ndarray, ufunc: object, method: str, *inputs: object, **kwargs: object) -> object:
    from dpnp._dispatch import array_ufunc

    return array_ufunc(self, ufunc, method, *inputs, **kwargs)


def _complete() -> None:
    """Add the constructor, methods and properties written in Python to the bound type."""
    methods = [_method(name, module, name) for module, names in _MODULES.items() for name in names.split()]
    methods += [
        _method("conjugate", "dpnp._methods", "conj"),
        _method("__bytes__", "dpnp._methods", "as_bytes"),
        *(_method(f"__{name}__", "dpnp._numbers", name) for name in ("ceil", "floor", "trunc")),
        _method("_create_from_usm_ndarray", "dpnp._methods", "create_from_usm_ndarray", staticmethod),
    ]
    functions = (bound.DPNPUnaryFunc, bound.DPNPBinaryFunc)
    for name in ["accumulate", "at", "identity", "nargs", "ntypes", "outer", "reduce", "reduceat", "signature"]:
        methods.append(_method(name, "dpnp._ufuncs", "ufunc", lambda cls, name=name: vars(cls)[name], functions))
    for method in methods:
        for each in method.types:
            setattr(each, method.name, method)
    ndarray.__new__ = _new
    ndarray.__class_getitem__ = classmethod(GenericAlias)  # for annotations, as NumPy's
    ndarray.__array_function__, ndarray.__array_ufunc__ = _array_function, _array_ufunc
    ndarray.__array_priority__ = 100  # of blocks of several types, Dask lets the greatest compute
    ndarray.real, ndarray.imag = _part("real"), _part("imag")
    ndarray.flat = property(_flat, _set_flat, doc="An iterator over the elements in row-major order.")
    for name in _ABSENT:
        setattr(ndarray, name, _absent(name))
    if "dask.array.dispatch" in sys.modules:  # a worker, which may count chunks before any function of theirs is called
        from dpnp._dispatch import register_with_dask

        register_with_dask()


_complete()
