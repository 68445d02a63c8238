"""Functions that remove parts of arrays or insert values: trim_zeros, delete, insert."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index, normalize_axis_tuple
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, checked_array, placed_like, placement_of

from dpnp._shapes import ravel
from dpnp._support import host_array

__all__ = ["delete", "insert", "trim_zeros"]

# More parts than this are not joined one by one, but found by a mask or an array of indices.
_MANY_PARTS = 16


def trim_zeros(filt: object, trim: str = "fb", axis: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return a view of an array without the first and last slices along each axis that contain only zeros.

    Parameters
    ----------
    filt : ndarray or usm_ndarray
        The array.
    trim : {'fb', 'f', 'b'}, optional
        The ends to trim: 'f' the front, 'b' the back, 'fb' both.
    axis : int or tuple of int, optional
        The axes; all when None.

    Examples
    --------
    >>> import dpnp as np
    >>> np.trim_zeros(np.array([0, 0, 1, 0, 2, 0]))
    array([1, 0, 2])
    """
    filt = checked_array("trim_zeros", filt)
    if not isinstance(trim, str):
        raise TypeError(f"trim_zeros: trim must be a str, got {type(trim).__name__}")
    ends = trim.lower()
    if ends not in ("fb", "bf", "f", "b"):
        raise ValueError(f"trim_zeros: unexpected character(s) in `trim`: {trim!r}; it must be 'f', 'b' or 'fb'")
    axes = tuple(range(filt.ndim)) if axis is None else normalize_axis_tuple(axis, filt.ndim, "axis")
    if filt.size == 0:
        return filt
    key = [slice(None)] * filt.ndim
    for along in axes:
        length = filt.shape[along]
        present = bound.any(filt, axis=tuple(i for i in range(filt.ndim) if i != along)) if filt.ndim > 1 else filt != 0
        if not bool(bound.any(present)):
            key[along] = slice(0, 0)
            continue
        start = int(bound.argmax(present)) if "f" in ends else 0
        stop = length - int(bound.argmax(dpt.flip(present))) if "b" in ends else length
        key[along] = slice(start, stop)
    return filt[tuple(key)]


def _deleted_mask(obj: object, length: int, axis: int) -> numpy.ndarray:
    """A mask on the host of the indices to delete along an axis, which determines the length of the result."""
    out = numpy.zeros(length, dtype=bool)
    if isinstance(obj, slice):
        out[obj] = True
        return out
    places = host_array(obj)
    if isinstance(obj, (list, tuple)) and not places.size:
        return out  # an empty list has no dtype of its own
    if places.dtype.kind == "b":
        if places.shape != (length,):
            raise ValueError(f"delete: a mask for axis {axis} must have shape ({length},), got {places.shape}")
        return places
    if places.dtype.kind not in "iu":
        raise IndexError(f"delete: indices must be integers or bools, got dtype {places.dtype}")
    wrong = places[(places < -length) | (places >= length)]
    if wrong.size:
        raise IndexError(f"delete: index {wrong.flat[0]} is out of bounds for axis {axis} with size {length}")
    out[places] = True
    return out


def delete(arr: object, obj: object, axis: int | None = None) -> dpnp_ndarray:
    """Return an array without the elements at some indices along an axis.

    Parameters
    ----------
    arr : ndarray or usm_ndarray
        The array.
    obj : int, slice, sequence of int or array of int or bool
        The indices to delete, or a mask of them.
    axis : int, optional
        The axis; the flattened array when None.

    Examples
    --------
    >>> import dpnp as np
    >>> np.delete(np.array([[1, 2], [3, 4], [5, 6]]), 1, 0)
    array([[1, 2],
           [5, 6]])
    """
    check_arrays("delete", arr)
    arr = as_dpnp(dpt.asarray(arr, usm_type=placement_of("delete", arr, obj)["usm_type"]), arr)
    if axis is None:
        arr, axis = ravel(arr), 0
    axis = normalize_axis_index(axis, arr.ndim)
    length = arr.shape[axis]
    if type(obj) is int and -length <= obj < length and not arr.flags.fnc and length > 1:
        at, lead = obj % length, (slice(None),) * axis
        return dpt.concat([arr[(*lead, slice(0, at))], arr[(*lead, slice(at + 1, None))]], axis=axis)
    kept = ~_deleted_mask(obj, length, axis)
    lead = (slice(None),) * axis
    # Ranges of consecutive indices that are kept.
    edges = numpy.flatnonzero(numpy.diff(kept, prepend=False, append=False))
    order = "F" if arr.flags.fnc else "C"
    if not edges.size:
        return as_dpnp(dpt.copy(arr[(*lead, slice(0, 0))], order=order))
    if edges.size > 2 * _MANY_PARTS:
        made = arr[(*lead, placed_like(kept, arr))]
    else:
        parts = [arr[(*lead, slice(start, stop))] for start, stop in edges.reshape(-1, 2).tolist()]
        made = dpt.concat(parts, axis=axis) if len(parts) > 1 else dpt.copy(parts[0], order=order)
    return made if order == "C" or made.flags.f_contiguous else dpt.copy(made, order=order)


