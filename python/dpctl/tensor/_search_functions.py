"""The result type of `where` for given device capabilities, under dpctl's module name."""

from __future__ import annotations

from dpep._array.tensor import where

from dpctl.tensor._data_types import dtype
from dpctl.tensor._type_utils import _all_data_types, _can_cast, _Device, result_type

__all__ = ["where"]


def _where_result_type(dt1: dtype, dt2: dtype, dev: _Device) -> dtype | None:
    """The dtype of where(condition, x1, x2), or None when the device supports no dtype that holds both."""
    fp16, fp64 = dev.has_aspect_fp16, dev.has_aspect_fp64
    types = _all_data_types(fp16, fp64)
    if (promoted := result_type(dt1, dt2)) in types:
        return promoted
    return next((t for t in types if _can_cast(dt1, t, fp16, fp64) and _can_cast(dt2, t, fp16, fp64)), None)
