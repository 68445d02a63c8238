"""Connected regions: labels of their elements, and the slices that contain them."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array

import dpnp
from dpnp._support import host_array

__all__ = ["find_objects", "label"]


def _structure(structure: object, axes: int) -> numpy.ndarray:
    """The neighbours, 3 along each axis; by default those along one axis."""
    if structure is None:
        return numpy.abs(numpy.indices((3,) * axes) - 1).sum(axis=0) <= 1
    found = host_array(structure).astype(bool)
    if found.shape != (3,) * axes:
        raise ValueError(f"label: the structure must have shape {(3,) * axes}, got {found.shape}")
    if not (found == numpy.flip(found)).all():
        raise ValueError("label: the structure must be symmetric")
    return found


def _shifted(offset: tuple[int, ...]) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Slices of the elements that have a neighbour at an offset, and of these neighbours."""
    here = tuple(slice(max(-o, 0), -o if o > 0 else None) for o in offset)
    there = tuple(slice(max(o, 0), o if o < 0 else None) for o in offset)
    return here, there


def runs_of(mask: dpnp_ndarray, structure: numpy.ndarray) -> tuple[dpnp_ndarray, list[dpnp_ndarray], int]:
    """The number of each element's run, from 1, the numbers of pairs of runs that touch, and the number of runs.

    A run is a sequence of true elements along the last axis; a single element if these are no neighbours.
    """
    offsets = [tuple(int(i) - 1 for i in at) for at in numpy.argwhere(structure)]
    offsets = [o for o in offsets if o < (0,) * mask.ndim]
    along = (0,) * (mask.ndim - 1) + (-1,)
    starts = mask
    if along in offsets and mask.shape[-1] > 1:
        offsets.remove(along)
        starts = dpnp.copy(mask)
        dpnp.greater(mask[..., 1:], mask[..., :-1], out=starts[..., 1:])
    numbers = dpnp.cumsum(starts, dtype="i4" if mask.size < 2**31 else "i8")
    count = int(numbers[-1])
    numbers = dpnp.reshape(numbers, mask.shape)
    if count < 2:
        return numbers, [], count
    pairs = []
    for offset in offsets:
        here, there = _shifted(offset)
        # Two runs are a pair where the later of their first elements touches the other run.
        touch = mask[here] & mask[there] & (starts[here] | starts[there])
        pairs.append((numbers[here][touch], numbers[there][touch]))
    return numbers, [dpnp.concatenate(list(each)) for each in zip(*pairs, strict=True)], count


def joined(pairs: list[dpnp_ndarray], count: int, like: dpnp_ndarray) -> dpnp_ndarray:
    """The smallest number of the numbers from 0 that each number is connected with by pairs.

    Each number is a tree at first. In each round, the root of a tree is joined to the smallest root that it is a pair
    with, and all paths are shortened to one step. The number of rounds grows with the logarithm of the count.
    Y. Shiloach and U. Vishkin, An O(log n) parallel connectivity algorithm (1982).
    """
    parents = dpnp.arange(count, dtype=like.dtype, usm_type=like.usm_type, sycl_queue=like.sycl_queue)
    if not pairs:
        return parents
    first, second = pairs
    while first.size:
        lower, higher = dpnp.minimum(first, second), dpnp.maximum(first, second)
        dpnp.minimum.at(parents, higher, lower)
        while True:
            shorter = parents[parents]
            if not bool((shorter != parents).any()):
                break
            parents = shorter
        first, second = parents[lower], parents[higher]
        apart = first != second
        first, second = first[apart], second[apart]
    return parents


def label(input: object, structure: object = None, output: object = None) -> tuple[dpnp_ndarray, int] | int:
    """Number the connected regions of elements that are not 0.

    Parameters
    ----------
    input : ndarray
        The array.
    structure : array_like, optional
        Which of the 3 x 3 x … elements around an element are its neighbours, a symmetric array of bools on the host. By
        default those that differ from it along one axis.
    output : dtype or ndarray, optional
        The dtype of the labels, by default int32, or an array for them.

    Returns
    -------
    labels : ndarray
        The number of each element's region, in the order of the regions' first elements, and 0 elsewhere. Not returned
        if `output` is an array.
    count : int
        The number of regions.

    Raises
    ------
    ValueError
        For a structure of another shape or without symmetry, and an output array of another shape.
    TypeError
        When `input` is not an array, and for complex numbers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.label(np.array([0, 1, 1, 0, 5, 0, 2]))
    (array([0, 1, 1, 0, 2, 0, 3], dtype=int32), 3)
    """
    x = as_dpnp(checked_array("label", input))
    if x.dtype.kind == "c":
        raise TypeError("label: not defined for complex numbers")
    is_array = isinstance(output, array_base)
    if is_array and output.shape != x.shape:
        raise ValueError(f"label: the output must have shape {x.shape}, got {output.shape}")
    mask = x != 0
    if x.ndim == 0 or x.size == 0:
        found, count = dpnp.astype(mask, "i4"), int(dpnp.count_nonzero(mask))
    else:
        numbers, pairs, runs = runs_of(mask, _structure(structure, x.ndim))
        roots = joined(pairs, runs + 1, numbers)  # 0 is the number of elements before the first run
        is_root = roots == dpnp.arange(runs + 1, dtype=roots.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)
        labels = dpnp.cumsum(is_root, dtype="i4") - 1
        count = int(labels[-1])
        found = dpnp.where(mask, dpnp.take(labels[roots], numbers), 0)
    if is_array:
        output[...] = found
        return count
    return dpnp.astype(found, "i4" if output is None else output, copy=False), count


def find_objects(input: object, max_label: int = 0) -> list[tuple[slice, ...] | None]:
    """Return slices that contain the elements of each label.

    Parameters
    ----------
    input : ndarray
        The labels, integers; those that are not positive are no label.
    max_label : int, optional
        The largest label to look for, by default the largest one.

    Returns
    -------
    list of tuples of slices
        For the labels 1, 2, …: a slice for each axis, or None for a label without elements.

    Raises
    ------
    TypeError
        When `input` is not an array of integers.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.ndimage.find_objects(np.array([[0, 1], [1, 1], [0, 3]]))
    [(slice(0, 2, None), slice(0, 2, None)), None, (slice(2, 3, None), slice(1, 2, None))]
    """
    x = as_dpnp(checked_array("find_objects", input))
    if x.dtype.kind not in "iu":
        raise TypeError(f"find_objects: expected integers, got {x.dtype}")
    if x.size == 0 or x.ndim == 0:
        return []
    count = max_label if max_label > 0 else int(dpnp.max(x))
    if count < 1:
        return []
    place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
    labels = dpnp.astype(x, "i8", copy=False)
    labels = dpnp.where(dpnp.logical_and(labels > 0, labels <= count), labels, 0)
    bounds = []
    for axis, n in enumerate(x.shape):
        shape = [n if i == axis else 1 for i in range(x.ndim)]
        at = dpnp.broadcast_to(dpnp.reshape(dpnp.arange(n, dtype="i8", **place), shape), x.shape)
        low = dpnp.full(count + 1, n, dtype="i8", **place)
        high = dpnp.full(count + 1, -1, dtype="i8", **place)
        dpnp.minimum.at(low, labels, at)
        dpnp.maximum.at(high, labels, at)
        bounds.append((dpt.asnumpy(low).tolist(), dpt.asnumpy(high).tolist()))
    first = bounds[0][1]
    return [
        tuple(slice(low[i], high[i] + 1) for low, high in bounds) if first[i] >= 0 else None
        for i in range(1, count + 1)
    ]
