// Checks of axis arguments: negative axes count from the end, and no axis may be repeated.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <dpep/array.hpp>

#include "array/base/layout.hpp"

namespace dpep::array {

/// A list of at most 64 axes, stored without an allocation.
class axis_list {
public:
  void push(int axis) noexcept { axes_[count_++] = axis; }
  const int *begin() const noexcept { return axes_.data(); }
  const int *end() const noexcept { return axes_.data() + count_; }
  std::size_t size() const noexcept { return count_; }
  int operator[](std::size_t i) const noexcept { return axes_[i]; }
  bool has(int axis) const noexcept { return std::find(begin(), end(), axis) != end(); }

private:
  std::array<int, max_dimensions> axes_;
  std::size_t count_ = 0;
};

/// Returns the axis in [0, dimensions). Throws refusal::axis if it is out of bounds.
std::size_t checked_axis(const char *operation, std::int64_t axis, std::size_t dimensions);
/// Returns the axes in [0, dimensions), in the order given. Throws refusal::value if an axis is repeated.
axis_list checked_axes(const char *operation, std::span<const int> axes, std::size_t dimensions);
/// Returns the layout broadcast to the shape: strides are 0 along new and stretched axes. Throws refusal::value if the
/// shapes do not broadcast.
layout broadcast_layout(const char *operation, const layout &, std::span<const std::int64_t> shape);

}  // namespace dpep::array
