"""Grids of coordinates: meshgrid, mgrid, ogrid, indices."""

from __future__ import annotations

import math

import dpctl.utils
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, placement_of

from dpnp._ranges import arange
from dpnp._support import default_float_type, get_normalized_queue_device, supported_dtype

__all__ = ["MGridClass", "OGridClass", "indices", "meshgrid", "mgrid", "ogrid"]


def meshgrid(*xi: object, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> list[dpnp_ndarray]:
    """Return coordinate arrays of the points of a grid.

    Parameters
    ----------
    *xi : ndarray or usm_ndarray
        The coordinates along each axis, 1-d arrays.
    copy : bool, optional
        Whether to return copies. False: views whose elements share memory.
    sparse : bool, optional
        Whether each result has length 1 along all axes except its own.
    indexing : {'xy', 'ij'}, optional
        Whether the first array varies along the second axis of the results, as in an image, or along the first.

    Examples
    --------
    >>> import dpnp as np
    >>> np.meshgrid(np.arange(2), np.arange(3), sparse=True)
    [array([[0, 1]]), array([[0],
           [1],
           [2]])]
    """
    check_arrays("meshgrid", *xi)
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', got {indexing!r}")
    placement_of("meshgrid", *xi)
    n = len(xi)
    grids = [dpt.reshape(as_dpnp(x), (1,) * i + (-1,) + (1,) * (n - 1 - i)) for i, x in enumerate(xi)]
    if indexing == "xy" and n > 1:
        grids[:2] = [dpt.swapaxes(grid, 0, 1) for grid in grids[:2]]
    if not sparse and n:
        grids = dpt.broadcast_arrays(*grids)
    return [dpt.copy(grid) if copy else grid for grid in grids]


def indices(
    dimensions: tuple[int, ...],
    dtype: object = int,
    sparse: bool = False,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray | tuple[dpnp_ndarray, ...]:
    """Return the indices of the elements of an array of the given shape, along each axis.

    Parameters
    ----------
    dimensions : tuple of int
        The shape.
    dtype : dtype, optional
        Data type of the indices.
    sparse : bool, optional
        Whether to return a tuple of arrays with length 1 along all axes except one, instead of one array.
    device, usm_type, sycl_queue
        As in `zeros`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.indices((2, 2))
    array([[[0, 0],
            [1, 1]],
    <BLANKLINE>
           [[0, 1],
            [0, 1]]])
    """
    shape = tuple(dimensions)
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    if dtype is None and not sparse:  # as in NumPy
        dtype = default_float_type(device, sycl_queue)
    axes = [
        dpt.reshape(arange(n, dtype=dtype, **place), (1,) * i + (n,) + (1,) * (len(shape) - 1 - i))
        for i, n in enumerate(shape)
    ]
    if sparse:
        return tuple(axes)
    if not axes:
        return as_dpnp(dpt.empty((0,), dtype=dtype, **place))
    return dpt.stack([dpt.broadcast_to(axis, shape) for axis in axes])


class _Grid:
    """Base class of objects that create grids when indexed with slices: `mgrid[0:2, 0:3]`."""

    _sparse: bool

    def __init__(self, device: object = None, usm_type: str | None = "device", sycl_queue: object = None) -> None:
        dpctl.utils.validate_usm_type(usm_type, allow_none=True)
        queue = get_normalized_queue_device(device=device, sycl_queue=sycl_queue)
        self._place = {"usm_type": usm_type or "device", "sycl_queue": queue}

    def __call__(self, device: object = None, usm_type: str | None = "device", sycl_queue: object = None) -> _Grid:
        """Return an object that creates grids on another device or in another kind of memory."""
        return type(self)(device=device, usm_type=usm_type, sycl_queue=sycl_queue)

    def _bounds(self, part: slice) -> tuple[object, object, object]:
        """Start, stop and step. NumPy arrays become arrays on the device, 0-d ones numbers."""
        bounds = []
        for bound, default in ((part.start, 0), (part.stop, None), (part.step, 1)):
            if isinstance(bound, numpy.ndarray):
                bound = as_dpnp(dpt.asarray(bound, **self._place)) if bound.ndim else bound[()]
            bounds.append(default if bound is None else bound)
        return tuple(bounds)

    def _dtype(self, bounds: list[object]) -> numpy.dtype:
        types = [b.dtype if isinstance(b, (array_base, numpy.generic)) else b for b in bounds]
        return supported_dtype(numpy.result_type(*types), self._place["sycl_queue"].sycl_device)

    def _line(self, count: int, start: object, stop: object, step: object, dtype: numpy.dtype) -> dpnp_ndarray:
        """The coordinates along an axis. Bounds that are arrays are broadcast, as in NumPy."""
        places = arange(count, dtype=dtype, **self._place)
        if isinstance(step, (complex, numpy.complexfloating)):
            step = (stop - start) / float(count - 1) if count != 1 else 1
        return places * step + start

    def _single(self, part: slice) -> dpnp_ndarray:
        start, stop, step = self._bounds(part)
        if isinstance(step, (complex, numpy.complexfloating)):  # the number of points, including stop
            return self._line(int(abs(step)), start, stop, step, self._dtype([start, stop, float(abs(step))]))
        numbers = (b.item() if isinstance(b, array_base) else b for b in (start, stop, step))
        return arange(*numbers, **self._place)

    def __getitem__(self, key: slice | tuple[slice, ...]) -> dpnp_ndarray | list[dpnp_ndarray]:
        if isinstance(key, slice):
            return self._single(key)
        counts, numbers, bounds = [], [0], [self._bounds(part) for part in key]
        for start, stop, step in bounds:
            many = isinstance(step, (complex, numpy.complexfloating))
            counts.append(int(abs(step)) if many else max(math.ceil((stop - start) / step), 0))
            numbers += [start, stop, float(abs(step)) if many else step]
        dtype = self._dtype(numbers)
        lines = [self._line(n, *b, dtype) for n, b in zip(counts, bounds)]
        axes = range(len(lines))
        if self._sparse:
            return [line[tuple(slice(None) if k == axis else None for k in axes)] for axis, line in enumerate(lines)]
        if not lines:
            return as_dpnp(dpt.empty((0,), dtype=dtype, **self._place))
        full = []
        for axis, (line, n) in enumerate(zip(lines, counts)):
            along = dpt.reshape(line, (n,) + (1,) * (len(lines) - 1 - axis)) if line.shape == (n,) else line
            full.append(dpt.astype(dpt.broadcast_to(along, tuple(counts)), dtype, copy=False))
        return dpt.stack(full)


class MGridClass(_Grid):
    """Dense grids: indexing with slices returns an array of the coordinates of all points along each axis.

    The step of a slice may be an imaginary number: the number of points, including `stop`.

    >>> import dpnp as np
    >>> np.mgrid[0:2, 0:2]
    array([[[0, 0],
            [1, 1]],
    <BLANKLINE>
           [[0, 1],
            [0, 1]]])
    """

    _sparse = False


class OGridClass(_Grid):
    """Open grids: indexing with slices returns a list of coordinate arrays with length 1 along all axes except one.

    >>> import dpnp as np
    >>> [x.shape for x in np.ogrid[0:2, 0:1:5j]]
    [(2, 1), (1, 5)]
    """

    _sparse = True


class _OnFirstUse:
    """A grid object of the default device, which is selected at the first use of the object."""

    def __init__(self, kind: type[_Grid]) -> None:
        self._kind = kind
        self.__doc__ = kind.__doc__

    def __getitem__(self, key: object) -> object:
        return self._kind()[key]

    def __call__(self, **placement: object) -> _Grid:
        return self._kind(**placement)


mgrid = _OnFirstUse(MGridClass)
ogrid = _OnFirstUse(OGridClass)
