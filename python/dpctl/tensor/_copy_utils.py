"""Copies between arrays and NumPy, and arrays in given memory orders, under names that extensions of dpctl use."""

import numpy
from dpep._array import asnumpy, astype, copy, from_numpy, to_numpy, usm_ndarray
from dpep._array import extract_from_axis as _extract_impl
from dpep._array import place_from_axis as _place_impl
from dpep._array import put_multi_index as _put_multi_index
from dpep._array import take_multi_index as _take_multi_index
from dpep._array.tensor import broadcast_to, empty, empty_like, permute_dims
from dpep._array.tensor import nonzero as _nonzero_impl

__all__ = ["asnumpy", "astype", "copy", "from_numpy", "to_numpy"]

# Only the names are private to extensions: the functions are those that indexing uses.
_PRIVATE = (_extract_impl, _nonzero_impl, _place_impl, _put_multi_index, _take_multi_index)


def _empty_like_orderK(x: usm_ndarray, dt: object, usm_type: str | None = None, dev: object = None) -> usm_ndarray:
    """Return an uninitialised array with the shape and the memory order of another."""
    if not isinstance(x, usm_ndarray):
        raise TypeError(f"expected a usm_ndarray, got {type(x).__name__}")
    return empty_like(x, dtype=dt, usm_type=usm_type, device=dev, order="K")


def _from_numpy_empty_like_orderK(x: numpy.ndarray, dt: object, usm_type: str, dev: object) -> usm_ndarray:
    """Return an uninitialised array with the shape and the memory order of a NumPy array."""
    if not isinstance(x, numpy.ndarray):
        raise TypeError(f"expected a numpy.ndarray, got {type(x).__name__}")
    axes = sorted(range(x.ndim), key=lambda i: (-abs(x.strides[i]), i))
    laid_out = empty([x.shape[i] for i in axes], dtype=dt, usm_type=usm_type, device=dev)
    return permute_dims(laid_out, [axes.index(i) for i in range(x.ndim)])


def _empty_like_pair_orderK(
    x1: usm_ndarray, x2: usm_ndarray, dt: object, res_shape: tuple[int, ...], usm_type: str, dev: object
) -> usm_ndarray:
    """Return an uninitialised array of a shape, in the common memory order of two arrays that broadcast to it."""
    strides = []
    for x in (x1, x2):
        if not isinstance(x, usm_ndarray):
            raise TypeError(f"expected a usm_ndarray, got {type(x).__name__}")
        strides.append(broadcast_to(x, res_shape).strides)
    axes = sorted(range(len(res_shape)), key=lambda i: (*(-abs(s[i]) for s in strides), i))
    laid_out = empty([res_shape[i] for i in axes], dtype=dt, usm_type=usm_type, device=dev)
    return permute_dims(laid_out, [axes.index(i) for i in range(len(res_shape))])
