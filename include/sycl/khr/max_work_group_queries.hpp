// The largest numbers of work-groups of a launch (extension sycl_khr_max_work_group_queries).
#pragma once

#include <limits>

#include <dpep/device.hpp>

#include <sycl/range.hpp>

namespace sycl::khr::info::device {

/// In each dimension. All dimensions have the same limit, since launches are divided where a GPU's grid has lower ones.
template <int Dimensions = 3> struct max_work_group_range {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "an nd_range has 1, 2 or 3 dimensions");
  using return_type = range<Dimensions>;
  static return_type get(const dpep::device &) {
    return_type most;
    for (int d = 0; d < Dimensions; ++d) most[d] = std::numeric_limits<std::int32_t>::max();
    return most;
  }
};

/// In all dimensions together.
struct max_work_group_range_size {
  using return_type = std::size_t;
  static return_type get(const dpep::device &) { return std::numeric_limits<std::int32_t>::max(); }
};

}  // namespace sycl::khr::info::device
