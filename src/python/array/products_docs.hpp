// Docstrings of matmul, tensordot and vecdot.
#pragma once

namespace dpep::python::docs {

#define DPEP_PRODUCT_ERRORS                                                                                            \
  "Raises\n------\n"                                                                                                   \
  "TypeError\n    When an argument is not an array.\n"                                                                 \
  "ExecutionPlacementError\n    When the arrays are on different queues.\n"

inline constexpr char matmul[] =
    "Return the product of matrices; also written `x1 @ x2`.\n\n"
    "The matrices are the last two axes of the arrays; other axes broadcast. A vector is a row on the left and a\n"
    "column on the right, and its axis is dropped from the result. Integers wrap, of bools the sum is `or`, and\n"
    "float16 is summed in float32. Results do not depend on the number of threads.\n\n"
    "Parameters\n----------\n"
    "x1, x2 : usm_ndarray\n    The arrays, with at least one axis.\n"
    "out : usm_ndarray, optional\n    Output array with the result's shape and data type. It may overlap the "
    "operands.\n"
    "dtype : dtype, optional\n    Data type of the result. Default: that of `x1 * x2`.\n"
    "order : {'K', 'C', 'F', 'A'}, optional\n    Memory order of the result.\n\n"
    "Returns\n-------\nusm_ndarray\n    The products.\n\n" DPEP_PRODUCT_ERRORS
    "ValueError\n    For arrays of 0 dimensions, for shapes that do not match, for a `dtype` to which the operands\n"
    "    cannot be cast by 'same_kind', and for an `out` of another shape or data type.\n\n"
    "Examples\n--------\n"
    ">>> import dpctl.tensor as dpt\n"
    ">>> x = dpt.asarray([[1, 2], [3, 4]])\n"
    ">>> dpt.matmul(x, x)\nusm_ndarray([[ 7, 10],\n             [15, 22]])\n";

inline constexpr char tensordot[] =
    "Return the sums of products over axes of both arrays.\n\n"
    "Parameters\n----------\n"
    "x1, x2 : usm_ndarray\n    The arrays.\n"
    "axes : int or two sequences of int, optional\n"
    "    The axes of `x1` and of `x2` that are summed over, in pairs of equal lengths. A number n is for the last n\n"
    "    axes of `x1` and the first n axes of `x2`.\n\n"
    "Returns\n-------\nusm_ndarray\n    An array with the other axes of `x1`, then those of "
    "`x2`.\n\n" DPEP_PRODUCT_ERRORS "ValueError\n    For axes of different lengths, or more axes than an array has.\n"
    "numpy.exceptions.AxisError\n    For an axis that an array does not have.\n\n"
    "Examples\n--------\n"
    ">>> import dpctl.tensor as dpt\n"
    ">>> x = dpt.reshape(dpt.arange(6), (2, 3))\n"
    ">>> dpt.tensordot(x, x, axes=((1,), (1,)))\nusm_ndarray([[ 5, 14],\n             [14, 50]])\n";

inline constexpr char vecdot[] =
    "Return the sums of products of elements along an axis; those of `x1` are complex conjugated.\n\n"
    "Parameters\n----------\n"
    "x1, x2 : usm_ndarray\n    The arrays, with at least one axis. Other axes broadcast.\n"
    "axis : int, optional\n"
    "    The axis. It must be negative for arrays with different numbers of axes.\n\n"
    "Returns\n-------\nusm_ndarray\n    An array without that axis, with the data type of `x1 * "
    "x2`.\n\n" DPEP_PRODUCT_ERRORS "ValueError\n    For arrays of 0 dimensions, and for shapes that do not match.\n"
    "numpy.exceptions.AxisError\n    For an axis that an array does not have.\n\n"
    "Examples\n--------\n"
    ">>> import dpctl.tensor as dpt\n"
    ">>> dpt.vecdot(dpt.asarray([1, 2, 3]), dpt.asarray([4, 5, 6]))\nusm_ndarray(32)\n";

}  // namespace dpep::python::docs
