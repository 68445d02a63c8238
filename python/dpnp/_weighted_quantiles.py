"""Quantiles of weighted elements: the smallest element at which the weights reach a fraction of their sum."""

from __future__ import annotations

from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, placed_like, placement_of

__all__ = ["weighted_quantiles"]


def _rows(a: dpnp_ndarray, axes: tuple[int, ...]) -> dpnp_ndarray:
    """The array with the elements along axes as the last axis."""
    moved = dpt.moveaxis(a, axes, tuple(range(a.ndim - len(axes), a.ndim)))
    return dpt.reshape(moved, (*moved.shape[: a.ndim - len(axes)], -1))


def _weights_of(function: str, a: dpnp_ndarray, weights: object, axes: tuple[int, ...] | None) -> dpnp_ndarray:
    """The weights in the shape of the array."""
    placement_of(function, a, weights)
    w = placed_like(weights, a)
    if w.dtype.kind not in "iuf":
        raise TypeError(f"{function}: weights must be real numbers, got {w.dtype}")
    if w.shape != a.shape:
        if axes is None:
            raise TypeError(f"{function}: an axis must be given when the shapes of the array and the weights differ")
        if w.shape != tuple(a.shape[i] for i in axes):
            raise ValueError(
                f"{function}: the shape of the weights, {w.shape}, must be that of the array, {a.shape}, or that of "
                f"the axes {axes}"
            )
        order = sorted(range(len(axes)), key=lambda i: axes[i])
        w = dpt.permute_dims(w, tuple(order))
        w = dpt.broadcast_to(dpt.reshape(w, tuple(n if i in axes else 1 for i, n in enumerate(a.shape))), a.shape)
    if w.size and bool(bound.any(w < 0)):
        raise ValueError(f"{function}: weights must not be negative")
    return dpt.astype(w, dpt.result_type(w.dtype, 1.0, "f4" if not a.sycl_device.has_aspect_fp64 else "f8"))


def weighted_quantiles(
    function: str,
    a: dpnp_ndarray,
    values: list[float],
    axis: int | tuple[int, ...] | None,
    method: str,
    keepdims: bool,
    weights: object,
    ignores_nan: bool,
) -> dpnp_ndarray:
    """Return the quantiles for a list of fractions, along a new first axis."""
    if method != "inverted_cdf":
        raise ValueError(f"{function}: only the method 'inverted_cdf' supports weights, got {method!r}")
    if a.dtype.kind == "c":
        raise TypeError(f"{function}: expected real numbers, got {a.dtype}")
    given = None if axis is None else normalize_axis_tuple(axis, a.ndim)
    axes = tuple(range(a.ndim)) if given is None else given
    w, x = _rows(_weights_of(function, a, weights, given), axes), _rows(a, axes)
    count = x.shape[-1]
    if count == 0:
        raise IndexError(f"{function}: there are no elements along the axes {axes}")
    is_float = x.dtype.kind == "f"
    if is_float and ignores_nan:
        w = dpt.where(bound.isnan(x), 0.0, w)
    order = dpt.argsort(x, axis=-1, stable=True)
    x, w = dpt.take_along_axis(x, order, axis=-1), dpt.take_along_axis(w, order, axis=-1)
    sums = bound.cumsum(w, axis=-1)
    total = sums[..., -1:]
    # Elements before the first with a weight are no quantile, not even of the fraction 0.
    shares = dpt.where(sums == 0, -1.0, sums / total)
    results = []
    for q in values:
        position = bound.sum(dpt.astype(shares < q, "i8"), axis=-1, keepdims=True)
        found = dpt.take_along_axis(x, dpt.clip(position, 0, count - 1), axis=-1)[..., 0]
        if is_float:
            unknown = total[..., 0] == 0 if ignores_nan else bound.isnan(x[..., -1])
            found = dpt.where(unknown, dpt.nan, found)
        results.append(
            dpt.reshape(found, tuple(1 if i in axes else n for i, n in enumerate(a.shape))) if keepdims else found
        )
    return as_dpnp(dpt.stack(results))
