// Nodes for parts of pending values, and for pending values in another shape.
#pragma once

#include <span>

#include "array/graph/node.hpp"

namespace dpep::array {

/// A slice of one axis: elements start, start + step, … `step` may be negative.
struct axis_part {
  std::int64_t start, step, count;
  bool is_whole(std::int64_t length) const noexcept { return start == 0 && step == 1 && count == length; }
};

/// Nodes for a part of the node's values, and for the same elements, in row-major order, in another shape. They are
/// made of views of the node's inputs, and their values have the same bits. Null if that is not possible, or if
/// computing the elements again costs more than storing and loading them.
ref<node> part_node(const ref<node> &, std::span<const axis_part>);
ref<node> reshaped_node(const ref<node> &, std::span<const std::int64_t> shape);

}  // namespace dpep::array
