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

/// A node for a view of another's values, made of views of its inputs, and what it costs to compute it from these. The
/// values have the same bits. The node is null if there is no such one, or if computing the elements again costs more
/// than storing and loading them.
struct recomputed_view {
  ref<node> value;
  double operations = 0, loads = 0;  // nanoseconds
};
/// A part of the node's values, or the same elements, in row-major order, in another shape.
recomputed_view part_node(const ref<node> &, std::span<const axis_part>);
recomputed_view reshaped_node(const ref<node> &, std::span<const std::int64_t> shape);

}  // namespace dpep::array
