// Axes as arguments: submission_counts from the end when negative, each named once.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <dpep/array.hpp>

#include "array/base/layout.hpp"

namespace dpep::array {

/// Up to 64 axes, without an allocation.
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

/// In [0, dimensions); refusal::axis otherwise.
std::size_t checked_axis(const char *operation, std::int64_t axis, std::size_t dimensions);
/// In the order given; refusal::value for an axis named twice.
axis_list checked_axes(const char *operation, std::span<const int> axes, std::size_t dimensions);
/// The layout seen with another shape: strides of 0 along new and stretched axes. refusal::value when it does not go.
layout broadcast_layout(const char *operation, const layout &, std::span<const std::int64_t> shape);

}  // namespace dpep::array
