"""Arrays of coefficients, of which the first belongs to the lowest degree."""

from __future__ import annotations

import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, placement_of

import dpnp
from dpnp._support import default_float_type

__all__ = ["in_place_of", "inexact", "joined", "placed", "series", "trimmed"]


def in_place_of(x: dpnp_ndarray) -> dict[str, object]:
    """Keyword arguments for an array on the queue and in the kind of memory of another."""
    return {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}


def inexact(x: dpnp_ndarray) -> dpnp_ndarray:
    """The array in a floating-point or complex dtype."""
    return x if x.dtype.kind in "fc" else as_dpnp(dpt.astype(x, default_float_type(x.sycl_device)))


def placed(name: str, *given: object) -> list[dpnp_ndarray]:
    """Arrays on one queue. Numbers, sequences and arrays of NumPy go to that of the others."""
    arrays = [x for x in given if isinstance(x, array_base)]
    place = placement_of(name, *arrays) if arrays else {}
    made = []
    for x in given:
        if isinstance(x, array_base):
            made.append(as_dpnp(x))
            continue
        host = numpy.asarray(x)
        if host.dtype.kind not in "biufc":
            raise TypeError(f"{name}: expected numbers, got {type(x).__name__} of dtype {host.dtype}")
        made.append(dpnp.asarray(host, **place))
    return made


def trimmed(c: dpnp_ndarray) -> dpnp_ndarray:
    """The coefficients without zeros at the end, at least one."""
    if c.size < 2 or bool(c[-1] != 0):
        return c
    others = numpy.flatnonzero(dpnp.asnumpy(c != 0))
    return c[: int(others[-1]) + 1 if others.size else 1]


def series(name: str, *given: object) -> list[dpnp_ndarray]:
    """Coefficients with one axis and one dtype, without zeros at the end."""
    lists = [inexact(x) for x in placed(name, *given)]
    for x in lists:
        if x.ndim > 1:
            raise ValueError(f"{name}: coefficients must have one axis, got shape {x.shape}")
        if x.size == 0:
            raise ValueError(f"{name}: expected at least one coefficient, got an empty array")
    dtype = dpnp.result_type(*lists)
    return [trimmed(dpnp.astype(dpnp.reshape(x, (-1,)), dtype, copy=False)) for x in lists]


def joined(*parts: dpnp_ndarray) -> dpnp_ndarray:
    return as_dpnp(dpt.concat(parts, axis=0))
