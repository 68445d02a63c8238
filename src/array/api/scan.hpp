// Scans: running sums and their like along an axis of memory that is contiguous.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array {

/// Writes the scan of `from` along the axis to `to`, which may be the same array: both row-major, of one shape, dtype
/// and queue, not pending. Submits; does not wait. Long rows are cut at places that depend on their length only, so
/// that sums are the same for any number of threads.
void scan(accumulation, array_object &from, array_object &to, int axis);
/// What an empty scan of that dtype would be: 0, 1, the lowest or the highest value.
scalar identity(accumulation, dtype) noexcept;

}  // namespace dpep::array
