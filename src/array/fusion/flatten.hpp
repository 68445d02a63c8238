// Flattening: merges two axes of a pass into a long one if rows are short.
#pragma once

#include "array/fusion/pass.hpp"

namespace dpep::array {

/// Merges the axis of short rows with an outer axis, because blocks of few elements are inefficient. Possible if rows
/// are adjacent in memory and all operands vary along both axes, or along the rows only. The lanes then go over the
/// elements of all rows. Values that vary along the rows only are repeated, once in each segment.
void flatten(pass &);

}  // namespace dpep::array
