// The sizes of a device that the distribution of work over work-items depends on.
#pragma once

#include <algorithm>

#include "backend/backend.hpp"

namespace dpep::array::gpu {

struct device_sizes {
  std::int64_t compute_units;
  std::int64_t sub_group;   // the size of sub-groups
  std::size_t local_bytes;  // of local memory for a work-group

  /// Sub-groups have 32 work-items where the device supports that, as NVIDIA's do; otherwise as many as possible.
  explicit device_sizes(const device_info &i)
      : compute_units(i.max_compute_units), sub_group(32), local_bytes(i.local_mem_size) {
    if (std::ranges::count(i.sub_group_sizes, 32u) == 0) sub_group = std::int64_t(std::ranges::max(i.sub_group_sizes));
  }
  friend bool operator==(const device_sizes &, const device_sizes &) = default;
};

}  // namespace dpep::array::gpu
