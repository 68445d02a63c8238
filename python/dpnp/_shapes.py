"""Functions that return arrays in another shape or with other axes, mostly as views."""

from __future__ import annotations

import math
import operator
import warnings

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import integers_of, normalize_axis_index, normalize_axis_tuple
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_default, checked_array

from dpnp._creation import array, asanyarray, ascontiguousarray, full_like, zeros_like
from dpnp._support import also_named, array_or_number, as_numbers

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "copyto",
    "expand_dims", "flip", "fliplr", "flipud", "matrix_transpose",
    "moveaxis", "ndim", "permute_dims", "ravel", "repeat", "require", "reshape", "resize", "roll", "rollaxis", "rot90",
    "shape", "size", "squeeze", "swapaxes", "tile", "transpose",
]  # fmt: skip


def shape(a: object) -> tuple[int, ...]:
    """Return the length of each axis of an array or another object.

    >>> import dpnp as np
    >>> np.shape(np.ones((2, 3)))
    (2, 3)
    """
    return a.shape if isinstance(a, array_base) else numpy.shape(a)


def ndim(a: object) -> int:
    """Return the number of axes of an array or another object.

    >>> import dpnp as np
    >>> np.ndim(np.ones((2, 3)))
    2
    """
    return a.ndim if isinstance(a, array_base) else numpy.ndim(a)


def size(a: object, axis: int | tuple[int, ...] | None = None) -> int:
    """Return the number of elements of an array or another object, in total or along axes.

    >>> import dpnp as np
    >>> np.size(np.ones((2, 3))), np.size(np.ones((2, 3)), 1)
    (6, 3)
    """
    if not isinstance(a, array_base):
        return numpy.size(a, axis)
    if axis is None:
        return a.size
    return math.prod(a.shape[i] for i in normalize_axis_tuple(axis, a.ndim))


def _row_or_column(a: dpnp_ndarray, order: str | None) -> str:
    if order is None:
        return "C"
    if not isinstance(order, str) or order not in ("C", "F", "A", "c", "f", "a"):
        raise ValueError(f"order must be None, 'C', 'F' or 'A', got {order!r}")
    return order.upper() if order not in "aA" else "F" if a.flags.fnc else "C"


def reshape(
    a: object,
    /,
    shape: int | tuple[int, ...] | None = None,
    order: str | None = "C",
    *,
    newshape: int | tuple[int, ...] | None = None,
    copy: bool | None = None,
) -> dpnp_ndarray:
    """Return the elements of an array in another shape: a view if possible, else a copy.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    shape : int or tuple of int
        The new shape. One length may be -1; it is computed from the others.
    order : {'C', 'F', 'A'}, optional
        The order in which elements are read and written: 'C' row-major, 'F' column-major, 'A' that of the memory.
    newshape : int or tuple of int, optional
        Deprecated name of `shape`.
    copy : bool, optional
        True: always copy. False: raise ValueError when a copy is needed. None: copy when needed.

    Examples
    --------
    >>> import dpnp as np
    >>> np.reshape(np.arange(6), (2, -1))
    array([[0, 1, 2],
           [3, 4, 5]])
    """
    if newshape is not None:
        if shape is not None:
            raise TypeError("reshape: either shape or newshape can be given, not both")
        warnings.warn("reshape: newshape is deprecated, use shape", DeprecationWarning, stacklevel=2)
        shape = newshape
    if shape is None:
        raise TypeError("reshape: shape is missing")
    a = checked_array("reshape", a)
    return dpt.reshape(a, shape, order=_row_or_column(a, order), copy=copy)


def ravel(a: object, order: str | None = "C") -> dpnp_ndarray:
    """Return the flattened array, a copy only when needed. `order` as in `reshape`, or 'K' for the order in memory.

    >>> import dpnp as np
    >>> np.ravel(np.array([[1, 2], [3, 4]]), order="F")
    array([1, 3, 2, 4])
    """
    a = array_or_number("ravel", a)
    if order in ("K", "k"):
        steps = [abs(s) if n > 1 else 0 for s, n in zip(a.strides, a.shape)]
        a, order = dpt.permute_dims(a, tuple(sorted(range(a.ndim), key=lambda axis: -steps[axis]))), "C"
    flat = reshape(a, -1, order) if order != "C" else dpt.reshape(a, -1)
    return flat if flat.flags.c_contiguous else ascontiguousarray(flat)


