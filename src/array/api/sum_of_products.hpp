// Sums of products of elements.
#pragma once

#include <dpep/array.hpp>

namespace dpep::array {

/// The sum of products over the last axis, in the dtype; float16 is summed in float32, and of bools the sum is `or`.
/// Other axes broadcast. Deferred, unless the arrays are small.
ndarray sum_of_products(const ndarray &x1, const ndarray &x2, dtype, bool conjugates_x1);

}  // namespace dpep::array
