"""Products of matrices, vectors and tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import AxisError, normalize_axis_tuple
from dpep._array import array_base, dpnp_ndarray
from dpep._array import dpnp as bound
from dpep._array.dpnp import (
    as_dpnp,
    check_arrays,
    check_default,
    check_numbers,
    check_operands,
    checked_array,
    placed_like,
    placement_of,
    store_result,
)

from dpnp._shapes import ravel
from dpnp._support import array_or_number

__all__ = ["dot", "inner", "matmul", "matvec", "tensordot", "vdot", "vecdot", "vecmat"]


def _generalised(signature: str) -> Callable[[Callable], Callable]:
    """Give a function of two arrays the attributes of NumPy's generalised ufuncs."""

    def complete(function: Callable) -> Callable:
        function.nin, function.nout, function.nargs = 2, 1, 3
        function.identity, function.signature = None, signature
        return function

    return complete


def _core_axes(
    function: str, axes: object, core: tuple[int, ...], dimensions: tuple[int, ...]
) -> list[tuple[int, ...]]:
    """The axes of the operands and of the result that a function works on, counted from the end."""
    if not isinstance(axes, list):
        raise TypeError(f"{function}: axes must be a list, got {type(axes).__name__}")
    if len(axes) != len(core):
        raise ValueError(f"{function}: expected an entry of axes for each operand and the result, got {len(axes)}")
    found = []
    for given, count, ndim in zip(axes, core, dimensions, strict=True):
        entry = given if isinstance(given, tuple) else (operator.index(given),)
        if len(entry) != count:
            raise AxisError(f"{function}: expected {count} axes in each entry of axes, got {given!r}")
        found.append(tuple(a - ndim for a in normalize_axis_tuple(entry, ndim, "axes")))
    return found


def _to_end(x: dpnp_ndarray, axes: tuple[int, ...]) -> dpnp_ndarray:
    return dpt.moveaxis(x, axes, tuple(range(-len(axes), 0))) if axes else x


def _from_end(x: dpnp_ndarray, axes: tuple[int, ...]) -> dpnp_ndarray:
    return dpt.moveaxis(x, tuple(range(-len(axes), 0)), axes) if axes else x


def _check_keywords(function: str, subok: bool, signature: object, axis: object) -> None:
    check_default(function, "subok", subok, True)
    check_default(function, "signature", signature, None)
    if axis is not None:
        raise TypeError(f"{function}: axis is only for functions with one common axis; use axes")


def _checked_dtype(
    function: str, x1: dpnp_ndarray, x2: dpnp_ndarray, dtype: object, casting: str
) -> numpy.dtype | None:
    """The dtype to compute in; TypeError if the operands cannot be cast to it."""
    if dtype is None:
        return None
    common, dtype = dpt.result_type(x1, x2), numpy.dtype(dtype)
    if not numpy.can_cast(common, dtype, casting):
        raise TypeError(f"{function}: {common} cannot be cast to the dtype {dtype} (casting '{casting}')")
    return dtype


def _stored(function: str, result: dpnp_ndarray, out: object, casting: str) -> dpnp_ndarray:
    """The result, or `out`, over which a result of 0 dimensions is repeated."""
    if out is None:
        return as_dpnp(result)
    check_arrays(function, out)
    if result.ndim == 0:
        result = dpt.broadcast_to(result, out.shape)
    return store_result(function, result, out, casting)


def _product(
    function: str, x1: dpnp_ndarray, x2: dpnp_ndarray, out: object, casting: str, order: str, dtype: object
) -> dpnp_ndarray:
    """matmul of arrays whose matrices are in the last axes."""
    dtype = _checked_dtype(function, x1, x2, dtype, casting)
    has_vectors = x1.ndim == x2.ndim == 1
    if isinstance(out, array_base) and dtype is None and not has_vectors and out.dtype == dpt.result_type(x1, x2):
        dpt.matmul(x1, x2, out=out)
        return as_dpnp(out)
    # as in NumPy, the result of "K" has no regard to the operands' order
    return _stored(function, dpt.matmul(x1, x2, dtype=dtype, order="C" if order == "K" else order), out, casting)


