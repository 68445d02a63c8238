// Docstrings of sort, argsort and top_k.
#pragma once

namespace dpep::python::docs {

#define DPEP_SORT_PARAMETERS                                                                                           \
  "Parameters\n----------\n"                                                                                           \
  "x : usm_ndarray\n    The array.\n"                                                                                  \
  "axis : int, optional\n    The axis to sort along.\n"                                                                \
  "descending : bool, optional\n    Whether the largest elements, and NaNs, come first.\n"                             \
  "stable : bool, optional\n"                                                                                          \
  "    Whether equal elements must keep their order. They do in any case.\n"                                           \
  "kind : {'stable', 'mergesort', 'radixsort'}, optional\n"                                                            \
  "    Accepted for programs that name an algorithm. It does not matter.\n\n"
#define DPEP_SORT_ERRORS                                                                                               \
  "Raises\n------\n"                                                                                                   \
  "TypeError\n    When `x` is not an array.\n"                                                                         \
  "numpy.exceptions.AxisError\n    For an axis that `x` does not have.\n"                                              \
  "ValueError\n    For an unknown `kind`.\n\n"                                                                         \
  "Examples\n--------\n>>> import dpctl.tensor as dpt\n"

inline constexpr char sort[] =
    "Return the elements in order along an axis.\n\n"
    "NaNs are greater than all numbers. Complex numbers are in lexicographic order, those with NaNs last. Rows are\n"
    "sorted by vectorised quicksort (Highway) on CPUs.\n\n" DPEP_SORT_PARAMETERS
    "Returns\n-------\nusm_ndarray\n    A new array with the shape and dtype of `x`.\n\n" DPEP_SORT_ERRORS
    ">>> dpt.sort(dpt.asarray([3, 1, 2]))\nusm_ndarray([1, 2, 3])\n";

inline constexpr char argsort[] =
    "Return the positions of the elements in order along an axis.\n\n"
    "The order is that of `sort`; equal elements keep their order.\n\n" DPEP_SORT_PARAMETERS
    "Returns\n-------\nusm_ndarray\n    Positions along the axis, int64, with the shape of `x`.\n\n" DPEP_SORT_ERRORS
    ">>> dpt.argsort(dpt.asarray([30, 10, 20]))\nusm_ndarray([1, 2, 0])\n";

inline constexpr char top_k[] =
    R"(Return the k largest or smallest elements along an axis, in order, and their positions.

Parameters
----------
x : usm_ndarray
    The array.
k : int
    The number of elements, from 0 to the length of the axis.
axis : int, optional
    The axis; the flattened array when None.
mode : {'largest', 'smallest'}, optional
    Which elements. NaNs are greater than all numbers.

Returns
-------
TopKResult
    A named tuple of the arrays `values`, with the dtype of `x`, and `indices`, of int64.

Raises
------
TypeError
    When `x` is not an array or `k` is not an integer.
numpy.exceptions.AxisError
    For an axis that `x` does not have.
ValueError
    For an unknown `mode`, and for a `k` that is negative or larger than the axis.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.top_k(dpt.asarray([3, 1, 2]), 2)
TopKResult(values=usm_ndarray([3, 2]), indices=usm_ndarray([0, 2]))
)";

}  // namespace dpep::python::docs
