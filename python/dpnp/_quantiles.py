"""Medians, percentiles and quantiles."""

from __future__ import annotations

import warnings

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import checked_array, medians, quantiles, store_result

from dpnp._support import host_array
from dpnp._weighted_quantiles import weighted_quantiles

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

_Axes = int | tuple[int, ...] | None


def _warn_of_nan(function: str, a: dpnp_ndarray, axis: _Axes, result: dpnp_ndarray) -> None:
    """Warn as NumPy when all elements along the axes are NaN somewhere, or there are none."""
    if a.size == 0:
        if result.size:
            warnings.warn(f"{function}: Mean of empty slice", RuntimeWarning, stacklevel=3)
        return
    if a.dtype.kind not in "fc" or not bool(bound.any(bound.isnan(result))):
        return
    if bool(bound.any(bound.all(bound.isnan(a), axis=axis))):
        warnings.warn(f"{function}: All-NaN slice encountered", RuntimeWarning, stacklevel=3)


def median(
    a: object, axis: _Axes = None, out: object = None, overwrite_input: bool = False, keepdims: bool = False
) -> dpnp_ndarray:
    """Return the median over axes: the middle element in order, or the mean of the two middle ones.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The elements. Complex numbers are in lexicographic order.
    axis : int or tuple of int, optional
        The axes; all when None.
    out : ndarray or usm_ndarray, optional
        Output array of the result's shape.
    overwrite_input : bool, optional
        Accepted as in NumPy. The array is never changed.
    keepdims : bool, optional
        Whether the result keeps the reduced axes, with length 1.

    Returns
    -------
    ndarray
        Medians, of the default floating-point dtype for bools and integers; NaN where an element is NaN, and with a
        RuntimeWarning where there are no elements.

    Raises
    ------
    TypeError
        When `a` is not an array.
    numpy.exceptions.AxisError
        For an axis that the array does not have.
    ValueError
        For an axis that is named twice, and when `out` has another shape.

    Examples
    --------
    >>> import dpnp as np
    >>> np.median(np.array([[10, 7, 4], [3, 2, 1]]), axis=0)
    array([6.5, 4.5, 2.5])
    """
    a = checked_array("median", a)
    result = medians("median", a, axis, keepdims, False)
    if a.size == 0:
        _warn_of_nan("median", a, axis, result)
    return store_result("median", result, out)


def nanmedian(
    a: object, axis: _Axes = None, out: object = None, overwrite_input: bool = False, keepdims: bool = False
) -> dpnp_ndarray:
    """Return the median over axes of elements that are not NaN; NaN with a RuntimeWarning where all are NaN.

    The arguments are those of `median`.

    >>> import dpnp as np
    >>> np.nanmedian(np.array([1.0, np.nan, 2.0, 9.0]))
    array(2.)
    """
    a = checked_array("nanmedian", a)
    result = medians("nanmedian", a, axis, keepdims, True)
    _warn_of_nan("nanmedian", a, axis, result)
    return store_result("nanmedian", result, out)


def _probabilities(function: str, q: object, whole: int) -> tuple[list[float], tuple[int, ...], object, bool]:
    """The fractions q / whole, their shape, their dtype or None for a number, and whether they are integers."""
    is_number = type(q) in (int, float)
    host = host_array(q)
    if host.dtype.kind not in "biuf":
        raise TypeError(f"{function}: q must be real numbers, got {host.dtype}")
    if host.ndim > 2:
        raise ValueError(f"{function}: q must be a scalar or 1d, got {host.ndim} dimensions")
    is_integer = host.dtype.kind in "iu" and whole == 1
    fractions = host if whole == 1 else numpy.true_divide(host, whole)
    if not bool(((fractions >= 0) & (fractions <= 1)).all()):
        raise ValueError(
            f"{function}: {'Quantiles' if whole == 1 else 'Percentiles'} must be in the range [0, {whole}]"
        )
    dtype = fractions.dtype if fractions.dtype in (numpy.float32, numpy.float64) else numpy.dtype("f8")
    return fractions.ravel().tolist(), host.shape, None if is_number else dtype, is_integer


