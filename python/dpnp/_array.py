"""dpnp.ndarray: its constructor, and its methods that are written in Python."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound

__all__ = ["ndarray"]

ndarray = dpnp_ndarray

# Methods by module. Modules are imported at the first use of a method, which keeps `import dpnp` short.
_MODULES = {
    "dpnp._diagonals": "diagonal trace",
    "dpnp._masks": "nonzero put",
    "dpnp._methods": """
        astype choose clip compress conj copy dot fill flatten item partition reshape round setflags sort tobytes
        tofile tolist transpose view
    """,
    "dpnp._reductions": "ptp std var",
    "dpnp._searching": "searchsorted",
    "dpnp._selection": "take",
    "dpnp._shapes": "ravel repeat squeeze swapaxes",
    "dpnp._sorting": "argpartition argsort",
}


class _method:
    """A descriptor that imports a method at its first use and replaces itself by it in the type."""

    def __init__(self, name: str, module: str, function: str, kind: Callable[[object], object] = lambda f: f) -> None:
        self.name, self.module, self.function, self.kind = name, module, function, kind

    def __get__(self, array: ndarray | None, cls: type) -> object:
        found = self.kind(getattr(import_module(self.module), self.function))
        setattr(ndarray, self.name, found)
        return found.__get__(array, cls)


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

    def set_part(self: ndarray, value: object) -> None:
        if self.dtype.kind == "c":
            get(self)[...] = value
        elif name == "real":
            self[...] = value
        else:
            raise TypeError(
                f"imag: an array of real numbers, here of dtype {self.dtype}, has no imaginary parts to set"
            )

    return property(get, set_part, doc=vars(array_base)[name].__doc__)


def _flat(self: ndarray) -> object:
    from dpnp._flat import flatiter

    return flatiter(self)


def _data(self: ndarray) -> object:
    raise AttributeError(
        "data: memory of devices is no buffer on the host; use x.asnumpy().data, which copies, or "
        "x.get_array().usm_data"
    )


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
        _method("_create_from_usm_ndarray", "dpnp._methods", "create_from_usm_ndarray", staticmethod),
    ]
    for method in methods:
        setattr(ndarray, method.name, method)
    ndarray.__new__ = _new
    ndarray.__array_function__, ndarray.__array_ufunc__ = _array_function, _array_ufunc
    ndarray.real, ndarray.imag = _part("real"), _part("imag")
    ndarray.data = property(_data, doc="Does not exist: raises an AttributeError that says what to use instead.")
    ndarray.flat = property(_flat, doc="An iterator over the elements in row-major order, which can be indexed.")


_complete()
