"""Arguments of the constructors of sparse matrices: shapes, dtypes, arrays on devices and matrices of SciPy."""

from __future__ import annotations

import operator
import sys

import numpy
from dpep._array import dpnp_ndarray

import dpnp
from dpnp.scipy.sparse._rows import value_dtype

__all__ = [
    "as_array", "axis_from", "check_indices", "checked_shape", "computed", "index_from", "is_dense", "is_scalar",
    "is_scipy", "refused", "supported", "values",
]  # fmt: skip


def is_scipy(x: object) -> bool:
    """Whether this is a sparse matrix or array of SciPy, which is not imported for that."""
    scipy = sys.modules.get("scipy.sparse")
    return scipy is not None and scipy.issparse(x)


def is_scalar(x: object) -> bool:
    """Whether this is a number, or an array without axes."""
    return dpnp.isscalar(x) or (isinstance(x, (dpnp_ndarray, numpy.ndarray)) and x.ndim == 0)


def checked_shape(name: str, shape: object) -> tuple[int, int]:
    """Return a shape of two integers that are not negative; ValueError for others."""
    try:
        made = tuple(operator.index(n) for n in shape)
    except TypeError:
        raise TypeError(f"{name}: shape must be a tuple of two integers, got {shape!r}") from None
    if len(made) != 2:
        raise ValueError(f"{name}: sparse matrices and arrays on devices have 2 axes, got shape {made}")
    if min(made) < 0:
        raise ValueError(f"{name}: shape must not be negative, got {made}")
    return made


def as_array(x: object, place: dict, dtype: object = None) -> dpnp_ndarray:
    """Return an array of dpnp. Arrays on devices keep their place; other objects are copied to the given one."""
    if isinstance(x, dpnp_ndarray) and (dtype is None or x.dtype == dtype):
        return x
    return dpnp.asarray(x, dtype=dtype, **({} if hasattr(x, "sycl_queue") else place))


def values(name: str, x: object, place: dict, dtype: object = None) -> dpnp_ndarray:
    """Return an array of elements, in a dtype that they may have."""
    if dtype is not None:
        dtype = value_dtype(name, dtype)
    if isinstance(x, numpy.ndarray) and dtype is None:
        value_dtype(name, x.dtype)
    x = as_array(x, place)
    x = x if dtype is None or x.dtype == dtype else x.astype(dtype)
    value_dtype(name, x.dtype)
    return x


def check_indices(name: str, indices: dpnp_ndarray, length: int, axis: int) -> None:
    """ValueError for indices outside of an axis. Waits for them."""
    if indices.size == 0:
        return
    least, greatest = dpnp.min(indices), dpnp.max(indices)
    if int(least) < 0:
        raise ValueError(f"{name}: negative axis {axis} index: {int(least)}")
    if int(greatest) >= length:
        raise ValueError(f"{name}: axis {axis} index {int(greatest)} exceeds matrix dimension {length}")


def computed(dtype: object) -> numpy.dtype:
    """Return the dtype in which products with this result are computed: the nearest one that elements may have."""
    dtype = numpy.dtype(dtype)
    if dtype.kind in "iu":
        return numpy.dtype("int32" if dtype.itemsize < 4 or dtype == "int32" else "int64")
    return numpy.dtype("float32") if dtype == numpy.float16 else dtype


def axis_from(function: str, axis: object) -> int:
    axis = operator.index(axis)
    if not -2 <= axis < 2:
        raise ValueError(f"{function}: axis out of range for 2 axes: {axis}")
    return axis % 2


def index_from(i: object, length: int) -> int:
    at = operator.index(i)
    if not -length <= at < length:
        raise IndexError(f"index ({at}) out of range")
    return at % length


def is_dense(x: object) -> bool:
    return isinstance(x, dpnp_ndarray) or hasattr(x, "__sycl_usm_array_interface__")


def refused(x: object) -> object:
    """NotImplemented for objects of unknown types; TypeError for what users may take for an operand."""
    if is_scipy(x):
        raise TypeError(
            f"expected a matrix on a device, got {type(x).__name__} of SciPy; use dpnp.scipy.sparse.csr_matrix(x)"
        )
    if isinstance(x, (numpy.ndarray, list, tuple)):
        raise TypeError(f"expected an array on a device, got {type(x).__name__}; use dpnp.asarray(x)")
    return NotImplemented


def supported(data: dpnp_ndarray) -> dpnp_ndarray:
    made = computed(data.dtype)
    return data if data.dtype == made else data.astype(made)
