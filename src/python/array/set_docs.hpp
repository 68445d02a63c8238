// Docstrings of searches and of functions of sets.
#pragma once

namespace dpep::python::docs {

inline constexpr char searchsorted[] =
    R"(Return the positions at which elements could be inserted into sorted ones so that the order is kept.

The order is that of `sort`: NaNs are greater than all numbers and equal to each other, and complex numbers are in
lexicographic order. Both arrays are compared in the dtype that they are promoted to.

Parameters
----------
x1 : usm_ndarray
    The sorted elements, in an array with one axis, in ascending order. With `sorter`, in any order.
x2 : usm_ndarray
    The elements to search for.
side : {'left', 'right'}, optional
    The position among equal elements: 'left' is before them, 'right' behind them.
sorter : usm_ndarray of integers, optional
    The indices that sort `x1`, with its shape. Those out of bounds are limited as with the mode 'wrap' of `take`.

Returns
-------
usm_ndarray
    Positions from 0 to the number of elements of `x1`, int64, with the shape of `x2`.

Raises
------
TypeError
    When an argument is not an array.
ValueError
    For an unknown `side`; for `x1` with several axes; for a `sorter` of another shape, or not of integers.
ExecutionPlacementError
    When the arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.searchsorted(dpt.asarray([10, 20, 20, 30]), dpt.asarray([5, 20, 31]))
usm_ndarray([0, 1, 4])
)";

inline constexpr char digitize[] =
    R"(Return the number of the bin that each element belongs to.

Bin i contains the elements x with bins[i-1] <= x < bins[i]; if the edges decrease, those with bins[i-1] > x >= bins[i].

Parameters
----------
x : ndarray or usm_ndarray
    The elements, which must be real.
bins : ndarray or usm_ndarray
    The edges of the bins, in an array with one axis, which increase or decrease. Not checked.
right : bool, optional
    Whether a bin contains its right edge, and not its left one.

Returns
-------
ndarray
    The numbers of the bins, int64, from 0, for elements before the first edge, to the number of edges.

Raises
------
TypeError
    When an argument is not an array, and for complex elements.
ValueError
    Unless `bins` has one axis and increases or decreases throughout, equal edges included.

Examples
--------
>>> import dpnp as np
>>> np.digitize(np.array([0.2, 6.4, 3.0, 1.6]), np.array([0.0, 1.0, 2.5, 4.0, 10.0]))
array([1, 4, 3, 2])
)";

inline constexpr char isin[] =
    R"(Return whether each element of an array is equal to one of the test elements.

Both are compared in the dtype in which `equal` compares them. NaNs are equal to nothing.

Parameters
----------
x : usm_ndarray or number
    The elements. At least one of `x` and `test_elements` is an array.
test_elements : usm_ndarray or number
    The elements to look for; the array is flattened.
assume_unique : bool, optional
    Accepted for programs that state that no element occurs twice. Has no effect.
invert : bool, optional
    Whether to return the opposite.

Returns
-------
usm_ndarray
    Bools, with the shape of `x`.

Raises
------
ValueError
    When an argument is neither an array nor a number.
ExecutionPlacementError
    When no argument is an array, or the arrays are on different queues.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.isin(dpt.asarray([0, 1, 2, 5]), dpt.asarray([5, 1]))
usm_ndarray([False,  True, False,  True])
)";

#define DPEP_UNIQUE_PARAMETERS                                                                                         \
  "The array is flattened. NaNs are different from each other.\n\n"                                                    \
  "Parameters\n----------\nx : usm_ndarray\n    The array.\n\n"                                                        \
  "Returns\n-------"
#define DPEP_UNIQUE_ERRORS                                                                                             \
  "\nRaises\n------\nTypeError\n    When `x` is not an array.\n\nExamples\n--------\n>>> import dpctl.tensor as dpt"

inline constexpr char unique_values[] = R"(Return the different elements of an array, in the order of `sort`.

)" DPEP_UNIQUE_PARAMETERS R"(
usm_ndarray
    An array with one axis, with the dtype of `x`.
)" DPEP_UNIQUE_ERRORS R"(
>>> dpt.unique_values(dpt.asarray([3, 1, 3]))
usm_ndarray([1, 3])
)";

inline constexpr char unique_counts[] =
    R"(Return the different elements of an array, in the order of `sort`, and how often each occurs.

)" DPEP_UNIQUE_PARAMETERS R"(
UniqueCountsResult
    A named tuple of arrays with one axis: `values`, with the dtype of `x`, and `counts`, of int64.
)" DPEP_UNIQUE_ERRORS R"(
>>> dpt.unique_counts(dpt.asarray([3, 1, 3]))
UniqueCountsResult(values=usm_ndarray([1, 3]), counts=usm_ndarray([1, 2]))
)";

inline constexpr char unique_inverse[] =
    R"(Return the different elements of an array, in the order of `sort`, and for each element the index of its value.

)" DPEP_UNIQUE_PARAMETERS R"(
UniqueInverseResult
    A named tuple of arrays: `values`, with one axis and the dtype of `x`, and `inverse_indices`, of int64, with the
    shape of `x`. `values[inverse_indices]` is equal to `x`.
)" DPEP_UNIQUE_ERRORS R"(
>>> dpt.unique_inverse(dpt.asarray([3, 1, 3]))
UniqueInverseResult(values=usm_ndarray([1, 3]), inverse_indices=usm_ndarray([1, 0, 1]))
)";

inline constexpr char unique_all[] =
    R"(Return the different elements of an array, in the order of `sort`, and where and how often each occurs.

)" DPEP_UNIQUE_PARAMETERS R"(
UniqueAllResult
    A named tuple of arrays: `values`, with one axis and the dtype of `x`; `indices`, those of the first occurrences in
    the flattened array; `inverse_indices`, with the shape of `x`, such that `values[inverse_indices]` is equal to `x`;
    `counts`, how often each value occurs. Indices and counts are int64.
)" DPEP_UNIQUE_ERRORS R"(
>>> found = dpt.unique_all(dpt.asarray([3, 1, 3]))
>>> found.values, found.indices
(usm_ndarray([1, 3]), usm_ndarray([1, 0]))
>>> found.inverse_indices, found.counts
(usm_ndarray([1, 0, 1]), usm_ndarray([1, 2]))
)";

inline constexpr char unique[] =
    R"(Return the different elements of an array in order, and where and how often each occurs.

Parameters
----------
ar : ndarray or usm_ndarray
    The array.
return_index : bool, optional
    Whether to return the indices of the first occurrences.
return_inverse : bool, optional
    Whether to return the index of the value of each element.
return_counts : bool, optional
    Whether to return how often each value occurs.
axis : int, optional
    The axis whose subarrays are compared, in lexicographic order; by default, the array is flattened.
equal_nan : bool, optional
    Whether all NaNs are one value, the first in order. Has no effect with an axis: then NaNs are different.
sorted : bool, optional
    Has no effect: the elements are sorted also with False.

Returns
-------
ndarray or tuple of ndarray
    The values, followed by the wanted indices, inverse indices and counts, which are int64. Without an axis, inverse
    indices have the shape of `ar`.

Raises
------
TypeError
    When `ar` is not an array.
numpy.exceptions.AxisError
    For an axis that the array does not have.

Examples
--------
>>> import dpnp as np
>>> np.unique(np.array([3, 1, 3]), return_counts=True)
(array([1, 3]), array([1, 2]))
>>> np.unique(np.array([[1, 0], [1, 0], [0, 2]]), axis=0)
array([[0, 2],
       [1, 0]])
)";

}  // namespace dpep::python::docs
