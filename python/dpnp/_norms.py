"""Norms and condition numbers."""

from __future__ import annotations

import math

import numpy
from dpctl import tensor as dpt
from dpctl.tensor import linalg as standard
from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import dpnp_ndarray
from dpep._array import linalg as bound
from dpep._array.dpnp import checked_array

from dpnp._support import as_numbers

__all__ = ["cond", "matrix_norm", "norm", "vector_norm"]


def vector_norm(
    x: object, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, ord: float | None = 2
) -> dpnp_ndarray:
    """Return the norms of vectors, as `dpctl.tensor.linalg.vector_norm`.

    >>> import dpnp as np
    >>> np.linalg.vector_norm(np.array([3.0, 4.0]))
    array(5.)
    """
    return standard.vector_norm(checked_array("vector_norm", x), axis=axis, keepdims=keepdims, ord=ord)


def matrix_norm(x: object, /, *, keepdims: bool = False, ord: float | str | None = "fro") -> dpnp_ndarray:
    """Return the norms of matrices, as `dpctl.tensor.linalg.matrix_norm`.

    >>> import dpnp as np
    >>> np.linalg.matrix_norm(np.array([[3.0, 0.0], [0.0, 4.0]]))
    array(5.)
    """
    return standard.matrix_norm(checked_array("matrix_norm", x), keepdims=keepdims, ord=ord)


def norm(
    x: object,
    ord: float | str | None = None,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
) -> dpnp_ndarray:
    """Return the norms of vectors or matrices.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The array. With neither `ord` nor `axis`, all its elements form one vector.
    ord : number or {'fro', 'nuc'}, optional
        The kind of norm: see `vector_norm` and `matrix_norm`. Default: the root of the sum of squares.
    axis : int or tuple of two ints, optional
        The axis of vectors, or the axes of matrices. When None, `x` itself is a vector or a matrix.
    keepdims : bool, optional
        Whether these axes stay, with length 1.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.norm(np.array([[3.0, 0.0], [0.0, 4.0]]), "nuc")
    array(7.)
    """
    x, ord = checked_array("norm", x), as_numbers(ord)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            return standard.vector_norm(x, keepdims=keepdims)
        axes = tuple(range(x.ndim))
    else:
        if isinstance(axis, list):
            raise TypeError(f"norm: axis must be None, an int or a tuple of ints, got the list {axis!r}")
        try:
            axes = normalize_axis_tuple(axis, x.ndim)
        except TypeError:
            raise TypeError(f"norm: axis must be None, an int or a tuple of ints, got {axis!r}") from None
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"norm: ord {ord!r} is not a norm of vectors; use a number")
        return standard.vector_norm(x, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise ValueError(f"norm: ord {ord!r} is for vectors and matrices, but {len(axes)} axes were given")
    found = standard.matrix_norm(dpt.moveaxis(x, axes, (-2, -1)), ord="fro" if ord in (None, "f") else ord)
    return dpt.expand_dims(found, axis=tuple(sorted(axes))) if keepdims else found


def cond(x: object, p: float | str | None = None) -> dpnp_ndarray:
    """Return the condition numbers of matrices.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        Matrices, in the last two axes.
    p : {None, 2, -2, 1, -1, inf, -inf, 'fro', 'nuc'}, optional
        The norm (see `matrix_norm`). None and 2: the largest divided by the smallest singular value; -2: the inverse of
        that. The matrices must be square for other norms.

    Examples
    --------
    >>> import dpnp as np
    >>> np.linalg.cond(np.array([[4.0, 0.0], [0.0, 2.0]]))
    array(2.)
    """
    x = checked_array("cond", x)
    if x.size == 0 and 0 in x.shape[-2:]:
        raise numpy.linalg.LinAlgError("cond: not defined for empty matrices")
    if p is None or p in (2, -2):
        s = bound.svdvals(x)
        found = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        found = standard.matrix_norm(x, ord=p) * standard.matrix_norm(bound._inv_or_nan(x), ord=p)
    undefined = dpt.isnan(found) & ~dpt.any(dpt.isnan(x), axis=(-2, -1))
    return dpt.where(undefined, dpt.full_like(found, math.inf), found)
