// Array functions by NumPy's rules where they differ from the Array API's: output arrays of other dtypes than the
// result's, NaN that reductions ignore, accumulations of flattened arrays.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// out[...] = result, for a function's output array. refusal::placement for another queue, value for another shape,
/// type for a cast that the rule does not allow. Only the rule `unsafe` allows to discard imaginary parts; the caller
/// warns of it.
DPEP_API void store_result(const ndarray &out, const ndarray &result, const char *operation, casting = casting::unsafe);
/// Throws refusal::type for a cast that discards imaginary parts. A cast to bool compares with 0 and discards nothing.
DPEP_API void check_keeps_imaginary_parts(dtype from, dtype to, const char *operation);
/// The elements with a number in place of NaN; the array itself for dtypes without NaN.
DPEP_API ndarray replace_nan(const ndarray &, double number);

/// Indices of functions as take and put: bools as 0 and 1. refusal::type for other dtypes than integers.
DPEP_API ndarray numpy_indices(const ndarray &, const char *function);
/// refusal::type unless the rule 'safe' allows to cast the values to the array's dtype.
DPEP_API void check_safe_cast(const ndarray &values, const ndarray &to, const char *function);

struct numpy_reduce_options {
  std::optional<std::vector<int>> axes;  // nothing: all axes
  std::optional<dtype> type;             // of the result; a mean is computed in it, unless it is an integer dtype
  bool keep_dimensions = false;
  std::optional<double> for_nan;   // taken in place of NaN
  const ndarray *out = nullptr;    // of any dtype; of argmax and argmin, of one that int64 can be cast to
  const ndarray *where = nullptr;  // the elements to reduce: bools that are broadcast to the array's shape
  std::optional<scalar> initial;  // of a sum, a product or an extreme: reduced with the elements, in the result's dtype
};
/// refusal::value for the extremes along an axis of length 0 and those of elements that `where` selects, if there is no
/// initial value, also if the result has no elements. Errors name the function.
DPEP_API ndarray numpy_reduce(reduction, const ndarray &, const numpy_reduce_options &, const char *function);

struct numpy_accumulate_options {
  std::optional<int> axis;  // nothing: the elements in row-major order, as one axis
  std::optional<dtype> type;
  std::optional<double> for_nan;  // taken in place of NaN
  const ndarray *out = nullptr;   // of any dtype
};
DPEP_API ndarray numpy_accumulate(accumulation, const ndarray &, const numpy_accumulate_options &,
                                  const char *function);

}  // namespace dpep::array
