// The largest numbers of work-groups of a launch (extension sycl_ext_oneapi_max_work_group_query).
#pragma once

#include <cstddef>
#include <limits>

#include <dpep/device.hpp>

#include <sycl/id.hpp>

namespace sycl::ext::oneapi::experimental::info::device {

/// In each dimension. All dimensions have the same limit, since launches are divided where a GPU's grid has lower ones.
template <int Dimensions = 3> struct max_work_groups {
  using return_type = id<Dimensions>;
  static return_type get(const dpep::device &) {
    return_type most;
    for (int d = 0; d < Dimensions; ++d) most[d] = std::numeric_limits<std::int32_t>::max();
    return most;
  }
};
struct max_global_work_groups {
  using return_type = std::size_t;
  static return_type get(const dpep::device &) { return std::numeric_limits<std::int32_t>::max(); }
};

}  // namespace sycl::ext::oneapi::experimental::info::device