@_generalised("(n?,k),(k,m?)->(n?,m?)")
def matmul(
    x1: object,
    x2: object,
    /,
    out: object = None,
    *,
    casting: str = "same_kind",
    order: str = "K",
    dtype: object = None,
    subok: bool = True,
    signature: None = None,
    axes: list | None = None,
    axis: None = None,
) -> dpnp_ndarray:
    """Return the product of matrices; also written `x1 @ x2`.

    The matrices are the last two axes; other axes broadcast. A vector is a row on the left and a column on the right,
    and its axis is dropped from the result.

    Parameters
    ----------
    x1, x2 : ndarray or usm_ndarray
        The arrays, with at least one axis.
    out : ndarray or usm_ndarray, optional
        Output array with the result's shape.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        The rule for casts to `dtype` and to `out`.
    order : {'K', 'C', 'F', 'A'}, optional
        Memory order of the result.
    dtype : dtype, optional
        Data type to compute in.
    subok, signature, axis : optional
        Only the default values are supported.
    axes : list of tuple, optional
        The axes of the matrices in `x1`, in `x2` and in the result; of a vector an int.

    Raises
    ------
    TypeError
        When an argument is not an array, and for casts that the rule does not allow.
    ValueError
        For shapes that do not match.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([[1, 2], [3, 4]])
    >>> np.matmul(x, x)
    array([[ 7, 10],
           [15, 22]])
    """
    check_arrays("matmul", x1, x2)
    _check_keywords("matmul", subok, signature, axis)
    x1, x2 = as_dpnp(x1), as_dpnp(x2)
    if axes is None:
        return _product("matmul", x1, x2, out, casting, order, dtype)
    core = (min(x1.ndim, 2), min(x2.ndim, 2))
    core = (*core, sum(core) - 2)
    batch = max(x1.ndim - core[0], x2.ndim - core[1])
    first, second, to = _core_axes("matmul", axes, core, (x1.ndim, x2.ndim, batch + core[2]))
    result = _product("matmul", _to_end(x1, first), _to_end(x2, second), None, casting, order, dtype)
    return _stored("matmul", _from_end(result, to), out, casting)


@_generalised("(m,n),(n)->(m)")
def matvec(
    x1: object,
    x2: object,
    /,
    out: object = None,
    *,
    casting: str = "same_kind",
    order: str = "K",
    dtype: object = None,
    subok: bool = True,
    signature: None = None,
    axes: list | None = None,
    axis: None = None,
) -> dpnp_ndarray:
    """Return the products of matrices, the last two axes of `x1`, and vectors, the last axis of `x2`.

    Other axes broadcast. The other arguments are those of `matmul`.

    >>> import dpnp as np
    >>> np.matvec(np.array([[1, 2], [3, 4]]), np.array([1, 10]))
    array([21, 43])
    """
    check_arrays("matvec", x1, x2)
    _check_keywords("matvec", subok, signature, axis)
    x1, x2 = as_dpnp(x1), as_dpnp(x2)
    if x1.ndim < 2 or x2.ndim < 1:
        raise ValueError(f"matvec: expected matrices and vectors, got shapes {x1.shape} and {x2.shape}")
    batch = max(x1.ndim - 2, x2.ndim - 1)
    first, second, to = _core_axes("matvec", axes or [(-2, -1), -1, -1], (2, 1, 1), (x1.ndim, x2.ndim, batch + 1))
    columns = dpt.expand_dims(_to_end(x2, second), axis=-1)
    result = _product("matvec", _to_end(x1, first), columns, None, casting, order, dtype)
    return _stored("matvec", _from_end(result[..., 0], to), out, casting)


