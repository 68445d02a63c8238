"""Square roots and logarithms of matrices.

Hermitian matrices are computed by their eigenvalues. For others, square roots are limits of the scaled iteration of
Denman and Beavers, in the form of Cheng, Higham, Kenney and Laub, Approximating the logarithm of a matrix to specified
accuracy (2001). Of logarithms, as many square roots are taken first as make a rational approximation exact.
"""

from __future__ import annotations

import math

import numpy
from dpctl import tensor as dpt
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array import linalg as engine
from dpep._array.dpnp import as_dpnp

import dpnp
from dpnp.scipy.linalg._matrix_functions import _square, _unit_matrix

__all__ = ["logm", "sqrtm"]

_ITERATIONS = 50
# The rational approximation of the logarithm with 7 terms has the precision of float64 for matrices whose distance from
# the unit matrix is at most this (Higham, Functions of Matrices, table 11.1).
_TERMS, _NEAR = 7, 0.264


def _complex(a: dpnp_ndarray) -> dpnp_ndarray:
    return a if a.dtype.kind == "c" else a.astype("c8" if a.dtype == "f4" else "c16")


def _adjoint(a: dpnp_ndarray) -> dpnp_ndarray:
    transposed = dpt.matrix_transpose(a)
    return as_dpnp(dpt.conj(transposed) if a.dtype.kind == "c" else transposed)


def _checked(name: str, A: object) -> dpnp_ndarray:
    a = as_dpnp(_square(name, A))
    if not bool(bound.all(bound.isfinite(a))):
        raise ValueError(f"{name}: the array must not contain infinities or NaN")
    return a


def _is_hermitian(a: dpnp_ndarray) -> bool:
    return bool(bound.all(a == _adjoint(a)))


def _of_eigenvectors(a: dpnp_ndarray) -> tuple[dpnp_ndarray, dpnp_ndarray]:
    """The eigenvalues of Hermitian matrices, without the negative ones that are rounding errors of 0, and vectors."""
    values, vectors = engine.eigh(a)
    values = as_dpnp(values)
    noise = a.shape[-1] * float(numpy.finfo(values.dtype).eps)
    largest = bound.max(bound.abs(values), axis=-1)[..., None]
    is_noise = (values < 0) & (values >= -noise * largest)
    return dpnp.where(is_noise, 0, values), as_dpnp(vectors)


def _composed(values: dpnp_ndarray, vectors: dpnp_ndarray) -> dpnp_ndarray:
    if values.dtype.kind == "c":
        vectors = _complex(vectors)
    return dpnp.matmul(vectors * values[..., None, :], _adjoint(vectors))


def _iterated(name: str, a: dpnp_ndarray) -> dpnp_ndarray:
    """The principal square roots of matrices without eigenvalues that are 0 or negative."""
    n = a.shape[-1]
    unit, root, product = _unit_matrix(a), a, a
    enough = 2 * n * float(numpy.finfo(a.dtype).eps)
    last = math.inf
    for _ in range(_ITERATIONS):
        inverse = as_dpnp(engine.inv(product))
        if last > 1e-2:
            # Scaled by the determinant, eigenvalues have the absolute value 1 in the geometric mean.
            scale = bound.exp(as_dpnp(engine.slogdet(product)[1]) / (-2 * n))[..., None, None]
            square = bound.square(scale)
            root = dpnp.matmul(root, unit + inverse / square) * (scale / 2)
            product = unit / 2 + (product * square + inverse / square) / 4
        else:
            root = dpnp.matmul(root, unit + inverse) / 2
            product = unit / 2 + (product + inverse) / 4
        distance = float(bound.max(bound.sum(bound.abs(product - unit), axis=-2)))
        if distance <= enough or (last < 1e-5 and distance >= last / 2):
            return root
        last = distance
    raise dpnp.linalg.LinAlgError(f"{name}: the iteration for a square root did not converge")


