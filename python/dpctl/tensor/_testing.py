"""Comparison of arrays up to a tolerance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpep._array import check_same_queue, tensor

if TYPE_CHECKING:
    from dpctl.tensor import usm_ndarray


def _close(a: usm_ndarray, b: usm_ndarray, atol: float, rtol: float, equal_nan: bool) -> usm_ndarray:
    """Whether elements of two real arrays are close, element by element."""
    size = tensor.maximum(tensor.abs(a), tensor.abs(b))
    near = tensor.abs(tensor.subtract(a, b)) <= tensor.maximum(size * rtol, atol)
    close = tensor.equal(a, b) | (near & tensor.isfinite(size))
    return close | (tensor.isnan(a) & tensor.isnan(b)) if equal_nan else close


def allclose(
    a1: usm_ndarray, a2: usm_ndarray, atol: float = 1e-8, rtol: float = 1e-5, equal_nan: bool = False
) -> usm_ndarray:
    """Return whether all elements of two arrays are close: abs(a1 - a2) <= max(atol, rtol * max(abs(a1), abs(a2))).

    Infinities are close only to equal infinities. Integers and bools must be equal. The real and the imaginary parts of
    complex numbers must both be close.

    Parameters
    ----------
    a1, a2 : usm_ndarray
        The arrays, which are broadcast to a common shape.
    atol, rtol : float, optional
        Absolute and relative tolerance, not negative.
    equal_nan : bool, optional
        Whether NaN is close to NaN.

    Returns
    -------
    usm_ndarray
        A 0-d array of bool.

    Raises
    ------
    TypeError
        When an argument is not an array.
    ValueError
        For a negative tolerance, and when the shapes cannot be broadcast.
    ExecutionPlacementError
        When the arrays are on different queues.

    Examples
    --------
    >>> import dpctl.tensor as dpt
    >>> bool(dpt.allclose(dpt.ones(3), dpt.ones(3) + 1e-9))
    True
    """
    atol, rtol = float(atol), float(rtol)
    for name, a in (("a1", a1), ("a2", a2)):
        if not hasattr(a, "sycl_queue") or not hasattr(a, "dtype"):
            raise TypeError(f"allclose: {name} must be a usm_ndarray, got {type(a).__name__}")
    if atol < 0 or rtol < 0:
        raise ValueError(f"allclose: tolerances must not be negative, got atol={atol} and rtol={rtol}")
    check_same_queue(a1.sycl_queue, a2.sycl_queue, "allclose")
    kind = tensor.result_type(a1, a2).kind
    if kind == "c":
        close = [_close(part(a1), part(a2), atol, rtol, bool(equal_nan)) for part in (tensor.real, tensor.imag)]
        return tensor.all(close[0] & close[1])
    return tensor.all(_close(a1, a2, atol, rtol, bool(equal_nan)) if kind == "f" else tensor.equal(a1, a2))
