"""Views of arrays by strides."""

from __future__ import annotations

from collections.abc import Sequence

from dpctl.tensor._numpy_helper import normalize_axis_tuple
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import check_default, checked_array, strided_view

from dpnp._shapes import broadcast_arrays, broadcast_shapes, broadcast_to
from dpnp._support import as_numbers

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]


def as_strided(
    x: object,
    shape: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
) -> dpnp_ndarray:
    """Return a view of an array's memory with another shape and other strides.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The array, whose first element is that of the view.
    shape : sequence of int, optional
        The shape of the view; by default that of the array.
    strides : sequence of int, optional
        The strides of the view in elements, the unit of the attribute `strides` of arrays (NumPy's are in bytes); by
        default those of the array. Elements may overlap.
    subok : bool, optional
        Only False, the default.
    writeable : bool, optional
        Whether elements of the view can be assigned. The order of assignments to overlapping elements is undefined.

    Raises
    ------
    TypeError
        When `x` is not an array.
    ValueError
        For a view beyond the array's memory, and for other numbers of strides than of axes.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.arange(5)
    >>> np.lib.stride_tricks.as_strided(x, (3, 3), (x.strides[0], x.strides[0]))
    array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]])
    """
    x = checked_array("as_strided", x)
    check_default("as_strided", "subok", subok, False)
    view = strided_view(x, x.shape if shape is None else tuple(shape), x.strides if strides is None else tuple(strides))
    if not writeable:
        view.setflags(write=False)
    return view


def sliding_window_view(
    x: object,
    window_shape: int | Sequence[int],
    axis: int | Sequence[int] | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> dpnp_ndarray:
    """Return a view of all windows of an array.

    Parameters
    ----------
    x : ndarray or usm_ndarray
        The array.
    window_shape : int or sequence of int
        The length of a window along each of the axes.
    axis : int or sequence of int, optional
        The axes along which windows slide; by default all.
    subok : bool, optional
        Only False, the default.
    writeable : bool, optional
        Whether elements of the view can be assigned. The order of assignments to overlapping elements is undefined.

    Returns
    -------
    ndarray
        A view with the axes of `x`, along which windows begin, before those of the windows.

    Raises
    ------
    TypeError
        When `x` is not an array.
    ValueError
        For windows that are longer than the array, negative lengths, and other numbers of lengths than of axes.

    Examples
    --------
    >>> import dpnp as np
    >>> np.lib.stride_tricks.sliding_window_view(np.arange(5), 2).max(axis=-1)
    array([1, 2, 3, 4])
    """
    x = checked_array("sliding_window_view", x)
    check_default("sliding_window_view", "subok", subok, False)
    window_shape = as_numbers(window_shape)
    lengths = tuple(window_shape) if hasattr(window_shape, "__iter__") else (window_shape,)
    if any(n < 0 for n in lengths):
        raise ValueError(f"sliding_window_view: window_shape cannot contain negative values, got {lengths}")
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim, allow_duplicate=True)
    if len(lengths) != len(axes):
        raise ValueError(
            f"sliding_window_view: window_shape must have a length for each of {len(axes)} axes, got {len(lengths)}"
        )
    shape = list(x.shape)
    for i, n in zip(axes, lengths, strict=True):
        shape[i] -= n - 1
        if shape[i] < 1:
            raise ValueError(
                f"sliding_window_view: window shape {lengths} cannot be larger than the array's shape {x.shape}"
            )
    strides = x.strides
    view = strided_view(x, (*shape, *lengths), (*strides, *(strides[i] for i in axes)))
    if not writeable:
        view.setflags(write=False)
    return view
