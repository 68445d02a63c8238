// The table of binary searches that each instruction set provides. Not in kernels.hpp, since only searches use it.
#pragma once

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

/// Sorted elements in memory.
struct sorted_elements {
  const void *first;
  std::int64_t length, stride;  // the stride, in elements, may be negative
};
/// positions[i] = the number of sorted elements before the i-th needle, which are less than it or, with `right`, also
/// those equal to it. In this order, zeros of both signs are equal, and all NaNs are equal and the largest.
using search_function = void (*)(std::size_t count, const void *needles, const sorted_elements &, bool right,
                                 std::int64_t *positions) noexcept;
struct search_kernels {
  search_function functions[dtype_count];
};

namespace v2 {
extern const search_kernels searches;
}
namespace v3 {
extern const search_kernels searches;
}
namespace v4 {
extern const search_kernels searches;
}

}  // namespace dpep::array::blocks