def _quantile(
    function: str,
    whole: int,
    a: object,
    q: object,
    axis: _Axes,
    out: object,
    method: str,
    keepdims: bool,
    weights: object,
) -> dpnp_ndarray:
    """The functions below; a quantile of `whole` is the largest element."""
    a = checked_array(function, a)
    values, shape, dtype, is_integer = _probabilities(function, q, whole)
    if is_integer and method == "linear" and weights is None:  # as in NumPy: elements, in their own dtype
        method = "lower"
    ignores_nan = function.startswith("nan")
    if ignores_nan and a.size == 0:
        result = bound.mean(a, axis=axis, keepdims=keepdims)
        _warn_of_nan(function, a, axis, result)
        return store_result(function, result, out)
    if weights is None:
        result = quantiles(function, a, values, dtype, axis, method, keepdims, ignores_nan)
    else:
        result = weighted_quantiles(function, a, values, axis, method, keepdims, weights, ignores_nan)
    result = dpt.reshape(result, shape + result.shape[1:])
    if not result.flags.c_contiguous:
        result = dpt.copy(result, order="C")
    if ignores_nan:
        _warn_of_nan(function, a, axis, result)
    return store_result(function, result, out)


def quantile(
    a: object,
    q: object,
    axis: _Axes = None,
    out: object = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: object = None,
) -> dpnp_ndarray:
    """Return quantiles over axes: for a fraction q, a number that is not less than that fraction of the elements.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The elements, real numbers.
    q : float, array_like, ndarray or usm_ndarray
        Fractions from 0 to 1, in at most two dimensions. Arrays on devices are copied to the host.
    axis : int or tuple of int, optional
        The axes; all when None.
    out : ndarray or usm_ndarray, optional
        Output array of the result's shape.
    overwrite_input : bool, optional
        Accepted as in NumPy. The array is never changed.
    method : str, optional
        The definition of a quantile between two elements, as in NumPy: "inverted_cdf", "averaged_inverted_cdf",
        "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased",
        "normal_unbiased", "lower", "higher", "midpoint" or "nearest".
    keepdims : bool, optional
        Whether the result keeps the reduced axes, with length 1.
    weights : array_like, optional
        Weights of the elements, in the shape of the array or of the axes, for the method "inverted_cdf": a quantile is
        the smallest element up to which the weights are at least a fraction q of their sum.

    Returns
    -------
    ndarray
        Quantiles, with the axes of `q` before those that are kept; NaN where an element is NaN. Methods that select an
        element return the array's dtype, others a floating-point dtype.

    Raises
    ------
    TypeError
        When `a` is not an array or has complex elements, and for bools with a method that interpolates.
    ValueError
        For fractions out of range, an unknown method, an axis that is named twice, and when `out` has another shape;
        for negative weights, weights of another shape, and weights with another method.
    IndexError
        When there are no elements along the axes.
    numpy.exceptions.AxisError
        For an axis that the array does not have.
    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([[10, 7, 4], [3, 2, 1]])
    >>> np.quantile(x, 0.5, axis=0)
    array([6.5, 4.5, 2.5])
    >>> np.quantile(x, [0.25, 0.75], method="lower")
    array([2, 4])
    """
    return _quantile("quantile", 1, a, q, axis, out, method, keepdims, weights)


def percentile(
    a: object,
    q: object,
    axis: _Axes = None,
    out: object = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: object = None,
) -> dpnp_ndarray:
    """Return percentiles over axes: quantiles of fractions in percent, from 0 to 100.

    The arguments are those of `quantile`.

    >>> import dpnp as np
    >>> np.percentile(np.array([10, 7, 4, 3]), 50)
    array(5.5)
    """
    return _quantile("percentile", 100, a, q, axis, out, method, keepdims, weights)


def nanquantile(
    a: object,
    q: object,
    axis: _Axes = None,
    out: object = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: object = None,
) -> dpnp_ndarray:
    """Return quantiles over axes of elements that are not NaN; NaN with a RuntimeWarning where all are NaN.

    The arguments are those of `quantile`.

    >>> import dpnp as np
    >>> np.nanquantile(np.array([1.0, np.nan, 2.0]), 0.5)
    array(1.5)
    """
    return _quantile("nanquantile", 1, a, q, axis, out, method, keepdims, weights)


def nanpercentile(
    a: object,
    q: object,
    axis: _Axes = None,
    out: object = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: object = None,
) -> dpnp_ndarray:
    """Return percentiles over axes of elements that are not NaN; NaN with a RuntimeWarning where all are NaN.

    The arguments are those of `quantile`, with fractions in percent.

    >>> import dpnp as np
    >>> np.nanpercentile(np.array([1.0, np.nan, 2.0]), 100)
    array(2.)
    """
    return _quantile("nanpercentile", 100, a, q, axis, out, method, keepdims, weights)
