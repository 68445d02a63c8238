// Index expressions with arrays, as a view and arrays of indices for its axes.
#pragma once

#include <vector>

#include <dpep/array_indexing.hpp>

namespace dpep::array {

/// x[parts] as the elements of `part` at the indices along consecutive axes from `axis` on.
struct array_index {
  ndarray part;
  std::vector<ndarray> indices;  // of integers; empty for a basic index
  int axis = 0;
};
/// Applies the integers, slices, None and `...` to x. The axes of indices stay where they are if all arrays and
/// integers are adjacent; else they come first.
array_index parse(const ndarray &x, std::span<const index_part> parts);

}  // namespace dpep::array
