"""Convolutions and correlations of arrays with any number of axes.

Direct sums are filters of windows (dpep/array_filters.hpp), in one dimension products of matrices
(src/array/api/convolutions.cpp); the others are products of Fourier transforms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, check_arrays, extended, filtered

import dpnp
from dpnp._support import common_kind, default_float_type
from dpnp.scipy.ndimage._arguments import axes_of

__all__ = [
    "choose_conv_method", "convolve", "convolve2d", "correlate", "correlate2d", "correlation_lags", "fftconvolve",
    "oaconvolve",
]  # fmt: skip

_MODES = ("full", "same", "valid")


def _operands(name: str, in1: object, in2: object, mode: str) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    check_arrays(name, in1, in2)
    x, y = common_kind(name, in1, in2), common_kind(name, in2, in1)
    if x.ndim != y.ndim:
        raise ValueError(f"{name}: arrays must have the same number of axes, got shapes {x.shape} and {y.shape}")
    if mode not in _MODES:
        raise ValueError(f"{name}: mode must be 'full', 'same' or 'valid', got {mode!r}")
    return x, y


def _is_smaller(name: str, x: dpnp_ndarray, y: dpnp_ndarray, axes: Sequence[int]) -> bool:
    """Whether y is larger along all axes, for the mode 'valid'. ValueError if neither is."""
    if all(x.shape[a] >= y.shape[a] for a in axes):
        return False
    if all(y.shape[a] >= x.shape[a] for a in axes):
        return True
    raise ValueError(f"{name}: for the mode 'valid', one array must be at least as large as the other along all axes, "
                     f"got shapes {x.shape} and {y.shape}")  # fmt: skip


def _part(full: dpnp_ndarray, x: dpnp_ndarray, y: dpnp_ndarray, mode: str, axes: Sequence[int]) -> dpnp_ndarray:
    """The part of a full convolution."""
    if mode == "full":
        return full
    at = [slice(None)] * full.ndim
    for a in axes:
        m = x.shape[a] if mode == "same" else abs(x.shape[a] - y.shape[a]) + 1
        start = (x.shape[a] + y.shape[a] - 1 - m) // 2
        at[a] = slice(start, start + m)
    return full[tuple(at)]


def _good_length(n: int) -> int:
    """The least product of powers of 2, 3 and 5 that is not less than n, of which transforms are fast."""
    best = 1 << max(n - 1, 0).bit_length()
    five = 1
    while five < best:
        odd = five
        while odd < best:
            best = min(best, odd << max(-(-n // odd) - 1, 0).bit_length())
            odd *= 3
        five *= 5
    return best


def _by_fourier(x: dpnp_ndarray, y: dpnp_ndarray, axes: list[int]) -> dpnp_ndarray:
    """The full convolution along the axes."""
    if not axes:
        return x * y
    lengths = [x.shape[a] + y.shape[a] - 1 for a in axes]
    sizes = [_good_length(n) for n in lengths]
    if x.dtype.kind == "c" or y.dtype.kind == "c":
        made = dpnp.fft.ifftn(dpnp.fft.fftn(x, sizes, axes) * dpnp.fft.fftn(y, sizes, axes), sizes, axes)
    else:
        made = dpnp.fft.irfftn(dpnp.fft.rfftn(x, sizes, axes) * dpnp.fft.rfftn(y, sizes, axes), sizes, axes)
    at = [slice(None)] * made.ndim
    for a, n in zip(axes, lengths, strict=True):
        at[a] = slice(0, n)
    return made[tuple(at)]


def fftconvolve(
    in1: object, in2: object, mode: str = "full", axes: int | Sequence[int] | None = None
) -> dpnp_ndarray:  # fmt: skip
    """Return the convolution of two arrays, by Fourier transforms.

    Parameters
    ----------
    in1, in2 : ndarray
        The arrays, with the same number of axes.
    mode : {'full', 'same', 'valid'}, optional
        Whether to return all elements, the middle ones, as many as `in1` has, or those that do not depend on zeros
        beyond the borders.
    axes : int or sequence of int, optional
        The axes; by default all. Other axes are broadcast.

    Returns
    -------
    ndarray
        The convolution, of floating-point numbers.

    Raises
    ------
    ValueError
        For an unknown mode, shapes that do not match, and arrays of which neither is larger in the mode 'valid'.
    TypeError
        When an argument is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.fftconvolve(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 0.5])).round(6)
    array([1. , 3. , 5.5, 4. , 1.5])
    """
    return _fft_convolution("fftconvolve", in1, in2, mode, axes)


def _fft_convolution(name: str, in1: object, in2: object, mode: str, axes: object) -> dpnp_ndarray:
    x, y = _operands(name, in1, in2, mode)
    if x.ndim == 0:
        return x * y
    listed = axes_of(name, axes, x.ndim)
    for a in range(x.ndim):
        if a not in listed and x.shape[a] != y.shape[a] and 1 not in (x.shape[a], y.shape[a]):
            raise ValueError(f"{name}: axis {a} of shapes {x.shape} and {y.shape} cannot be broadcast")
    if x.size == 0 or y.size == 0:
        return dpnp.empty(0, dtype=x.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)
    if mode == "valid" and _is_smaller(name, x, y, listed):
        x, y = y, x
    # An axis along which an array has one element is multiplied, not transformed.
    used = [a for a in listed if x.shape[a] != 1 and y.shape[a] != 1]
    made = _by_fourier(_inexact(x), _inexact(y), used)
    return dpnp.ascontiguousarray(_part(made, x, y, mode, listed))


def _inexact(x: dpnp_ndarray) -> dpnp_ndarray:
    return x if x.dtype.kind in "fc" else dpnp.astype(x, default_float_type(sycl_queue=x.sycl_queue))


def oaconvolve(
    in1: object, in2: object, mode: str = "full", axes: int | Sequence[int] | None = None
) -> dpnp_ndarray:  # fmt: skip
    """Return the convolution of two arrays, by Fourier transforms.

    The arguments and results are those of `fftconvolve`, which also computes it: SciPy divides a long array into
    blocks, so that the transforms fit the caches of a processor; transforms here are divided by the engine.

    >>> import dpnp as np
    >>> np.scipy.signal.oaconvolve(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 0.5])).round(6)
    array([1. , 3. , 5.5, 4. , 1.5])
    """
    return _fft_convolution("oaconvolve", in1, in2, mode, axes)


def _filtered(x: dpnp_ndarray, shape: tuple[int, ...], taps: list[int], weights: numpy.ndarray) -> dpnp_ndarray:
    """Sums of the elements of windows, which are inside x, times real weights; the parts of complex x apart."""

    def run(part: dpnp_ndarray, values: list[float]) -> dpnp_ndarray:
        return filtered(part, "sum", list(shape), [0] * part.ndim, "none", 0.0, taps, values, [], False, 0)

    def of_real(part: dpnp_ndarray) -> dpnp_ndarray:
        made = run(part, weights.real.tolist())
        return made if weights.dtype.kind != "c" else made + 1j * run(part, weights.imag.tolist())

    if x.dtype.kind != "c":
        return of_real(x)
    return of_real(as_dpnp(dpt.real(x))) + 1j * of_real(as_dpnp(dpt.imag(x)))


def _exact(x: dpnp_ndarray, y: dpnp_ndarray) -> bool:
    """Whether sums of products of integers are exact in float64. Waits for integers of more than 16 bits."""
    most = 1.0
    for a in (x, y):
        info = numpy.iinfo(a.dtype) if a.dtype.kind != "b" else None
        if info is not None:
            most *= 2.0**info.bits if info.bits <= 16 else max(-float(bound.min(a)), float(bound.max(a)), 1.0)
    return most * min(x.size, y.size) <= 2.0**53


def _direct(x: dpnp_ndarray, y: dpnp_ndarray, edges: str, number: complex, inside: bool) -> dpnp_ndarray:
    """The convolution of x, extended by borders unless only positions `inside` are wanted, with y as weights."""
    dtype = numpy.result_type(x.dtype, y.dtype)
    if not inside:
        widths = [n - 1 for n in y.shape]
        if x.dtype.kind == "c":
            parts = [
                extended(as_dpnp(p), widths, widths, edges, float(n), p.dtype)
                for p, n in ((dpt.real(x), complex(number).real), (dpt.imag(x), complex(number).imag))
            ]
            x = parts[0] + 1j * parts[1]
        else:
            x = extended(x, widths, widths, edges, float(complex(number).real), x.dtype)
    weights = dpt.asnumpy(y)[(slice(None, None, -1),) * y.ndim]
    if dtype.kind in "iu" and not _exact(x, y):
        made = None
        for at in numpy.argwhere(weights):
            shape = tuple(slice(int(i), int(i) + n - w + 1) for i, n, w in zip(at, x.shape, y.shape, strict=True))
            part = dpnp.astype(x[shape], dtype, copy=False) * weights[tuple(at)].item()
            made = part if made is None else made + part
        shape = [n - w + 1 for n, w in zip(x.shape, y.shape, strict=True)]
        return made if made is not None else dpnp.zeros(shape, dtype=dtype, sycl_queue=x.sycl_queue)
    flat = weights.ravel()
    used = numpy.flatnonzero(flat != 0) if dtype.kind in "biu" else numpy.arange(flat.size)
    if not used.size:
        used = numpy.arange(1)
    made = _filtered(x, y.shape, used.tolist(), flat[used].astype("c16" if flat.dtype.kind == "c" else "f8"))
    return dpnp.astype(made, dtype, copy=False)


def _chosen(x: dpnp_ndarray, y: dpnp_ndarray) -> str:
    """'direct' or 'fft', whichever takes less time for floating-point numbers.

    On two cores, a sum of products takes 0.15 ns for each element and weight, a transform with its inverse 4 ns for
    each element and factor 2 of the lengths.
    """
    if x.dtype.kind not in "fc" and y.dtype.kind not in "fc":
        return "direct"
    lengths = [n + m - 1 for n, m in zip(x.shape, y.shape, strict=True)]
    size = math.prod(lengths)
    fourier = 4.0 * size * max(math.log2(max(size, 2)), 1.0)
    return "direct" if 0.15 * max(x.size, y.size) * min(x.size, y.size) < fourier else "fft"


def choose_conv_method(
    in1: object, in2: object, mode: str = "full", measure: bool = False
) -> str | tuple[str, dict[str, float]]:  # fmt: skip
    """Return the method of `convolve` that is expected to be faster, 'direct' or 'fft'.

    The other arguments are those of `convolve`. With `measure`, which SciPy also has, NotImplementedError is raised.

    >>> import dpnp as np
    >>> np.scipy.signal.choose_conv_method(np.ones(100), np.ones(3))
    'direct'
    """
    if measure:
        raise NotImplementedError("choose_conv_method: measure=True is not supported; time both methods of convolve")
    return _chosen(*_operands("choose_conv_method", in1, in2, mode))


def _convolution(name: str, x: dpnp_ndarray, y: dpnp_ndarray, mode: str, method: str) -> dpnp_ndarray:
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"{name}: method must be 'auto', 'direct' or 'fft', got {method!r}")
    if x.ndim == 0:
        return x * y
    if mode == "valid" and _is_smaller(name, x, y, range(x.ndim)):
        x, y = y, x
    if x.size == 0 or y.size == 0:
        return dpnp.empty(0, dtype=x.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue)
    dtype = numpy.result_type(x.dtype, y.dtype)
    if x.ndim == 1 and method != "fft":
        return _one_axis(x, y, mode, method)
    if (method if method != "auto" else _chosen(x, y)) == "fft":
        made = _fft_convolution(name, x, y, mode, None)
        if dtype.kind in "biu":
            made = bound.rint(made)
        return dpnp.astype(made, dtype, copy=False)
    if mode == "valid":
        return _direct(x, y, "constant", 0.0, True)
    longer, shorter = (x, y) if x.size >= y.size else (y, x)
    full = _direct(longer, shorter, "constant", 0.0, False)
    return dpnp.ascontiguousarray(_part(full, x, y, mode, range(x.ndim)))


def _one_axis(x: dpnp_ndarray, y: dpnp_ndarray, mode: str, method: str) -> dpnp_ndarray:
    if mode == "same" and y.size > x.size:  # NumPy's mode has as many elements as the longer array
        return dpnp.ascontiguousarray(_part(dpnp.convolve(x, y, "full", method), x, y, mode, [0]))
    return dpnp.convolve(x, y, mode, method)


def convolve(in1: object, in2: object, mode: str = "full", method: str = "auto") -> dpnp_ndarray:
    """Return the convolution of two arrays.

    Parameters
    ----------
    in1, in2, mode
        As of `fftconvolve`.
    method : {'auto', 'direct', 'fft'}, optional
        The algorithm: sums of products, Fourier transforms, or the faster one, for floating-point numbers. Integers are
        summed exactly.

    Returns
    -------
    ndarray
        The convolution, in the dtype that both arrays are promoted to.

    Raises
    ------
    ValueError, TypeError
        As of `fftconvolve`, and for an unknown method.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.convolve(np.array([[1, 2], [3, 4]]), np.array([[1, 1]]))
    array([[1, 3, 2],
           [3, 7, 4]])
    """
    return _convolution("convolve", *_operands("convolve", in1, in2, mode), mode, method)


def _mirrored(y: dpnp_ndarray) -> dpnp_ndarray:
    turned = dpnp.flip(y)
    return dpnp.conj(turned) if y.dtype.kind == "c" else turned


def correlate(in1: object, in2: object, mode: str = "full", method: str = "auto") -> dpnp_ndarray:
    """Return the cross-correlation of two arrays: sums of in1[n + k] * conj(in2[n]) over n.

    The arguments are those of `convolve`.

    >>> import dpnp as np
    >>> np.scipy.signal.correlate(np.array([1, 2, 3]), np.array([0, 1, 5]))
    array([ 5, 11, 17,  3,  0])
    """
    x, y = _operands("correlate", in1, in2, mode)
    if mode == "valid" and x.ndim and _is_smaller("correlate", x, y, range(x.ndim)):
        return _mirrored(_convolution("correlate", y, _mirrored(x), mode, method))
    return _convolution("correlate", x, _mirrored(y), mode, method)


def correlation_lags(in1_len: int, in2_len: int, mode: str = "full") -> dpnp_ndarray:
    """Return the shifts k that the elements of a correlation of arrays with one axis belong to.

    >>> import dpnp as np
    >>> np.scipy.signal.correlation_lags(3, 3)
    array([-2, -1,  0,  1,  2])
    """
    if mode not in _MODES:
        raise ValueError(f"correlation_lags: mode must be 'full', 'same' or 'valid', got {mode!r}")
    if mode == "valid":
        apart = in1_len - in2_len
        return dpnp.arange(apart + 1) if apart >= 0 else dpnp.arange(apart, 1)
    first, count = 1 - in2_len, in1_len + in2_len - 1
    if mode == "same":
        first += count // 2 - in1_len // 2
        count = in1_len
    return dpnp.arange(first, first + count)


_EDGES = {"fill": "constant", "pad": "constant", "wrap": "wrap", "circular": "wrap", "symm": "reflect",
          "symmetric": "reflect"}  # fmt: skip


def _of_matrices(
    name: str, in1: object, in2: object, mode: str, boundary: str, fillvalue: complex, turn: bool
) -> dpnp_ndarray:
    x, y = _operands(name, in1, in2, mode)
    if x.ndim != 2:
        raise ValueError(f"{name}: expected arrays with two axes, got shapes {x.shape} and {y.shape}")
    if boundary not in _EDGES:
        raise ValueError(f"{name}: boundary must be 'fill', 'wrap' or 'symm', got {boundary!r}")
    swapped = mode == "valid" and _is_smaller(name, x, y, (0, 1))
    if swapped:
        x, y = y, x
    if x.size == 0 or y.size == 0:
        raise ValueError(f"{name}: arrays must not be empty, got shapes {x.shape} and {y.shape}")
    made = _direct(x, _mirrored(y) if turn else y, _EDGES[boundary], fillvalue, mode == "valid")
    if mode == "same":  # the middle of an even number of weights is the same one for both functions
        starts = [n // 2 if turn else (n - 1) // 2 for n in y.shape]
        made = made[tuple(slice(i, i + n) for i, n in zip(starts, x.shape, strict=True))]
    if swapped and turn:
        made = _mirrored(made)
    return dpnp.ascontiguousarray(made)


def convolve2d(
    in1: object, in2: object, mode: str = "full", boundary: str = "fill", fillvalue: complex = 0
) -> dpnp_ndarray:  # fmt: skip
    """Return the convolution of two matrices.

    Parameters
    ----------
    in1, in2 : ndarray
        The matrices. The weights `in2` should be few.
    mode : {'full', 'same', 'valid'}, optional
        As of `fftconvolve`.
    boundary : {'fill', 'wrap', 'symm'}, optional
        The elements beyond the borders of `in1`: `fillvalue`, those of the other end, or mirrored ones.
    fillvalue : number, optional
        The number beyond the borders.

    Returns
    -------
    ndarray
        The convolution, in the dtype that both matrices are promoted to.

    Raises
    ------
    ValueError
        For other shapes, and for an unknown mode or boundary.
    TypeError
        When an argument is not an array.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.signal.convolve2d(np.array([[1, 2], [3, 4]]), np.array([[1, 1]]), "same", "symm")
    array([[2, 3],
           [6, 7]])
    """
    return _of_matrices("convolve2d", in1, in2, mode, boundary, fillvalue, False)


def correlate2d(
    in1: object, in2: object, mode: str = "full", boundary: str = "fill", fillvalue: complex = 0
) -> dpnp_ndarray:  # fmt: skip
    """Return the cross-correlation of two matrices. The arguments are those of `convolve2d`.

    >>> import dpnp as np
    >>> np.scipy.signal.correlate2d(np.array([[1, 2], [3, 4]]), np.array([[0, 1]]), "same")
    array([[2, 0],
           [4, 0]])
    """
    return _of_matrices("correlate2d", in1, in2, mode, boundary, fillvalue, True)
