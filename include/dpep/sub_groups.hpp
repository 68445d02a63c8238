// Sub-groups: the size that kernels get which ask for none.
#pragma once

#include <algorithm>

#include <dpep/device.hpp>

namespace dpep {

/// As many work-items as a vector of the device has floats, or the most that a sub-group of the device can have.
inline std::size_t usual_sub_group_size(const device_info &device) {
  constexpr std::size_t float_lanes = 4;  // in native_vector_width
  const std::size_t lanes = device.native_vector_width[float_lanes];
  const auto &sizes = device.sub_group_sizes;
  return std::ranges::find(sizes, lanes) != sizes.end() ? lanes : std::ranges::max(sizes);
}

}  // namespace dpep
