"""Helper functions that programs and tests written for dpnp 0.18 import from this module."""

from __future__ import annotations

from collections.abc import Sequence

import dpctl
from dpctl.tensor._numpy_helper import normalize_axis_index, normalize_axis_tuple
from dpep._array import array_base
from dpep._array.dpnp import placement_of

from dpnp._support import asnumpy
from dpnp._support import supported_dtype as map_dtype_to_device

__all__ = ["convert_item", "get_usm_allocations", "map_dtype_to_device", "normalize_axis_index", "normalize_axis_tuple"]


def convert_item(item: object) -> object:
    """Return an object with arrays converted to NumPy arrays, also in lists, tuples and dicts."""
    if isinstance(item, array_base):
        return asnumpy(item)
    if isinstance(item, dict):
        return {key: convert_item(value) for key, value in item.items()}
    return type(item)(map(convert_item, item)) if type(item) in (list, tuple) else item


def get_usm_allocations(objects: Sequence[object]) -> tuple[str | None, dpctl.SyclQueue | None]:
    """Return the kind of memory and the queue of a result computed from arrays; (None, None) without arrays."""
    place = placement_of("get_usm_allocations", *objects)
    return place.get("usm_type"), place.get("sycl_queue")
