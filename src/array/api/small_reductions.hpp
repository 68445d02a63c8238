// Reductions of few elements to one, by one call of a block kernel.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array {

/// Reduces all elements to one, in a new array of that layout and dtype. `computed` is the dtype of the accumulation.
/// Returns an empty handle if the array is large, pending or not row-major, if work is in flight, and for variance and
/// standard deviation.
ndarray small_reduction(reduction, array_object &, dtype computed, const layout &, dtype result);

}  // namespace dpep::array
