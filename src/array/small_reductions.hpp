// Reductions of few elements to one, done at once by one call of a block kernel.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/array_object.hpp"

namespace dpep::array {

/// All of the array to one element of type `result`, shape all ones if `keep`; or an empty handle when this is not the
/// way: many elements, pending, not contiguous, work in flight, or a reduction that is made of others (the mean is
/// not). `computed`: the type of the sum, product, …
ndarray small_reduction(reduction, array_object &, dtype computed, dtype result, bool keep);

}  // namespace dpep::array
