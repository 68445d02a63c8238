// Array functions that NumPy's interface has and the Array API has not: output arrays of other dtypes than the
// result's, and NaN that reductions ignore.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// out[...] = result, for a function's output array. refusal::placement for another queue, value for another shape,
/// type for a cast that the rule does not allow or that discards imaginary parts.
DPEP_API void store_result(const ndarray &out, const ndarray &result, const char *operation, casting = casting::unsafe);
/// Throws refusal::type for a cast that discards imaginary parts. A cast to bool compares with 0 and discards nothing.
DPEP_API void check_keeps_imaginary_parts(dtype from, dtype to, const char *operation);
/// The elements with a number in place of NaN; the array itself for dtypes without NaN.
DPEP_API ndarray replace_nan(const ndarray &, double number);

}  // namespace dpep::array