def resize(a: object, new_shape: int | tuple[int, ...]) -> dpnp_ndarray:
    """Return a new array of another shape, filled with repetitions of the elements of an array.

    >>> import dpnp as np
    >>> np.resize(np.arange(3), (2, 2))
    array([[0, 1],
           [2, 0]])
    """
    a, new_shape = checked_array("resize", a), as_numbers(new_shape)
    if isinstance(new_shape, (int, numpy.integer)):
        new_shape = (new_shape,)
    if any(n < 0 for n in new_shape):
        raise ValueError(f"resize: lengths must not be negative, got {tuple(new_shape)}")
    if a.ndim == 0:
        return full_like(a, a, shape=new_shape)
    wanted = int(numpy.prod(new_shape, dtype=numpy.int64))
    if a.size == 0 or wanted == 0:
        return zeros_like(a, shape=new_shape)
    return dpt.reshape(dpt.tile(ravel(a), -(-wanted // a.size))[:wanted], new_shape)


def transpose(a: object, axes: tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return a view of an array with its axes in another order; reversed by default.

    >>> import dpnp as np
    >>> np.transpose(np.ones((2, 3, 4)), (1, 0, 2)).shape
    (3, 2, 4)
    """
    a = checked_array("transpose", a)
    return a.T if axes is None else dpt.permute_dims(a, tuple(axes))


permute_dims = transpose


def matrix_transpose(x: object, /) -> dpnp_ndarray:
    """Return a view of an array with its last two axes swapped. Raises ValueError for fewer axes.

    >>> import dpnp as np
    >>> np.matrix_transpose(np.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    return dpt.matrix_transpose(checked_array("matrix_transpose", x))


def moveaxis(a: object, source: int | tuple[int, ...], destination: int | tuple[int, ...]) -> dpnp_ndarray:
    """Return a view of an array with axes at other positions. The other axes keep their order.

    >>> import dpnp as np
    >>> np.moveaxis(np.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return dpt.moveaxis(checked_array("moveaxis", a), source, destination)


@also_named(x="a")
def rollaxis(a: object, axis: int, start: int = 0) -> dpnp_ndarray:
    """Return a view of an array with an axis moved before another one.

    >>> import dpnp as np
    >>> np.rollaxis(np.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    x = checked_array("rollaxis", a)
    axis = normalize_axis_index(axis, x.ndim)
    if not -x.ndim <= start <= x.ndim:
        raise ValueError(f"rollaxis: start must be from {-x.ndim} to {x.ndim}, got {start}")
    start += x.ndim * (start < 0)
    start -= axis < start
    return x if axis == start else dpt.moveaxis(x, axis, start)


def swapaxes(a: object, axis1: int, axis2: int) -> dpnp_ndarray:
    """Return a view of an array with two axes swapped.

    >>> import dpnp as np
    >>> np.swapaxes(np.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return dpt.swapaxes(checked_array("swapaxes", a), axis1, axis2)


def squeeze(a: object, axis: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return a view of an array without axes of length 1: all of them, or the given ones.

    >>> import dpnp as np
    >>> np.squeeze(np.ones((1, 3, 1))).shape
    (3,)
    """
    return dpt.squeeze(array_or_number("squeeze", a), axis)


def expand_dims(a: object, axis: int | tuple[int, ...]) -> dpnp_ndarray:
    """Return a view of an array with additional axes of length 1 at the given positions.

    >>> import dpnp as np
    >>> np.expand_dims(np.ones(3), 0).shape
    (1, 3)
    """
    return dpt.expand_dims(checked_array("expand_dims", a), axis=axis)


def broadcast_to(array: object, shape: int | tuple[int, ...], subok: bool = False) -> dpnp_ndarray:
    """Return a read-only view of an array, broadcast to a shape.

    >>> import dpnp as np
    >>> np.broadcast_to(np.arange(2), (2, 2))
    array([[0, 1],
           [0, 1]])
    """
    check_default("broadcast_to", "subok", subok, False)
    made = dpt.broadcast_to(array_or_number("broadcast_to", array), shape)
    made.flags.writable = False
    return made


def broadcast_arrays(*args: object, subok: bool = False) -> list[dpnp_ndarray]:
    """Return views of arrays, broadcast to a common shape.

    >>> import dpnp as np
    >>> [x.shape for x in np.broadcast_arrays(np.ones(3), np.ones((2, 1)))]
    [(2, 3), (2, 3)]
    """
    check_default("broadcast_arrays", "subok", subok, False)
    return dpt.broadcast_arrays(*(checked_array("broadcast_arrays", a) for a in args)) if args else []


def broadcast_shapes(*args: int | tuple[int, ...]) -> tuple[int, ...]:
    """Return the common shape to which arrays of the given shapes are broadcast.

    >>> import dpnp as np
    >>> np.broadcast_shapes((3,), (2, 1))
    (2, 3)
    """
    return numpy.broadcast_shapes(*args)


def atleast_1d(*arys: object) -> dpnp_ndarray | list[dpnp_ndarray]:
    """Return arrays with at least one axis; a list for several arrays.

    >>> import dpnp as np
    >>> np.atleast_1d(np.array(1))
    array([1])
    """
    made = [a if a.ndim else dpt.reshape(a, (1,)) for a in (array_or_number("atleast_1d", x) for x in arys)]
    return made[0] if len(made) == 1 else made


def atleast_2d(*arys: object) -> dpnp_ndarray | list[dpnp_ndarray]:
    """Return arrays with at least two axes, added in front; a list for several arrays.

    >>> import dpnp as np
    >>> np.atleast_2d(np.ones(3)).shape
    (1, 3)
    """
    made = [a if a.ndim > 1 else dpt.reshape(a, (1, a.size)) for a in (array_or_number("atleast_2d", x) for x in arys)]
    return made[0] if len(made) == 1 else made


def atleast_3d(*arys: object) -> dpnp_ndarray | list[dpnp_ndarray]:
    """Return arrays with at least three axes. A single axis becomes the second one, two become the first two.

    >>> import dpnp as np
    >>> np.atleast_3d(np.ones(3)).shape, np.atleast_3d(np.ones((2, 3))).shape
    ((1, 3, 1), (2, 3, 1))
    """
    made = []
    for a in (array_or_number("atleast_3d", x) for x in arys):
        if a.ndim < 2:
            a = dpt.reshape(a, (1, a.size, 1))
        made.append(dpt.expand_dims(a, axis=2) if a.ndim == 2 else a)
    return made[0] if len(made) == 1 else made


def flip(m: object, axis: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return a view of an array with the elements in reverse order along axes; all by default.

    >>> import dpnp as np
    >>> np.flip(np.arange(3))
    array([2, 1, 0])
    """
    return dpt.flip(checked_array("flip", m), axis=axis)


def flipud(m: object) -> dpnp_ndarray:
    """Return a view of an array with the elements in reverse order along the first axis.

    >>> import dpnp as np
    >>> np.flipud(np.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [1, 2]])
    """
    m = checked_array("flipud", m)
    if m.ndim < 1:
        raise ValueError(f"flipud: Input must be >= 1-d, but got {m.ndim}-d")
    return m[::-1]


def fliplr(m: object) -> dpnp_ndarray:
    """Return a view of an array with the elements in reverse order along the second axis.

    >>> import dpnp as np
    >>> np.fliplr(np.array([[1, 2], [3, 4]]))
    array([[2, 1],
           [4, 3]])
    """
    m = checked_array("fliplr", m)
    if m.ndim < 2:
        raise ValueError(f"fliplr: Input must be >= 2-d, but got {m.ndim}-d")
    return m[:, ::-1]


def rot90(m: object, k: int = 1, axes: tuple[int, int] = (0, 1)) -> dpnp_ndarray:
    """Return a view of an array rotated k times by 90 degrees, from the first of two axes towards the second.

    >>> import dpnp as np
    >>> np.rot90(np.array([[1, 2], [3, 4]]))
    array([[2, 4],
           [1, 3]])
    """
    m = checked_array("rot90", m)
    k = operator.index(k) % 4
    if m.ndim < 2:
        raise ValueError(f"rot90: the array must have at least two axes, got {m.ndim}")
    if len(axes) != 2:
        raise ValueError(f"rot90: axes must be two, got {axes}")
    if not all(-m.ndim <= a < m.ndim for a in axes):
        raise ValueError(f"rot90: axes {axes} are out of bounds for an array of {m.ndim} axes")
    first, second = (a % m.ndim for a in axes)
    if first == second:
        raise ValueError(f"rot90: axes must be different, got {axes}")
    if k == 0:
        return m[...]
    if k == 2:
        return dpt.flip(m, axis=(first, second))
    if k == 1:
        return dpt.swapaxes(dpt.flip(m, axis=second), first, second)
    return dpt.flip(dpt.swapaxes(m, first, second), axis=second)


def roll(a: object, shift: object, axis: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return an array with elements shifted along axes, cyclically.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    shift : int or tuple of int
        Number of positions along each axis; of other numbers, the integer part.
    axis : int or tuple of int, optional
        The axes; the flattened array when None.

    Examples
    --------
    >>> import dpnp as np
    >>> np.roll(np.arange(4), 1)
    array([3, 0, 1, 2])
    """
    x = checked_array("roll", a)
    if isinstance(shift, array_base):
        shift = dpt.asnumpy(shift)
    if isinstance(shift, numpy.ndarray):
        shift = tuple(shift.tolist()) if shift.ndim else shift.item()
    shift = tuple(map(int, shift)) if isinstance(shift, (tuple, list)) else int(shift)
    if axis is None and isinstance(shift, tuple):
        return dpt.reshape(dpt.roll(dpt.reshape(x, (-1,)), shift, axis=0), x.shape)
    return dpt.roll(x, shift, axis=axis)


def tile(A: object, reps: int | tuple[int, ...]) -> dpnp_ndarray:
    """Return an array of repeated copies of `A`, `reps` of them along each axis.

    >>> import dpnp as np
    >>> np.tile(np.array([1, 2]), (2, 2))
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    return dpt.tile(array_or_number("tile", A), integers_of(reps))


def repeat(a: object, repeats: object, axis: int | None = None) -> dpnp_ndarray:
    """Return an array with each element repeated along an axis.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    repeats : int, sequence of int or ndarray
        Number of repetitions: one number for all elements, or one for each index along the axis.
    axis : int, optional
        The axis; the flattened array when None.

    Examples
    --------
    >>> import dpnp as np
    >>> np.repeat(np.array([1, 2]), [1, 2])
    array([1, 2, 2])
    """
    a = checked_array("repeat", a)
    return dpt.repeat(a if axis is not None or a.ndim == 1 else ravel(a), repeats, axis=axis)


def require(a: object, dtype: object = None, requirements: object = None, *, like: object = None) -> dpnp_ndarray:
    """Return an array that meets requirements, a copy only when needed.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    dtype : dtype, optional
        Data type of the result.
    requirements : sequence of str, optional
        'C' or 'F' for a memory order, 'W' for a writable array.

    Raises
    ------
    ValueError
        For other requirements, and for both memory orders.

    Examples
    --------
    >>> import dpnp as np
    >>> np.require(np.ones((2, 3)), requirements=["F"]).flags.f_contiguous
    True
    """
    check_default("require", "like", like, None)
    a = checked_array("require", a)
    if not requirements:
        return asanyarray(a, dtype=dtype)
    known = {"C": "C", "C_CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "W": "W", "WRITEABLE": "W"}
    unknown = [r for r in requirements if r.upper() not in known]
    if unknown:
        raise ValueError(f"require: unknown requirement {unknown[0]!r}; known ones are {', '.join(known)}")
    wanted = {known[r.upper()] for r in requirements}
    if wanted >= {"C", "F"}:
        raise ValueError("require: 'C' and 'F' cannot both be required")
    order = next(iter(wanted & {"C", "F"}), "A")
    made = array(a, dtype=dtype, order=order, copy=None)
    return made if made.flags.writable else as_dpnp(dpt.copy(made, order=order))


def copyto(dst: object, src: object, casting: str = "same_kind", where: object = True) -> None:
    """Copy the elements of an array, or a number, to another array, with broadcasting.

    Parameters
    ----------
    dst : ndarray or usm_ndarray
        The destination.
    src : array_like
        The source.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        The casting rule; TypeError for casts that it does not allow.
    where : bool, ndarray or usm_ndarray of bool, optional
        A mask of the elements to write.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.zeros(3)
    >>> np.copyto(x, 1, where=np.array([True, False, True]))
    >>> x
    array([1., 0., 1.])
    """
    if not isinstance(dst, array_base):
        raise TypeError(f"copyto: Destination array must be any of supported type, but got {type(dst).__name__}")
    to = as_dpnp(dst)
    if isinstance(src, (bool, int, float, complex)) and not isinstance(src, numpy.generic):
        if isinstance(src, int) and src < 0 and to.dtype.kind == "u":
            raise OverflowError(f"copyto: {src} is out of bounds for {to.dtype}")
        allowed = numpy.can_cast(dpt.result_type(to, src), to.dtype, casting=casting)
    else:
        src = array(src, copy=None, sycl_queue=to.sycl_queue) if not isinstance(src, array_base) else as_dpnp(src)
        allowed = numpy.can_cast(src.dtype, to.dtype, casting=casting)
        src = dpt.astype(src, to.dtype, copy=False) if allowed else src
    if not allowed:
        kind = getattr(src, "dtype", type(src).__name__)
        raise TypeError(f"copyto: {kind} cannot be cast to {to.dtype} with casting={casting!r}")
    if where is True:
        to[...] = src
        return
    if not isinstance(where, array_base):
        if not numpy.isscalar(where):
            raise TypeError(f"copyto: `where` array must be any of supported type, but got {type(where).__name__}")
        if where:
            to[...] = src
        return
    if where.dtype.kind != "b":
        raise TypeError(f"copyto: where must be an array of bool, got dtype {where.dtype}")
    to[...] = dpt.where(as_dpnp(where), src, to)
