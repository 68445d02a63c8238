// Work-groups whose size dpep chooses (extension sycl_ext_oneapi_auto_local_range).
#pragma once

#include <sycl/detail/geometry.hpp>

namespace sycl::ext::oneapi::experimental {

/// The local range of an nd_range that leaves the choice to the launch, which takes one that divides the global range.
template <int Dimensions> range<Dimensions> auto_range() {
  range<Dimensions> chosen_later;
  for (int i = 0; i < Dimensions; ++i) chosen_later[i] = sycl::detail::chosen_by_launch;
  return chosen_later;
}

}  // namespace sycl::ext::oneapi::experimental
