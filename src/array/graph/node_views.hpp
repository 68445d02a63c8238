// Views of pending values: the same computation, of less or in another shape.
#pragma once

#include <span>

#include "array/graph/node.hpp"

namespace dpep::array {

/// Of one axis: elements start, start + step, … ; `step` may be negative.
struct axis_part {
  std::int64_t start, step, count;
  bool is_whole(std::int64_t length) const noexcept { return start == 0 && step == 1 && count == length; }
};

/// The node's values at these places, and in another shape of the same elements in row-major order; as nodes made of
/// the node's own inputs. Null where that is not possible, or where it would cost more to compute the elements
/// again than to store and load them. Their values have the same bits as the node's.
ref<node> part_node(const ref<node> &, std::span<const axis_part>);
ref<node> reshaped_node(const ref<node> &, std::span<const std::int64_t> shape);

}  // namespace dpep::array
