"""Operands of functions that are composed of others: arrays of float64, and the dtype of the result."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_numbers, placed_like, placement_of

import dpnp
from dpnp._support import array_or_number, default_float_type

__all__ = ["delivered", "real_operands"]


def real_operands(name: str, *given: object) -> tuple[list[dpnp_ndarray], object]:
    """Operands in the widest dtype of floats, broadcast to one shape, and the dtype of the result.

    That is float32 if all arrays are of float32 or float16. TypeError for complex numbers and other objects.
    """
    check_numbers(name, *given)
    arrays = [x for x in given if isinstance(x, array_base)]
    placement_of(name, *arrays)
    made = [as_dpnp(placed_like(x, arrays[0])) if arrays else array_or_number(name, x) for x in given]
    for x in made:
        if x.dtype.kind == "c":
            raise TypeError(f"{name}: expected real numbers, got {x.dtype}")
    wide = default_float_type(sycl_queue=made[0].sycl_queue)
    is_single = bool(arrays) and all(x.dtype.char in "ef" for x in arrays)
    made = [dpnp.astype(x, wide, copy=False) for x in made]
    if len({x.shape for x in made}) > 1:
        made = [as_dpnp(x) for x in dpt.broadcast_arrays(*made)]
    return made, "f4" if is_single else wide


def delivered(made: object, dtype: object) -> dpnp_ndarray:
    """The result in its dtype."""
    return dpnp.astype(as_dpnp(made), dtype, copy=False)
