"""Statistics, reductions and accumulations that are written in Python."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array, placed_like, placement_of, store_result

from dpnp._support import (
    as_numbers,
    default_float_type,
    named,
)

__all__ = [
    "average", "count_nonzero", "cumlogsumexp", "cumulative_prod", "cumulative_sum", "logsumexp", "ptp",
    "reduce_hypot", "std", "var",
]  # fmt: skip

_Axes = int | tuple[int, ...] | None


def count_nonzero(a: object, axis: _Axes = None, *, keepdims: bool = False, out: object = None) -> dpnp_ndarray:
    """Return the number of elements over axes that are not 0.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    axis : int or tuple of int, optional
        The axes; all when None.
    keepdims : bool, optional
        Whether the result keeps those axes, with length 1.
    out : ndarray or usm_ndarray, optional
        Output array for the result.

    Examples
    --------
    >>> import dpnp as np
    >>> np.count_nonzero(np.array([[1, 0], [3, 4]]), axis=0)
    array([2, 1])
    """
    result = dpt.count_nonzero(checked_array("count_nonzero", a), axis=axis, keepdims=keepdims)
    if out is not None and getattr(out, "dtype", result.dtype) != result.dtype:
        raise ValueError(f"count_nonzero: out has dtype {out.dtype}, but the result has dtype {result.dtype}")
    return store_result("count_nonzero", result, out)


def ptp(a: object, axis: _Axes = None, out: object = None, keepdims: bool = False) -> dpnp_ndarray:
    """Return the difference of the largest and the smallest element over axes. The arguments are those of `max`.

    >>> import dpnp as np
    >>> np.ptp(np.array([4, 9, 2]))
    array(7)
    """
    a = checked_array("ptp", a)
    greatest, least = bound.max(a, axis=axis, keepdims=keepdims), bound.min(a, axis=axis, keepdims=keepdims)
    return store_result("ptp", bound.subtract(greatest, least), out)


def average(
    a: object, axis: _Axes = None, weights: object = None, returned: bool = False, *, keepdims: bool = False
) -> dpnp_ndarray | tuple[dpnp_ndarray, dpnp_ndarray]:
    """Return the weighted mean of elements over axes.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    axis : int or tuple of int, optional
        The axes; all when None.
    weights : array_like, optional
        The weights: of the array's shape, or of the lengths of the axes `axis`.
    returned : bool, optional
        Whether to return the sum of weights, too.
    keepdims : bool, optional
        Whether the result keeps those axes, with length 1.

    Raises
    ------
    ZeroDivisionError
        When the sum of the weights is 0.
    TypeError, ValueError
        When the shape of the weights does not match.

    Examples
    --------
    >>> import dpnp as np
    >>> np.average(np.array([1.0, 2.0, 4.0]), weights=np.array([1, 1, 2]))
    array(2.75)
    """
    a = checked_array("average", a)
    if weights is None:
        mean = bound.mean(a, axis=axis, keepdims=keepdims)
        total = dpt.full_like(mean, a.size / mean.size) if mean.size else mean
        return (mean, total) if returned else mean
    placement_of("average", a, weights)
    weights = placed_like(weights, a)
    dtype = dpt.result_type(a.dtype, weights.dtype)
    if a.dtype.kind not in "fc":
        dtype = dpt.result_type(dtype, default_float_type(sycl_queue=a.sycl_queue))
    if a.shape != weights.shape:
        if axis is None:
            raise TypeError("average: an axis must be given when the shapes of the array and the weights differ")
        axes = normalize_axis_tuple(axis, a.ndim)
        lengths = tuple(a.shape[i] for i in axes)
        if weights.ndim != len(axes):
            raise TypeError(
                f"average: weights must have the shape of the array or an axis for each of {len(axes)} axes, got "
                f"{weights.ndim} axes"
            )
        if weights.shape != lengths:
            raise ValueError(
                f"average: the weights of shape {weights.shape} must have the lengths {lengths} of the array's axes"
            )
        weights = dpt.permute_dims(weights, sorted(range(len(axes)), key=axes.__getitem__))
        weights = dpt.reshape(weights, tuple(n if i in axes else 1 for i, n in enumerate(a.shape)))
        weights = dpt.broadcast_to(weights, a.shape)
    total = bound.sum(weights, axis=axis, dtype=dtype, keepdims=keepdims)
    if bool(bound.any(total == 0)):
        raise ZeroDivisionError("average: the sum of the weights is 0")
    products = a.astype(dtype, copy=False) * weights  # in this dtype: those of small integers would wrap
    mean = bound.sum(products, axis=axis, dtype=dtype, keepdims=keepdims) / total
    return (mean, total) if returned else mean


def degrees_of_freedom(name: str, ddof: object, correction: object) -> float:
    """The number subtracted from the number of elements in the divisor, given as ddof or as correction."""
    if correction is not None:
        if ddof != 0:
            raise ValueError(f"{name}: ddof and correction can't be provided simultaneously.")
        ddof = correction
    ddof = as_numbers(ddof)
    if not isinstance(ddof, (int, float)):
        raise TypeError(f"{name}: ddof must be a real number, got {type(ddof).__name__}")
    return ddof


def spread_function(
    name: str,
    compute: Callable[[str, object, _Axes, object, object, float, bool, object, object], dpnp_ndarray],
    documentation: str,
) -> Callable[..., dpnp_ndarray]:
    """Create var, std, nanvar or nanstd."""

    def function(
        a: object,
        axis: _Axes = None,
        dtype: object = None,
        out: object = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: object = True,
        mean: object = None,
        correction: float | None = None,
    ) -> dpnp_ndarray:
        degrees = degrees_of_freedom(name, ddof, correction)
        a = checked_array(name, a)
        if isinstance(where, list | tuple | numpy.ndarray):
            where = placed_like(where, a)
        return compute(name, a, axis, dtype, out, degrees, keepdims, mean, where)

    return named(function, name, documentation)


def _spread(
    reduce: Callable[..., dpnp_ndarray],
    name: str,
    a: dpnp_ndarray,
    axis: _Axes,
    dtype: object,
    out: object,
    ddof: float,
    keepdims: bool,
    mean: object,
    where: object,
) -> dpnp_ndarray:
    """The variance or the standard deviation."""
    if mean is None and where is True and a.dtype.kind != "c":
        wider = dtype is not None and a.dtype.kind == numpy.dtype(dtype).kind == "f"
        source = dpt.astype(a, numpy.promote_types(a.dtype, dtype), copy=False) if wider else a
        result = reduce(source, axis=axis, correction=ddof, keepdims=keepdims)
    else:
        if a.dtype.kind not in "fc":
            a = dpt.astype(a, default_float_type(sycl_queue=a.sycl_queue))
        # In NumPy, the mean of complex numbers in a real dtype is that of the real parts, with a warning.
        real = a.dtype.kind == "c" and dtype is not None and numpy.dtype(dtype).kind == "f"
        center = (
            bound.mean(a, axis=axis, keepdims=True, dtype=dtype if real else None, where=where)
            if mean is None
            else as_dpnp(mean)
        )
        deviation = a - center
        square = bound.square(deviation.real) + bound.square(deviation.imag) if a.dtype.kind == "c" else deviation**2
        result = bound.sum(square, axis=axis, keepdims=keepdims, where=where)
        axes = range(a.ndim) if axis is None else normalize_axis_tuple(axis, a.ndim)
        count = int(numpy.prod([a.shape[i] for i in axes], dtype=numpy.int64))
        if where is True:
            remaining = max(count - ddof, 0)
            result = result / (remaining if remaining else numpy.nan)
        else:
            present = dpt.broadcast_to(placed_like(where, a), a.shape)
            remaining = bound.sum(present, axis=axis, keepdims=keepdims, dtype=result.dtype) - ddof
            result = result / dpt.where(remaining > 0, remaining, numpy.nan)
        if reduce is dpt.std:
            result = bound.sqrt(result)
    if dtype is not None and out is None:
        result = dpt.astype(result, dtype, casting="same_kind", copy=False)
    return store_result(name, result, out, "same_kind")


var = spread_function(
    "var",
    functools.partial(_spread, dpt.var),
    """Return the variance of elements over axes: the mean of the squared deviations from the mean.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    axis : int or tuple of int, optional
        The axes; all when None.
    dtype : dtype, optional
        Data type of the result.
    out : ndarray or usm_ndarray, optional
        Output array for the result.
    ddof, correction : float, optional
        Degrees of freedom c: the sum of squares is divided by n - c for n elements. Only one can be given.
    keepdims : bool, optional
        Whether the result keeps those axes, with length 1.
    mean : ndarray, optional
        The mean, if known, with length 1 along the axes.
    where : bool or ndarray of bool, optional
        The elements to include, broadcast to the array's shape.

    Examples
    --------
    >>> import dpnp as np
    >>> np.var(np.array([1.0, 2.0, 3.0, 6.0]))
    array(3.5)
    """,
)
std = spread_function(
    "std",
    functools.partial(_spread, dpt.std),
    """Return the standard deviation of elements over axes, the square root of `var`, with the same arguments.

    >>> import dpnp as np
    >>> np.std(np.array([1.0, 3.0]))
    array(1.)
    """,
)


def _accumulation(
    name: str, what: str, sample: str, result: str, in_dpctl: str = "", flat: bool = False
) -> Callable[..., dpnp_ndarray]:
    accumulate = getattr(dpt, in_dpctl or name)

    def function(
        x: object,
        /,
        *,
        axis: int | None = None,
        dtype: object = None,
        out: object = None,
        include_initial: bool = False,
    ) -> dpnp_ndarray:
        x = checked_array(name, x)
        if x.ndim == 0 or (flat and axis is None and x.ndim > 1):  # as in NumPy, the result has at least one axis
            x = dpt.reshape(x, (-1,))
        return store_result(name, accumulate(x, axis=axis, dtype=dtype, include_initial=include_initial), out)

    documentation = f"""Return the cumulative {what} of elements.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The array.
    axis : int, optional
        The axis; {"the flattened array when None." if flat else "optional for arrays of one axis."}
    dtype : dtype, optional
        Data type of the result and of the computation.
    out : ndarray or usm_ndarray, optional
        Output array for the result.
    include_initial : bool, optional
        Whether the result begins with the operation's identity.

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}({sample})
    {result}
    """
    return named(function, name, documentation)


_LOGARITHMS = "logarithms of the sums of the exponentials"

cumulative_sum = _accumulation("cumulative_sum", "sums", "np.array([1, 2]), include_initial=True", "array([0, 1, 3])")
cumulative_prod = _accumulation("cumulative_prod", "products", "np.array([1, 2, 3])", "array([1, 2, 6])")
cumlogsumexp = _accumulation(
    "cumlogsumexp", _LOGARITHMS, "np.zeros(2)", "array([0.        , 0.69314718])", "cumulative_logsumexp", flat=True
)


def _floating_reduction(name: str, what: str, sample: str, result: str) -> Callable[..., dpnp_ndarray]:
    reduce = getattr(dpt, name)

    def function(
        x: object,
        /,
        *,
        axis: _Axes = None,
        dtype: object = None,
        keepdims: bool = False,
        out: object = None,
    ) -> dpnp_ndarray:
        return store_result(name, reduce(checked_array(name, x), axis=axis, dtype=dtype, keepdims=keepdims), out)

    documentation = f"""Return the {what} of elements over axes.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Real numbers.
    axis : int or tuple of int, optional
        The axes; all when None.
    dtype : dtype, optional
        Data type of the result and of the computation.
    keepdims : bool, optional
        Whether the result keeps those axes, with length 1.
    out : ndarray or usm_ndarray, optional
        Output array for the result.

    Examples
    --------
    >>> import dpnp as np
    >>> np.{name}({sample})
    {result}
    """
    return named(function, name, documentation)


logsumexp = _floating_reduction("logsumexp", _LOGARITHMS, "np.zeros(1)", "array(0.)")
reduce_hypot = _floating_reduction(
    "reduce_hypot", "square roots of the sums of squares", "np.array([3.0, 4.0])", "array(5.)"
)
