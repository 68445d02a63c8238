"""Derivatives: differences of neighbours, of smoothed arrays, and what is composed of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp

from dpnp.scipy.ndimage._arguments import (
    axes_of,
    axis_of,
    converted,
    delivered,
    input_array,
    output_type,
    per_axis,
)
from dpnp.scipy.ndimage._linear_filters import along, gaussians

__all__ = [
    "gaussian_gradient_magnitude", "gaussian_laplace", "generic_gradient_magnitude", "generic_laplace", "laplace",
    "prewitt", "sobel",
]  # fmt: skip


def _derivative(
    name: str, input: object, axis: int, output: object, mode: object, cval: object, smooth: tuple[float, ...]
) -> dpnp_ndarray:
    x = input_array(name, input)
    axis = axis_of(name, axis, x.ndim)
    modes = per_axis(name, "mode", mode, x.ndim)
    dtype = output_type(name, x, output)
    made = along(name, x, (-1.0, 0.0, 1.0), axis, dtype, modes[axis], cval, 0)
    for other in range(x.ndim):
        if other != axis:
            made = along(name, made, smooth, other, dtype, modes[other], cval, 0)
    return delivered(name, made, output, dtype)


def prewitt(
    input: object, axis: int = -1, output: object = None, mode: str | tuple[str, ...] = "reflect", cval: complex = 0.0
) -> dpnp_ndarray:
    """Return differences along one axis, of sums of three elements along the others.

    The arguments are those of `correlate1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.prewitt(np.array([[1, 2, 4], [1, 2, 4], [1, 2, 4]]))
    array([[3, 9, 6],
           [3, 9, 6],
           [3, 9, 6]])
    """
    return _derivative("prewitt", input, axis, output, mode, cval, (1.0, 1.0, 1.0))


def sobel(
    input: object, axis: int = -1, output: object = None, mode: str | tuple[str, ...] = "reflect", cval: complex = 0.0
) -> dpnp_ndarray:
    """Return differences along one axis, of weighted sums (1, 2, 1) along the others.

    The arguments are those of `correlate1d`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.sobel(np.array([[1, 2, 4], [1, 2, 4], [1, 2, 4]]))
    array([[ 4, 12,  8],
           [ 4, 12,  8],
           [ 4, 12,  8]])
    """
    return _derivative("sobel", input, axis, output, mode, cval, (1.0, 2.0, 1.0))


def _total(
    name: str, input: object, output: object, mode: object, axes: object,
    term: Callable[[dpnp_ndarray, int, numpy.dtype, object], dpnp_ndarray],
) -> dpnp_ndarray:  # fmt: skip
    """The sum of `term(x, axis, dtype, mode)` over the axes, in the output's dtype."""
    x = input_array(name, input)
    dtype = output_type(name, x, output)
    where = axes_of(name, axes, x.ndim)
    modes = per_axis(name, "mode", mode, len(where))
    total = None
    for axis, m in zip(where, modes, strict=True):
        part = converted(term(x, axis, dtype, m), dtype)
        total = part if total is None else total + part
    return as_dpnp(dpt.copy(x)) if total is None else total


def generic_laplace(
    input: object,
    derivative2: Callable[..., dpnp_ndarray],
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: complex = 0.0,
    extra_arguments: tuple[object, ...] = (),
    extra_keywords: dict[str, object] | None = None,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the sum of second derivatives along the axes.

    `derivative2(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)` computes one of them: it is
    called with arrays and returns one. The other arguments are those of `correlate`.

    >>> import dpnp as np
    >>> from dpnp.scipy import ndimage
    >>> def second(x, axis, output, mode, cval):
    ...     return ndimage.correlate1d(x, [1, -2, 1], axis, output, mode, cval)
    >>> ndimage.generic_laplace(np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]), second)
    array([[ 0,  1,  0],
           [ 1, -4,  1],
           [ 0,  1,  0]])
    """
    keywords = extra_keywords or {}

    def term(x: dpnp_ndarray, axis: int, dtype: numpy.dtype, m: object) -> dpnp_ndarray:
        return derivative2(x, axis, dtype, m, cval, *extra_arguments, **keywords)

    total = _total("generic_laplace", input, output, mode, axes, term)
    return delivered("generic_laplace", total, output, total.dtype)


def laplace(
    input: object,
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: complex = 0.0,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the sum of second differences along the axes.

    The arguments are those of `correlate`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.laplace(np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]))
    array([[ 0,  1,  0],
           [ 1, -4,  1],
           [ 0,  1,  0]])
    """
    weights = (1.0, -2.0, 1.0)
    total = _total("laplace", input, output, mode, axes,
                   lambda x, axis, dtype, m: along("laplace", x, weights, axis, dtype, m, cval, 0))  # fmt: skip
    return delivered("laplace", total, output, total.dtype)


def gaussian_laplace(
    input: object,
    sigma: float | tuple[float, ...],
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: complex = 0.0,
    *,
    axes: tuple[int, ...] | None = None,
    **kwargs: object,
) -> dpnp_ndarray:
    """Return the sum of second derivatives of an array smoothed by a Gaussian.

    Keywords are those of `gaussian_filter`, `truncate` and `radius`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.gaussian_laplace(np.eye(3), 1).round(4)
    array([[-0.3847,  0.0366,  0.3479],
           [ 0.0366, -0.0733,  0.0366],
           [ 0.3479,  0.0366, -0.3847]])
    """
    return _ofgaussians("gaussian_laplace", input, sigma, output, mode, cval, axes, kwargs, 2, lambda x: x)


def _ofgaussians(
    name: str, input: object, sigma: object, output: object, mode: object, cval: object, axes: object,
    keywords: dict[str, object], order: int, change: Callable[[dpnp_ndarray], dpnp_ndarray],
) -> dpnp_ndarray:  # fmt: skip
    if unknown := set(keywords) - {"truncate", "radius"}:
        raise TypeError(f"{name}: unexpected keyword arguments {', '.join(sorted(unknown))}")
    x = input_array(name, input)
    where = axes_of(name, axes, x.ndim)
    sigmas = per_axis(name, "sigma", sigma, len(where))
    truncate, radius = keywords.get("truncate", 4.0), keywords.get("radius")

    def term(x: dpnp_ndarray, axis: int, dtype: numpy.dtype, m: object) -> dpnp_ndarray:
        orders = [order if a == axis else 0 for a in where]
        return change(gaussians(name, x, sigmas, orders, dtype, m, cval, truncate, radius, where))

    total = _total(name, x, output, mode, where, term)
    if order == 1:
        total = as_dpnp(dpt.astype(bound.sqrt(total), total.dtype, copy=False))
    return delivered(name, total, output, total.dtype)


def gaussian_gradient_magnitude(
    input: object,
    sigma: float | tuple[float, ...],
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: complex = 0.0,
    *,
    axes: tuple[int, ...] | None = None,
    **kwargs: object,
) -> dpnp_ndarray:
    """Return the length of the gradient of an array smoothed by a Gaussian.

    Keywords are those of `gaussian_filter`, `truncate` and `radius`.

    >>> import dpnp as np
    >>> np.scipy.ndimage.gaussian_gradient_magnitude(np.eye(3), 1).round(4)
    array([[0.1534, 0.2025, 0.1322],
           [0.2025, 0.    , 0.2025],
           [0.1322, 0.2025, 0.1534]])
    """
    name = "gaussian_gradient_magnitude"
    return _ofgaussians(name, input, sigma, output, mode, cval, axes, kwargs, 1, lambda x: x * x)


def generic_gradient_magnitude(
    input: object,
    derivative: Callable[..., dpnp_ndarray],
    output: object = None,
    mode: str | tuple[str, ...] = "reflect",
    cval: complex = 0.0,
    extra_arguments: tuple[object, ...] = (),
    extra_keywords: dict[str, object] | None = None,
    *,
    axes: tuple[int, ...] | None = None,
) -> dpnp_ndarray:
    """Return the square root of the sum of squared derivatives along the axes.

    The arguments are those of `generic_laplace`.

    >>> import dpnp as np
    >>> from dpnp.scipy import ndimage
    >>> ndimage.generic_gradient_magnitude(np.array([[3.0, 3.0], [7.0, 7.0]]), ndimage.sobel)
    array([[16., 16.],
           [16., 16.]])
    """
    keywords = extra_keywords or {}

    def term(x: dpnp_ndarray, axis: int, dtype: numpy.dtype, m: object) -> dpnp_ndarray:
        part = derivative(x, axis, dtype, m, cval, *extra_arguments, **keywords)
        return part * part

    total = _total("generic_gradient_magnitude", input, output, mode, axes, term)
    root = as_dpnp(dpt.astype(bound.sqrt(total), total.dtype, copy=False))
    return delivered("generic_gradient_magnitude", root, output, root.dtype)
