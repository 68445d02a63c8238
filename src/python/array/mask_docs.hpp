// The docstrings of nonzero, extract, place, put and put_along_axis.
#pragma once

namespace dpep::python::docs {

inline constexpr char nonzero[] = R"(Return the indices of the elements that are not zero.

Waits for the number of such elements.

Parameters
----------
arr : usm_ndarray
    Array with at least one axis.

Returns
-------
tuple of usm_ndarray
    An int64 array for each axis, in row-major order of the elements.

Raises
------
ValueError
    For a 0-d array.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.nonzero(dpt.asarray([0, 7, 0, 9]))[0]
usm_ndarray([1, 3])
)";

inline constexpr char extract[] = R"(Return the elements where a condition is true, in row-major order.

Waits for the number of such elements.

Parameters
----------
condition : usm_ndarray
    The condition. Numbers are true if they are not 0.
arr : usm_ndarray
    Array of the same shape.

Returns
-------
usm_ndarray
    The elements, with one axis.

Raises
------
ValueError
    For different shapes.

Examples
--------
>>> import dpctl.tensor as dpt
>>> x = dpt.arange(5)
>>> dpt.extract(x > 2, x)
usm_ndarray([3, 4])
)";

inline constexpr char place[] = R"(Set the elements where a mask is true, in row-major order, to values of a list.

Parameters
----------
arr : usm_ndarray
    Array to write to.
mask : usm_ndarray
    Bools, of the array's shape.
vals : usm_ndarray
    Values with one axis, which are repeated as needed and cast to the array's dtype.

Raises
------
ValueError
    For different shapes; for an empty list if elements are true.
TypeError
    For a mask of another dtype.

Examples
--------
>>> import dpctl.tensor as dpt
>>> x = dpt.arange(5)
>>> dpt.place(x, x > 1, dpt.asarray([8, 9]))
>>> x
usm_ndarray([0, 1, 8, 9, 8])
)";

inline constexpr char put[] = R"(Set the elements at indices along an axis.

Parameters
----------
x : usm_ndarray
    Array to write to.
indices : usm_ndarray
    Integers with one axis.
vals : usm_ndarray or number
    Values, which are broadcast to the shape of the elements and cast to the array's dtype. Of several values for one
    element, any is stored.
axis : int, optional
    The axis; may be omitted for an array of at most one axis.
mode : {'wrap', 'clip'}, optional
    'wrap' limits indices to [-n, n), where negative ones count from the end; 'clip' limits them to [0, n).

Raises
------
IndexError
    For indices along an axis of length 0.
ValueError
    For indices with another number of axes, another mode, and values that do not broadcast.
TypeError
    For indices that are not integers.

Examples
--------
>>> import dpctl.tensor as dpt
>>> x = dpt.arange(5)
>>> dpt.put(x, dpt.asarray([0, -1]), 7)
>>> x
usm_ndarray([7, 1, 2, 3, 7])
)";

inline constexpr char put_along_axis[] = R"(Set the elements at indices along an axis, with indices for each row.

Parameters
----------
x : usm_ndarray
    Array to write to.
indices : usm_ndarray
    Integers, with as many axes as the array, of its lengths except along the axis, or 1.
vals : usm_ndarray or number
    Values, which are broadcast to the shape of the elements and cast to the array's dtype.
axis : int, optional
    The axis.
mode : {'wrap', 'clip'}, optional
    As for `put`.

Raises
------
ValueError
    For indices or values that do not fit the array's shape, and for another mode.
TypeError
    For indices that are not integers.

Examples
--------
>>> import dpctl.tensor as dpt
>>> x = dpt.zeros((2, 2))
>>> dpt.put_along_axis(x, dpt.asarray([[1], [0]]), 5)
>>> x
usm_ndarray([[0., 5.],
             [5., 0.]])
)";

}  // namespace dpep::python::docs
