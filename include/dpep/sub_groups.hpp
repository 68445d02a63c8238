// The default sub-group size, for kernels that require none.
#pragma once

#include <algorithm>

#include <dpep/device.hpp>

namespace dpep {

/// The number of floats in a vector of the device, if that is one of its sub-group sizes; else the largest of those.
inline std::size_t default_sub_group_size(const device_info &device) {
  constexpr std::size_t float_lanes = 4;  // in native_vector_width
  const std::size_t lanes = device.native_vector_width[float_lanes];
  const auto &sizes = device.sub_group_sizes;
  return std::ranges::find(sizes, lanes) != sizes.end() ? lanes : std::ranges::max(sizes);
}

}  // namespace dpep