@_generalised("(n),(n,m)->(m)")
def vecmat(
    x1: object,
    x2: object,
    /,
    out: object = None,
    *,
    casting: str = "same_kind",
    order: str = "K",
    dtype: object = None,
    subok: bool = True,
    signature: None = None,
    axes: list | None = None,
    axis: None = None,
) -> dpnp_ndarray:
    """Return the products of vectors, the last axis of `x1`, and matrices, the last two axes of `x2`.

    Elements of `x1` are complex conjugated. Other axes broadcast. The other arguments are those of `matmul`.

    >>> import dpnp as np
    >>> np.vecmat(np.array([1, 10]), np.array([[1, 2], [3, 4]]))
    array([31, 42])
    """
    check_arrays("vecmat", x1, x2)
    _check_keywords("vecmat", subok, signature, axis)
    x1, x2 = as_dpnp(x1), as_dpnp(x2)
    if x1.ndim < 1 or x2.ndim < 2:
        raise ValueError(f"vecmat: expected vectors and matrices, got shapes {x1.shape} and {x2.shape}")
    batch = max(x1.ndim - 1, x2.ndim - 2)
    first, second, to = _core_axes("vecmat", axes or [-1, (-2, -1), -1], (1, 2, 1), (x1.ndim, x2.ndim, batch + 1))
    vectors = _to_end(x1, first)
    rows = dpt.expand_dims(bound.conj(vectors) if x1.dtype.kind == "c" else vectors, axis=-2)
    result = _product("vecmat", rows, _to_end(x2, second), None, casting, order, dtype)
    return _stored("vecmat", _from_end(result[..., 0, :], to), out, casting)


@_generalised("(n),(n)->()")
def vecdot(
    x1: object,
    x2: object,
    /,
    out: object = None,
    *,
    casting: str = "same_kind",
    order: str = "K",
    dtype: object = None,
    subok: bool = True,
    signature: None = None,
    axes: list | None = None,
    axis: int | None = None,
) -> dpnp_ndarray:
    """Return the sums of products of elements along an axis; those of `x1` are complex conjugated.

    Parameters
    ----------
    x1, x2 : ndarray or usm_ndarray
        The arrays. Other axes broadcast.
    out, casting, order, dtype, subok, signature : optional
        As in `matmul`.
    axes : list of int, optional
        The axis in `x1` and in `x2`.
    axis : int, optional
        The axis in both; the last one by default.

    Examples
    --------
    >>> import dpnp as np
    >>> np.vecdot(np.array([[1, 2], [3, 4]]), np.array([1, 10]))
    array([21, 43])
    """
    check_arrays("vecdot", x1, x2)
    _check_keywords("vecdot", subok, signature, None)
    x1, x2 = as_dpnp(x1), as_dpnp(x2)
    if axes is not None and axis is not None:
        raise TypeError("vecdot: axis and axes cannot both be given")
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError(f"vecdot: expected arrays with at least one axis, got shapes {x1.shape} and {x2.shape}")
    axes = axes if axes is not None else [-1 if axis is None else axis] * 2
    if isinstance(axes, list) and len(axes) == 2:  # the result needs no entry
        axes = [*axes, ()]
    first, second, _ = _core_axes("vecdot", axes, (1, 1, 0), (x1.ndim, x2.ndim, max(x1.ndim, x2.ndim) - 1))
    dtype = _checked_dtype("vecdot", x1, x2, dtype, casting)
    x1, x2 = _to_end(x1, first), _to_end(x2, second)
    if dtype is not None:
        x1, x2 = dpt.astype(x1, dtype, copy=False), dpt.astype(x2, dtype, copy=False)
    result = dpt.vecdot(x1, x2)
    columns = order == "F" or (order in ("A", "K") and x1.flags.fnc and x2.flags.fnc)
    if out is None and columns and result.ndim > 1:
        return as_dpnp(dpt.copy(result, order="F"))
    return _stored("vecdot", result, out, casting)


def _scaled(function: str, a: object, b: object) -> dpnp_ndarray:
    """The product with a number, which has its default data type, as in NumPy."""
    placement_of(function, a, b)
    like = a if isinstance(a, array_base) else b
    return bound.multiply(placed_like(a, like), placed_like(b, like))


def _check_out(function: str, out: object, shape: tuple[int, ...], dtype: numpy.dtype) -> None:
    """As in NumPy, an output array of `dot` must be what the function would return without it."""
    check_arrays(function, out)
    if out.shape != shape:
        raise ValueError(f"{function}: out must have the result's shape {shape}, got {out.shape}")
    if out.dtype != dtype:
        raise TypeError(f"{function}: out must have the result's dtype {dtype}, got {out.dtype}")
    if not out.flags.c_contiguous:
        raise ValueError(f"{function}: out must be C-contiguous")


