// The nd_item, the group and the sub_group of the calling work-item (extension sycl_khr_work_item_queries).
#pragma once

#include <sycl/nd_item.hpp>

namespace sycl::khr {

// The kernel must have been launched over an nd_range with as many dimensions.
template <int Dimensions> nd_item<Dimensions> this_nd_item() { return sycl::detail::nd_item_maker::make<Dimensions>(); }
template <int Dimensions> group<Dimensions> this_group() { return sycl::detail::group_maker::make<Dimensions>(); }
inline sycl::sub_group this_sub_group() { return sycl::detail::make_sub_group(); }

}  // namespace sycl::khr