def _principal_root(name: str, a: dpnp_ndarray) -> dpnp_ndarray:
    """The principal square roots of matrices that are not Hermitian. LinAlgError for singular ones."""
    values = as_dpnp(engine.eigvals(a))
    sizes = bound.abs(values)
    noise = a.shape[-1] * float(numpy.finfo(sizes.dtype).eps)
    if bool(bound.any(bound.min(sizes, axis=-1) <= noise * bound.max(sizes, axis=-1))):
        raise dpnp.linalg.LinAlgError(f"{name}: the matrix is singular and not Hermitian")
    angles = bound.atan2(as_dpnp(dpt.imag(values)), as_dpnp(dpt.real(values)))
    # Of angles up to pi, the centre becomes 0, so that no eigenvalue is near the negative numbers.
    most, least = bound.max(angles, axis=-1), bound.min(angles, axis=-1)
    if float(bound.max(most)) < math.pi and (a.dtype.kind != "c" or float(bound.max(bound.abs(angles))) < math.pi / 2):
        return _iterated(name, a)
    turn = bound.exp(-0.25j * (most + least)).astype(_complex(a).dtype)[..., None, None]
    return _iterated(name, _complex(a) * bound.square(turn)) * bound.conj(turn)


def sqrtm(A: object) -> dpnp_ndarray:
    """Return the principal square roots of square matrices, whose eigenvalues have no negative real parts.

    Parameters
    ----------
    A : ndarray
        Square matrices, in the last two axes.

    Returns
    -------
    ndarray
        The square roots; complex if matrices are complex or one has a negative eigenvalue.

    Raises
    ------
    LinAlgError
        When matrices are not square, and for a singular matrix that is not Hermitian, which may have no square root.
    ValueError
        For infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.sqrtm(np.array([[4.0, 4.0], [0.0, 4.0]])).round(6)
    array([[2., 1.],
           [0., 2.]])
    """
    a = _checked("sqrtm", A)
    if a.size == 0:
        return dpnp.copy(a)
    if _is_hermitian(a):
        values, vectors = _of_eigenvectors(a)
        if bool(bound.any(values < 0)):
            values = _complex(values)
        return _composed(bound.sqrt(values), vectors)
    return _principal_root("sqrtm", a)


def _near_unit(a: dpnp_ndarray) -> dpnp_ndarray:
    """The logarithms of matrices near the unit matrix, by Gauss-Legendre quadrature of their integral."""
    nodes, weights = numpy.polynomial.legendre.leggauss(_TERMS)
    unit = _unit_matrix(a)
    difference = a - unit
    made = 0.0
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        made = made + float(weight) * as_dpnp(engine.solve(unit + float(node) * difference, difference))
    return made


def logm(A: object) -> dpnp_ndarray:
    """Return the principal logarithms of square matrices.

    Parameters
    ----------
    A : ndarray
        Square matrices, in the last two axes.

    Returns
    -------
    ndarray
        The logarithms; complex if matrices are complex or one has a negative eigenvalue.

    Raises
    ------
    LinAlgError
        When matrices are not square or singular.
    ValueError
        For infinities and NaN.

    Examples
    --------
    >>> import dpnp as np
    >>> np.scipy.linalg.logm(np.array([[1.0, 2.0], [0.0, 1.0]])).round(6)
    array([[0., 2.],
           [0., 0.]])
    """
    a = _checked("logm", A)
    if a.size == 0:
        return dpnp.copy(a)
    wide = a.astype({"f": "f8", "F": "c16"}.get(a.dtype.char, a.dtype)) if a.sycl_device.has_aspect_fp64 else a
    if _is_hermitian(wide):
        values, vectors = _of_eigenvectors(wide)
        if bool(bound.any(values == 0)):
            raise dpnp.linalg.LinAlgError("logm: singular matrix")
        if bool(bound.any(values < 0)):
            values = _complex(values)
        return _composed(bound.log(values), vectors)
    roots = 0
    while roots < _ITERATIONS:
        distance = bound.sum(bound.abs(wide - _unit_matrix(wide)), axis=-2)
        if float(bound.max(distance)) <= _NEAR:
            break
        # The eigenvalues of a square root have no negative real parts.
        wide = _iterated("logm", wide) if roots else _principal_root("logm", wide)
        roots += 1
    return _near_unit(wide) * 2.0**roots
