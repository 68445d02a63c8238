"""Exponentials of matrices, and functions composed of them."""

from __future__ import annotations

import math

from dpctl import tensor as dpt
from dpep._array import dpnp_ndarray
from dpep._array import linalg as bound
from dpep._array.dpnp import checked_array

import dpnp

__all__ = ["coshm", "cosm", "expm", "sinhm", "sinm", "tanhm", "tanm"]

# The degrees of the Padé approximants, and the largest 1-norm for which their backward error is a rounding error
# (Higham, SIAM Journal on Matrix Analysis and Applications 26, 2005).
_DEGREES = {"f": (7, 3.925724783138660), "d": (13, 5.371920351148152)}


def _coefficients(degree: int) -> list[float]:
    """Of the numerator, lowest power first."""
    last = math.factorial(degree)
    return [
        math.factorial(2 * degree - k) * last / (math.factorial(degree - k) * math.factorial(k)) / last
        for k in range(degree + 1)
    ]


def _unit_matrix(a: dpnp_ndarray) -> dpnp_ndarray:
    return dpnp.eye(a.shape[-1], dtype=a.dtype, usm_type=a.usm_type, sycl_queue=a.sycl_queue)


def _square(function: str, a: object) -> dpnp_ndarray:
    """Square matrices of floating-point or complex numbers."""
    a = checked_array(function, a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise dpnp.linalg.LinAlgError(
            f"{function}: expected square matrices in the last two dimensions, got shape {a.shape}"
        )
    if a.dtype.kind not in "fc":
        return dpt.astype(a, dpnp.default_float_type(a.sycl_device))
    return dpt.astype(a, "f4") if a.dtype == "f2" else a


def _approximant(a: dpnp_ndarray, degree: int) -> dpnp_ndarray:
    """The Padé approximant of the exponential for matrices of small norm."""
    c = _coefficients(degree)
    unit = _unit_matrix(a)
    square = dpnp.matmul(a, a)
    fourth = dpnp.matmul(square, square)
    sixth = dpnp.matmul(square, fourth)
    if degree == 7:
        odd = c[7] * sixth + c[5] * fourth + c[3] * square + c[1] * unit
        even = c[6] * sixth + c[4] * fourth + c[2] * square + c[0] * unit
    else:
        odd = dpnp.matmul(sixth, c[13] * sixth + c[11] * fourth + c[9] * square)
        odd = odd + (c[7] * sixth + c[5] * fourth + c[3] * square + c[1] * unit)
        even = dpnp.matmul(sixth, c[12] * sixth + c[10] * fourth + c[8] * square)
        even = even + (c[6] * sixth + c[4] * fourth + c[2] * square + c[0] * unit)
    odd = dpnp.matmul(a, odd)
    return bound.solve(even - odd, even + odd)


def expm(A: object) -> dpnp_ndarray:
    """Return the exponentials of square matrices, by scaling, a Padé approximant, and squaring.

    Parameters
    ----------
    A : ndarray
        Square matrices, in the last two axes.

    Raises
    ------
    LinAlgError
        When matrices are not square.
    ValueError
        For infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.expm(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[1., 1.],
           [0., 1.]])
    """
    A = _square("expm", A)
    if A.size == 0:
        return dpnp.copy(A)
    if A.shape[-1] == 1:
        return dpt.exp(A)
    degree, largest = _DEGREES["f" if A.dtype in ("f4", "c8") else "d"]
    norms = dpt.max(dpt.sum(dpt.abs(A), axis=-2), axis=-1)
    if not math.isfinite(float(dpt.max(norms))):
        raise ValueError("expm: the array must not contain infinities or NaN")
    # the numbers of squarings, one of each matrix
    squarings = dpt.ceil(dpt.log2(dpt.maximum(norms / largest, dpt.ones_like(norms))))
    most = int(dpt.max(squarings))
    if most == 0:
        return _approximant(A, degree)
    made = _approximant(A * dpt.exp2(-squarings)[..., None, None], degree)
    for k in range(most):
        squared = dpnp.matmul(made, made)
        made = squared if A.ndim == 2 else dpt.where((squarings > k)[..., None, None], squared, made)
    return made


def _of_imaginary(a: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray | None]:
    """exp(i a), and exp(-i a), which for real matrices is the conjugate and is not computed."""
    if a.dtype.kind == "c":
        return expm(1j * a), expm(-1j * a)
    return expm(1j * a), None


def cosm(A: object) -> dpnp_ndarray:
    """Return the cosines of square matrices.

    >>> import dpnp as np
    >>> np.scipy.linalg.cosm(np.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    forward, backward = _of_imaginary(_square("cosm", A))
    return dpnp.copy(dpt.real(forward)) if backward is None else 0.5 * (forward + backward)


def sinm(A: object) -> dpnp_ndarray:
    """Return the sines of square matrices.

    >>> import dpnp as np
    >>> np.scipy.linalg.sinm(np.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    forward, backward = _of_imaginary(_square("sinm", A))
    return dpnp.copy(dpt.imag(forward)) if backward is None else -0.5j * (forward - backward)


def tanm(A: object) -> dpnp_ndarray:
    """Return the tangents of square matrices.

    >>> import dpnp as np
    >>> np.scipy.linalg.tanm(np.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    return bound.solve(cosm(A), sinm(A))


def coshm(A: object) -> dpnp_ndarray:
    """Return the hyperbolic cosines of square matrices.

    >>> import dpnp as np
    >>> np.scipy.linalg.coshm(np.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    A = _square("coshm", A)
    return 0.5 * (expm(A) + expm(-A))


def sinhm(A: object) -> dpnp_ndarray:
    """Return the hyperbolic sines of square matrices.

    >>> import dpnp as np
    >>> np.scipy.linalg.sinhm(np.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    A = _square("sinhm", A)
    return 0.5 * (expm(A) - expm(-A))


def tanhm(A: object) -> dpnp_ndarray:
    """Return the hyperbolic tangents of square matrices.

    >>> import dpnp as np
    >>> np.scipy.linalg.tanhm(np.zeros((2, 2)))
    array([[0., 0.],
           [0., 0.]])
    """
    return bound.solve(coshm(A), sinhm(A))
