"""Covariances and correlation coefficients."""

from __future__ import annotations

import operator
import warnings

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, checked_array, placement_of

from dpnp._diagonals import diagonal
from dpnp._reductions import average
from dpnp._support import default_float_type

__all__ = ["corrcoef", "cov"]


def _variables(function: str, name: str, m: object, rowvar: bool, dtype: object) -> dpnp_ndarray:
    """A copy with a row for each variable."""
    m = checked_array(function, m)
    if m.ndim > 2:
        raise ValueError(f"{function}: {name} has more than 2 dimensions: {m.ndim}")
    rows = dpt.reshape(m, (1, -1)) if m.ndim < 2 else m
    if not rowvar and m.ndim == 2 and (name == "m" or rows.shape[0] != 1):
        rows = rows.T
    return dpt.astype(rows, dtype)


def _weights(name: str, weights: object, count: int) -> dpnp_ndarray:
    weights = checked_array("cov", weights)
    if weights.ndim > 1:
        raise RuntimeError(f"cov: cannot handle multidimensional {name}, got shape {weights.shape}")
    if weights.size != count:
        raise RuntimeError(f"cov: incompatible numbers of samples and {name}, {count} and {weights.size}")
    if bool(bound.any(weights < 0)):
        raise ValueError(f"cov: {name} cannot be negative")
    return dpt.astype(weights, default_float_type(weights.sycl_device), copy=False)


def cov(
    m: object,
    y: object = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: object = None,
    aweights: object = None,
    *,
    dtype: object = None,
) -> dpnp_ndarray:
    """Return the matrix of covariances of variables.

    Parameters
    ----------
    m : ndarray or usm_ndarray
        Observations of the variables: a row for each variable. An array with one axis is one variable.
    y : ndarray or usm_ndarray, optional
        Further variables, in the same form.
    rowvar : bool, optional
        Whether variables are rows; else they are columns.
    bias : bool, optional
        Whether to divide by the number of observations N; else by N - 1.
    ddof : int, optional
        Divide by N - ddof, whatever `bias` is.
    fweights, aweights : ndarray or usm_ndarray, optional
        How often each observation was made, integers; and its weight.
    dtype : dtype, optional
        Data type of the result; by default at least the default floating-point dtype.

    Returns
    -------
    ndarray
        The covariances, in a matrix; of one variable in a 0-d array.

    Raises
    ------
    TypeError
        When an operand is not an array, and for `fweights` that are not integers.
    ValueError
        For more than 2 dimensions, a `ddof` that is no integer, and negative weights.
    RuntimeError
        For weights of another length than there are observations.

    Examples
    --------
    >>> import dpnp as np
    >>> np.cov(np.array([[0, 1, 2], [2, 1, 0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    given = [a for a in (m, y, fweights, aweights) if a is not None]
    check_arrays("cov", *given)
    placement_of("cov", *given)
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"cov: ddof must be integer, got {ddof}")
    ddof = int(not bias) if ddof is None else operator.index(int(ddof))
    m = as_dpnp(m)
    if dtype is None:
        dtype = numpy.result_type(m.dtype, *(() if y is None else (y.dtype,)), default_float_type(m.sycl_device))
    x = _variables("cov", "m", m, rowvar, dtype)
    if x.shape[0] == 0:
        return dpt.reshape(x[:, :0], (0, 0))
    if y is not None:
        y = _variables("cov", "y", y, rowvar, dtype)
        if y.shape[1] != x.shape[1]:
            raise ValueError(f"cov: m and y have different numbers of observations, {x.shape[1]} and {y.shape[1]}")
        x = dpt.concat((x, y))
    count, weights = x.shape[1], None
    if fweights is not None:
        if fweights.dtype.kind not in "iub" and not bool(bound.all(fweights == dpt.round(fweights))):
            raise TypeError(f"cov: fweights must be integer, got {fweights.dtype}")
        weights = _weights("fweights", fweights, count)
    if aweights is not None:
        aweights = _weights("aweights", aweights, count)
        weights = aweights if weights is None else weights * aweights
    mean, total = average(x, axis=1, weights=weights, returned=True)
    if weights is None:
        freedom = count - ddof
    else:
        freedom = float(total[0].real)
        if ddof and aweights is None:
            freedom -= ddof
        elif ddof:
            freedom -= ddof * float(bound.sum(weights * aweights)) / freedom
    if freedom <= 0:
        warnings.warn("cov: Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        freedom = 0.0
    x = x - mean[:, None]
    scaled = x if weights is None else x * dpt.astype(weights, x.real.dtype, copy=False)
    product = dpt.matmul(x, bound.conj(scaled.T) if x.dtype.kind == "c" else scaled.T)
    return dpt.squeeze(product * (1 / freedom if freedom else numpy.inf))


def corrcoef(x: object, y: object = None, rowvar: bool = True, *, dtype: object = None) -> dpnp_ndarray:
    """Return the matrix of Pearson's correlation coefficients of variables. The arguments are those of `cov`.

    >>> import dpnp as np
    >>> np.corrcoef(np.array([[0, 1, 2], [4, 2, 0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    check_arrays("corrcoef", x, *(() if y is None else (y,)))
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = bound.sqrt(diagonal(c).real)
    c = c / deviations[:, None] / deviations[None, :]
    if c.dtype.kind != "c":
        return dpt.clip(c, -1, 1)
    return dpt.clip(c.real, -1, 1) + 1j * dpt.clip(c.imag, -1, 1)
