// Reductions of few elements to one, done at once by one call of a block kernel.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array {

/// All of the array to one element, in a new array of that layout and type; or an empty handle when this is not the
/// way: many elements, pending, not contiguous, work in flight, or a reduction that is made of others (the mean is
/// not). `computed`: the type of the sum, product, …
ndarray small_reduction(reduction, array_object &, dtype computed, const layout &, dtype result);

}  // namespace dpep::array