def dot(a: object, b: object, out: object = None) -> dpnp_ndarray:
    """Return the sums of products over the last axis of `a` and the second last of `b`, or its only one.

    The result has the other axes of `a`, then those of `b`. A number multiplies all elements.

    Parameters
    ----------
    a, b : ndarray, usm_ndarray or number
        The operands.
    out : ndarray or usm_ndarray, optional
        Output array with the result's shape and data type, C-contiguous.

    Raises
    ------
    ValueError
        For shapes that do not match, and for an `out` of another shape or memory order.
    TypeError
        For an `out` of another data type.

    Examples
    --------
    >>> import dpnp as np
    >>> np.dot(np.array([1, 2]), np.array([3, 4]))
    array(11)
    """
    check_numbers("dot", a, b)
    if not isinstance(a, array_base) and not isinstance(b, array_base):
        a = array_or_number("dot", a)
    if not isinstance(a, array_base) or not isinstance(b, array_base) or a.ndim == 0 or b.ndim == 0:
        result = _scaled("dot", a, b)
    elif a.ndim <= 2 and b.ndim <= 2:
        result = dpt.matmul(a, b)
    else:
        result = dpt.tensordot(a, b, axes=(-1, -1 if b.ndim == 1 else -2))
    if out is None:
        return as_dpnp(result)
    check_arrays("dot", out)
    if out.sycl_queue == result.sycl_queue:  # store_result refuses other queues
        _check_out("dot", out, result.shape, result.dtype)
    return store_result("dot", result, out, "same_kind")


def inner(a: object, b: object) -> dpnp_ndarray:
    """Return the sums of products over the last axes of both arrays. A number multiplies all elements.

    >>> import dpnp as np
    >>> np.inner(np.array([[1, 2], [3, 4]]), np.array([1, 10]))
    array([21, 43])
    """
    check_operands("inner", a, b)
    if not isinstance(a, array_base) or not isinstance(b, array_base) or a.ndim == 0 or b.ndim == 0:
        return as_dpnp(_scaled("inner", a, b))
    if a.ndim == 1 and a.shape == b.shape:
        return as_dpnp(dpt.matmul(a, b))
    return as_dpnp(dpt.tensordot(a, b, axes=(-1, -1)))


def vdot(a: object, b: object) -> dpnp_ndarray:
    """Return the sum of products of the elements of two flattened arrays; those of `a` are complex conjugated.

    >>> import dpnp as np
    >>> np.vdot(np.array([1 + 2j, 3]), np.array([1, 1j]))
    array(1.+1.j)
    """
    if isinstance(a, array_base) and isinstance(b, array_base) and a.ndim == b.ndim == 1 and a.shape == b.shape:
        # With conjugates given, the product of vectors takes half of vecdot's fixed cost.
        if a.dtype.kind == "c":
            return as_dpnp(dpt.matmul(bound.conj(a), b))
        return as_dpnp(dpt.vecdot(a, b))
    check_operands("vdot", a, b)
    sizes = [x.size if isinstance(x, array_base) else 1 for x in (a, b)]
    if sizes[0] != sizes[1]:
        raise ValueError(f"vdot: expected arrays of the same size, got {sizes[0]} and {sizes[1]} elements")
    if not isinstance(a, array_base) or not isinstance(b, array_base):
        number = numpy.conj(a).item() if numpy.isscalar(a) else bound.conj(a)
        return dpt.reshape(_scaled("vdot", number, b), ())
    return as_dpnp(dpt.vecdot(ravel(a), ravel(b)))


def tensordot(a: object, b: object, axes: int | Sequence[int | Sequence[int]] = 2) -> dpnp_ndarray:
    """Return the sums of products over axes of both arrays.

    Parameters
    ----------
    a, b : ndarray, usm_ndarray or number
        The operands, at least one of which is an array.
    axes : int or two sequences of int, optional
        The axes of `a` and of `b` that are summed over, in pairs of equal lengths. A number n is for the last n axes of
        `a` and the first n axes of `b`.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(6).reshape(2, 3)
    >>> np.tensordot(x, x, axes=((1,), (1,)))
    array([[ 5, 14],
           [14, 50]])
    """
    if not isinstance(a, array_base) or not isinstance(b, array_base):
        check_operands("tensordot", a, b)
        if axes != 0:
            raise ValueError(f"tensordot: axes must be 0 for a number, got {axes}")
        return as_dpnp(_scaled("tensordot", a, b))
    return as_dpnp(dpt.tensordot(checked_array("tensordot", a), checked_array("tensordot", b), axes=axes))
