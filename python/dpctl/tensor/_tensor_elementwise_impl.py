"""Computations with events, under the module name that extensions of dpctl import."""

from __future__ import annotations

from collections.abc import Sequence

from dpep._array.tensor import divide
from dpep._core import SyclEvent, SyclQueue

from dpctl.tensor import usm_ndarray
from dpctl.tensor._elementwise_common import _after


def _divide_by_scalar(
    *,
    src: usm_ndarray,
    scalar: float,
    dst: usm_ndarray,
    sycl_queue: SyclQueue,
    depends: Sequence[SyclEvent] = (),
) -> tuple[SyclEvent, SyclEvent]:
    """Write the array divided by the number, which is cast to the array's dtype, to `dst`."""
    return _after(depends, sycl_queue, lambda: divide(src, float(scalar), out=dst))
