// Flattening: two axes of a pass seen as one long one where rows are short.
#pragma once

#include "array/fusion/passes.hpp"

namespace dpep::array {

/// Rows of a few elements that follow each other in memory make poor blocks. Where the pass does to all of them the
/// same, with operands that vary along rows and columns, or along a row only, lanes go over the elements of all rows,
/// and what varies along a row only is repeated, once a segment.
void flatten(pass &);

}  // namespace dpep::array