def _insert_positions(obj: object, length: int, axis: int) -> numpy.ndarray:
    """The indices, on the host, before which values are inserted."""
    if isinstance(obj, slice):
        return numpy.arange(*obj.indices(length))
    places = host_array(obj)
    if isinstance(obj, (list, tuple)) and not places.size:
        return numpy.zeros(0, dtype="i8")  # an empty list has no dtype of its own
    if places.ndim > 1 or (places.dtype.kind == "b" and places.ndim == 0):
        raise ValueError(f"insert: indices must be one integer or a 1-d array, got {places.ndim} axes")
    if places.dtype.kind == "b":
        return numpy.flatnonzero(places)
    if places.dtype.kind not in "iu":
        raise IndexError(f"insert: indices must be integers or bools, got dtype {places.dtype}")
    wrong = places[(places < -length) | (places > length)]
    if wrong.size:
        raise IndexError(f"insert: index {wrong.flat[0]} is out of bounds for axis {axis} with size {length}")
    places = places.ravel().astype("i8")
    return places + length * (places < 0)


def _inserted(arr: dpnp_ndarray, places: numpy.ndarray, values: dpnp_ndarray, axis: int) -> dpnp_ndarray:
    """The array with the i-th slice of `values` before the index places[i]."""
    order = numpy.argsort(places, stable=True)
    lead = (slice(None),) * axis
    if places.size <= _MANY_PARTS:
        pieces, done = [], 0
        for i, before in zip(order.tolist(), places[order].tolist()):
            pieces += [arr[(*lead, slice(done, before))], values[(*lead, slice(i, i + 1))]]
            done = before
        return dpt.concat([*pieces, arr[(*lead, slice(done, None))]], axis=axis)
    length = arr.shape[axis]
    targets = places[order] + numpy.arange(places.size)
    kept = numpy.ones(length + places.size, dtype=bool)
    kept[targets] = False
    source = numpy.empty(kept.size, dtype="i8")  # the index of each slice in the array followed by the values
    source[kept] = numpy.arange(length)
    source[targets] = length + order
    return dpt.take(dpt.concat((arr, values), axis=axis), placed_like(source, arr), axis=axis)


def insert(arr: object, obj: object, values: object, axis: int | None = None) -> dpnp_ndarray:
    """Return an array with values inserted before some indices along an axis.

    Parameters
    ----------
    arr : ndarray or usm_ndarray
        The array.
    obj : int, slice, sequence of int or array of int or bool
        The indices in the original array, or a mask of them.
    values : array_like
        The values, broadcast to the indices. Several values can be inserted at a single index.
    axis : int, optional
        The axis; the flattened array when None.

    Examples
    --------
    >>> import dpnp as np
    >>> np.insert(np.array([1, 2, 3]), [0, 2], [7, 8])
    array([7, 1, 2, 8, 3])
    """
    check_arrays("insert", arr)
    place = placement_of("insert", arr, obj, values)
    arr = as_dpnp(dpt.asarray(arr, usm_type=place["usm_type"]), arr)
    if axis is None:
        arr, axis = ravel(arr), 0
    axis = normalize_axis_index(axis, arr.ndim)
    places = _insert_positions(obj, arr.shape[axis], axis)
    values = dpt.astype(as_dpnp(dpt.asarray(values, **place)), arr.dtype, copy=False)
    values = dpt.reshape(values, (1,) * (arr.ndim - values.ndim) + values.shape)
    if places.size == 1 and not isinstance(obj, slice):
        # A single int as index: the first axis of the values is inserted along the axis.
        values = values if getattr(obj, "ndim", numpy.ndim(obj)) else dpt.moveaxis(values, 0, axis)
        values = dpt.broadcast_to(values, (*arr.shape[:axis], values.shape[axis], *arr.shape[axis + 1 :]))
        lead, place = (slice(None),) * axis, int(places[0])
        made = dpt.concat((arr[(*lead, slice(place))], values, arr[(*lead, slice(place, None))]), axis=axis)
    else:
        values = dpt.broadcast_to(values, (*arr.shape[:axis], places.size, *arr.shape[axis + 1 :]))
        made = _inserted(arr, places, values, axis)
    return dpt.copy(made, order="F") if arr.flags.fnc else made
