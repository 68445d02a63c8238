"""The type of local accessors, for signatures."""

from numba_dpex.core.types.base import Type, type_name


class LocalAccessorType(Type):
    """The type of LocalAccessor with `ndim` dimensions and elements of type `dtype`."""

    def __init__(self, ndim: int, dtype: object) -> None:
        name = type_name(dtype)
        if not name:
            raise TypeError(f"LocalAccessorType: dtype must be a scalar type, not {dtype!r}")
        super().__init__(f"local array({name}, {ndim}, C)")
        self.ndim, self.dtype = ndim, dtype
