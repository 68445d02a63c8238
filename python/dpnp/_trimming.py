"""Functions that leave out parts of arrays, or put parts in."""

from __future__ import annotations

import operator

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index, normalize_axis_tuple
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import as_dpnp

from dpnp._shapes import ravel
from dpnp._support import check_supported_arrays_type, place_of

__all__ = ["delete", "insert", "trim_zeros"]


def trim_zeros(filt: object, trim: str = "fb", axis: int | tuple[int, ...] | None = None) -> dpnp_ndarray:
    """Return a view of an array without zeros at its ends: along axes, where all elements beside are 0.

    Parameters
    ----------
    filt : ndarray or usm_ndarray
        The array.
    trim : {'fb', 'f', 'b'}, optional
        Whether the front, the back or both are trimmed.
    axis : int or tuple of int, optional
        Along which axes; None is all of them.

    Examples
    --------
    >>> import dpnp as np
    >>> np.trim_zeros(np.array([0, 0, 1, 0, 2, 0]))
    array([1, 0, 2])
    """
    check_supported_arrays_type(filt)
    filt = as_dpnp(filt)
    if not isinstance(trim, str):
        raise TypeError(f"trim_zeros: trim must be a str, got {type(trim).__name__}")
    ends = trim.lower()
    if ends not in ("fb", "bf", "f", "b"):
        raise ValueError(f"trim_zeros: unexpected character(s) in `trim`: {trim!r}; it is 'f', 'b' or both")
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


def _left_out(obj: object, length: int, axis: int) -> numpy.ndarray:
    """Which places along an axis are left out, as bools on the host: they say how long the result is."""
    out = numpy.zeros(length, dtype=bool)
    if isinstance(obj, slice):
        out[obj] = True
        return out
    if isinstance(obj, array_base):
        obj = dpt.asnumpy(obj)
    places = numpy.asarray(obj)
    if isinstance(obj, (list, tuple)) and not places.size:
        return out  # an empty list has no dtype of its own
    if places.dtype.kind == "b":
        if places.shape != (length,):
            raise ValueError(
                f"delete: a boolean array of shape {places.shape} must be of shape ({length},), as axis {axis}"
            )
        return places
    if places.dtype.kind not in "iu":
        raise IndexError(f"delete: places must be integers or bools, got dtype {places.dtype}")
    for place in places.ravel().tolist():
        if not -length <= place < length:
            raise IndexError(f"delete: index {place} is out of bounds for axis {axis} with size {length}")
        out[operator.index(place)] = True
    return out


def delete(arr: object, obj: object, axis: int | None = None) -> dpnp_ndarray:
    """Return an array without the elements at some places along an axis.

    Parameters
    ----------
    arr : ndarray or usm_ndarray
        The array.
    obj : int, slice, sequence of int or array of int or bool
        The places.
    axis : int, optional
        Along which axis; None: all elements, one after another.

    Examples
    --------
    >>> import dpnp as np
    >>> np.delete(np.array([[1, 2], [3, 4], [5, 6]]), 1, 0)
    array([[1, 2],
           [5, 6]])
    """
    check_supported_arrays_type(arr)
    arr = as_dpnp(dpt.asarray(arr, usm_type=place_of(arr, obj)["usm_type"]), arr)
    if axis is None:
        arr, axis = ravel(arr), 0
    axis = normalize_axis_index(axis, arr.ndim)
    length = arr.shape[axis]
    kept = ~_left_out(obj, length, axis)
    lead = (slice(None),) * axis
    # Runs of neighbours that stay.
    edges = numpy.flatnonzero(numpy.diff(kept, prepend=False, append=False)).tolist()
    parts = [arr[(*lead, slice(start, stop))] for start, stop in zip(edges[::2], edges[1::2])]
    order = "F" if arr.flags.fnc else "C"
    if not parts:
        return as_dpnp(dpt.copy(arr[(*lead, slice(0, 0))], order=order))
    made = dpt.concat(parts, axis=axis) if len(parts) > 1 else dpt.copy(parts[0], order=order)
    return made if order == "C" or made.flags.f_contiguous else dpt.copy(made, order=order)


def _put_in(obj: object, length: int, axis: int) -> list[int]:
    """Before which places something is put in."""
    if isinstance(obj, slice):
        return list(range(*obj.indices(length)))
    if isinstance(obj, array_base):
        obj = dpt.asnumpy(obj)
    places = numpy.asarray(obj)
    if isinstance(obj, (list, tuple)) and not places.size:
        return []  # an empty list has no dtype of its own
    if places.ndim > 1 or (places.dtype.kind == "b" and places.ndim == 0):
        raise ValueError(f"insert: places must have one axis, or be one integer, got {places.ndim} axes")
    if places.dtype.kind == "b":
        return numpy.flatnonzero(places).tolist()
    if places.dtype.kind not in "iu":
        raise IndexError(f"insert: places must be integers or bools, got dtype {places.dtype}")
    for place in places.ravel().tolist():
        if not -length <= place <= length:
            raise IndexError(f"insert: index {place} is out of bounds for axis {axis} with size {length}")
    return [int(place) + length * (place < 0) for place in places.ravel().tolist()]


def insert(arr: object, obj: object, values: object, axis: int | None = None) -> dpnp_ndarray:
    """Return an array with values put in before some places along an axis.

    Parameters
    ----------
    arr : ndarray or usm_ndarray
        The array.
    obj : int, slice, sequence of int or array of int or bool
        The places, in the array as it was.
    values : array_like
        What is put in, broadcast to the places; at one place, there can be several.
    axis : int, optional
        Along which axis; None: all elements, one after another.

    Examples
    --------
    >>> import dpnp as np
    >>> np.insert(np.array([1, 2, 3]), [0, 2], [7, 8])
    array([7, 1, 2, 8, 3])
    """
    check_supported_arrays_type(arr)
    place = place_of(arr, obj, values)
    arr = as_dpnp(dpt.asarray(arr, usm_type=place["usm_type"]), arr)
    if axis is None:
        arr, axis = ravel(arr), 0
    axis = normalize_axis_index(axis, arr.ndim)
    places = _put_in(obj, arr.shape[axis], axis)
    values = dpt.astype(as_dpnp(dpt.asarray(values, **place)), arr.dtype, copy=False)
    values = dpt.reshape(values, (1,) * (arr.ndim - values.ndim) + values.shape)
    lead = (slice(None),) * axis
    if len(places) == 1 and not isinstance(obj, slice):
        # A number for the place: the first axis of values goes along the axis.
        values = values if getattr(obj, "ndim", numpy.ndim(obj)) else dpt.moveaxis(values, 0, axis)
        shape = (*arr.shape[:axis], values.shape[axis], *arr.shape[axis + 1 :])
        parts = [(places[0], dpt.broadcast_to(values, shape))]
    else:
        values = dpt.broadcast_to(values, (*arr.shape[:axis], len(places), *arr.shape[axis + 1 :]))
        order = sorted(range(len(places)), key=places.__getitem__)
        parts = [(places[i], values[(*lead, slice(i, i + 1))]) for i in order]
    pieces, done = [], 0
    for before, part in parts:
        pieces += [arr[(*lead, slice(done, before))], part]
        done = before
    pieces.append(arr[(*lead, slice(done, None))])
    made = dpt.concat(pieces, axis=axis)
    return dpt.copy(made, order="F") if arr.flags.fnc else made
